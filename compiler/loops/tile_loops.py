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
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, ForOp, PrefetchOp, StreamOp, TransposeOp
from opc.schedule.nest_trees import inside
from opc.target import LINE

from .past_caches import Arrays
from .places import NestValues, Place, Span, placed


@dataclass(frozen=True)
class Tiles:
    """A block of a nest, of which some loads are turned around: what is left of each axis."""

    values: NestValues
    outer: Collapsed
    spans: Mapping[int, Span]
    along: int
    """The axis along which these loads run."""
    last: int
    loads: list[kernel.LoadOp]

    @property
    def line(self) -> int:
        """How many elements of a tile a cache line holds."""
        return LINE // scalar_type(self.loads[0].result).bytes

    def size(self, k: int) -> int:
        """Values of the block along an axis, at most."""
        return self.spans[k].size.constant or 0

    def at(self, places: Mapping[int, ex.Expr]) -> dict[int, ex.Expr]:
        """Where the dimensions of the nest are, by the place along some axes; others begin."""
        starts = {k: span.start for k, span in self.spans.items()}
        return placed(self.outer, {**starts, **places})

    def offset(self, op: kernel.LoadOp, places: Mapping[int, ex.Expr]) -> ex.Expr:
        """Where a load reads there."""
        return self.values.offsets[op].substitute(self.at(places))

    def turn(self, here: Place, op: kernel.LoadOp) -> SSAValue:
        """Copy what a load reads of the block to a tile."""
        stride = self.values.steps(op, self.outer)[self.last]
        assert stride is not None
        columns, count = self.size(self.last), self.size(self.along) * self.size(self.last)
        tile = here.add(loop.LocalOp.of(scalar_type(op.result), count))
        starts = {k: span.start for k, span in self.spans.items()}
        apart, counts = stride.substitute(starts), (self.last, self.along)
        index = self.offset(op, {}), apart, ex.const(0), ex.const(columns)
        here.transpose(op.source, tile, (*index, *(self.spans[k].count for k in counts)))
        return tile

    def prefetch(self, here: Place, op: kernel.LoadOp, ahead: int, row: ex.Expr) -> None:
        """Prefetch a cache line of the next block for the row and the columns from here on.

        One that is turned around has its rows along the columns.
        """
        at = {self.along: row, self.last: here.variable()}
        if op in self.loads:
            start = self.spans[self.along].start
            lines, row = self.size(self.along) // self.line, row - start
            at[self.along] = start + ex.mod(row, lines) * self.line
            at[self.last] += ex.floordiv(row, lines)
        at[ahead] = at.get(ahead, self.spans[ahead].start) + self.size(ahead)
        index = here.over((self.offset(op, at), ex.const(self.line)))
        here.block.add_op(loop.PrefetchOp.of(op.source, *index))


def lower_tiled(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    op: TransposeOp,
    axes: list[Axis],
    spans: Mapping[int, Span],
) -> None:
    """Write the tiles and the loops over the points of a block."""
    *prefetches, rows = inside(op)
    assert isinstance(rows, ForOp)
    (columns,) = inside(rows)
    past: list[kernel.StoreOp] = []
    if isinstance(columns, StreamOp):
        past = [values.stores[k] for k in columns.stores]
        (columns,) = inside(columns)
    assert isinstance(columns, ForOp)
    along, last = axes.index(rows.axis), axes.index(columns.axis)
    tiles = Tiles(values, outer, spans, along, last, [values.loads[k] for k in op.loads])
    turned = [(load, tiles.turn(here, load)) for load in tiles.loads]
    here = here.loop(spans[along].start, spans[along].end, rows.kind.data)
    row, (start, end) = here.variable(), (spans[last].start, spans[last].end)
    # A row of a tile goes past the caches as one piece: where a result begins within a cache line,
    # the lines where pieces meet do not.
    arrays = Arrays(values, past, here, tiles.size(last))
    parts: list[tuple[Place, ex.Expr, ex.Expr]] = []
    if prefetches:
        begin, whole = start, outer.extents[last]
        start = end
        if whole.constant is None or whole.constant % tiles.line:
            whole = ex.floordiv(whole, tiles.line) * tiles.line
            start = ex.minimum(begin + tiles.size(last), whole)
        lines = here.loop(begin, start, "serial", tiles.line)
        for prefetch in prefetches:
            assert isinstance(prefetch, PrefetchOp)
            load = values.loads[prefetch.number]
            tiles.prefetch(lines, load, axes.index(prefetch.axis), row)
        parts.append((lines, lines.variable(), lines.variable() + tiles.line))
    if start != end:
        parts.append((here, start, end))
    for around, lower, upper in parts:
        place = around.loop(lower, upper, columns.kind.data)
        column = place.variable()
        place.at = tiles.at({along: row, last: column})
        arrays.place(column - spans[last].start)
        at = (row - spans[along].start) * tiles.size(last) + (column - spans[last].start)
        values.tiles |= {load: (tile, at) for load, tile in turned}
        for inner in values.ops:
            values.scalar(inner, place)
    arrays.stream(tiles.at({along: row}), spans[last].count)
