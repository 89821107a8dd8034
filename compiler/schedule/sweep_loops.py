"""The loops of a sweep in a schedule: how they are written, and how they are read.

``[d1]`` is the axis of the sweep, here of 10000 values; its order has 64 lanes.  A group is 8
values of each lane, and 16 groups are a block of the order::

    schedule.run init 0
    schedule.for [d1] by 8192 serial {             // blocks: a tree adds their totals
      schedule.for [d1] by 512 serial {            // groups
        schedule.for [d1] by 128 unroll {          // two values of each lane: nearly as memory runs
          schedule.for [d1] by 64 lanes {          // one accumulator each, in vectors
            schedule.for [d1] by 1 unroll {
              schedule.run step 0
            }}}}}
    schedule.run finish 0                          // adds the lanes

``step`` has a loop over the points of the block around the sweep, if there is one::

    schedule.for [d0] by 256 parallel {
      schedule.run init 0
      schedule.for [d0] by 1 vector {
        schedule.for [d1] by 1 unroll {            // all values of a short segment
          schedule.run step 0
        }}
      ...

The loops are legal that give the bits of the order.  They depend on the order, on the axes, on what
the sweep stores, and on whether points go one by one or side by side in a block.  ``L`` is the
number of lanes; ``[j]`` is the axis of the sweep, ``[i]`` that of the block.

- ``[j] by 8*L serial { [j] by L lanes { [j] by 1 unroll { step }}}``: one loop adds the 8 values of
  each lane pairwise.
  Legal: an order or a block; nothing stored.
- ``[j] by 8*L serial { [j] by 2*L unroll { [j] by L lanes { [j] by 1 unroll { step }}}}``: the same
  sums in four loops that take two values of each lane; ``by L`` and ``by 4*L`` take one and four.
  Legal: an order, point by point; nothing stored.
- ``[j] by 8*L serial { [j] by 1 vector { value }; [j] by L lanes { [j] by 1 unroll { step }}}``:
  values go to a staging buffer in the order of memory, and their sums are taken from there.
  Legal: an order, any body; without an order, point by point.
- ``[j] by L serial { [j] by L lanes { step }}``: in vector lanes.
  Legal: no order, point by point; extremes of floats.
- ``[j] by 1 serial { step }``: one value after the other.
  Legal: no order, no lanes: integers, positions, extremes.
- ``[j] by 512 serial { [j] by 1 vector { value }; [j] by 1 serial { step }}``: so many values go
  to memory before they are compared.
  Legal: as one after the other.
- ``[j] by 128 serial { [j] by 1 serial { step }}; [j] by 1 serial { locate }``: a position, sought
  in the block of values that has the best one.
  Legal: positions, point by point.
- ``[i] by 1 vector { [j] by 1 unroll { step }}``: all values of a segment in one expression.
  Legal: a block, an order, 32 values at most; nothing stored.
- ``[j] by 1 serial { [i] by 1 vector { value }}; [i] by 1 vector { [j] by 1 unroll pad <8, 16> {
  step }}``: a segment of unknown length, filled up to one of these with what adds nothing.
  Legal: a block with ``schedule.pack_rows``.
- ``[j] by 4 serial { [i] by 1 vector { [j] by 1 unroll { step }}}``: a scan, vectorized over
  points.
  Legal: scan.
- ``[j] by 1 serial { [i] by 1 unroll { step }}``: a scan of several points in turns, since each
  addition waits for the one before.
  Legal: scan, a point or a block of 16 at most.
- ``[j] by 1 parallel { [i] by 1 vector { step }}``: threads share a sweep that reduces nothing.
  Legal: one block that has all points.

Behind the loops of positions that keep one accumulator stands ``[j] by 1 serial { locate }``.
Around all of these, ``[j] by 128*L serial`` goes over the blocks of an order, and ``[j] by 512*L
parallel`` lets threads share chunks of 4 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects.order import GROUP, GROUPS, PARTS
from opc.dialects.schedule import Axis, ForOp, RunOp
from opc.support import target

from .nest_trees import fail, inside, path, stages_of, text_of
from .sweeps import Block, SweepFacts


@dataclass(frozen=True)
class SweepLoops:
    """The loops of one sweep."""

    rows: int = 0
    """Values of each lane that one loop over the lanes takes, 8 for a whole group; 0 if no loop
    goes over lanes."""
    unit: int = 1
    """Values that an iteration takes where no loop goes over lanes."""
    is_staged: bool = False
    """Whether values go to an array before they are reduced."""
    is_unrolled: bool = False
    """Whether one expression has all values of a segment."""
    is_parallel: bool = False
    """Whether threads share the values of a sweep that reduces nothing."""
    is_interleaved: bool = False
    """Whether a scan takes a value of each point of the block in turns."""
    chunk: ex.Expr | None = None
    """Blocks of the order in a chunk, if threads share chunks."""
    pads: tuple[int, ...] = ()
    """Lengths to which a short segment of unknown length is filled up."""

    @property
    def is_searched(self) -> bool:
        """Whether the second pass of a search goes over one block of values."""
        return self.rows == 0 and self.unit > 1 and not self.is_staged


def has_groups(s: SweepFacts, block: Block, is_staged: bool) -> bool:
    """Whether values go in groups: those of an order, of a block of points, and staged ones."""
    return s.is_ordered or is_staged or not block.is_one


def write(
    s: SweepFacts, block: Block, points: Sequence[Axis], number: int, choice: SweepLoops
) -> list[IRDLOperation]:
    """The stages of a sweep and their loops, for a block along ``points``."""
    loops = _loops(s, block, points, number, choice)
    if s.has_searches and s.has_passes:
        locate = over_points(points, RunOp.of("locate", number))
        loops.append(ForOp.of(s.axis, 1, "serial", [locate]))
    finish = [RunOp.of("finish", number)] if s.reduced else []
    return [RunOp.of("init", number), *loops, *finish]


def over_points(points: Sequence[Axis], op: IRDLOperation, kind: str = "vector") -> IRDLOperation:
    """Loops over the points of a block around an operation; the innermost has a kind."""
    for axis in reversed(points):
        op = ForOp.of(axis, 1, kind if axis is points[-1] else "serial", [op])
    return op


def _loops(
    s: SweepFacts, block: Block, points: Sequence[Axis], number: int, choice: SweepLoops
) -> list[IRDLOperation]:
    """The loops between init and finish."""
    step, at_points = RunOp.of("step", number), partial(over_points, points)
    value = at_points(RunOp.of("value", number)) if choice.is_staged else step

    def over(by: int | ex.Expr, kind: str, *ops: IRDLOperation, pads: Sequence[int] = ()) -> ForOp:
        return ForOp.of(s.axis, by, kind, ops, pads=pads)

    if s.prefixes:
        if choice.is_interleaved:
            return [over(1, "serial", at_points(step, "unroll"))]
        inner = step if choice.unit == 1 else over(1, "unroll", step)
        return [over(choice.unit, "serial", at_points(inner))]
    if not s.reduced:
        kind = "parallel" if choice.is_parallel else "serial" if points else "vector"
        return [over(1, kind, at_points(step))]
    if choice.is_unrolled:
        total = at_points(over(1, "unroll", step, pads=choice.pads))
        return [over(1, "serial", value), total] if choice.is_staged else [total]
    if choice.rows:
        loop = _over_lanes(s, block, points, number, choice)
    elif choice.is_searched:
        loop = over(choice.unit, "serial", over(1, "serial", step))
    elif not choice.is_staged:
        loop = over(1, "serial", at_points(step))
    elif points:
        loop = over(1, "serial", value, at_points(step))
    else:
        loop = over(choice.unit, "serial", over(1, "vector", value), over(1, "serial", step))
    return [loop if choice.chunk is None else over(choice.chunk * s.block, "parallel", loop)]


def _over_lanes(
    s: SweepFacts, block: Block, points: Sequence[Axis], number: int, choice: SweepLoops
) -> ForOp:
    """The loops over blocks of the order, groups and lanes."""
    step: IRDLOperation = RunOp.of("step", number)
    if choice.rows > 1:
        step = ForOp.of(s.axis, 1, "unroll", [step])
    step = over_points(points, step)
    if s.lanes != 1:
        step = ForOp.of(s.axis, s.lanes, "lanes", [step])
    if not has_groups(s, block, choice.is_staged):
        return ForOp.of(s.axis, s.lanes, "serial", [step])
    ops = [step]
    if choice.is_staged:
        value = over_points(points, RunOp.of("value", number))
        ops = [ForOp.of(s.axis, 1, "serial" if points else "vector", [value]), step]
    elif choice.rows < GROUP:
        ops = [ForOp.of(s.axis, s.lanes * choice.rows, "unroll", ops)]
    loop = ForOp.of(s.axis, s.group, "serial", ops)
    count = s.length if choice.chunk is None else choice.chunk * s.block
    is_one = count.constant is not None and count.constant <= (s.block.constant or 0)
    return ForOp.of(s.axis, s.block, "serial", [loop]) if s.is_ordered and not is_one else loop


def sections(ops: Sequence[Operation]) -> dict[int, list[Operation]]:
    """The operations of each sweep, by number: those from its ``init`` on, without ``out``."""
    parts: dict[int, list[Operation]] = {}
    part: list[Operation] = []
    for op in ops:
        if isinstance(op, RunOp) and op.stage.data == "init":
            part = parts.setdefault(op.number, [])
        if "out" not in (run.stage.data for run in stages_of([op])):
            part.append(op)
    return parts


def read(s: SweepFacts, block: Block, ops: Sequence[Operation]) -> SweepLoops:
    """The loops of a sweep as they are written; ``check_same`` refuses what this does not see."""
    stages = {run.stage.data: run for run in stages_of(ops)}
    loops = path(stages["step"]) if "step" in stages else []
    around = [loop for loop in loops if any(op.is_ancestor(loop) for op in ops)]
    own = [op for op in around if op.axis == s.axis]
    kinds = [op.kind.data for op in own]
    is_staged = "value" in stages
    if s.prefixes:
        is_interleaved = any(op.kind.data == "unroll" for op in around if op.axis != s.axis)
        is_single = len(around) == 1 and own and own[0].size == 1
        return SweepLoops(unit=_unit(own), is_interleaved=is_interleaved or bool(is_single))
    if not s.reduced:
        return SweepLoops(is_parallel="parallel" in kinds)
    chunk = _chunk(s, block, own[0].size) if len(own) > 1 and kinds[0] == "parallel" else None
    if kinds == ["unroll"]:
        return SweepLoops(is_unrolled=True, is_staged=is_staged, pads=own[0].pads)
    if "lanes" in kinds or "unroll" in kinds:
        part = next((op.size for op in own if op.kind.data == "unroll"), None)
        rows = next((n for n in PARTS[:-1] if part == s.lanes * n and part != 1), GROUP)
        rows = 1 if part is None else rows
        return SweepLoops(rows=rows, is_staged=is_staged, chunk=chunk)
    return SweepLoops(unit=_unit(own), is_staged=is_staged, chunk=chunk)


def _unit(own: Sequence[ForOp]) -> int:
    """The values of an iteration of the outermost serial loop."""
    return next((op.step for op in own if op.kind.data == "serial"), 1)


def _chunk(s: SweepFacts, block: Block, size: ex.Expr) -> ex.Expr | None:
    """The blocks of the order in chunks of ``size`` values."""
    values, planned = s.block.constant, chunk_of(s, block)
    if planned is not None and planned * s.block == size:
        return planned
    if values is None or size.constant is None or size.constant % values:
        return None
    return ex.const(size.constant // values)


def check_same(ops: Sequence[Operation], expected: Sequence[Operation]) -> None:
    """Raise InputError at the first operation that differs from the one expected."""
    for op, other in zip_longest(ops, expected):
        if op is not None and other is not None and op.is_structurally_equivalent(other):
            continue
        if isinstance(op, ForOp) and isinstance(other, ForOp) and text_of(op) == text_of(other):
            check_same(inside(op), inside(other))
        raise fail(f"found {text_of(op)}, expected {text_of(other)}", op)


def chunk_of(s: SweepFacts, block: Block) -> ex.Expr | None:
    """Blocks of a chunk, a power of two, by the number of blocks; None without chunks.

    Only this size may be an expression: it makes at most MOST_PARTS chunks.
    """
    if not may_be_chunks(s, block):
        return None
    if s.length.constant is not None and s.length.constant * block.most <= target.CHUNK:
        return None
    known = s.block.constant
    if known is None:
        values = ex.floordiv(target.CHUNK, s.used * (GROUP * GROUPS))
        least = ex.maximum(1, ex.pow2(values))
    else:
        least = ex.const(1 << max(0, (target.CHUNK // (block.most * known) - 1).bit_length()))
    size = ex.maximum(least, ex.pow2(ex.floordiv(s.blocks, target.PARTS)))
    return None if size.constant is not None and chunks(s, size) in (0, 1) else size


def may_be_chunks(s: SweepFacts, block: Block) -> bool:
    """Whether all points are one block, and chunks can have states of their own."""
    has_states = not (s.has_searches and s.has_passes)
    return block.blocks == 1 and not s.keeps_arrays and has_states


def chunks(s: SweepFacts, size: ex.Expr) -> ex.Expr:
    """The number of chunks of ``size`` blocks."""
    return ex.floordiv(s.blocks + size - 1, size)
