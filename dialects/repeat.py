"""``kernel.repeat``: a number of steps, each from one index to the next.

A walk of 12 steps through a table, fewer if an entry leads to itself::

    %leaf = kernel.repeat at %k = %root most 12 {
      %next = kernel.gather %table[%k] : i64
      kernel.next %next
    }
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, region_def, result_def, traits_def
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .formats import Formatted
from .kernel_nest import NestOp


@irdl_op_definition
class RepeatOp(Formatted):
    """The index after ``most`` steps from ``start``; the body computes the next index.

    The body has no effects and depends on the index alone.  So an index that leads to itself ends
    the walk early.
    """

    name = "kernel.repeat"
    start = operand_def()
    most = prop_def(IntegerAttr)
    body = region_def("single_block")
    result = result_def(el.I64.type)
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    ARGUMENT: ClassVar[Attribute] = el.I64.type
    FORMAT: ClassVar[str] = "`at` custom<Argument>(ref($body)) `=` $start `most` $most $body"

    @staticmethod
    def of(start: SSAValue, most: int) -> RepeatOp:
        """The operation with an empty body."""
        body = Region(Block(arg_types=[el.I64.type]))
        return RepeatOp.new(start, results=[el.I64.type], regions=[body], most=most)

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


@irdl_op_definition
class NextOp(Formatted):
    """Ends the body of a repetition with the next index."""

    name = "kernel.next"
    value = operand_def()
    traits = traits_def(IsTerminator(), HasParent(RepeatOp), Pure())
    FORMAT: ClassVar[str] = "$value"

    def verify_(self) -> None:
        """Check the type."""
        # next_c1: the next index is an i64.
        if self.value.type != el.I64.type:
            raise VerifyException(f"kernel.next: {self.value.type} is no i64")


def has_repeat(op: Operation) -> bool:
    """Whether an operation is a nest with ``kernel.repeat``."""
    return isinstance(op, NestOp) and any(isinstance(o, RepeatOp) for o in op.body.block.ops)
