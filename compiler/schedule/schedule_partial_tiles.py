"""Write the schedule of the nests of partial tiles, which stand at the end of a tile fusion.

Also of those that run alone, outside of all loops, where the condition of a tile fusion does not
hold.

``kernel.nest [1, 20, 256] {...}  -->  kernel.nest [1, 20, 256] {...; schedule.tree {...} }``

Needs lower-tile-fusions, which leaves only these nests without a schedule.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from opc.dialects import kernel, loop
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import TreeOp
from opc.dialects.walking import walk
from opc.passes.function_pass import MachinePass

from .plan_nest import Plans


class SchedulePartialTilesPass(MachinePass):
    """kernel.nest {...}  -->  kernel.nest {...; schedule.tree {...} }, planned for ``target``."""

    name = "schedule-partial-tiles"

    def rewrite(self, function: FuncOp) -> None:
        """Schedule the nests of partial tiles of one function."""
        plans = Plans(self.machine)
        nests = [op for op in walk(function) if isinstance(op, kernel.NestOp)]
        for nest in nests:
            if not is_indirect(nest) and not isinstance(nest.body.block.last_op, TreeOp):
                tree = plans.tree(nest, is_shared=not loop.is_in_loop(nest))
                nest.body.block.add_op(tree)
