"""Groups of values, one for each lane of the reductions of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.scalar import SCALARS

from .accumulators import Accumulator
from .loop_places import Place

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

VECTOR = 16
"""Values that fill a vector register, as far as it matters."""
CHUNK = 512
"""Values that are computed before any of them is taken, where several functions follow."""


def goes_in_chunks(sweep: SweepLowering) -> bool:
    """Whether values take several functions, which ``cut-chains`` puts in loops of their own."""
    ops = [op for op in sweep.sweep.body.block.ops if isinstance(op, body.ApplyOp)]
    n = sweep.inner.constant
    several = sum(SCALARS[op.function.data].cost > 1 for op in ops) > 1
    alone = all(a.lanes is not None for a in sweep.accumulators)
    others = sweep.positions or sweep.extremes
    return several and alone and not others and (n is None or n >= CHUNK)


def chunks(sweep: SweepLowering, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Groups from lower to upper, many at a time: their values first, then the lanes take them."""
    block = here.loop(lower, upper, "serial", CHUNK)
    at, span = block.variable(), (upper - lower).constant
    even = span is not None and span % CHUNK == 0
    count = ex.const(CHUNK) if even else ex.minimum(upper - at, ex.const(CHUNK))
    steps = {a.yielded: block.add(loop.LocalOp.of(a.type, CHUNK)) for a in sweep.accumulators}
    lane = block.loop(ex.const(0), count, "vector")
    sweep.body_at(lane, at + lane.variable())
    sweep.keep(lane)
    for value, step in steps.items():
        lane.write(sweep.nest.values[value], step, lane.variable())
    group = block.loop(ex.const(0), count, "serial", sweep.lanes)
    for a in sweep.accumulators:
        index, dims = Place(group.block, group.variables).resolve_all((group.variable(),))
        new = loop.AccumulateOp.of(a.row.name, steps[a.yielded], a.state, index, dims)
        group.block.add_op(new)


def group(
    sweep: SweepLowering, here: Place, at: ex.Expr, rest: ex.Expr | None = None, again: bool = False
) -> None:
    """A group of values, one for each lane; of the last one only ``rest`` are to be taken.

    Where values can be computed ``again``, a last group starts at ``at`` as any other does, and
    its last values are taken; else at the values that are left.  What memory holds already goes
    to the lanes as it is, all else by way of a small array.
    """
    partial = rest is not None and not again
    sources: list[tuple[Accumulator, SSAValue, ex.Expr]] = []
    steps: list[tuple[Accumulator, SSAValue]] = []
    for a in sweep.accumulators:
        if a.lanes is None:
            continue
        found = None if partial else _in_memory(sweep, a, at)
        if found is None:
            step = here.add(loop.LocalOp.of(a.type, sweep.lanes))
            if partial:
                identity = here.constant(a.row.identity(a.type), a.type)
                here.block.add_op(loop.FillOp.of(identity, step))
            steps.append((a, step))
            found = step, ex.const(0)
        sources.append((a, *found))
    count = rest if rest is not None and partial else ex.const(sweep.lanes)
    lane = here.loop(ex.const(_unneeded(sweep, rest) if again else 0), count, "vector")
    sweep.values(lane, at + lane.variable())
    for a, step in steps:
        lane.write(sweep.nest.values[a.yielded], step, lane.variable() + sweep.lanes - count)
    for a, source, offset in sources:
        taken = (offset, rest) if rest is not None and again else (offset,)
        index, dims = Place(here.block, here.variables).resolve_all(taken)
        here.block.add_op(loop.AccumulateOp.of(a.row.name, source, a.state, index, dims))


def _unneeded(sweep: SweepLowering, rest: ex.Expr | None) -> int:
    """How many values at the start of a last group are in no vector with one that is taken."""
    taken = rest.constant if rest is not None else None
    if taken is None:
        return 0
    return max(sweep.lanes - max(-(-taken // VECTOR), 2) * VECTOR, 0)


def _in_memory(
    sweep: SweepLowering, a: Accumulator, at: ex.Expr
) -> tuple[SSAValue, ex.Expr] | None:
    """The buffer that holds a group of values in order, and where the group starts."""
    places = sweep.places(at)
    for value, array, offset in sweep.kept:
        if value is a.yielded and sweep.inner_step(offset) == 1:
            return array, offset.substitute({**sweep.here.at, **places}, {})
    load = a.yielded.owner
    if not isinstance(load, kernel.LoadOp) or load.parent is not sweep.sweep.body.block:
        return None
    offset = sweep.nest.offsets[load]
    if sweep.inner_step(offset) != 1:
        return None
    source = sweep.nest.arrays.get(load.source, load.source)
    return source, offset.substitute({**sweep.here.at, **places}, {})
