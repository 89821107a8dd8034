"""``loop.break``: leaves a loop early.

::

    loop.for %i = <0> to <64> step 1 serial {
      ...
      loop.break %is_done
    }
"""

from __future__ import annotations

from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .body import parse_value
from .effects import KEPT


@irdl_op_definition
class BreakOp(IRDLOperation):
    """Leaves the loop around it if a condition holds."""

    name = "loop.break"
    condition = operand_def()
    traits = traits_def(KEPT)

    def verify_(self) -> None:
        """Check the condition and the loop."""
        # break_c1: the condition is an i1.
        if self.condition.type != el.I1.type:
            raise VerifyException(f"loop.break: {self.condition.type} is no i1")
        # break_c2: it is in a serial loop.
        from .loop import ForOp

        outer = self.parent_op()
        if not isinstance(outer, ForOp) or outer.kind.data not in ("serial", "rolled"):
            raise VerifyException("loop.break: expected in a serial loop")

    @classmethod
    def parse(cls, parser: Parser) -> BreakOp:
        """Parse ``%condition``."""
        return BreakOp(operands=[parse_value(parser)])

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
