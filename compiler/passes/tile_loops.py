"""Loops of a nest that reads along one dimension and writes along another, as a transpose does.

Either order of the loops would touch a new cache line with each step of one side.  Instead both
dimensions go in blocks, and what would be read across the rows is copied to a tile first, which
turns it around::

    for jb = 0 to N step 256
      for ib = 0 to M step 16
        tile = transpose of the block of x at (jb, ib)
        for i = ib to min(ib + 16, M)
          for j = jb to min(jb + 256, N)
            y[i*N + j] = f(tile[(i - ib)*256 + (j - jb)])

A block takes one cache line of every row of x that it touches; the next block takes the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type

from .collapse import Collapsed
from .loop_places import NestValues, Place

TILE_BYTES = 1 << 14
LINE = 64
"""Bytes of a cache line."""
WIDEST = 256
"""Most columns of a tile."""
LEAST = 8
"""Extent of a dimension below which turning around costs more than it brings."""
MOST_TILES = 3


@dataclass
class Tiling:
    """The dimension along which some loads run, besides the last one, and these loads."""

    dimension: int
    loads: list[kernel.LoadOp]
    height: int
    width: int


def find_tiling(values: NestValues, outer: Collapsed) -> Tiling | None:
    """How to tile a nest without sweeps, if it reads across the rows."""
    last = len(outer.extents) - 1
    if last < 1 or values.sweeps or not _is_wide(outer.extents[last]):
        return None
    found: Tiling | None = None
    for op in values.nest.body.block.ops:
        if not isinstance(op, kernel.LoadOp):
            continue
        offset = values.offsets[op].substitute(outer.places, {})
        step = offset.coefficient(last)
        if step is None or step == 0 or step == 1:
            continue
        along = next(
            (k for k in range(last) if offset.coefficient(k) == 1 and _is_wide(outer.extents[k])),
            None,
        )
        if along is None:
            continue
        if found is None:
            height, width = _shape(scalar_type(op.result).bytes, outer.extents[last])
            found = Tiling(along, [op], height, width)
        elif along == found.dimension and len(found.loads) < MOST_TILES:
            found.loads.append(op)
    return found


def _shape(size: int, columns: ex.Expr) -> tuple[int, int]:
    """Rows and columns of a tile: four blocks of columns at least, so that threads can share."""
    n = WIDEST * 4 if columns.constant is None else columns.constant
    width = WIDEST
    while width > LINE and 4 * width > n:
        width //= 2
    return max(LINE // size, TILE_BYTES // (width * size)), width


def _is_wide(extent: ex.Expr) -> bool:
    n = extent.constant
    return n is None or n >= LEAST


def lower_tiled(values: NestValues, outer: Collapsed, here: Place, tiling: Tiling) -> None:
    """Write the loops."""
    last = len(outer.extents) - 1
    sizes = {last: tiling.width, tiling.dimension: tiling.height}
    variables: dict[int, ex.Expr] = {}
    for k, extent in enumerate(outer.extents):
        if k not in (tiling.dimension, last):
            here = here.loop(ex.const(0), extent, "serial" if here.variables else "parallel")
            variables[k] = here.variable()
    starts: dict[int, ex.Expr] = {}
    for k, size in sizes.items():
        kind = "serial" if here.variables else "parallel"
        here = here.loop(ex.const(0), outer.extents[k], kind, size)
        starts[k] = here.variable()
    ends = {
        k: ex.minimum(start + sizes[k], outer.extents[k])
        if _has_rest(outer.extents[k], sizes[k])
        else start + sizes[k]
        for k, start in starts.items()
    }
    tiles = [
        _turn(values, outer, here, tiling, op, {**variables, **starts}, ends) for op in tiling.loads
    ]
    for k in (tiling.dimension, last):
        here = here.loop(starts[k], ends[k], "vector" if k == last else "serial")
        variables[k] = here.variable()
    here.at = _placed(outer, variables)
    row, column = (variables[k] - starts[k] for k in (tiling.dimension, last))
    for op, tile in zip(tiling.loads, tiles, strict=True):
        values.tiles[op] = tile, row * tiling.width + column
    for op in values.nest.body.block.ops:
        values.scalar(op, here)


def _placed(outer: Collapsed, variables: dict[int, ex.Expr]) -> dict[ex.Atom, ex.Expr]:
    """Dimensions of the nest in terms of loop variables."""
    at = {ex.Atom("dim", (k,)): e for k, e in variables.items()}
    return {atom: e.substitute(at, {}) for atom, e in outer.places.items()}


def _has_rest(extent: ex.Expr, size: int) -> bool:
    return extent.constant is None or extent.constant % size != 0


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
    last, along = len(outer.extents) - 1, tiling.dimension
    type = scalar_type(op.result)
    offset = values.offsets[op].substitute(outer.places, {})
    stride = offset.coefficient(last)
    assert stride is not None
    tile: SSAValue = here.add(loop.LocalOp.of(type, tiling.height * tiling.width))
    index = (
        values.offsets[op].substitute(_placed(outer, starts), {}),
        stride.substitute({ex.Atom("dim", (k,)): e for k, e in starts.items()}, {}),
        ex.const(0),
        ex.const(tiling.width),
        ends[last] - starts[last],
        ends[along] - starts[along],
    )
    found, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.TransposeOp.of(op.source, tile, found, dims))
    return tile
