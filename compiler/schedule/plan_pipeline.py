"""Choose which rows are pipelined: functions of row i + 1 are computed while row i is finished.

Exponentials keep multipliers busy, quotients the divider, and stores wait for memory; one after the
other, each leaves the others idle.  Sweeps without expensive functions wait for memory only, which
is read faster in order than beside stores: they are not pipelined.
"""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.element import F32
from opc.support.target import PARTS, PIPELINED, STAGED, Target

from .nest import NestFacts, has_functions
from .row_pipelines import are_apart, can_go_beside

UNKNOWN = STAGED
"""Rows of a block if the number of rows is unknown.  It is no expression, since gcc 12 must not
vectorize loops whose indices have quotients."""


def find_pipeline(facts: NestFacts, target: Target) -> tuple[int, ex.Expr, int] | None:
    """How to pipeline the rows of a nest whose points go one by one; None if it does not pay.

    The number of the sweep of functions, the rows of a block, and the values taken in turns.
    """
    if len(facts.sweeps) < 2 or not facts.axes:
        return None
    *others, back = facts.sweeps
    front = next((s for s in reversed(others) if _is_worth_it(s, back, target)), None)
    is_shared = not isinstance(facts.nest.parent_op(), loop.ForOp)
    rows = _rows_of_block(facts.outer, is_shared)
    if rows is None or front is None or not are_apart(facts, front, back):
        return None
    widest = max(F32.bytes, *(scalar_type(value).bytes for value in front.yielded))
    return others.index(front), rows, target.turns * F32.bytes // widest


def _rows_of_block(outer: Collapsed, is_shared: bool) -> ex.Expr | None:
    """The rows of a block; None if there are too few.  Threads may share the blocks."""
    *others, last = outer.extents
    count = last.constant
    if count is None:
        return ex.const(UNKNOWN)
    rows = count if others or not is_shared else -(-count // PARTS)
    return ex.const(rows) if rows >= PIPELINED else None


def _is_worth_it(front: kernel.SweepOp, back: kernel.SweepOp, target: Target) -> bool:
    """Whether a sweep reduces expensive functions, and a cheap one of as many values follows."""
    length = ex.product(front.extents.data).constant
    is_long = length is None or length >= target.row_in_turns
    return can_go_beside(front, back) and is_long and not has_functions([back])
