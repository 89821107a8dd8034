"""The schedules of a contraction among which a search chooses: those that planners might have made.

Register tiles that cost little, operands in panels or where they lie, and loops in other orders and
blocks.  All are legal, so all have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opc.dialects.budgets import CANDIDATES, ORDERS_EACH, TILES
from opc.dialects.schedule import Axis, TreeOp
from opc.support.target import Target

from .contraction import Contraction
from .contraction_cost import ContractionCost
from .contraction_loops import CHUNKS
from .contraction_trees import Choice
from .plan_contraction import choose, is_legal, tree, variations
from .stored import stored_parts
from .tiles import tiles_for


def candidates(c: Contraction, target: Target, chunks: int = CHUNKS) -> list[TreeOp]:
    """Legal schedules, that of the planner first, then those of the least estimated costs."""
    planned = choose(c, target, chunks)
    costs: dict[Axis | None, ContractionCost] = {}

    def cost(choice: Choice) -> float:
        row = choice.contraction.row
        if row not in costs:
            costs[row] = ContractionCost(choice.contraction, target)
        return costs[row].cycles(choice)

    trees: dict[str, TreeOp] = {}

    alike: dict[object, int] = {}
    for choice in (planned, *sorted(choices(c, target, chunks), key=cost)):
        key = choice.contraction.row, choice.tile, choice.packs
        if len(trees) == CANDIDATES or alike.get(key, 0) == ORDERS_EACH:
            continue
        candidate = tree(choice, c, target, chunks)
        text = str(candidate)
        if text not in trees and is_legal(c, candidate):
            trees[text] = candidate
            alike[key] = alike.get(key, 0) + 1
    return list(trees.values())


def choices(c: Contraction, target: Target, chunks: int = CHUNKS) -> Iterator[Choice]:
    """All choices, with the tiles of the least costs for each number of columns.

    Some have illegal trees: operands that no tile can read where they lie.
    """
    planned = choose(c, target, chunks)
    group, seen = planned.group, dict[object, int]()
    for d, tile in tiles_for(c, target, group == 1):
        key = d.row, tile.columns
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > TILES:
            continue
        stored = None if stored_parts(d, target) is None else tile.columns
        choice = replace(planned, contraction=d, tile=tile, stored=stored)
        yield from variations(choice, target)
