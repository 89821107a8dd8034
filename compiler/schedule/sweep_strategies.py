"""Which strategies are legal for a sweep: those that take the same values in the same order.

The loops over points decide which these are.  *Point*: the points go one by one, in a loop by 1
around the sweep or in a pipeline.  *Block*: ``[d0] by 16``, whose points go side by side.  *Order*:
sums and products of floats have one, ``lanes 64``; extremes, positions and integers have none.  A
*plain* body has few operations, calls no expensive function, keeps and stores nothing, and runs
along one axis.

- ``at_once``: all values of a run in one expression.
  Legal: block, order, plain, 32 values at most.
- ``padded``: a run of unknown length, filled up to one of its numbers with what adds nothing.
  Legal: block with ``schedule.pack_rows``.
- ``groups``: for each lane, loads 8 values and adds them in pairs, in one loop.
  Legal: plain, and a block or order.
- ``pairs``: the same sums in four loops that load two values of each lane, so nearly in the order
  of memory.  Legal: point, order, plain, 8 lanes or more.
- ``singles``: the same sums in eight loops that load one value of each lane, in the order of
  memory.  Legal: as ``pairs``.
- ``staged``: values go to a staging buffer in the order of memory; their sums are those of
  ``groups``.  Legal: order, any body; or a point without order, not plain.
- ``vector``: in vector lanes.  Legal: point, no order, extremes of floats, plain.
- ``apart``: so many values go to memory before they are compared.
  Legal: no order, extremes of 16-bit floats; at a point also of functions along a short row.
- ``each``: one value after the other.
  Legal: no order, integers, positions, other extremes.
- ``searched``: a position, sought in blocks of so many values.
  Legal: point, 256 values or more, or any number.
- ``along``: a scan, vectorized over the points of a block.  Legal: scan.
- ``interleaved``: a scan of several points in turns, since each addition waits for the one before.
  Legal: scan, point or block of 16 at most.
- ``shared``: threads share chunks of a sweep that reduces nothing.
  Legal: one block that has all points.

``pairs by <16>``: the tail of a run of unknown length goes in vectors of 16 values, of which the
last one is filled up.  ``chunks <4>``: threads share chunks of 4 blocks of the order.
"""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.element import F32, F64
from opc.dialects.order import GROUP, GROUPS
from opc.support.target import BUFFERED, CHUNK, FILLING, MOST_PARTS, PARTS, SEARCHED, SHORT, VECTOR

from .sweeps import UNROLLED, Block, SweepFacts

MOST = SHORT
"""The most values of a segment that are added up without accumulators in memory: one in each lane,
as many as there are vector registers, or a group, in which a lane has several."""
IN_LANES = ("groups", "pairs", "singles", "staged", "vector")
"""Strategies that leave a tail of a segment of unknown length."""
CHUNKED = (*IN_LANES, "apart", "each")
"""Strategies of which threads may share chunks."""


def legal_strategies(s: SweepFacts, block: Block) -> set[str | None]:
    """All legal strategies; None is one of a sweep that reduces nothing."""
    if s.prefixes:
        return {"along", "interleaved"} if block.most <= VECTOR and block.narrow == 1 else {"along"}
    if not s.reduced:
        return {"shared", None} if not block.is_one and may_be_chunks(s, block) else {None}
    if _is_short(s, block):
        return {"at_once", "staged"}
    if s.limit is not None and not s.has_searches:
        return {"padded"}
    if _is_blocked_search(s, block):
        return {"searched", "each"}
    if s.lanes == 1 and not s.is_ordered:
        if _is_apart(s, block):
            return {"apart", "each"}
        is_vector = not block.is_one and block.narrow == 1
        is_plain = s.is_line and not (s.is_expensive or s.has_searches)
        return {"groups", "each"} if is_vector and is_plain else {"each"}
    if block.is_one and s.is_line and not (s.is_ordered or s.is_expensive):
        return {"vector"}
    if s.is_expensive or len(s.space.extents) > 1:
        return {"staged"}
    legal: set[str | None] = {"groups"}
    if block.is_one and s.cells >= FILLING:
        legal |= {"pairs", "singles"}
    if s.limit is None and s.is_ordered:
        legal.add("staged")
    return legal


def may_fill_up(s: SweepFacts) -> bool:
    """Whether a tail may be filled up to a vector: nothing is read beyond the last value."""
    loads = [op for op in s.ops if isinstance(op, kernel.LoadOp)]
    # Loads with other steps would read outside of their buffers.
    is_plain = all(
        op.default is None and s.step(op) in (0, 1) and scalar_type(op.result) in (F32, F64)
        for op in loads
    )
    return s.is_combined and s.is_line and is_plain and not (s.has_kept or s.has_stores)


def chunk_of(s: SweepFacts, block: Block, strategy: str | None) -> ex.Expr | None:
    """Blocks of a chunk, a power of two, by the number of blocks; None without chunks.

    Only this size may be an expression: it makes at most MOST_PARTS chunks.
    """
    if strategy not in CHUNKED or not may_be_chunks(s, block):
        return None
    if s.length.constant is not None and s.length.constant * block.most <= CHUNK:
        return None
    known = s.block.constant
    if known is None:
        values = ex.floordiv(CHUNK, s.used * (GROUP * GROUPS))
        least = ex.maximum(1, ex.pow2(values))
    else:
        least = ex.const(1 << max(0, (CHUNK // (block.most * known) - 1).bit_length()))
    size = ex.maximum(least, ex.pow2(ex.floordiv(s.blocks, PARTS)))
    return None if size.constant is not None and chunks(s, size) in (0, 1) else size


def may_be_chunks(s: SweepFacts, block: Block) -> bool:
    """Whether all points are one block, and chunks can have states of their own."""
    has_states = not (s.has_searches and s.has_passes)
    return block.blocks == 1 and not s.keeps_arrays and has_states


def chunks(s: SweepFacts, size: ex.Expr) -> ex.Expr:
    """The number of chunks of ``size`` blocks."""
    return ex.floordiv(s.blocks + size - 1, size)


def most_chunks(count: ex.Expr) -> int:
    """The most chunks: a known number, or the upper bound that ``chunk_of`` keeps."""
    return count.constant or MOST_PARTS


def _is_short(s: SweepFacts, block: Block) -> bool:
    """Whether one loop over the points may take all values of a segment."""
    n, lanes = s.length.constant, s.lanes.constant
    return (
        n is not None
        and lanes is not None
        and 0 < n <= max(GROUP, min(MOST, lanes))
        and n * len(s.ops) <= UNROLLED
        and not block.is_one
        and len(s.space.extents) <= 1
        and all(r.is_ordered for r in s.reduced)
        and not (s.has_kept or s.has_stores or s.has_functions)
    )


def _is_blocked_search(s: SweepFacts, block: Block) -> bool:
    """Whether the second pass of searches goes over one block of values."""
    n = s.length.constant
    is_long = n is None or n // SEARCHED > 1
    only_searches = all(r.is_search for r in s.reduced) and s.has_passes
    return block.is_one and s.is_line and is_long and only_searches


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
