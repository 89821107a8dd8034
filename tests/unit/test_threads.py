"""How many threads a call takes, and who else notices."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from runtime_samples import interface

import opc
from opc.errors import ArgumentError
from opc.runtime.cache import build
from opc.runtime.callable import CompiledFunction

C_TEXT = """
#include <stdint.h>

extern int omp_get_num_threads(void);

/* the threads of a parallel region; code 1 if *fail is not 0 */
int team_run(const int64_t *fail, int64_t *y, void *w)
{
    int64_t count = 0;
    (void)w;
#pragma omp parallel
#pragma omp single
    count = omp_get_num_threads();
    *y = count;
    return *fail != 0;
}
"""

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
def usual(library: Path) -> Generator[Callable[[], int]]:
    """Four threads for this test, whatever the machine; gives what OpenMP would take now."""
    loaded = ctypes.CDLL(str(library))
    before = loaded.omp_get_max_threads()
    loaded.omp_set_num_threads(4)
    yield loaded.omp_get_max_threads
    loaded.omp_set_num_threads(before)


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
        assert usual() == 4


def test_settings_are_put_back_after_a_failure(library: Path, usual: Callable[[], int]) -> None:
    function = team(library, 2)
    for call in (lambda: function(np.array(1)), lambda: function(1), function.bind(np.array(1))):
        with pytest.raises(ArgumentError, match="it failed"):
            call()
        assert usual() == 4


def test_python_threads_do_not_see_each_other(library: Path) -> None:
    loaded = ctypes.CDLL(str(library))
    start = threading.Barrier(4)

    def work(threads: int) -> None:
        loaded.omp_set_num_threads(4)
        function = team(library, threads)
        start.wait(timeout=60)
        for _ in range(200):
            assert function(GO) == threads
            assert loaded.omp_get_max_threads() == 4

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work, threads) for threads in (1, 2, 3, 4)]:
            done.result()


@pytest.mark.parametrize(("variable", "found"), [("1", 1), ("2", 2), ("3", 3), ("7", 3), ("", 0)])
def test_environment(variable: str, found: int) -> None:
    program = (
        "from test_threads import GO, team, team_library; import concurrent.futures as c\n"
        "f = team(team_library(), 3)\n"
        "print(f(GO), c.ThreadPoolExecutor(1).submit(f, GO).result())"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OMP_")}
    if variable:
        environment["OMP_NUM_THREADS"] = variable
    text = subprocess.check_output(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, env=environment, text=True
    )
    # Without the variable there are as many threads as processors.
    expected = found or min(3, len(os.sched_getaffinity(0)))
    assert text.split() == [str(expected)] * 2


def test_library_without_openmp() -> None:
    serial = CompiledFunction(
        TEAM,
        build(
            """
        #include <stdint.h>
        int team_run(const int64_t *fail, int64_t *y, void *w)
        {
            (void)w;
            *y = 1;
            return *fail != 0;
        }""",
            cache=None,
        ),
        threads=4,
    )
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
    assert usual() == 4


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
    # Those of one call wait for the next.
    assert text.split() == ["0", "1", "1"]


@pytest.mark.parametrize("function", ["neg", "tanh"])
@pytest.mark.parametrize("shape", ["?", "?x?", "?x7", "2000000", "300x300"])
def test_threads_share_sums_of_everything(shape: str, function: str) -> None:
    axes = list(range(shape.count("x") + 1))
    text = f"""
        func.func @main(%x: tensor<{shape}xf32>) -> tensor<f32> {{
          %y = opc.{function} %x
          %r = opc.reduce_sum %y {{axes = {axes}}}
          return %r : tensor<f32>
        }}"""
    found = opc.compile(text, threads=2).c_source
    # Of 90000 values it pays if functions are computed.
    assert ("omp parallel" in found) == (shape != "300x300" or function == "tanh")


@pytest.mark.parametrize(
    ("shape", "other", "parts"),
    [
        ((3, 700, 300), (1, 700, 1), (32, 32)),  # the middle one of three dimensions
        ((2, 100003), (2, 1), (13, 13)),  # the innermost one, in groups of lanes
        ((10, 4, 20000), (10, 1, 20000), (10, 10)),  # no part without rows
        ((3, 5, 11000), (3, 1, 11000), (6, 11)),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["sum", "max"])
def test_parts_of_several_dimensions(
    shape: tuple[int, ...], other: tuple[int, ...], parts: tuple[int, int], kind: str
) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s).astype(np.float32) for s in (shape, other))
    types = ["x".join(map(str, (*s, "f32"))) for s in (shape, other)]
    text = f"""
        func.func @main(%x: tensor<{types[0]}>, %y: tensor<{types[1]}>) -> tensor<f32> {{
          %t = opc.tanh %x
          %m = opc.mul %t, %y
          %r = opc.reduce_{kind} %m {{axes = {list(range(len(shape)))}}}
          return %r : tensor<f32>
        }}"""
    found = [opc.compile(text, threads=n, cache=None) for n in (1, 2, 3)]
    results = {f(x, y).tobytes() for f in found}
    values = np.tanh(x.astype(np.float64)) * y
    assert len(results) == 1
    assert f"opc_share_of(0, {parts[kind == 'max']}, 1)" in found[0].c_source
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
