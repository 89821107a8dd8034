"""Which sweeps of a nest may go ahead of the last sweep of the row before."""

from __future__ import annotations

from itertools import chain

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.collapse import collapse
from opc.dialects.layout import linearize
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.walking import walk

from .nest import NestFacts, has_functions


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
