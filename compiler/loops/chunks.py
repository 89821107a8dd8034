"""A sweep in chunks that threads share, where there are too few points for them.

A chunk is a whole subtree of the order, so that the tree over the chunks gives the same bits::

    for c in 0 to count parallel { acc = ...; parts[c] = acc }
    for c in 0 to count { next; acc = parts[c] }
    finish

How many blocks a chunk has is a power of two that follows from how many there are, known or not.
"""

from __future__ import annotations

from collections.abc import Callable

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.dialects.order import GROUP, GROUPS, LANES
from opc.target import CHUNK, PIECES

from .accumulators import Total
from .cascade import Cascade
from .places import Place
from .sweep import ZERO, Sweep

CHUNKS = 2 * PIECES
"""Chunks where values are many, or up to twice as many."""


def blocks_of_chunk(s: Sweep) -> ex.Expr | None:
    """Blocks of a chunk, a power of two; None where threads share the points, or nothing."""
    has_states = all(a.states for a in s.accumulators)
    if s.points.blocks != 1 or s.kept or not has_states:
        return None
    if s.length.constant is not None and s.length.constant * s.points.most <= CHUNK:
        return None
    # Lanes times points, of which only a run knows how many, are about as many as they can be.
    known = s.block.constant
    values = LANES * GROUP * GROUPS if known is None else s.points.most * known
    least = 1 << max(0, (CHUNK // values - 1).bit_length())
    size = ex.maximum(least, ex.pow2(ex.floordiv(s.blocks, CHUNKS)))
    return None if size.constant is not None and _count(s, size) in (0, 1) else size


def _count(s: Sweep, size: ex.Expr) -> ex.Expr:
    """How many chunks there are."""
    return ex.floordiv(s.blocks + size - 1, size)


def take_chunks(
    s: Sweep, here: Place, size: ex.Expr, take: Callable[[Sweep, Place, ex.Expr, ex.Expr], None]
) -> None:
    """Let ``take`` write the loops over a chunk of so many blocks, then combine the chunks."""
    count, step, cells = _count(s, size), size * s.block, s.cells
    most = count.constant or 2 * CHUNKS
    parts = {
        a: [here.add(loop.LocalOp.of(element_in(array), most * cells)) for array, _ in a.states]
        for a in s.accumulators
    }
    chunk = here.loop(ZERO, count, "parallel")
    for a in s.accumulators:
        a.declare(chunk, cells)
    start = chunk.variable() * step
    is_whole = ex.mod(s.length, step) == 0
    take(s, chunk, start, start + step if is_whole else ex.minimum(start + step, s.length))
    inside, cell = _over_cells(chunk, cells)
    for a, arrays in parts.items():
        for (array, _), part in zip(a.states, arrays, strict=True):
            inside.write(inside.read(array, cell), part, chunk.variable() * cells + cell)
    for a in s.accumulators:
        a.declare(here, cells)
    cascade = Cascade(here, s.ordered, most, cells, s.used) if s.ordered else None
    chunk = here.loop(ZERO, count, "serial")
    if cascade is not None:
        cascade.next(chunk)
    inside, cell = _over_cells(chunk, cells)
    for a, arrays in parts.items():
        found = [inside.read(part, chunk.variable() * cells + cell) for part in arrays]
        if isinstance(a, Total) and a.is_ordered:
            inside.write(found[0], a.cells, cell)
        else:
            a.combine_cells(inside, cell, found)
    if cascade is not None:
        cascade.finish(here)


def _over_cells(here: Place, cells: int) -> tuple[Place, ex.Expr]:
    """A loop over the cells of an accumulator; none over a single one."""
    if cells == 1:
        return here, ZERO
    inside = here.loop(ZERO, ex.const(cells), "vector")
    return inside, inside.variable()
