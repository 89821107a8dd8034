"""What a schedule of a nest with sweeps may be: points in any order, sweeps in theirs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects.schedule import ForOp, PackRowsOp, PipelineOp, RunOp
from opc.dialects.schedule_nests import axis_text
from opc.target import SHORT

from .nest import NestFacts
from .nest_trees import assumed, fail, inside, is_positive, most_of, only
from .plan_pipeline import are_apart, can_go_beside
from .plan_points import fits_block, narrow_of
from .plan_sweeps import CHUNKED, chunk_of, chunks, may_be_chunks, ways_of
from .row_blocks import check_rows
from .sweeps import Block, SweepFacts
from .versions import assume, longest


def check_sweeps(facts: NestFacts, ops: Sequence[Operation]) -> None:
    """Raise InputError unless the loops of one version are legal."""
    loops: list[ForOp] = []
    while len(ops) == 1 and isinstance(op := ops[0], ForOp):
        loops.append(op)
        ops = inside(op)
    shown = " ".join(axis_text(op.axis) for op in loops)
    # nest_schedule_c22: there is one loop over each axis, and all sweeps stand in all of them.
    if len({op.axis for op in loops}) != len(loops):
        raise fail(f"an axis is gone over twice: {shown}")
    if any(op.kind.data not in ("serial", "parallel") for op in loops):
        raise fail("loops over the points of a nest with sweeps are serial or parallel")
    first = ops[0] if ops else None
    if isinstance(first, PipelineOp):
        _check_pipeline(facts, loops, first)
        only(ops)
        ops = [first, *first.first.block.ops, *first.second.block.ops]
    elif loops and isinstance(first, ForOp):
        assume(facts := NestFacts(facts.nest), loops, first)
        stages = check_rows(facts, loops, ops)
        _check_stages(stages, 0, len(facts.sweeps))
        ops = [first, *stages]
    else:
        is_packed = isinstance(first, PackRowsOp)
        _check_stages(ops[is_packed:], 0, len(facts.sweeps))
        _check_block(NestFacts(facts.nest), loops, ops[0], is_packed)
    _check_ways(facts, loops, ops)


def swept(
    facts: NestFacts, loops: Sequence[ForOp], first: Operation
) -> tuple[list[SweepFacts], Block]:
    """What is known of the sweeps in some loops, of which ``first`` is the first operation."""
    facts = NestFacts(facts.nest)
    block = assume(facts, loops, first)
    return [SweepFacts(facts, block, sweep) for sweep in facts.sweeps], block


def _check_ways(facts: NestFacts, loops: Sequence[ForOp], ops: Sequence[Operation]) -> None:
    """How the values of each sweep are taken."""
    sweeps, block = swept(facts, loops, ops[0])
    for run in ops:
        if not isinstance(run, RunOp) or run.sweep is None:
            continue
        s, way, chunk = sweeps[run.number], run.way, run.chunk
        legal = ways_of(s, block)
        # nest_schedule_c31: values are taken in a way that gives the bits of the order.
        if way not in legal:
            wanted = " or ".join(sorted(w or "nothing" for w in legal))
            raise fail(f"sweep {run.number}: found {way or 'nothing'}, expected {wanted}")
        # nest_schedule_c32: chunks are subtrees of the order, several of them.
        if chunk is not None and chunk != chunk_of(s, block, way):
            size = chunk.constant or 0
            count = chunks(s, chunk).constant or 0 if size > 0 else 0
            is_power = size > 0 and not size & (size - 1)
            if not (is_power and count > 1 and may_be_chunks(s, block) and way in CHUNKED):
                raise fail(f"sweep {run.number}: {count} chunks of {chunk} blocks")


def _check_stages(ops: Sequence[Operation], first: int, last: int, has_out: bool = True) -> None:
    # nest_schedule_c23: sweeps run in order, and out behind them.
    wanted = [f"sweep {k}" for k in range(first, last)] + ["out"] * has_out
    found = [
        f"{op.stage.data}{'' if op.sweep is None else f' {op.number}'}"
        if isinstance(op, RunOp)
        else op.name
        for op in ops
    ]
    if found != wanted:
        raise fail(f"found {', '.join(found) or 'nothing'}, expected {', '.join(wanted)}")


def _check_block(
    facts: NestFacts, loops: Sequence[ForOp], first: Operation, is_packed: bool
) -> None:
    """Points of a block: of the innermost axis, or of the last two if the innermost is short."""
    blocks = [op for op in loops if op.size != 1]
    # nest_schedule_c24: a block has a known size, and goes along the innermost axis.
    if any(op.step == 0 for op in blocks):
        raise fail("a block of points side by side has a known size")
    if list(loops[len(loops) - len(blocks) :]) != blocks or len(blocks) > 2:
        raise fail("a block of points goes along the innermost loop, or the two innermost ones")
    if is_packed:
        _check_packed(facts, blocks, first)
    assume(facts, loops, first)
    for sweep in facts.sweeps:
        # nest_schedule_c25: what a sweep keeps in arrays has a known size.
        is_kept = any(result not in facts.kept for _, result, _ in sweep.kept())
        if is_kept and ex.product(sweep.extents.data).constant is None and not is_packed:
            raise fail("a sweep of unknown length keeps values in an array of the block")
    if len(blocks) == 2:
        last, axes = blocks[-1], [op.axis for op in loops]
        # nest_schedule_c26: the innermost of two axes is whole, fills no vector, and goes on in
        # memory to the next one.
        if (
            is_packed
            or facts.has_one is not None
            or axes != facts.axes
            or narrow_of(facts) != last.step
        ):
            raise fail(f"{axis_text(last.axis)} by {last.step} is no short axis that goes on")
    elif facts.has_one is False and blocks:
        (op,) = blocks
        extent = facts.space([op.axis]).extents[0]
        most = extent.constant if extent.constant is not None else most_of(extent, assumed(first))
        # nest_schedule_c27: of unknown lanes, one block has all points.
        if most is None or most > op.step or not fits_block(facts):
            raise fail(
                f"only a run knows how many lanes there are: a block of {op.step} along "
                f"{axis_text(op.axis)} has not all of {extent}"
            )


def _check_packed(facts: NestFacts, blocks: Sequence[ForOp], first: Operation) -> None:
    lengths = [ex.product(s.extents.data) for s in facts.sweeps]
    # nest_schedule_c28: rows are packed for a block along one axis, and are known to be short.
    if len(blocks) != 1:
        raise fail("rows are packed for a block of points along one axis")
    if all(n.constant is not None for n in lengths):
        return
    most = longest(facts, first)
    is_one = all(sum(e != 1 for e in s.extents.data) == 1 for s in facts.sweeps)
    if not most or most > SHORT or not is_one:
        found = "any number of" if most is None else most
        raise fail(f"rows that are packed have {found} values, expected 1 to {SHORT}")


def _check_pipeline(facts: NestFacts, loops: Sequence[ForOp], op: PipelineOp) -> None:
    count = len(facts.sweeps)
    _check_stages(list(op.first.block.ops), 0, count - 1, has_out=False)
    _check_stages(list(op.second.block.ops), count - 1, count)
    # nest_schedule_c29: a pipeline goes along the innermost axis, in blocks that have points.
    if not loops or loops[-1].axis != op.axis or any(around.size != 1 for around in loops[:-1]):
        raise fail(
            f"a pipeline along {axis_text(op.axis)} stands right in a loop over blocks of it"
        )
    if not is_positive(loops[-1].size, assumed(op)):
        raise fail(f"blocks of {loops[-1].size} along {axis_text(op.axis)} may have no points")
    if op.number >= count - 1:
        raise fail(f"sweep {op.number} is none of those before the last one")
    facts = NestFacts(facts.nest)
    assume(facts, loops, op)
    front, back = facts.sweeps[op.number], facts.sweeps[-1]
    # nest_schedule_c30: a sweep goes ahead of the last one of the point before if nothing tells.
    if facts.has_one is not None or not can_go_beside(front, back):
        raise fail(f"sweep {op.number} adds up no functions beside the last one, or in other order")
    if not are_apart(facts, front, back):
        raise fail(f"sweep {op.number} depends on the last one of the point before")
