"""What loops do, counted; what they take, from logs; and what is written of both."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.api.driver import Options, source_of
from opc.emit.steps import BEGIN
from opc.frontend.mlir.reader import parse_module
from opc.tools.profile import report, roofline
from opc.tools.profile.report import Loop, loops_of, profiled, quantity, table, trace
from opc.tools.profile.roofline import SIZES, Roofline, measured
from opc.tools.profile.timing import Event, Stepped, Times, random_values, stepped, symbols_of
from opc.tools.profile.timing import measured as measured_calls
from opc.tools.profile.work import Work, outline, work_of

SCHEMAS = """\
func.func @main(%x: tensor<?x1000xf32, #opc.dims<N, 1000>>) -> tensor<?x1000xf32, #opc.dims<N, 1000>> {
  %m = opc.reduce_mean %x {axes = [-1], keepdims = true}
  %y = opc.sub %x, %m
  return %y : tensor<?x1000xf32, #opc.dims<N, 1000>>
}
"""  # noqa: E501
BODY = """\
func.func @main(%x: tensor<?x4xf32, #opc.dims<T, 4>>, %h: tensor<4xf32>) -> tensor<4xf32> {
  %l, %y = opc.scan @step <T> carry (%h) over (%x)
      : (tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>)
      -> (tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>)
  return %l : tensor<4xf32>
}
func.func private @step(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = opc.add %h, %x
  %b = opc.exp %a
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}
"""


def graph(text: str, **options: Any) -> Stepped:
    return stepped(source_of(parse_module(text), None), Options(**options))


def total(found: Stepped, **symbols: int) -> Work:
    works = [w for w in work_of(found.steps, found.function, symbols) if w is not None]
    assert len(works) == len(found.steps)
    return Work(
        sum(w.bytes_read for w in works),
        sum(w.bytes_written for w in works),
        sum(w.operations for w in works),
    )


@pytest.mark.parametrize("rows", [1, 7, 4096])
def test_work_of_rows(rows: int) -> None:
    """Each element is read from memory once, however many sweeps go over a row."""
    found = total(graph(SCHEMAS), N=rows)
    assert (found.bytes_read, found.bytes_written) == (4000 * rows, 4000 * rows)
    # An addition and a subtraction for each, and what ends a sum of lanes.
    assert 2000 * rows <= found.operations <= 2150 * rows
    assert found.bytes == 8000 * rows


@pytest.mark.parametrize("rows, columns", [(1000, 5), (100, 200), (9000, 2049)])
def test_work_of_what_a_condition_chooses(rows: int, columns: int) -> None:
    """Short rows, others, and more bytes than a cache holds: each has its loops."""
    type = "tensor<?x?xf32, #opc.dims<N, M>>"
    text = f"""\
func.func @main(%x: {type}, %b: tensor<?xf32, #opc.dims<M>>) -> {type} {{
  %y = opc.sub %x, %b
  return %y : {type}
}}
"""
    found = total(graph(text), N=rows, M=columns)
    each = 4 * rows * columns
    assert found.bytes_read == each + 4 * columns and found.operations == rows * columns
    assert each <= found.bytes_written <= each * 1.01


@pytest.mark.parametrize("m, k, n", [(64, 64, 64), (127, 100, 33), (1, 300, 200), (200, 5000, 8)])
def test_work_of_products(m: int, k: int, n: int) -> None:
    """Fused multiply-adds are two operations; what tiles compute beyond the end is done, too."""
    text = f"""\
