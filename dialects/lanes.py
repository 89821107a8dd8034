"""Lanes of the ``loop`` dialect: a local array is set as a whole, ``loop.fill %zero to %lanes``."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect

from .body import parse_value
from .buffer import check_element

LANE_REDUCTIONS = ("sum", "prod", "max_number")
"""Reductions of floats that C compilers keep in order, so that they are held in lanes."""


@irdl_op_definition
class FillOp(IRDLOperation):
    """Gives every element of a local array one value."""

    name = "loop.fill"
    value = operand_def()
    target = operand_def()
    traits = traits_def(MemoryWriteEffect())

    @staticmethod
    def of(value: SSAValue, target: SSAValue) -> FillOp:
        """Build it."""
        return FillOp(operands=[value, target])

    def verify_(self) -> None:
        """Check the types."""
        check_element(self.name, self.target, self.value)

    @classmethod
    def parse(cls, parser: Parser) -> FillOp:
        """Parse ``%v to %lanes``."""
        value = parse_value(parser)
        parser.parse_keyword("to")
        return FillOp.of(value, parse_value(parser))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
