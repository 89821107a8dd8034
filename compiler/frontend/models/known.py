"""Symbolic values, known when compiling: shapes, and values computed from shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import check

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


def of(
    items: Iterable[int | ex.Expr], shape: tuple[int, ...], type: el.ElementType = el.I64
) -> Known:
    """A known value with these elements."""
    array = np.empty(shape, object)
    array.reshape(-1)[:] = [ex.Expr.of(i) for i in items]
    return Known(array, type)


def vector(items: Iterable[int | ex.Expr]) -> Known:
    """A 1-D i64 value."""
    exprs = list(items)
    return of(exprs, (len(exprs),))
