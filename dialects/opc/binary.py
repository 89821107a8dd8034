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


class AddOp(NumericBinary):
    """a + b."""

    name = "opc.add"
    scalar = "add"


class SubOp(NumericBinary):
    """a - b."""

    name = "opc.sub"
    scalar = "sub"


class MulOp(NumericBinary):
    """a * b."""

    name = "opc.mul"
    scalar = "mul"


class DivOp(NumericBinary):
    """a / b; integers truncate toward zero, and x / 0 is 0."""

    name = "opc.div"
    scalar = "div"


class PowOp(NumericBinary):
    """a to the power b; a negative integer exponent gives the truncated reciprocal."""

    name = "opc.pow"
    scalar = "pow"


class ModOp(NumericBinary):
    """Remainder with the sign of b, or of a where fmod is set; x mod 0 is 0 for integers."""

    name = "opc.mod"
    fmod = prop_def(boolean("remainder of the truncated quotient, as C's fmod"), FALSE)


class PReluOp(NumericBinary):
    """a where a >= 0, else a * b."""

    name = "opc.prelu"


class MaxOp(Nary):
    """Greatest of the operands; NaN if any is NaN."""

    name = "opc.max"


class MinOp(Nary):
    """Least of the operands; NaN if any is NaN."""

    name = "opc.min"


class SumOp(Nary):
    """Sum of the operands, from the left."""

    name = "opc.sum"


class MeanOp(Nary):
    """Sum of the operands divided by their number."""

    name = "opc.mean"


class AndOp(LogicalBinary):
    """Logical and."""

    name = "opc.and"
    scalar = "and"


class OrOp(LogicalBinary):
    """Logical or."""

    name = "opc.or"
    scalar = "or"


class XorOp(LogicalBinary):
    """Logical exclusive or."""

    name = "opc.xor"
    scalar = "xor"


class BitwiseAndOp(IntegerBinary):
    """And of every bit."""

    name = "opc.bitwise_and"
    scalar = "bitwise_and"


class BitwiseOrOp(IntegerBinary):
    """Or of every bit."""

    name = "opc.bitwise_or"
    scalar = "bitwise_or"


class BitwiseXorOp(IntegerBinary):
    """Exclusive or of every bit."""

    name = "opc.bitwise_xor"
    scalar = "bitwise_xor"


class ShiftLeftOp(IntegerBinary):
    """a * 2**b, wrapping; 0 where b is negative or at least the width."""

    name = "opc.shift_left"
    scalar = "shl"


class ShiftRightOp(IntegerBinary):
    """a / 2**b rounded down; the sign alone where b is negative or at least the width."""

    name = "opc.shift_right"
    scalar = "shr"


class EqualOp(Comparison):
    """a == b."""

    name = "opc.equal"
    scalar = "eq"


class NotEqualOp(Comparison):
    """a != b."""

    name = "opc.not_equal"
    scalar = "ne"


class LessOp(Comparison):
    """a < b."""

    name = "opc.less"
    scalar = "lt"


class LessEqualOp(Comparison):
    """a <= b."""

    name = "opc.less_equal"
    scalar = "le"


class GreaterOp(Comparison):
    """a > b."""

    name = "opc.greater"
    scalar = "gt"


class GreaterEqualOp(Comparison):
    """a >= b."""

    name = "opc.greater_equal"
    scalar = "ge"


class WhereOp(Elementwise):
    """a where the condition holds, else b; all three broadcast."""

    name = "opc.where"
    scalar = "select"
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


class ClipOp(Elementwise):
    """min(max(x, low), high): high where low > high; NaN if any is NaN."""

    name = "opc.clip"
    types = el.NUMERIC
    operand = operand_def(TENSOR)
    low = operand_def(TENSOR)
    high = operand_def(TENSOR)
