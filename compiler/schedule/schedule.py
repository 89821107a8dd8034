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
from opc.dialects.schedule import TreeOp
from opc.dialects.tile_fusion import TileFusionOp
from opc.passes.function_pass import MachinePass

from .fused_tiles import write
from .nest_legality import check
from .non_temporal import only_written
from .plan_nest import plan_nest
from .tile_fusion import check as check_fusion


class SchedulePass(MachinePass):
    """See the module's docstring; ``target`` names the machine."""

    name = "schedule"

    def rewrite(self, function: FuncOp) -> None:
        """Schedule the nests of one function."""
        nests = [o for o in function.body.block.ops if isinstance(o, kernel.NestOp)]
        fusions = [o for o in function.body.block.ops if isinstance(o, TileFusionOp)]
        results = only_written(function)
        found = [self._schedule(nest, results) for nest in nests]
        found += [self._schedule_fusion(fusion) for fusion in fusions]
        if any(found):
            machine = self.machine.describe()
            function.attributes[MACHINE] = StringAttr(machine)

    def _schedule_fusion(self, fusion: TileFusionOp) -> bool:
        """Schedule the nests of a tile fusion for a whole tile.  Existing schedules stay."""
        check_fusion(fusion)
        block, (first, *_) = write(fusion)
        found = [self._schedule(tile, (), is_shared=False) for tile in first.values()]
        for nest, tile in first.items():
            if not isinstance(nest.body.block.last_op, TreeOp):
                tree = tile.body.block.last_op
                assert isinstance(tree, TreeOp)
                nest.body.block.add_op(tree.clone())
        for op in reversed(list(block.ops)):
            op.detach()
            op.erase(safe_erase=False)
        return any(found)

    def _schedule(
        self, nest: kernel.NestOp, results: Collection[SSAValue], is_shared: bool = True
    ) -> bool:
        """Schedule a nest; whether what is best depends on the machine.

        ``results`` are buffers that nothing reads.
        """
        if is_indirect(nest):
            return False
        tree = nest.body.block.last_op
        if not isinstance(tree, TreeOp):
            nest.body.block.add_op(tree := plan_nest(nest, self.machine, results, is_shared))
        check(nest, tree)
        return nest.has_chain
