"""Rows of a group, computed where they are taken: a row has a value for each lane.

One loop over the lanes has the body for every row; where points go one by one, and vectors lie
along the run, each two rows have a loop, and totals of 2 and 4 rows are combined as they come::

    for m in 0 to 64 vector { t0[m] = x[m] + x[m + 64] }
    for m in 0 to 64 vector { t1[m] = t0[m] + (x[m + 128] + x[m + 192]) }
    for m in 0 to 64 vector { t0[m] = x[m + 256] + x[m + 320] }
    for m in 0 to 64 vector { acc[m] += t1[m] + (t0[m] + (x[m + 384] + x[m + 448])) }

That reads memory nearly as it lies there, which is what processors foresee: all eight rows in one
loop took a norm 1.2 times as long.  A loop for each row makes copies of every other one, which gcc
12 writes to memory: sums of rows in the cache took 1.3 times as long.  What needs no order is taken
row by row, without these totals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.dialects.order import GROUP
from opc.target import STRIP, VECTOR

from .accumulators import Accumulator, Total, declare_cells
from .places import Place
from .sweep import ZERO, Sweep
from .widened import widen

Lanes: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""From the first lane of some to behind the last."""
FEWEST_CELLS = VECTOR // 2
"""Cells below which a loop of two rows fills no vector."""


@dataclass(frozen=True)
class Rows:
    """Some rows from a position of the run on.

    ``last`` has a cell for each lane instead of the last row, if that one is not full.
    """

    start: ex.Expr
    count: int
    last: dict[Accumulator, SSAValue] | None = None

    def is_last(self, row: int) -> bool:
        """Whether a row is the one that is not full."""
        return self.last is not None and row == self.count - 1


def take_rows(s: Sweep, here: Place, rows: Rows, lanes: Lanes | None = None) -> None:
    """Take rows, of all lanes or of some."""
    lanes = lanes or (ZERO, s.lanes)
    if s.points.is_one and rows.count > 2 and s.cells >= FEWEST_CELLS:
        take_in_turn(s, here, rows, lanes)
        return
    here, part = _part(s, here) if rows.count == GROUP else (here, None)
    inside, lane, point, cell = s.over_lanes(here, *lanes, part)
    found: list[list[SSAValue]] = [[] for _ in s.accumulators]
    for row in range(rows.count):
        for value, into in zip(_row(s, inside, rows, row, lane, point, cell), found, strict=True):
            into.append(value)
    for a, values in zip(s.accumulators, found, strict=True):
        a.take(inside, values, cell)


def _row(
    s: Sweep, inside: Place, rows: Rows, row: int, lane: ex.Expr, point: ex.Expr, cell: ex.Expr
) -> list[SSAValue]:
    """The value of each accumulator in one lane of a row."""
    if rows.last is not None and rows.is_last(row):
        return [inside.read(rows.last[a], cell) for a in s.accumulators]
    s.body(inside, s.at(rows.start + s.lanes * row + lane), point)
    return [s.value(a) for a in s.accumulators]


def _part(s: Sweep, here: Place) -> tuple[Place, Lanes | None]:
    """A loop over parts of the points, where there is one lane and they are many."""
    if s.lanes != 1 or s.points.most <= STRIP or s.points.narrow > 1:
        return here, None
    inside = here.loop(ZERO, s.points.size, "serial", STRIP)
    first = inside.variable()
    is_whole = ex.mod(s.points.size, STRIP) == 0
    return inside, (first, first + STRIP if is_whole else ex.minimum(first + STRIP, s.points.size))


def take_in_turn(s: Sweep, here: Place, rows: Rows, lanes: Lanes) -> None:
    """Take rows two at a time."""
    totals = Totals(s, -(-rows.count // 2))
    for part in range(totals.count):
        start = rows.start + s.lanes * 2 * part
        totals.begin(here, part)
        both = range(2 * part, min(2 * (part + 1), rows.count))
        strips = widen(s, here, start, len(both)) if rows.last is None else {}
        inside, lane, point, cell = s.over_lanes(here, *lanes)
        if strips:
            found = [
                [inside.read(strips[a], s.lanes * k + lane) for a in s.accumulators]
                for k in range(len(both))
            ]
        else:
            found = [_row(s, inside, rows, row, lane, point, cell) for row in both]
        for a, *values in zip(s.accumulators, *found, strict=True):
            totals.take(a, inside, values, cell, part)


class Totals:
    """What parts of a group, two rows each, give until all are there: totals of 1, 2, ... parts."""

    def __init__(self, s: Sweep, count: int) -> None:
        self.s = s
        self.count = count
        self.totals: dict[Accumulator, dict[int, SSAValue]] = {a: {} for a in s.accumulators}
        """For each accumulator, arrays of totals by the logarithm of their number of parts."""

    def begin(self, here: Place, part: int) -> None:
        """Declare what a part goes to."""
        level = (part ^ (part + 1)).bit_length() - 1
        for a, totals in self.totals.items():
            if isinstance(a, Total) and part < self.count - 1 and level not in totals:
                totals[level] = here.add(loop.LocalOp.of(a.stored, self.s.cells))

    def take(
        self, a: Accumulator, here: Place, values: Sequence[SSAValue], cell: ex.Expr, part: int
    ) -> None:
        """Combine a part with those before it: with one, then with two, as their numbers say."""
        if not isinstance(a, Total):
            a.take(here, values, cell)
            return
        value, totals, level = a.combine(here, values), self.totals[a], 0
        is_last = part == self.count - 1
        while (part >> level) & 1 or (is_last and part >> level):
            if (part >> level) & 1:
                value = a.combine(here, [here.read(totals[level], cell), value])
            level += 1
        if is_last:
            a.take(here, [value], cell)
        else:
            here.write(value, totals[level], cell)


def take_rest(s: Sweep, here: Place, start: ex.Expr, count: int) -> None:
    """What is left after full groups: the first lanes may have one value more."""
    lanes = s.lanes.constant
    assert lanes is not None
    rows, more = divmod(count, lanes)
    if rows and more:
        take_rows(s, here, Rows(start, rows + 1, _last_row(s, here, start + rows * lanes, more)))
    elif more:
        take_rows(s, here, Rows(start, 1), (ZERO, ex.const(more)))
    else:
        take_rows(s, here, Rows(start, rows))


def _last_row(s: Sweep, here: Place, start: ex.Expr, count: int) -> dict[Accumulator, SSAValue]:
    """A row of which only the first lanes have a value: the others have what adds nothing.

    ``fill t with -0; for m in 0 to count { t[m] = x[start + m] }``
    """
    found = {
        a: declare_cells(here, scalar_type(a.taken), s.cells, a.absent) for a in s.accumulators
    }
    inside, lane, point, cell = s.over_lanes(here, ZERO, ex.const(count))
    s.body(inside, s.at(start + lane), point)
    for a, array in found.items():
        inside.write(s.value(a), array, cell)
    return found
