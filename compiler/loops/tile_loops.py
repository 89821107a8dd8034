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
from .places import NestValues, Place, placed


@dataclass
class Tiling:
    """Two axes of a nest in blocks: the last one, and the one along which some loads run."""

    along: int
    last: int
    loads: list[kernel.LoadOp]
    sizes: dict[int, int]
    """Rows (``along``) and columns (``last``) of a tile, and of the blocks of other axes."""
    asked: list[kernel.LoadOp]
    """The loads of which the next block is prefetched."""
    ahead: int | None = None
    """The axis along which that lies."""

    @property
    def line(self) -> int:
        """How many elements of a tile a cache line holds."""
        return LINE // scalar_type(self.loads[0].result).bytes


def lower_tiled(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    op: TransposeOp,
    axes: list[Axis],
    sizes: dict[int, int],
    variables: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> None:
    """Write the tiles and the loops over the points of a block, which is between these places."""
    *prefetches, rows = inside(op)
    assert isinstance(rows, ForOp)
    (columns,) = inside(rows)
    past: list[kernel.StoreOp] = []
    if isinstance(columns, StreamOp):
        past = [values.stores[k] for k in columns.stores]
        (columns,) = inside(columns)
    assert isinstance(columns, ForOp)
    along, last = axes.index(rows.axis), axes.index(columns.axis)
    tiling = Tiling(along, last, [values.loads[k] for k in op.loads], sizes, [])
    for prefetch in prefetches:
        assert isinstance(prefetch, PrefetchOp)
        tiling.asked.append(values.loads[prefetch.number])
        tiling.ahead = axes.index(prefetch.axis)
    starts = {k: variables[k] for k in (along, last)}
    variables = dict(variables)
    tiles = [_turn(values, outer, here, tiling, load, variables, ends) for load in tiling.loads]
    here = here.loop(starts[along], ends[along], rows.kind.data)
    variables[along] = here.variable()
    # A row of a tile goes past the caches as one piece: where a result begins within a cache line,
    # the lines where pieces meet do not.
    arrays = Arrays(values, past, here, tiling.sizes[last])
    asked = tiling.asked
    end = starts[last]
    places: list[tuple[Place, ex.Expr, ex.Expr]] = []
    if asked:
        end = ends[last]
        if not is_even(outer.extents[last], tiling.line):
            whole = ex.floordiv(outer.extents[last], tiling.line) * tiling.line
            end = ex.minimum(starts[last] + tiling.sizes[last], whole)
        lines = here.loop(starts[last], end, "serial", tiling.line)
        for load in asked:
            _ask(values, outer, lines, tiling, load, variables, starts)
        places.append((lines, lines.variable(), lines.variable() + tiling.line))
    if end != ends[last]:
        places.append((here, end, ends[last]))
    for around, lower, upper in places:
        place = around.loop(lower, upper, columns.kind.data)
        variables[last] = place.variable()
        place.at = placed(outer, variables)
        arrays.place(place.variable() - starts[last])
        row, column = (variables[k] - starts[k] for k in (along, last))
        for load, tile in zip(tiling.loads, tiles, strict=True):
            values.tiles[load] = tile, row * tiling.sizes[last] + column
        for inner in values.ops:
            values.scalar(inner, place)
    arrays.stream(placed(outer, variables | {last: starts[last]}), ends[last] - starts[last])


def is_even(extent: ex.Expr, size: int) -> bool:
    """Whether blocks of a size fill an extent."""
    return extent.constant is not None and extent.constant % size == 0


def _ask(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    tiling: Tiling,
    op: kernel.LoadOp,
    variables: dict[int, ex.Expr],
    starts: dict[int, ex.Expr],
) -> None:
    """Ask for a cache line of the next block: one that is turned around has its rows down here."""
    at = {tiling.along: variables[tiling.along], tiling.last: here.variable()}
    if op in tiling.loads:
        row = at[tiling.along] - starts[tiling.along]
        lines = tiling.sizes[tiling.along] // tiling.line
        at[tiling.along] = starts[tiling.along] + ex.mod(row, lines) * tiling.line
        at[tiling.last] += ex.floordiv(row, lines)
    assert tiling.ahead is not None
    at = {**variables, **at}
    at[tiling.ahead] += tiling.sizes.get(tiling.ahead, 1)
    offset = values.offsets[op].substitute(placed(outer, at), {})
    index, dims = Place(here.block, here.variables).resolve_all((offset, ex.const(tiling.line)))
    here.block.add_op(loop.PrefetchOp.of(op.source, index, dims))


def _turn(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    tiling: Tiling,
    op: kernel.LoadOp,
    starts: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> SSAValue:
    """Copy the block that a load reads to a tile."""
    last, along = tiling.last, tiling.along
    offset = values.offsets[op].substitute(outer.places, {})
    stride = offset.coefficient(last)
    assert stride is not None
    rows, columns = tiling.sizes[along], tiling.sizes[last]
    tile: SSAValue = here.add(loop.LocalOp.of(scalar_type(op.result), rows * columns))
    index = (
        values.offsets[op].substitute(placed(outer, starts), {}),
        stride.substitute({ex.Atom("dim", (k,)): e for k, e in starts.items()}, {}),
        ex.const(0),
        ex.const(columns),
        ends[last] - starts[last],
        ends[along] - starts[along],
    )
    found, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.TransposeOp.of(op.source, tile, found, dims))
    return tile
