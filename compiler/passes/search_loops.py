"""The second pass for positions, over all values or over one block of a long row.

Which block that is, the first pass finds out::

    for b = 0 to n step 128                          # best = worst value, start = 0
      block = max of key(x[b ...])
      best, start = block > best ? (block, b) : (best, start)
    for i = start to start + 128
      found = min(found, key(x[i]) == best ? i : nowhere)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import expr as ex

from .loop_places import Place
from .prefetching import page, prefetch

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

BLOCK = 128
"""Values of a block, twice as many in rows longer than ``LONG``: short blocks are soon searched."""
LONG = 1 << 12


def goes_in_blocks(sweep: SweepLowering) -> bool:
    """Whether a sweep looks for positions only, in one long row."""
    alone = not sweep.accumulators and not sweep.extremes and len(sweep.space.extents) == 1
    n = sweep.inner.constant
    return bool(sweep.positions) and alone and (n is None or n > 2 * BLOCK)


def search_all(sweep: SweepLowering, here: Place) -> None:
    """The second pass, over the same values as the first."""
    for extent in sweep.space.extents:
        here = here.loop(ex.const(0), extent, "serial")
    sweep.body_at(here, here.variable() if sweep.space.extents else None)
    for p in sweep.positions:
        p.locate(here, sweep.nest.values[p.value], sweep.position)


def search_blocks(sweep: SweepLowering, here: Place) -> None:
    """Both passes, the first of them in blocks."""
    size = _size(sweep)
    block = here.loop(ex.const(0), sweep.inner, "serial", size)
    whole, at = sweep.positions, block.variable()
    sweep.positions = [p.block(block) for p in whole]
    for op in sweep.fresh:
        there = Place(block.block, block.variables, {**block.at, **sweep.places(at)})
        prefetch(there, op, sweep.nest.offsets[op], page(op), size)
    inside = block.loop(at, _end(sweep, at), "serial")
    sweep.values(inside, inside.variable())
    for p, found in zip(whole, sweep.positions, strict=True):
        p.end_block(block, found)
    sweep.positions = whole
    for p in whole:
        there = Place(here.block, [*here.variables, here.read(p.start)], dict(here.at))
        start = there.variable()
        inside = there.loop(start, _end(sweep, start), "serial")
        sweep.body_at(inside, inside.variable())
        p.locate(inside, sweep.nest.values[p.value], sweep.position)


def _end(sweep: SweepLowering, start: ex.Expr) -> ex.Expr:
    n, size = sweep.inner.constant, _size(sweep)
    even = n is not None and n % size == 0
    return start + size if even else ex.minimum(start + size, sweep.inner)


def _size(sweep: SweepLowering) -> int:
    n = sweep.inner.constant
    return 2 * BLOCK if n is not None and n > LONG else BLOCK
