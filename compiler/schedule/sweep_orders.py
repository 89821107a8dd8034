"""Which loops of a sweep are legal: those that give the bits of its order.

They depend on the order, on the axes, on what the sweep stores, and on the block of points.
"""

from __future__ import annotations

from itertools import chain

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.budgets import MOST_INTERLEAVED, MOST_UNROLLED
from opc.dialects.collapse import collapse
from opc.dialects.layout import linearize
from opc.dialects.order import GROUP
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import SMALL, RunOp
from opc.dialects.walking import walk

from .nest import NestFacts, has_functions
from .nest_trees import fail
from .sweep_loops import SweepLoops, chunk_of, chunks, has_groups, may_be_chunks
from .sweeps import Block, SweepFacts


def check_choice(s: SweepFacts, block: Block, choice: SweepLoops, at: Operation) -> None:
    """Raise InputError unless loops give the bits of the order."""
    name = f"sweep {at.number}" if isinstance(at, RunOp) else at.name
    # nest_schedule_c31: the loops give the bits of the order.
    if (expected := _illegal(s, block, choice)) is not None:
        raise fail(f"{name}: found {_shown(choice)}, expected {expected}", at)
    # nest_schedule_c32: chunks are subtrees of the order, several of them.
    if (chunk := choice.chunk) is not None and chunk != chunk_of(s, block):
        size = chunk.constant or 0
        count = chunks(s, chunk).constant or 0 if size > 0 else 0
        if not (size > 0 and not size & (size - 1) and count > 1 and may_be_chunks(s, block)):
            raise fail(
                f"{name}: found {count} chunks of {chunk} blocks, expected 2 or more of a power "
                "of two, or none",
                at,
            )


def _shown(choice: SweepLoops) -> str:
    """What loops do with values, in an error."""
    staged = "staged " if choice.is_staged else ""
    if choice.is_unrolled:
        return f"{staged}values unrolled"
    if choice.rows:
        return f"{staged}values in lanes, {choice.rows} of each"
    return f"{staged}values by {choice.unit}"


def _illegal(s: SweepFacts, block: Block, choice: SweepLoops) -> str | None:
    """What was expected in place of loops that are not legal; None if they are."""
    if s.prefixes:
        is_few = block.most <= MOST_INTERLEAVED and block.narrow == 1
        if choice.is_interleaved and not is_few:
            return f"{MOST_INTERLEAVED} points at most"
        return None if choice.unit <= MOST_UNROLLED else f"{MOST_UNROLLED} at most"
    if not s.reduced:
        is_shared = not block.is_one and may_be_chunks(s, block)
        return "values that threads do not share" if choice.is_parallel and not is_shared else None
    if s.limit is not None and not s.has_searches:
        return None if choice.is_unrolled and choice.is_staged else "staged values unrolled"
    if choice.is_unrolled:
        is_legal = may_unroll(s, block) and not choice.is_staged
        return None if is_legal else "no loop of all values"
    if s.lanes == 1 and not s.is_ordered:
        return _illegal_without_lanes(s, block, choice)
    if choice.rows == 0:
        return "values in lanes"
    if choice.is_staged or s.is_multiple or s.has_kept or s.has_stores:
        is_legal = choice.is_staged and choice.rows == GROUP
        return None if is_legal else "staged values in lanes, 8 of each"
    if not has_groups(s, block, choice.is_staged):
        return None if choice.rows == 1 else "values in lanes, 1 of each"
    if choice.rows < GROUP and (s.lanes == 1 or not block.is_one):
        return "values in lanes, 8 of each"
    return None


def _illegal_without_lanes(s: SweepFacts, block: Block, choice: SweepLoops) -> str | None:
    """The same for a sweep that needs neither an order nor lanes."""
    if choice.rows:
        is_vector = not block.is_one and block.narrow == 1
        is_plain = s.is_line and not (s.has_kept or s.has_stores or s.has_searches)
        is_legal = is_vector and is_plain and choice.rows == GROUP and not choice.is_staged
        return None if is_legal else "values by 1"
    if choice.is_staged:
        is_legal = s.is_line and (block.is_one or (not s.has_searches and block.narrow == 1))
        most = SMALL if block.is_one else 1
        return None if is_legal and choice.unit <= most else "values by 1"
    return None if choice.unit == 1 or may_search_blocks(s, block) else "values by 1"


def may_unroll(s: SweepFacts, block: Block) -> bool:
    """Whether one expression for each point of a block may have all values of a segment."""
    n, lanes = s.length.constant, s.lanes.constant
    is_short = n is not None and lanes is not None and 0 < n <= min(MOST_UNROLLED, lanes * GROUP)
    is_pure = not (s.has_kept or s.has_stores or s.is_multiple)
    return is_short and is_pure and not block.is_one and all(r.is_ordered for r in s.reduced)


def may_search_blocks(s: SweepFacts, block: Block) -> bool:
    """Whether the second pass of searches may go over one block of values."""
    only_searches = all(r.is_search for r in s.reduced) and s.has_passes
    return block.is_one and s.is_line and only_searches


def can_go_beside(front: kernel.SweepOp, back: kernel.SweepOp) -> bool:
    """Whether a sweep reduces expensive functions in an order, and another only stores.

    Both have the same extents.
    """
    kinds = [REDUCTIONS[kind.data] for kind in front.kinds if kind.data != kernel.KEEP]
    return (
        has_functions([front])
        and front.lanes_expr is not None
        and not any(row.is_arg for row in kinds)
        and not back.outputs
        and front.extents == back.extents
    )


def are_apart(facts: NestFacts, front: kernel.SweepOp, back: kernel.SweepOp) -> bool:
    """Whether sweep ``front`` may run before sweep ``back`` of the row before.

    That holds if both go along one axis of memory, if the nest reads nothing that it writes, and if
    ``back`` reads of materialized values only those of ``front`` at the same index, and those of
    sweeps between the two.
    """
    nest, ops = facts.nest, facts.ops
    rank, extents = len(nest.extents.data), front.extents.data
    here = tuple(ex.dim(rank + k) for k in range(len(extents)))
    inside = chain(front.body.block.ops, back.body.block.ops)
    offsets = [facts.offsets[op] for op in inside if op in facts.offsets]
    offsets += [facts.kept[r][1] for r in front.outputs if r in facts.kept]
    if len(collapse(rank, extents, [*offsets, linearize(here, extents)]).extents) != 1:
        return False
    between, after = ops[ops.index(front) + 1 : ops.index(back)], ops[ops.index(back) + 1 :]
    loads = [op for op in walk(nest) if isinstance(op, kernel.LoadOp)]
    kept = [op for op in loads if isinstance(op.source.owner, kernel.SweepOp)]
    return (
        all(op.source not in nest.targets for op in loads)
        and all(
            op.source.owner in between or (op.source.owner is front and op.index.data == here)
            for op in kept
            if op.parent_op() is back
        )
        and not any(op in after for op in kept)
    )
