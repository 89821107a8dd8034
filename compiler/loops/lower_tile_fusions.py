"""Write the loops of every tile fusion, with the nests of a tile in them.

``schedule.tile_fusion by [1, 36] { nests }  -->  loop.for { loop.for { views; nests of a tile } }``

Nests of a tile keep the schedule that they have in the tile fusion.  Nests of the tail of the last
dimension are scheduled anew, for the points that they have.  Needs schedule.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter

from opc.dialects.tile_fusion import TileFusionOp
from opc.passes.function_pass import MachinePass
from opc.schedule.fused_tiles import write
from opc.schedule.plan_nest import reschedule
from opc.schedule.tile_fusion import check

from .loop_parts import put_block


class LowerTileFusionsPass(MachinePass):
    """See the module's docstring; ``target`` names the machine."""

    name = "lower-tile-fusions"

    def rewrite(self, function: FuncOp) -> None:
        """Lower the tile fusions of one function; arrays private to a tile are local to it."""
        for fusion in [op for op in function.body.block.ops if isinstance(op, TileFusionOp)]:
            check(fusion)
            block, tiles = write(fusion)
            put_block(block, fusion, fusion.location)
            for number, tile in enumerate(tiles):
                for nest, new in tile.items():
                    if number > 0:
                        reschedule(new, self.machine)
                    for op in new.walk():
                        op.location = nest.location
            Rewriter.erase_op(fusion)
