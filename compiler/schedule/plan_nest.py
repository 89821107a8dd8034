"""Plan a nest: the first planner that has a schedule for it decides."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import kernel
from opc.dialects.schedule import TreeOp
from opc.support.target import Target

from .contraction import analyse
from .contraction_loops import CHUNKS
from .nest import NestFacts
from .nest_form import form_of
from .plan_coalesced import find_rows, plan_coalesced
from .plan_contraction import plan
from .plan_interleaved import is_interleaved, plan_interleaved
from .plan_non_temporal import NonTemporal, find_non_temporal, points
from .plan_reduce import plan_reduce
from .plan_transposes import find_tiling, plan_transposes
from .tuning import tuned


def plan_nest(
    nest: kernel.NestOp, target: Target, results: Collection[SSAValue] = (), is_shared: bool = True
) -> TreeOp:
    """The schedule for a machine: the tuned one, or a planner's; empty without points.

    ``results`` are buffers that nothing reads; ``is_shared``: threads may share loops.
    """
    chunks = CHUNKS if is_shared else 1
    if (tree := tuned(nest, target, chunks)) is not None:
        return tree
    if (contraction := analyse(nest)) is not None:
        return plan(contraction, target, chunks)
    if any(e == 0 for e in nest.extents.data):
        return TreeOp.of(Block())
    facts = NestFacts(nest)
    if facts.sweeps:
        return TreeOp.of(Block(plan_reduce(nest, target)))
    return TreeOp.of(Block(_plan_points(facts, find_non_temporal(facts, results, target))))


def _plan_points(facts: NestFacts, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """The loops of a nest without sweeps."""
    if is_interleaved(facts):
        return plan_interleaved(facts)
    rows = find_rows(facts)
    if rows is not None and rows.width.constant is None:
        return plan_coalesced(facts, rows, non_temporal)
    if (tiling := find_tiling(facts)) is not None:
        return plan_transposes(facts, tiling, non_temporal.stores)
    if rows is not None and not non_temporal:
        return plan_coalesced(facts, rows, non_temporal)
    return points(facts, non_temporal)


class Plans:
    """The schedules of the nests of one function; equal layers are planned once."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._known: dict[tuple[tuple[str, ...], bool], TreeOp] = {}

    def tree(
        self, nest: kernel.NestOp, results: Collection[SSAValue] = (), is_shared: bool = True
    ) -> TreeOp:
        """A copy of the schedule of a nest; the arguments are those of :func:`plan_nest`."""
        form = _form(nest)
        if form is None:
            return plan_nest(nest, self._target, results, is_shared)
        if (form, is_shared) not in self._known:
            self._known[form, is_shared] = plan_nest(nest, self._target, results, is_shared)
        return self._known[form, is_shared].clone()


def _form(nest: kernel.NestOp) -> tuple[str, ...] | None:
    """What the plan of a nest depends on, symbols included; None if that is not known.

    Plans of integers depend on the values of constants, too.
    """
    contraction = analyse(nest)
    if contraction is None or not contraction.type.is_float:
        return None
    form = form_of(nest)
    return form.text, *form.symbols
