"""How many threads a call takes, and who else notices."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import Options, load, lower
from opc.emit.texts import c_text
from opc.emit.threads import pool
from opc.errors import ArgumentError
from opc.runtime.cache import build
from opc.runtime.callable import CompiledFunction
from opc.support.target import THREADS
from tests.unit.common import ROOT
from tests.unit.common.runtime_samples import interface

pytestmark = pytest.mark.sample(12)

C_TEXT = (
    "#include <stdbool.h>\n#include <stdint.h>\n#include <string.h>\n"
    + pool()
    + """
static void nothing(const void *data, int64_t begin, int64_t end, int64_t thread)
{
    (void)data, (void)begin, (void)end, (void)thread;
}

/* the threads that would share a loop; code 1 if *fail is not 0 */
int team_run(const int64_t *fail, int64_t *y, void *w)
{
    (void)w;
    opc_share(nothing, w, 0, 2, 1, 2, OPC_FORK);
#ifdef OPC_HAS_THREADS
    *y = opc_usual_threads();
#else
    *y = 1;
#endif
    return *fail != 0;
}
"""
    + c_text("macros.limit", name="team_threads")
)

TEAM = interface("team", {"fail": (np.int64, ())}, {"y": (np.int64, ())}, checks=("it failed",))

GRAPH = """
func.func @normal(%x: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %a = opc.reduce_max %x {axes = [-1], keepdims = true}
  %b = opc.sub %x, %a
  %c = opc.exp %b
  %d = opc.reduce_sum %c {axes = [-1], keepdims = true}
  %e = opc.div %c, %d
  %f = opc.reduce_mean %e {axes = [0], keepdims = true}
  %g = opc.sub %e, %f
  func.return %g : tensor<?x512xf32>
}"""


def team_library() -> Path:
    return build(C_TEXT, threads=2, cache=None)


@pytest.fixture(scope="module")
def library() -> Path:
    """The library of ``C_TEXT``."""
    return team_library()


def team(library: Path, threads: int) -> CompiledFunction:
    """A function that returns how many threads it got."""
    return CompiledFunction(TEAM, library, threads=threads)


@pytest.fixture
def usual(library: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Four threads are usual in this test; gives the limit of the library for this thread."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    limit = ctypes.CDLL(str(library)).team_threads

    def now() -> int:
        found = limit(0)
        limit(found)
        return found

    return now


GO = np.array(0)


def test_option_is_the_upper_limit(library: Path, usual: Callable[[], int]) -> None:
    functions = {threads: team(library, threads) for threads in (1, 2, 3, 4, 9)}
    for threads in (2, 1, 9, 3, 1, 4, 2):
        found = min(threads, 4)
        out = np.array(0)
        assert functions[threads](GO) == found
        assert functions[threads](GO, out=out) == found
        assert functions[threads](0) == found
        assert functions[threads].bind(GO)() == found
        assert usual() == 0


def test_settings_are_put_back_after_a_failure(library: Path, usual: Callable[[], int]) -> None:
    function = team(library, 2)
    for call in (lambda: function(np.array(1)), lambda: function(1), function.bind(np.array(1))):
        with pytest.raises(ArgumentError, match="it failed"):
            call()
        assert usual() == 0


def test_python_threads_do_not_see_each_other(library: Path, usual: Callable[[], int]) -> None:
    start = threading.Barrier(4)

    def work(threads: int) -> None:
        function = team(library, threads)
        start.wait(timeout=60)
        for _ in range(200):
            assert function(GO) == threads
            assert usual() == 0

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work, threads) for threads in (1, 2, 3, 4)]:
            done.result()


@pytest.mark.parametrize(("variable", "found"), [("1", 1), ("2", 2), ("3", 3), ("7", 3), ("", 0)])
def test_environment(variable: str, found: int) -> None:
    program = (
        "import concurrent.futures as c\n"
        "from tests.unit.runtime.test_threads import GO, team, team_library\n"
        "f = team(team_library(), 3)\n"
        "print(f(GO), c.ThreadPoolExecutor(1).submit(f, GO).result())"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")}
    if variable:
        environment["OMP_NUM_THREADS"] = variable
    text = subprocess.check_output(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, text=True
    )
    # Without the variable there are as many threads as processors.
    expected = found or min(3, len(os.sched_getaffinity(0)))
    assert text.split() == [str(expected)] * 2


def test_library_without_threads() -> None:
    serial = CompiledFunction(TEAM, build(C_TEXT, threads=1, cache=None), threads=4)
    assert serial(GO) == 1


# Emitted code


def test_bits_do_not_depend_on_threads(usual: Callable[[], int]) -> None:
    functions = [opc.compile(GRAPH, threads=threads) for threads in (1, 2, 3, 4)]
    for n in (1, 3, 300):
        x = np.random.default_rng(n).normal(size=(n, 512)).astype(np.float32)
        expected = functions[0](x).tobytes()
        for function in functions:
            assert function(x).tobytes() == expected
            assert function.bind(x)().tobytes() == expected
    assert usual() == 0


def test_any_name_is_a_prefix() -> None:
    """What the pool calls its own functions is no function of a file."""
    x = np.ones((300, 512), np.float32)
    expected = opc.compile(GRAPH)(x)
    for prefix in ("opc", "opc_share", "pool"):
        assert opc.compile(GRAPH, threads=2, prefix=prefix)(x).tobytes() == expected.tobytes()


def test_workspaces_have_parts_for_as_many_threads_as_there_are() -> None:
    product = """func.func @f(%a: tensor<1024x768xf32>, %b: tensor<768x768xf32>)
        -> tensor<1024x768xf32> {
      %r = opc.matmul %a, %b
      return %r : tensor<1024x768xf32>
    }"""
    sizes = [
        lower(load(product), Options(threads=n)).interface.workspace for n in (2, THREADS, 4096)
    ]
    assert sizes[0] < sizes[1] == sizes[2]


def test_threads_are_really_used() -> None:
    if not Path("/proc/self/task").is_dir():
        pytest.skip("threads are counted in /proc")
    program = f"""
