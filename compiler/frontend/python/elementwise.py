"""Elementwise functions on symbolic arrays: factories for single operators, and composites."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import tensor_type
from opc.errors import UsageError

from .array import Array, Traced
from .operators import is_weak
from .promotion import (
    Adjust,
    cast,
    common_element,
    floating,
    not_boolean,
    promoted,
    symbolic,
)
from .source_location import input_error, unsupported
from .spec import element_like

Function: TypeAlias = Callable[..., Traced]


def named(call: Function, op: type[OpcOp], more: str = "") -> Function:
    """The function with the name of an operator, and with its docstring and ``more``."""
    call.__name__ = call.__qualname__ = op.name.partition(".")[2]
    call.__doc__ = f"{op.__doc__}{more}"
    return call


def parameters(op: type[OpcOp], args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Attributes of an operator from positional and named values.  Raises :class:`UsageError`."""
    known = {p.name: p for p in op.params}
    values = dict(zip(known, args, strict=False))
    if len(args) > len(known) or named.keys() - known.keys() or named.keys() & values.keys():
        raise UsageError(f"{op.name} takes an array and {', '.join(known) or 'nothing else'}")
    values |= named
    for name, value in values.items():
        try:
            values[name] = known[name].decode(known[name].encode(value))
        except Exception:
            raise UsageError(f"{op.name}: {name} cannot be {value!r}") from None
    return values


def unary(op: type[OpcOp], adjust: Adjust = lambda type: type) -> Function:
    """A function of one array and the attributes of the operator."""

    def call(x: Any, /, *args: Any, **named: Any) -> Traced:
        (a,) = promoted(x, adjust=adjust)
        return a.trace.emit(op, a, **parameters(op, args, named))

    return named(call, op)


def float_unary(op: type[OpcOp]) -> Function:
    """A function of one array; integers are converted as NumPy does for ``exp``."""
    return unary(op, floating)


def rounding(op: type[OpcOp]) -> Function:
    """A function of one array that leaves integers as they are."""

    def call(x: Any, /) -> Traced:
        a = symbolic(x)
        return a if a.element.is_whole else a.trace.emit(op, a)

    return named(call, op)


def binary(
    op: type[OpcOp],
    adjust: Adjust = lambda type: type,
    boolean: type[OpcOp] | None = None,
    **params: Any,
) -> Function:
    """A function of two arrays; ``boolean`` is the operator where both are i1."""

    def call(x: Any, y: Any, /) -> Traced:
        left, right = promoted(x, y, adjust=adjust)
        if boolean is not None and left.element is el.I1:
            return left.trace.emit(boolean, left, right)
        return left.trace.emit(op, left, right, **params)

    return named(call, op)


def extreme(op: type[OpcOp], boolean: type[OpcOp]) -> Function:
    """The greatest or least of two or more arrays."""

    def call(x: Any, y: Any, /, *more: Any) -> Traced:
        values = promoted(x, y, *more)
        trace = values[0].trace
        if values[0].element is not el.I1:
            return trace.emit(op, *values)
        result = values[0]
        for value in values[1:]:
            result = trace.emit(boolean, result, value)
        return result

    return named(call, op)


def comparison(op: type[OpcOp], of_numbers: Callable[[int, int], bool]) -> Function:
    """A comparison; ``of_numbers`` compares Python numbers."""

    def call(x: Any, y: Any, /) -> Traced:
        if not is_weak(x) and not is_weak(y):
            left, right = symbolic(x, y), symbolic(y, x)
            kinds = {left.element.kind, right.element.kind}
            if kinds == {"signed", "unsigned"} and common_element(left, right).is_float:
                return _across_signs(left, right)
        left, right = promoted(x, y)
        return left.trace.emit(op, left, right)

    def _across_signs(left: Array, right: Array) -> Array:
        # f64, the common type of i64 and ui64, cannot represent all of their values.
        signed = left if left.element.kind == "signed" else right
        decided = of_numbers(-1, 0) if signed is left else of_numbers(0, -1)
        wide = el.BY_NAME["ui64"]
        unsigned = left.trace.emit(op, cast(left, wide), cast(right, wide))
        negative = left.trace.emit(b.LessOp, *promoted(signed, 0))
        return where(negative, decided, unsigned)

    return named(call, op)


