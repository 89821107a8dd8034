"""The steps of a C file: all loops, in order; an instrumented file says when each ends."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from opc.api.driver import Options, source_of
from opc.dialects import loop
from opc.dialects.registry import context
from opc.emit.indices import data_line
from opc.emit.source import emit, emit_steps
from opc.emit.steps import BEGIN, POSIX, STEP, Step, line_numbers
from opc.emit.texts import c_text, macro
from opc.frontend.mlir.reader import parse_module
from opc.passes import pipeline
from opc.runtime import cache
from opc.runtime.callable import CompiledFunction
from opc.tools.profile.timing import random_values, stepped
from tests.unit.common import ROOT
from tests.unit.common.emission_corpus import GRAPHS

pytestmark = pytest.mark.sample(32)

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in EXAMPLES}


def lowered(text: str) -> FuncOp:
    module = source_of(parse_module(text), None)
    pipeline.run(module, context(), pipeline.passes("loops"))
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


@pytest.mark.parametrize("name", [*TEXTS, *list(GRAPHS)[::8]])
def test_steps_are_all_loops_in_order(name: str) -> None:
    function = lowered(TEXTS.get(name) or GRAPHS[name])
    emitted, steps = emit_steps(function, "graph", threads=2)
    assert emitted.source == emit(function, "graph", threads=2).source
    assert [step.number for step in steps] == list(range(len(steps)))
    held = {id(op) for step in steps for op in step.ops}
    functions = {step.ops[0].parent_op() for step in steps}
    for around in functions:
        assert isinstance(around, FuncOp)
        loops = [op for op in around.body.block.ops if isinstance(op, loop.ForOp)]
        assert all(id(op) in held for op in loops)
    lines = emitted.source.split("\n")
    found = line_numbers(emitted.source, steps)
    used = [number for numbers in found for number in numbers]
    assert len(used) == len(set(used)), "a line is of two steps"
    for step, numbers in zip(steps, found, strict=True):
        own = "\n".join(lines[number] for number in numbers)
        assert own.count("{") == own.count("}")
        if step.part:
            assert f"static void {step.part}(" in own and own.count(f"{step.part}(") >= 2
    # Behind the helpers, every loop of the C is in a step.
    start = next(k for k, line in enumerate(lines) if line.startswith('extern "C"'))
    loops = {k for k, line in enumerate(lines) if line.lstrip().startswith("for (") and k > start}
    assert loops <= set(used) and bool(loops) == bool(steps)


@pytest.mark.parametrize("compiler", ["gcc -std=c99", "clang -std=c99", "g++ -std=c++17"])
def test_timed_c_compiles_cleanly(compiler: str, tmp_path: Path) -> None:
    command = compiler.split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    for name, text in TEXTS.items():
        emitted, _ = emit_steps(lowered(text), "graph", 2, is_timed=True)
        suffix = ".cc" if "++" in compiler else ".c"
        (tmp_path / f"{name}{suffix}").write_text(emitted.source, encoding="utf-8")
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-pthread", "-c"]
        done = subprocess.run(
            [*command, *strict, f"{name}{suffix}"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


def test_only_timed_c_and_threads_read_clocks() -> None:
    texts = macro(STEP) + c_text("macros.log", name="graph_log")
    for text in TEXTS.values():
        function = lowered(text)
        plain, _ = emit_steps(function, "graph")
        assert "opc_step" not in plain.source
        assert ("clock_gettime" in plain.source) == ("opc_share(" in plain.source)
        timed, steps = emit_steps(function, "graph", is_timed=True)
        assert timed.source.count("opc_step(") == 2 + len(steps)
        assert timed.header == plain.header
        before, after = (Counter(e.source.split("\n")) for e in (plain, timed))
        assert not before - after, "every line of the usual file is there"
        new = {line for line in after - before if line not in texts.split("\n")}
        assert all("opc_step" in x or x in POSIX or "graph_log" in x for x in new)


def logged(text: str, values: list[Any], room: int) -> tuple[list[list[int]], int, int]:
    """The log of a call with so much room, how much it needed, and how many steps there are."""
    function = lowered(text)
    emitted, steps = emit_steps(function, "graph", is_timed=True)
    library = cache.build(emitted.source)
    call = CompiledFunction(emitted.interface, library, emitted.weights).bind(*values)
    log: Any = ctypes.CDLL(str(library)).graph_log
    log.argtypes, log.restype = [ctypes.c_void_p, ctypes.c_int64], ctypes.c_int64
    pairs = np.full((room + 1, 2), -9, np.int64)
    assert log(pairs.ctypes.data, room) == 0
    call()
    needed = log(None, 0)
    call()
    assert log(None, 5) == needed, "without an array, steps are counted only"
    assert pairs[min(needed, room) :].tolist() == [[-9, -9]] * (room + 1 - min(needed, room))
    return pairs[: min(needed, room)].tolist(), needed, len(steps)


def test_log_of_a_call() -> None:
    text = TEXTS["layer_norm"]
    graph = stepped(source_of(parse_module(text), None), Options())
    values = random_values(graph.emitted.interface, {})
    pairs, needed, count = logged(text, values, 100)
    assert [step for step, _ in pairs] == [BEGIN, *range(count)] and needed == 1 + count
    times = [time for _, time in pairs]
    assert times == sorted(times) and times[0] > 0
    cut, needed, _ = logged(text, values, 1)
    assert [step for step, _ in cut] == [BEGIN] and needed == 1 + count


def test_log_of_a_body() -> None:
    """Steps of a body are there once for each time that it runs."""
    rng = np.random.default_rng(0)
    shapes = (7, 2, 8), (2, 16), (8, 16), (16, 16)
    values = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    pairs, needed, count = logged(TEXTS["rnn"], values, 1000)
    assert needed == len(pairs) == 1 + 7 * (count - 1) + 1
    assert pairs[-1][0] == count - 1, "the loop itself ends last"


def test_definitions_stand_where_data_extents_are_known() -> None:
    """What a suppression finds made the lines of its step others than those in the file."""
    lines = ("  first();", f"  {data_line(0)}", "  second();")
    step = Step(0, (), (), "graph_run", lines, (), "")
    source = "int graph_run(\n    void) {\n  first();\n  const int64_t e0 = 1;\n  second();\n}\n"
    assert line_numbers(source, [step]) == [[2, 4]]
