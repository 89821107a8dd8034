"""Nests that are no contractions have the same bits for every legal schedule."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc
from opc.api.driver import load
from opc.dialects import kernel
from opc.dialects.registry import context
from opc.dialects.schedule import (
    ForOp,
    RunOp,
    TreeOp,
)
from opc.emit.source import emit
from opc.errors import OpcError
from opc.passes import pipeline, stages
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from tests.unit.common.drawn_schedules import legal_trees

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


@pytest.mark.sample(16)
@pytest.mark.parametrize("seed", range(3))
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
        for seed in range(3):
            for tree in legal_trees(planned(text_of(name))[1], Random(f"{name} {seed}"), 3):
                found |= {op.name for op in tree.walk()}
                rows = (o for o in tree.walk() if isinstance(o, ForOp) and o.next_op is not None)
                found |= {"rows" for _ in rows}
                loops = [o for o in tree.walk() if isinstance(o, ForOp)]
                found |= {o.kind.data for o in loops}
                found |= {o.stage.data for o in tree.walk() if isinstance(o, RunOp)}
    wanted = {"coalesce", "transpose", "non_temporal", "pack_rows", "pipeline", "for", "run"}
    words = {"rows", "lanes", "unroll", "value", "step", "locate", "finish"}
    assert words | {f"schedule.{name}" for name in wanted} <= found


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
            ("unroll pad <8, 16>", "unroll"), ("pad <8, 16>", "pad <6, 11, 40>"),
        ],
    ),
    "norms": (
        "%m = opc.reduce_mean %x {axes = [1], keepdims = true}\n%d = opc.sub %x, %m\n"
        "%q = opc.mul %d, %d\n%v = opc.reduce_mean %q {axes = [1], keepdims = true}\n"
        "%s = opc.sqrt %v\n%r = opc.div %d, %s", MATRIX,
        [
            ("atleast(N, 129)", "atleast(N, 1000)"), ("by 16 parallel", "by 7 serial"),
            ("by 128 unroll", "by 256 unroll"),
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
    assert "schedule.if" not in text and "schedule.run step 0" in text


@pytest.mark.parametrize(
    ("shape", "axis", "is_staged"),
    [
        ((64, 1024, 196), 1, True),
        ((64, 1024, 64), 1, True),
        # Few columns, a group that fills the cache, a cache that holds all, and rows far apart.
        ((64, 1024, 56), 1, False),
        ((64, 1024, 512), 1, False),
        ((4, 1024, 196), 1, False),
        ((512, 128, 196), 0, False),
    ],
)
def test_rows_come_from_memory_one_after_the_other(
    shape: tuple[int, int, int], axis: int, is_staged: bool
) -> None:
    """Eight rows were read in turns, in twice the time."""
    x, y = ("x".join(str(n) for k, n in enumerate(shape) if k != left) for left in (None, axis))
    text = f"""
func.func @main(%x: tensor<{x}xf32>) -> tensor<{y}xf32> {{
  %y = opc.reduce_mean %x {{axes = [{axis}]}}
  func.return %y : tensor<{y}xf32>
}}"""
    planned = opc.lower(text, target="avx512", cache=None).ir("schedule")
    assert ("schedule.run value 0" in planned) == is_staged
