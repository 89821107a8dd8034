"""Write the schedule of every nest, except of nests with indices that are values.

``kernel.nest { load; apply; store }  -->  kernel.nest { load; apply; store; schedule.tree {...} }``

An existing schedule stays if it is legal, so schedules can be edited.  Needs plan-buffers.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import kernel
from opc.dialects.buffer import MACHINE, SCALARS
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import TreeOp
from opc.dialects.tile_fusion import TileFusionOp
from opc.kernels.place_buffers import place_slices
from opc.passes.function_pass import MachinePass

from .fused_tiles import write
from .nest_legality import check
from .nest_trees import tree_of
from .overwriting import write_over
from .plan_nest import Plans
from .plan_non_temporal import only_written
from .tile_fusion import check as check_fusion


class SchedulePass(MachinePass):
    """kernel.nest { load; store }  -->  kernel.nest { load; store; schedule.tree {...} }.

    ``target`` names the machine.
    """

    name = "schedule"

    def rewrite(self, function: FuncOp) -> None:
        """Schedule the nests of one function."""
        nests = [o for o in function.body.block.ops if isinstance(o, kernel.NestOp)]
        fusions = [o for o in function.body.block.ops if isinstance(o, TileFusionOp)]
        results = only_written(function)
        plans = Plans(self.machine)
        for nest in nests:
            self._schedule(nest, results, plans)
        for fusion in fusions:
            self._schedule_fusion(fusion, plans)
        scheduled = [*nests, *(nest for fusion in fusions for nest in fusion.nests)]
        if any(nest.has_chain and not is_indirect(nest) for nest in scheduled):
            function.attributes[MACHINE] = StringAttr(self.machine.describe())
        if self.machine.most_copied is not None and write_over(function):
            place_slices(function)
        if not self.machine.has_vectors:
            function.attributes[SCALARS] = UnitAttr()

    def _schedule_fusion(self, fusion: TileFusionOp, plans: Plans) -> None:
        """Schedule the nests of a tile fusion for a whole tile.  Existing schedules stay."""
        check_fusion(fusion)
        block, (first, *_) = write(fusion)
        for nest, tile in first.items():
            self._schedule(tile, (), plans, is_shared=False)
            if not isinstance(nest.body.block.last_op, TreeOp):
                nest.body.block.add_op(tree_of(tile).clone())
        for op in reversed(list(block.ops)):
            op.detach()
            op.erase(safe_erase=False)

    def _schedule(
        self,
        nest: kernel.NestOp,
        results: Collection[SSAValue],
        plans: Plans,
        is_shared: bool = True,
    ) -> None:
        """Schedule a nest; ``results`` are buffers that nothing reads."""
        if is_indirect(nest):
            return
        if isinstance(tree := nest.body.block.last_op, TreeOp):
            check(nest, tree)
        else:
            # Lowerings check it, as they check what is edited by hand.
            nest.body.block.add_op(plans.tree(nest, results, is_shared))
