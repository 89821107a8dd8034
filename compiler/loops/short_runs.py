"""Reduce short segments at once, for a block of points.

::

    for p in 0 to 256 vector { y[p] = (x[p] + x[p + 512]) + (x[p + 256] + x[p + 768]) }

A segment of unknown length is filled up with neutral values to one of the numbers of the schedule,
or to its upper bound.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop

from .accumulators import Accumulator, Total
from .insertion import Insertion
from .sweep import Sweep


def take_at_once(s: Sweep, here: Insertion) -> None:
    """Reduce the whole segment at each point; lanes are added by halving."""
    n, lanes = s.length.constant, s.lanes.constant
    assert n is not None and lanes is not None
    totals = [a for a in s.accumulators if isinstance(a, Total)]
    for a in totals:
        a.cells = here.add(loop.LocalOp.of(a.stored, s.points.most))
    inside, point = s.points.over(here)
    taken: dict[Accumulator, list[SSAValue]] = {a: [] for a in totals}
    for position in range(n):
        s.body(inside, s.at(ex.const(position)), point)
        for a, values in taken.items():
            values.append(s.value(a))
    for a in totals:
        inside.write(a.at_once(inside, taken[a], lanes), a.cells, point)


def take_few(s: Sweep, here: Insertion) -> None:
    """Reduce a short segment of unknown length, filled up with neutral values.

    ``for j in n to 16 { t[j] = -0 }; for p in 0 to 64 vector { y[p] = t[0][p] + ... }``
    """
    ordered = [a for a in s.accumulators if isinstance(a, Total) and a.is_ordered]
    others = [a for a in s.accumulators if a not in ordered]
    for a in others:
        a.declare(here, s.points.most)
    stagings = {a: staging for a in ordered if (staging := _staged_in_memory(s, a)) is not None}
    computed = [a for a in ordered if a not in stagings]
    for a in computed:
        stagings[a] = here.add(loop.LocalOp.of(a.stored, (s.limit or 0) * s.points.most))
    if computed or others or s.kept or s.has_stores:
        position = here.loop(0, s.length, "serial")
        j = position.variable()
        inside, point = s.points.over(position)
        s.body(inside, s.at(j), point)
        for a in computed:
            value = inside.cast(s.value(a), a.stored)
            inside.write(value, stagings[a], j * s.points.most + point)
        for a in others:
            a.take(inside, [s.value(a)], point)
    for a in ordered:
        a.cells = here.add(loop.LocalOp.of(a.stored, s.points.most))
        _take_padded(s, here, a, stagings[a])


def _staged_in_memory(s: Sweep, a: Total) -> SSAValue | None:
    """The tile or array of the block that already holds the values of an accumulator."""
    kept = {k.value: k.array for k in s.kept if k.offset is None}
    load = a.taken.owner
    if isinstance(load, kernel.LoadOp) and load in s.ops:
        return s.points.transposed.tiles.get(load)
    return kept.get(a.taken)


def _take_padded(s: Sweep, here: Insertion, a: Total, staging: SSAValue) -> None:
    """Fill up a staging buffer to one of a few lengths, and reduce it at once."""
    most, lanes, limit = s.points.most, s.lanes.constant, s.limit
    assert lanes is not None and limit is not None
    for count in (*(n for n in s.loops.pads if n < limit), limit):
        inside = here
        if count < limit:
            inside, here = here.either(1 - ex.atleast(s.length, count + 1))
        pad = inside.loop(s.length * most, ex.const(count * most), "vector")
        pad.write(pad.constant(a.absent, a.stored), staging, pad.variable())
        inside, point = s.points.over(inside)
        values = [inside.read(staging, k * most + point) for k in range(count)]
        inside.write(a.at_once(inside, values, lanes), a.cells, point)
