"""What values are known to be when compiling, by the operators that compute them.

``known_value`` reads constants, extents, and what operators of integers make of these alone: shapes
of tensors, parts of them, arithmetic on them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, reduce
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.bounds import is_extent
from opc.dialects.budgets import limit
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.reduction import ReduceProdOp, ReduceSumOp, Reduction
from opc.dialects.opc.unary import CastOp, IdentityOp, NegOp, NotOp
from opc.dialects.shape import element, shape_of, tensor_of

from . import known as kn
from .known import Elements, Known

Compute: TypeAlias = "Callable[..., Elements]"
"""Computes the elements of an operator's result from it and those of its operands."""

SHAPES = frozenset({el.I64, el.BY_NAME["i32"], el.I1})
"""The element types of shapes; narrower integers may wrap."""


class Undecided(Exception):  # no error: the operator is left to run
    """The result depends on unknown extents."""


def constant(value: SSAValue) -> Known | None:
    """The elements of a small constant of integers or booleans."""
    op, type = value.owner, element(tensor_of(value))
    if not isinstance(op, ConstantOp) or not (type.is_integer or type is el.I1):
        return None
    array = elements(op.value)
    # Larger constants are not shapes.
    if array is None or array.size > limit("elements"):
        return None
    return kn.of(map(int, array.reshape(-1).tolist()), array.shape, type)


def known_value(value: SSAValue, exact: Callable[[Known], Known | None]) -> Known | None:
    """The elements of a value if constants and extents alone decide them, else None.

    ``exact`` gives values whose elements do not exceed their type (``Builder.exact``).
    """
    op, type = value.owner, element(tensor_of(value))
    if isinstance(op, ConstantOp):
        return constant(value)
    extents = [e.constant for e in shape_of(tensor_of(value))]
    shape = tuple(e for e in extents if e is not None)
    if type not in SHAPES or len(shape) < len(extents) or prod(shape) > limit("elements"):
        return None
    if isinstance(op, ExtentOp):
        return kn.of([op.extent], ())
    if isinstance(op, IotaOp):
        return kn.vector(range(shape[0]))
    if not isinstance(op, OpcOp):
        return None
    compute = ELEMENTWISE.get(op.__class__) or MOVEMENT.get(op.__class__)
    if compute is None:
        return None
    operands = [known_value(v, exact) for v in op.operands]
    values = [v for v in operands if v is not None and v.type in SHAPES]
    if len(values) < len(operands):
        return None
    widens = isinstance(op, CastOp) and type.bits > values[0].type.bits
    if (widens or op.__class__ not in RING) and not all(map(exact, values)):
        return None
    try:
        # For a single index NumPy returns the element, not an array of rank 0.
        array = np.asarray(compute(op, *(v.array for v in values)), object)
    except (Undecided, ValueError, IndexError):
        return None
    result = kn.of(array.reshape(-1).tolist(), shape, type)
    result.check_size()
    return result if result.fits() else None


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


def floored(x: Known | None, y: Known | None) -> Known | None:
    """x / y rounded down, if both are known and the result is."""
    if x is None or y is None or x.type not in SHAPES:
        return None
    try:
        array = np.asarray(np.frompyfunc(floor_divided, 2, 1)(x.array, y.array), object)
    except Undecided:
        return None
    return kn.of(array.reshape(-1).tolist(), array.shape, x.type)


def remainder(a: ex.Expr, b: ex.Expr) -> Any:
    """The remainder, with the sign of the divisor."""
    if a.constant is not None or b.constant is None:
        return operator.mod(*_divisible(a, b))
    return ex.mod(_raised(a, b)[0], b)


def truncated_remainder(a: ex.Expr, b: ex.Expr) -> Any:
    """The remainder, with the sign of the dividend."""
    is_same = is_extent(a) and (b.constant or 0) > 0
    return ex.mod(a, b) if is_same else a - b * divided(a, b)


def equal(a: ex.Expr, b: ex.Expr) -> bool:
    """Whether two elements are equal; extents are nonnegative."""
    if a == b:
        return True
    for x, y in ((a, b), (b, a)):
        if is_extent(x) and y.constant is not None and y.constant < 0:
            return False
    x, y = numbers(a, b)
    return x == y


