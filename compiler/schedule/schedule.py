"""Write the schedule of every nest, but of those with indices that are values.

``kernel.nest { load; apply; store }  -->  kernel.nest { load; apply; store; schedule.tree {...} }``

A nest that has a schedule already keeps it, if it is legal: who edits one may compile it.
Needs plan-buffers.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import kernel
from opc.dialects.buffer import MACHINE
from opc.dialects.indirect import is_indirect
from opc.dialects.loop import ForOp
from opc.dialects.schedule import TreeOp
from opc.function_pass import MachinePass

from .nest_legality import check
from .plan_nest import plan_nest
from .streams import only_written


class SchedulePass(MachinePass):
    """See the module's docstring; ``target`` names the machine."""

    name = "schedule"

    def rewrite(self, function: FuncOp) -> None:
        """Schedule the nests of one function."""
        results = only_written(function)
        nests = [op for op in function.walk() if isinstance(op, kernel.NestOp)]
        if any([self._schedule(nest, results) for nest in nests]):
            machine = self.machine.describe()
            function.attributes[MACHINE] = StringAttr(machine)

    def _schedule(self, nest: kernel.NestOp, results: Collection[SSAValue]) -> bool:
        """Schedule a nest; whether what is best depends on the machine.

        ``results`` are buffers that nothing reads.
        """
        if is_indirect(nest):
            return False
        tree = nest.body.block.last_op
        if not isinstance(tree, TreeOp):
            is_inside = isinstance(nest.parent_op(), ForOp)
            tree = plan_nest(nest, self.machine, results, is_shared=not is_inside)
            nest.body.block.add_op(tree)
        check(nest, tree)
        return nest.has_chain
