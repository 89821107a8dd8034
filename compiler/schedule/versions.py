"""What a version of a nest that reduces may take for granted: numbers of lanes and of values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import order
from opc.dialects.schedule import ForOp, PackRowsOp, PipelineOp
from opc.kernels.materialized_values import find_outputs

from .nest import NestFacts
from .nest_trees import assumed, conditions, most_of
from .plan_points import fits_block, has_many_columns, unknown_lanes
from .sweeps import Block


def has_one_lane(facts: NestFacts, op: Operation) -> bool | None:
    """Whether the versions around an operation are for one lane where only a run knows how many.

    None where that is known: of sums in a known number of lanes, or of none.
    """
    unknown = {lanes for s in facts.sweeps if (lanes := unknown_lanes(facts, s)) is not None}
    if not unknown:
        return None
    is_one = ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)
    if any(e == is_one and is_true for e, is_true in conditions(op)):
        return True
    if not facts.axes or not fits_block(facts):
        return False
    if has_many_columns(facts):
        return True
    columns = facts.outer.extents[-1]
    known = [n for x, n, is_least in assumed(op) if x == columns and is_least]
    return any(order.lanes(ex.const(n), el.F32) == 1 for n in known)


def assume(facts: NestFacts, loops: Sequence[ForOp], first: Operation) -> Block:
    """Let a nest be what it is in the version with these loops and this first operation in them.

    The block of points that the loops make.
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
    found = [most_of(n, assumed(op)) for n in lengths if n.constant is None]
    return max((n for n in found if n is not None), default=None) if None not in found else None
