"""Families of elementwise operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.irdl import operand_def, var_operand_def

from .. import element as el
from .. import expr as ex
from ..shape import Requirement, Shape, Tensor, broadcast_shapes, shape_of, tensor_type
from .attributes import Params
from .base import SOME, TENSOR, OpcOp, same_element


class Elementwise(OpcOp):
    """Operands broadcast as in NumPy; operands and result have one element type."""

    result_element: ClassVar[el.ElementType | None] = None
    """The element type of the result, if it is not that of the operands."""

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The broadcast shape, in ``result_element`` or the common element type."""
        common = cls.common_element(types)
        shape = broadcast_shapes(shape_of(t) for t in types)
        return tensor_type(cls.result_element or common, shape)

    @classmethod
    def common_element(cls, types: Sequence[Tensor]) -> el.ElementType:
        """The element type that decides the result's."""
        return same_element(types, cls.types)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Extents of one axis are equal, or one of them is 1."""
        shapes = [shape_of(t) for t in types]
        seen: Shape = shapes[0]
        for shape in shapes[1:]:
            rank = max(len(seen), len(shape))
            a, b = ((ex.const(1),) * (rank - len(s)) + s for s in (seen, shape))
            for x, y in zip(a, b, strict=True):
                yield Requirement("broadcast", x, y, f"{cls.name}: extents do not broadcast")
            seen = broadcast_shapes([seen, shape])


class Unary(Elementwise):
    """One operand; the result has its type."""

    operand = operand_def(TENSOR)


class FloatUnary(Unary):
    """One floating-point operand."""

    types = el.FLOAT


class Predicate(FloatUnary):
    """One floating-point operand; the result is boolean."""

    result_element = el.I1


class Binary(Elementwise):
    """Two operands of one element type."""

    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)


class NumericBinary(Binary):
    """Two operands, any numbers."""

    types = el.NUMERIC


class IntegerBinary(Binary):
    """Two operands, integers."""

    types = el.INTEGER


class LogicalBinary(Binary):
    """Two boolean operands."""

    types = el.BOOL


class Comparison(Binary):
    """Two operands of one element type; the result is boolean; NaN is unordered."""

    types = el.ANY
    result_element = el.I1


class Nary(Elementwise):
    """One or more operands of one element type."""

    types = el.NUMERIC
    inputs = var_operand_def(SOME)
