"""Write the loops that a schedule says for a nest without sweeps: a recursive walk over its tree.

``for [d0] by 1 parallel { for [d1] by 1 vector { run out } }``  -->
``loop.for { loop.for { load; apply; store } }``

What has loops of its own, ``coalesce``, ``transpose`` and ``stream``, is in ``flat_rows``,
``tile_loops``, ``turned_results`` and ``past_caches``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, CoalesceOp, ForOp, RunOp, StreamOp, TransposeOp
from opc.schedule.nest import stores_past
from opc.schedule.nest_trees import axes_in, inside

from .flat_rows import lower_flat
from .past_caches import Blocks, UnevenRows
from .places import NestValues, Place, placed
from .tile_loops import lower_tiled
from .turned_results import lower_turned_results

ZERO = ex.const(0)


@dataclass(frozen=True)
class Span:
    """What loops leave of an axis: from ``start`` to ``end``, at most ``size`` values."""

    start: ex.Expr
    end: ex.Expr
    size: ex.Expr

    def block(self, start: ex.Expr, size: ex.Expr) -> Span:
        """A block of it."""
        length, by = (self.end - self.start).constant, size.constant
        is_even = length is not None and by is not None and length % by == 0
        end = start + size
        return Span(start, end if is_even else ex.minimum(end, self.end), size)

    def has(self, size: ex.Expr) -> bool:
        """Whether a block of a size has all of it, so that there is no loop."""
        most, by = self.size.constant, size.constant
        return size == self.size or (most is not None and by is not None and by >= most)


@dataclass(frozen=True)
class NestRow:
    """The points along an axis of a nest."""

    values: NestValues
    outer: Collapsed
    last: int
    around: dict[int, ex.Expr]
    """The loop variables of the other axes."""

    def place(self, here: Place, position: ex.Expr) -> None:
        """Say of a place at which position it is."""
        here.at = placed(self.outer, self.around | {self.last: position})

    def write(self, here: Place, position: ex.Expr) -> None:
        """Write the body at a position."""
        self.place(here, position)
        for op in self.values.ops:
            self.values.scalar(op, here)


def _inner(op: ForOp) -> Operation | None:
    """What goes over blocks of the axis of a loop, if it stands in that."""
    child = op.body.block.first_op
    if isinstance(child, CoalesceOp):
        return child if child.axes[0] == op.axis else None
    first = child.body.block.first_op if isinstance(child, StreamOp) else None
    return child if isinstance(first, ForOp) and first.axis == op.axis else None


def lower_points(nest: kernel.NestOp, ops: Sequence[Operation], block: Block) -> None:
    """Write one version of the loops into a block."""
    values = NestValues(nest)
    axes = axes_in(ops)
    outer = values.space(axes)
    spans = {k: Span(ZERO, extent, extent) for k, extent in enumerate(outer.extents)}
    _Walk(values, axes, outer).run(ops, Place(block, []), spans)


@dataclass(frozen=True)
class _Walk:
    values: NestValues
    axes: list[Axis]
    outer: Collapsed

    def run(self, ops: Sequence[Operation], here: Place, spans: Mapping[int, Span]) -> None:
        """Write operations of the tree; ``spans`` has what the loops around leave of each axis."""
        (op,) = ops
        match op:
            case RunOp():
                here.at = placed(self.outer, {k: span.start for k, span in spans.items()})
                for o in self.values.ops:
                    self.values.scalar(o, here)
            case ForOp():
                child = _inner(op)
                if isinstance(child, CoalesceOp):
                    self._coalesce(child, op, here, spans)
                elif isinstance(child, StreamOp):
                    self._stream(child, op, here, spans)
                else:
                    self._loop(op, here, spans)
            case CoalesceOp():
                self._coalesce(op, None, here, spans)
            case StreamOp():
                self._stream(op, None, here, spans)
            case TransposeOp():
                lower = lower_tiled if op.loads else lower_turned_results
                sizes = {k: span.size.constant or 0 for k, span in spans.items()}
                starts = {k: span.start for k, span in spans.items()}
                ends = {k: span.end for k, span in spans.items()}
                lower(self.values, self.outer, here, op, self.axes, sizes, starts, ends)
            case _:
                raise AssertionError(op.name)

    def _loop(self, op: ForOp, here: Place, spans: Mapping[int, Span]) -> None:
        k, size = self.axes.index(op.axis), op.size
        span = spans[k]
        if size != 1 and span.has(size):
            self.run(inside(op), here, {**spans, k: Span(span.start, span.end, size)})
            return
        around, start = here.steps(span.start, span.end, op.kind.data, size)
        block = Span(start, start + 1, size) if size == 1 else span.block(start, size)
        self.run(inside(op), around, {**spans, k: block})

    def _row(self, k: int, spans: Mapping[int, Span]) -> NestRow:
        around = {j: span.start for j, span in spans.items() if j != k}
        return NestRow(self.values, self.outer, k, around)

    def _stream(
        self, op: StreamOp, loop: ForOp | None, here: Place, spans: Mapping[int, Span]
    ) -> None:
        """Blocks of an axis that go past the caches, or blocks of rows that do."""
        stores = stores_past(self.values.ops)
        first = inside(op)[0]
        assert isinstance(first, ForOp)
        k = self.axes.index(first.axis)
        span = spans[k]
        size = span.size if loop is None else loop.size
        if first.kind.data == "vector":
            blocks = Blocks(self._row(k, spans), stores, size.constant or 0)
            if loop is not None and not span.has(size):
                blocks.over(here, span.start, span.end, loop.kind.data)
            else:
                blocks.at(here, span.start, span.end - span.start)
            return
        lower, upper = span.start, span.end
        if loop is not None:
            here, lower = here.steps(span.start, span.end, loop.kind.data, size)
            upper = ex.minimum(lower + size, span.end)
        burst = inside(first)[0]
        assert isinstance(burst, ForOp)
        last = self.axes.index(burst.axis)
        row = self._row(last, spans)

        def number(this: ex.Expr) -> None:
            row.around[k] = this

        length, size = self.outer.extents[last], burst.step
        rows = UnevenRows(row, stores[0], length, size, burst.kind.data)
        rows.write(here, lower, upper, number)

    def _coalesce(
        self, op: CoalesceOp, loop: ForOp | None, here: Place, spans: Mapping[int, Span]
    ) -> None:
        variables = {k: span.start for k, span in spans.items()}
        here.at = placed(self.outer, variables)
        lower_flat(self.values, self.outer, self.axes, op, loop, here, variables)
