"""Loops of a nest that reads along one axis and writes along others, and computes on the way.

Values are computed along the rows that are read, into a tile; only the results are turned around::

    for ib = 0 to M step 64
      for jb = 0 to N step 64
        for j = jb to min(jb + 64, N)
          for i = ib to min(ib + 64, M)
            tile[(j - jb)*64 + (i - ib)] = f(a[j*M + i], b[j*M + i])
        for i = ib to min(ib + 64, M) step 16
          y at (i, jb) = transpose of 16 columns of tile

Where a tile takes whole rows, and they follow one another in memory, they are computed in one loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, CoalesceOp, ForOp, TransposeOp
from opc.schedule.nest_trees import inside
from opc.target import VECTOR

from .places import NestValues, Place, placed

STEP = VECTOR
"""Columns of a tile that are turned at a time: results are written along few rows at once."""
FEWER = VECTOR // 4
"""The same where there are fewer."""


@dataclass
class Turning:
    """The axis along which values are computed, and those that lie together in the results."""

    along: int
    first: int
    """The first of the axes that lie together: up to the last one."""
    inner: int
    """Elements of all of them but the first."""
    flat: bool
    """Whether rows are whole, and follow one another."""
    sizes: dict[int, int]
    """Elements of ``along`` and ``first`` in a tile."""


def lower_turned_results(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    op: TransposeOp,
    axes: list[Axis],
    sizes: dict[int, int],
    starts: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> None:
    """Write the loops over the points of a block, which is between these places."""
    own, flat = _axes_of(op)
    first, *_, along = (axes.index(axis) for axis in own)
    inner = ex.product(outer.extents[first + 1 :]).constant or 0
    turning = Turning(along, first, inner, flat, sizes)
    stores = [op for op in values.ops if isinstance(op, kernel.StoreOp)]
    area = sizes[first] * turning.inner * sizes[along]
    tiles = {op: here.add(loop.LocalOp.of(scalar_type(op.value), area)) for op in stores}
    within, at = _rows(outer, here, turning, starts, ends)
    values.tiles |= {op: (tile, at) for op, tile in tiles.items()}
    for inner_op in values.ops:
        values.scalar(inner_op, within)
    for store, tile in tiles.items():
        _turn(values, outer, here, turning, store, tile, starts, ends)


def _axes_of(op: TransposeOp) -> tuple[list[Axis], bool]:
    """The axes of the loops over a block, and whether these are one loop."""
    found: list[Axis] = []
    (loop_over,) = inside(op)
    if isinstance(loop_over, CoalesceOp):
        return loop_over.axes, True
    while isinstance(loop_over, ForOp):
        found.append(loop_over.axis)
        (loop_over,) = inside(loop_over)
    return found, False


def _rows(
    outer: Collapsed,
    here: Place,
    turning: Turning,
    starts: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> tuple[Place, ex.Expr]:
    """The loops over the rows of a tile, and where in it the value of a point is."""
    along, first, width = turning.along, turning.first, turning.sizes[turning.along]
    variables = dict(starts)
    if turning.flat:
        count = (ends[first] - starts[first]) * turning.inner * width
        inside = here.loop(ex.const(0), count, "vector")
        at = variables[along] = inside.variable()
    else:
        inside, at = here, ex.const(0)
        for k in (*range(first, len(outer.extents)), along):
            inside = inside.loop(starts[k], ends[k], "vector" if k == along else "serial")
            variables[k] = inside.variable()
            extent = ex.const(width) if k == along else outer.extents[k]
            at = at * extent + variables[k] - starts[k]
    inside.at = placed(outer, variables)
    return inside, at


def _turn(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    turning: Turning,
    op: kernel.StoreOp,
    tile: SSAValue,
    starts: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> None:
    """Write a tile to where a store puts its values; columns that are left over go twice."""
    along, first, width = turning.along, turning.first, turning.sizes[turning.along]
    start, count = starts[along], ends[along] - starts[along]
    step = STEP if width >= STEP else FEWER
    is_all = first == along + 1 and turning.sizes[first] == outer.extents[first]
    if width > step and not is_all:
        here = here.loop(starts[along], ends[along], "serial", step)
        start, count, n = here.variable(), ex.const(step), outer.extents[along].constant
        if n is None or (n % width or width) < step:
            count = ex.minimum(count, ends[along] - start)
        elif n % step:
            start = ex.minimum(start, ends[along] - step)
    offset = values.offsets[op].substitute(outer.places, {})
    stride = offset.coefficient(along)
    assert stride is not None
    index = (
        start - starts[along],
        ex.const(width),
        values.offsets[op].substitute(placed(outer, starts | {along: start}), {}),
        stride,
        (ends[first] - starts[first]) * turning.inner,
        count,
    )
    found, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.TransposeOp.of(tile, values.nest.targets[op.number], found, dims))
