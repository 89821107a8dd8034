"""Quantized values: floats, and the few bits that stand for them, as several formats have it.

Scales and zero points have been brought to a shape that broadcasts to that of the values.  What a
format computes in f16 or bf16 is computed in f32 and rounded to that once.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import ClipOp, EqualOp, WhereOp
from opc.dialects.opc.unary import RoundOp
from opc.dialects.shape import element, shape_of, tensor_of

from .op_builder import Builder
from .parts import sliced


def element_in(x: SSAValue) -> el.ElementType:
    """The element type of a value."""
    return element(tensor_of(x))


def is_whole(type: el.ElementType) -> bool:
    """Whether the values of a type are whole numbers."""
    return type.is_integer or type.small in ("signed", "unsigned")


def limits(type: el.ElementType) -> tuple[int, int]:
    """The least and the greatest value of a type of whole numbers."""
    is_signed = "signed" in (type.kind, type.small)
    return -(1 << (type.bits - 1)) if is_signed else 0, (1 << (type.bits - is_signed)) - 1


def along_axis(builder: Builder, x: SSAValue, axis: int, rank: int) -> SSAValue:
    """A vector with axes of extent 1 behind it, so that it broadcasts along an axis."""
    return builder.reshape(x, (*shape_of(tensor_of(x)), *[ex.const(1)] * (rank - 1 - axis)))


def in_blocks(builder: Builder, x: SSAValue, axis: int, block: int, extent: ex.Expr) -> SSAValue:
    """Every value along an axis ``block`` times, as far as the ``extent``."""
    shape = shape_of(tensor_of(x))
    lead, last = shape[:axis], shape[axis + 1 :]
    apart = builder.reshape(x, (*lead, shape[axis], ex.const(1), *last))
    repeated = builder.broadcast(apart, (*lead, shape[axis], ex.const(block), *last))
    values = builder.reshape(repeated, (*lead, shape[axis] * block, *last))
    if shape[axis] * block == extent:
        return values
    return sliced(builder, values, [axis], [(0, extent, 1)])


def quantize(
    builder: Builder,
    x: SSAValue,
    scale: SSAValue,
    zero: SSAValue | None,
    type: el.ElementType,
    precision: el.ElementType,
    saturate: bool = True,
) -> SSAValue:
    """saturate(round(x / scale) + zero), the quotient in a precision; floats are not rounded.

    NaN gives 0 in a type of whole numbers.
    """
    quotient = builder.binary("div", builder.cast(x, precision), builder.cast(scale, precision))
    wide = el.F32 if precision.is_small_float else precision
    y = builder.cast(quotient, wide)
    if is_whole(type):
        y = builder.add(RoundOp(y))
    if zero is not None:
        moved = builder.binary("add", y, builder.cast(zero, wide))
        if type.bits == 8 and not is_whole(type):
            # The zero point of floats is 0, and -0 stays what it is.
            none = builder.add(EqualOp(builder.cast(zero, wide), builder.constant(0, wide)))
            moved = builder.add(WhereOp(none, y, moved))
        y = moved
    return saturated(builder, y, type, saturate)


def saturated(
    builder: Builder, x: SSAValue, type: el.ElementType, saturate: bool = True
) -> SSAValue:
    """Floats, whole ones for a type of whole numbers, as the nearest value of a type."""
    if is_whole(type) and type.is_small:
        # A conversion to a type of 8 bits and more saturates; to fewer it drops bits.
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
    """(x - zero) * scale: an exact difference, and a product rounded once."""
    if zero is not None:
        # Of 32 bits the difference may need 33.
        exact = el.I64 if element_in(x).bits == 32 else el.F32
        x = builder.binary("sub", builder.cast(x, exact), builder.cast(zero, exact))
    y = builder.binary("mul", builder.cast(x, el.F32), builder.cast(scale, el.F32))
    return builder.cast(y, type)


def is_scalar(shape: Sequence[ex.Expr]) -> bool:
    """Whether a shape has one element for certain."""
    return all(e == 1 for e in shape)


def rescale(
    builder: Builder, x: SSAValue, scale: SSAValue, zero: SSAValue, type: el.ElementType
) -> SSAValue:
    """saturate(round(x * scale) + zero) for sums of 32 bits, whose product is formed in f64."""
    product = builder.binary("mul", builder.cast(x, el.F64), builder.cast(scale, el.F64))
    rounded = builder.add(RoundOp(product))
    moved = builder.binary("add", rounded, builder.cast(zero, el.F64))
    return saturated(builder, moved, type)
