"""Blocks of a serial accumulation over several contracted axes, and the products that it has.

A block is several segments of the last axis, or a part of one, so that no loop tests where a block
ends::

    [3][3][64] by 512:  for block = 0 to 9 step 8 { for p = block to min(block + 8, 9) { for q } }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects import kernel, loop, schedule
from opc.dialects.layout import linearize
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import block_of
from opc.schedule.unpadded import Inside, in_tiles, inside

from .insertion import ZERO, Insertion
from .packing import Ranges, flat


@dataclass(frozen=True)
class Blocks:
    """Blocks of so many ``segments`` of the last axis, or of a part of one if that is 0."""

    segments: int
    inner: int
    """Segments for each value of the first axis."""


def blocks_of(c: Contraction) -> Blocks | None:
    """The blocks of several contracted axes; None if they end within segments."""
    inner = ex.product(map(c.extent, c.reduced[1:-1])).constant
    size = c.extent(c.reduced[-1]).constant
    if len(c.reduced) < 2 or inner is None or not size:
        return None
    if size % BLOCK == 0:
        return Blocks(0, inner)
    return Blocks(BLOCK // size, inner) if BLOCK % size == 0 else None


def left_in(c: Contraction, tree: schedule.TreeOp) -> dict[Axis, Inside]:
    """The contracted axes along which tiles leave padding out."""
    return in_tiles(inside(c, tree.group), {a: block_of(tree, a) for a in (c.row, c.column)})


def products_before(c: Contraction, axis: Axis, at: Mapping[int, ex.Expr]) -> ex.Expr | None:
    """The number of products before a segment of the last contracted axis; None elsewhere."""
    *others, last = c.reduced
    if axis != last or not others:
        return None
    return flat((at[a[-1]], c.extent(a)) for a in others) * c.extent(last)


def end_of(
    c: Contraction, axis: Axis, ranges: Ranges, tile: Ranges, is_stored: bool = False
) -> ex.Expr:
    """The end of the values of a tile that are stored, with a known count if tiles are full.

    Only innermost loops of transposed results have that, and tiles whose sums ``is_stored`` says
    are in memory: elsewhere, compilers that know the count keep constants in registers instead.
    """
    begin, end, _ = ranges.of.get(axis, (ZERO, c.extent(axis), 0))
    size = tile.block(axis)
    is_whole = ex.mod(c.extent(axis), size) == 0
    is_row = tile.block(c.row) == 1
    return begin + size if is_whole and (is_row or is_stored or not c.is_in_order) else end


def parts(
    c: Contraction,
    op: schedule.ForOp,
    begin: ex.Expr,
    end: ex.Expr,
    ahead: ex.Expr,
    is_cut: bool,
    is_left_in: bool,
) -> list[tuple[ex.Expr, ex.Expr, bool]]:
    """The ranges of a loop, and whether the blocks of each are full.

    A chain that ``is_cut`` inside has full blocks, a part before them and one behind: operands
    packed in a full block are transposed in registers.  ``is_left_in`` says that tiles leave
    padding out, so that an axis begins at any value, as it does with values ``ahead`` of a line.
    """
    axis, step = op.axis, op.step
    inner = (o.axis for o in walk(op.body) if isinstance(o, schedule.ForOp))
    if not is_cut or axis not in inner:
        return [(begin, end, step == 1)]
    if ahead != 0 or is_left_in:
        # The rest of the axis begins at any value.
        start = ex.minimum(begin + ahead, end)
        full_end = end - ex.mod(end - start, step)
        first = [(begin, start, False)] if ahead != 0 else []
        return [*first, (start, full_end, True), (full_end, end, False)]
    if ex.mod(c.extent(axis), step) == 0:
        return [(begin, end, True)]
    full_end = ex.floordiv(end, step) * step
    return [(begin, full_end, True), (full_end, end, False)]


def picked(c: Contraction, axis: Axis, here: Insertion) -> Insertion:
    """Read the value of an axis that has one, which becomes the last variable."""
    pick = next(op for op in kernel.picks_of(c.nest) if op.dim == axis[-1])
    at = linearize(pick.index.data, shape_of(pick.source.type)).substitute(c.places)
    value = here.add(loop.LoadOp.of(pick.source, *here.resolve(at)))
    return here.bind(value)
