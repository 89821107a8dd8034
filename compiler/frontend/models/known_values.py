"""Operators on symbolic values, for computations on shapes.

Each function returns the elements of the result, expressions over extents; it raises
:class:`Undecided` if they depend on extents that are known at run time only.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.bounds import is_extent
from opc.dialects.budgets import check

from .known import Elements, Known

Bounds: TypeAlias = "Sequence[tuple[int, ex.Expr, ex.Expr, int]]"
"""Slices along axes: (axis, start, stop, step)."""


class Undecided(Exception):  # no error: the operator is left to run
    """The result depends on unknown extents."""


def numbers(*values: ex.Expr) -> list[int]:
    """Expressions that are numbers; Undecided if one is not."""
    constants = [v.constant for v in values]
    if None in constants:
        raise Undecided
    return [v for v in constants if v is not None]


def _divisible(a: ex.Expr, b: ex.Expr) -> tuple[int, int]:
    """Two numbers, of which the second is not 0; Undecided for others."""
    x, y = numbers(a, b)
    if not y:
        raise Undecided
    return x, y


def made(array: Any, type: el.ElementType) -> Known | None:
    """A value of these elements; None if one is outside the range of the type."""
    elements = np.empty(np.shape(array), object)
    elements.reshape(-1)[:] = [
        ex.Expr.of(v if isinstance(v, ex.Expr) else int(v)) for v in np.reshape(array, -1)
    ]
    result = Known(elements, type)
    result.check_size()
    return result if result.fits() else None


def can_be_shapes(values: Sequence[Known]) -> bool:
    """Whether the types are those of shapes; narrower integers may wrap."""
    return all(k.type.name in ("i64", "i32", "i1") for k in values)


def evaluated(
    compute: Callable[[], Elements | None],
    inputs: Sequence[Known],
    function: str | None,
    type: el.ElementType,
    exact: Callable[[Known], Known | None],
) -> Known | None:
    """The result of an operator on known inputs; None if it is computed at run time.

    ``function`` is the name in ``ELEMENTWISE`` if it has one: some return i1 for every type, and
    all but those of rings need ``exact`` values.
    """
    if not can_be_shapes(inputs):
        return None
    try:
        array = compute()
    except (Undecided, ValueError, IndexError):
        # The legalizing function reports the error.
        return None
    if array is None or (function not in RING and not all(map(exact, inputs))):
        return None
    return made(array, el.I1 if function in TRUTHS else type)


def may_wrap(value: Known) -> list[ex.Expr]:
    """The elements that may exceed the type for large extents.

    Extents are below 2^62: the sum of one extent and a number fits into i64.
    """

    def is_certain(e: ex.Expr) -> bool:
        if e.constant is not None:
            return True
        first, *rest = e.terms
        is_one = len(first[0]) == 1 and abs(first[1]) == 1 and all(not f for f, _ in rest)
        return is_one and value.type is el.I64 and not is_meant_to_wrap(e, el.I64)

    return [e for e in value.exprs if not is_certain(e)]


def is_meant_to_wrap(e: ex.Expr, type: el.ElementType) -> bool:
    """Whether small extents exceed the type already, as in a hash."""
    return sum(abs(c) for _, c in e.terms) > int(type.highest) >> 8


def divided(a: ex.Expr, b: ex.Expr) -> Any:
    """The quotient, rounded toward zero."""
    if b.constant is None and ex.mod(a, b) == 0:
        return ex.floordiv(a, b)
    if a.constant is not None or b.constant is None or b.constant <= 0:
        x, y = _divisible(a, b)
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    if is_extent(a):
        return ex.floordiv(a, b)
    # Negative numbers are divided separately: -1 / 4 is 0, as is every quotient above -4.
    above = ex.floordiv(ex.maximum(a, 0), b)
    return above if is_extent(a + (b - 1)) else above - ex.floordiv(ex.maximum(-a, 0), b)


def _raised(a: ex.Expr, b: ex.Expr) -> tuple[ex.Expr, int]:
    """(a + k*b, k) with a nonnegative sum; Undecided if no such k is known."""
    least = 0 if is_extent(a) else min((c for factors, c in a.terms if not factors), default=0)
    step = b.constant or 0
    if step <= 0 or not is_extent(a - least):
        raise Undecided
    count = -(min(least, 0) // step)
    return a + count * step, count


def floor_divided(a: ex.Expr, b: ex.Expr) -> Any:
    """The quotient, rounded down."""
    if a.constant is not None or b.constant is None:
        x, y = _divisible(a, b)
        return x // y
    raised, count = _raised(a, b)
    return ex.floordiv(raised, b) - count


def remainder(a: ex.Expr, b: ex.Expr) -> Any:
    """The remainder, with the sign of the divisor."""
    if a.constant is not None or b.constant is None:
        return operator.mod(*_divisible(a, b))
    return ex.mod(_raised(a, b)[0], b)


def truncated_remainder(a: ex.Expr, b: ex.Expr) -> Any:
    """The remainder, with the sign of the dividend."""
    return a - b * divided(a, b)


def equal(a: ex.Expr, b: ex.Expr) -> bool:
    """Whether two elements are equal; extents are nonnegative."""
    if a == b:
        return True
    for x, y in ((a, b), (b, a)):
        if is_extent(x) and y.constant is not None and y.constant < 0:
            return False
    x, y = numbers(a, b)
    return x == y


def comparison(fn: Callable[[int, int], bool]) -> Callable[[ex.Expr, ex.Expr], bool]:
    """A comparison of numbers."""
    return lambda a, b: fn(*numbers(a, b))


def connective(
    fn: Callable[[int, int], int], decides: int | None
) -> Callable[[ex.Expr, ex.Expr], bool]:
    """And, or, exclusive or; one operand may decide alone."""

    def logical(a: ex.Expr, b: ex.Expr) -> bool:
        if decides is not None and decides in (a.constant, b.constant):
            return bool(decides)
        return bool(fn(*numbers(a, b)))

    return logical


def selected(c: ex.Expr, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    """a where c holds, else b."""
    return a if a == b or numbers(c)[0] else b


def extreme(fn: Callable[..., int], of_extents: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The least or the greatest."""

    def pick(*values: ex.Expr) -> Any:
        if len(set(values)) == 1:
            return values[0]
        if any(v.constant is None for v in values) and all(map(is_extent, values)):
            return reduce(of_extents, values)
        return fn(numbers(*values))

    return pick


