"""Choose the loops of each sweep of a nest."""

from __future__ import annotations

from dataclasses import replace

from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.order import GROUP
from opc.support.target import (
    BUFFERED,
    FILLED,
    FILLING,
    INTERLEAVED,
    SEARCHED,
    SHORT,
    STAGED,
    Target,
)

from .cost import is_large
from .sweep_loops import SweepLoops, chunk_of, may_be_chunks
from .sweep_orders import may_search_blocks, may_unroll
from .sweeps import UNROLLED, Block, SweepFacts


def loops_for(s: SweepFacts, block: Block, target: Target) -> SweepLoops:
    """The loops of a sweep for a block of points of a machine."""
    if s.prefixes:
        if block.most <= INTERLEAVED and block.narrow == 1:
            return SweepLoops(is_interleaved=True)
        values = (v for op in s.ops for v in (*op.operands, *op.results))
        scalars = (v for v in values if kernel.storage(v) is None)
        is_small = any(scalar_type(v).is_small_float for v in scalars)
        # Of 16 bits, one load and one store are converted at once.
        return SweepLoops(unit=1 if is_small else INTERLEAVED)
    if not s.reduced:
        return SweepLoops(is_parallel=not block.is_one and may_be_chunks(s, block))
    if _is_short(s, block):
        return SweepLoops(is_unrolled=True)
    if s.limit is not None and not s.has_searches:
        return SweepLoops(is_unrolled=True, is_staged=True, pads=FILLED)
    n = s.length.constant
    if may_search_blocks(s, block) and (n is None or n // SEARCHED > 1):
        return SweepLoops(unit=SEARCHED)
    return replace(_in_lanes(s, block, target), chunk=chunk_of(s, block))


def _in_lanes(s: SweepFacts, block: Block, target: Target) -> SweepLoops:
    """The loops over lanes, or over values one by one."""
    if s.lanes == 1 and not s.is_ordered:
        if _is_apart(s, block):
            # Enough for vectors, and fits the first-level cache.
            return SweepLoops(unit=BUFFERED if block.is_one else 1, is_staged=True)
        is_vector = not block.is_one and block.narrow == 1
        is_plain = s.is_line and not (s.is_expensive or s.has_searches)
        return SweepLoops(rows=GROUP if is_vector and is_plain else 0)
    if block.is_one and s.is_line and not (s.is_ordered or s.is_expensive):
        return SweepLoops(rows=1)
    if s.is_expensive or s.is_multiple:
        return SweepLoops(rows=GROUP, is_staged=True)
    if not block.is_one and _goes_over_rows(s, block, target):
        return SweepLoops(rows=GROUP, is_staged=True)
    if not block.is_one or s.cells < FILLING:
        return SweepLoops(rows=GROUP)
    return SweepLoops(rows=1 if _is_from_memory(s, target) else 2)


def _is_short(s: SweepFacts, block: Block) -> bool:
    """Whether each lane has one value, or there is one group, and one loop has them all."""
    n, lanes = s.length.constant, s.lanes.constant
    is_small = n is not None and n <= max(GROUP, min(SHORT, lanes or 0))
    is_simple = n is not None and n * len(s.ops) <= UNROLLED and not s.has_functions
    return may_unroll(s, block) and is_small and is_simple


def _is_apart(s: SweepFacts, block: Block) -> bool:
    """Whether values go to memory before extremes are taken: values of 16 bits, or of expensive
    functions along a short row, whose tail is one more full vector then.
    """
    n = s.length.constant
    is_narrow = any(r.is_apart for r in s.reduced)
    is_short = n is not None and n < BUFFERED and n % FILLING != 0 and not s.has_searches
    if not block.is_one:
        return is_narrow and s.is_line and not s.has_searches
    return (is_narrow or (is_short and s.has_functions)) and s.is_line


def _goes_over_rows(s: SweepFacts, block: Block, target: Target) -> bool:
    """Whether sums down columns read whole rows from memory, and the first cache holds a group.

    Read in turns, the rows of a group are not prefetched: one after the other, into a
    staging buffer, 64 to 400 columns of 40 MB take 0.47 to 0.74 of the time (Zen 4, gcc 12).  Fewer
    columns take up to 1.4 times as long so, and 512 as long as without.
    """
    if not (s.is_line and s.is_only and len(s.loads) == 1 and block.most >= STAGED):
        return False
    (load,) = s.loads
    size = GROUP * block.most * scalar_type(load.result).bytes
    is_next = s.step(load) == block.most
    return is_next and size < target.half_l1 and is_large(load.source, target.half_past)


def _is_from_memory(s: SweepFacts, target: Target) -> bool:
    """Whether memory limits the speed, so that the hardware prefetcher decides.

    It prefetches from line to line, but not where two rows are read in turns: sums of 16, 32 and 64
    MiB take 0.8, 0.5 and 0.35 of the time (Zen 4, gcc 12; with clang 15 0.9 to 0.7) where a loop
    over the lanes takes one value of each, not two.  In a cache, of rows of a few thousand values,
    and where other sweeps follow, it takes up to 1.2 times as long; with two operands it makes no
    difference.
    """
    blocks = s.blocks.constant
    is_long = blocks is not None and blocks > 1 and s.is_line and s.is_only
    return is_long and len(s.loads) == 1 and is_large(s.loads[0].source, target.half_past)
