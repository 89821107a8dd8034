"""Lower a nest without sweeps: a recursive walk over its schedule writes the loops.

``for [d0] by 1 parallel { for [d1] by 1 vector { run out } }``  -->
``loop.for { loop.for { load; apply; store } }``

``flat_rows`` lowers ``coalesce``, ``tile_loops`` lowers ``transpose``, and ``non_temporal`` helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, CoalesceOp, ForOp, NonTemporalOp, RunOp, TransposeOp
from opc.schedule.coalesced_rows import Rows
from opc.schedule.nest_trees import assumed, axes_in, inside, most_of

from .flat_rows import FlatLowering
from .insertion import ZERO, Insertion, NestValues, Span, placed
from .non_temporal import Arrays
from .tile_loops import Tiles


def lower_points(nest: kernel.NestOp, ops: Sequence[Operation], block: Block) -> None:
    """Write one version of the loops into a block."""
    values = NestValues(nest)
    axes = axes_in(ops)
    outer = values.space(axes)
    spans = {k: Span(ZERO, extent, extent) for k, extent in enumerate(outer.extents)}
    _Walk(values, axes, outer).run(ops, Insertion(block, []), spans)


@dataclass(frozen=True)
class _Walk:
    values: NestValues
    axes: list[Axis]
    outer: Collapsed

    def run(self, ops: Sequence[Operation], here: Insertion, spans: Mapping[int, Span]) -> None:
        """Write operations of the tree; ``spans`` has the part of each axis inside the loops."""
        (op,) = ops
        match op:
            case RunOp():
                self._write(here, {k: span.start for k, span in spans.items()})
            case ForOp():
                child = op.body.block.first_op
                if isinstance(child, CoalesceOp) and child.axes[0] == op.axis:
                    self._coalesce(child, op, here, spans)
                else:
                    self._loop(op, here, spans)
            case CoalesceOp():
                self._coalesce(op, None, here, spans)
            case NonTemporalOp():
                self._non_temporal(op, here, spans)
            case TransposeOp():
                Tiles(self.values, self.outer, op, self.axes, spans).write(here)
            case _:
                raise AssertionError(op.name)

    def _loop(self, op: ForOp, here: Insertion, spans: Mapping[int, Span]) -> None:
        k, size = self.axes.index(op.axis), op.size
        span = spans[k]
        if size != 1 and span.has(size):
            self.run(inside(op), here, {**spans, k: Span(span.start, span.end, size)})
            return
        if op.kind.data == "unroll":
            for n in range(span.size.constant or 0):
                at = span.start + n
                self.run(inside(op), here, {**spans, k: Span(at, at + 1, size)})
            return
        if op.peel is not None:
            here, span = self._peel(op, here, spans)
        around, start = here.steps(span.start, span.end, op.kind.data, size)
        block = Span(start, start + 1, size) if size == 1 else span.block(start, size)
        self.run(inside(op), around, {**spans, k: block})

    def _peel(
        self, op: ForOp, here: Insertion, spans: Mapping[int, Span]
    ) -> tuple[Insertion, Span]:
        """Write the points before a cache line of a result; return where the others begin."""
        (non_temporal,) = inside(op)
        assert isinstance(non_temporal, NonTemporalOp)
        k, starts = self.axes.index(op.axis), {k: span.start for k, span in spans.items()}
        store, span = self.values.stores[non_temporal.stores[0]], spans[k]
        here.at = placed(self.outer, starts)
        index, dims = here.resolve(self.values.offsets[store])
        ahead = here.add(loop.AheadOp.of(self.values.nest.targets[store.number], index, dims))
        here = Insertion(here.block, [*here.variables, ahead], dict(here.at))
        first = ex.minimum(span.start + here.variable(), span.end)
        # It is less than a line, so threads do not share it.
        row = here.loop(span.start, first, "serial")
        self._write(row, starts | {k: row.variable()})
        return here, Span(first, span.end, span.size)

    def _write(self, here: Insertion, variables: Mapping[int, ex.Expr]) -> None:
        """Write the body at an index along each axis."""
        here.at = placed(self.outer, variables)
        for op in self.values.ops:
            self.values.scalar(op, here)

    def _non_temporal(self, op: NonTemporalOp, here: Insertion, spans: Mapping[int, Span]) -> None:
        """Write the rest of an axis with non-temporal stores."""
        (child,) = inside(op)
        assert isinstance(child, ForOp)
        k = self.axes.index(child.axis)
        span, starts = spans[k], {k: span.start for k, span in spans.items()}
        stores = [self.values.stores[k] for k in op.stores]
        arrays = Arrays(self.values, stores, here, span.size.constant or 0)
        row = here.loop(0, span.count, "vector")
        arrays.place(row.variable())
        self._write(row, starts | {k: span.start + row.variable()})
        arrays.non_temporal(placed(self.outer, starts), span.count)

    def _coalesce(
        self, op: CoalesceOp, around: ForOp | None, here: Insertion, spans: Mapping[int, Span]
    ) -> None:
        variables = {k: span.start for k, span in spans.items()}
        here.at = placed(self.outer, variables)
        first = self.axes.index(op.axes[0]) + 1
        most = most_of(ex.product(self.outer.extents[first:]), assumed(op))
        rows = Rows(self.values, self.outer, first, most or 0)
        FlatLowering(self.values, rows, here, variables, op.lanes).run(around)