def isfinite(x: Any, /) -> Traced:
    """Whether each element is neither infinite nor NaN."""
    (a,) = promoted(x, adjust=floating)
    return (a - a) == 0


def boolean(x: Any, *others: Any) -> Array:
    """Whether each element is not zero; one of all operands is symbolic."""
    return cast(symbolic(x, *others), el.I1)


def logical(op: type[OpcOp]) -> Function:
    """A logical operator of two arrays; nonzero is true."""

    def call(x: Any, y: Any, /) -> Traced:
        left, right = boolean(x, y), boolean(y, x)
        return left.trace.emit(op, left, right)

    return named(call, op)


def logical_not(x: Any, /) -> Traced:
    """Whether each element is zero."""
    a = boolean(x)
    return a.trace.emit(u.NotOp, a)


def invert(x: Any, /) -> Traced:
    """Bitwise not; logical not of booleans."""
    a = symbolic(x)
    return a.trace.emit(u.NotOp if a.element is el.I1 else u.BitwiseNotOp, a)


def positive(x: Any, /) -> Traced:
    """The array itself."""
    return symbolic(x)


def absolute(x: Any, /) -> Traced:
    """Absolute value."""
    a = symbolic(x)
    return a if a.element in el.UNSIGNED | el.BOOL else a.trace.emit(u.AbsOp, a)


def square(x: Any, /) -> Traced:
    """x * x."""
    a = symbolic(x)
    return a * a


def reciprocal(x: Any, /) -> Traced:
    """1 / x; of integers truncated, and 0 for 0."""
    (a,) = promoted(x, adjust=not_boolean)
    if a.element.is_float:
        return a.trace.emit(u.ReciprocalOp, a)
    return a.trace.emit(b.DivOp, *promoted(1, a))


def power(x: Any, y: Any, /) -> Traced:
    """x to the power y; negative powers of integers are truncated to -1, 0 or 1.

    As in NumPy, floats to the Python scalars 2, 0.5 and -1 are x * x, sqrt(x) and 1 / x, and
    integers to a negative Python scalar are refused.
    """
    base, exponent = promoted(x, y, adjust=not_boolean)
    trace = base.trace
    if isinstance(y, int | float) and is_weak(y):
        if base.element.is_integer and y < 0:
            raise input_error(f"{base!r} ** {y}: integers to negative powers; use .astype first")
        if base.element.is_float and y == 2:
            return trace.emit(b.MulOp, base, base)
        if base.element.is_float and y in (0.5, -1):
            return trace.emit(u.SqrtOp if y == 0.5 else u.ReciprocalOp, base)
    return trace.emit(b.PowOp, base, exponent)


def floor_divide(x: Any, y: Any, /) -> Traced:
    """x / y rounded down, with NumPy's result; of integers, x // 0 is 0."""
    left, right = promoted(x, y, adjust=not_boolean)
    trace = left.trace
    if left.element.is_float:
        return _floor_divide_floats(left, right)
    result = trace.emit(b.DivOp, left, right)
    if left.element.kind == "unsigned":
        return result
    # The truncated quotient is one too high exactly where the two remainders differ.
    floored = trace.emit(b.ModOp, left, right)
    truncated = trace.emit(b.ModOp, left, right, fmod=True)
    above = trace.emit(b.NotEqualOp, floored, truncated)
    return trace.emit(b.SubOp, result, cast(above, left.element))


def divmod(x: Any, y: Any, /) -> tuple[Traced, Traced]:
    """(``floor_divide``, ``mod``)."""
    return floor_divide(x, y), binary(b.ModOp, not_boolean)(x, y)


