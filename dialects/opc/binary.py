"""Elementwise operators with two or more operands, which broadcast."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.irdl import operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..shape import Tensor, element
from .attributes import FALSE, boolean
from .base import TENSOR, same_element
from .elementwise import Comparison, Elementwise, IntegerBinary, LogicalBinary, Nary, NumericBinary


class AddOp(NumericBinary, name="opc.add", scalar="add"):
    """a + b."""


class SubOp(NumericBinary, name="opc.sub", scalar="sub"):
    """a - b."""


class MulOp(NumericBinary, name="opc.mul", scalar="mul"):
    """a * b."""


class DivOp(NumericBinary, name="opc.div", scalar="div"):
    """a / b; integers truncate toward zero, and x / 0 is 0."""


class PowOp(NumericBinary, name="opc.pow", scalar="pow"):
    """a to the power b; a negative integer exponent gives the truncated reciprocal."""


class ModOp(NumericBinary, name="opc.mod"):
    """Remainder with the sign of b, or of a where fmod is set; x mod 0 is 0 for integers."""

    fmod = prop_def(boolean("remainder of the truncated quotient, as C's fmod"), FALSE)


class PReluOp(NumericBinary, name="opc.prelu"):
    """a where a >= 0, else a * b."""


class MaxOp(Nary, name="opc.max"):
    """Greatest of the operands; NaN if any is NaN."""


class MinOp(Nary, name="opc.min"):
    """Least of the operands; NaN if any is NaN."""


class SumOp(Nary, name="opc.sum"):
    """Sum of the operands, from the left."""


class MeanOp(Nary, name="opc.mean"):
    """Sum of the operands divided by their number."""


class AndOp(LogicalBinary, name="opc.and", scalar="and"):
    """Logical and."""


class OrOp(LogicalBinary, name="opc.or", scalar="or"):
    """Logical or."""


class XorOp(LogicalBinary, name="opc.xor", scalar="xor"):
    """Logical exclusive or."""


class BitwiseAndOp(IntegerBinary, name="opc.bitwise_and", scalar="bitwise_and"):
    """And of every bit."""


class BitwiseOrOp(IntegerBinary, name="opc.bitwise_or", scalar="bitwise_or"):
    """Or of every bit."""


class BitwiseXorOp(IntegerBinary, name="opc.bitwise_xor", scalar="bitwise_xor"):
    """Exclusive or of every bit."""


class ShiftLeftOp(IntegerBinary, name="opc.shift_left", scalar="shl"):
    """a * 2**b, wrapping; 0 where b is negative or at least the width."""


class ShiftRightOp(IntegerBinary, name="opc.shift_right", scalar="shr"):
    """a / 2**b rounded down; the sign alone where b is negative or at least the width."""


class EqualOp(Comparison, name="opc.equal", scalar="eq"):
    """a == b."""


class NotEqualOp(Comparison, name="opc.not_equal", scalar="ne"):
    """a != b."""


class LessOp(Comparison, name="opc.less", scalar="lt"):
    """a < b."""


class LessEqualOp(Comparison, name="opc.less_equal", scalar="le"):
    """a <= b."""


class GreaterOp(Comparison, name="opc.greater", scalar="gt"):
    """a > b."""


class GreaterEqualOp(Comparison, name="opc.greater_equal", scalar="ge"):
    """a >= b."""


class WhereOp(Elementwise, name="opc.where", scalar="select"):
    """a where the condition holds, else b; all three broadcast."""

    condition = operand_def(TENSOR)
    chosen = operand_def(TENSOR)
    other = operand_def(TENSOR)

    @classmethod
    def common_element(cls, types: Sequence[Tensor]) -> el.ElementType:
        """The element type of the second and third operand."""
        # where_c1: the condition is boolean.
        if element(types[0]) is not el.I1:
            raise VerifyException(f"the condition must be i1, found {element(types[0])}")
        return same_element(types[1:], cls.types)


class ClipOp(Elementwise, name="opc.clip"):
    """min(max(x, low), high): high where low > high; NaN if any is NaN."""

    types = el.NUMERIC
    operand = operand_def(TENSOR)
    low = operand_def(TENSOR)
    high = operand_def(TENSOR)
