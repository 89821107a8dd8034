"""Check schedules of nests with sweeps: points in any order, sweeps in theirs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import Axis, ForOp, PackRowsOp, PipelineOp, RunOp
from opc.dialects.schedule_nests import axis_text
from opc.support.target import SHORT

from .nest import NestFacts
from .nest_trees import (
    assumed,
    fail,
    inside,
    is_positive,
    loops_around,
    most_of,
    only,
    stages_of,
    text_of,
)
from .point_blocks import assume, fits_block, longest, narrow_of
from .sweep_loops import (
    check_same,
    over_points,
    read,
    sections,
    write,
)
from .sweep_orders import are_apart, can_go_beside, check_choice
from .sweeps import SweepFacts, axis_of_sweep

ENDS = ("init", "out")
"""The stage at which a sweep begins, and the one behind all sweeps."""


def check_sweeps(facts: NestFacts, ops: Sequence[Operation]) -> None:
    """Raise InputError unless the loops of one version are legal."""
    loops, ops = loops_around(ops)
    shown = " ".join(axis_text(op.axis) for op in loops)
    # nest_schedule_c22: there is one loop over each axis, and all sweeps are inside all loops.
    if len({op.axis for op in loops}) != len(loops):
        raise fail(f"found loops over {shown}, expected one loop over each axis", loops[-1])
    reduced = {axis_of_sweep(sweep) for sweep in facts.sweeps}
    for op in loops:
        # nest_schedule_c45: a loop over the axis of a sweep stands between its init and finish.
        if op.axis in reduced:
            raise fail(f"found {text_of(op)} around sweeps, expected loops over points", op)
        if op.kind.data not in ("serial", "parallel"):
            raise fail(f"found {op.kind.data}, expected serial or parallel", op)
    facts, first = NestFacts(facts.nest), ops[0] if ops else RunOp.of("out")
    block = assume(facts, loops, first)
    if isinstance(first, PipelineOp):
        only(ops)
        _check_pipeline(facts, loops, first)
        around, points = [first.first.block.ops, first.second.block.ops], list[Axis]()
    elif loops and isinstance(first, ForOp) and first.axis == loops[-1].axis:
        around, points = _check_rows(facts, loops, ops), [loops[-1].axis]
    else:
        _check_block(facts, loops, first)
        points = [op.axis for op in loops if op.size != 1]
        around = [ops[isinstance(first, PackRowsOp) :]]
    stages = [run for part in around for run in stages_of(part)]
    begun = [run.text for run in stages if run.stage.data in ENDS]
    # nest_schedule_c23: sweeps run in order, and out behind them.
    expected = [*(f"init {k}" for k in range(len(facts.sweeps))), "out"]
    if begun != expected:
        raise fail(f"found {', '.join(begun) or 'nothing'}, expected {', '.join(expected)}")
    inner = points if not isinstance(first, ForOp) else []
    out = over_points(points, RunOp.of("out"))
    for part in around:
        written: list[Operation] = []
        for number, section in sections(list(part)).items():
            s = SweepFacts(facts, block, facts.sweeps[number])
            choice = read(s, block, section)
            check_choice(s, block, choice, section[0])
            written += write(s, block, inner, number, choice)
        is_last = any(run.stage.data == "out" for run in stages_of(part))
        # nest_schedule_c43: loops and stages are those of a sweep.
        check_same(list(part), [*written, out] if is_last else written)


def _check_block(facts: NestFacts, loops: Sequence[ForOp], first: Operation) -> None:
    """Check a block: along the innermost axis, or along the last two if the innermost is short."""
    blocks, is_packed = [op for op in loops if op.size != 1], isinstance(first, PackRowsOp)
    # nest_schedule_c24: a block has a known size, and goes along the innermost axis.
    if any(op.step == 0 for op in blocks):
        raise fail(f"found blocks of {blocks[0].size} points, expected a known size", blocks[0])
    if list(loops[len(loops) - len(blocks) :]) != blocks or len(blocks) > 2:
        shown = " ".join(axis_text(op.axis) for op in blocks)
        raise fail(f"found blocks along {shown}, expected the innermost axes", blocks[0])
    if is_packed:
        _check_packed(facts, blocks, first)
    for sweep in facts.sweeps:
        # nest_schedule_c25: a sweep materializes a known number of values in an array.
        is_kept = any(result not in facts.kept for _, result, _ in sweep.kept())
        if is_kept and ex.product(sweep.extents.data).constant is None and not is_packed:
            raise fail("found a sweep of unknown length that keeps values, expected a number")
    if len(blocks) == 2:
        last, axes = blocks[-1], [op.axis for op in loops]
        is_known = facts.has_one is None and axes == facts.axes
        # nest_schedule_c26: a block has all of the inner one of two axes, which fills no vector and
        # is contiguous with the outer one.
        if is_packed or not is_known or narrow_of(facts) != last.step:
            shown = f"{axis_text(last.axis)} by {last.step}"
            raise fail(f"found blocks of {shown}, expected all of a short axis", last)
    elif facts.has_one is False and blocks:
        (op,) = blocks
        extent = facts.space([op.axis]).extents[0]
        most = extent.constant if extent.constant is not None else most_of(extent, assumed(first))
        # nest_schedule_c27: for an unknown number of lanes, one block has all points.
        if most is None or most > op.step or not fits_block(facts):
            raise fail(f"found a block of {op.step}, expected all of {extent}, for any lanes", op)


def _check_rows(
    facts: NestFacts, loops: Sequence[ForOp], ops: Sequence[Operation]
) -> list[Sequence[Operation]]:
    """The operations in each loop over the rows of a block, and those behind these loops.

    Raises InputError without such loops.
    """
    *around, block = loops
    # nest_schedule_c33: a block has a known number of rows, of which sums have known lanes.
    shown = axis_text(block.axis)
    if any(op.size != 1 for op in around) or not block.step or facts.has_one is not None:
        raise fail(f"found a block of {block.size} rows, expected a number, and known lanes", block)
    *rows, out = ops
    parts: list[Sequence[Operation]] = []
    for op in rows:
        loop = (op.axis, op.step, op.kind.data) if isinstance(op, ForOp) else None
        # nest_schedule_c34: each sweep is in a loop of its own over the rows of the block.
        begun = [run for run in stages_of([op]) if run.stage.data == "init"]
        if loop != (block.axis, 1, "serial") or len(begun) != 1:
            raise fail(f"found {text_of(op)}, expected a serial loop by 1 along {shown}", op)
        parts.append(inside(op))
    # nest_schedule_c35: no sweep materializes a row, since other rows come before the next sweep.
    if any(sweep.kept() for sweep in facts.sweeps):
        raise fail("found a sweep that keeps values of its row, expected none", block)
    return [*parts, [out]]


def _check_packed(facts: NestFacts, blocks: Sequence[ForOp], first: Operation) -> None:
    # nest_schedule_c42: rows of a scan are not packed.
    if any(map(kernel.prefixes_of, facts.sweeps)):
        raise fail("found schedule.pack_rows of a scan, expected rows as they lie", first)
    lengths = [ex.product(s.extents.data) for s in facts.sweeps]
    # nest_schedule_c28: rows are packed for a block along one axis, and are known to be short.
    if len(blocks) != 1:
        raise fail(f"found packed rows along {len(blocks)} axes, expected one", first)
    if all(n.constant is not None for n in lengths):
        return
    most = longest(facts, first)
    is_one = all(sum(e != 1 for e in s.extents.data) == 1 for s in facts.sweeps)
    if not most or most > SHORT or not is_one:
        count = "any number of" if most is None else most
        raise fail(f"found packed rows of {count} values, expected 1 to {SHORT}", first)


def _check_pipeline(facts: NestFacts, loops: Sequence[ForOp], op: PipelineOp) -> None:
    shown = axis_text(op.axis)
    # nest_schedule_c29: a pipeline goes along the innermost axis, in blocks that have points, and
    # its second part is the last sweep and out.
    if not loops or loops[-1].axis != op.axis or any(around.size != 1 for around in loops[:-1]):
        around = " ".join(axis_text(loop.axis) for loop in loops) or "none"
        raise fail(f"found loops over {around}, expected blocks along {shown} innermost", op)
    if not is_positive(loops[-1].size, assumed(op)):
        raise fail(f"found blocks of {loops[-1].size} along {shown}, expected 1 or more", op)
    second = [run.text for run in stages_of(op.second.block.ops) if run.stage.data in ENDS]
    if second != [f"init {len(facts.sweeps) - 1}", "out"]:
        shown = ", ".join(second) or "nothing"
        raise fail(f"found {shown} beside, expected the last sweep and out", op)
    if op.number >= len(facts.sweeps) - 1:
        raise fail(f"found sweep {op.number}, expected one before {len(facts.sweeps) - 1}", op)
    front, back = facts.sweeps[op.number], facts.sweeps[-1]
    # nest_schedule_c30: a sweep may run before the last one of the point before, with equal bits.
    if facts.has_one is not None or not can_go_beside(front, back):
        raise fail(f"found sweep {op.number}, expected functions, and known lanes", op)
    if not are_apart(facts, front, back):
        raise fail(f"found sweep {op.number}, expected one that waits for no other", op)
    # nest_schedule_c38: a pipelined sweep is staged.
    section = sections(list(op.first.block.ops)).get(op.number, [])
    if not any(run.stage.data == "value" for run in stages_of(section)):
        raise fail(f"found sweep {op.number} with values as they come, expected staged ones", op)