func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c = opc.matmul %a, %b
  return %c : tensor<{m}x{n}xf32>
}}
"""
    found = total(graph(text))
    padded = -(-m // 16) * 16 * k * -(-n // 16) * 16
    assert 2 * m * k * n <= found.operations <= 2.1 * padded + 4 * m * n
    assert found.bytes_read >= 4 * (m * k + k * n) and found.bytes_written >= 4 * m * n


def test_expensive_functions_count_as_many_simple_ones() -> None:
    text = """\
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  %y = opc.exp %x
  return %y : tensor<100xf32>
}
"""
    assert total(graph(text)) == Work(400, 400, 2000)


def test_work_of_bodies_is_that_of_one_iteration() -> None:
    found = graph(BODY)
    *body, around = work_of(found.steps, found.function, {"T": 9})
    assert all(w is not None for w in body) and around == Work(0, 0, 0)
    assert sum(w.operations for w in body if w is not None) == 4 * 21
    assert work_of(found.steps, found.function, {})[0] is not None, "the body needs no symbol"


def test_what_nobody_knows_is_not_guessed() -> None:
    found = graph(SCHEMAS)
    assert set(work_of(found.steps, found.function, {})) == {None}
    (loop,) = loops_of(found, {})
    assert loop.work is None and loop.share is None
    assert loop.as_json()["bytes_read"] is None and loop.as_json()["seconds"] is None


def test_outline_is_the_nest() -> None:
    (step,) = graph(SCHEMAS.replace("?", "64").replace("N", "64")).steps
    lines = outline(step, most=3)
    assert lines[0].startswith("parallel 64") and lines[1].startswith("  ")
    assert len(lines) == 3 and lines[2].startswith("and ")


def test_times_are_those_of_a_log() -> None:
    """Three calls whose steps take 1, 2 and 3 times as long, behind others; step 1 runs twice.

    Step 2 computes an extent before the call begins.
    """
    calls = iter([1, 3, 2])
    written: list[list[int]] = []
    target: list[Any] = [None]

    def call() -> None:
        k = next(calls) if target[0] is not None else 100
        steps = [(2, 900), (BEGIN, 0), (0, 1000 * k), (1, 1500 * k), (1, 2500 * k)]
        written.extend(map(list, steps))
        if target[0] is not None:
            target[0][: len(steps)] = steps

    def log(address: int | None, room: int) -> int:
        number = len(written)
        written.clear()
        array = None
        if address is not None:
            import ctypes

            pointer = ctypes.cast(address, ctypes.POINTER(ctypes.c_int64))
            array = np.ctypeslib.as_array(pointer, (room, 2))
        target[0] = array
        return number

    times = measured_calls(call, log, 3)
    assert times.seconds == pytest.approx({0: 2e-6, 1: 3e-6}) and times.runs == {0: 1, 1: 2}
    starts = [(e.step, e.start, e.seconds) for e in times.events]
    assert np.allclose(starts, [(0, 0, 2e-6), (1, 2e-6, 1e-6), (1, 3e-6, 2e-6)], atol=1e-12)
    assert times.total == pytest.approx(5e-6)


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine be measured a few times: the most of it is in question in no test here."""
    monkeypatch.setattr(roofline, "TRIES", 2)
    monkeypatch.setattr(roofline, "PEAK_TRIES", 10)


def test_measured_loops(few_tries: None) -> None:
    found = graph(BODY)
    values = random_values(found.emitted.interface, {"T": 30})
    assert symbols_of(found.emitted.interface, values) == {"T": 30}
    loops, times, machine = profiled(found, values, 3)
    assert machine.peak > 0 and list(machine.bandwidth) == list(SIZES)
    assert [loop.runs for loop in loops] == [30] * (len(loops) - 1) + [1]
    assert all(loop.seconds is not None and loop.seconds >= 0 for loop in loops)
    assert times.total > 0 and len(times.events) == 30 * (len(loops) - 1) + 1
    text = found.emitted.source_with_header.split("\n")
    for loop, step in zip(loops, found.steps, strict=True):
        first = (*step.parts, *step.lines)[0].lstrip().split("\n")[0]
        assert text[loop.line - 1].strip() == first.strip()


