"""Which part of a contracted axis is inside of the image: products with padding are left out.

Products with padding add nothing to a sum if the other factor is finite: at most they change the
sign of a chain that is 0, which is added to +0 in the end.  So contracted axes of a window, as the
rows and columns of a filter, run only over what is inside for some value of a tile.  The copied
window has no padding that is left out::

    x[h + 12*r - 12, w + 12*s - 12] else 0, of 33 rows and columns, in tiles of 11 columns  -->
    for r = ceil((12 - h) / 12) to (44 - h) / 12 + 1 { for s = ceil((2 - w) / 12) ...

A DeepLabv3 takes 0.54 of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.blob import BlobAttr, elements
from opc.dialects.body import number_of
from opc.dialects.bounds import greatest
from opc.dialects.budgets import SAMPLES
from opc.dialects.buffer import root
from opc.dialects.matrix_ops import PRODUCTS
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis

from .contraction import Contraction, Operand
from .product_groups import matrix_chain
from .window import Window

ZERO = ex.const(0)


@dataclass(frozen=True)
class Inside:
    """The part of a contracted axis of a window that is in the source for a tile."""

    axis: int
    """Of the source."""
    at: ex.Expr
    """The index in the source for the first values of a tile and of the contracted axis."""
    step: int
    """The step in the source along the contracted axis."""
    size: ex.Expr
    """Of the source."""
    extent: ex.Expr
    """Of the contracted axis."""
    counts: tuple[tuple[int, ex.Expr], ...]
    """The dimensions of ``at`` with their extents."""
    tile: tuple[tuple[int, int], ...] = ()
    """Those along which there are tiles, with the sizes of these."""

    def moves_along(self, axis: Axis | None) -> bool:
        """Whether the part depends on the tile along an axis of the nest."""
        return axis is not None and axis[-1] in self.at.dims()

    @property
    def reach(self) -> int:
        """The distance from the first value of a tile to the last one, in the source."""
        steps = {d: (self.at.coefficient(d) or ZERO).constant or 0 for d in self.at.dims()}
        return sum(steps[d] * (size - 1) for d, size in self.tile)

    @property
    def begin(self) -> ex.Expr:
        """The first value of the contracted axis that is inside for some value of a tile."""
        before = ex.maximum(-self.at - self.reach, 0)
        return ex.floordiv(before + (self.step - 1), self.step)

    @property
    def end(self) -> ex.Expr:
        """The end of the values that are inside."""
        left = self.size - self.at
        if self.step > 1:
            left = ex.floordiv(ex.maximum(left, 0) + (self.step - 1), self.step)
        return ex.minimum(left, self.extent)

    def last(self, d: int, count: ex.Expr) -> ex.Expr:
        """The start of the last tile along a dimension."""
        size = dict(self.tile).get(d, 1)
        if count.constant is None:
            return count - size
        return ex.const(max(count.constant - 1, 0) // size * size)


@lru_cache(maxsize=1 << 12)
def is_less(part: Inside) -> bool:
    """Whether a tile may leave something out; tiles of unknown number are full ones."""
    last = {d: part.last(d, count) for d, count in part.counts}
    before = -part.at.substitute(dict.fromkeys(last, ZERO)) - part.reach
    behind = part.at.substitute(last) + (part.extent - 1) * part.step - (part.size - 1)
    bounds = (greatest(e) for e in (before, behind))
    return any(most is None or most > 0 for most in bounds)


@lru_cache(maxsize=1 << 12)
def share(part: Inside) -> float:
    """The share of the axis that is inside, over all tiles; 1 if unknown."""
    begin, end = part.begin, part.end
    if len(part.counts) != 1 or begin.symbols() or end.symbols():
        return 1.0
    d, count = part.counts[0]
    last, extent = part.last(d, count).constant, part.extent.constant
    if last is None or extent is None:
        return 1.0
    size = dict(part.tile).get(d, 1)
    number = last // size + 1
    # Of many tiles, a few evenly spread ones, as Python's unlimited numbers.
    few = min(number, SAMPLES)
    numbers = [k * number // few * size for k in range(few)]
    starts = np.array(numbers, object if number > few else np.int64)
    first, behind = (e.evaluate({d: starts}, {}) for e in (begin, end))
    left = np.broadcast_to(np.maximum(behind - first, 0), starts.shape)
    return float(left.mean()) / max(1, extent)


def inside(c: Contraction, group: int = 1) -> dict[Axis, Inside]:
    """The contracted axes along which tiles may leave padding out, for tiles of one value.

    Not the axis of blocks or groups, and none if products with padding may differ from 0.
    """
    key = "inside", group
    if key not in c.memo:
        c.memo[key] = _all_inside(c, group)
    return c.memo[key]


def _all_inside(c: Contraction, group: int) -> dict[Axis, Inside]:
    for operand, other in ((c.left, c.right), (c.right, c.left)):
        window = c.window(operand)
        if window is None or window.load.default is None:
            continue
        default = number_of(window.load.default)
        if default is None or default.value.data != 0:
            return {}
        parts = {axis: part for axis in c.reduced if (part := _inside(c, window, axis, group))}
        return parts if parts and _is_finite(c, other) else {}
    return {}


def in_tiles(parts: Mapping[Axis, Inside], tile: Mapping[Axis | None, int]) -> dict[Axis, Inside]:
    """The same for tiles of a size, without the axes along which nothing is left out."""
    sizes = {axis[-1]: size for axis, size in tile.items() if axis}
    of_tiles = dict[Axis, Inside]()
    for axis, part in parts.items():
        own = tuple((d, sizes[d]) for d, _ in part.counts if d in sizes)
        new = replace(part, tile=own)
        if is_less(new):
            of_tiles[axis] = new
    return of_tiles


def cut(window: Window, part: Window, insides: Iterable[Inside]) -> Window:
    """A part of a window without the padding that no tile reads, if that is less.

    Nothing is left if no tile reads anything of the source.
    """
    origin, counts = list(part.origin), list(part.extents)
    for limits in insides:
        axis = limits.axis
        least, extent = window.origin[axis], window.extents[axis]
        begin = ex.maximum(least, -limits.reach)
        behind = (least + extent - (limits.size + limits.reach)).constant or 0
        count = ex.maximum(extent - (begin - least) - max(behind, 0), 0)
        if ex.is_nonnegative(part.extents[axis] - count):
            origin[axis], counts[axis] = begin, count
    return replace(part, origin=tuple(origin), extents=tuple(counts))


def _inside(c: Contraction, window: Window, axis: Axis, group: int) -> Inside | None:
    length = c.length.constant
    if axis == c.reduced[-1] and (group > 1 or length is None or length > BLOCK):
        return None
    if group == PRODUCTS and axis in matrix_chain(c):
        return None
    counts = {a[-1]: c.extent(a) for a in (*c.outer, c.row, c.column) if a is not None}
    for k, (e, size) in enumerate(zip(window.index, window.source, strict=True)):
        step = e.coefficient(axis[-1])
        if step is None or not step.constant:
            continue
        at = e - ex.dim(axis[-1]) * step
        if at.dims() <= counts.keys():
            own = tuple((d, counts[d]) for d in sorted(at.dims()))
            return Inside(k, at, step.constant, size, c.extent(axis), own)
    return None


def _is_finite(c: Contraction, operand: Operand) -> bool:
    """Whether an operand is a constant without infinities and NaN."""
    if not c.type.is_float:
        return True
    owner = root(operand.load.source).owner if operand.load is not None else None
    value = owner.value if isinstance(owner, loop.ConstantOp) else None
    if isinstance(value, BlobAttr):
        return value.data.is_finite
    array = elements(value) if value is not None else None
    return array is not None and bool(np.isfinite(array).all())
