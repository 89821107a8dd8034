"""Values whose elements are known when compiling: shapes, and what models compute from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import element

Elements: TypeAlias = "np.ndarray[Any, np.dtype[np.object_]]"

MOST_ELEMENTS = 4096
"""Larger constants are no shapes."""


@dataclass(frozen=True, eq=False)
class Known:
    """Elements that are expressions over symbolic extents, of an integer type or i1."""

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

    def fits(self) -> bool:
        """Whether every element that is a number is in the range of the type."""
        low, high = (0, 1) if self.type is el.I1 else (self.type.lowest, self.type.highest)
        return all(e.constant is None or low <= e.constant <= high for e in self.exprs)


def of(
    items: Iterable[int | ex.Expr], shape: tuple[int, ...], type: el.ElementType = el.I64
) -> Known:
    """The value with these elements."""
    array = np.empty(shape, object)
    array.reshape(-1)[:] = [ex.Expr.of(i) for i in items]
    return Known(array, type)


def vector(items: Iterable[int | ex.Expr]) -> Known:
    """A 1-D i64 value."""
    found = list(items)
    return of(found, (len(found),))


def constant(value: SSAValue) -> Known | None:
    """The elements of a small constant of integers or booleans."""
    op = value.owner
    if not isinstance(op, ConstantOp):
        return None
    type = element(op.type)
    if not (type.is_integer or type is el.I1):
        return None
    array = elements(op.attributes["value"])
    if array is None or array.size > MOST_ELEMENTS:
        return None
    return of(map(int, array.reshape(-1).tolist()), array.shape, type)
