"""Quantization and dequantization.

Scales and zero points have a shape that broadcasts to that of the values.  Results in f16 or bf16
are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import ClipOp, EqualOp, WhereOp
from opc.dialects.opc.unary import RoundOp
from opc.dialects.shape import element, shape_of, tensor_of

from .call import Call
from .op_builder import Builder
from .parts import sliced


def element_in(x: SSAValue) -> el.ElementType:
    """The element type of a value."""
    return element(tensor_of(x))


def is_whole(type: el.ElementType) -> bool:
    """Whether the values of a type are integers."""
    return type.is_integer or type.small in ("signed", "unsigned")


def limits(type: el.ElementType) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    is_signed = "signed" in (type.kind, type.small)
    return -(1 << (type.bits - 1)) if is_signed else 0, (1 << (type.bits - is_signed)) - 1


def along_axis(builder: Builder, x: SSAValue, axis: int, rank: int) -> SSAValue:
    """A vector with trailing axes of extent 1, to broadcast along an axis."""
    return builder.reshape(x, (*shape_of(tensor_of(x)), *[ex.const(1)] * (rank - 1 - axis)))


def in_blocks(call: Call, x: SSAValue, axis: int, block: int, extent: ex.Expr) -> SSAValue:
    """Every value along an axis repeated ``block`` times, cropped to ``extent``."""
    values: SSAValue = onp.repeat(call.trace.array(x), block, axis).value
    is_whole = shape_of(tensor_of(values))[axis] == extent
    return values if is_whole else sliced(call, values, [axis], [(0, extent, 1)])


def quantize(
    builder: Builder,
    x: SSAValue,
    scale: SSAValue,
    zero: SSAValue | None,
    type: el.ElementType,
    precision: el.ElementType,
    saturate: bool = True,
) -> SSAValue:
    """saturate(round(x / scale) + zero), the quotient in ``precision``; float types skip ``round``.

    NaN gives 0 in an integer type.
    """
    quotient = builder.binary("div", builder.cast(x, precision), builder.cast(scale, precision))
    wide = el.F32 if precision.is_small_float else precision
    y = builder.cast(quotient, wide)
    if is_whole(type):
        y = builder.add(RoundOp(y))
    if zero is not None:
        moved = builder.binary("add", y, builder.cast(zero, wide))
        if type.bits == 8 and not is_whole(type):
            # The zero point of floats is 0; without the sum -0 stays -0.
            none = builder.add(EqualOp(builder.cast(zero, wide), builder.constant(0, wide)))
            moved = builder.add(WhereOp(none, y, moved))
        y = moved
    return saturated(builder, y, type, saturate)


def saturated(
    builder: Builder, x: SSAValue, type: el.ElementType, saturate: bool = True
) -> SSAValue:
    """Floats (integral ones for an integer type) converted with saturation."""
    if is_whole(type) and type.is_small:
        # Conversions to types of 8 bits or more saturate; to fewer bits they truncate.
        low, high = (builder.constant(v, element_in(x)) for v in limits(type))
        x = builder.add(ClipOp(x, low, high))
    return builder.cast(x, type, **({} if saturate else {"saturate": False}))


def dequantize(
    builder: Builder,
    x: SSAValue,
    scale: SSAValue,
    zero: SSAValue | None,
    type: el.ElementType,
) -> SSAValue:
    """(x - zero) * scale, with an exact difference and one rounding."""
    if zero is not None:
        # The difference of 32-bit integers may need 33 bits.
        exact = el.I64 if element_in(x).bits == 32 else el.F32
        x = builder.binary("sub", builder.cast(x, exact), builder.cast(zero, exact))
    y = builder.binary("mul", builder.cast(x, el.F32), builder.cast(scale, el.F32))
    return builder.cast(y, type)


def is_scalar(shape: Sequence[ex.Expr]) -> bool:
    """Whether a shape certainly has one element."""
    return all(e == 1 for e in shape)


def rescale(
    builder: Builder, x: SSAValue, scale: SSAValue, zero: SSAValue, type: el.ElementType
) -> SSAValue:
    """saturate(round(x * scale) + zero) of 32-bit sums, computed in f64."""
    product = builder.binary("mul", builder.cast(x, el.F64), builder.cast(scale, el.F64))
    rounded = builder.add(RoundOp(product))
    moved = builder.binary("add", rounded, builder.cast(zero, el.F64))
    return saturated(builder, moved, type)
