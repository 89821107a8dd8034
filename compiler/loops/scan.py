"""Lower a scan, a sweep with totals up to each value: along points, or in serial accumulations.

Along the points of a block, for sums down columns::

    for j in 0 to n by 4 {
      for p in 0 to 64 vector {
        t0 = total[p] + x[j, p]; y[j, p] = t0; t1 = t0 + x[j + 1, p]; y[j + 1, p] = t1; ...
        total[p] = t3
      }
    }

One value at a time took 1.1 to 1.3 times as long (16 x 512 x 64, and 4096 x 1024 down columns).

Or in a serial accumulation for each point of a small block, all in one loop; points of a last block
with fewer go one by one::

    for j in 0 to n {
      total0 += x[0, j]; y[0, j] = total0; total1 += x[1, j]; y[1, j] = total1; ...
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.dialects import kernel

from .accumulators import Total
from .insertion import ZERO, Insertion
from .sweep import Sweep

Totals = dict[kernel.PrefixOp, Total]
"""Totals so far, in cells."""


def hand_on(s: Sweep, here: Insertion) -> None:
    """Write the loops of a scan."""
    if not s.loops.is_interleaved:
        _along(s, here)
        return
    count, most = s.points.size, s.points.most
    if count.constant is not None:
        _chains(s, here, [ex.const(k) for k in range(count.constant)])
        return
    full, partial = here.either(ex.atleast(count, most))
    _chains(s, full, [ex.const(k) for k in range(most)])
    inside = partial.loop(0, count, "serial")
    _chains(s, inside, [inside.variable()])


def _along(s: Sweep, here: Insertion) -> None:
    """All points of a block at a few values together, and at each value of the tail."""
    totals = _declared(s, here, s.points.most)
    few = s.loops.unit
    full = s.length - ex.mod(s.length, few)
    for lower, upper, step in ((ZERO, full, few), (full, s.length, 1)):
        if lower == upper:
            continue
        around = here.loop(lower, upper, "serial", step)
        inside, point = s.points.over(around)
        positions = [around.variable() + k for k in range(step)]
        _take(s, inside, positions, point, totals, point)


def _chains(s: Sweep, here: Insertion, points: Sequence[ex.Expr]) -> None:
    """A serial accumulation for each of some points, all in one loop."""
    totals = [_declared(s, here, 1) for _ in points]
    inside = here.loop(0, s.length, "serial")
    for own, point in zip(totals, points, strict=True):
        _take(s, inside, [inside.variable()], point, own, ZERO)


def _declared(s: Sweep, here: Insertion, cells: int) -> Totals:
    """Totals of ``cells`` cells, set to the neutral number."""
    totals = {op: Total(op.kind.data, op.value, op.result) for op in s.prefixes}
    for total in totals.values():
        total.declare(here, cells)
    return totals


def _take(
    s: Sweep,
    inside: Insertion,
    positions: Sequence[ex.Expr],
    point: ex.Expr,
    totals: Totals,
    cell: ex.Expr,
) -> None:
    """Write the body at positions of one point, whose totals are in ``cell``."""
    running = {op: inside.read(total.cells, cell) for op, total in totals.items()}
    for at in positions:
        is_reversed = s.prefixes[0].reverse is not None
        inside.at[len(s.values.nest.extents.data)] = s.length - 1 - at if is_reversed else at
        s.points.place(inside, point)
        before = 0
        for k, op in enumerate(s.ops):
            if not isinstance(op, kernel.PrefixOp):
                continue
            s.points.write(s.ops[before:k], inside, point)
            before, total, earlier = k + 1, totals[op], running[op]
            value = inside.cast(s.values.values[op.value], total.stored)
            running[op] = inside.apply(total.row.combine, earlier, value)
            shown = earlier if op.exclusive is not None else running[op]
            s.values.values[op.result] = inside.cast(shown, total.type)
        s.points.write(s.ops[before:], inside, point)
    for op, total in totals.items():
        inside.write(running[op], total.cells, cell)
