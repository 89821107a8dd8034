"""Reduce short segments at once, and values one by one where the order does not show.

C compilers vectorize such loops.

::

    for j in 0 to n { best = max(best, order(x[j])) }

A search has a second pass, which finds the position of the best value; in long segments it goes
only over the block that has this value::

    for b in 0 to n by 128
      for j in b to min(b + 128, n) { best of the block }
      start = b if that is better
    for j in start to min(start + 128, n) { at = min(at, j if x[j] is the best) }
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type

from .accumulators import Accumulator, Total
from .insertion import ZERO, Insertion
from .sweep import Sweep


def store_each(s: Sweep, here: Insertion) -> None:
    """Write a sweep that reduces nothing: ``for j in 0 to n vector { y[j] = x[j] / s }``."""
    kind = "vector" if s.points.is_one else "serial"
    inside, variables = s.nested(here, kind, "parallel" if s.loops.is_parallel else None)
    inside, point = s.points.over(inside)
    s.body(inside, variables, point)


def take_each(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Reduce the values from lower to upper."""
    inside, point = _body_of_each(s, here, lower, upper)
    for a in s.accumulators:
        a.take(inside, [s.value(a)], point)


def locate_each(s: Sweep, here: Insertion) -> None:
    """Write the second pass of searches, over all values."""
    inside, _ = _body_of_each(s, here, ZERO, s.length)
    for a in s.positions:
        a.locate(inside, s.value(a))


def _body_of_each(
    s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr
) -> tuple[Insertion, ex.Expr]:
    """Write the body for the values from lower to upper; return where it stands and the point."""
    if s.is_line:
        inside = here.loop(lower, upper, "serial")
        variables = [inside.variable()]
    elif upper - lower != s.length:
        inside, _, variables, point = s.in_order(here, lower, upper - lower)
        s.body(inside, variables, point)
        return inside, point
    else:
        inside, variables = s.nested(here, "serial")
    inside, point = s.points.over(inside)
    s.body(inside, variables, point)
    return inside, point


def take_apart(s: Sweep, here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
    """Compute values into an array and reduce them from there, those of 16 bits as integers.

    ``for b: { for j < 512: t[j] = narrow(f(x[b + j])); for j < 512: best = max(best, t[j]) }``;
    for a block of points, the array has a value of each point.
    """
    is_one, by = s.points.is_one, s.loops.unit
    here = here.loop(lower, upper, "serial", by)
    start, is_whole = here.variable(), ex.mod(upper - lower, by) == 0
    count = ex.const(by) if is_whole else ex.minimum(ex.const(by), upper - start)

    def over(kind: str) -> tuple[Insertion, ex.Expr]:
        """A loop over values of a point, or over points, and its index."""
        inside = here.loop(0, count, kind) if is_one else here
        return (inside, inside.variable()) if is_one else s.points.over(here)

    size = by if is_one else s.points.most
    arrays = [(a, here.local(scalar_type(a.taken), size)) for a in s.accumulators]
    inside, at = over("vector")
    s.body(inside, [start + at if is_one else start], ZERO if is_one else at)
    for a, array in arrays:
        inside.write(s.value(a), array, at)
    inside, at = over("serial")
    s.place(inside, [start + at if is_one else start])
    for a, array in arrays:
        a.take(inside, [inside.read(array, at)], ZERO if is_one else at)


def search_blocks(s: Sweep, here: Insertion) -> None:
    """Write both passes of long searches."""
    by = s.loops.unit
    block = here.loop(0, s.length, "serial", by)
    at = block.variable()
    parts = [a.block(block) for a in s.positions]
    inside = block.loop(at, ex.minimum(at + by, s.length), "serial")
    s.body(inside, [inside.variable()], ZERO)
    for part in parts:
        part.take(inside, [s.value(part)], ZERO)
    for a, part in zip(s.positions, parts, strict=True):
        a.end_block(block, part)
        there = here.bind(here.read(a.start))
        start = there.variable()
        inside = there.loop(start, ex.minimum(start + by, s.length), "serial")
        s.body(inside, [inside.variable()], ZERO)
        a.locate(inside, s.value(a))


def take_at_once(s: Sweep, here: Insertion) -> None:
    """Reduce the whole segment at each point; lanes are added by halving."""
    n, lanes = s.length.constant, s.lanes.constant
    assert n is not None and lanes is not None
    totals = [a for a in s.accumulators if isinstance(a, Total)]
    for a in totals:
        a.cells = here.local(a.stored, s.points.most)
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
        stagings[a] = here.local(a.stored, (s.limit or 0) * s.points.most)
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
        a.cells = here.local(a.stored, s.points.most)
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
