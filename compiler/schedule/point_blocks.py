"""Which points of a nest with sweeps may form a block: lanes, and axes contiguous in memory."""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.support.target import VECTOR

from .nest import NestFacts


def unknown_lanes(facts: NestFacts, op: kernel.SweepOp) -> ex.Expr | None:
    """The lanes of a sweep if known at run time only; a single value has one lane."""
    lanes = facts.lanes[op]
    if lanes is None or lanes.constant is not None or ex.product(op.extents.data) == 1:
        return None
    return lanes


def has_many_columns(facts: NestFacts) -> bool:
    """Whether the number of columns is known, and so large that sums down them have one lane.

    Without rows the number of lanes is another one, but then nothing is computed.
    """
    if not facts.axes or not fits_block(facts):
        return False
    columns = facts.outer.extents[-1]
    return columns.constant is not None and order.lanes(columns, el.F32) == 1


def most_lanes(facts: NestFacts, sweep: kernel.SweepOp) -> int:
    """The most lanes of a sweep that have a value."""
    lanes_expr = facts.lanes[sweep]
    lanes = 1 if lanes_expr is None else lanes_expr.constant or order.LANES
    n = ex.product(sweep.extents.data).constant
    return lanes if n is None else min(lanes, 1 << max(0, n - 1).bit_length())


def narrow_of(facts: NestFacts) -> int:
    """The extent of the last axis if it fills no vector, but does with the axis before it; else 1.

    A broadcast keeps the two apart: of ``x[j, p, k] - b[j, p]`` down j, memory runs along p and k.
    """
    outer = facts.outer
    *others, last = outer.extents
    n, before = last.constant, others[-1].constant if others else 0
    if n is None or not 1 < n < VECTOR or (before is not None and before < n):
        return 1
    k = len(others)
    offsets = [e.substitute(outer.places) for e in facts.offsets.values()]
    steps = [(e.coefficient(k - 1), e.coefficient(k)) for e in offsets]
    if any(step not in ((n, 1), (1, 0), (0, 0), (0, 1)) for step in steps):
        return 1
    return n if all(most_lanes(facts, sweep) == 1 for sweep in facts.sweeps) else 1


def fits_block(facts: NestFacts) -> bool:
    """Whether lanes known at run time only, times the points of a block, are at most LANES.

    That holds if the lanes follow from the points along the last axes.  It does not if memory goes
    on from these points to others, so that a row has more points than a block.
    """
    unknown = {lanes for s in facts.sweeps if (lanes := unknown_lanes(facts, s)) is not None}
    outer = facts.outer
    points = [ex.product(outer.extents[k:]) for k in range(len(outer.extents))]
    return unknown <= {order.lanes(n, type) for n in points for type in (el.F32, el.F64)}
