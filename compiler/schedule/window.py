"""Facts of a window: an operand along which filters move, copied with its padding.

``x[d0, d4, d2*2 + d5 - 1, d3 + d6 - 1] else 0`` is read from -1 on along its last two axes.  A copy
has the padding, and as innermost axis the one that a tile reads in order::

    [d0][h][w][q]        for a left operand, whose last contracted axis is q
    [d0][c][h][w]        for a right operand, whose columns are along w
    [d0][c][h][2][w/2]   the same with columns 2 apart: first the even ones, then the odd ones

Reads of the copy have an offset without conditions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import Axis
from opc.dialects.shape import Shape, shape_of
from opc.support.target import LINE, WAY


def is_window(load: kernel.LoadOp) -> bool:
    """Whether a load may be outside, or overlaps itself along an axis of the nest.

    Along the innermost axis, neighbours need not overlap, as with patches.
    """
    if load.default is not None:
        return True
    extents, rank = kernel.scope(load), len(kernel.loops_around(load)[0].extents.data)
    own = [d for d in range(rank) if extents[d] != 1]
    contracted = [k for k in range(rank, len(extents)) if extents[k] != 1]
    for e in load.index.data:
        steps = {d: step for d in e.dims() if (step := e.coefficient(d)) is not None}
        inner = [steps[k] * extents[k] for k in contracted if k in steps]
        for d in (d for d in own if d in steps):
            step = steps[d].constant or 0
            if any(d == own[-1] or 0 < step < (n.constant or 0) for n in inner):
                return True
    return False


def sets_between(size: int) -> int:
    """The number of sets of the first-level cache on which values lie, so many bytes apart."""
    return max(1, WAY // math.gcd(WAY, size))


@dataclass(frozen=True)
class Window:
    """An operand that is a load, as it lies when copied with its padding."""

    load: kernel.LoadOp
    index: Shape
    """Of the load, over the axes of the contraction."""
    origin: Shape
    """The least index along each axis of the source."""
    extents: Shape
    """The number of indices from there on."""
    order: tuple[int, ...]
    """Axes of the source, outermost first."""
    phases: int = 1
    """The innermost axis is deinterleaved: values so far apart lie side by side."""
    gap: int = 0
    """Unused values between the end of a row along the innermost axis and the next row."""

    @property
    def inner(self) -> int:
        """The innermost axis."""
        return self.order[-1]

    @cached_property
    def phase(self) -> ex.Expr:
        """The number of values of the innermost axis that lie side by side."""
        return ex.floordiv(self.extents[self.inner] + (self.phases - 1), self.phases)

    @cached_property
    def pitch(self) -> ex.Expr:
        """The distance between rows along the innermost axis."""
        return self.phase * self.phases + self.gap

    @property
    def source(self) -> Shape:
        """The shape of the source."""
        return shape_of(self.load.source.type)

    @cached_property
    def strides(self) -> dict[int, ex.Expr]:
        """The stride along each axis of the source."""
        strides, step = {self.inner: ex.const(1)}, self.pitch
        for k in reversed(self.order[:-1]):
            strides[k] = step
            step = step * self.extents[k]
        return strides

    @property
    def elements(self) -> ex.Expr:
        """The number of values."""
        outer = (self.extents[k] for k in self.order[:-1])
        return ex.product((*outer, self.pitch))

    def offset(self, index: Shape) -> ex.Expr:
        """The offset of an element of the source."""
        at = [e - least for e, least in zip(index, self.origin, strict=True)]
        inner = at[self.inner]
        at[self.inner] = ex.floordiv(inner, self.phases) + ex.mod(inner, self.phases) * self.phase
        return ex.total_of(e * self.strides[k] for k, e in enumerate(at))

    @property
    def at(self) -> ex.Expr:
        """The offset of the load's element."""
        return self.offset(self.index)

    def inside(self, axis: int) -> tuple[ex.Expr, ex.Expr]:
        """The range of indices along an axis that are in the source and in the window.

        It ends before it begins if the window lies in front of the source, or behind it.
        """
        least = self.origin[axis]
        return ex.maximum(least, 0), ex.minimum(self.source[axis], self.extents[axis] + least)

    @property
    def is_padding(self) -> bool:
        """Whether it is certain to have nothing of the source."""
        bounds = (self.inside(axis) for axis in range(len(self.source)))
        return any(ex.is_nonnegative(begin - end) for begin, end in bounds)

    @property
    def within(self) -> frozenset[int]:
        """The axes of the source along which the window has no padding."""
        axes: set[int] = set()
        for axis, (least, extent) in enumerate(zip(self.origin, self.extents, strict=True)):
            after = self.source[axis] - extent - least
            if ex.is_nonnegative(least) and ex.is_nonnegative(after):
                axes.add(axis)
        return frozenset(axes)

    def without_collisions(self, step: ex.Expr, width: int) -> Window:
        """The window, with a gap of a cache line if rows of a tile fall into one or two sets.

        Rows are ``step`` values of ``width`` bytes apart.  28 rows of 512 channels of f32 fall into
        two sets of a first-level cache, which hold 16 lines; with a gap they take 0.54 of the time.
        """
        size = (step * width).constant
        return replace(self, gap=LINE // width) if size and sets_between(size) <= 2 else self

    def part(self, at: Mapping[int, tuple[ex.Expr, ex.Expr]]) -> Window:
        """The part of the window for dimensions that begin at ``begin`` and lack some values."""
        origin, counts = list(self.origin), list(self.extents)
        for k, e in enumerate(self.index):
            for d, (begin, left_out) in at.items():
                step = e.coefficient(d) or ex.const(0)
                origin[k] += begin * step
                counts[k] -= left_out * step
        return replace(self, origin=tuple(origin), extents=tuple(counts))


def window_of(
    load: kernel.LoadOp,
    index: Shape,
    extents: Mapping[int, ex.Expr],
    inner: Axis | None,
) -> Window | None:
    """The window of a load; None if its index is no sum of multiples of dimensions.

    ``extents`` are those of the dimensions; ``inner`` becomes the innermost axis.
    """
    origin: list[ex.Expr] = []
    counts: list[ex.Expr] = []
    for e in index:
        least, reach = e, ex.const(1)
        for d in e.dims():
            step = e.coefficient(d)
            if step is None or step.constant is None or step.constant < 0:
                return None
            least = least - ex.dim(d) * step
            reach = reach + (extents[d] - 1) * step
        if least.constant is None or (reach.constant is not None and reach.constant < 0):
            return None
        origin.append(least)
        counts.append(reach)
    last = next((k for k, e in enumerate(index) if inner and inner[-1] in e.dims()), len(index) - 1)
    order = (*(k for k in range(len(index)) if k != last), last)
    step = index[last].coefficient(inner[-1]) if inner else None
    phases = (step.constant or 1) if step is not None else 1
    return Window(load, index, tuple(origin), tuple(counts), order, phases)