def extreme(fn: Callable[..., int], of_extents: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The least or the greatest."""

    def pick(*values: ex.Expr) -> Any:
        if len(set(values)) == 1:
            return values[0]
        if any(v.constant is None for v in values) and all(map(is_extent, values)):
            return reduce(of_extents, values)
        return fn(numbers(*values))

    return pick


def _each(function: Callable[..., Any]) -> Compute:
    """A function of elements, which is called once for equal ones."""

    def compute(_: OpcOp, *arrays: Elements) -> Elements:
        elements = np.frompyfunc(cache(function), len(arrays), 1)(*arrays)
        return np.asarray(elements, object)

    return compute


def _of_numbers(function: Callable[..., int]) -> Compute:
    """A function of elements that are numbers."""
    return _each(lambda *values: int(function(*numbers(*values))))


def _modulo(op: OpcOp, x: Elements, y: Elements) -> Elements:
    return _each(truncated_remainder if op.values()["fmod"] else remainder)(op, x, y)


def _chosen(condition: ex.Expr, x: ex.Expr, y: ex.Expr) -> ex.Expr:
    return x if x == y or numbers(condition)[0] else y


def _identity(_: OpcOp, x: Elements) -> Elements:
    return x


def _cast(op: OpcOp, x: Elements) -> Elements:
    if element(op.type) is el.I1:
        raise Undecided
    return x


def _reshape(op: OpcOp, x: Elements) -> Elements:
    return x.reshape(numbers(*shape_of(op.type)))


def _broadcast(op: OpcOp, x: Elements) -> Elements:
    """Of lists only: tensors of higher rank are not shapes."""
    shape = shape_of(op.type)
    if len(shape) > 1:
        raise Undecided
    return np.broadcast_to(x, numbers(*shape))


def _transpose(op: OpcOp, x: Elements) -> Elements:
    return np.transpose(x, op.values()["permutation"])


def _concat(op: OpcOp, *parts: Elements) -> Elements:
    return np.concatenate(parts, axis=op.values()["axis"])


def _slice(op: SliceOp, x: Elements) -> Elements:
    starts, stops = (numbers(*op.bounds(name)) for name in ("starts", "stops"))
    bounds = zip(starts, stops, op.values()["steps"], strict=True)
    return x[tuple(slice(*bound) for bound in bounds)]


def _gather(op: OpcOp, x: Elements, *indices: Elements) -> Elements:
    params = op.values()
    if len(indices) != 1 or params["batch"]:
        raise Undecided
    return np.take(x, _indices(indices[0]), axis=params["axes"][0])


def _scatter(op: OpcOp, x: Elements, updates: Elements, *indices: Elements) -> Elements:
    if x.ndim != 1 or op.values()["reduction"] != "none":
        raise Undecided
    result = x.copy()
    result[_indices(indices[0])] = updates
    return result


def _indices(values: Elements) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(numbers(*values.reshape(-1).tolist()), np.int64).reshape(values.shape)


def _reduced(fold: Callable[..., Any]) -> Compute:
    def compute(op: OpcOp, x: Elements, *axes: Elements) -> Elements:
        params = op.values()
        if axes or not isinstance(op, Reduction):
            raise Undecided
        kept = op.axes(x.ndim, params), params["keepdims"]
        return np.asarray(fold(x, axis=kept[0], keepdims=kept[1]), object)

    return compute


ELEMENTWISE: dict[type[Operation], Compute] = {
    b.AddOp: _each(operator.add),
    b.SubOp: _each(operator.sub),
    b.MulOp: _each(operator.mul),
    NegOp: _each(operator.neg),
    b.DivOp: _each(divided),
    b.ModOp: _modulo,
    b.MaxOp: _each(extreme(max, ex.maximum)),
    b.MinOp: _each(extreme(min, ex.minimum)),
    b.AndOp: _of_numbers(int.__and__),
    b.OrOp: _of_numbers(int.__or__),
    b.XorOp: _of_numbers(int.__xor__),
    NotOp: _of_numbers(operator.not_),
    b.EqualOp: _each(lambda *pair: int(equal(*pair))),
    b.NotEqualOp: _each(lambda *pair: int(not equal(*pair))),
    b.LessOp: _of_numbers(operator.lt),
    b.GreaterOp: _of_numbers(operator.gt),
    b.LessEqualOp: _of_numbers(operator.le),
    b.GreaterEqualOp: _of_numbers(operator.ge),
    b.WhereOp: _each(_chosen),
}
"""What operators compute of elements."""
MOVEMENT: dict[type[Operation], Compute] = {
    IdentityOp: _identity,
    CastOp: _cast,
    ReshapeOp: _reshape,
    BroadcastOp: _broadcast,
    TransposeOp: _transpose,
    ConcatOp: _concat,
    SliceOp: cast("Compute", _slice),
    GatherOp: _gather,
    ScatterOp: _scatter,
    ReduceSumOp: _reduced(np.sum),
    ReduceProdOp: _reduced(np.prod),
}
"""What operators do that move elements, or add them up."""
RING = frozenset({*MOVEMENT, b.AddOp, b.SubOp, b.MulOp, NegOp, b.WhereOp})
"""Operators whose results may be wrapped at the end."""
