"""Parts and pads of tensors, as several formats of models have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.parts import TO_THE_END, SliceOp, is_bound
from opc.dialects.shape import Shape, shape_of, tensor_of

if TYPE_CHECKING:
    from .op_builder import Builder

IntExpr: TypeAlias = "ex.Expr | int"
Bound: TypeAlias = "tuple[IntExpr, IntExpr, int]"
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
    builder: Builder, x: SSAValue, axis: int, before: IntExpr, after: IntExpr, value: SSAValue
) -> SSAValue:
    """x among so many elements of one value of rank 0, which are extents: none is negative."""
    shape = shape_of(tensor_of(x))

    def block(count: IntExpr) -> list[SSAValue]:
        extents = [*shape[:axis], count, *shape[axis + 1 :]]
        return [builder.broadcast(value, extents)] if count != 0 else []

    return builder.concat([*block(before), x, *block(after)], axis)
