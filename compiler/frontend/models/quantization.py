"""Quantization and dequantization of traced arrays.

Scales and zero points have a shape that broadcasts to that of the values.  Results in f16 or bf16
are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp

from .traced import part


def is_whole(type: el.ElementType) -> bool:
    """Whether the values of a type are integers."""
    return type.is_integer or type.small in ("signed", "unsigned")


def limits(type: el.ElementType) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    is_signed = "signed" in (type.kind, type.small)
    return -(1 << (type.bits - 1)) if is_signed else 0, (1 << (type.bits - is_signed)) - 1


def in_blocks(x: Any, axis: int, block: int, extent: ex.Expr) -> Any:
    """Every value along an axis repeated ``block`` times, cropped to ``extent``."""
    values = onp.repeat(x, block, axis)
    is_whole = values.extents[axis] == extent
    return values if is_whole else part(values, axis, 0, extent)


def quantize(
    x: Any,
    scale: Any,
    zero: Any,
    type: el.ElementType,
    precision: el.ElementType,
    saturate: bool = True,
) -> Any:
    """saturate(round(x / scale) + zero), the quotient in ``precision``; float types skip ``round``.

    A zero point of None is none.  NaN gives 0 in an integer type.
    """
    wide = precision.computed
    y = (x.astype(precision) / scale.astype(precision)).astype(wide)
    y = onp.rint(y) if is_whole(type) else y
    if zero is not None:
        moved = y + zero.astype(wide)
        # The zero point of floats of 8 bits is 0; without the sum -0 stays -0.
        is_float = type.bits == 8 and not is_whole(type)
        y = onp.where(zero.astype(wide) == 0, y, moved) if is_float else moved
    return saturated(y, type, saturate)


def saturated(x: Any, type: el.ElementType, saturate: bool = True) -> Any:
    """Floats (integral ones for an integer type) converted with saturation."""
    if is_whole(type) and type.is_small:
        # Conversions to types of 8 bits or more saturate; to fewer bits they truncate.
        x = onp.clip(x, *limits(type))
    how = {} if saturate else {"saturate": False}
    return x.trace.array(x.trace.node.cast(x.value, type, **how))


def dequantize(x: Any, scale: Any, zero: Any, type: el.ElementType) -> Any:
    """(x - zero) * scale, with an exact difference and one rounding; ``zero`` may be None."""
    if zero is not None:
        # The difference of 32-bit integers may need 33 bits.
        exact = el.I64 if x.element.bits == 32 else el.F32
        x = x.astype(exact) - zero.astype(exact)
    return (x.astype(el.F32) * scale.astype(el.F32)).astype(type)


APART = 2.0**-21
"""How far an end of a range may be from a whole step, in parts of it: constants are rounded to f32,
and so were the numbers that they were computed of."""
UI8 = el.BY_NAME["ui8"]


def stepped(x: Any, *ends: Any, levels: int) -> Any:
    """x in f32 rounded to levels of a range, which are whole steps from 0 behind it.

    ``ends`` are low, high, out_low and out_high.  With ``step = (out_high - out_low) /
    (levels - 1)`` and ``zero = -out_low / step``, a whole number::

        (saturate(round((x - low) * ((levels - 1) / (high - low)))) - zero) * step

    Both constants are rounded to f32 once, NaN gives level 0.  None for other ranges, other types,
    and more levels than 8 bits have.
    """
    known = [end.value.owner for end in ends]
    constants = [op.array().astype(np.float64) for op in known if isinstance(op, ConstantOp)]
    most = levels - 1
    if len(constants) < len(ends) or most > UI8.highest or x.element is not el.F32:
        return None
    low, high, first, last = constants
    step = (last - first) / most
    if not ((step > 0).all() and (high > low).all()):
        return None
    zero = np.rint(-first / step)
    is_whole_step = np.abs(first + zero * step) <= APART * np.maximum(np.abs(first), np.abs(last))
    if not (is_whole_step & (zero >= 0) & (zero <= most)).all():
        return None
    constant = x.trace.constant
    y = onp.round((x - ends[0] if low.any() else x) * constant(most / (high - low), el.F32))
    if most < UI8.highest:
        y = onp.minimum(y, constant(most, el.F32))
    zeros = constant(zero, UI8) if zero.any() else None
    return dequantize(y.astype(UI8), constant(step, el.F32), zeros, el.F32)


def is_scalar(shape: Sequence[ex.Expr]) -> bool:
    """Whether a shape certainly has one element."""
    return all(e == 1 for e in shape)


def rescale(x: Any, scale: Any, zero: Any, type: el.ElementType) -> Any:
    """saturate(round(x * scale) + zero) of 32-bit sums, computed in f64."""
    product = onp.rint(x.astype(el.F64) * scale.astype(el.F64))
    return saturated(product + zero.astype(el.F64), type)
