"""Which loops do enough for threads to share them."""

from __future__ import annotations

from xdsl.ir import Block

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of

THREAD_WORK = 1 << 20
"""Work, in simple operations, below which threads would cost more than they bring: some 20 us."""


def work_of(block: Block) -> int:
    """About what one round of a block costs, a simple operation or access being 1.

    Loops whose extent is not known count as 256.
    """
    total = 0
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            total += _trips(op) * work_of(op.body.block)
        elif isinstance(op, body.ApplyOp):
            total += SCALARS[op.function.data].cost
        elif isinstance(op, loop.LoadOp | loop.StoreOp):
            total += 1
        elif isinstance(op, loop.AccumulateOp):
            total += 2 * (shape_of(op.lanes.type)[0].constant or 1)
    return min(total, THREAD_WORK)


def _trips(op: loop.ForOp) -> int:
    lower, upper, step = op.bounds
    spans = [(end - start).constant for end in _least_of(upper) for start in _least_of(lower)]
    return -(-max((s for s in spans if s is not None), default=256) // step)


def _least_of(e: ex.Expr) -> list[ex.Expr]:
    """The expressions of which a bound is the least."""
    factors = e.terms[0][0] if len(e.terms) == 1 else ()
    if len(factors) == 1 and factors[0].kind == "min" and e.terms[0][1] == 1:
        return [inner for arg in factors[0].args for inner in _least_of(arg)]
    return [e]
