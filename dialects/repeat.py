"""``kernel.repeat``: a number of steps, each from one index to the next.

A walk of 12 steps through a table, fewer if an entry leads to itself::

    %leaf = kernel.repeat at %k = %root most 12 {
      %next = kernel.gather %table[%k] : i64
      kernel.next %next
    }
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .body import parse_value, print_region
from .kernel_nest import NestOp


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """The index after ``most`` steps from ``start``; the body computes the next index.

    The body has no effects and depends on the index alone.  So an index that leads to itself ends
    the walk early.
    """

    name = "kernel.repeat"
    start = operand_def()
    most = prop_def(IntegerAttr)
    body = region_def("single_block")
    result = result_def()
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(start: SSAValue, most: int) -> RepeatOp:
        """The operation with an empty body."""
        return RepeatOp(
            operands=[start],
            properties={"most": IntegerAttr(most, i64)},
            regions=[Region(Block(arg_types=[el.I64.type]))],
            result_types=[el.I64.type],
        )

    @property
    def index(self) -> SSAValue:
        """The index at the start of a step."""
        return self.body.block.args[0]

    @property
    def next(self) -> SSAValue:
        """The index at the end of a step."""
        last = self.body.block.last_op
        assert isinstance(last, NextOp)
        return last.value

    @property
    def steps(self) -> int:
        """The most steps."""
        return int(self.most.value.data)

    def verify_(self) -> None:
        """Check the types and the body."""
        # repeat_c1: indices are i64.
        values = (self.start, self.result, *self.body.block.args)
        if [v.type for v in values] != [el.I64.type] * 3:
            raise VerifyException("kernel.repeat: an index is no i64")
        # repeat_c2: the body ends in the next index.
        if not isinstance(self.body.block.last_op, NextOp):
            raise VerifyException("kernel.repeat: the body does not end in kernel.next")
        # repeat_c3: there is at least one step.
        if self.steps < 1:
            raise VerifyException(f"kernel.repeat: at most {self.steps} steps, expected 1 or more")

    @classmethod
    def parse(cls, parser: Parser) -> RepeatOp:
        """Parse ``at %k = %start most n {...}``."""
        parser.parse_keyword("at")
        index = parser.parse_argument(expect_type=False).resolve(el.I64.type)
        parser.parse_punctuation("=")
        start = parse_value(parser)
        parser.parse_keyword("most")
        most = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return RepeatOp(
            operands=[start],
            properties={"most": IntegerAttr(most, i64)},
            regions=[parser.parse_region([index])],
            result_types=[el.I64.type],
        )

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" at ")
        printer.print_ssa_value(self.index)
        printer.print_string(" = ")
        printer.print_ssa_value(self.start)
        printer.print_string(f" most {self.steps}")
        print_region(printer, self.body)


@irdl_op_definition
class NextOp(IRDLOperation):
    """Ends the body of a repetition with the next index."""

    name = "kernel.next"
    value = operand_def()
    traits = traits_def(IsTerminator(), HasParent(RepeatOp), Pure())

    def verify_(self) -> None:
        """Check the type."""
        # next_c1: the next index is an i64.
        if self.value.type != el.I64.type:
            raise VerifyException(f"kernel.next: {self.value.type} is no i64")

    @classmethod
    def parse(cls, parser: Parser) -> NextOp:
        """Parse ``%value``."""
        return NextOp(operands=[parse_value(parser)])

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)


def has_repeat(op: Operation) -> bool:
    """Whether an operation is a nest with ``kernel.repeat``."""
    return isinstance(op, NestOp) and any(isinstance(o, RepeatOp) for o in op.body.block.ops)
