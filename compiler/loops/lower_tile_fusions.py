"""Write the loops of every tile fusion, with the nests of a tile in them.

``schedule.tile_fusion by [1, 36] { nests }  -->  loop.for { loop.for { views; nests of a tile } }``

Nests of a whole tile keep their schedule.  Nests of a partial tile, at the end of the last
dimension, lose it, and so do those that run alone where the condition of a tile fusion does not
hold: schedule-partial-tiles plans them.  Needs schedule.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.rewriter import Rewriter

from opc.dialects import kernel, loop
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import TreeOp
from opc.dialects.tile_fusion import TileFusionOp
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.schedule.fused_tiles import write
from opc.schedule.nest_trees import tree_of
from opc.schedule.tile_fusion import check

from .loop_parts import put_block

NAMES = "tile by tile", "one nest after the other"
"""The versions of a tile fusion with a condition."""


class LowerTileFusionsPass(FunctionPass):
    """schedule.tile_fusion by [1, 36] { nests }  -->  loop.for { loop.for { nests of a tile } }."""

    name = "lower-tile-fusions"

    def rewrite(self, function: FuncOp) -> None:
        """Lower the tile fusions of one function; arrays private to a tile are local to it."""
        fusions = [op for op in function.body.block.ops if isinstance(op, TileFusionOp)]
        for fusion in fusions:
            check(fusion)
        nests = [op for op in walk(function) if isinstance(op, kernel.NestOp)]
        for nest in (nest for nest in nests if not is_indirect(nest)):
            tree_of(nest)  # raises an error without a schedule
        for fusion in fusions:
            block, tiles = write(fusion)
            if fusion.when != 1:
                alone = {nest: nest.clone() for nest in fusion.nests}
                tiles.append(alone)
                versions = block, Block(list(alone.values()))
                block = Block([loop.IfOp.of(fusion.when, [], *versions, NAMES)])
            put_block(block, fusion, fusion.location)
            for tile in tiles:
                for nest, new in tile.items():
                    for op in walk(new):
                        op.location = nest.location
            for new in (new for partial in tiles[1:] for new in partial.values()):
                if isinstance(tree := new.body.block.last_op, TreeOp):
                    Rewriter.erase_op(tree)
            Rewriter.erase_op(fusion)
