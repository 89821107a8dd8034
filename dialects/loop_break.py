"""``loop.break``: leaves a loop early.

::

    loop.for %i = <0> to <64> step 1 serial {
      ...
      loop.break %is_done
    }
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, traits_def
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .effects import KEPT
from .formats import Formatted


@irdl_op_definition
class BreakOp(Formatted):
    """Leaves the loop around it if a condition holds."""

    name = "loop.break"
    condition = operand_def()
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$condition"

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
