"""What a contraction sees of an array through a window: where filters go along it, and padding.

``x[d0, d4, d2*2 + d5 - 1, d3 + d6 - 1] else 0`` is read from -1 on along its last two axes.  Laid
out with what is missing there, and with the axis innermost that a tile reads in order, ::

    [d0][h][w][q]        for a left operand, whose last contracted axis is q
    [d0][c][h][w]        for a right operand, whose columns are along w

it is read where it lies, at an offset without conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import Axis
from opc.dialects.shape import Shape, shape_of


def is_window(load: kernel.LoadOp, extents: Shape, rank: int) -> bool:
    """Whether a load may be outside, or reads elements again at other points of the nest.

    ``extents`` are those of the nest and its sweep, of which the nest has ``rank``.
    """
    return load.default is not None or any(
        (step := e.coefficient(d)) is not None
        and any(
            (inner := e.coefficient(k)) is not None and _overlaps(step, inner * extents[k])
            for k in range(rank, len(extents))
            if extents[k] != 1
        )
        for e in load.index.data
        for d in e.dims()
        if d < rank and extents[d] != 1
    )


def _overlaps(step: ex.Expr, reach: ex.Expr) -> bool:
    """Whether neighbours share what they see; that is certain for numbers only."""
    a, b = step.constant, reach.constant
    return a is not None and b is not None and 0 < a < b


@dataclass(frozen=True)
class Window:
    """An operand that is a load, as it lies once it is laid out with its padding."""

    load: kernel.LoadOp
    index: Shape
    """Of the load, over the axes of the contraction."""
    origin: tuple[int, ...]
    """The least index along each axis of the source."""
    extents: Shape
    """How many there are from there on."""
    order: tuple[int, ...]
    """Axes of the source, outermost first."""

    @property
    def source(self) -> Shape:
        """The extents of what it reads."""
        return shape_of(self.load.source.type)

    @property
    def strides(self) -> dict[int, ex.Expr]:
        """How far apart neighbours along each axis of the source are."""
        found: dict[int, ex.Expr] = {}
        step = ex.const(1)
        for k in reversed(self.order):
            found[k] = step
            step = step * self.extents[k]
        return found

    @property
    def elements(self) -> ex.Expr:
        """How many values there are."""
        return ex.product(self.extents)

    def offset(self, index: Shape) -> ex.Expr:
        """Where an element of the source lies."""
        strides = self.strides
        return ex.total_of(
            (e - least) * strides[k]
            for k, (e, least) in enumerate(zip(index, self.origin, strict=True))
        )

    @property
    def at(self) -> ex.Expr:
        """Where what the load reads lies."""
        return self.offset(self.index)

    @property
    def is_padded(self) -> bool:
        """Whether something may be missing in the source."""
        return self.load.default is not None

    def inside(self, axis: int) -> tuple[ex.Expr, ex.Expr]:
        """Of an axis of the source: the indices that are in it and in the window."""
        least = self.origin[axis]
        end = self.extents[axis] + least
        return ex.const(max(least, 0)), ex.minimum(self.source[axis], end)


def window_of(
    load: kernel.LoadOp,
    index: Shape,
    extents: Mapping[int, ex.Expr],
    inner: Axis | None,
) -> Window | None:
    """The window of a load, None if its index is not a sum of multiples of dimensions.

    ``extents`` are those of the dimensions, and ``inner`` is the axis that is to be innermost.
    """
    origin: list[int] = []
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
        origin.append(least.constant)
        counts.append(reach)
    last = next((k for k, e in enumerate(index) if inner and inner[-1] in e.dims()), len(index) - 1)
    order = (*(k for k in range(len(index)) if k != last), last)
    return Window(load, index, tuple(origin), tuple(counts), order)
