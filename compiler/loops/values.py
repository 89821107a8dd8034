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

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.target import BLOCK, STRIP, VECTOR

from .accumulators import Extreme, Search
from .places import Place
from .sweep import ZERO, Sweep

ROUND = BLOCK
"""Values that go to memory before they are compared: enough for vectors, and in the first cache."""
SEARCHED = 2 * STRIP
"""Values of a block of a search: few, since the second pass is over a whole one, but enough for
vectors."""


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


def are_apart(s: Sweep) -> bool:
    """Whether values are computed before extremes are taken: of 16 bits, or by functions along a
    short row, whose last values are one more full vector then.
    """
    n = s.length.constant
    found = any(isinstance(a, Extreme) and a.is_apart for a in s.accumulators)
    is_short = n is not None and n < ROUND and n % (VECTOR // 2) != 0 and not s.searches
    return (found or (is_short and s.has_functions)) and s.points.is_one and s.is_line


def take_apart(s: Sweep, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Take values that go to memory before; those of 16 bits are compared as they are there.

    ``for b: { for j < 512: t[j] = narrow(f(x[b + j])); for j < 512: best = max(best, t[j]) }``
    """
    part = here.loop(lower, upper, "serial", ROUND)
    start = part.variable()
    is_whole = ex.mod(upper - lower, ROUND) == 0
    count = ex.const(ROUND) if is_whole else ex.minimum(ex.const(ROUND), upper - start)
    arrays = [part.add(loop.LocalOp.of(scalar_type(a.taken), ROUND)) for a in s.accumulators]
    inside = part.loop(ZERO, count, "vector")
    s.body(inside, [start + inside.variable()], ZERO)
    for a, array in zip(s.accumulators, arrays, strict=True):
        inside.write(s.value(a), array, inside.variable())
    inside = part.loop(ZERO, count, "serial")
    s.place(inside, [start + inside.variable()])
    for a, array in zip(s.accumulators, arrays, strict=True):
        a.take(inside, [inside.read(array, inside.variable())], ZERO)


def is_blocked_search(s: Sweep) -> bool:
    """Whether the second pass of searches is over one block."""
    n = s.length.constant
    is_long = n is None or n >= 2 * SEARCHED
    only = len(s.searches) == len(s.accumulators) and all(a.passes for a in s.searches)
    return s.points.is_one and s.is_line and is_long and only


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
