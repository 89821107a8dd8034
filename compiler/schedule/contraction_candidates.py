"""The schedules of a contraction among which a search chooses: those that planners might have made.

Register tiles that cost little, operands in panels or where they lie, and loops in other orders and
blocks.  All are legal, so all have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opc.dialects.budgets import CANDIDATES, TILES
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.support.target import Target

from .contraction import Contraction
from .contraction_loops import CHUNKS, other_loops
from .contraction_trees import Choice
from .legality import check
from .plan_contraction import choose, packed, tree
from .tiles import Tile, tiles_for


def candidates(c: Contraction, target: Target, chunks: int = CHUNKS) -> list[TreeOp]:
    """Legal schedules of the least estimated costs; that of the planner is the first."""
    planned = choose(c, target, chunks)
    trees: dict[str, TreeOp] = {}
    for choice in (planned, *_choices(c, planned, target, chunks)):
        if len(trees) == CANDIDATES:
            break
        candidate = tree(choice, c, target, chunks)
        text = str(candidate)
        if text not in trees and _is_legal(c, candidate):
            trees[text] = candidate
    return list(trees.values())


def _is_legal(c: Contraction, tree: TreeOp) -> bool:
    try:
        check(c, tree)
    except InputError:
        return False
    return True


def _choices(c: Contraction, planned: Choice, target: Target, chunks: int) -> Iterator[Choice]:
    """Choices in the order of their costs."""
    group = planned.group
    first = planned.contraction, planned.tile
    tiles = [first, *(t for t in tiles_for(c, target, group == 1) if t != first)]
    for d, tile in tiles[:TILES]:
        for packs in _packs(d, tile, group, target):
            for loops, depth in other_loops(d, tile, target, "left" in packs, chunks):
                yield replace(
                    planned, contraction=d, tile=tile, packs=packs, loops=loops, depth=depth
                )


def _packs(c: Contraction, tile: Tile, group: int, target: Target) -> list[frozenset[str]]:
    """The operands in panels: as planned, or one more or less."""
    planned = packed(c, tile, group, target)
    operands = ("left",) if tile.is_transposed else ("left", "right")
    return [planned, *(planned ^ {name} for name in operands)]
