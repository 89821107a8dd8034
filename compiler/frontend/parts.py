"""Parts and pads of tensors, as several formats of models have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.opc.parts import TO_THE_END, ConcatOp, SliceOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.onnx_ops.node import Builder

Place: TypeAlias = "ex.Expr | int"
Bound: TypeAlias = "tuple[Place, Place, int]"
"""A start, a stop and a step."""
WHOLE: Bound = (0, TO_THE_END, 1)


def sliced(builder: Builder, x: SSAValue, axes: Sequence[int], bounds: Sequence[Bound]) -> SSAValue:
    """x with ``start:stop:step`` along each of some axes, and all of the others."""
    every = [WHOLE] * len(shape_of(tensor_of(x)))
    for axis, bound in zip(axes, bounds, strict=True):
        every[axis] = bound
    starts, stops, steps = ([bound[k] for bound in every] for k in range(3))
    return builder.add(SliceOp(x, starts=starts, stops=stops, steps=steps))


def _around(builder: Builder, axis: int, parts: Sequence[SSAValue | None]) -> SSAValue:
    found = [p for p in parts if p is not None]
    return builder.add(ConcatOp(*found, axis=axis)) if len(found) > 1 else found[0]


def padded(
    builder: Builder, x: SSAValue, axis: int, before: int, after: int, value: SSAValue
) -> SSAValue:
    """x with a value of rank 0 so many times before and after it along an axis."""
    shape = shape_of(tensor_of(x))

    def block(count: int) -> SSAValue | None:
        extents = [*shape[:axis], ex.const(count), *shape[axis + 1 :]]
        return builder.broadcast(value, extents) if count > 0 else None

    return _around(builder, axis, [block(before), x, block(after)])


def repeated(
    builder: Builder, x: SSAValue, axis: int, before: int, after: int, mode: str
) -> SSAValue:
    """x continued along an axis by its own elements: modes edge, reflect and wrap of NumPy.

    The extent must be at least what :func:`needed` says.
    """
    shape = shape_of(tensor_of(x))

    def part(count: int, bound: Bound) -> SSAValue | None:
        if count <= 0:
            return None
        found = sliced(builder, x, [axis], [bound])
        extents = [*shape[:axis], ex.const(count), *shape[axis + 1 :]]
        return builder.broadcast(found, extents) if mode == "edge" else found

    first, last = {
        "edge": ((0, 1, 1), (-1, TO_THE_END, 1)),
        "reflect": ((before, 0, -1), (-2, -2 - after, -1)),
        "wrap": ((-before, TO_THE_END, 1), (0, after, 1)),
    }[mode]
    return _around(builder, axis, [part(before, first), x, part(after, last)])


def needed(mode: str, before: int, after: int) -> int:
    """The least extent that an axis must have to be continued."""
    most = max(before, after)
    if most <= 0 or mode == "constant":
        return 0
    return {"edge": 1, "reflect": most + 1, "wrap": most}[mode]