import os
import numpy as np, opc
x = np.ones((300, 512), np.float32)
for threads in (1, 2, 3):
    f = opc.compile('''{GRAPH}''', threads=threads)
    before = len(os.listdir("/proc/self/task"))
    f(x)
    print(len(os.listdir("/proc/self/task")) - before)
"""
    environment = {**os.environ, "OMP_NUM_THREADS": "4"}
    text = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
    # Each library has its own, which wait for its next call.
    assert text.split() == ["0", "1", "2"]


@pytest.mark.parametrize("function", ["neg", "tanh"])
@pytest.mark.parametrize("shape", ["?", "?x?", "?x7", "2000000", "3000x700", "30x100"])
def test_threads_share_sums_of_everything(shape: str, function: str) -> None:
    axes = list(range(shape.count("x") + 1))
    text = f"""
        func.func @main(%x: tensor<{shape}xf32>) -> tensor<f32> {{
          %y = opc.{function} %x
          %r = opc.reduce_sum %y {{axes = {axes}}}
          return %r : tensor<f32>
        }}"""
    found = opc.compile(text, threads=2).c_source
    assert ("opc_share(main_loop" in found) == (shape != "30x100")


DOWN = {
    "sum": "%r = opc.reduce_sum %x {axes = [0], keepdims = true}",
    "argmax": "%r = opc.argmax %x {axis = 0, keepdims = true}",
    "argmin": "%r = opc.argmin %x {axis = 0, keepdims = true, select_last_index = true}",
    "softmax": """%m = opc.reduce_max %x {axes = [0], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [0], keepdims = true}
  %r = opc.div %e, %s""",
}


@pytest.mark.parametrize("columns", [5, 100, 1024, 1100])
@pytest.mark.parametrize("name", DOWN)
def test_threads_share_rows_where_one_block_has_all_columns(name: str, columns: int) -> None:
    """Known columns or not: sums, positions, and what is kept and stored."""
    x = np.random.default_rng(0).integers(-9, 9, (9001, columns)).astype(np.float32)
    x[4000:4002, 1] = np.nan
    found = []
    for shape in (f"{x.shape[0]}x{columns}", "?x?"):
        dims = ", #opc.dims<N, M>" if "?" in shape else ""
        kind = "i64" if name.startswith("arg") else "f32"
        rows = shape.split("x")[0] if name == "softmax" else "1"
        result = f"{rows}x{shape.split('x')[1]}x{kind}"
        more = dims.replace("N", "N" if rows != "1" else "1")
        text = (
            f"func.func @main(%x: tensor<{shape}xf32{dims}>) -> tensor<{result}{more}> {{\n"
            f"  {DOWN[name]}\n  func.return %r : tensor<{result}{more}>\n}}"
        )
        for threads in (1, 3):
            f = opc.compile(text, threads=threads)
            found.append(f(x).tobytes())
            is_worth_it = columns > 5 and threads > 1 and not (kind == "i64" and "?" in shape)
            assert "opc_share(main_loop" in f.c_source or not is_worth_it
    assert len(set(found)) == 1
    if name.startswith("arg"):
        expected = np.argmax(x, 0) if name == "argmax" else len(x) - 1 - np.argmin(x[::-1], 0)
        assert np.array_equal(np.frombuffer(found[0], np.int64), expected)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("shape", ["0x70000", "3x0x70000"])
def test_there_are_no_rows(shape: str) -> None:
    axis, result = shape.count("x"), shape.rpartition("x")[0]
    text = f"""
        func.func @main(%x: tensor<{shape}xf32>) -> tensor<{result}xf32> {{
          %r = opc.reduce_sum %x {{keepdims = false, axes = [{axis}]}}
          return %r : tensor<{result}xf32>
        }}"""
    extents = [int(n) for n in shape.split("x")]
    assert opc.compile(text, threads=2)(np.zeros(extents, np.float32)).shape == (*extents[:-1],)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("shape", "other", "parts"),
    [
        ((3, 700, 300), (1, 700, 1), 10),
        ((2, 100003), (2, 1), 4),
        ((10, 4, 20000), (10, 1, 20000), 13),
        ((3, 5, 11000), (3, 1, 11000), 3),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["sum", "max"])
def test_parts_of_several_dimensions(
    shape: tuple[int, ...], other: tuple[int, ...], parts: int, kind: str
) -> None:
    """Threads share them, known or unknown, in whole blocks of the order: the bits are the same."""
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s).astype(np.float32) for s in (shape, other))

    def function(threads: int, is_known: bool) -> CompiledFunction:
        extents = [[str(n) if is_known or n == 1 else "?" for n in s] for s in (shape, other)]
        types = ["x".join([*e, "f32"]) for e in extents]
        text = f"""
        func.func @main(%x: tensor<{types[0]}>, %y: tensor<{types[1]}>) -> tensor<f32> {{
          %t = opc.tanh %x
          %m = opc.mul %t, %y
          %r = opc.reduce_{kind} %m {{axes = {list(range(len(shape)))}}}
          return %r : tensor<f32>
        }}"""
        return opc.compile(text, threads=threads, cache=None)

    found = [function(threads, True) for threads in (1, 2, 4)]
    assert all(f"&data, 0, {parts}, 1, " in f.c_source for f in found[1:])
    found += [function(threads, False) for threads in (1, 3)]
    assert "opc_share(main_loop" in found[-1].c_source
    assert len({f(x, y).tobytes() for f in found}) == 1
    values = np.tanh(x.astype(np.float64)) * y
    assert np.isclose(found[0](x, y), getattr(values, kind)(), atol=1e-5 * values.size**0.5)


def test_calls_at_once_have_their_own_workspace(usual: Callable[[], int]) -> None:
    functions = [opc.compile(GRAPH, threads=threads) for threads in (1, 2, 3)]
    assert functions[0].interface.workspace != 0
    arrays = [np.random.default_rng(k).normal(size=(100 + k, 512)) for k in range(6)]
    inputs = [array.astype(np.float32) for array in arrays]
    expected = [functions[0](x).tobytes() for x in inputs]

    def work(k: int) -> None:
        for step in range(20):
            j = (k + step) % len(inputs)
            assert functions[step % 3](inputs[j]).tobytes() == expected[j]

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work, k) for k in range(6)]:
            done.result()
