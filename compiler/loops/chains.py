"""Which products of a chain are computed, and its blocks, where contracted axes are known.

A chain of several contracted axes is cut into blocks that are whole runs of the last axis, or parts
of one, so that no loop has to ask where a block ends::

    [3][3][64] by 512:  for block = 0 to 9 step 8 { for p = block to min(block + 8, 9) { for q } }

Products with padding add nothing to a sum, if the other factor is finite: they change no more than
the sign of a chain that is 0, which is added to +0 in the end.  So contracted axes along which a
window goes, as the rows and columns of a filter, only go over what is inside for some value of a
tile; what is left out then has no place in the window as it is laid out, either::

    x[h + 12*r - 12, w + 12*s - 12] else 0, of 33 rows and columns, in tiles of 11 columns  -->
    for r = ceil((12 - h) / 12) to (44 - h) / 12 + 1 { for s = ceil((2 - w) / 12) ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.blob import elements
from opc.dialects.body import number_of
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand, constant_of
from opc.schedule.window import Window

from .places import ZERO


@dataclass(frozen=True)
class Blocks:
    """How a chain is cut: into blocks of ``runs`` of its last axis, or of a part of one if 0."""

    runs: int
    inner: int
    """Runs for each value of the first axis."""


def blocks_of(c: Contraction) -> Blocks | None:
    """The blocks of a chain of several axes; None if they end within runs of the last one."""
    inner = ex.product(map(c.extent, c.reduced[1:-1])).constant
    size = c.extent(c.reduced[-1]).constant
    if len(c.reduced) < 2 or inner is None or not size:
        return None
    if size % BLOCK == 0:
        return Blocks(0, inner)
    return Blocks(BLOCK // size, inner) if BLOCK % size == 0 else None


@dataclass(frozen=True)
class Inside:
    """Of a contracted axis along which a window goes: what is in the source for a tile."""

    axis: int
    """Of the source."""
    at: ex.Expr
    """Where the first value of a tile sees the first one of the contracted axis."""
    step: int
    """How far apart in the source the values of the contracted axis are."""
    reach: int
    """How far the last value of a tile is from the first one."""
    size: ex.Expr
    """Of the source."""
    extent: ex.Expr
    """Of the contracted axis."""

    @property
    def begin(self) -> ex.Expr:
        """The first one that some value of a tile sees something of the source at."""
        before = ex.maximum(-self.at - self.reach, 0)
        return ex.floordiv(before + (self.step - 1), self.step)

    @property
    def end(self) -> ex.Expr:
        """Where those end."""
        left = self.size - self.at
        if self.step > 1:
            left = ex.floordiv(ex.maximum(left, 0) + (self.step - 1), self.step)
        return ex.minimum(left, self.extent)

    def seen(self, window: Window) -> tuple[ex.Expr, ex.Expr]:
        """The least index of the source that is read, and how many there are from there on."""
        least, extent = window.origin[self.axis], window.extents[self.axis]
        begin = ex.maximum(least, -self.reach)
        left = least + extent - (self.size + self.reach)
        is_known = left.constant is not None
        return begin, extent - (begin - least) - (ex.maximum(left, 0) if is_known else 0)


def inside(c: Contraction, tree: schedule.TreeOp) -> dict[Axis, Inside]:
    """The contracted axes of which a tile leaves out what is padding for all of its values.

    Not the axis along which blocks or groups begin, and none if products with padding may be
    something else than 0.
    """
    for operand, other in ((c.left, c.right), (c.right, c.left)):
        window = c.window(operand)
        if window is None or not window.is_padded:
            continue
        default = number_of(window.load.default) if window.load.default is not None else None
        if default is None or default.value.data != 0:
            return {}
        found = {axis: one for axis in c.reduced if (one := _inside(c, window, axis, tree))}
        return found if found and _is_finite(c, other) else {}
    return {}


def _inside(
    c: Contraction, window: Window, axis: Axis, tree: schedule.TreeOp
) -> Inside | None:
    length = c.length.constant
    if axis == c.reduced[-1] and (tree.group > 1 or length is None or length > BLOCK):
        return None
    outer = {a[-1] for a in c.outer}
    tile = {a[-1]: block_of(tree, a) for a in (c.row, c.column) if a is not None}
    last = {a[-1]: _last(c.extent(a), tile.get(a[-1], 1)) for a in (*c.outer, c.row, c.column) if a}
    for k, (e, size) in enumerate(zip(window.index, window.source, strict=True)):
        step = e.coefficient(axis[-1])
        if step is None or not step.constant:
            continue
        at = e - ex.dim(axis[-1]) * step
        if not at.dims() <= outer | tile.keys():
            return None
        reach = sum(((at.coefficient(d) or ZERO).constant or 0) * (n - 1) for d, n in tile.items())
        found = Inside(k, at, step.constant, reach, size, c.extent(axis))
        before = -found.at.substitute(dict.fromkeys(at.dims(), ZERO)) - reach
        behind = at.substitute(last) + (found.extent - 1) * step - (size - 1)
        is_left_out = any(e.constant is None or e.constant > 0 for e in (before, behind))
        return found if is_left_out else None
    return None


def _last(extent: ex.Expr, size: int) -> ex.Expr:
    """Where the last tile of a size begins, a whole one if only a run knows that."""
    count = extent.constant
    return extent - size if count is None else ex.const((count - 1) // size * size)


def block_of(tree: schedule.TreeOp, axis: Axis | None) -> int:
    """Values of a tile along an axis."""
    loops = (op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == axis)
    steps = [op.step for op in loops if op.kind.data in ("serial", "parallel") and op.step > 1]
    return min(steps, default=1)


def _is_finite(c: Contraction, operand: Operand) -> bool:
    """Whether an operand is known, and has neither infinities nor NaN."""
    load = operand.load
    value = constant_of(load.source) if load is not None else None
    if not c.type.is_float or value is None:
        return value is not None or not c.type.is_float
    array = elements(value)
    return array is not None and bool(np.isfinite(array).all())
