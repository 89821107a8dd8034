"""Plan a nest: the first planner that has a schedule for it decides."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import kernel
from opc.dialects.schedule import ForOp, RunOp, TreeOp
from opc.support.target import PHASES, VECTOR, Target

from .contraction import analyse
from .contraction_loops import CHUNKS
from .nest import NestFacts
from .nest_form import form_of
from .nest_trees import in_threads
from .plan_coalesced import find_rows, plan_coalesced
from .plan_contraction import plan
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


def is_interleaved(facts: NestFacts) -> bool:
    """Whether a few points along the last axis are neighbours, loaded along the axis before.

    ``y[2*q + p] = x[p, q]``: vectors go along q, and all p are unrolled inside, so that C compilers
    load a vector for each p and interleave the vectors in registers.  A pixel shuffle takes 0.1 to
    0.5 of the time.
    """
    extents = [e.constant for e in facts.outer.extents]
    if len(extents) < 2 or not facts.stores:
        return False
    *_, row, few = extents
    if few is None or few > PHASES or (row is not None and row < VECTOR):
        return False
    steps = [facts.steps(op)[-2:] for op in facts.loads]
    return (
        all(facts.steps(op)[-2:] == [few, 1] for op in facts.stores)
        and any(row == 1 and few_step != 0 for row, few_step in steps)
        and all(row in (0, 1, few) for row, _ in steps)
    )


def plan_interleaved(facts: NestFacts) -> list[IRDLOperation]:
    """The loops: vectors along one axis, with the neighbours unrolled inside."""
    *around, row, few = facts.axes
    ops = [ForOp.of(row, 1, "vector", [ForOp.of(few, 1, "unroll", [RunOp.of("out")])])]
    return in_threads([(axis, 1) for axis in around], ops)
