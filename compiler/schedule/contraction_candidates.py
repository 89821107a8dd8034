"""The schedules of a contraction among which a search chooses: those that planners might have made.

Register tiles that cost little, operands in panels or where they lie, and loops in other orders and
blocks.  All are legal, so all have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opc.dialects.budgets import CANDIDATES, ORDERS_EACH
from opc.dialects.schedule import TreeOp
from opc.support.target import Target

from .contraction import Contraction
from .contraction_cost import Costs
from .contraction_loops import CHUNKS
from .contraction_trees import Choice
from .plan_contraction import choose, is_legal, ordered, packings, tiled, tree


@dataclass(frozen=True)
class Candidate:
    """A legal schedule and its estimated cost."""

    tree: TreeOp
    cycles: float


def candidates(c: Contraction, target: Target, chunks: int = CHUNKS) -> list[Candidate]:
    """Legal schedules, that of the planner first, then those of the least estimated costs."""
    planned, costs = choose(c, target, chunks), Costs(target, chunks)
    known, alike = dict[str, Candidate](), dict[object, int]()
    for choice in (planned, *sorted(choices(c, target, chunks), key=costs.cycles)):
        key = choice.contraction.row, choice.tile, choice.packs
        if len(known) == CANDIDATES or alike.get(key, 0) == ORDERS_EACH:
            continue
        candidate = tree(choice, c, target, chunks)
        text = str(candidate)
        if text not in known and is_legal(c, candidate):
            known[text] = Candidate(candidate, costs.cycles(choice))
            alike[key] = alike.get(key, 0) + 1
    return list(known.values())


def choices(c: Contraction, target: Target, chunks: int = CHUNKS) -> Iterator[Choice]:
    """All choices; some have illegal trees: operands that no tile can read where they lie."""
    for first in tiled(choose(c, target, chunks), c, target):
        for choice in (first, *packings(first)):
            for other in ordered(choice):
                yield other.with_widened(target)
