"""Which rows are computed in turns: functions of the next one while one is finished.

Exponentials keep multipliers busy, quotients the divider, and results wait for memory; one after
the other, each has nothing to do while the others work.  Of sweeps that compute no functions memory
takes all the time, which is read faster in the order of memory than beside what is written: they go
one after the other.
"""

from __future__ import annotations

from itertools import chain

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse
from opc.dialects.element import F32
from opc.dialects.layout import linearize
from opc.dialects.scalar import REDUCTIONS
from opc.support.target import PARTS, PIPELINED, STAGED, Target

from .cost import has_functions
from .nest import NestFacts

UNKNOWN = STAGED
"""Rows of a block where only a run knows how many there are: a number, since gcc 12 must not make
vectors of loops whose indices have quotients."""


def find_pipeline(facts: NestFacts, target: Target) -> tuple[int, ex.Expr, int] | None:
    """How to pipeline the rows of a nest whose points go one by one; None if it does not pay.

    The number of the sweep of functions, how many rows make a block, and how many values are taken
    in turns.
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
    """How many rows make a block; None if they are too few.  Threads share those of some nests."""
    *others, last = outer.extents
    count = last.constant
    if count is None:
        return ex.const(UNKNOWN)
    rows = count if others or not is_shared else -(-count // PARTS)
    return ex.const(rows) if rows >= PIPELINED else None


def _is_worth_it(front: kernel.SweepOp, back: kernel.SweepOp, target: Target) -> bool:
    """Whether a sweep adds up functions, and a cheap one of as many values follows."""
    length = ex.product(front.extents.data).constant
    is_long = length is None or length >= target.row_in_turns
    return can_go_beside(front, back) and is_long and not has_functions([back])


def can_go_beside(front: kernel.SweepOp, back: kernel.SweepOp) -> bool:
    """Whether a sweep adds up functions in an order, and one of as many values only stores."""
    kinds = [REDUCTIONS[kind.data] for kind in front.kinds if kind.data != kernel.KEEP]
    return (
        has_functions([front])
        and front.lanes_expr is not None
        and not any(row.is_arg for row in kinds)
        and not back.outputs
        and front.extents == back.extents
    )


def are_apart(facts: NestFacts, front: kernel.SweepOp, back: kernel.SweepOp) -> bool:
    """Whether the sweep of functions may go ahead of the last one of the row before.

    That holds if both go along one axis of memory, if nothing is read that the nest writes, and if
    the last one takes of what is kept no more than what the other keeps at the same place, or what
    is kept behind that.
    """
    nest, ops = facts.nest, facts.ops
    rank, extents = len(nest.extents.data), front.extents.data
    here = tuple(ex.dim(rank + k) for k in range(len(extents)))
    inside = chain(front.body.block.ops, back.body.block.ops)
    offsets = [facts.offsets[op] for op in inside if op in facts.offsets]
    offsets += [facts.kept[r][1] for r in front.outputs if r in facts.kept]
    if len(collapse(rank, extents, [*offsets, linearize(here, extents)]).extents) != 1:
        return False
    between, after = ops[ops.index(front) + 1 : ops.index(back)], ops[ops.index(back) + 1 :]
    loads = [op for op in nest.walk() if isinstance(op, kernel.LoadOp)]
    kept = [op for op in loads if isinstance(op.source.owner, kernel.SweepOp)]
    return (
        all(op.source not in nest.targets for op in loads)
        and all(
            op.source.owner in between or (op.source.owner is front and op.index.data == here)
            for op in kept
            if op.parent_op() is back
        )
        and not any(op in after for op in kept)
    )
