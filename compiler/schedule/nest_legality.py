"""Check schedules: each point is computed once.

A legal schedule gives the same bits, whatever its loops; an illegal one is an error that says what
was found and what was expected.  Here are versions, axes and the loops over points of nests without
sweeps; ``block_legality`` checks coalesced, transposed and non-temporal blocks, ``sweep_legality``
nests with sweeps, ``legality`` contractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.loop_if import is_condition
from opc.dialects.schedule import (
    ROTATING,
    SMALL,
    Axis,
    CoalesceOp,
    ForOp,
    IfOp,
    NonTemporalOp,
    RunOp,
    TransposeOp,
    TreeOp,
)
from opc.dialects.schedule_nests import axis_text
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.errors import InputError
from opc.support.locations import location_of
from opc.support.target import VECTOR, WIDEST

from . import legality
from .block_legality import check_coalesced, check_non_temporal, check_transposed
from .contraction import analyse
from .nest import NestFacts
from .nest_trees import Left, assumed, axes_in, fail, inside, is_positive, only
from .sweep_legality import check_sweeps
from .sweeps import axis_of_sweep


def check(nest: kernel.NestOp, tree: TreeOp) -> None:
    """Raise InputError unless a schedule is legal for a nest."""
    try:
        _check(nest, tree)
    except InputError as error:
        raise InputError(error.message, error.location or location_of(tree)) from None


def _check(nest: kernel.NestOp, tree: TreeOp) -> None:
    _check_sizes(nest, tree)
    if (contraction := analyse(nest)) is not None:
        _check_symbols(nest, tree)
        legality.check(contraction, tree)
        return
    ops = list(tree.body.block.ops)
    if any(e == 0 for e in nest.extents.data):
        # nest_schedule_c1: a nest without points has no loops.
        if ops:
            raise fail(f"found {ops[0].name}, expected nothing, since there are no points", ops[0])
        return
    facts = NestFacts(nest)
    _check_symbols(nest, tree)
    for op in walk(tree):
        # nest_schedule_c40: only contractions have rotating accumulators.
        if isinstance(op, ForOp) and op.kind.data == ROTATING:
            raise fail(f"found {axis_text(op.axis)} rotating, expected a contraction", op)
        # nest_schedule_c41: only blocks of non-temporal stores are peeled.
        if isinstance(op, ForOp) and op.peel and not isinstance(only(inside(op)), NonTemporalOp):
            raise fail(f"found {axis_text(op.axis)} peel, expected schedule.non_temporal", op)
    _check_version(facts, ops)


def _check_sizes(nest: kernel.NestOp, tree: TreeOp) -> None:
    """Check the sizes of blocks: arrays have room for one."""
    sweeps = [op.extents.data for op in walk(nest.body) if isinstance(op, kernel.SweepOp)]
    extents = [*nest.extents.data, *(sweeps[0] if len(sweeps) == 1 else ())]
    for op in walk(tree):
        if not isinstance(op, ForOp) or any(d >= len(extents) for d in op.axis):
            continue
        count = ex.product(extents[d] for d in op.axis).constant
        # nest_schedule_c36: a block has at most twice the values of its axis, or is small.
        if count is not None and op.step > (most := max(2 * count, SMALL)):
            raise fail(f"found blocks of {op.step} values, expected at most {most}", op)


def _check_symbols(nest: kernel.NestOp, tree: TreeOp) -> None:
    """Check sizes and conditions: they are known when the nest begins."""
    inner = list(walk(nest.body))
    loads = [op.source for op in inner if isinstance(op, kernel.LoadOp)]
    shapes = [shape_of(v.type) for v in (*loads, *nest.targets)]
    sweeps = [op.extents.data for op in inner if isinstance(op, kernel.SweepOp)]
    extents = chain(nest.extents.data, *shapes, *sweeps)
    known = {symbol for e in extents for symbol in e.symbols()}
    for op in walk(tree):
        e = op.when if isinstance(op, IfOp) else op.size if isinstance(op, ForOp) else ex.const(1)
        # nest_schedule_c2: their symbols are those of the nest.
        if not e.symbols() <= known:
            raise fail(f"{op.name}: found {e}, expected symbols of {', '.join(sorted(known))}", op)
        # nest_schedule_c3: a condition is 0 or 1 for all extents.
        if isinstance(op, IfOp) and not is_condition(e):
            raise fail(f"{op.name}: found <{e}>, expected atleast(..., ...) and the like", op)


def _check_version(facts: NestFacts, ops: Sequence[Operation]) -> None:
    if not ops or isinstance(ops[0], IfOp):
        op = only(ops)
        assert isinstance(op, IfOp)
        for region in (op.then, op.otherwise):
            _check_version(facts, list(region.block.ops))
        return
    reduced = {axis_of_sweep(sweep) for sweep in facts.sweeps}
    axes = [axis for axis in axes_in(ops) if axis not in reduced]
    check_axes(facts, axes)
    if facts.sweeps:
        check_sweeps(facts, ops)
    else:
        extents = facts.space(axes).extents
        left = {axis: Left(n, n) for axis, n in zip(axes, extents, strict=True)}
        _Points(facts, axes).check(ops, left)


def check_axes(facts: NestFacts, axes: Sequence[Axis]) -> None:
    """Raise InputError unless axes are those of a nest, or parts of them."""
    known = facts.axes
    for axis in axes:
        # nest_schedule_c4: loops run over axes of the nest, or over parts of them.
        if not any(axis == group[k : k + len(axis)] for group in known for k in range(len(group))):
            shown = " ".join(map(axis_text, known)) or "none"
            raise fail(f"found {axis_text(axis)}, expected an axis, or a part of one, of {shown}")
    dims, expected = sorted(d for axis in axes for d in axis), [d for axis in known for d in axis]
    # nest_schedule_c5: each dimension is in one of them.
    if dims != expected:
        shown = axis_text(tuple(dims))
        raise fail(f"found loops over {shown}, expected each of {axis_text(tuple(expected))} once")


@dataclass(frozen=True)
class _Points:
    """The loops over the points of one version of a nest without sweeps."""

    facts: NestFacts
    axes: list[Axis]

    def check(self, ops: Sequence[Operation], left: Mapping[Axis, Left]) -> None:
        """Check the operations inside loops that leave so much of each axis."""
        op = only(ops)
        match op:
            case RunOp():
                self._check_run(op, left)
            case ForOp():
                self._check_loop(op, left)
            case CoalesceOp():
                check_coalesced(self.facts, self.axes, op, left)
            case TransposeOp():
                check_transposed(self.facts, self.axes, op, left)
            case NonTemporalOp():
                check_non_temporal(self.facts, self.axes, op, left)
            case _:
                raise fail(f"found {op.name}, expected loops over points", op)

    def _check_run(self, op: RunOp, left: Mapping[Axis, Left]) -> None:
        # nest_schedule_c6: without sweeps there is one stage, at each point.
        if op.stage.data != "out":
            raise fail(f"found the stage {op.stage.data}, expected out, as there are no sweeps", op)
        for axis, part in left.items():
            if not part.is_one:
                raise fail(f"found out and no loop by 1 over {axis_text(axis)}, expected one", op)

    def _check_loop(self, op: ForOp, left: Mapping[Axis, Left]) -> None:
        part, kind, shown = left[op.axis], op.kind.data, axis_text(op.axis)
        # nest_schedule_c7: a loop goes over what the loops around leave, in blocks with values.
        if part.is_one:
            raise fail(f"found a loop over {shown} in one by 1, expected no other", op)
        if not is_positive(op.size, assumed(op)):
            raise fail(f"found blocks of {op.size} along {shown}, expected 1 or more", op)
        # nest_schedule_c8: a vector loop goes by 1 and is the innermost one, or the one around a
        # short unrolled loop.
        inner = only(inside(op))
        if isinstance(inner, ForOp) and inner.kind.data == "unroll" and kind == "vector":
            inner = only(inside(inner))
        is_few = (part.size.constant or WIDEST) <= VECTOR
        if kind in ("unroll", "vector") and not (isinstance(inner, RunOp) and op.size == 1):
            raise fail(f"found {shown} by {op.size} {kind}, expected an innermost loop by 1", op)
        if kind == "unroll" and not is_few:
            raise fail(f"found {part.size} values in {shown} unroll, expected {VECTOR} or less", op)
        self.check(inside(op), {**left, op.axis: part.block(op.size)})
