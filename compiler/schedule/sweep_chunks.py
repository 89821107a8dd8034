"""Chunks of a sweep that threads share: subtrees of its order."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.order import GROUP, GROUPS
from opc.support.target import CHUNK, MOST_PARTS, PARTS

from .sweeps import Block, SweepFacts


def chunk_of(s: SweepFacts, block: Block) -> ex.Expr | None:
    """Blocks of a chunk, a power of two, by the number of blocks; None without chunks.

    Only this size may be an expression: it makes at most MOST_PARTS chunks.
    """
    if not may_be_chunks(s, block):
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
