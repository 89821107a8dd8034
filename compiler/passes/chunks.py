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

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.strip import NARROW

from .loop_places import Place

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

CHUNK = 512
"""Values of a chunk, and of the shortest row that goes in chunks."""


def goes_in_chunks(sweep: SweepLowering) -> bool:
    """Whether a sweep takes but sums or but extremes, of values worth to be computed before.

    That is of several functions, or extremes of a function of f16 or bf16.
    """
    ops, n = list(sweep.sweep.body.block.ops), sweep.inner.constant
    if sweep.positions or (n is not None and n < CHUNK):
        return False
    long = sum(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
    if sweep.accumulators:
        return long > 1 and not sweep.extremes and all(a.lanes for a in sweep.accumulators)
    narrow = any(isinstance(op, kernel.LoadOp) and scalar_type(op.result) in NARROW for op in ops)
    return long > (0 if narrow else 1) and bool(sweep.extremes)


def take_chunks(sweep: SweepLowering, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
    """Compute the values from lower to upper and take them, a chunk at a time."""
    block = here.loop(lower, upper, "serial", CHUNK)
    at, span = block.variable(), (upper - lower).constant
    even = span is not None and span % CHUNK == 0
    count = ex.const(CHUNK) if even else ex.minimum(upper - at, ex.const(CHUNK))
    # Several may take the same value, converted to different types.
    extremes = list(sweep.extremes.values())
    taken = dict.fromkeys([*(a.yielded for a in sweep.accumulators), *(e.taken for e in extremes)])
    steps = {value: block.add(loop.LocalOp.of(scalar_type(value), CHUNK)) for value in taken}
    lane = block.loop(ex.const(0), count, "vector")
    sweep.body_at(lane, at + lane.variable())
    sweep.keep(lane)
    for value, step in steps.items():
        lane.write(sweep.nest.values[value], step, lane.variable())
    inside = block.loop(ex.const(0), count, "serial", sweep.lanes)
    for a in sweep.accumulators:
        index, dims = Place(inside.block, inside.variables).resolve_all((inside.variable(),))
        new = loop.AccumulateOp.of(a.row.name, steps[a.yielded], a.state, index, dims)
        inside.block.add_op(new)
    for e in extremes:
        e.take(inside, inside.read(steps[e.taken], inside.variable()))
