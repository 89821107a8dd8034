"""Lower a nest that reads along one axis and writes along another, as a transpose does.

What it would read across the rows is first transposed to a tile::

    for ib = 0 to M step 128
      for jb = 0 to N step 96
        tile = transpose of the block of x at (jb, ib)
        for i = ib to min(ib + 128, M)
          for j = jb to min(jb + 96, N)
            y[i*N + j] = f(tile[(i - ib)*96 + (j - jb)])

For each cache line that is computed, one of the next block is prefetched: many requests at once
would have to wait.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, ForOp, NonTemporalOp, PrefetchOp, TransposeOp
from opc.schedule.nest_trees import inside
from opc.support.target import LINE

from .insertion import Insertion, NestValues, Span, placed
from .non_temporal import Arrays


class Tiles:
    """A block of a nest with transposed loads; ``spans`` has its part of each axis.

    Transposed loads run along the rows (``along``), stores along the columns (``last``).
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
            for op in self.values.ops:
                self.values.scalar(op, point)
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
        tile = here.add(loop.LocalOp.of(scalar_type(op.result), count))
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
