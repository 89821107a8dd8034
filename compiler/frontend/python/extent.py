"""Symbolic extents: the integers in shapes of symbolic arrays, and which of them must be equal."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.shape import Requirement
from opc.errors import UnsupportedError

from .operators import Operators
from .source_location import unsupported


class Meetings:
    """Equalities of ``free`` symbols, which are never 1, during one trace.

    A call shows which extents are 1.  Two others that meet, in an addition for instance, must be
    equal, and become one symbol.  So the shapes of a call decide which axes broadcast, and the
    compiled code accepts all shapes with the same axes of extent 1.
    """

    def __init__(self, free: Sequence[str]) -> None:
        self.free = frozenset(free)
        self._order = {name: k for k, name in enumerate(free)}
        self._same: dict[str, ex.Expr] = {}

    def is_one(self, extent: ex.Expr) -> bool | None:
        """Whether an extent is 1; None if it is unknown."""
        if extent.constant is not None:
            return extent.constant == 1
        return False if extent.symbol() in self.free else None

    def see(self, needs: Iterable[Requirement]) -> None:
        """Record the requirements of an operator."""
        for need in needs:
            sides = (need.left, need.right)
            if need.relation in ("divides", "within"):
                continue
            parts = [part for side in sides for part in ex.parts(side, "bcast")]
            if all(self.is_one(part) is False for part in parts):
                for part in parts[1:]:
                    self._join(parts[0], part)

    def found(self) -> Mapping[str, ex.Expr]:
        """The replacement of each symbol that is not the first of its class."""
        return {name: self._first(ex.sym(name)) for name in self._same}

    def _first(self, extent: ex.Expr) -> ex.Expr:
        while (name := extent.symbol()) in self._same:
            extent = self._same[str(name)]
        return extent

    def _join(self, left: ex.Expr, right: ex.Expr) -> None:
        a, b = self._first(left), self._first(right)
        names = [e.symbol() for e in (a, b)]
        if a == b or names == [None, None]:
            return  # Two different numbers: the operator raises the error once they are in place.
        if None in names:
            kept, gone = (a, b) if names[0] is None else (b, a)
        else:
            kept, gone = sorted((a, b), key=lambda e: self._order[str(e.symbol())])
        self._same[str(gone.symbol())] = kept


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
