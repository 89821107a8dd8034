"""Reduce values one by one where the order does not show; C compilers vectorize such loops.

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

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type

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
    arrays = [(a, here.add(loop.LocalOp.of(scalar_type(a.taken), size))) for a in s.accumulators]
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
        there = Insertion(here.block, [*here.variables, here.read(a.start)], dict(here.at))
        start = there.variable()
        inside = there.loop(start, ex.minimum(start + by, s.length), "serial")
        s.body(inside, [inside.variable()], ZERO)
        a.locate(inside, s.value(a))
