"""A sweep that hands totals on from each value to the next: along points, or in chains.

Along the points of a block, of sums down columns::

    for j in 0 to n by 4 {
      for p in 0 to 64 vector {
        t0 = total[p] + x[j, p]; y[j, p] = t0; t1 = t0 + x[j + 1, p]; y[j + 1, p] = t1; ...
        total[p] = t3
      }
    }

A value at a time took 1.1 to 1.3 times as long (16 x 512 x 64, and 4096 x 1024 down columns).

In a chain for each point of a small block; of the last block, if it has fewer, one by one::

    for j in 0 to n {
      total0 += x[0, j]; y[0, j] = total0; total1 += x[1, j]; y[1, j] = total1; ...
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.kernel import storage
from opc.support.target import CHAINS

from .accumulators import Total
from .insertion import ZERO, Insertion
from .sweep import Sweep

Totals = dict[kernel.PrefixOp, Total]
"""Running totals, in cells."""


def hand_on(s: Sweep, here: Insertion) -> None:
    """Write the loops of a sweep."""
    if s.strategy == "along":
        _along(s, here)
        return
    count, most = s.points.size, s.points.most
    if count.constant is not None:
        _chains(s, here, [ex.const(k) for k in range(count.constant)])
        return
    full, rest = here.either(ex.atleast(count, most))
    _chains(s, full, [ex.const(k) for k in range(most)])
    each = rest.loop(0, count, "serial")
    _chains(s, each, [each.variable()])


def _along(s: Sweep, here: Insertion) -> None:
    """All points of a block at each value, of which a few go together, and what is left one by
    one.  So do values of 16 bits: staging buffers of one load and one store are converted at once.
    """
    totals = _declared(s, here, s.points.most)
    values = (v for op in s.ops for v in (*op.operands, *op.results) if storage(v) is None)
    few = 1 if any(scalar_type(v).is_small_float for v in values) else CHAINS
    whole = s.length - ex.mod(s.length, few)
    for lower, upper, step in ((ZERO, whole, few), (whole, s.length, 1)):
        if lower == upper:
            continue
        around = here.loop(lower, upper, "serial", step)
        inside, point = s.points.over(around)
        places = [around.variable() + k for k in range(step)]
        _take(s, inside, places, point, totals, point)


def _chains(s: Sweep, here: Insertion, points: Sequence[ex.Expr]) -> None:
    """A chain for each of some points, all in one loop."""
    totals = [_declared(s, here, 1) for _ in points]
    inside = here.loop(0, s.length, "serial")
    for own, point in zip(totals, points, strict=True):
        _take(s, inside, [inside.variable()], point, own, ZERO)


def _declared(s: Sweep, here: Insertion, cells: int) -> Totals:
    """So many cells for each total, set to the neutral number."""
    totals = {op: Total(op.kind.data, op.value, op.result) for op in s.prefixes}
    for total in totals.values():
        total.declare(here, cells)
    return totals


def _take(
    s: Sweep,
    inside: Insertion,
    places: Sequence[ex.Expr],
    point: ex.Expr,
    totals: Totals,
    cell: ex.Expr,
) -> None:
    """Write the body at some values of one point, whose totals are in a cell of each."""
    found = {op: inside.read(total.cells, cell) for op, total in totals.items()}
    for place in places:
        is_reversed = s.prefixes[0].reverse is not None
        inside.at[len(s.values.nest.extents.data)] = s.length - 1 - place if is_reversed else place
        s.points.place(inside, point)
        before = 0
        for k, op in enumerate(s.ops):
            if not isinstance(op, kernel.PrefixOp):
                continue
            s.points.write(s.ops[before:k], inside, point)
            before, total, earlier = k + 1, totals[op], found[op]
            value = inside.cast(s.values.values[op.value], total.stored)
            found[op] = inside.apply(total.row.combine, earlier, value)
            shown = earlier if op.exclusive is not None else found[op]
            s.values.values[op.result] = inside.cast(shown, total.type)
        s.points.write(s.ops[before:], inside, point)
    for op, total in totals.items():
        inside.write(found[op], total.cells, cell)
