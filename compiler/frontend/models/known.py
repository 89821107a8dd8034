"""Symbolic values, known when compiling: shapes, and values computed from shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from math import prod
from typing import Any, ClassVar, TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.budgets import check, limit
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import element, tensor_of

Elements: TypeAlias = "np.ndarray[Any, np.dtype[np.object_]]"


@dataclass(frozen=True, eq=False)
class Known:
    """Elements that are expressions over symbolic extents, of an integer type or i1.

    For large extents an expression may exceed the type; the element then is the wrapped value.
    Sums and products of elements may ignore that; all others use exact values
    (``Builder.exact``).
    """

    array: Elements
    type: el.ElementType

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self.array.shape

    @property
    def exprs(self) -> tuple[ex.Expr, ...]:
        """The elements in order."""
        return tuple(self.array.reshape(-1).tolist())

    def constants(self) -> list[int] | None:
        """The elements in order if all are numbers."""
        values = [e.constant for e in self.exprs]
        return None if None in values else [v for v in values if v is not None]

    def parts(self) -> list[tuple[ex.Factors, Elements]]:
        """The elements as a sum: products of extents, with a coefficient for each element.

        BudgetExceeded if there are more products than an extent may have terms.
        """
        products: dict[ex.Factors, Elements] = {}
        for k, e in enumerate(self.exprs):
            for factors, count in e.terms:
                counts = products.setdefault(factors, np.zeros(self.array.size, object))
                counts[k] = (count + (1 << 63)) % (1 << 64) - (1 << 63)
                check("the elements of a value", "terms", len(products))
        return list(products.items())

    def check_size(self) -> None:
        """BudgetExceeded for too many elements; each term of a sum counts."""
        check("a value", "elements", sum(len(e.terms) or 1 for e in self.exprs))

    def fits(self) -> bool:
        """Whether every element is in the range of the type.

        Symbolic extents are taken to fit into i64 and i32, the types of shapes; values of other
        types are computed at run time.
        """
        low, high = (0, 1) if self.type is el.I1 else (self.type.lowest, self.type.highest)
        is_for_extents = self.type.name in ("i64", "i32")
        numbers = (e.constant for e in self.exprs)
        return all(is_for_extents if n is None else low <= n <= high for n in numbers)


@dataclass(frozen=True, eq=False)
class Held(Known):
    """A sequence or an optional value: a container of values, not itself a tensor.

    It exists while compiling only: nodes become operators on the contained values.
    """

    items: tuple[SSAValue | Known | None, ...] = ()
    """The values; None where only the number of values is known."""

    @staticmethod
    def of(items: Iterable[SSAValue | Known | None], type: el.ElementType = el.F32) -> Held:
        """A container of some values; ``type`` is used if there are none."""
        values = tuple(items)
        types = [v.type if isinstance(v, Known) else element(tensor_of(v)) for v in values if v]
        return Held(np.empty(0, object), types[0] if types else type, values)

    kind: ClassVar[str] = "a sequence or an optional value"
    """The kind of value, for messages."""

    @property
    def described(self) -> str:
        """A description for messages."""
        return f"a sequence of {len(self.items)} values"

    def holding(self, items: Iterable[SSAValue | Known]) -> Held:
        """The same with other values."""
        return replace(self, items=tuple(items))

    def of_others(self, other: Callable[[SSAValue], SSAValue]) -> Held:
        """The same with tensors replaced, for instance by the arguments of a body."""
        items = tuple(other(v) if isinstance(v, SSAValue) else v for v in self.items)
        return replace(self, items=items)


class Nothing(Held):
    """An empty optional: to a node it is an absent input."""

    def __init__(self) -> None:
        super().__init__(np.empty(0, object), el.F32)


@dataclass(frozen=True, eq=False)
class Stacked(Held):
    """A sequence of values of one shape, stacked along the first axis of ``stack``."""

    stack: SSAValue | None = None

    def of_others(self, other: Callable[[SSAValue], SSAValue]) -> Held:
        """See above."""
        return replace(self, stack=None if self.stack is None else other(self.stack))


@dataclass(frozen=True, eq=False)
class Ragged(Stacked):
    """A sequence of values that differ in one extent, padded to one shape in ``stack``.

    ``sizes``, i64 [count], are the true extents; ``capacity`` is the name of their upper bound, if
    the caller gives it.
    """

    sizes: SSAValue | None = None
    axis: int = 0
    """The axis of a value with the extent."""
    capacity: str | None = None

    def of_others(self, other: Callable[[SSAValue], SSAValue]) -> Held:
        """See above."""
        assert self.stack is not None and self.sizes is not None
        return replace(self, stack=other(self.stack), sizes=other(self.sizes))


def listed(value: SSAValue | Known | None) -> Held | None:
    """The value as a sequence with a known list of values, else None."""
    return value if type(value) is Held and None not in value.items else None


def grouped(
    values: Iterable[SSAValue | Known], sequences: Iterable[Held | None]
) -> list[SSAValue | Known]:
    """A flat list of values with the values of each sequence grouped again."""
    rest = iter(values)
    items = [next(rest) if s is None else s.holding(islice(rest, len(s.items))) for s in sequences]
    return [*items, *rest]


def of(
    items: Iterable[int | ex.Expr], shape: tuple[int, ...], type: el.ElementType = el.I64
) -> Known:
    """A known value with these elements."""
    array = np.empty(shape, object)
    array.reshape(-1)[:] = [ex.Expr.of(i) for i in items]
    return Known(array, type)


def joined(fn: Callable[..., Any], args: Sequence[Known]) -> Elements | None:
    """An elementwise function of values, which broadcast; ValueError if they cannot.

    BudgetExceeded for too many elements; None if they are numbers, which can be computed at run
    time.  The function is called once for equal arguments.
    """
    size = prod(np.broadcast_shapes(*(a.shape for a in args)))
    if size > limit("elements") and all(a.constants() is not None for a in args):
        return None
    check("a value", "elements", size)
    return np.asarray(np.frompyfunc(cache(fn), len(args), 1)(*(a.array for a in args)), object)


def vector(items: Iterable[int | ex.Expr]) -> Known:
    """A 1-D i64 value."""
    exprs = list(items)
    return of(exprs, (len(exprs),))


def constant(value: SSAValue) -> Known | None:
    """The elements of a small constant of integers or booleans."""
    op = value.owner
    if not isinstance(op, ConstantOp):
        return None
    type = element(op.type)
    if not (type.is_integer or type is el.I1):
        return None
    array = elements(op.value)
    # Larger constants are not shapes.
    if array is None or array.size > limit("elements"):
        return None
    return of(map(int, array.reshape(-1).tolist()), array.shape, type)
