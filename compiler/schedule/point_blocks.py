"""Which points of a nest with sweeps may form a block: lanes, and axes contiguous in memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.dialects.schedule import ForOp, PackRowsOp, PipelineOp
from opc.kernels.materialized_values import find_outputs
from opc.support.target import VECTOR

from .nest import NestFacts
from .nest_trees import assumed, conditions, most_of
from .sweeps import Block


def unknown_lanes(facts: NestFacts) -> set[ex.Expr]:
    """The lanes of sweeps that are known at run time only; a single value has one lane."""
    several = (op for op in facts.sweeps if ex.product(op.extents.data) != 1)
    lanes = (facts.lanes[op] for op in several)
    return {count for count in lanes if count is not None and count.constant is None}


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
    outer = facts.outer
    points = [ex.product(outer.extents[k:]) for k in range(len(outer.extents))]
    return unknown_lanes(facts) <= {
        order.lanes(n, type) for n in points for type in (el.F32, el.F64)
    }


def has_one_lane(facts: NestFacts, op: Operation) -> bool | None:
    """Whether the versions around an operation are for one lane, of an unknown number.

    None if the number of lanes is known, or without sums.
    """
    if not (unknown := unknown_lanes(facts)):
        return None
    is_one = ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)
    if any(e == is_one and is_true for e, is_true in conditions(op)):
        return True
    if not facts.axes or not fits_block(facts):
        return False
    if has_many_columns(facts):
        return True
    columns = facts.outer.extents[-1]
    bounds = [n for x, n, is_least in assumed(op) if x == columns and is_least]
    return any(order.lanes(ex.const(n), el.F32) == 1 for n in bounds)


def assume(facts: NestFacts, loops: Sequence[ForOp], first: Operation) -> Block:
    """Set the facts that hold in the version with these loops, and ``first`` in them.

    Returns the block of points of the loops.
    """
    is_packed = isinstance(first, PackRowsOp)
    sizes = [1 if isinstance(first, PipelineOp | ForOp) else op.step for op in loops]
    facts.has_one = has_one_lane(facts, first)
    facts.most = longest(facts, first) if is_packed else None
    facts.keep({} if is_packed else find_outputs(facts.nest, any(n != 1 for n in sizes)))
    return Block(facts.space([op.axis for op in loops]).extents, sizes, facts.has_one)


def longest(facts: NestFacts, op: Operation) -> int | None:
    """The most values of rows of unknown length, by the versions around an operation."""
    lengths = {ex.product(s.extents.data) for s in facts.sweeps}
    bounds = [most_of(n, assumed(op)) for n in lengths if n.constant is None]
    return max((n for n in bounds if n is not None), default=None) if None not in bounds else None
