"""Groups of values, one for each lane of the reductions of a sweep.

Rows that do not follow one another in memory go in turns, two or three of them, where their number
allows: a processor reads each of them ahead by itself, but not from one to the next::

    for i = 0 to 64 step 2
      for j = 0 to 1024 step 64 { 64 values of row i;  64 values of row i + 1 }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.lanes import LANE_REDUCTIONS

from .accumulators import Accumulator
from .loop_parts import has_functions
from .loop_places import VECTOR, Place

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering


def rows_in_turns(sweep: SweepLowering) -> int:
    """How many rows of the sums and products of a sweep go in turns."""
    kinds, types = sweep.kinds, [scalar_type(v) for v in sweep.sweep.yielded]
    sums = all(k in LANE_REDUCTIONS for k in kinds) and all(t.is_float for t in types)
    if len(sweep.space.extents) == 1 or sweep.lanes == 1 or not sums:
        return 1
    n = sweep.space.extents[-2].constant
    if not n or has_functions([sweep.sweep]):
        return 1
    return next((k for k in (2, 3) if n % k == 0), 1)


def groups(
    sweep: SweepLowering, here: Place, at: ex.Expr, rest: ex.Expr | None = None, again: bool = False
) -> None:
    """What :func:`group` says for each of the rows that go in turns."""
    outer = list(sweep.outer)
    for k in range(sweep.turns):
        sweep.outer = [*outer[:-1], outer[-1] + k] if k else outer
        if rest is None:
            sweep.ahead(here, at, None)
        group(sweep, here, at, rest, again)
    sweep.outer = outer


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
    return sweep.nest.buffer(load), offset.substitute({**sweep.here.at, **places}, {})