def inverted(a: ex.Expr) -> bool:
    """Whether it is false."""
    return not numbers(a)[0]


def unequal(a: ex.Expr, b: ex.Expr) -> bool:
    """Whether two elements differ."""
    return not equal(a, b)


ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "div": divided,
    "floor_div": floor_divided,
    "mod": remainder,
    "fmod": truncated_remainder,
    "max": extreme(max, ex.maximum),
    "min": extreme(min, ex.minimum),
    "and": connective(lambda a, b: a & b, 0),
    "or": connective(lambda a, b: a | b, 1),
    "xor": connective(lambda a, b: a ^ b, None),
    "not": inverted,
    "equal": equal,
    "not_equal": unequal,
    "less": comparison(operator.lt),
    "greater": comparison(operator.gt),
    "less_equal": comparison(operator.le),
    "greater_equal": comparison(operator.ge),
    "where": selected,
}
"""The functions of elements, by name."""
TRUTHS = frozenset({"equal", "not_equal", "less", "greater", "less_equal", "greater_equal"})
"""Functions with an i1 result."""

RING = frozenset({None, "add", "sub", "mul", "neg", "where"})
"""Functions whose results may be wrapped at the end; None is for movement and sums."""


def taken(data: Elements, indices: Known, axis: int) -> Elements:
    """The elements at indices along an axis; IndexError for one out of range."""
    places = np.array(numbers(*indices.exprs), np.int64).reshape(indices.shape)
    others = prod(data.shape[:axis] + data.shape[axis + 1 :])
    check("the result", "elements", others * places.size)
    # For a single index NumPy returns the element, not an array of rank 0.
    return np.asarray(np.take(data, places, axis=axis), object)


def put_together(args: Sequence[Known], axis: int) -> Elements:
    """Values concatenated along an axis."""
    check("the result", "elements", sum(a.array.size for a in args))
    return np.concatenate([a.array for a in args], axis=axis)


def transposed(data: Elements, order: Sequence[int] | None) -> Elements:
    """Transposed, by default with reversed axes; ValueError for an invalid order."""
    return np.transpose(data, order or None)


def part(data: Elements, bounds: Bounds) -> Elements:
    """``start:stop:step`` along axes, by NumPy's rule."""
    index = [slice(None)] * data.ndim
    for axis, start, stop, step in bounds:
        first, last = numbers(start, stop)
        low, high, by = _clamped(first, last, step, data.shape[axis])
        index[axis] = slice(low, high, by)
    return data[tuple(index)]


def _clamped(start: int, stop: int, step: int, extent: int) -> tuple[int, int | None, int]:
    if not step:
        raise Undecided
    start += extent if start < 0 else 0
    stop += extent if stop < 0 else 0
    if step > 0:
        return min(max(start, 0), extent), min(max(stop, 0), extent), step
    stop = min(max(stop, -1), extent - 1)
    return min(max(start, 0), extent - 1), None if stop < 0 else stop, step


def counted(start: ex.Expr, stop: ex.Expr, step: ex.Expr) -> Elements:
    """start, start + step, ... before stop."""
    first, last, by = numbers(start, stop, step)
    if not by:
        raise Undecided
    check("the result", "elements", max(-((first - last) // by), 0))
    return np.array(range(first, last, by), object)


def reduced(kind: str, data: Elements, axes: tuple[int, ...], keep: bool) -> Elements:
    """The sums or products along axes."""
    fn: Any = {"sum": np.sum, "prod": np.prod}[kind]
    return np.asarray(fn(data, axis=axes, keepdims=keep), object)
