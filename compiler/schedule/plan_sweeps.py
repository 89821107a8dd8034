"""How the values of a sweep are taken: what is best of all that gives the bits of the order.

``at_once``: all of a short run in one expression; ``padded``: few values, whose number only a run
knows, filled up to a number that it goes by, or to as many as the version has at most; ``groups``:
8 values of each lane, computed where they are taken; ``pairs``: the same two by two, so that memory
is read nearly as it lies; ``singles``: one by one, just as it lies; ``staged``: the same from a
staging buffer that is computed in the order of memory; ``lanes``: what needs no order, in lanes for
vectors;
``apart``: values go to memory before they are compared, by some number; ``each``: one after the
other; ``searched``: a search in blocks, by some number.

``staged by <16>``: what is left of a run of unknown length, and is computed, goes in vectors of 16
values, the last of which is filled up.  Threads share chunks of a long run; what a sweep does that
reduces nothing they share where all points are one block: ``shared``.

Totals that are handed on from value to value (``kernel.prefix``) go ``along`` the points of a block
at each value, in vectors; or they are ``chains``, one for each point, which go on side by side: an
addition waits for the one before, but not for those of other points.
"""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.element import F32, F64
from opc.dialects.order import GROUP, GROUPS
from opc.support.target import (
    BLOCK,
    CHAINS,
    CHUNK,
    FILLED,
    FILLING,
    MOST_PARTS,
    PARTS,
    SEARCHED,
    SHORT,
    VECTOR,
    Target,
)

from .cost import is_large
from .sweeps import UNROLLED, Block, SweepFacts

MOST = SHORT
"""Values of a run that are added up without cells, at most: one in each lane, as many as the vector
registers that there are; or a group, in which a lane has several."""
IN_LANES = ("groups", "pairs", "singles", "staged", "lanes")
"""Ways that leave some values of a run of unknown length."""
CHUNKED = (*IN_LANES, "apart", "each")
"""Ways of which threads may share chunks."""


def strategy_of(s: SweepFacts, block: Block, target: Target | None = None) -> str | None:
    """How values are taken; None of a sweep that reduces nothing, unless threads share it.

    Without a target, of ways that gain on some machine only, none.
    """
    if s.prefixes:
        return "chains" if block.most <= CHAINS and block.narrow == 1 else "along"
    if not s.reduced:
        return "shared" if not block.is_one and may_be_chunks(s, block) else None
    if _is_short(s, block):
        return "at_once"
    if s.limit is not None and not s.has_searches:
        return "padded"
    if _is_blocked_search(s, block):
        return "searched"
    if s.lanes == 1 and not s.is_ordered:
        if _are_apart(s, block):
            return "apart"
        is_vector = not block.is_one and block.narrow == 1
        if not is_vector or s.is_expensive or not s.is_line or s.has_searches:
            return "each"
    elif not (s.is_ordered or s.is_expensive) and block.is_one and s.is_line:
        return "lanes"
    if s.is_expensive or len(s.space.extents) > 1:
        return "staged"
    if not block.is_one or s.cells < FILLING:
        return "groups"
    return "singles" if target is not None and _is_from_memory(s, target) else "pairs"


def legal_strategies(s: SweepFacts, block: Block) -> set[str | None]:
    """All ways that are legal: they take the same values in the same order."""
    best = strategy_of(s, block)
    found = {best}
    if s.prefixes:
        found |= {"along", "chains"} if block.most <= VECTOR and block.narrow == 1 else {"along"}
    if best == "shared":
        found.add(None)
    if best == "searched":
        found.add("each")
    if best == "pairs":
        found |= {"groups", "singles"}
    if best in ("apart", "groups") and s.lanes == 1 and not s.is_ordered:
        found.add("each")
    if best in ("at_once", "groups", "pairs") and s.limit is None and s.is_ordered:
        found.add("staged")
    return found


def numbers_of(
    s: SweepFacts, block: Block, strategy: str | None, chunk: ex.Expr | None
) -> tuple[int, ...]:
    """The numbers of values that a way goes by."""
    match strategy:
        case "searched":
            return (SEARCHED,)
        case "apart":
            # Enough for vectors, and in the first cache.
            return (BLOCK if block.is_one else 1,)
        case "padded":
            return FILLED
        case _:
            # Of a known number C compilers make vectors, if only smaller ones.
            known = s.length.constant is not None
            is_known = known and (chunk is None or ex.mod(s.length, chunk * s.block) == 0)
            is_computed = any(s.plain_load(r.value) is None for r in s.reduced)
            is_legal = strategy in IN_LANES and may_fill_up(s) and ex.mod(s.lanes, VECTOR) == 0
            return (VECTOR,) if is_legal and is_computed and not is_known else ()


def may_fill_up(s: SweepFacts) -> bool:
    """Whether more values are computed than there are, of what is not read beyond the last one."""
    loads = [op for op in s.ops if isinstance(op, kernel.LoadOp)]
    # What is far apart along the run would be read where nothing is.
    is_plain = all(
        op.default is None and s.step(op) in (0, 1) and scalar_type(op.result) in (F32, F64)
        for op in loads
    )
    return s.is_combined and s.is_line and is_plain and not (s.has_kept or s.has_stores)


def chunk_of(s: SweepFacts, block: Block, strategy: str | None) -> ex.Expr | None:
    """Blocks of a chunk, a power of two; None where threads share the points, or nothing.

    That follows from how many blocks there are, known or not.
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
    """Whether all points are one block, whose state chunks can have parts of."""
    has_states = not (s.has_searches and s.has_passes)
    return block.blocks == 1 and not s.keeps_arrays and has_states


def chunks(s: SweepFacts, size: ex.Expr) -> ex.Expr:
    """How many chunks of so many blocks there are."""
    return ex.floordiv(s.blocks + size - 1, size)


def most_chunks(count: ex.Expr) -> int:
    """How many chunks there are at most, of sizes that follow from how many blocks there are."""
    return count.constant or MOST_PARTS


def _is_short(s: SweepFacts, block: Block) -> bool:
    """Whether all values of a run are taken in one loop over the points."""
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
    """Whether the second pass of searches is over one block."""
    n = s.length.constant
    is_long = n is None or n // SEARCHED > 1
    only = all(r.is_search for r in s.reduced) and s.has_passes
    return block.is_one and s.is_line and is_long and only


def _is_from_memory(s: SweepFacts, target: Target) -> bool:
    """Whether memory takes the time, and how far processors read ahead of it.

    They do so from line to line, not where two rows are read in turns: sums of 16, 32 and 64 MiB
    take 0.8, 0.5 and 0.35 of the time (Zen 4, gcc 12; with clang 15 0.9 to 0.7).  In a cache, of
    rows of a few thousand values, and where other sweeps follow, they take up to 1.2 times as long;
    with two operands it makes no difference.
    """
    blocks = s.blocks.constant
    loads = [op.source for op in s.ops if isinstance(op, kernel.LoadOp)]
    is_long = blocks is not None and blocks > 1 and s.is_line and s.is_only
    return is_long and len(loads) == 1 and is_large(loads[0], target.half_past)


def _are_apart(s: SweepFacts, block: Block) -> bool:
    """Whether values are computed before extremes are taken: of 16 bits, or by functions along a
    short row, whose last values are one more full vector then.
    """
    n = s.length.constant
    found = any(r.is_apart for r in s.reduced)
    is_short = n is not None and n < BLOCK and n % FILLING != 0 and not s.has_searches
    if not block.is_one:
        return found and s.is_line and not s.has_searches
    return (found or (is_short and s.has_functions)) and s.is_line
