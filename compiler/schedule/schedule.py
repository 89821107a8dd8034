"""Write the schedule of every nest that a planner knows: contractions.

``kernel.nest { sweep (dot) ... }  -->  kernel.nest { sweep (dot) ... schedule.tree {...} }``

A nest that has a schedule already keeps it, if it is legal: who edits one may compile it.
Needs plan-buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from opc.dialects import kernel
from opc.dialects.buffer import MACHINE
from opc.dialects.schedule import TreeOp
from opc.target import target

from .contraction import analyse
from .legality import check
from .plan_contraction import plan


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """See the module's docstring; ``target`` names the machine."""

    name: ClassVar[str] = "schedule"
    target: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Schedule the nests of every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                nests = [o for o in function.body.block.ops if isinstance(o, kernel.NestOp)]
                if any([self._schedule(nest) for nest in nests]):
                    machine = target(self.target).describe()
                    function.attributes[MACHINE] = StringAttr(machine)

    def _schedule(self, nest: kernel.NestOp) -> bool:
        contraction = analyse(nest)
        if contraction is None:
            return False
        tree = nest.body.block.last_op
        if not isinstance(tree, TreeOp):
            tree = plan(contraction, target(self.target))
            nest.body.block.add_op(tree)
        check(contraction, tree)
        return True
