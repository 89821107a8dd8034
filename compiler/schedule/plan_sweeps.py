"""Choose how each sweep takes its values: the best legal strategy, its numbers and chunks."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.support.target import (
    BUFFERED,
    FILLED,
    INTERLEAVED,
    SEARCHED,
    VECTOR,
    Target,
)

from .cost import is_large
from .sweep_strategies import IN_LANES, legal_strategies, may_fill_up
from .sweeps import Block, SweepFacts

PREFERRED = (
    *("shared", "at_once", "padded", "searched", "apart", "vector", "pairs", "groups", "staged"),
    *("each", None),
)
"""Strategies, the best first."""


def strategy_of(s: SweepFacts, block: Block, target: Target) -> str | None:
    """The best legal strategy on a machine; None for a sweep that needs none."""
    legal = legal_strategies(s, block)
    if s.prefixes:
        return "interleaved" if "interleaved" in legal and block.most <= INTERLEAVED else "along"
    if "singles" in legal and _is_from_memory(s, target):
        return "singles"
    return next(strategy for strategy in PREFERRED if strategy in legal)


def numbers_of(
    s: SweepFacts, block: Block, strategy: str | None, chunk: ex.Expr | None
) -> tuple[int, ...]:
    """The numbers of values of a strategy: its ``by``."""
    match strategy:
        case "searched":
            return (SEARCHED,)
        case "apart":
            # Enough for vectors, and fits the first-level cache.
            return (BUFFERED if block.is_one else 1,)
        case "padded":
            return FILLED
        case _:
            # C compilers vectorize loops of known length, if only with smaller vectors.
            known = s.length.constant is not None
            is_known = known and (chunk is None or ex.mod(s.length, chunk * s.block) == 0)
            is_computed = any(s.plain_load(r.value) is None for r in s.reduced)
            is_legal = strategy in IN_LANES and may_fill_up(s) and ex.mod(s.lanes, VECTOR) == 0
            return (VECTOR,) if is_legal and is_computed and not is_known else ()


def _is_from_memory(s: SweepFacts, target: Target) -> bool:
    """Whether memory limits the speed, so that the hardware prefetcher decides.

    It prefetches from line to line, but not where two rows are read in turns: sums of 16, 32 and 64
    MiB take 0.8, 0.5 and 0.35 of the time (Zen 4, gcc 12; with clang 15 0.9 to 0.7).  In a cache,
    of rows of a few thousand values, and where other sweeps follow, ``singles`` takes up to 1.2
    times as long; with two operands it makes no difference.
    """
    blocks = s.blocks.constant
    loads = [op.source for op in s.ops if isinstance(op, kernel.LoadOp)]
    is_long = blocks is not None and blocks > 1 and s.is_line and s.is_only
    return is_long and len(loads) == 1 and is_large(loads[0], target.half_past)
