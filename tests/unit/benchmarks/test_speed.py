"""Compiling and calling stay within their limits, by the best of several tries.

Times are those of the processor, which other programs on the machine change least.  The full form,
graphs of up to 2,000 operators, takes some minutes::

    OPC_SPEED=full python -m pytest tests/unit/benchmarks/test_speed.py -s
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import opc
from opc.api.driver import load, lower
from tests.unit.common import ROOT
from tests.unit.common.speed_graphs import GRAPHS, WIDE

pytestmark = pytest.mark.bench

LAYER_NORM = ROOT / "examples/layer_norm.mlir"

IS_FULL = os.environ.get("OPC_SPEED") == "full"


def processor_time() -> float:
    """The seconds that this process and its ended children have computed."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(call: Callable[[], Any]) -> float:
    """The processor time of one call, compilers that it starts included."""
    start = processor_time()
    call()
    return processor_time() - start


# Compiling


def test_ten_operators_from_nothing(tmp_path: Path) -> None:
    """Under 1 s in a new process with an empty cache, imports and C compiler included.

    Modules of Python are bytecode by then, as an installation leaves them: the first process writes
    it.  A machine may be slow for seconds: what takes longer is measured again, up to ten times.
    """
    program = f"import opc; opc.compile({str(LAYER_NORM)!r})"
    assert LAYER_NORM.read_text(encoding="utf-8").count("= opc.") == 10
    command = [sys.executable, "-c", program]
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    inherited["PYTHONPYCACHEPREFIX"] = str(tmp_path / "bytecode")
    writing = {**inherited, "OPC_CACHE_DIR": str(tmp_path / "first")}
    subprocess.check_call(command, env=writing)
    best = float("inf")
    for k in range(10):
        environment = {**inherited, "OPC_CACHE_DIR": str(tmp_path / str(k))}
        best = min(best, seconds(lambda e=environment: subprocess.check_call(command, env=e)))
        assert len(list((tmp_path / str(k)).glob("*.so"))) == 1
        if best < 1:
            break
        time.sleep(1)
    assert best < 1


def test_a_product_from_nothing(tmp_path: Path) -> None:
    """Under 0.5 s with an empty cache and gcc, once modules are imported."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    graph = """func.func @main(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>)
        -> tensor<256x256xf32> {
      %c = opc.matmul %a, %b
      return %c : tensor<256x256xf32>
    }"""

    def compiled(folder: str) -> None:
        opc.compile(graph, cache=tmp_path / folder, cc="gcc")
        assert len(list((tmp_path / folder).glob("*.so"))) == 1

    compiled("first")
    assert min(seconds(lambda k=k: compiled(str(k))) for k in range(5)) < 0.5


def test_ten_operators_from_the_cache(tmp_path: Path) -> None:
    """Under 20 ms where the library is there, and what the text is lowered to."""

    def again() -> None:
        opc.compile(LAYER_NORM, cache=tmp_path)

    again()
    assert min(seconds(again) for _ in range(20)) < 0.020


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_of_many_operators(name: str) -> None:
    """2,000 operators take under 20 s, and each doubling from 250 at most 2.3 times as long.

    The short form looks at two doublings of smaller graphs.  What seems slow is measured again.
    Of random graphs one doubling alone says little: 125 to 250 operators is 2.4 to 3.4 times as
    long, 250 to 500 1.2 to 1.6 times.
    """
    sizes = (250, 500, 1000, 2000) if IS_FULL else (125, 250, 500)
    limit = 2.3 if IS_FULL else 3.0
    taken = dict.fromkeys(sizes, float("inf"))
    for _ in range(3):
        for size in sizes:
            text = GRAPHS[name](size)
            assert text.count("= opc.") == size
            time_of_one = seconds(lambda text=text: opc.compile(text, cache=None))
            taken[size] = min(taken[size], time_of_one)
        doublings = len(sizes) - 1
        growth = (taken[sizes[-1]] / taken[sizes[0]]) ** (1 / doublings)
        if growth < limit and taken[sizes[-1]] < 20:
            break
    listed = ", ".join(f"{size}: {time_of_one:.2f} s" for size, time_of_one in taken.items())
    print(f"\n{name}: {listed}; {growth:.2f} times as long for twice as many")
    assert growth < limit
    assert taken[sizes[-1]] < (20 if IS_FULL else 8)


def calls(call: Callable[[], Any]) -> int:
    """How many functions of Python a call has called: the same on every machine, but slow."""
    total = 0

    def count(_frame: FrameType, event: str, _of: Any) -> None:
        nonlocal total
        total += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return total


@pytest.mark.parametrize("name", WIDE)
def test_lowering_takes_time_in_proportion(name: str) -> None:
    """Four times as many operators take at most five times as many calls; measured: 3.9 to 4.1.

    Where each member of a group looked at all others, it was 6.3 and 6.9.  Calls are counted, since
    times differ on a machine that others use: one such graph took 5.5 times as long or 7.1.
    """
    write, size = WIDE[name]
    # The first lowering of a process imports what it needs.
    lower(load(write(8)), cache=None)
    few, many = (
        calls(lambda count=count: lower(load(write(count)), cache=None))
        for count in (size, 4 * size)
    )
    print(f"\n{name}: {few:,} calls, {many:,} calls")
    assert many <= 5 * few


# Calling

STATIC = """
func.func @small(%x: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = opc.sub %x, %b
  func.return %y : tensor<4x8xf32>
}"""


def microseconds(call: Callable[[], Any], limit: float = float("inf")) -> float:
    """The time of one call, at best; short runs fit between the turns of other programs.

    A machine may be slow for seconds: what takes ``limit`` or longer is measured again, a second
    later, up to 10 times.
    """
    best = float("inf")
    for _ in range(10):
        best = min(best, min(timeit.repeat(call, number=200, repeat=100)) / 200 * 1e6)
        if best < limit:
            break
        time.sleep(1)
    return best


def takes_less(limit: float, call: Callable[[], Any]) -> bool:
    """Whether a call takes less than so many microseconds."""
    return microseconds(call, limit) < limit


def test_calls_on_small_arrays() -> None:
    """Measured: 1.0 to 1.5 with two inputs, 1.3 to 1.7 with ``out``; C alone takes 0.2 to 0.3."""
    f, g = opc.compile(STATIC), opc.compile(STATIC.replace("4x8", "?x?"))
    x, b, y = (np.ones((4, 8), np.float32) for _ in range(3))
    run = ctypes.CDLL(str(f.library)).small_run
    run.argtypes = [ctypes.c_void_p] * 4
    pointers = [*(a.ctypes.data for a in (x, b, y)), None]
    floor = microseconds(lambda: run(*pointers))
    assert takes_less(floor + 0.5, f.bind(x, b, out=y))
    assert takes_less(2.4, lambda: f(x, b))
    assert takes_less(2.8, lambda: f(x, b, out=y))
    assert takes_less(4, lambda: g(x, b))
    assert takes_less(4, lambda: g(x, b, out=y))
