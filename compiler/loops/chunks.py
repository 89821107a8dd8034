"""Split a sweep into chunks that threads share, where there are too few points for them.

A chunk is a whole subtree of the order, so a tree over the chunks gives the same bits::

    for c in 0 to count parallel { acc = ...; parts[c] = acc }
    for c in 0 to count { next; acc = parts[c] }
    finish
"""

from __future__ import annotations

from collections.abc import Callable

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.schedule.sweep_chunks import chunks, most_chunks

from .accumulators import Total
from .cascade import Cascade
from .insertion import Insertion
from .sweep import Sweep


def take_chunks(
    s: Sweep,
    here: Insertion,
    size: ex.Expr,
    take: Callable[[Sweep, Insertion, ex.Expr, ex.Expr], None],
) -> None:
    """Let ``take`` write the loops over a chunk of ``size`` blocks, then combine the chunks."""
    count, step, cells = chunks(s, size), size * s.block, s.cells
    most = most_chunks(count)
    parts = {
        a: [here.add(loop.LocalOp.of(element_in(array), most * cells)) for array, _ in a.states]
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
