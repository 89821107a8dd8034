"""Choose which points of a nest with sweeps go together: one, or a block; or a pipeline of rows.

One point at a time, whose segments fill vectors; a block of points that are contiguous in memory; a
few points whose scans are interleaved; or a block of points whose short rows are transposed first.
"""

from __future__ import annotations

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.element import F32
from opc.dialects.kernel import prefixes_of
from opc.kernels.materialized_values import find_outputs
from opc.support.target import (
    INTERLEAVED,
    PARTS,
    PIPELINED,
    SHORT,
    STAGED,
    TURNED_POINTS,
    VECTOR,
    Target,
)

from .cost import even_part
from .nest import NestFacts, has_functions
from .point_blocks import fits_block, most_lanes
from .sweep_orders import are_apart, can_go_beside


def points_of_block(facts: NestFacts, target: Target) -> tuple[int, bool]:
    """Points of a block, and whether their rows are transposed."""
    outer, cells = facts.outer, target.totals
    if not outer.extents:
        return 1, False
    if facts.has_one is not None:
        if not facts.has_one and not fits_block(facts):
            return 1, False
        return cells // widest_of(facts), False
    last = outer.extents[-1].constant
    lanes = max(most_lanes(facts, sweep) for sweep in facts.sweeps)
    lengths = [ex.product(s.extents.data).constant or facts.most for s in facts.sweeps]
    known = [n for n in lengths if n is not None]
    is_known = len(known) == len(lengths)
    if runs_across(facts):
        most = max(VECTOR, cells // lanes // widest_of(facts))
        return even_blocks(most, outer.extents[-1]), False
    if any(map(prefixes_of, facts.sweeps)):
        return (INTERLEAVED if last is None else min(INTERLEAVED, last)), False
    if is_known and max(known) <= SHORT and (last is None or last >= VECTOR):
        most = transposed_points(target, max(known))
        return even_blocks(most, outer.extents[-1]), True
    return 1, False


def transposed_points(target: Target, longest: int) -> int:
    """Points of a block whose rows, of at most ``longest`` values, are transposed."""
    points = target.transposed_rows // max(1, longest)
    return min(TURNED_POINTS, max(VECTOR, points // VECTOR * VECTOR))


def rows_of_block(facts: NestFacts) -> int:
    """How many short rows each sweep takes before the next sweep begins; 1 if that gains nothing.

    ::

        for i { sweep 0; m = f(sum); sweep 1 }
          -->
        for b by 16 { for i < 16 { sweep 0 }; for i < 16 { m[i] = f(sum[i]) };
                      for i < 16 { sweep 1 } }

    The next sweep waits some forty cycles for additions of lanes, and for roots and functions of
    the sum; other rows do not.  Layer norms of rows of 40, 64, 100 and 128 values take 0.74, 0.72,
    0.79 and 0.79 of the time in caches, and 0.74 to 0.86 beyond.  Longer rows leave memory idle
    while a block is finished: 200, 384 and 768 values, beyond caches, took 1.4 to 1.6 times as
    long.  So did rows that are only divided by a sum (1.2 times).  Values kept for a later sweep
    would be kept for each row.
    """
    applied = [op for op in facts.ops if isinstance(op, body.ApplyOp)]
    waits = any(op.is_expensive or op.function.data == "sqrt" for op in applied)
    keeps = any(sweep.kept() for sweep in facts.sweeps)
    if not facts.axes or len(facts.sweeps) < 2 or keeps or not waits:
        return 1
    last = facts.outer.extents[-1].constant
    return VECTOR if last is None else min(VECTOR, last)


def runs_across(facts: NestFacts) -> bool:
    """Whether more accesses of the sweeps jump along the segments than along the last axis.

    An access that jumps costs a cache line with each step, one that stays costs nothing.
    """
    kept = {
        result
        for sweep in facts.sweeps
        for result, kind in zip(sweep.outputs, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    }
    if not find_outputs(facts.nest, True).keys() >= kept:
        return False
    jumps, contiguous, outer = 0, 0, facts.outer
    last = len(outer.extents) - 1
    for op in (op for sweep in facts.sweeps for op in sweep.body.block.ops):
        if not isinstance(op, kernel.LoadOp | kernel.StoreOp):
            continue
        if isinstance(op, kernel.LoadOp) and op.source in kept:
            continue
        offset = facts.offsets[op]
        along = offset.coefficient(len(kernel.scope(op)) - 1)
        across = offset.substitute(outer.places).coefficient(last)
        jumps += (along not in (0, 1)) - (across not in (0, 1))
        contiguous += (across == 1) - (along == 1)
    return jumps > 0 or (jumps == 0 and contiguous > 0)


def even_blocks(most: int, extent: ex.Expr) -> int:
    """A size of blocks that leaves no small one at the end of a known extent."""
    total = extent.constant
    is_one = total is not None and total <= most
    return max(1, total or 0) if is_one else even_part(extent, most, VECTOR)


def widest_of(facts: NestFacts) -> int:
    """The widest value that is reduced or scanned, in units of 4 bytes."""
    values = (v for s in facts.sweeps for v in (*s.yielded, *(p.value for p in prefixes_of(s))))
    return max(1, max((scalar_type(v).bytes for v in values), default=4) // 4)


UNKNOWN = STAGED
"""Rows of a block if the number of rows is unknown.  It is no expression, since gcc 12 must not
vectorize loops whose indices have quotients."""


def find_pipeline(facts: NestFacts, target: Target) -> tuple[int, ex.Expr, int] | None:
    """How to pipeline the rows of a nest whose points go one by one; None if it does not pay.

    Functions of row i + 1 are computed while row i is finished: exponentials keep multipliers busy,
    quotients the divider, and stores wait for memory.  Sweeps without expensive functions wait for
    memory only, which is read faster in order than beside stores: they are not pipelined.
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
