"""Lower a sweep over a segment, for a block of points: groups, blocks and lanes, as the order says.

A group is 8 values of each lane, which are combined pairwise (``rows``, ``staging``).  16 groups
are a block; a tree adds the totals of blocks (``cascade``).  At the end, lanes are added by
halving.  A sum of rows of 10000::

    for b in 0 to 10000 by 8192
      next level
      for g in b to min(b + 8192, 9728) by 512
        for m in 0 to 64 vector { acc[m] += ((x[g + m] + x[g + m + 64]) + ...) + ... }
      tail
    finish the tree
    y = combine acc

Reductions that need no order take one value after the other (``values``), and so do totals up to
each value (``scan``).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.order import GROUP, GROUPS, LANES
from opc.schedule.sweep_loops import has_groups

from .accumulators import Total
from .cascade import Cascade, take_chunks
from .insertion import ZERO, Insertion
from .points import Points
from .reduce_rows import rows_of, take_rows
from .scan import hand_on
from .staging import take_group, take_staged
from .sweep import Beside, Sweep
from .unordered_reductions import (
    locate_each,
    search_blocks,
    store_each,
    take_apart,
    take_at_once,
    take_each,
    take_few,
)


def lower_all(points: Points, ops: Iterable[Operation], by_rows: bool = False) -> None:
    """Write sweeps, row by row or for all points, and the operations between them."""
    between: list[Operation] = []
    for op in ops:
        if isinstance(op, kernel.SweepOp):
            points.scalars(between)
            between = []
            (_lower_rows if by_rows else lower_sweep)(points, op)
        else:
            between.append(op)
    points.scalars(between)


def _lower_rows(points: Points, op: kernel.SweepOp) -> None:
    """Write a sweep for one point of a block after the other, with results in arrays of the block.

    ``for r < 16 { for j in 0 to 100: s += x[b + r, j];  sums[r] = s }``
    """
    results = [r for r in op.outputs if kernel.storage(r) is None]
    types = ((r, scalar_type(r)) for r in results)
    arrays = {r: points.here.local(type, points.most) for r, type in types}
    row, point = points.row_of(op)
    lower_sweep(row, op)
    for result, array in arrays.items():
        row.here.write(points.values.values[result], array, point)
    points.arrays |= arrays


def lower_sweep(points: Points, op: kernel.SweepOp, beside: Beside | None = None) -> None:
    """Write the loops of a sweep; ``beside`` as for :class:`Sweep`."""
    s, here = Sweep(points, op, beside), points.here
    if s.prefixes:
        hand_on(s, here)
        return
    points.transposed.load(op, here)
    if s.accumulators:
        _reduce(s, here)
    else:
        store_each(s, here)
    points.transposed.store(op, here)


def _reduce(s: Sweep, here: Insertion) -> None:
    """Reduce all values in the loops of the schedule."""
    if s.loops.is_unrolled:
        (take_few if s.loops.is_staged else take_at_once)(s, here)
        _finish(s, here)
        return
    for a in s.accumulators:
        a.declare(here, s.cells)
    if s.loops.is_searched:
        search_blocks(s, here)
    elif s.loops.chunk is not None:
        take_chunks(s, here, s.loops.chunk, _span)
    else:
        _span(s, here, ZERO, s.length)
    if s.positions and not s.loops.is_searched:
        locate_each(s, here)
    if not s.is_combined:
        _halve(s, here)
    _finish(s, here)


def _span(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Reduce the values from lower, where a block starts, to upper."""
    count = (upper - lower).constant
    if s.loops.rows == 0:
        (take_apart if s.loops.is_staged else take_each)(s, here, lower, upper)
    elif not has_groups(s, s.points, s.loops.is_staged):
        _row_by_row(s, here, lower, upper)
    elif not s.ordered or (count is not None and count <= (s.block.constant or GROUP * GROUPS)):
        tail = ex.mod(upper - lower, s.group)
        if upper - tail != lower:
            _full_groups(s, here, lower, upper - tail)
        _tail(s, here, upper - tail, tail)
    else:
        _blocks(s, here, lower, upper)


def _row_by_row(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Reduce values that need no order in rows of all lanes, in order of memory, and a tail.

    ``for g in 0 to 1024 by 64 { for m in 0 to 64 vector { acc[m] = max(acc[m], x[g + m]) } }``
    """
    tail = ex.mod(upper - lower, s.lanes)
    if upper - tail != lower:
        row, start = here.steps(lower, upper - tail, "serial", s.lanes)
        take_rows(s, row, start, 1)
    if tail == 0:
        return
    if s.is_combined:
        take_group(s, here, upper - tail, tail)
    else:
        take_rows(s, here, upper - tail, 1, (ZERO, tail))


def _blocks(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Reduce blocks, and the tree over them; the last block has the tail after full groups."""
    cascade = Cascade(here, s.ordered, s.blocks.constant, s.cells, s.used)
    least, there = s.group.constant, here
    if least is not None and lower == ZERO and upper.constant is None:
        # Short segments have no full group, and need no tree.
        there = here.when(ex.atleast(upper, least))
    inside, start = there.steps(lower, upper, "serial", s.block)
    cascade.next(inside)
    tail = ex.mod(upper - lower, s.group)
    is_whole = ex.mod(upper - lower, s.block) == 0
    end = start + s.block if is_whole else ex.minimum(start + s.block, upper - tail)
    _full_groups(s, inside, start, end)
    _tail(s, here, upper - tail, tail)
    cascade.finish(here)


def _full_groups(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    inside, start = here.steps(lower, upper, "serial", s.group)
    if s.loops.is_staged:
        take_staged(s, inside, start, s.group)
    else:
        take_rows(s, inside, start, GROUP)


def _tail(s: Sweep, here: Insertion, start: ex.Expr, tail: ex.Expr) -> None:
    """Reduce the tail after full groups."""
    if tail == 0:
        return
    if s.is_combined and ex.mod(tail, s.lanes) != 0:
        take_group(s, here, start, tail)
    elif tail.constant is None or s.lanes.constant is None:
        take_staged(s, here.when(ex.atleast(tail, 1)), start, tail)
    elif s.loops.is_staged:
        take_staged(s, here, start, tail)
    else:
        for rows, lanes in rows_of(s, tail.constant):
            take_rows(s, here, start, rows, lanes)


def _halve(s: Sweep, here: Insertion) -> None:
    """Add lane k and lane k + half, ``for m in 0 to half { acc[m] += acc[m + half] }``, halving."""
    known = s.lanes.constant
    half = (known or LANES) // 2
    while half >= 1:
        width = ex.const(half) * s.stride
        inside = here if known is not None else here.when(ex.atleast(s.lanes, half + 1))
        inside, cell = inside.each(width)
        for a in s.accumulators:
            a.halve(inside, cell, cell + ex.const(half) * s.stride)
        half //= 2


def _finish(s: Sweep, here: Insertion) -> None:
    """Set the results: a variable for one point, an array for a block."""
    arrays = s.points.arrays
    for a in s.accumulators:
        if isinstance(a, Total) and s.is_combined:
            s.values.values[a.result] = here.add(loop.CombineOp.of(a.cells, a.row.name))
        elif s.points.is_one:
            s.values.values[a.result] = a.finish(here, ZERO)
        elif isinstance(a, Total) and a.stored is a.type:
            arrays[a.result] = a.cells
        else:
            arrays[a.result] = here.local(scalar_type(a.result), s.points.most)
            inside, point = s.points.over(here)
            inside.write(a.finish(inside, point), arrays[a.result], point)
