"""Symbolic extents: the integers in shapes of symbolic arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.errors import UnsupportedError

from .operators import Operators
from .source_location import unsupported
from .unify_extents import Meetings

_OF_INTEGERS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "floor_divide": lambda a, b: a // b,
    "remainder": operator.mod,
}
"""Ufunc --> the arithmetic of NumPy scalars with extents."""


class Scope:
    """The function that is being traced, as far as its extents ask for it.

    ``meetings`` records the extents that must be equal.
    """

    def __init__(self, meetings: Meetings) -> None:
        self.meetings = meetings
        self.is_open = True


def as_extent(trace: Scope, extent: ex.Expr) -> int | Extent:
    """The extent as an int if it is known."""
    known = extent.constant
    return Extent(trace, extent) if known is None else known


def expr_of(extent: Any) -> ex.Expr:
    """The expression of an int or an :class:`Extent`; TypeError for anything else."""
    if isinstance(extent, Extent):
        return extent.expr
    if isinstance(extent, ex.Expr):
        return extent
    if isinstance(extent, bool | Operators):
        raise TypeError("no extent")
    return ex.const(operator.index(extent))


def _unknown(what: str) -> UnsupportedError:
    return unsupported(
        f"{what} is only known when the compiled function runs; annotate the extent as a number, "
        'as in "f32[N, 256]", or let opc.function(..., specialize=True) compile for each shape'
    )


def _arithmetic(
    name: str, combine: Callable[[Any, Any], ex.Expr], by_positive: bool = False
) -> Callable[[Extent, Any], Any]:
    def method(self: Extent, other: Any) -> Any:
        try:
            if by_positive and isinstance(other, int | np.integer) and other <= 0:
                raise TypeError
            value = combine(self.expr, expr_of(other))
        except TypeError:
            return getattr(Operators, name)(self, other)
        except BudgetExceeded as error:
            raise unsupported(str(error)) from None
        return as_extent(self.trace, value)

    kind = "a positive int" if by_positive else "an int"
    method.__doc__ = f"As of integers: an extent if ``other`` is {kind}."
    return method


class Extent(Operators):
    """A symbolic extent: an int that is known when the compiled function runs.

    Integer arithmetic gives extents again, to use in shapes; everything else gives arrays.
    ``==`` is decided at once, or refused where it depends on the arguments of the call.
    """

    __slots__ = ("expr", "trace")

    weak = True

    def __init__(self, trace: Scope, expr: ex.Expr) -> None:
        self.trace = trace
        self.expr = expr

    __add__ = __radd__ = _arithmetic("__add__", operator.add)
    __sub__ = _arithmetic("__sub__", operator.sub)
    __rsub__ = _arithmetic("__rsub__", lambda a, b: b - a)
    __mul__ = __rmul__ = _arithmetic("__mul__", operator.mul)
    __floordiv__ = _arithmetic("__floordiv__", ex.floordiv, by_positive=True)
    __mod__ = _arithmetic("__mod__", ex.mod, by_positive=True)

    def __eq__(self, other: object) -> bool:
        return self._decided(other, "==")

    def __ne__(self, other: object) -> bool:
        return not self._decided(other, "!=")

    def _decided(self, other: object, what: str) -> bool:
        try:
            wanted = expr_of(other)
        except TypeError:
            return False
        difference = (self.expr - wanted).constant
        if difference is not None:
            return difference == 0
        if wanted == 1 and self.trace.meetings.is_one(self.expr) is False:
            return False
        raise _unknown(f"{self!r} {what} {other!r}")

    def __hash__(self) -> int:
        return hash(self.expr)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:
        """Trace ``np.sqrt(x.shape[1])``; ``np.int64(2) * x.shape[1]`` is an extent."""
        operation = _OF_INTEGERS.get(ufunc.__name__)
        is_numpy = [isinstance(v, np.integer) for v in inputs]
        integers = [int(v) if plain else v for v, plain in zip(inputs, is_numpy, strict=True)]
        known = method == "__call__" and not named
        if operation and known and all(isinstance(v, int | Extent) for v in integers):
            return operation(*integers)
        return super().__array_ufunc__(ufunc, method, *inputs, **named)

    def __bool__(self) -> NoReturn:
        raise _unknown(f"the truth of {self!r}")

    def __index__(self) -> NoReturn:
        raise _unknown(f"the value of {self!r}")

    def __int__(self) -> NoReturn:
        self.__index__()

    def __float__(self) -> NoReturn:
        self.__index__()

    def __repr__(self) -> str:
        return str(self.expr)
