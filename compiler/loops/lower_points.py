"""Lower a nest without sweeps: a recursive walk over its schedule writes the loops.

``for [d0] by 1 parallel { for [d1] by 1 vector { run out } }``  -->
``loop.for { loop.for { load; apply; store } }``
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import (
    Axis,
    CoalesceOp,
    ForOp,
    NonTemporalOp,
    PrefetchOp,
    RunOp,
    TransposeOp,
)
from opc.schedule.coalesced_rows import Rows
from opc.schedule.nest import Access
from opc.schedule.nest_trees import assumed, axes_in, inside, most_of, points_of
from opc.support.target import LINE

from .insertion import ZERO, Insertion, NestValues, Span, placed


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
        here = here.bind(ahead)
        first = ex.minimum(span.start + here.variable(), span.end)
        # It is less than a line, so threads do not share it.
        row = here.loop(span.start, first, "serial")
        self._write(row, starts | {k: row.variable()})
        return here, Span(first, span.end, span.size)

    def _write(self, here: Insertion, variables: Mapping[int, ex.Expr]) -> None:
        """Write the body at an index along each axis."""
        here.at = placed(self.outer, variables)
        self.values.scalars(self.values.ops, here)

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


class Arrays:
    """Arrays in the first-level cache, from which non-temporal stores write whole cache lines::

        for i = 0 to 4194304 step 128
          for k = 0 to 128 { row[k] = x[i + k] - b }
          non_temporal 128 of row to y[i ...]

    They are small, as processors read ahead at several addresses meanwhile: an array of 1024 values
    took up to 1.5 times as long.
    """

    def __init__(
        self, values: NestValues, stores: Iterable[kernel.StoreOp], here: Insertion, size: int
    ) -> None:
        self.values, self.here = values, here
        self.rows = {op: here.local(scalar_type(op.value), size) for op in stores}

    def place(self, at: ex.Expr) -> None:
        """Let the stores write to an index of the arrays."""
        self.values.tiles |= {op: (row, at) for op, row in self.rows.items()}

    def non_temporal(self, start: Mapping[int, ex.Expr], count: ex.Expr) -> None:
        """Write ``count`` points to memory from a start on, behind the loop that computes them."""
        for op, row in reversed(self.rows.items()):
            at = self.values.offsets[op].substitute(start)
            index, dims = self.here.over((ex.const(0), at, count, count))
            target = self.values.nest.targets[op.number]
            self.here.block.add_op(loop.NonTemporalOp.of((row, target), index, dims))


class Tiles:
    """A block of a nest that reads along its rows (``along``) and writes along columns (``last``).

    What it would read across the rows is first transposed to a tile::

        for ib = 0 to M step 128
          for jb = 0 to N step 96
            tile = transpose of the block of x at (jb, ib)
            for i = ib to min(ib + 128, M)
              for j = jb to min(jb + 96, N)
                y[i*N + j] = f(tile[(i - ib)*96 + (j - jb)])

    For each cache line that is computed, one of the next block is prefetched: many requests at once
    would have to wait.  ``spans`` has the part of each axis.
    """

    def __init__(
        self,
        values: NestValues,
        outer: Collapsed,
        op: TransposeOp,
        axes: list[Axis],
        spans: Mapping[int, Span],
    ) -> None:
        self.values, self.outer, self.spans = values, outer, spans
        *prefetches, rows = inside(op)
        (columns,) = inside(rows)
        self.non_temporal: list[kernel.StoreOp] = []
        """Non-temporal stores."""
        if isinstance(columns, NonTemporalOp):
            self.non_temporal = [values.stores[k] for k in columns.stores]
            (columns,) = inside(columns)
        assert isinstance(rows, ForOp) and isinstance(columns, ForOp)
        self.along, self.last = axes.index(rows.axis), axes.index(columns.axis)
        self.loads = [values.loads[k] for k in op.loads]
        fetched = [(p.number, p.axis) for p in prefetches if isinstance(p, PrefetchOp)]
        self.prefetches = [(values.loads[number], axes.index(axis)) for number, axis in fetched]
        """Loads, and the axis along which their next block lies."""
        self.line = LINE // scalar_type(self.loads[0].result).bytes
        """How many elements of a tile a cache line holds."""

    def write(self, here: Insertion) -> None:
        """Write the tiles, and the loops over the points of the block."""
        transposed = [(load, self._transpose(here, load)) for load in self.loads]
        rows, columns = self.spans[self.along], self.spans[self.last]
        here = here.loop(rows.start, rows.end, "serial")
        row = here.variable()
        # A row of a tile is one piece.  Where a result begins within a cache line, the lines where
        # pieces meet go through the caches.
        arrays = Arrays(self.values, self.non_temporal, here, self._size(self.last))
        for around, lower, upper in self._parts(here, row):
            point = around.loop(lower, upper, "vector")
            column = point.variable()
            point.at = self._at({self.along: row, self.last: column})
            arrays.place(column - columns.start)
            at = (row - rows.start) * self._size(self.last) + (column - columns.start)
            self.values.tiles |= {load: (tile, at) for load, tile in transposed}
            self.values.scalars(self.values.ops, point)
        arrays.non_temporal(self._at({self.along: row}), columns.count)

    def _parts(self, here: Insertion, row: ex.Expr) -> list[tuple[Insertion, ex.Expr, ex.Expr]]:
        """The columns of a row; with prefetches, line by line and the tail of the last line."""
        begin, end = self.spans[self.last].start, self.spans[self.last].end
        if not self.prefetches:
            return [(here, begin, end)]
        full, until = self.outer.extents[self.last], end
        if full.constant is None or full.constant % self.line:
            full = ex.floordiv(full, self.line) * self.line
            until = ex.minimum(begin + self._size(self.last), full)
        lines = here.loop(begin, until, "serial", self.line)
        for load, ahead in self.prefetches:
            self._prefetch(lines, load, ahead, row)
        parts = [(lines, lines.variable(), lines.variable() + self.line)]
        return parts if until == end else [*parts, (here, until, end)]

    def _size(self, k: int) -> int:
        """The most values of the block along an axis."""
        return self.spans[k].size.constant or 0

    def _at(self, indices: Mapping[int, ex.Expr]) -> dict[int, ex.Expr]:
        """The dimensions of the nest, from indices along some axes and the start of others."""
        starts = {k: span.start for k, span in self.spans.items()}
        return placed(self.outer, {**starts, **indices})

    def _transpose(self, here: Insertion, op: kernel.LoadOp) -> SSAValue:
        """Transpose what a load reads of the block to a tile."""
        stride = self.values.steps(op, self.outer)[self.last]
        assert stride is not None
        columns, count = self._size(self.last), self._size(self.along) * self._size(self.last)
        tile = here.local(scalar_type(op.result), count)
        apart = stride.substitute({k: span.start for k, span in self.spans.items()})
        source = self.values.offsets[op].substitute(self._at({})), apart
        counts = (self.spans[k].count for k in (self.last, self.along))
        here.transpose(op.source, tile, (*source, ex.const(0), ex.const(columns), *counts))
        return tile

    def _prefetch(self, here: Insertion, op: kernel.LoadOp, ahead: int, row: ex.Expr) -> None:
        """Prefetch a cache line of the next block for the row and the columns from here on.

        A transposed load has its rows along the columns.
        """
        at = {self.along: row, self.last: here.variable()}
        if op in self.loads:
            start = self.spans[self.along].start
            lines, row = self._size(self.along) // self.line, row - start
            at[self.along] = start + ex.mod(row, lines) * self.line
            at[self.last] += ex.floordiv(row, lines)
        at[ahead] = at.get(ahead, self.spans[ahead].start) + self._size(ahead)
        offset = self.values.offsets[op].substitute(self._at(at))
        index = here.over((offset, ex.const(self.line)))
        here.block.add_op(loop.PrefetchOp.of((op.source,), *index))


Key: TypeAlias = tuple[SSAValue, ex.Expr, tuple[ex.Expr | None, ...]]


class FlatLowering:
    """Coalesces rows into one loop over all of their points; the first axis may go in blocks.

    A value of each row, or of each index in a row, is first copied to an array for every point;
    values that all blocks of rows share, before all blocks::

        for r < 48: for k < 7: u[r*7 + k] = z[k]
        for b = 0 to M step 48
          for r < 48: for k < 7: t[r*7 + k] = y[b + r]
          for p < 48*7: out[b*7 + p] = exp(x[b*7 + p] * t[p] - u[p])

    In vectors of 16 values, ``for q = 0 to 7 step 16: for k < 16: t[r*7 + q + k] = y[b + r]``, the
    next row overwrites what goes beyond a row.  A row is the innermost axis, or several axes that
    are short together.
    """

    def __init__(
        self,
        values: NestValues,
        rows: Rows,
        here: Insertion,
        variables: Mapping[int, ex.Expr],
        lanes: int,
    ) -> None:
        self.values, self.rows, self.here, self.variables = values, rows, here, variables
        self.lanes = lanes
        self.laid_out = [op for op in values.loads if rows.is_table(op)]
        self.tables: dict[Key, SSAValue] = {}
        self.points = 0
        """The most points of a block of rows."""

    def run(self, loop_of_rows: ForOp | None) -> None:
        """Write the loop over blocks of rows, if there is one, and the flat one."""
        block, rows, total = self.here, self.rows, self.rows.count
        first, count, at_once = ZERO, total, total if loop_of_rows is None else loop_of_rows.size
        known, width = at_once.constant, rows.width.constant
        self.points = points_of(at_once, rows.width) or 0 if known is None else known * (width or 0)
        if loop_of_rows is not None and at_once != total:
            for op in self.laid_out if known is not None else ():
                if rows.repeats(op):
                    self._lay_out(op, block, ZERO, at_once)
            block, first = block.steps(ZERO, total, loop_of_rows.kind.data, at_once)
            is_whole = known and total.constant is not None and total.constant % known == 0
            count = at_once if is_whole else ex.minimum(at_once, total - first)
        for op in self.laid_out:
            self._lay_out(op, block, first, count)
        inside = block.loop(0, count * rows.width, "vector")
        for op in self.values.accesses:
            self.values.tiles[op] = self._element_of(op, first, inside.variable())
        self.values.scalars(self.values.ops, inside)

    def _key(self, op: kernel.LoadOp) -> Key:
        """A key that loads of the same elements share."""
        return op.source, self._offset(op, ZERO), tuple(self.rows.steps(op))

    def _element_of(self, op: Access, first: ex.Expr, point: ex.Expr) -> tuple[SSAValue, ex.Expr]:
        """The buffer or array of an access, and the index of a point in it."""
        if isinstance(op, kernel.StoreOp):
            return self.values.nest.targets[op.number], self._offset(op, first) + point
        if (table := self.tables.get(self._key(op))) is not None:
            return table, point
        is_flat = self.rows.is_flat(op)
        return op.source, self._offset(op, first) + (point if is_flat else 0)

    def _offset(self, op: Access, row: ex.Expr) -> ex.Expr:
        """The offset of an access at the start of a row."""
        rows = self.rows
        at = {k: ZERO for k in range(rows.first, len(rows.outer.extents))}
        at |= {k: e for k, e in self.variables.items() if k < rows.first - 1}
        at[rows.first - 1] = row
        return self.values.offsets[op].substitute(rows.outer.places).substitute(at)

    def _lay_out(self, op: kernel.LoadOp, here: Insertion, first: ex.Expr, count: ex.Expr) -> None:
        """Copy what a load reads to an array, for every point of ``count`` rows."""
        if (key := self._key(op)) in self.tables:
            return
        type, lanes = scalar_type(op.result), self.lanes
        rows, (_, *steps) = self.rows, self.rows.steps(op)
        beyond = 0 if lanes == 1 else lanes
        table = self.tables[key] = here.local(type, self.points + beyond)
        is_one = all(step == 0 for step in steps)
        copied = None if lanes == 1 or is_one else self._copied(op, here, first)
        row = here.loop(0, count, "serial")
        start, offset = row.variable() * rows.width, self._offset(op, first + row.variable())
        if lanes == 1:
            inside, point, at = row, ZERO, offset
            for step, extent in zip(steps, rows.outer.extents[rows.first :], strict=True):
                assert step is not None
                last = extent is rows.outer.extents[-1]
                inside = inside.loop(0, extent, "vector" if last else "serial")
                point = point * extent + inside.variable()
                at = at + inside.variable() * step
            inside.write(inside.read(op.source, at), table, start + point)
            return
        value = row.read(op.source, offset) if copied is None else None
        vector = row.loop(0, rows.width, "serial", lanes)
        lane = vector.loop(0, lanes, "serial")
        at = vector.variable() + lane.variable()
        if copied is not None:
            value = lane.read(copied, at)
        assert value is not None
        lane.write(value, table, start + at)

    def _copied(self, op: kernel.LoadOp, here: Insertion, first: ex.Expr) -> SSAValue:
        """The values along a row, and zeros after them up to a full vector."""
        type, size = scalar_type(op.result), -(-self.rows.most // self.lanes) * self.lanes
        array = here.local(type, size)
        lane = here.loop(0, size, "vector")
        lane.write(lane.constant(0, type), array, lane.variable())
        lane = here.loop(0, self.rows.width, "vector")
        at = self._offset(op, first) + lane.variable()
        lane.write(lane.read(op.source, at), array, lane.variable())
        return array