def _floor_divide_floats(x: Array, y: Array) -> Array:
    # Not floor(x / y): 1.0 // 0.1 is 9, since 0.1 is a little more than a tenth.  As in NumPy,
    # (x - remainder) / y is an integer but for rounding.
    a, c = widened(x), widened(y)
    rest = a.trace.emit(b.ModOp, a, c, fmod=True)
    exact = (a - rest) / c
    exact = where((rest != 0) & ((c < 0) ^ (rest < 0)), exact - 1.0, exact)
    floor = a.trace.emit(u.FloorOp, exact)
    floor = where(exact - floor > 0.5, floor + 1.0, floor)
    plain = a / c
    result = where(exact == 0, plain * 0.0, floor)
    return cast(where(c == 0, plain, result), x.element)


def widened(x: Array) -> Array:
    """f16 and bf16 as f32, so that a result of several operations is rounded once."""
    return cast(x, x.element.computed)


def where(condition: Any, x: Any, y: Any, /) -> Traced:
    """x where the condition is true or not zero, else y."""
    test = boolean(condition, x, y)
    return test.trace.emit(b.WhereOp, test, *promoted(x, y, trace=test.trace))


def clip(x: Any, /, a_min: Any = None, a_max: Any = None, **named: Any) -> Traced:
    """min(max(x, a_min), a_max), either bound None; ``min=`` and ``max=`` name them too."""
    low, high = named.pop("min", a_min), named.pop("max", a_max)
    if named:
        raise UsageError(f"clip takes an array, min and max, not {', '.join(named)}")
    maximum, minimum = extreme(b.MaxOp, b.OrOp), extreme(b.MinOp, b.AndOp)
    if low is None or high is None:
        result = symbolic(x, low, high) if low is None else maximum(x, low)
        return result if high is None else minimum(result, high)
    values = promoted(x, low, high)
    if values[0].element is el.I1:
        return minimum(maximum(values[0], values[1]), values[2])
    return values[0].trace.emit(b.ClipOp, *values)


def round_to(x: Any, /, decimals: int = 0) -> Traced:
    """The nearest multiple of 10 ** -decimals, halves to even."""
    a = symbolic(x)
    if a.element.is_whole and decimals >= 0:
        return a
    if a.element.is_whole:
        raise input_error(f"{a!r} cannot be rounded to {decimals} decimals; use .astype first")
    if decimals == 0:
        return a.trace.emit(u.RoundOp, a)
    scale = 10.0 ** abs(decimals)
    scaled = a * scale if decimals > 0 else a / scale
    rounded = a.trace.emit(u.RoundOp, scaled)
    return rounded / scale if decimals > 0 else rounded * scale


def matmul(x: Any, y: Any, /) -> Traced:
    """The matrix product over the last two axes, others broadcast."""
    left, right = promoted(x, y)
    if left.element is el.I1:
        counts = left.trace.emit(MatmulOp, cast(left, el.I64), cast(right, el.I64))
        return cast(counts, el.I1)
    return left.trace.emit(MatmulOp, left, right)


def dot(x: Any, y: Any, /) -> Traced:
    """As ``matmul`` up to rank 2; a product with a scalar for rank 0."""
    left, right = promoted(x, y)
    if right.ndim > 2:
        raise unsupported(f"dot with {right!r}: use matmul, which broadcasts, above rank 2")
    return left * right if 0 in (left.ndim, right.ndim) else matmul(left, right)


def astype(x: Any, dtype: Any, /, copy: bool = True) -> Traced:
    """The values in another element type: a name such as ``"f32"``, or a NumPy type."""
    a = cast(symbolic(x), element_like(dtype))
    return Array(a.trace, a.value)


def bitcast(x: Any, dtype: Any, /) -> Traced:
    """The same bits as an element type of equal width."""
    a = symbolic(x)
    type: ElementType = element_like(dtype)
    return a.trace.emit(u.BitcastOp, a, result_type=tensor_type(type, a.extents))
