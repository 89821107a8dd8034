"""Nests that are no contractions have the same bits for every legal schedule."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

import opc
from opc.api.driver import load
from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.buffer import index_of
from opc.dialects.registry import context
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
from opc.emit.source import emit
from opc.errors import InputError, OpcError
from opc.passes import pipeline, stages
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from opc.schedule.nest import NestFacts
from opc.schedule.nest_legality import check
from opc.schedule.nest_trees import loops_around
from opc.schedule.sweep_strategies import (
    CHUNKED,
    IN_LANES,
    legal_strategies,
    may_be_chunks,
    may_fill_up,
)
from opc.schedule.sweeps import Block as Points
from opc.schedule.sweeps import SweepFacts
from opc.schedule.versions import assume

Ops = list[IRDLOperation]

GRAPHS = {
    "row operand": (
        "12x40xf32, 40xf32", "%r = opc.sub %a, %b", "12x40xf32",
    ),
    "middle broadcast": (
        "6x1x16xf32, 5x16xf32", "%r = opc.mul %a, %b", "6x5x16xf32",
    ),
    "functions of short rows": (
        "90x7xf32, 7xf32", "%0 = opc.sub %a, %b\n%r = opc.exp %0", "90x7xf32",
    ),
    "values of rows": (
        "33x5xf16, 33x1xf16", "%0 = opc.mul %a, %b\n%r = opc.tanh %0", "33x5xf16",
    ),
    "transpose": (
        "40x33xf32, 33x1xf32",
        "%0 = opc.transpose %a {permutation = [1, 0]}\n%r = opc.add %0, %b", "33x40xf32",
    ),
    "transposes": (
        "3x20x9xf32, 3x20x9xf32",
        "%0 = opc.add %a, %b\n%r = opc.transpose %0 {permutation = [2, 0, 1]}", "9x3x20xf32",
    ),
    "whole lines": (
        "32x64xf32, 64xf32", "%r = opc.sub %a, %b", "32x64xf32",
    ),
    "rows that follow": (
        "30x45xf32, 45xf32", "%r = opc.sub %a, %b", "30x45xf32",
    ),
    "sum of rows": (
        "40x300xf32, 300xf32",
        "%0 = opc.mul %a, %b\n%r = opc.reduce_sum %0 {axes = [1]}", "40xf32",
    ),
    "sum of columns": (
        "300x40xf32, 300x1xf32",
        "%0 = opc.mul %a, %b\n%r = opc.reduce_sum %0 {axes = [0]}", "40xf32",
    ),
    "short rows": (
        "70x6xf32, 70x6xf32",
        "%0 = opc.mul %a, %b\n%s = opc.reduce_sum %0 {axes = [1], keepdims = true}\n"
        "%r = opc.div %0, %s", "70x6xf32",
    ),
    "middle": (
        "9x30x8xf64, 8xf64",
        "%0 = opc.mul %a, %b\n%r = opc.reduce_sum %0 {axes = [1]}", "9x8xf64",
    ),
    "softmax": (
        "24x200xf32, 200xf32",
        "%0 = opc.add %a, %b\n%m = opc.reduce_max %0 {axes = [1], keepdims = true}\n"
        "%d = opc.sub %0, %m\n%e = opc.exp %d\n"
        "%s = opc.reduce_sum %e {axes = [1], keepdims = true}\n%r = opc.div %e, %s", "24x200xf32",
    ),
    "variance": (
        "20x64xf32, 64xf32",
        "%0 = opc.add %a, %b\n%m = opc.reduce_mean %0 {axes = [1], keepdims = true}\n"
        "%d = opc.sub %0, %m\n%q = opc.mul %d, %d\n%r = opc.reduce_mean %q {axes = [1]}", "20xf32",
    ),
    "one sum": (
        "30000xf32, 30000xf32", "%0 = opc.mul %a, %b\n%r = opc.reduce_sum %0 {axes = [0]}", "f32",
    ),
    "positions": (
        "25x90xf32, 90xf32",
        "%0 = opc.mul %a, %b\n%r = opc.argmax %0 {axis = 1, keepdims = false}", "25xi64",
    ),
    "short columns that go on": (
        "30x50x4xf32, 30x50x1xf32",
        "%0 = opc.sub %a, %b\n%r = opc.reduce_max %0 {axes = [0]}", "50x4xf32",
    ),
    "totals of rows": (
        "30x45xf32, 45xf32",
        "%0 = opc.sub %a, %b\n%r = opc.cum_sum %0 {axis = 1, reverse = true}", "30x45xf32",
    ),
    "totals of columns": (
        "5x30x45xf32, 45xf32",
        "%0 = opc.sub %a, %b\n%r = opc.cum_sum %0 {axis = 1, exclusive = true}", "5x30x45xf32",
    ),
    "totals of few columns": (
        "30x3x2xf32, 3x1xf32", "%0 = opc.sub %a, %b\n%r = opc.cum_prod %0", "30x3x2xf32",
    ),
}  # fmt: skip
"""Types of two operands, what is computed of them, and the type of the result."""
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def text_of(name: str) -> str:
    operands, lines, result = GRAPHS[name]
    a, b = operands.split(", ")
    arguments = f"%a: tensor<{a}>, %b: tensor<{b}>"
    head = f"func.func @main({arguments}) -> tensor<{result}>"
    return f"{head} {{\n{lines}\nreturn %r : tensor<{result}>\n}}"


def arrays_of(name: str) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(len(name))
    found: list[np.ndarray[Any, Any]] = []
    for operand in GRAPHS[name][0].split(", "):
        *shape, type = operand.split("x")
        found.append(rng.standard_normal([int(n) for n in shape]).astype(TYPES[type]))
    return found


def planned(text: str) -> tuple[FuncOp, kernel.NestOp]:
    """A function up to where schedules are written, and its only nest."""
    module = load(text).clone()
    names = pipeline.passes("schedule")
    pipeline.run(module, context(), names[: names.index("schedule")])
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    (nest,) = (op for op in function.body.block.ops if isinstance(op, kernel.NestOp))
    return function, nest


def finished(function: FuncOp) -> CompiledFunction:
    module = function.parent_op()
    pipeline.run(module, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    found = emit(function, "random")
    library = caching.build(found.source, cc=None, target="native", threads=2, cache=None)
    return CompiledFunction(found.interface, library, found.weights, 2)


def bits(result: Any) -> bytes:
    return np.ascontiguousarray(result).tobytes()


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


def runs_of(facts: NestFacts) -> Ops:
    return [*(RunOp.of("sweep", k) for k in range(len(facts.sweeps))), RunOp.of("out")]


def over_points(facts: NestFacts, rng: Random, size: int, runs: Ops) -> Ops:
    """Loops over points in any order."""
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
    return over_points(facts, rng, size, runs_of(facts))


def drawn_packed(facts: NestFacts, rng: Random) -> Ops:
    return over_points(facts, rng, rng.randint(2, 90), [PackRowsOp(), *runs_of(facts)])


def drawn_pipeline(facts: NestFacts, rng: Random) -> Ops:
    runs, turn = runs_of(facts), rng.randrange(max(1, len(facts.sweeps) - 1))
    pipeline = PipelineOp.of(
        facts.axes[-1] if facts.axes else (0,), turn, rng.randint(1, 100), runs[:-2], runs[-2:]
    )
    return over_points(facts, rng, rng.randint(1, 9), [pipeline])


def drawn_rows(facts: NestFacts, rng: Random) -> Ops:
    """Each sweep for the rows of a block, one after the other."""
    *sweeps, out = runs_of(facts)
    found = over_points(facts, rng, rng.randint(2, 40), [])
    if not found:
        return [*sweeps, out]
    around, inner = found[0], found[0]
    while inner is not None:
        around, inner = inner, inner.regions[0].block.first_op
    assert isinstance(around, ForOp)
    rows = [ForOp.of(around.axis, 1, "serial", [run]) for run in sweeps]
    around.body.block.add_ops([*rows, out])
    return found


DRAWN = (drawn_points, drawn_coalesced, drawn_transposed, drawn_streams)
SWEPT = (drawn_blocks, drawn_packed, drawn_pipeline, drawn_rows)


def drawn_numbers(s: SweepFacts, block: Points, strategy: str | None, rng: Random) -> int | None:
    """A number of values that a way goes by, if it does."""
    if strategy in ("searched", "apart"):
        return rng.randint(1, 600) if strategy == "searched" or block.is_one else 1
    if strategy not in IN_LANES or not may_fill_up(s):
        return None
    return rng.choice([n for n in range(1, 65) if ex.mod(s.lanes, n) == 0])


def draw_strategies(facts: NestFacts, tree: TreeOp, rng: Random) -> None:
    """Say how the values of each sweep are taken."""
    loops, (op, *_) = loops_around(list(tree.body.block.ops))
    facts = NestFacts(facts.nest)
    block = assume(facts, loops, op)
    for run in (run for run in tree.walk() if isinstance(run, RunOp) and run.sweep is not None):
        s = SweepFacts(facts, block, facts.sweeps[run.number])
        strategy = rng.choice(sorted(legal_strategies(s, block), key=str))
        if strategy is not None:
            run.properties["taken"] = StringAttr(strategy)
        if (by := drawn_numbers(s, block, strategy, rng)) is not None:
            run.properties["by"] = index_of(ex.const(by))
        if strategy in CHUNKED and rng.random() < 0.5 and may_be_chunks(s, block):
            run.properties["chunks"] = index_of(ex.const(rng.choice([1, 2, 4])))


def legal_trees(nest: kernel.NestOp, rng: Random, count: int) -> Iterator[TreeOp]:
    """Different schedules that are legal for a nest, whatever they cost."""
    facts, found = NestFacts(nest), set[str]()
    for attempt in range(400):
        draws = SWEPT if facts.sweeps else DRAWN
        tree = TreeOp.of(Block(draws[attempt % len(draws)](facts, rng)))
        try:
            draw_strategies(facts, tree, rng)
            check(nest, tree)
        except InputError:
            continue
        if str(tree) not in found:
            found.add(str(tree))
            yield tree
        if len(found) == count:
            return


@pytest.mark.sample(16)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", GRAPHS)
def test_every_legal_schedule_has_the_same_bits(name: str, seed: int) -> None:
    text, arrays = text_of(name), arrays_of(name)
    expected = bits(opc.compile(text)(*arrays))
    trees = list(legal_trees(planned(text)[1], Random(f"{name} {seed}"), 3))
    assert trees
    for tree in trees:
        function, nest = planned(text)
        nest.body.block.add_op(tree.clone())
        assert bits(finished(function)(*arrays)) == expected, f"{name}\n{tree}"


def test_every_kind_of_loops_is_drawn() -> None:
    """Otherwise the test above would not tell of them."""
    found = set[str]()
    for name in GRAPHS:
        for seed in range(2):
            for tree in legal_trees(planned(text_of(name))[1], Random(f"{name} {seed}"), 3):
                found |= {op.name for op in tree.walk()}
                rows = (o for o in tree.walk() if isinstance(o, ForOp) and o.next_op is not None)
                found |= {"rows" for _ in rows}
    wanted = {"coalesce", "transpose", "non_temporal", "pack_rows", "pipeline", "for", "run"}
    assert {"rows", *(f"schedule.{name}" for name in wanted)} <= found


UNKNOWN = """
func.func @main(%x: tensor<?x?xf32, #opc.dims<M, N>>, %y: tensor<?xf32, #opc.dims<N>>)
    -> {result} {{
{body}
  return %r : {result}
}}"""
MATRIX = "tensor<?x?xf32, #opc.dims<M, N>>"
VERSIONS = {
    "columns": (
        "%r = opc.reduce_sum %x {axes = [0]}", "tensor<?xf32, #opc.dims<N>>",
        [("atleast(N, 1025)", "atleast(N, 401)"), ("atleast(N, 1025)", "atleast(N, 1000)")],
    ),
    "rows": (
        "%r = opc.reduce_sum %x {axes = [1]}", "tensor<?xf32, #opc.dims<M>>",
        [
            ("atleast(N, 33)", "atleast(N, 11)"), ("by 64 parallel", "by 29 serial"),
            ("padded by <8, 16>", "padded"), ("padded by <8, 16>", "padded by <6, 11, 40>"),
        ],
    ),
    "norms": (
        "%m = opc.reduce_mean %x {axes = [1], keepdims = true}\n%d = opc.sub %x, %m\n"
        "%q = opc.mul %d, %d\n%v = opc.reduce_mean %q {axes = [1], keepdims = true}\n"
        "%s = opc.sqrt %v\n%r = opc.div %d, %s", MATRIX,
        [
            ("atleast(N, 129)", "atleast(N, 1000)"), ("by 16 parallel", "by 7 serial"),
            ("sweep 1 pairs by <16>", "sweep 1 pairs by <4>"),
        ],
    ),
    "coalesced": (
        "%s = opc.reshape %y : tensor<?xf32, #opc.dims<N>> -> tensor<1x?xf32, #opc.dims<1, N>>\n"
        "%r = opc.sub %x, %s", MATRIX,
        [("atleast(N, 17)", "atleast(N, 6)"), ("floordiv(1024, N)", "floordiv(300, N)"),
         ("[d1] by 16", "[d1]"), ("[d1] by 16", "[d1] by 5")],
    ),
}  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", VERSIONS)
def test_versions_for_other_extents_have_the_same_bits(name: str) -> None:
    body, result, edits = VERSIONS[name]
    text = UNKNOWN.format(body=body, result=result)
    written = opc.lower(text, cache=None).ir("schedule")
    plain = opc.compile(text)
    for old, new in edits:
        assert old in written
        edited = opc.compile(written.replace(old, new))
        for shape in ((3, 5), (70, 12), (9, 40), (20, 700), (5, 1100)):
            x = np.random.default_rng(5).standard_normal(shape).astype(np.float32)
            assert bits(edited(x, x[0])) == bits(plain(x, x[0])), (new, shape)


def test_a_nest_without_a_schedule_is_a_defect_of_the_pass() -> None:
    module = load(text_of("row operand")).clone()
    names = pipeline.passes("schedule")
    pipeline.run(module, context(), names, verify_each=True)
    (nest,) = (op for op in module.walk() if isinstance(op, kernel.NestOp))
    tree = nest.body.block.last_op
    assert isinstance(tree, TreeOp)
    tree.detach()
    with pytest.raises(OpcError, match="defect in schedule: a nest has no schedule"):
        stages.check(module, "schedule")


@pytest.mark.parametrize("name", ["add", "matmul", "reduce_sum"])
def test_a_nest_that_lost_its_schedule_is_refused(name: str) -> None:
    """Loops that stand in a nest without a tree are no schedule: nothing would be computed."""
    operand = "" if name == "reduce_sum" else ", %x"
    text = f"""
func.func @main(%x: tensor<40x40xf32>) -> tensor<{"" if name == "reduce_sum" else "40x40x"}f32> {{
  %r = opc.{name} %x{operand}
  func.return %r : tensor<{"" if name == "reduce_sum" else "40x40x"}f32>
}}"""
    lines = opc.lower(text, cache=None).ir("schedule").splitlines()
    start = next(k for k, line in enumerate(lines) if "schedule.tree" in line)
    indent = lines[start].index("s")
    end = next(k for k, line in enumerate(lines) if k > start and line == " " * indent + "}")
    edited = "\n".join(line for k, line in enumerate(lines) if k not in (start, end))
    with pytest.raises(OpcError, match="a nest has no schedule"):
        opc.compile(edited, cache=None)


def test_operations_that_nothing_lowered_have_no_c() -> None:
    module = load(text_of("row operand")).clone()
    pipeline.run(module, context(), pipeline.passes("schedule"))
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    with pytest.raises(OpcError, match=r"kernel\.nest has no form in C"):
        emit(function, "f")


def test_extents_of_a_sweep_that_reads_nothing_are_known() -> None:
    """A constant that is added up over axes that only a call knows: no load has their extents."""
    function = opc.compile(
        """
func.func @main(%a: tensor<i64>) -> tensor<?x?xf32> {
  %c = opc.constant dense<2.0> : tensor<f32>
  %d = opc.broadcast %c -> tensor<4x900xf32>
  %r = opc.reduce_sum %d, %a {keepdims = true}
  func.return %r : tensor<?x?xf32>
}""",
        cache=None,
    )
    assert function(np.int64(0)).tolist() == [[8.0] * 900]
    assert function(np.int64(-1)).tolist() == [[1800.0]] * 4


def test_no_version_is_planned_that_is_never_taken() -> None:
    """Of five columns behind an unknown number, one block has all: many are no case."""
    module = load(
        """
func.func @main(%g: tensor<6x?x5xf32>, %one: tensor<5x1xf32>) -> tensor<5x?xf32> {
  %i = opc.reduce_sum %g {axes = [0], keepdims = false}
  %j = opc.transpose %i {permutation = [1, 0]}
  %l = opc.add %j, %one
  func.return %l : tensor<5x?xf32>
}"""
    )
    pipeline.run(module, context(), pipeline.passes("schedule"))
    text = str(module)
    assert "schedule.if" not in text and "schedule.run sweep 0 groups" in text
