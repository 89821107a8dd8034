"""Loops of a nest that reads along one dimension and writes along others, and computes on the way.

Where several operands would be turned around, or where rows of results are short, values are
computed along the rows that are read, into a tile; only the results are turned around::

    for ib = 0 to M step 64
      for jb = 0 to N step 64
        for j = jb to min(jb + 64, N)
          for i = ib to min(ib + 64, M)
            tile[(j - jb)*64 + (i - ib)] = f(a[j*M + i], b[j*M + i])
        for i = ib to min(ib + 64, M) step 16
          y at (i, jb) = transpose of 16 columns of tile

If the last dimension has few elements, those before it that are next to it in memory belong to
``j`` as well.  Where a tile takes whole rows, and they follow one another in memory, they are
computed in one loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.target import L1, SHORT, STRIP, VECTOR

from .loop_parts import has_functions
from .places import NestValues, Place, placed
from .tile_loops import LEAST, blocks, is_even, is_wide

AREA = L1 // 2
"""Bytes of a tile; bytes themselves count for two."""
ROWS = STRIP
"""Rows of a tile, if there are as many and they are no shorter."""
STEP = VECTOR
"""Columns of a tile that are turned at a time: results are written along few rows at once."""
FEWER = VECTOR // 4
"""The same where there are fewer."""
PAYS = {5: 3, 7: 2, 8: 1, 16: 3, SHORT: 2}
"""How many operands along such rows it takes, below each number of elements in a row.

Functions count for two, of five elements or more.
"""
FEW = {1: 0, 2: SHORT, 3: SHORT, 4: 0}
"""Below how many elements it is worth it to turn so few rows around, if functions are computed."""

Steps: TypeAlias = list[ex.Expr | None]
"""How far an access goes with each dimension of a nest."""


@dataclass
class Turning:
    """The dimension along which values are computed, and those that lie together in the results."""

    along: int
    first: int
    """The first of the dimensions that lie together: up to the last one."""
    inner: int
    """Elements of all of them but the first."""
    flat: bool
    """Whether rows are whole, and follow one another."""
    sizes: dict[int, int]
    """Elements of ``along`` and ``first`` in a tile."""


def find_turning(values: NestValues, outer: Collapsed) -> Turning | None:
    """How to turn the results of a nest without sweeps, if that is best."""
    last = len(outer.extents) - 1
    ops = list(values.nest.body.block.ops)
    loads = [_steps(values, outer, op) for op in ops if isinstance(op, kernel.LoadOp)]
    stores = [_steps(values, outer, op) for op in ops if isinstance(op, kernel.StoreOp)]
    if values.sweeps or 0 in outer.extents:
        return None
    along = next((k for k in range(last) if _runs_along(loads, k)), None)
    if along is None:
        return None
    first, inner = _group(outer, along)
    if not _follow(outer, stores, ex.const(1), first):
        return None
    turned = [s for s in loads if s[along] == 1]
    rest = [s for s in loads if s[along] == 0]
    size = max(scalar_type(op.value).bytes for op in ops if isinstance(op, kernel.StoreOp))
    width, rows = _sizes(AREA // max(2, size), outer.extents[along], outer.extents[first], inner)
    flat = (
        outer.extents[along] == width
        and not any(isinstance(op, body.IndexOp) for op in ops)
        and _follow(outer, turned, ex.const(width), first)
        and all(s[k] == 0 for s in rest for k in range(first, last + 1))
    )
    gathers = any(s[last] not in (0, 1) for s in rest)
    if not _pays(values, outer, along, len(turned), gathers, flat):
        return None
    return Turning(along, first, inner, flat, {along: width, first: rows})


def _runs_along(loads: list[Steps], k: int) -> bool:
    return all(s[k] in (0, 1) for s in loads) and any(s[k] == 1 for s in loads)


def _pays(
    values: NestValues, outer: Collapsed, along: int, turned: int, gathers: bool, flat: bool
) -> bool:
    """Whether it is faster than to turn operands around, or to read them as they lie (measured)."""
    ops = list(values.nest.body.block.ops)
    functions, n = has_functions(ops), outer.extents[along].constant
    if not is_wide(outer.extents[-1]):
        rows = ex.product(outer.extents[along + 1 :]).constant
        if rows is not None and rows < LEAST:
            if rows in FEW:
                return flat and functions and n is not None and n < FEW[rows]
            if not any(isinstance(op, body.ApplyOp) for op in ops):
                return False
        return flat or n is None or n >= SHORT
    if n is not None and n < SHORT:
        least = next(least for limit, least in PAYS.items() if n < limit)
        return flat and turned + 2 * (functions and n > 4) >= least
    if turned < 2 and not gathers:
        return False
    return flat or not functions or (n is not None and n % VECTOR == 0)


def _steps(values: NestValues, outer: Collapsed, op: kernel.LoadOp | kernel.StoreOp) -> Steps:
    offset = values.offsets[op].substitute(outer.places, {})
    return [offset.coefficient(k) for k in range(len(outer.extents))]


def _follow(outer: Collapsed, accesses: list[Steps], step: ex.Expr, first: int) -> bool:
    """Whether all accesses go in equal steps through the dimensions from the first one on."""
    for k in range(len(outer.extents) - 1, first - 1, -1):
        if any(s[k] != step for s in accesses):
            return False
        step = step * outer.extents[k]
    return True


def _group(outer: Collapsed, along: int) -> tuple[int, int]:
    first, inner = len(outer.extents) - 1, 1
    while first > along + 1:
        n = outer.extents[first].constant
        if n is None or n * inner >= ROWS:
            break
        first, inner = first - 1, inner * n
    return first, inner


def _sizes(area: int, along: ex.Expr, first: ex.Expr, inner: int) -> tuple[int, int]:
    """Columns of a tile, and how far it goes along the first dimension of its rows."""
    few = ROWS if first.constant is None else min(ROWS, first.constant * inner)
    width = _part(along, area // few)
    return width, _part(first, max(1, area // width // inner))


def _part(extent: ex.Expr, most: int) -> int:
    """The extent in as few equal parts as possible, of full vectors if there are several."""
    n = extent.constant
    if n is None or n <= most:
        return most if n is None else n
    unit = min(VECTOR, most)
    parts = -(-n // (most // unit * unit))
    return -(-n // (parts * unit)) * unit


def lower_turned_results(
    values: NestValues, outer: Collapsed, here: Place, turning: Turning
) -> None:
    """Write the loops."""
    along, first, sizes = turning.along, turning.first, turning.sizes
    behind = range(first + 1, len(outer.extents))
    here, starts, _ = blocks(values, outer, here, sizes, behind)
    starts |= dict.fromkeys(behind, ex.const(0))
    ends = {k: outer.extents[k] for k in behind}
    for k, size in sizes.items():
        end = starts[k] + size
        ends[k] = end if is_even(outer.extents[k], size) else ex.minimum(end, outer.extents[k])
    stores = [op for op in values.nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    area = sizes[first] * turning.inner * sizes[along]
    tiles = {op: here.add(loop.LocalOp.of(scalar_type(op.value), area)) for op in stores}
    inside, at = _rows(outer, here, turning, starts, ends)
    values.tiles |= {op: (tile, at) for op, tile in tiles.items()}
    for op in values.nest.body.block.ops:
        values.scalar(op, inside)
    for op, tile in tiles.items():
        _turn(values, outer, here, turning, op, tile, starts, ends)


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
