"""The schedule of a nest that is no contraction: the first of the planners that has one for it."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import kernel
from opc.dialects.schedule import TreeOp
from opc.target import Target

from .nest import NestFacts, stores_past
from .plan_coalesced import find_rows, plan_coalesced
from .plan_pointwise import points
from .plan_reduce import plan_reduce
from .plan_transposes import find_tiling, plan_transposes


def plan_nest(nest: kernel.NestOp, target: Target) -> TreeOp:
    """The schedule for a machine; it is empty where there are no points."""
    if any(e == 0 for e in nest.extents.data):
        return TreeOp.of(Block())
    facts = NestFacts(nest)
    ops = plan_reduce(nest, target) if facts.sweeps else _plan_points(facts)
    return TreeOp.of(Block(ops))


def _plan_points(facts: NestFacts) -> list[IRDLOperation]:
    """Of a nest without sweeps."""
    rows = find_rows(facts)
    if rows is not None and rows.width.constant is None:
        return plan_coalesced(facts, rows)
    if (tiling := find_tiling(facts)) is not None:
        return plan_transposes(facts, tiling)
    if rows is not None and not stores_past(facts.ops):
        return plan_coalesced(facts, rows)
    return points(facts)


def reschedule(nest: kernel.NestOp, target: Target) -> None:
    """Plan a nest anew, of which the extents are others."""
    tree = nest.body.block.last_op
    if isinstance(tree, TreeOp):
        tree.detach()
        tree.erase()
    nest.body.block.add_op(plan_nest(nest, target))
