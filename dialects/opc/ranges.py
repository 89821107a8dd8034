"""``opc.require_range``: a check of integers at run time."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..effects import KEPT
from ..shape import IndexAttr, require_integers


@irdl_op_definition
class RequireRangeOp(IRDLOperation):
    """Fails the call unless every element of a tensor of integers is in a range.

    Operations after it can index with the elements safely::

        opc.require_range %i from <-N> to <N - 1> "opc.gather: an index is outside of axis 0"
            : tensor<4xi64>
    """

    name = "opc.require_range"
    values = operand_def()
    low = prop_def(IndexAttr)
    high = prop_def(IndexAttr)
    message = prop_def(StringAttr)
    traits = traits_def(KEPT)

    @staticmethod
    def of(values: SSAValue, low: ex.Expr, high: ex.Expr, message: str) -> RequireRangeOp:
        """The check of some values."""
        return RequireRangeOp(
            operands=[values],
            properties={
                "low": IndexAttr((low,)),
                "high": IndexAttr((high,)),
                "message": StringAttr(message),
            },
        )

    @property
    def bounds(self) -> tuple[ex.Expr, ex.Expr]:
        """The least value and the greatest."""
        return self.low.data[0], self.high.data[0]

    def described(self, low: str, high: str) -> str:
        """The message with the bounds, unless these are equal: then the message has the number."""
        message = self.message.data
        return message if low == high else f"{message}, expected those in [{low}, {high}]"

    def verify_(self) -> None:
        """Check the values and the bounds."""
        # require_range_c1: there is one expression for each bound.
        if len(self.low.data) != 1 or len(self.high.data) != 1:
            raise VerifyException("opc.require_range: expected one expression for each bound")
        # require_range_c2: the values are an integer tensor.
        require_integers("opc.require_range", self.values)

    @classmethod
    def parse(cls, parser: Parser) -> RequireRangeOp:
        """Parse the form shown above."""
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("from")
        low = IndexAttr(IndexAttr.parse_parameter(parser))
        parser.parse_keyword("to")
        high = IndexAttr(IndexAttr.parse_parameter(parser))
        message = parser.parse_str_literal()
        parser.parse_punctuation(":")
        values = parser.resolve_operand(operand, parser.parse_type())
        return RequireRangeOp(
            operands=[values],
            properties={"low": low, "high": high, "message": StringAttr(message)},
        )

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_ssa_value(self.values)
        printer.print_string(" from ")
        self.low.print_parameter(printer)
        printer.print_string(" to ")
        self.high.print_parameter(printer)
        printer.print_string(" ")
        printer.print_string_literal(self.message.data)
        printer.print_string(" : ")
        printer.print_attribute(self.values.type)
