"""Values taken one after the other, where no order shows: C compilers make vectors of such loops.

::

    for j in 0 to n { best = max(best, order(x[j])) }

A search has a second pass, which finds where the best value is; in long runs it is over the block
only that has that value::

    for b in 0 to n by 128
      for j in b to min(b + 128, n) { best of the block }
      start = b if that is better
    for j in start to min(start + 128, n) { found = min(found, j if x[j] is the best) }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.schedule.plan_sweeps import ROUND, SEARCHED

from .accumulators import Accumulator, Search
from .places import Place
from .sweep import ZERO, Sweep


def store_each(s: Sweep, here: Place) -> None:
    """A sweep that reduces nothing: ``for j in 0 to n vector { y[j] = x[j] / s }``."""
    kind = "vector" if s.points.is_one else "serial"
    inside, variables = s.nested(here, kind, "parallel" if s.way == "shared" else None)
    inside, point = s.points.over(inside)
    s.body(inside, variables, point)


def take_each(s: Sweep, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Take the values from lower to upper."""
    inside, point = _body_of_each(s, here, lower, upper)
    for a in s.accumulators:
        a.take(inside, [s.value(a)], point)


def locate_each(s: Sweep, here: Place, searches: Sequence[Search]) -> None:
    """The second pass of searches, over all values."""
    inside, _ = _body_of_each(s, here, ZERO, s.length)
    for a in searches:
        a.locate(inside, s.value(a))


def _body_of_each(s: Sweep, here: Place, lower: ex.Expr, upper: ex.Expr) -> tuple[Place, ex.Expr]:
    """The body, at every value from lower to upper: where it stands, and the point there."""
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


def take_apart(s: Sweep, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Take values that go to memory before; those of 16 bits are compared as they are there.

    ``for b: { for j < 512: t[j] = narrow(f(x[b + j])); for j < 512: best = max(best, t[j]) }``,
    of a block of points at each position.
    """
    if not s.points.is_one:
        position = here.loop(lower, upper, "serial")
        _take_at(s, position, position.variable())
        return
    part = here.loop(lower, upper, "serial", ROUND)
    start = part.variable()
    is_whole = ex.mod(upper - lower, ROUND) == 0
    count = ex.const(ROUND) if is_whole else ex.minimum(ex.const(ROUND), upper - start)
    arrays = _arrays(s, part, ROUND)
    inside = part.loop(ZERO, count, "vector")
    s.body(inside, [start + inside.variable()], ZERO)
    for a, array in arrays:
        inside.write(s.value(a), array, inside.variable())
    inside = part.loop(ZERO, count, "serial")
    s.place(inside, [start + inside.variable()])
    for a, array in arrays:
        a.take(inside, [inside.read(array, inside.variable())], ZERO)


def _take_at(s: Sweep, here: Place, position: ex.Expr) -> None:
    """The values of a block of points at one position, which go to memory before they are taken."""
    arrays = _arrays(s, here, s.points.most)
    inside, point = s.points.over(here)
    s.body(inside, [position], point)
    for a, array in arrays:
        inside.write(s.value(a), array, point)
    inside, point = s.points.over(here)
    for a, array in arrays:
        a.take(inside, [inside.read(array, point)], point)


def _arrays(s: Sweep, here: Place, size: int) -> list[tuple[Accumulator, SSAValue]]:
    return [(a, here.add(loop.LocalOp.of(scalar_type(a.taken), size))) for a in s.accumulators]


def search_blocks(s: Sweep, here: Place) -> None:
    """Both passes of long searches."""
    block = here.loop(ZERO, s.length, "serial", SEARCHED)
    at = block.variable()
    whole = [(a, a.passes) for a in s.searches if a.passes is not None]
    parts = [passes.block(block) for _, passes in whole]
    inside = block.loop(at, ex.minimum(at + SEARCHED, s.length), "serial")
    s.body(inside, [inside.variable()], ZERO)
    for (a, _), part in zip(whole, parts, strict=True):
        part.take(inside, s.value(a))
    for (a, passes), part in zip(whole, parts, strict=True):
        passes.end_block(block, part)
        there = Place(here.block, [*here.variables, here.read(passes.start)], dict(here.at))
        start = there.variable()
        inside = there.loop(start, ex.minimum(start + SEARCHED, s.length), "serial")
        s.body(inside, [inside.variable()], ZERO)
        a.locate(inside, s.value(a))
