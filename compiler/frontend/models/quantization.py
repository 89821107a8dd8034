"""Quantization and dequantization.

Scales and zero points have a shape that broadcasts to that of the values.  Results in f16 or bf16
are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import ClipOp, EqualOp, MinOp, WhereOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.unary import RoundOp
from opc.dialects.shape import element, shape_of, tensor_of

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


def in_blocks(builder: Builder, x: SSAValue, axis: int, block: int, extent: ex.Expr) -> SSAValue:
    """Every value along an axis repeated ``block`` times, cropped to ``extent``."""
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


APART = 2.0**-21
"""How far an end of a range may be from a whole step, in parts of it: constants are rounded to f32,
and so were the numbers that they were computed of."""
UI8 = el.BY_NAME["ui8"]


def stepped(builder: Builder, x: SSAValue, *ends: SSAValue, levels: int) -> SSAValue | None:
    """x in f32 rounded to levels of a range, which are whole steps from 0 behind it.

    ``ends`` are low, high, out_low and out_high.  With ``step = (out_high - out_low) /
    (levels - 1)`` and ``zero = -out_low / step``, a whole number::

        (saturate(round((x - low) * ((levels - 1) / (high - low)))) - zero) * step

    Both constants are rounded to f32 once, NaN gives level 0.  None for other ranges, other types,
    and more levels than 8 bits have.
    """
    known = [v.owner for v in ends]
    constants = [op.array().astype(np.float64) for op in known if isinstance(op, ConstantOp)]
    most = levels - 1
    if len(constants) < len(ends) or most > UI8.highest or element_in(x) is not el.F32:
        return None
    low, high, first, last = constants
    step = (last - first) / most
    if not ((step > 0).all() and (high > low).all()):
        return None
    zero = np.rint(-first / step)
    is_whole_step = np.abs(first + zero * step) <= APART * np.maximum(np.abs(first), np.abs(last))
    if not (is_whole_step & (zero >= 0) & (zero <= most)).all():
        return None
    moved = builder.binary("sub", x, ends[0]) if low.any() else x
    y = builder.binary("mul", moved, builder.constant(most / (high - low), el.F32))
    y = builder.add(RoundOp(y))
    if most < UI8.highest:
        y = builder.add(MinOp(y, builder.constant(most, el.F32)))
    zeros = builder.constant(zero, UI8) if zero.any() else None
    return dequantize(builder, builder.cast(y, UI8), builder.constant(step, el.F32), zeros, el.F32)


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
