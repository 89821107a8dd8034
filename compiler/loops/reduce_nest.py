"""The loops of a nest that reduces in an order: points outside, its sweeps one after the other.

Three things decide the loops, all of them from how memory runs: one point at a time, whose runs
fill vectors; a block of points side by side, where memory runs along them; or a block of points
whose short rows are turned around first.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse
from opc.kernels.kept_values import find_outputs
from opc.target import BLOCK, SHORT, VECTOR, Target

from .pipeline import PipelineLowering, find_pipeline
from .places import NestValues, Place
from .points import Points
from .run import lower_all
from .sweep import unknown_lanes
from .versions import only_if

MOST_TURNED = BLOCK // 2
"""Points whose rows are turned around together, at most: what a block costs once is little then."""


def has_sweeps(nest: kernel.NestOp) -> bool:
    """Whether a nest has sweeps, of which this file writes the loops."""
    return any(isinstance(op, kernel.SweepOp) for op in nest.body.block.ops)


def lower(nest: kernel.NestOp, block: Block, target: Target) -> None:
    """Write the loops of a nest into a block.

    Where only a run knows how many lanes an order has, there are two versions: for more columns
    than a block has, which are one lane, and for fewer, of which one block has all.
    So there are where it knows how long rows of memory are: short ones, which are turned around,
    and others.
    """
    values = NestValues(nest)
    unknown = {lanes for s in values.sweeps if (lanes := unknown_lanes(values, s)) is not None}
    length = None if unknown else _unknown_length(values, target)
    if length is not None:
        is_long = ex.atleast(length, SHORT + 1)
        for limit, condition in ((SHORT, 1 - is_long), (None, is_long)):
            before = block.last_op
            _lower(nest, block, target, None, limit)
            only_if(condition, before, block)
        return
    if not unknown:
        _lower(nest, block, target, None)
        return
    is_one = _has_one(values, unknown, target)
    for has_one, condition in ((True, is_one), (False, 1 - is_one)):
        before = block.last_op
        _lower(nest, block, target, has_one)
        only_if(condition, before, block)


def _has_one(values: NestValues, unknown: Iterable[ex.Expr], target: Target) -> ex.Expr:
    """When the version for one lane is taken: where a block has not all columns, if it may."""
    outer = collapse(0, values.nest.extents.data, list(values.offsets.values()), 0)
    if outer.extents and _fits(outer, values):
        most, _ = points_of_block(outer, values, target.totals // 4, True)
        return ex.atleast(outer.extents[-1], most + 1)
    return ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)


def _unknown_length(values: NestValues, target: Target) -> ex.Expr | None:
    """How long the rows are that sweeps go along, if only a run knows, and if they may be short."""
    outer = collapse(0, values.nest.extents.data, list(values.offsets.values()), 0)
    lengths = {ex.product(s.extents.data) for s in values.sweeps}
    unknown = [n for n in lengths if n.constant is None]
    if len(unknown) != 1 or any((n.constant or 0) > SHORT for n in lengths):
        return None
    if not outer.extents or _runs_across(outer, values):
        return None
    if any(sum(e != 1 for e in s.extents.data) != 1 for s in values.sweeps):
        return None
    last = outer.extents[-1].constant
    # A block of all points would be no loop, which a condition could leave out.
    is_loop = last is None or last > _turned_points(target.totals // 4, SHORT)
    return unknown[0] if is_loop else None


def _turned_points(cells: int, longest: int) -> int:
    """Points of a block whose rows are turned around."""
    return min(MOST_TURNED, max(VECTOR, cells * 2 // max(1, longest) // VECTOR * VECTOR))


def _lower(
    nest: kernel.NestOp,
    block: Block,
    target: Target,
    has_one: bool | None,
    limit: int | None = None,
) -> None:
    """One version: where it is unknown how many lanes there are, for one lane or for more.

    ``limit`` is the most values of rows of unknown length, where they are short.
    """
    values = NestValues(nest)
    values.most = limit
    outer = collapse(0, nest.extents.data, list(values.offsets.values()), 0)
    most, is_turned = points_of_block(outer, values, target.totals // 4, has_one)
    values.keep({} if is_turned else find_outputs(nest, most > 1))
    pipeline = find_pipeline(values, outer, target) if most == 1 and has_one is None else None
    if pipeline is not None:
        points = Points(values, outer, Place(block, [], {}), most, rows=pipeline.rows)
        PipelineLowering(points, pipeline, target).run()
        return
    # More than one lane are of so few points that one block has them.
    is_whole = has_one is False and most > 1
    narrow = 1 if has_one is not None or is_turned or most == 1 else _narrow(outer, values)
    if narrow > 1:
        most = _even(target.totals // 4 // _widest(values) // narrow, outer.extents[-2]) * narrow
    points = Points(values, outer, Place(block, [], {}), most, is_whole, narrow=narrow)
    lower_all(points, nest.body.block.ops, target, has_one)


def points_of_block(
    outer: Collapsed, values: NestValues, cells: int, has_one: bool | None
) -> tuple[int, bool]:
    """Points of a block, and whether their rows are turned around.

    An accumulator has up to so many cells of f32.
    """
    if not outer.extents:
        return 1, False
    if has_one is not None:
        if not has_one and not _fits(outer, values):
            return 1, False
        return cells // _widest(values), False
    last = outer.extents[-1].constant
    lanes = max(_lanes(values, sweep) for sweep in values.sweeps)
    lengths = [ex.product(s.extents.data).constant or values.most for s in values.sweeps]
    known = [n for n in lengths if n is not None]
    is_known = len(known) == len(lengths)
    if _runs_across(outer, values):
        most = max(VECTOR, cells // lanes // _widest(values))
        return (most if last is None else _even(most, last)), False
    if is_known and max(known) <= SHORT and (last is None or last >= VECTOR):
        most = _turned_points(cells, max(known))
        return (most if last is None else _even(most, last)), True
    return 1, False


def _narrow(outer: Collapsed, values: NestValues) -> int:
    """The extent of the last dimension if it fills no vector, and the one before it does besides.

    A broadcast keeps them apart: of ``x[j, p, k] - b[j, p]`` down j, memory runs along p and k.
    """
    *others, last = outer.extents
    n, before = last.constant, others[-1].constant if others else 0
    if n is None or not 1 < n < VECTOR or (before is not None and before < n):
        return 1
    k = len(others)
    offsets = [e.substitute(outer.places, {}) for e in values.offsets.values()]
    steps = [(e.coefficient(k - 1), e.coefficient(k)) for e in offsets]
    if any(step not in ((n, 1), (1, 0), (0, 0), (0, 1)) for step in steps):
        return 1
    return n if all(_lanes(values, sweep) == 1 for sweep in values.sweeps) else 1


def _fits(outer: Collapsed, values: NestValues) -> bool:
    """Whether unknown lanes times points of a block are at most LANES.

    They are if the lanes follow from these points: C of them, or C in all with further dimensions.
    They do not if memory runs on from these to others, so that more points than C are in a row.
    """
    found = {lanes for s in values.sweeps if (lanes := unknown_lanes(values, s)) is not None}
    kept = [ex.product(outer.extents[k:]) for k in range(len(outer.extents))]
    return found <= {order.lanes(c, type) for c in kept for type in (el.F32, el.F64)}


def _runs_across(outer: Collapsed, values: NestValues) -> bool:
    """Whether more accesses of the sweeps jump along the runs than along the last dimension kept.

    What jumps costs a cache line with each step, what stays where it is costs nothing.
    """
    kept = {
        result
        for sweep in values.sweeps
        for result, kind in zip(sweep.outputs, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    }
    if not find_outputs(values.nest, True).keys() >= kept:
        return False
    jumps = contiguous = 0
    last = len(outer.extents) - 1
    for op in (op for sweep in values.sweeps for op in sweep.body.block.ops):
        if not isinstance(op, kernel.LoadOp | kernel.StoreOp):
            continue
        if isinstance(op, kernel.LoadOp) and op.source in kept:
            continue
        offset = values.offsets[op]
        along = offset.coefficient(len(kernel.scope(op)) - 1)
        across = offset.substitute(outer.places, {}).coefficient(last)
        jumps += _jumps(along) - _jumps(across)
        contiguous += (across == 1) - (along == 1)
    return jumps > 0 or (jumps == 0 and contiguous > 0)


def _jumps(step: ex.Expr | None) -> bool:
    return step not in (0, 1)


def _even(most: int, extent: int | ex.Expr) -> int:
    """A size of blocks that leaves no small one at the end, if it is known where that is."""
    total = extent if isinstance(extent, int) else extent.constant
    if total is None:
        return most
    if total <= most:
        return max(1, total)
    blocks = -(-total // most)
    return -(-total // (blocks * VECTOR)) * VECTOR


def _lanes(values: NestValues, sweep: kernel.SweepOp) -> int:
    found = values.lanes[sweep]
    lanes = 1 if found is None else found.constant or order.LANES
    n = ex.product(sweep.extents.data).constant
    return lanes if n is None else min(lanes, 1 << max(0, n - 1).bit_length())


def _widest(values: NestValues) -> int:
    """Times 4 bytes of the widest value that is reduced."""
    found = [scalar_type(v).bytes for s in values.sweeps for v in s.yielded]
    return max(1, max(found, default=4) // 4)
