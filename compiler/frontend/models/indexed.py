"""Slices, pads and ranges with bounds known at run time only: gathers at computed indices.

``opc.read_extents`` reads their extents before execution if possible; otherwise slices have
data-dependent extents.  Numbers are i64 tensors of rank 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .op_builder import Builder

Read: TypeAlias = "Callable[[str, SSAValue, Shape, Shape | None], Shape]"
"""(rule, values, extents, bounds) --> symbols, as ``opc.read_extents`` makes them."""


class Numbers:
    """Arithmetic on i64 tensors."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def of(self, value: SSAValue | ex.Expr | int) -> SSAValue:
        """A number or an extent as a tensor of rank 0."""
        if isinstance(value, SSAValue):
            return value
        known = ex.Expr.of(value).constant
        if known is not None:
            return self.builder.constant(known, el.I64)
        return self.builder.add(ExtentOp.of(ex.Expr.of(value)))

    def apply(self, kind: type[OpcOp], *values: SSAValue | ex.Expr | int) -> SSAValue:
        """An operator on some of them."""
        return self.builder.add(kind(*map(self.of, values)))

    def add(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x + y."""
        return self.apply(b.AddOp, x, y)

    def sub(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x - y."""
        return self.apply(b.SubOp, x, y)

    def mul(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x * y."""
        return self.apply(b.MulOp, x, y)

    def least(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """The lesser."""
        return self.apply(b.MinOp, x, y)

    def most(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """The greater."""
        return self.apply(b.MaxOp, x, y)

    def less(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """Whether x < y."""
        return self.apply(b.LessOp, x, y)

    def where(
        self, c: SSAValue, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int
    ) -> SSAValue:
        """x where c holds, else y."""
        return self.builder.add(b.WhereOp(c, self.of(x), self.of(y)))

    def clamp(
        self,
        x: SSAValue | ex.Expr | int,
        low: SSAValue | ex.Expr | int,
        high: SSAValue | ex.Expr | int,
    ) -> SSAValue:
        """x, or the nearer of two bounds."""
        return self.least(self.most(x, low), high)


def gathered(builder: Builder, x: SSAValue, axis: int, indices: SSAValue) -> SSAValue:
    """The elements of x along an axis at 1-D indices."""
    return builder.add(GatherOp(x, indices, axes=[axis], from_end=False))


def range_of_extents(
    builder: Builder, start: ex.Expr, limit: ex.Expr, step: ex.Expr, type: el.ElementType
) -> SSAValue | None:
    """The integers start, start + 1, ... before limit; None for other steps."""
    count = limit - start
    if step != 1:
        return None
    count = count if ex.is_nonnegative(count) else ex.maximum(count, 0)
    places = builder.add(IotaOp.of(count))
    if start != 0:
        places = builder.binary("add", places, Numbers(builder).of(start))
    return builder.cast(places, type)


def not_empty(builder: Builder, x: SSAValue, axis: int) -> SSAValue:
    """x with an additional element along an axis that may be empty, so that gathers are valid."""
    shape = shape_of(tensor_of(x))
    known = shape[axis].constant
    if known is not None and known > 0:
        return x
    extents = [*shape[:axis], ex.const(1), *shape[axis + 1 :]]
    zero = builder.constant(0, element(tensor_of(x)))
    return builder.concat([x, builder.broadcast(zero, extents)], axis)
