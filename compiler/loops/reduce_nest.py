"""The loops of a nest that reduces in an order: points outside, its sweeps one after the other.

Three things decide the loops, all of them from how memory runs: one point at a time, whose runs
fill vectors; a block of points side by side, where memory runs along them; or a block of points
whose short rows are turned around first.
"""

from __future__ import annotations

from xdsl.ir import Block

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, order
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse
from opc.passes.kept_values import find_outputs
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

    Where only a run knows how many lanes an order has, there are two versions: for 1, and for more.
    So there are where it knows how long rows of memory are: short ones, which are turned around,
    and others.
    """
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    unknown = {lanes for s in sweeps if (lanes := unknown_lanes(s)) is not None}
    length = None if unknown else _unknown_length(nest, target)
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
    is_one = ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)
    for has_one, condition in ((True, is_one), (False, 1 - is_one)):
        before = block.last_op
        _lower(nest, block, target, has_one)
        only_if(condition, before, block)


def _unknown_length(nest: kernel.NestOp, target: Target) -> ex.Expr | None:
    """How long the rows are that sweeps go along, if only a run knows, and if they may be short."""
    values = NestValues(nest)
    outer = collapse(0, nest.extents.data, list(values.offsets.values()), 0)
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
    points = Points(values, outer, Place(block, [], {}), most, is_whole)
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
        return (cells // _widest(values) if has_one else order.LANES // 2), False
    last = outer.extents[-1].constant
    lanes = max(_lanes(sweep) for sweep in values.sweeps)
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


def _fits(outer: Collapsed, values: NestValues) -> bool:
    """Whether unknown lanes times points of a block are at most LANES.

    They are if the lanes follow from these points: C of them, or C in all with further dimensions.
    They do not if memory runs on from these to others, so that more points than C are in a row.
    """
    found = {lanes for s in values.sweeps if (lanes := unknown_lanes(s)) is not None}
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


def _even(most: int, total: int) -> int:
    """A size of blocks that leaves no small one at the end."""
    if total <= most:
        return max(1, total)
    blocks = -(-total // most)
    return -(-total // (blocks * VECTOR)) * VECTOR


def _lanes(sweep: kernel.SweepOp) -> int:
    found = sweep.lanes_expr
    lanes = 1 if found is None else found.constant or order.LANES
    n = ex.product(sweep.extents.data).constant
    return lanes if n is None else min(lanes, 1 << max(0, n - 1).bit_length())


def _widest(values: NestValues) -> int:
    """Times 4 bytes of the widest value that is reduced."""
    found = [scalar_type(v).bytes for s in values.sweeps for v in s.yielded]
    return max(1, max(found, default=4) // 4)