def test_roofline(few_tries: None) -> None:
    machine = Roofline({1000: 1e9, 10_000: 1e8}, 1e10)
    assert machine.least(Work(500, 500, 0)) == pytest.approx(1e-6)
    assert machine.least(Work(5000, 0, 10)) == pytest.approx(5e-5)
    assert machine.least(Work(50_000, 0, 10)) == pytest.approx(5e-4), "the largest for more"
    assert machine.least(Work(10, 0, 10**6)) == pytest.approx(1e-4)
    better = machine.best(Roofline({1000: 5e8, 10_000: 5e8}, 2e10))
    assert better == Roofline({1000: 1e9, 10_000: 5e8}, 2e10)
    found = measured(1)
    assert list(found.bandwidth) == list(SIZES)
    assert all(1e8 < speed < 1e13 for speed in found.bandwidth.values())
    assert found.peak > 1e8


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_all_chains_are_computed(compiler: str, tmp_path: Path) -> None:
    """Where some were equal, a compiler would compute them once, and the peak be too high."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source = Path(roofline.__file__).with_suffix(".c")
    flags = ["-std=c99", "-O3", "-ffp-contract=off", "-S", "-o", "-"]
    done = subprocess.run(
        [compiler, *flags, str(source)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    products = re.findall(r"^\s+v?f?(?:mul|madd|mla)\w*\s", done.stdout, re.M)
    assert len(products) >= 12, done.stdout


LOOPS = [
    Loop(0, "g_run", 10, ((0, "Conv"), (1, "Relu")), 1, 3e-6, Work(1000, 500, 4000), 1.5e-6),
    Loop(1, "g_loop0", 5, tuple((k, "Add") for k in range(2, 9)), 2, 6e-6, None, None),
]


def test_table_has_the_longest_first() -> None:
    head, first, second = table(LOOPS)
    assert head.split()[:5] == ["us", "%", "bytes", "operations", "roofline"]
    assert first.split()[:6] == ["6.0", "66.7%", "-", "-", "-", "g_loop0:5"]
    assert first.endswith("Add #2, Add #3, Add #4, Add #5, ... 3 more") and " x 2 " in first
    assert second.split()[:7] == ["3.0", "33.3%", "1.5", "k", "4", "k", "50%"]
    assert table([]) == [head]
    assert [quantity(n) for n in (0, 999, 1500, 2.5e6, 1e9, 4e12)] == [
        *("0", "999", "1.5 k", "2.5 M", "1 G", "4 T")
    ]


def test_json_is_for_a_whole_call() -> None:
    one, two = (loop.as_json() for loop in LOOPS)
    assert (one["bytes_read"], one["bytes_written"], one["operations"]) == (1000, 500, 4000)
    assert one["roofline_share"] == pytest.approx(0.5) and two["roofline_share"] is None
    assert one["nodes"] == [{"node": 0, "operator": "Conv"}, {"node": 1, "operator": "Relu"}]
    twice = Loop(1, "g", 1, (), 3, 6e-6, Work(1, 2, 3), 1e-6).as_json()
    assert (twice["bytes_read"], twice["operations"]) == (3, 9)
    assert twice["roofline_share"] == pytest.approx(0.5)


def test_trace_is_what_viewers_read() -> None:
    """The format that chrome://tracing has: complete events, times in microseconds."""
    events = (Event(0, 0.0, 3e-6), Event(1, 3e-6, 2e-6), Event(1, 5e-6, 4e-6))
    text = trace("</script>", LOOPS, Times({0: 3e-6, 1: 6e-6}, {0: 1, 1: 2}, events))
    found = json.loads(text)["traceEvents"]
    named, complete = found[:2], found[2:]
    assert [e["ph"] for e in named] == ["M", "M"] and named[0]["args"]["name"] == "</script>"
    assert [(e["ph"], e["ts"], e["dur"]) for e in complete] == [
        ("X", 0.0, pytest.approx(3.0)),
        ("X", pytest.approx(3.0), pytest.approx(2.0)),
        ("X", pytest.approx(5.0), pytest.approx(4.0)),
    ]
    assert complete[0]["name"] == "Conv #0, Relu #1"
    assert complete[0]["args"] == {
        "loop": 0, "function": "g_run:10", "bytes": 1500, "operations": 4000, "roofline": 0.5,
    }  # fmt: skip
    assert complete[1]["args"]["bytes"] is None
    assert report.MOST_NODES == 4
