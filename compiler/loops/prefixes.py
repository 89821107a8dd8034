"""A sweep that hands totals on from each value to the next: along points, or in chains.

Along the points of a block, of sums down columns::

    for j in 0 to n { for p in 0 to 64 vector { total[p] += x[j, p]; y[j, p] = total[p] } }

In a chain for each point of a small block; of the last block, if it has fewer, one by one::

    for j in 0 to n {
      total0 += x[0, j]; y[0, j] = total0; total1 += x[1, j]; y[1, j] = total1; ...
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.dialects import kernel

from .accumulators import Total
from .places import ZERO, Place
from .sweep import Sweep

Totals = dict[kernel.PrefixOp, Total]
"""Running totals, in cells."""


def hand_on(s: Sweep, here: Place) -> None:
    """Write the loops of a sweep."""
    if s.way == "along":
        totals = _declared(s, here, s.points.most)
        inside, position = _loop(s, here)
        inside, point = s.points.over(inside)
        _body(s, inside, position, point, totals, point)
        return
    count, most = s.points.size, s.points.most
    if count.constant is not None:
        _chains(s, here, [ex.const(k) for k in range(count.constant)])
        return
    full, rest = here.either(ex.atleast(count, most))
    _chains(s, full, [ex.const(k) for k in range(most)])
    each = rest.loop(0, count, "serial")
    _chains(s, each, [each.variable()])


def _chains(s: Sweep, here: Place, points: Sequence[ex.Expr]) -> None:
    """A chain for each of some points, all in one loop."""
    totals = [_declared(s, here, 1) for _ in points]
    inside, position = _loop(s, here)
    for own, point in zip(totals, points, strict=True):
        _body(s, inside, position, point, own, ZERO)


def _declared(s: Sweep, here: Place, cells: int) -> Totals:
    """So many cells for each total, set to the neutral number."""
    totals = {op: Total(op.kind.data, op.value, op.result) for op in s.prefixes}
    for total in totals.values():
        total.declare(here, cells)
    return totals


def _loop(s: Sweep, here: Place) -> tuple[Place, ex.Expr]:
    """A loop over all values in their order, and which one it is."""
    inside = here.loop(0, s.length, "serial")
    is_reversed = s.prefixes[0].reverse is not None
    position = inside.variable()
    return inside, s.length - 1 - position if is_reversed else position


def _body(
    s: Sweep, inside: Place, position: ex.Expr, point: ex.Expr, totals: Totals, cell: ex.Expr
) -> None:
    """Write the body at one value of one point, whose totals are in a cell of each."""
    inside.at[len(s.values.nest.extents.data)] = position
    s.points.place(inside, point)
    before = 0
    for k, op in enumerate([*s.ops, None]):
        if op is not None and op not in totals:
            continue
        s.points.write(s.ops[before:k], inside, point)
        before = k + 1
        if isinstance(op, kernel.PrefixOp):
            total = totals[op]
            earlier = inside.read(total.cells, cell)
            total.take(inside, [s.values.values[op.value]], cell)
            found = earlier if op.exclusive is not None else inside.read(total.cells, cell)
            s.values.values[op.result] = inside.cast(found, total.type)
