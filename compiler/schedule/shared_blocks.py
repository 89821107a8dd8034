"""Contractions whose blocks of the chain threads share.

The sum of each block is kept, and added to the totals in order::

    schedule.for [d2] by 512 parallel {          // blocks, and heads: one loop for threads
      schedule.for [d0] by 1 parallel {
        schedule.for [d1] by 64 serial {
          init, step, finish                     // a sum of products for each result of a tile
    }}}
    schedule.for [d0] by 1 parallel {
      schedule.for [d1] by 64 serial {
        schedule.run start                       // the sums of all blocks, added up in order
        out
    }}
"""

from __future__ import annotations

from xdsl.ir import Block

from opc.dialects.schedule import ROTATING, ForOp, PackOp, PadOp, TreeOp
from opc.dialects.schedule_nests import axis_text
from opc.dialects.tile_fusion import TileFusionOp
from opc.dialects.walking import walk

from .contraction import Contraction
from .nest_trees import fail, path, stages_of


def shared_blocks(tree: TreeOp) -> ForOp | None:
    """The loop over blocks of the chain in front of those over totals; None if there is none."""
    runs = {op.stage.data: op for op in stages_of([tree])}
    if [name for name in runs if name in ("init", "start")] != ["init", "start"]:
        return None
    loops = path(runs["init"])
    return next((op for op in loops if not op.is_ancestor(runs["start"])), None)


def joined(c: Contraction, tree: TreeOp) -> TreeOp:
    """The schedule with the blocks of each tile in it, which computes the same sums.

    Raises InputError if tiles of blocks and totals differ, or if sums cannot be kept.
    """
    tree = tree.clone()
    blocks = shared_blocks(tree)
    assert blocks is not None
    totals = blocks.next_op
    runs = {op.stage.data: op for op in stages_of([tree])}
    around, own = path(blocks), path(runs["init"])
    tile = own[len(around) + 1 :]
    again = path(runs["start"])[len(around) :]
    # schedule_c45: behind blocks that threads share are loops over the same tiles, for totals.
    shapes = [[(op.axis, op.size) for op in loops] for loops in (tile, again)]
    if not isinstance(totals, ForOp) or shapes[0] != shapes[1]:
        raise fail("found other loops around start than around init, expected the same tiles")
    others = [op for op in around if op.kind.data != "serial"]
    is_kept = len(c.reduced) == 1 and c.around is None
    is_plain = not any(isinstance(op, PackOp) and op.lanes is not None for op in walk(tree))
    is_plain &= not any(isinstance(op, ForOp) and op.kind.data == ROTATING for op in walk(tree))
    # schedule_c46: the sums of all blocks are kept, in serial loops of a nest of its own.
    if others or not is_kept or not is_plain or isinstance(c.nest.parent_op(), TileFusionOp):
        raise fail(
            f"found blocks along {axis_text(blocks.axis)} around tiles, expected serial loops "
            "around them, one contracted axis, and no stored panels",
            blocks,
        )
    parent = runs["init"].parent
    assert parent is not None
    own_tile = list(parent.ops)
    copies = [op for op in walk(blocks) if isinstance(op, PackOp | PadOp)]
    body = [op for op in copies if not any(o.is_ancestor(op) for o in own_tile)]
    body += own_tile
    for op in body:
        op.detach()
    blocks.detach()
    loop = ForOp.of(blocks.axis, blocks.size, "serial", [])
    loop.body.block.add_ops(body)
    start = runs["start"].parent
    assert isinstance(start, Block)
    start.insert_op_after(loop, runs["start"])
    return tree
