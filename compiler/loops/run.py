"""One sweep over a run of values, for a block of points: groups, blocks, lanes, as the order says.

A group is 8 values of every lane, which are combined pairwise (``rows``, ``staged``); 16 groups are
a block; of several blocks the totals are added in a tree (``cascade``); at the end lanes are added
by halving.  A sum of rows of 10000::

    for b in 0 to 10000 by 8192
      next level
      for g in b to min(b + 8192, 9728) by 512
        for m in 0 to 64 vector { acc[m] += ((x[g + m] + x[g + m + 64]) + ...) + ... }
      what is left
    finish the tree
    y = combine acc

What needs no order is taken value by value (``values``); so is that of which there is a total up to
each value (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.order import GROUP, GROUPS, LANES

from .accumulators import Total
from .cascade import Cascade
from .chunks import take_chunks
from .insertion import ZERO, Insertion
from .points import Points
from .rows import rows_of, take_rows
from .scan import hand_on
from .short_runs import take_at_once, take_few
from .staging import take_group, take_staged
from .sweep import Beside, Sweep
from .values import locate_each, search_blocks, store_each, take_apart, take_each


def lower_all(points: Points, ops: Iterable[Operation], by_rows: bool = False) -> None:
    """Write sweeps, and what stands between them; each sweep row by row, or for all points."""
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
    """A sweep for one point of a block after the other; what it gives is in arrays of the block.

    ``for r < 16 { for j in 0 to 100: s += x[b + r, j];  sums[r] = s }``
    """
    results = [r for r in op.outputs if kernel.storage(r) is None]
    types = ((r, scalar_type(r)) for r in results)
    arrays = {r: points.here.add(loop.LocalOp.of(type, points.most)) for r, type in types}
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
    """Take all values as the schedule says, and give the results."""
    if s.strategy in ("at_once", "padded"):
        (take_at_once if s.strategy == "at_once" else take_few)(s, here)
        _finish(s, here)
        return
    for a in s.accumulators:
        a.declare(here, s.cells)
    if s.strategy == "searched":
        search_blocks(s, here)
    elif s.chunk is not None:
        take_chunks(s, here, s.chunk, _span)
    else:
        _span(s, here, ZERO, s.length)
    if s.positions and s.strategy != "searched":
        locate_each(s, here)
    if not s.is_combined:
        _halve(s, here)
    _finish(s, here)


def _span(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """The values from lower, where a block starts, to upper."""
    count = (upper - lower).constant
    if s.strategy == "lanes":
        _row_by_row(s, here, lower, upper)
    elif s.strategy == "apart":
        take_apart(s, here, lower, upper)
    elif s.strategy == "each":
        take_each(s, here, lower, upper)
    elif not s.ordered or (count is not None and count <= (s.block.constant or GROUP * GROUPS)):
        _groups(s, here, lower, upper)
    else:
        _blocks(s, here, lower, upper)


def _row_by_row(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Rows of all lanes, and what is left, of what needs no order: as it lies in memory.

    ``for g in 0 to 1024 by 64 { for m in 0 to 64 vector { acc[m] = max(acc[m], x[g + m]) } }``
    """
    rest = ex.mod(upper - lower, s.lanes)
    if upper - rest != lower:
        row, start = here.steps(lower, upper - rest, "serial", s.lanes)
        take_rows(s, row, start, 1)
    if rest == 0:
        return
    if s.is_combined:
        take_group(s, here, upper - rest, rest)
    else:
        take_rows(s, here, upper - rest, 1, (ZERO, rest))


def _blocks(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Blocks, and the tree over them; what is left after full groups belongs to the last one."""
    cascade = Cascade(here, s.ordered, s.blocks.constant, s.cells, s.used)
    least, there = s.group.constant, here
    if least is not None and lower == ZERO and upper.constant is None:
        # Short runs have no full group, and need no tree.
        there = here.when(ex.atleast(upper, least))
    inside, start = there.steps(lower, upper, "serial", s.block)
    cascade.next(inside)
    rest = ex.mod(upper - lower, s.group)
    is_whole = ex.mod(upper - lower, s.block) == 0
    end = start + s.block if is_whole else ex.minimum(start + s.block, upper - rest)
    _full_groups(s, inside, start, end)
    _rest(s, here, upper - rest, rest)
    cascade.finish(here)


def _groups(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """At most one block of values: full groups, and what is left."""
    rest = ex.mod(upper - lower, s.group)
    if upper - rest != lower:
        _full_groups(s, here, lower, upper - rest)
    _rest(s, here, upper - rest, rest)


def _full_groups(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    inside, start = here.steps(lower, upper, "serial", s.group)
    if s.strategy == "staged":
        take_staged(s, inside, start, s.group)
    else:
        take_rows(s, inside, start, GROUP)


def _rest(s: Sweep, here: Insertion, start: ex.Expr, rest: ex.Expr) -> None:
    """What is left after full groups."""
    if rest == 0:
        return
    if s.is_combined and ex.mod(rest, s.lanes) != 0:
        take_group(s, here, start, rest)
    elif rest.constant is None or s.lanes.constant is None:
        take_staged(s, here.when(ex.atleast(rest, 1)), start, rest)
    elif s.strategy == "staged":
        take_staged(s, here, start, rest)
    else:
        for rows, lanes in rows_of(s, rest.constant):
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
    """Results: a variable for one point, an array for a block."""
    arrays = s.points.arrays
    for a in s.accumulators:
        if isinstance(a, Total) and s.is_combined:
            s.values.values[a.result] = here.add(loop.CombineOp.of(a.cells, a.row.name))
        elif s.points.is_one:
            s.values.values[a.result] = a.finish(here, ZERO)
        elif isinstance(a, Total) and a.stored is a.type:
            arrays[a.result] = a.cells
        else:
            local = loop.LocalOp.of(scalar_type(a.result), s.points.most)
            arrays[a.result] = here.add(local)
            inside, point = s.points.over(here)
            inside.write(a.finish(inside, point), arrays[a.result], point)
