"""Values of a sweep that are computed many at a time before any of them is taken.

A loop that does both cannot be cut between functions, as ``cut-chains`` does, and takes values of
f16 and bf16 one by one where it compares them::

    for i = 0 to n step 512 {
      for l = 0 to min(512, n - i) { step[l] = f(x[i + l]) }
      for l = 0 to min(512, n - i) { acc = max(acc, step[l]) }
    }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.strip import NARROW

from .accumulators import Accumulator
from .extremes import half_of
from .loop_places import Place, go_apart

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

CHUNK = 512
"""Values of a chunk; a shorter row is one chunk."""
SHORTEST = 17
"""Values of the shortest row that goes in chunks: those of shorter ones are taken one by one."""


def may_go_apart(sweep: SweepLowering) -> bool:
    """Whether a sweep takes but extremes, of rows that may go in chunks."""
    n, kinds = sweep.inner.constant, {"max", "min", kernel.KEEP}
    return kinds.issuperset(sweep.kinds) and (n is None or n >= SHORTEST)


def goes_in_chunks(sweep: SweepLowering) -> bool:
    """Whether a sweep takes but sums or but extremes, of values worth to be computed before.

    That is of several functions, sums of one that leaves values over, or extremes of one of f16 or
    bf16, and of such that are computed.
    """
    ops, n = list(sweep.sweep.body.block.ops), sweep.inner.constant
    if sweep.positions or (n is not None and n < SHORTEST):
        return False
    if sweep.accumulators:
        in_lanes = not sweep.extremes and all(a.lanes for a in sweep.accumulators)
        return in_lanes and go_apart(ops, n)
    if any(e.is_apart for e in sweep.extremes.values()):
        return True
    narrow = any(isinstance(op, kernel.LoadOp) and scalar_type(op.result) in NARROW for op in ops)
    long = sum(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
    return long > (0 if narrow else 1) and bool(sweep.extremes)


def is_one_chunk(sweep: SweepLowering) -> bool:
    """Whether all values of a row go together, also those left over after full groups of lanes."""
    n = sweep.inner.constant
    return n is not None and n < CHUNK and goes_in_chunks(sweep)


def take_chunks(sweep: SweepLowering, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Compute the values from lower to upper and take them, a chunk at a time."""
    block = here.loop(lower, upper, "serial", CHUNK)
    at, span = block.variable(), (upper - lower).constant
    even = span is not None and span % CHUNK == 0
    count = ex.const(CHUNK) if even else ex.minimum(upper - at, ex.const(CHUNK))
    _take(sweep, block, at, count, CHUNK)


def take_row(sweep: SweepLowering, here: Place) -> None:
    """Compute the values of a short row, then take them."""
    n = sweep.inner.constant
    assert n is not None
    _take(sweep, here, ex.const(0), sweep.inner, n)


def _take(sweep: SweepLowering, here: Place, at: ex.Expr, count: ex.Expr, most: int) -> None:
    # Several may take the same value, converted to different types.
    extremes = list(sweep.extremes.values())
    taken = dict.fromkeys([*(a.yielded for a in sweep.accumulators), *(e.taken for e in extremes)])
    steps = {value: here.add(loop.LocalOp.of(scalar_type(value), most)) for value in taken}
    lane = here.loop(ex.const(0), count, "vector")
    sweep.body_at(lane, at + lane.variable())
    sweep.keep(lane)
    for value, step in steps.items():
        lane.write(sweep.nest.values[value], step, lane.variable())
    rest, half = most % sweep.lanes, half_of(count.constant)
    if extremes and half is not None:
        inside = here.loop(ex.const(0), ex.const(half), "serial")
        for e in extremes:
            places = inside.variable(), inside.variable() + (count - half)
            e.take(inside, *(inside.read(steps[e.taken], place) for place in places))
        return
    inside = here.loop(ex.const(0), count - rest, "serial", sweep.lanes)
    for a in sweep.accumulators:
        _accumulate(inside, a, steps[a.yielded], (inside.variable(),))
        if rest:
            _accumulate(here, a, steps[a.yielded], (count - sweep.lanes, ex.const(rest)))
    for e in extremes:
        e.take(inside, inside.read(steps[e.taken], inside.variable()))


def _accumulate(here: Place, a: Accumulator, step: SSAValue, index: tuple[ex.Expr, ...]) -> None:
    e, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.AccumulateOp.of(a.row.name, step, a.state, e, dims))
