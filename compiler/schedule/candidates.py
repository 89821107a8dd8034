"""The schedules of a nest among which a search chooses: those that planners might have made.

Of contractions: register tiles that cost little, operands in panels or where they lie, panels that
are prefetched or not, and loops in other orders and blocks.  Of sweeps: points one by one, in
blocks side by side, row by row in blocks, or in a pipeline; and loops over lanes that take 1, 2, 4
or 8 values of each, or staged ones.  All are legal, so all have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.budgets import BLOCKS, CANDIDATES, ORDERS_EACH, ROWS
from opc.dialects.order import GROUP, PARTS
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.support.target import STAGED, Target

from .contraction import Contraction
from .contraction_cost import Costs
from .contraction_loops import CHUNKS
from .contraction_trees import Choice
from .nest import NestFacts
from .nest_legality import check
from .plan_contraction import choose, is_legal, ordered, packings, tiled, tree
from .plan_reduce import PointLoops, loops_over, plan_reduce, points_for
from .sweep_loops import SweepLoops


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
    planned = choose(c, target, chunks)
    yield replace(planned, prefetches=False)
    for first in tiled(planned, c, target):
        for choice in (first, *packings(first)):
            for other in ordered(choice):
                yield other.with_widened(target)


OVER_LANES = (
    *(SweepLoops(rows=rows) for rows in PARTS),
    SweepLoops(rows=GROUP, is_staged=True),
)
"""Loops over the lanes of a sum."""


def sweep_candidates(nest: kernel.NestOp, target: Target) -> list[Candidate]:
    """Legal schedules, that of the planner first; no other for extents that are unknown.

    No cost is estimated.
    """
    trees = {str(tree): tree for tree in [TreeOp.of(Block(plan_reduce(nest, target)))]}
    planned, others = points_for(NestFacts(nest), target), list(_points(NestFacts(nest)))
    choices: list[tuple[PointLoops, SweepLoops | None]] = [(planned, lanes) for lanes in OVER_LANES]
    choices += [(points, None) for points in others]
    choices += [(points, lanes) for lanes in OVER_LANES for points in others]
    for points, lanes in choices if is_known(nest) else []:
        if len(trees) == CANDIDATES:
            break
        tree = TreeOp.of(Block(loops_over(NestFacts(nest), points, target, lanes)))
        try:
            check(nest, tree)
        except InputError:
            continue
        trees.setdefault(str(tree), tree)
    return [Candidate(tree, 0.0) for tree in trees.values()]


def is_known(nest: kernel.NestOp) -> bool:
    """Whether all extents are numbers."""
    extents = [*nest.extents.data, *(e for sweep in nest.sweeps for e in sweep.extents.data)]
    return all(e.constant is not None for e in extents)


def _points(facts: NestFacts) -> Iterator[PointLoops]:
    """Loops over points, legal or not."""
    extents = facts.outer.extents
    last = (extents[-1].constant or 1) if extents else 1
    for size in BLOCKS:
        if size <= last:
            yield PointLoops((ex.const(size),))
            yield PointLoops((ex.const(size),), is_transposed=True)
    for rows in ROWS:
        if rows <= last:
            yield PointLoops((ex.const(rows),), by_rows=True)
            for front in range(len(facts.sweeps) - 1):
                yield PointLoops((ex.const(rows),), pipeline=(front, STAGED))
