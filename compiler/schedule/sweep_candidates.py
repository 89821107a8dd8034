"""The schedules of a nest with sweeps among which a search chooses.

Points one by one, in blocks side by side, row by row in blocks, or in a pipeline; and loops over
lanes that take 1, 2, 4 or 8 values of each, or staged ones.  All are legal, so all have the same
bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.budgets import BLOCKS, CANDIDATES, ROWS
from opc.dialects.order import GROUP, PARTS
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.support.target import STAGED, Target

from .contraction_candidates import Candidate
from .nest import NestFacts
from .nest_legality import check
from .plan_reduce import PointLoops, loops_over, plan_reduce, points_for
from .sweep_loops import SweepLoops

OVER_LANES = (
    *(SweepLoops(rows=rows) for rows in PARTS),
    SweepLoops(rows=GROUP, is_staged=True),
)
"""Loops over the lanes of a sum."""


def candidates(nest: kernel.NestOp, target: Target) -> list[Candidate]:
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
