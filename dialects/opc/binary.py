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

AddOp = NumericBinary.leaf("add", "a + b.")
SubOp = NumericBinary.leaf("sub", "a - b.")
MulOp = NumericBinary.leaf("mul", "a * b.")
DivOp = NumericBinary.leaf("div", "a / b; integers truncate toward zero, and x / 0 is 0.")
PowOp = NumericBinary.leaf(
    "pow", "a to the power b; a negative integer exponent gives the truncated reciprocal."
)


class ModOp(NumericBinary, name="opc.mod"):
    """Remainder with the sign of b, or of a where fmod is set; x mod 0 is 0 for integers."""

    fmod = prop_def(boolean("remainder of the truncated quotient, as C's fmod"), FALSE)


class PReluOp(NumericBinary, name="opc.prelu"):
    """a where a >= 0, else a * b."""


MaxOp = Nary.leaf("max", "Greatest of the operands; NaN if any is NaN.", scalar=None)
MinOp = Nary.leaf("min", "Least of the operands; NaN if any is NaN.", scalar=None)
SumOp = Nary.leaf("sum", "Sum of the operands, from the left.")
MeanOp = Nary.leaf("mean", "Sum of the operands divided by their number.")
AndOp = LogicalBinary.leaf("and", "Logical and.")
OrOp = LogicalBinary.leaf("or", "Logical or.")
XorOp = LogicalBinary.leaf("xor", "Logical exclusive or.")
BitwiseAndOp = IntegerBinary.leaf("bitwise_and", "And of every bit.")
BitwiseOrOp = IntegerBinary.leaf("bitwise_or", "Or of every bit.")
BitwiseXorOp = IntegerBinary.leaf("bitwise_xor", "Exclusive or of every bit.")
ShiftLeftOp = IntegerBinary.leaf(
    "shift_left", "a * 2**b, wrapping; 0 where b is negative or at least the width.", scalar="shl"
)
ShiftRightOp = IntegerBinary.leaf(
    "shift_right",
    "a / 2**b rounded down; the sign alone where b is negative or at least the width.",
    scalar="shr",
)
EqualOp = Comparison.leaf("equal", "a == b.", scalar="eq")
NotEqualOp = Comparison.leaf("not_equal", "a != b.", scalar="ne")
LessOp = Comparison.leaf("less", "a < b.", scalar="lt")
LessEqualOp = Comparison.leaf("less_equal", "a <= b.", scalar="le")
GreaterOp = Comparison.leaf("greater", "a > b.", scalar="gt")
GreaterEqualOp = Comparison.leaf("greater_equal", "a >= b.", scalar="ge")


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
