"""Which points of a nest that reduces go together: one, or a block of them side by side.

One point at a time, whose runs fill vectors; a block of points side by side, where memory runs
along them; a few points whose running totals go on side by side; or a block of points whose short
rows are transposed first.
"""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.dialects.body import scalar_type
from opc.dialects.kernel import prefixes_of
from opc.kernels.materialized_values import find_outputs
from opc.support.target import CHAINS, SHORT, TURNED_POINTS, VECTOR, Target

from .cost import even_part
from .nest import NestFacts


def unknown_lanes(facts: NestFacts, op: kernel.SweepOp) -> ex.Expr | None:
    """The lanes of a sweep that only a run knows; a single value is in one lane."""
    found = facts.lanes[op]
    if found is None or found.constant is not None or ex.product(op.extents.data) == 1:
        return None
    return found


def has_many_columns(facts: NestFacts) -> bool:
    """Whether there are so many columns, known when compiling, that sums down them have one lane.

    Only where there are no rows is it another number of lanes, and nothing is computed then.
    """
    if not facts.axes or not fits_block(facts):
        return False
    columns = facts.outer.extents[-1]
    return columns.constant is not None and order.lanes(columns, el.F32) == 1


def points_of_block(facts: NestFacts, target: Target) -> tuple[int, bool]:
    """Points of a block, and whether their rows are transposed."""
    outer, cells = facts.outer, target.totals
    if not outer.extents:
        return 1, False
    if facts.has_one is not None:
        if not facts.has_one and not fits_block(facts):
            return 1, False
        return cells // widest_of(facts), False
    last = outer.extents[-1].constant
    lanes = max(_lanes(facts, sweep) for sweep in facts.sweeps)
    lengths = [ex.product(s.extents.data).constant or facts.most for s in facts.sweeps]
    known = [n for n in lengths if n is not None]
    is_known = len(known) == len(lengths)
    if runs_across(facts):
        most = max(VECTOR, cells // lanes // widest_of(facts))
        return (most if last is None else even_blocks(most, last)), False
    if any(map(prefixes_of, facts.sweeps)):
        return (CHAINS if last is None else min(CHAINS, last)), False
    if is_known and max(known) <= SHORT and (last is None or last >= VECTOR):
        most = transposed_points(target, max(known))
        return (most if last is None else even_blocks(most, last)), True
    return 1, False


def transposed_points(target: Target, longest: int) -> int:
    """Points of a block whose rows are transposed."""
    points = target.transposed_rows // max(1, longest)
    return min(TURNED_POINTS, max(VECTOR, points // VECTOR * VECTOR))


def narrow_of(facts: NestFacts) -> int:
    """The extent of the last dimension if it fills no vector, and the one before it does besides.

    A broadcast keeps them apart: of ``x[j, p, k] - b[j, p]`` down j, memory runs along p and k.
    """
    outer = facts.outer
    *others, last = outer.extents
    n, before = last.constant, others[-1].constant if others else 0
    if n is None or not 1 < n < VECTOR or (before is not None and before < n):
        return 1
    k = len(others)
    offsets = [e.substitute(outer.places) for e in facts.offsets.values()]
    steps = [(e.coefficient(k - 1), e.coefficient(k)) for e in offsets]
    if any(step not in ((n, 1), (1, 0), (0, 0), (0, 1)) for step in steps):
        return 1
    return n if all(_lanes(facts, sweep) == 1 for sweep in facts.sweeps) else 1


def fits_block(facts: NestFacts) -> bool:
    """Whether unknown lanes times points of a block are at most LANES.

    They are if the lanes follow from these points: C of them, or C in all with further dimensions.
    They do not if memory runs on from these to others, so that more points than C are in a row.
    """
    found = {lanes for s in facts.sweeps if (lanes := unknown_lanes(facts, s)) is not None}
    outer = facts.outer
    kept = [ex.product(outer.extents[k:]) for k in range(len(outer.extents))]
    return found <= {order.lanes(c, type) for c in kept for type in (el.F32, el.F64)}


def runs_across(facts: NestFacts) -> bool:
    """Whether more accesses of the sweeps jump along the runs than along the last dimension kept.

    What jumps costs a cache line with each step, what stays where it is costs nothing.
    """
    kept = {
        result
        for sweep in facts.sweeps
        for result, kind in zip(sweep.outputs, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    }
    if not find_outputs(facts.nest, True).keys() >= kept:
        return False
    jumps, contiguous, outer = 0, 0, facts.outer
    last = len(outer.extents) - 1
    for op in (op for sweep in facts.sweeps for op in sweep.body.block.ops):
        if not isinstance(op, kernel.LoadOp | kernel.StoreOp):
            continue
        if isinstance(op, kernel.LoadOp) and op.source in kept:
            continue
        offset = facts.offsets[op]
        along = offset.coefficient(len(kernel.scope(op)) - 1)
        across = offset.substitute(outer.places).coefficient(last)
        jumps += _jumps(along) - _jumps(across)
        contiguous += (across == 1) - (along == 1)
    return jumps > 0 or (jumps == 0 and contiguous > 0)


def _jumps(step: ex.Expr | None) -> bool:
    return step not in (0, 1)


def even_blocks(most: int, extent: int | ex.Expr) -> int:
    """A size of blocks that leaves no small one at the end, if it is known where that is."""
    total = extent if isinstance(extent, int) else extent.constant
    if total is None:
        return most
    if total <= most:
        return max(1, total)
    return even_part(total, most, VECTOR)


def _lanes(facts: NestFacts, sweep: kernel.SweepOp) -> int:
    found = facts.lanes[sweep]
    lanes = 1 if found is None else found.constant or order.LANES
    n = ex.product(sweep.extents.data).constant
    return lanes if n is None else min(lanes, 1 << max(0, n - 1).bit_length())


def widest_of(facts: NestFacts) -> int:
    """Times 4 bytes of the widest value that is reduced, or whose totals are handed on."""
    values = (v for s in facts.sweeps for v in (*s.yielded, *(p.value for p in prefixes_of(s))))
    found = [scalar_type(v).bytes for v in values]
    return max(1, max(found, default=4) // 4)
