"""Rows that sweeps take one after the other, several of them before the next sweep begins.

::

    for i { sweep 0; m = f(sum); sweep 1 }
      -->
    for b by 16 { for i < 16 { sweep 0 }; for i < 16 { m[i] = f(sum[i]) }; for i < 16 { sweep 1 } }

The next sweep waits for some forty cycles of additions of lanes, each of which waits for the one
before, and for roots and functions of the sum; other rows do not.  Layer norms of rows of 40, 64,
100 and 128 values take 0.74, 0.72, 0.79 and 0.79 of the time in caches, and 0.74 to 0.86 beyond.
What is computed of sums goes in vectors then.  Of longer rows memory would have nothing to do while
a block is finished: of 200, 384 and 768 values, beyond caches, they took 1.4 to 1.6 times as long.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from opc.dialects import body
from opc.dialects.schedule import ForOp
from opc.dialects.schedule_nests import axis_text
from opc.support.target import VECTOR

from .nest import NestFacts
from .nest_trees import fail, inside


def rows_of_block(facts: NestFacts) -> int:
    """How many short rows of a nest make a block, 1 where that gains nothing.

    That is where no sweep waits for a root or a function: rows that are just divided by a sum took
    1.2 times as long.  What is kept for a later sweep would be kept for each row.
    """
    applied = [op for op in facts.ops if isinstance(op, body.ApplyOp)]
    waits = any(op.is_expensive or op.function.data == "sqrt" for op in applied)
    if not facts.axes or len(facts.sweeps) < 2 or _keep(facts) or not waits:
        return 1
    last = facts.outer.extents[-1].constant
    return VECTOR if last is None else min(VECTOR, last)


def _keep(facts: NestFacts) -> bool:
    """Whether sweeps keep values."""
    return any(sweep.kept() for sweep in facts.sweeps)


def row_by_row(facts: NestFacts, runs: Sequence[IRDLOperation]) -> list[IRDLOperation]:
    """The stages of a nest in a block of rows."""
    *sweeps, out = runs
    return [*(ForOp.of(facts.axes[-1], 1, "serial", [run]) for run in sweeps), out]


def check_rows(
    facts: NestFacts, loops: Sequence[ForOp], ops: Sequence[Operation]
) -> list[Operation]:
    """The stages in loops over the rows of a block.  InputError unless there are such loops."""
    *around, block = loops
    # nest_schedule_c33: a block has a known number of rows, of which sums have known lanes.
    shown = axis_text(block.axis)
    if any(op.size != 1 for op in around) or not block.step or facts.has_one is not None:
        raise fail(f"no block of rows is one of {block.size} along {shown}", block)
    *rows, out = ops
    for op in rows:
        loop = (op.axis, op.step, op.kind.data) if isinstance(op, ForOp) else None
        # nest_schedule_c34: each sweep stands in a loop of its own over the rows of the block.
        if loop != (block.axis, 1, "serial") or len(inside(op)) != 1:
            raise fail(f"found {op.name}, expected a serial loop by 1 along {shown}", op)
    # nest_schedule_c35: no sweep keeps a row, since others come before the next sweep.
    if _keep(facts):
        raise fail("a sweep that takes rows of a block one after the other keeps values", block)
    return [*(inside(op)[0] for op in rows), out]
