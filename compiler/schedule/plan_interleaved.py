"""Rows of which a few neighbours come from places that are apart, as after a pixel shuffle.

``y[2*q + p] = x[p, q]``: vectors go along q, in a loop in which all p are written out, so that
compilers load a vector for each and put their values next to each other in registers.

A pixel shuffle takes 0.1 to 0.5 of the time so.
"""

from __future__ import annotations

from xdsl.irdl import IRDLOperation

from opc.dialects.schedule import ForOp, RunOp
from opc.support.target import PHASES, VECTOR

from .nest import NestFacts
from .nest_trees import in_threads


def has_phases(facts: NestFacts) -> bool:
    """Whether points along the last axis are few neighbours of what the axis before goes along."""
    extents = [e.constant for e in facts.outer.extents]
    if len(extents) < 2 or not facts.stores:
        return False
    *_, row, few = extents
    if few is None or few > PHASES or (row is not None and row < VECTOR):
        return False
    steps = [facts.steps(op)[-2:] for op in facts.loads]
    return (
        all(facts.steps(op)[-2:] == [few, 1] for op in facts.stores)
        and any(row == 1 and each != 0 for row, each in steps)
        and all(row in (0, 1, few) for row, _ in steps)
    )


def plan_phases(facts: NestFacts) -> list[IRDLOperation]:
    """The loops: vectors of neighbours, which are written out."""
    *around, row, few = facts.axes
    ops = [ForOp.of(row, 1, "vector", [ForOp.of(few, 1, "unroll", [RunOp.of("out")])])]
    return in_threads([(axis, 1) for axis in around], ops)
