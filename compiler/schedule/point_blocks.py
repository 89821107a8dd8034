"""Which points of a nest with sweeps may form a block: lanes, and axes that go on in memory."""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.support.target import VECTOR

from .nest import NestFacts


def unknown_lanes(facts: NestFacts, op: kernel.SweepOp) -> ex.Expr | None:
    """The lanes of a sweep that only a run knows; a single value is in one lane."""
    found = facts.lanes[op]
    if found is None or found.constant is not None or ex.product(op.extents.data) == 1:
        return None
    return found


def has_many_columns(facts: NestFacts) -> bool:
    """Whether there are so many columns, known when compiling, that sums down them have one lane.

    Only where there are no rows is it another number of lanes, and nothing is computed then.
    """
    if not facts.axes or not fits_block(facts):
        return False
    columns = facts.outer.extents[-1]
    return columns.constant is not None and order.lanes(columns, el.F32) == 1


def most_lanes(facts: NestFacts, sweep: kernel.SweepOp) -> int:
    """The most lanes of a sweep that have a value."""
    found = facts.lanes[sweep]
    lanes = 1 if found is None else found.constant or order.LANES
    n = ex.product(sweep.extents.data).constant
    return lanes if n is None else min(lanes, 1 << max(0, n - 1).bit_length())


def narrow_of(facts: NestFacts) -> int:
    """The extent of the last dimension if it fills no vector, and the one before it does besides.

    A broadcast keeps them apart: of ``x[j, p, k] - b[j, p]`` down j, memory runs along p and k.
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
    """Whether unknown lanes times points of a block are at most LANES.

    They are if the lanes follow from these points: C of them, or C in all with further dimensions.
    They do not if memory runs on from these to others, so that more points than C are in a row.
    """
    found = {lanes for s in facts.sweeps if (lanes := unknown_lanes(facts, s)) is not None}
    outer = facts.outer
    kept = [ex.product(outer.extents[k:]) for k in range(len(outer.extents))]
    return found <= {order.lanes(c, type) for c in kept for type in (el.F32, el.F64)}
