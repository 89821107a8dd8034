"""Loops of a nest that reads along one axis and writes along another, as a transpose does.

What would be read across the rows is copied to a tile first, which turns it around::

    for ib = 0 to M step 128
      for jb = 0 to N step 96
        tile = transpose of the block of x at (jb, ib)
        for i = ib to min(ib + 128, M)
          for j = jb to min(jb + 96, N)
            y[i*N + j] = f(tile[(i - ib)*96 + (j - jb)])

What is prefetched is a cache line of the next block for each line that is computed, evenly, because
many requests at once have to wait.
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
    """A block of a nest, of which some loads are transposed; ``spans`` has what is left of axes.

    Those loads run along the rows (``along``), and what is written along the columns (``last``).
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
        self.past: list[kernel.StoreOp] = []
        """Stores that go past the caches."""
        if isinstance(columns, NonTemporalOp):
            self.past = [values.stores[k] for k in columns.stores]
            (columns,) = inside(columns)
        assert isinstance(rows, ForOp) and isinstance(columns, ForOp)
        self.along, self.last = axes.index(rows.axis), axes.index(columns.axis)
        self.loads = [values.loads[k] for k in op.loads]
        found = [(p.number, p.axis) for p in prefetches if isinstance(p, PrefetchOp)]
        self.prefetches = [(values.loads[number], axes.index(axis)) for number, axis in found]
        """Loads, and the axis along which their next block lies."""
        self.line = LINE // scalar_type(self.loads[0].result).bytes
        """How many elements of a tile a cache line holds."""

    def write(self, here: Insertion) -> None:
        """Write the tiles, and the loops over the points of the block."""
        transposed = [(load, self._transpose(here, load)) for load in self.loads]
        rows, columns = self.spans[self.along], self.spans[self.last]
        here = here.loop(rows.start, rows.end, "serial")
        row = here.variable()
        # A row of a tile goes past the caches as one piece: where a result begins within a cache
        # line, the lines where pieces meet do not.
        arrays = Arrays(self.values, self.past, here, self._size(self.last))
        for around, lower, upper in self._parts(here, row):
            place = around.loop(lower, upper, "vector")
            column = place.variable()
            place.at = self._at({self.along: row, self.last: column})
            arrays.place(column - columns.start)
            at = (row - rows.start) * self._size(self.last) + (column - columns.start)
            self.values.tiles |= {load: (tile, at) for load, tile in transposed}
            for op in self.values.ops:
                self.values.scalar(op, place)
        arrays.non_temporal(self._at({self.along: row}), columns.count)

    def _parts(self, here: Insertion, row: ex.Expr) -> list[tuple[Insertion, ex.Expr, ex.Expr]]:
        """The columns of a row; with prefetches line by line, and what is left of a line."""
        begin, end = self.spans[self.last].start, self.spans[self.last].end
        if not self.prefetches:
            return [(here, begin, end)]
        whole, until = self.outer.extents[self.last], end
        if whole.constant is None or whole.constant % self.line:
            whole = ex.floordiv(whole, self.line) * self.line
            until = ex.minimum(begin + self._size(self.last), whole)
        lines = here.loop(begin, until, "serial", self.line)
        for load, ahead in self.prefetches:
            self._prefetch(lines, load, ahead, row)
        found = [(lines, lines.variable(), lines.variable() + self.line)]
        return found if until == end else [*found, (here, until, end)]

    def _size(self, k: int) -> int:
        """Values of the block along an axis, at most."""
        return self.spans[k].size.constant or 0

    def _at(self, places: Mapping[int, ex.Expr]) -> dict[int, ex.Expr]:
        """Where the dimensions of the nest are, by the place along some axes; others begin."""
        starts = {k: span.start for k, span in self.spans.items()}
        return placed(self.outer, {**starts, **places})

    def _transpose(self, here: Insertion, op: kernel.LoadOp) -> SSAValue:
        """Copy what a load reads of the block to a tile."""
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

        One that is transposed has its rows along the columns.
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
        here.block.add_op(loop.PrefetchOp.of(op.source, *index))
