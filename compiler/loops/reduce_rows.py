"""Reduce a group row by row; a row has a value for each lane.

One loop over the lanes has the body for every row; or each row or two have a loop, and totals of 2
and 4 rows are combined as they come::

    for m in 0 to 64 vector { t0[m] = x[m] + x[m + 64] }
    for m in 0 to 64 vector { t1[m] = t0[m] + (x[m + 128] + x[m + 192]) }
    for m in 0 to 64 vector { t0[m] = x[m + 256] + x[m + 320] }
    for m in 0 to 64 vector { acc[m] += t1[m] + (t0[m] + (x[m + 384] + x[m + 448])) }

That reads memory nearly in order, for the hardware prefetcher: all eight rows in one loop took a
norm 1.2 times as long.  With a loop for each row, gcc 12 copies every other row to memory; where
rows come from there anyway, it reads them just in order.  Values that need no order are reduced row
by row, without these totals.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.order import GROUP

from .accumulators import Accumulator, Total
from .insertion import ZERO, Insertion
from .sweep import Sweep

Lanes: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""A range of lanes: the first one, and the end."""


def take_rows(
    s: Sweep, here: Insertion, start: ex.Expr, count: int, lanes: Lanes | None = None
) -> None:
    """Reduce ``count`` rows from a position of the segment on, of all lanes or of some."""
    lanes = lanes or (ZERO, s.lanes)
    if s.loops.rows < GROUP and count > max(2, s.loops.rows):
        take_in_turn(s, here, start, count, lanes, s.loops.rows)
        return
    inside, lane, point, cell = s.over_lanes(here, *lanes)
    rows = [_row(s, inside, start + s.lanes * row + lane, point) for row in range(count)]
    for a, *values in zip(s.accumulators, *rows, strict=True):
        a.take(inside, values, cell)


def _row(s: Sweep, inside: Insertion, position: ex.Expr, point: ex.Expr) -> list[SSAValue]:
    """The value of each accumulator in one lane of a row."""
    s.body(inside, s.at(position), point)
    return [s.value(a) for a in s.accumulators]


def take_in_turn(
    s: Sweep, here: Insertion, start: ex.Expr, count: int, lanes: Lanes, size: int
) -> None:
    """Reduce parts of ``size`` rows; totals of 1, 2, ... parts are combined in a binary tree."""
    totals: dict[Accumulator, dict[int, SSAValue]] = {a: {} for a in s.accumulators}
    last = -(-count // size) - 1
    for part in range(last + 1):
        first, part_rows = start + s.lanes * size * part, range(min(size, count - size * part))
        level = (part ^ (part + 1)).bit_length() - 1
        for a, levels in totals.items():
            if isinstance(a, Total) and part < last and level not in levels:
                levels[level] = here.local(a.stored, s.cells)
        inside, lane, point, cell = s.over_lanes(here, *lanes)
        rows = [_row(s, inside, first + s.lanes * k + lane, point) for k in part_rows]
        for a, *values in zip(s.accumulators, *rows, strict=True):
            if isinstance(a, Total):
                _combine(a, inside, values, cell, totals[a], part, part == last)
            else:
                a.take(inside, values, cell)


def _combine(
    a: Total,
    here: Insertion,
    values: list[SSAValue],
    cell: ex.Expr,
    totals: dict[int, SSAValue],
    part: int,
    is_last: bool,
) -> None:
    """Combine a part with earlier ones; ``totals`` has those of 2^level parts."""
    value, level = a.combine(here, values), 0
    while (part >> level) & 1 or (is_last and part >> level):
        if (part >> level) & 1:
            value = a.combine(here, [here.read(totals[level], cell), value])
        level += 1
    if is_last:
        a.take(here, [value], cell)
    else:
        here.write(value, totals[level], cell)


def rows_of(s: Sweep, count: int) -> list[tuple[int, Lanes]]:
    """The rows of ``count`` values, by lanes: the first lanes may have one row more."""
    assert s.lanes.constant is not None
    rows, more = divmod(count, s.lanes.constant)
    longer = [(rows + 1, (ZERO, ex.const(more)))] if more else []
    return [*longer, *([(rows, (ex.const(more), s.lanes))] if rows else [])]
