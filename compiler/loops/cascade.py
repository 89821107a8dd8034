"""Add the totals of blocks, or of chunks of them that threads share, in a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.schedule.sweep_loops import chunks
from opc.support.target import MOST_PARTS

from .accumulators import Accumulator, Total
from .insertion import Insertion
from .sweep import Sweep

MOST_LEVELS = 40
"""Levels for an unknown number of blocks: 2^40 blocks take days."""


class Cascade:
    """Adds up blocks 2k and 2k + 1, then pairs of pairs; ``loop.cascade`` has a total a level::

    count = 0
    for b in 0 to n by 8192 {
      next: totals move up the levels as the bits of count say; cells are 0 again
      count += 1
      ...
    }
    finish: cells and levels become one total
    """

    def __init__(
        self,
        here: Insertion,
        ordered: Sequence[Accumulator],
        blocks: int | None,
        cells: int,
        used: ex.Expr,
    ) -> None:
        levels = MOST_LEVELS if blocks is None else max(1, blocks.bit_length())
        self.used = () if used == cells else (used,)
        self.count = here.local(el.I64)
        here.write(here.constant(0, el.I64), self.count)
        self.totals = [a for a in ordered if isinstance(a, Total)]
        self.levels = [here.local(a.stored, levels * cells) for a in self.totals]

    def next(self, here: Insertion) -> None:
        """Begin a block."""
        self._step(here, "next")
        here.write(here.apply("add", here.read(self.count), here.constant(1, el.I64)), self.count)

    def finish(self, here: Insertion) -> None:
        """Add up cells and levels."""
        self._step(here, "finish")

    def _step(self, here: Insertion, step: str) -> None:
        width, dims = here.resolve_all(self.used)
        for a, levels in zip(self.totals, self.levels, strict=True):
            args = a.cells, levels, self.count
            here.block.add_op(loop.CascadeOp.of(step, *args, width, dims, a.row.name))


def take_chunks(
    s: Sweep,
    here: Insertion,
    size: ex.Expr,
    take: Callable[[Sweep, Insertion, ex.Expr, ex.Expr], None],
) -> None:
    """Split a sweep into chunks of ``size`` blocks that threads share, where points are too few.

    A chunk, whose loops ``take`` writes, is a whole subtree of the order, so a tree over the chunks
    gives the same bits::

        for c in 0 to count parallel { acc = ...; parts[c] = acc }
        for c in 0 to count { next; acc = parts[c] }
        finish
    """
    count, step, cells = chunks(s, size), size * s.block, s.cells
    most = count.constant or MOST_PARTS  # the upper bound that ``chunk_of`` keeps
    parts = {
        a: [here.local(element_in(array), most * cells) for array, _ in a.states]
        for a in s.accumulators
    }
    chunk = here.loop(0, count, "parallel")
    for a in s.accumulators:
        a.declare(chunk, cells)
    start = chunk.variable() * step
    is_whole = ex.mod(s.length, step) == 0
    take(s, chunk, start, start + step if is_whole else ex.minimum(start + step, s.length))
    inside, cell = chunk.each(s.used)
    for a, arrays in parts.items():
        for (array, _), part in zip(a.states, arrays, strict=True):
            inside.write(inside.read(array, cell), part, chunk.variable() * cells + cell)
    for a in s.accumulators:
        a.declare(here, cells)
    cascade = Cascade(here, s.ordered, most, cells, s.used) if s.ordered else None
    chunk = here.loop(0, count, "serial")
    if cascade is not None:
        cascade.next(chunk)
    inside, cell = chunk.each(s.used)
    for a, arrays in parts.items():
        totals = [inside.read(part, chunk.variable() * cells + cell) for part in arrays]
        if isinstance(a, Total) and a.is_ordered:
            inside.write(totals[0], a.cells, cell)
        else:
            a.combine_cells(inside, cell, totals)
    if cascade is not None:
        cascade.finish(here)
