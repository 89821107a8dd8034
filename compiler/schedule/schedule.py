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
from opc.dialects.band import BandOp
from opc.dialects.buffer import MACHINE
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.function_pass import MachinePass

from .band_tiles import write
from .bands import check as check_band
from .bands import dissolve
from .contraction import analyse
from .legality import check
from .nest_legality import check as check_nest
from .plan_contraction import plan
from .plan_nest import plan_nest
from .streams import only_written


class SchedulePass(MachinePass):
    """See the module's docstring; ``target`` names the machine."""

    name = "schedule"

    def rewrite(self, function: FuncOp) -> None:
        """Schedule the nests of one function."""
        nests = [o for o in function.body.block.ops if isinstance(o, kernel.NestOp)]
        bands = [o for o in function.body.block.ops if isinstance(o, BandOp)]
        results = only_written(function)
        found = [self._schedule(nest, results) for nest in nests]
        found += [self._schedule_band(band, results) for band in bands]
        if any(found):
            machine = self.machine.describe()
            function.attributes[MACHINE] = StringAttr(machine)

    def _schedule_band(self, band: BandOp, results: Collection[SSAValue]) -> bool:
        """Schedule the nests of a band for a tile, if that is legal for a part of one, too.

        If it is not, the nests go one after the other.  One that has schedules keeps these.
        """
        check_band(band)
        block, (first, *others) = write(band)
        found = [self._schedule(tile, (), is_shared=False) for tile in first.values()]
        trees = {
            nest: tree.clone()
            for nest, tile in first.items()
            if isinstance(tree := tile.body.block.last_op, TreeOp)
            and not isinstance(nest.body.block.last_op, TreeOp)
        }
        fits = all(
            _is_legal(part[nest], tree)
            for part in others
            for nest, tree in trees.items()
            if nest.has_chain
        )
        for op in reversed(list(block.ops)):
            op.detach()
            op.erase(safe_erase=False)
        if not fits:
            nests = dissolve(band)
            return any([self._schedule(nest, results) for nest in nests])
        for nest, tree in trees.items():
            nest.body.block.add_op(tree)
        return any(found)

    def _schedule(
        self, nest: kernel.NestOp, results: Collection[SSAValue], is_shared: bool = True
    ) -> bool:
        """Schedule a nest; whether what is best depends on the machine.

        ``results`` are buffers that nothing reads.
        """
        machine, contraction = self.machine, analyse(nest)
        tree = nest.body.block.last_op
        if contraction is None:
            if is_indirect(nest):
                return False
            if not isinstance(tree, TreeOp):
                nest.body.block.add_op(tree := plan_nest(nest, machine, results))
            check_nest(nest, tree)
            return False
        if not isinstance(tree, TreeOp):
            tree = plan(contraction, machine, is_shared)
            nest.body.block.add_op(tree)
        check(contraction, tree)
        return True


def _is_legal(nest: kernel.NestOp, tree: TreeOp) -> bool:
    """Whether a schedule is legal for a part of a tile that it was planned for."""
    contraction = analyse(nest)
    if contraction is None:
        return False
    try:
        check(contraction, tree)
    except InputError:
        return False
    return True
