"""The schedule of a nest: of the first of the planners that has one for it."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import Rewriter

from opc.dialects import kernel
from opc.dialects.schedule import TreeOp
from opc.support.target import Target

from .contraction import analyse
from .nest import NestFacts
from .non_temporal import NonTemporal, find_non_temporal, points
from .plan_coalesced import find_rows, plan_coalesced
from .plan_contraction import CHUNKS, plan
from .plan_interleaved import has_phases, plan_phases
from .plan_reduce import plan_reduce
from .plan_transposes import find_tiling, plan_transposes


def plan_nest(
    nest: kernel.NestOp, target: Target, results: Collection[SSAValue] = (), is_shared: bool = True
) -> TreeOp:
    """The schedule for a machine; it is empty where there are no points.

    ``results`` are buffers that nothing reads; ``is_shared``: threads may share its loops.
    """
    if (contraction := analyse(nest)) is not None:
        return plan(contraction, target, CHUNKS if is_shared else 1)
    if any(e == 0 for e in nest.extents.data):
        return TreeOp.of(Block())
    facts = NestFacts(nest)
    if facts.sweeps:
        return TreeOp.of(Block(plan_reduce(nest, target)))
    return TreeOp.of(Block(_plan_points(facts, find_non_temporal(facts, results, target))))


def _plan_points(facts: NestFacts, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """Of a nest without sweeps."""
    if has_phases(facts):
        return plan_phases(facts)
    rows = find_rows(facts)
    if rows is not None and rows.width.constant is None:
        return plan_coalesced(facts, rows, non_temporal)
    if (tiling := find_tiling(facts)) is not None:
        return plan_transposes(facts, tiling, non_temporal.stores)
    if rows is not None and not non_temporal:
        return plan_coalesced(facts, rows, non_temporal)
    return points(facts, non_temporal)


def reschedule(nest: kernel.NestOp, target: Target) -> None:
    """Plan a nest anew, of which the extents are others."""
    tree = nest.body.block.last_op
    if isinstance(tree, TreeOp):
        Rewriter.erase_op(tree)
    nest.body.block.add_op(plan_nest(nest, target, is_shared=False))
