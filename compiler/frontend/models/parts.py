"""Parts and pads of tensors, as several formats of models have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.binary import AddOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.parts import TO_THE_END, SliceOp, is_bound
from opc.dialects.shape import MAX_SIZE, Shape, shape_of, tensor_of

if TYPE_CHECKING:
    from .op_builder import Builder

Place: TypeAlias = "ex.Expr | int"
Bound: TypeAlias = "tuple[Place, Place, int]"
"""A start, a stop and a step."""
WHOLE: Bound = (0, TO_THE_END, 1)
BACKWARDS: Bound = (-1, -TO_THE_END, -1)


def sliced(builder: Builder, x: SSAValue, axes: Sequence[int], bounds: Sequence[Bound]) -> SSAValue:
    """x with ``start:stop:step`` along each of some axes, and all of the others."""
    every = [WHOLE] * len(shape_of(tensor_of(x)))
    for axis, bound in zip(axes, bounds, strict=True):
        every[axis] = bound
    starts, stops, steps = ([bound[k] for bound in every] for k in range(3))
    return builder.add(SliceOp(x, starts=starts, stops=stops, steps=steps))


def beginning(builder: Builder, x: SSAValue, extents: Mapping[int, ex.Expr]) -> SSAValue:
    """The first places of axes, as many as their new extents, of which the axes have no fewer."""
    if not extents:
        return x
    part = sliced(builder, x, list(extents), [(0, e, 1) for e in extents.values()])
    whole = shape_of(tensor_of(x))
    return builder.reshape(part, [extents.get(axis, e) for axis, e in enumerate(whole)])


def bounded(
    builder: Builder,
    shape: Shape,
    axes: Sequence[int],
    starts: Sequence[ex.Expr],
    stops: Sequence[ex.Expr],
    steps: Sequence[int],
) -> list[Bound]:
    """Bounds that a model gives, as ``sliced`` takes them: those that are no numbers are extents.

    Backwards, a start in front of the axis is its first place; opc.slice has none then.
    """

    def from_the_front(bound: ex.Expr, extent: ex.Expr, step: int) -> ex.Expr:
        if ex.is_nonnegative(bound) or bound.constant is not None:
            return bound
        if step > 0 and ex.is_nonnegative(-bound):
            # So many places before the end, but 0 is the first place.
            behind = extent - ex.minimum(-bound, extent)
            return ex.maximum(behind * ex.atleast(-bound, 1), 0)
        builder.require(
            "equal", ex.atleast(bound, 0), ex.const(1), f"{extent_text(bound)} is negative"
        )
        if is_bound(bound, extent):
            return bound
        # What was required, in a form that shows it: 64 - N is 64 - min(N, 64).
        if ex.is_nonnegative(extent - bound):
            return extent - ex.minimum(extent - bound, extent)
        return ex.maximum(bound, 0)

    found: list[Bound] = []
    for axis, start, stop, step in zip(axes, starts, stops, steps, strict=True):
        start, stop = (from_the_front(e, shape[axis], step) for e in (start, stop))
        if step < 0 and start.constant is not None and start.constant < 0:
            start = ex.maximum(shape[axis] + start, 0)
        found.append((start, stop, step))
    return found


def filled(
    builder: Builder, x: SSAValue, axis: int, before: Place, after: Place, value: SSAValue
) -> SSAValue:
    """x among so many elements of one value of rank 0, which are extents: none is negative."""
    shape = shape_of(tensor_of(x))

    def block(count: Place) -> list[SSAValue]:
        extents = [*shape[:axis], count, *shape[axis + 1 :]]
        return [builder.broadcast(value, extents)] if count != 0 else []

    return builder.concat([*block(before), x, *block(after)], axis)


def padded(
    builder: Builder,
    x: SSAValue,
    axis: int,
    before: int,
    after: int,
    value: SSAValue,
    mode: str = "constant",
) -> SSAValue:
    """x with so many elements more, or for negative numbers less, before and after it.

    They are a value of rank 0, or in NumPy's modes edge, reflect, symmetric and wrap the elements
    of x.  A value is put there before anything is cut off, elements of x after it.
    """
    low, high = max(before, 0), max(after, 0)
    if mode == "constant":
        x = filled(builder, x, axis, low, high, value)
    if before < 0 or after < 0:
        what = f"axis {axis} is shorter than what its negative pads cut off"
        _require_least(builder, x, axis, max(-before, 0) + max(-after, 0), what)
        bound = (max(-before, 0), after if after < 0 else TO_THE_END, 1)
        x = sliced(builder, x, [axis], [bound])
    if mode == "constant" or not (low or high):
        return x
    wide = max(low, high)
    if wide > MAX_SIZE:
        raise VerifyException(f"mode {mode} pads axis {axis} by {wide}, which exceeds 2^48")
    least = {"edge": 1, "reflect": wide + 1, "symmetric": wide, "wrap": wide}[mode]
    what = f"axis {axis} is shorter than {least}, which mode {mode} needs"
    _require_least(builder, x, axis, least, what)
    return _repeated(builder, x, axis, low, high, mode)


def _require_least(builder: Builder, x: SSAValue, axis: int, least: int, what: str) -> None:
    extent = shape_of(tensor_of(x))[axis]
    builder.require("equal", ex.minimum(extent, least), ex.const(least), what)


def _repeated(
    builder: Builder, x: SSAValue, axis: int, before: int, after: int, mode: str
) -> SSAValue:
    """x continued along an axis by its own elements, of which there are enough.

    Of an unknown extent they are gathered: a part of it has a minimum for an extent, of which
    nobody knows that it is what it has to be.
    """
    shape = shape_of(tensor_of(x))
    extent = shape[axis]

    def part(count: int, start: Place, step: int) -> list[SSAValue]:
        if count <= 0:
            return []
        if extent.constant is None:
            return [_gathered(builder, x, axis, start, step, count)]
        first = int(ex.Expr.of(start).constant or 0)
        stop = first + (step or 1) * (count if step else 1)
        bound = (first, stop if stop >= 0 else -TO_THE_END, step or 1)
        found = sliced(builder, x, [axis], [bound])
        extents = [*shape[:axis], ex.const(count), *shape[axis + 1 :]]
        return [builder.broadcast(found, extents) if mode == "edge" else found]

    (first, step), last = {
        "edge": ((0, 0), extent - 1),
        "reflect": ((before, -1), extent - 2),
        "symmetric": ((before - 1, -1), extent - 1),
        "wrap": ((extent - before, 1), 0),
    }[mode]
    return builder.concat([*part(before, first, step), x, *part(after, last, step)], axis)


def _gathered(
    builder: Builder, x: SSAValue, axis: int, start: Place, step: int, count: int
) -> SSAValue:
    """So many elements along an axis, the first one at a place."""
    place = ex.Expr.of(start)
    steps = builder.constant(np.arange(count) * step, el.I64)
    if place.constant is None:
        first = builder.add(ExtentOp.of(place))
    else:
        first = builder.constant(place.constant, el.I64)
    indices = builder.add(AddOp(first, steps))
    return builder.add(GatherOp(x, indices, axes=[axis], from_end=False))
