"""Schedules of nests that are no contractions, drawn at random; those that are legal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import (
    Axis,
    CoalesceOp,
    ForOp,
    NonTemporalOp,
    PackRowsOp,
    PipelineOp,
    RunOp,
    TransposeOp,
    TreeOp,
)
from opc.errors import InputError
from opc.schedule.nest import NestFacts
from opc.schedule.nest_legality import check
from opc.schedule.nest_trees import loops_around
from opc.schedule.point_blocks import assume
from opc.schedule.sweep_loops import SweepLoops, over_points, write
from opc.schedule.sweep_orders import check_choice
from opc.schedule.sweeps import Block as Points
from opc.schedule.sweeps import SweepFacts

Ops = list[IRDLOperation]


def drawn_axes(facts: NestFacts, rng: Random) -> list[Axis]:
    """The axes of a nest, or parts of them."""
    found: list[Axis] = []
    for group in facts.axes:
        cut = rng.randint(1, len(group)) if rng.random() < 0.3 else len(group)
        found += [part for part in (group[:cut], group[cut:]) if part]
    return found


def kind(rng: Random) -> str:
    return rng.choice(["serial", "parallel"])


def drawn_points(facts: NestFacts, rng: Random) -> Ops:
    """Loops over points in any order, with blocks or without."""
    axes = drawn_axes(facts, rng)
    rng.shuffle(axes)
    ops: Ops = [RunOp.of("out")]
    for k, axis in enumerate(axes):
        ops = [ForOp.of(axis, 1, "vector" if k == 0 else kind(rng), ops)]
    for axis in rng.sample(axes, rng.randint(0, len(axes))):
        ops = [ForOp.of(axis, rng.randint(2, 40), kind(rng), ops)]
    return ops


def drawn_coalesced(facts: NestFacts, rng: Random) -> Ops:
    axes = drawn_axes(facts, rng)
    count = rng.randint(2, max(2, len(axes)))
    ops: Ops = [CoalesceOp.of(axes[-count:], [RunOp.of("out")])]
    if rng.random() < 0.8:
        ops = [ForOp.of(axes[-count:][0], rng.randint(2, 50), kind(rng), ops)]
    for axis in rng.sample(axes[:-count], len(axes[:-count])):
        ops = [ForOp.of(axis, 1, kind(rng), ops)]
    return ops


def drawn_transposed(facts: NestFacts, rng: Random) -> Ops:
    axes = list(facts.axes)
    run = RunOp.of("out")
    own = rng.sample(axes, min(2, len(axes)))
    ops: Ops = [ForOp.of(own[-1], 1, "vector", [run])]
    ops = [ForOp.of(own[0], 1, "serial", ops)]
    ops = [TransposeOp.of([rng.randrange(len(facts.loads))], ops)]
    sized = [own[0], own[-1]]
    whole = {a: facts.space([a]).extents[0].constant or 1 for a in sized}
    for axis in rng.sample(sized, 2):
        size = whole[axis] if rng.random() < 0.3 else rng.randint(2, 30)
        ops = [ForOp.of(axis, size, kind(rng), ops)]
    for axis in [a for a in axes if a not in own]:
        ops = [ForOp.of(axis, 1, kind(rng), ops)]
    return ops


def drawn_streams(facts: NestFacts, rng: Random) -> Ops:
    *around, last = facts.axes
    ops: Ops = [ForOp.of(last, 1, "vector", [RunOp.of("out")])]
    size = 16 * rng.randint(1, 5)
    is_peeled = rng.random() < 0.5
    ops = [ForOp.of(last, size, kind(rng), [NonTemporalOp.of([0], ops)], is_peeled)]
    for axis in around:
        ops = [ForOp.of(axis, 1, kind(rng), ops)]
    return ops


def over_axes(facts: NestFacts, rng: Random, size: int, runs: Ops) -> Ops:
    """Loops over points in any order; the innermost has blocks of ``size`` points."""
    axes = drawn_axes(facts, rng)
    if not axes:
        return runs
    rng.shuffle(axes)
    ops = [ForOp.of(axes[-1], size, kind(rng), runs)]
    for axis in reversed(axes[:-1]):
        ops = [ForOp.of(axis, 1, kind(rng), ops)]
    return ops


def drawn_blocks(facts: NestFacts, rng: Random) -> Ops:
    size = rng.choice([1, rng.randint(2, 90), rng.randint(2, 90)])
    return over_axes(facts, rng, size, [RunOp.of("out")])


def drawn_packed(facts: NestFacts, rng: Random) -> Ops:
    return over_axes(facts, rng, rng.randint(2, 90), [PackRowsOp(), RunOp.of("out")])


def drawn_pipeline(facts: NestFacts, rng: Random) -> Ops:
    turn = rng.randrange(max(1, len(facts.sweeps) - 1))
    axis = facts.axes[-1] if facts.axes else (0,)
    pipeline = PipelineOp.of(axis, turn, rng.randint(1, 100), [], [RunOp.of("out")])
    return over_axes(facts, rng, rng.randint(1, 9), [pipeline])


def drawn_rows(facts: NestFacts, rng: Random) -> Ops:
    """Each sweep for the rows of a block, one after the other."""
    ops = over_axes(facts, rng, rng.randint(2, 40), [RunOp.of("out")])
    loops, _ = loops_around(ops)
    if loops:
        rows = [ForOp.of(loops[-1].axis, 1, "serial", []) for _ in facts.sweeps]
        block = loops[-1].body.block
        block.insert_ops_before(rows, block.last_op or rows[0])
    return ops


DRAWN = (drawn_points, drawn_coalesced, drawn_transposed, drawn_streams)
SWEPT = (drawn_blocks, drawn_packed, drawn_pipeline, drawn_rows)


def drawn_loops(s: SweepFacts, block: Points, rng: Random) -> SweepLoops:
    """Loops of a sweep, legal or not."""
    rows = rng.choice([0, 1, 2, 4, 8, 8])
    known, count = s.block.constant or 1, s.length.constant or 1
    return SweepLoops(
        rows=rows,
        unit=1 if rows else rng.choice([1, 1, 4, rng.randint(2, 600)]),
        is_staged=rng.random() < 0.4,
        is_unrolled=not rows and rng.random() < 0.4,
        is_parallel=rng.random() < 0.5,
        is_interleaved=rng.random() < 0.5,
        chunk=ex.const(rng.choice([1, 2, 4])) if count > known and rng.random() < 0.5 else None,
    )


def legal_loops(s: SweepFacts, block: Points, number: int, rng: Random) -> SweepLoops:
    """Legal ones among many."""
    for _ in range(200):
        choice = drawn_loops(s, block, rng)
        try:
            check_choice(s, block, choice, RunOp.of("init", number))
        except InputError:
            continue
        return choice
    raise InputError("no loops were drawn")


def draw_loops(facts: NestFacts, tree: TreeOp, rng: Random) -> None:
    """Write the loops of each sweep."""
    loops, (op, *rest) = loops_around(list(tree.body.block.ops))
    facts = NestFacts(facts.nest)
    block = assume(facts, loops, op)
    is_inside = isinstance(op, PipelineOp | ForOp)
    points = [] if is_inside else [loop.axis for loop in loops if loop.size != 1]
    for number, sweep in enumerate(facts.sweeps):
        s = SweepFacts(facts, block, sweep)
        choice = legal_loops(s, block, number, rng)
        written = write(s, block, points, number, choice)
        if isinstance(op, PipelineOp):
            is_last = number == len(facts.sweeps) - 1
            region = op.second.block if is_last else op.first.block
        else:
            region = [op, *rest][number].body.block if is_inside else op.parent_block()
        assert isinstance(region, Block)
        out = region.last_op
        if isinstance(out, RunOp) and out.stage.data == "out":
            region.insert_ops_before(written, out)
        else:
            region.add_ops(written)
    last = [run for run in tree.walk() if isinstance(run, RunOp)][-1]
    axes = [loops[-1].axis] if isinstance(op, ForOp) else points
    if axes:
        around = last.parent_block()
        assert around is not None
        last.detach()
        around.add_op(over_points(axes, last))


def legal_trees(nest: kernel.NestOp, rng: Random, count: int) -> Iterator[TreeOp]:
    """Different schedules that are legal for a nest, whatever they cost."""
    facts, found = NestFacts(nest), set[str]()
    for attempt in range(400):
        draws = SWEPT if facts.sweeps else DRAWN
        tree = TreeOp.of(Block(draws[attempt % len(draws)](facts, rng)))
        try:
            if facts.sweeps:
                draw_loops(facts, tree, rng)
            check(nest, tree)
        except InputError:
            continue
        if str(tree) not in found:
            found.add(str(tree))
            yield tree
        if len(found) == count:
            return
