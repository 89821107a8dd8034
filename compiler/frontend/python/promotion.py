"""Promotion of operands to a common element type, by NumPy's rules.

Python scalars are weak, as in NumPy 2: an int takes the element type of the arrays, a float that
of floating-point arrays and f64 beside integers.  Everything else promotes as
``np.promote_types``; operands without a common type (bf16 and i32) are an error.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.element import ElementType
from opc.dialects.opc.unary import CastOp
from opc.dialects.scalar import convert as convert_values
from opc.dialects.shape import tensor_type
from opc.errors import UsageError
from opc.support import dlpack

from .array import Array, Trace, trace_of
from .extent import Extent
from .operators import is_weak
from .source_location import input_error
from .spec import element_like

Adjust = Callable[[ElementType], ElementType]
_RANK = {"bool": 0, "signed": 1, "unsigned": 1, "float": 2, "small": 2}
_DEFAULTS = (el.I1, el.I64, el.F64)


def floating(type: ElementType) -> ElementType:
    """The result type of ``np.exp`` for this type."""
    if not type.is_whole:
        return type
    return el.F16 if type.bits <= 8 else el.F32 if type.bits == 16 else el.F64


def quotient(type: ElementType) -> ElementType:
    """The type in which ``np.divide`` of this type is."""
    return el.F64 if type.is_whole else type


def not_boolean(type: ElementType) -> ElementType:
    """i8 for booleans, for arithmetic that NumPy defines on integers only."""
    return el.BY_NAME["i8"] if type is el.I1 else type


def promoted(
    *operands: Any, adjust: Adjust = lambda type: type, trace: Trace | None = None
) -> list[Array]:
    """The operands as arrays of their common element type; without ``trace``, one must be symbolic.

    ``adjust`` maps the common type.  Raises :class:`UsageError` for operands that are not arrays,
    and :class:`InputError` for incompatible types.
    """
    trace = trace or trace_of(*operands)
    values = [_value(trace, o) for o in operands]
    target = adjust(_common(values))
    return [_as(trace, v, target) for v in values]


def symbolic(operand: Any, *others: Any) -> Array:
    """One operand as an array of its own element type; one of ``operands`` is symbolic."""
    trace = trace_of(operand, *others)
    value = _value(trace, operand)
    return _as(trace, value, _common([value]))


def cast(x: Array, to: ElementType) -> Array:
    """The values in another element type."""
    if x.element is to:
        return x
    return x.trace.emit(CastOp, x, result_type=tensor_type(to, x.extents))


def common_element(*operands: Any) -> ElementType:
    """The common element type of operands."""
    trace = trace_of(*operands)
    return _common([_value(trace, o) for o in operands])


def element_of_data(array: np.ndarray[Any, Any]) -> ElementType:
    """The element type of a constant; :class:`InputError` for unsupported ones."""
    try:
        return element_like(array.dtype)
    except UsageError:
        raise input_error(f"a constant of {array.dtype} is not supported") from None


def _value(trace: Trace, operand: Any) -> Array | bool | int | float:
    """A symbolic array, or a Python scalar unchanged."""
    if isinstance(operand, Array):
        return operand
    if isinstance(operand, Extent):
        return trace.extent(operand.expr)
    if isinstance(operand, ex.Expr):
        return trace.extent(operand) if operand.constant is None else operand.constant
    if isinstance(operand, bool | int | float) and not isinstance(operand, np.generic):
        return operand
    return trace.constant(*data_of(operand))


def data_of(operand: Any) -> tuple[np.ndarray[Any, Any], ElementType]:
    """An array of constants, and its element type; :class:`InputError` for anything else."""
    if _holds_symbols(operand):
        raise input_error("a list of symbolic arrays is not an array; use opc.numpy.stack")
    if hasattr(operand, "mask"):
        raise input_error("masked arrays are not supported; use .filled(value)")
    try:
        array = dlpack.read(operand) if dlpack.has_dlpack(operand) else np.asarray(operand)
    except (BufferError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise input_error(f"{type(operand).__name__} is not an array: {error}") from None
    if array.dtype.kind == "O":
        raise input_error(f"{type(operand).__name__} is not an array of numbers")
    return array, element_of_data(array)


def _holds_symbols(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_symbols, typing.cast("list[object]", value)))
    return isinstance(value, Array | Extent)


def _kind_rank(value: Array | bool | int | float) -> int:
    if isinstance(value, Array):
        return _RANK[value.element.kind]
    return 0 if isinstance(value, bool) else 1 if isinstance(value, int) else 2


def _common(values: list[Array | bool | int | float]) -> ElementType:
    strong = [v.element for v in values if isinstance(v, Array) and not v.weak]
    weak = max((_kind_rank(v) for v in values if is_weak(v)), default=0)
    if not strong:
        return _DEFAULTS[weak]
    common = strong[0]
    for other in strong[1:]:
        common = _promote(common, other)
    return _DEFAULTS[weak] if weak > _RANK[common.kind] else common


def _promote(a: ElementType, b: ElementType) -> ElementType:
    if a is b:
        return a
    error = input_error(f"{a} and {b} have no common element type; use .astype")
    if el.BF16 in (a, b):
        # Versions of ml_dtypes differ about types that bf16 does not hold, and that do not hold it.
        other = b if a is el.BF16 else a
        if other.is_small_float or (other.is_integer and other.bits > 8):
            raise error
    try:
        return element_like(np.promote_types(a.dtype, b.dtype))
    except (TypeError, UsageError):
        raise error from None


def _as(trace: Trace, value: Array | bool | int | float, to: ElementType) -> Array:
    if isinstance(value, Array):
        return cast(value, to)
    if to.is_integer and not to.lowest <= value <= to.highest:
        shown = str(value) if abs(value) < 1 << 70 else "the Python integer"
        raise input_error(f"{shown} is outside the range of {to}")
    if to.is_float:
        try:
            data = convert_values(np.asarray(float(value)), to.dtype)
        except OverflowError:
            raise input_error(f"the Python integer is outside the range of {to}") from None
    else:
        data = np.asarray(value, to.dtype)
    return trace.constant(data, to)
