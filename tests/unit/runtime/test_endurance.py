"""Many processes, kills, threads, forks, calls and elements at once.

The short form is a part of the suite; the full one takes some minutes and 5 GiB::

    OPC_ENDURANCE=full python -m pytest tests/unit/runtime/test_endurance.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import Function
from opc.runtime.cache import is_sealed

pytestmark = pytest.mark.long

IS_FULL = os.environ.get("OPC_ENDURANCE") == "full"

NORM = """func.func @norm(%x: tensor<?x?xf32>, %s: tensor<f32>) -> tensor<?x?xf32> {
  %e = opc.exp %x
  %c = opc.reduce_sum %e {axes = [0], keepdims = true}
  %p = opc.div %e, %c
  %m = opc.reduce_max %p {axes = [1], keepdims = true}
  %y = opc.div %p, %m
  %z = opc.mul %y, %s
  func.return %z : tensor<?x?xf32>
}"""
"""Needs a workspace, and its extents are not known; the largest of each row becomes the scale."""

COMMON = '''
import os, random, signal, sys, time
import numpy as np
import opc

def graph(k):
    return """func.func @g(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c = opc.constant dense<K.0> : tensor<f32>
      %y = opc.mul %x, %c
      func.return %y : tensor<?xf32>
    }""".replace("K", str(k))

def check(k, folder):
    f = opc.compile(graph(k), cache=folder)
    assert f(np.ones(3, np.float32)).tolist() == [k] * 3
'''


def program(text: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that has ``graph`` and ``check``."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMON + textwrap.dedent(text), *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def sound(folder: Path) -> int:
    """The number of entries, each of which must be whole."""
    entries = [p for p in folder.iterdir() if p.name.endswith((".so", ".c.json"))]
    assert all(is_sealed(entry.read_bytes()) for entry in entries)
    return len(entries)


def test_processes_on_a_cold_cache(tmp_path: Path) -> None:
    text = """
        for k in range(1, 6):
            check(k, sys.argv[1])
    """
    started = [program(text, tmp_path / "cache") for _ in range(16 if IS_FULL else 4)]
    errors = [process.communicate(timeout=600)[1] for process in started]
    assert [process.returncode for process in started] == [0] * len(started), errors
    assert sound(tmp_path / "cache") == 10
    assert not list((tmp_path / "cache").glob("tmp-*"))


def test_killed_compilations(tmp_path: Path) -> None:
    """Whatever a process was at, the next ones find whole entries or none."""
    text = """
        folder, kills, random.seed = sys.argv[1], int(sys.argv[2]), random.seed(1)
        check(1, folder)
        for k in range(kills):
            child = os.fork()
            if child == 0:
                n = 10 * k
                while True:
                    check(n := n + 1, folder)
            time.sleep(random.random() * 0.6)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for k in range(kills):
            check(10 * k + 1, folder)
            check(10 * k + 2, folder)
    """
    kills = 50 if IS_FULL else 6
    process = program(text, tmp_path / "cache", kills)
    errors = process.communicate(timeout=600)[1]
    assert process.returncode == 0, errors
    assert sound(tmp_path / "cache") >= 4 * kills


def test_forks(tmp_path: Path) -> None:
    """Children call what their parent has compiled, in one thread and in several."""
    text = """
        norm, forks = sys.argv[1], int(sys.argv[2])
        functions = [opc.compile(norm, threads=n) for n in (1, 2)]
        x = np.random.default_rng(0).normal(size=(400, 900)).astype(np.float32)
        expected = functions[0](x, 1)

        def call():
            for f in functions:
                assert (f(x, 1) == expected).all() and f(x[:7], 3).max() == 3

        for _ in range(forks):
            call()
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                call()
                os._exit(0)
            call()
            assert os.waitpid(child, 0)[1] == 0
    """
    process = program(text, NORM, 40 if IS_FULL else 8)
    errors = process.communicate(timeout=600)[1]
    assert process.returncode == 0, errors


@pytest.fixture(scope="module")
def norm() -> Function:
    return opc.compile(NORM)


def test_calls_from_threads(norm: Function) -> None:
    """Each thread has its own shapes and results; the scale says whose a result is."""
    count = 8000 if IS_FULL else 1000

    random = np.random.default_rng(0)
    shapes = [(int(random.integers(1, 9)), int(random.integers(1, 70))) for _ in range(64)]
    inputs = [random.normal(size=shape).astype(np.float32) for shape in shapes]
    expected = [norm(x, 1) for x in inputs]
    assert norm.interface.workspace is None

    def work(thread: int) -> None:
        for k in range(count):
            which, scale = (k * (2 * thread + 1)) % 64, np.float32(thread * count + k + 1)
            np.testing.assert_array_equal(norm(inputs[which], scale), expected[which] * scale)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work, thread) for thread in range(8)]:
            done.result()


def resident() -> int:
    """Bytes of memory that the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_calls_without_growth(norm: Function) -> None:
    x, out = np.ones((5, 40), np.float32), np.empty((5, 40), np.float32)
    bound = norm.bind(x, np.array(2, np.float32), out=out)

    def wrong() -> None:
        with pytest.raises(opc.OpcError):
            norm(x[0], 2)

    calls: tuple[Callable[[], object], ...] = (
        lambda: norm(x, 2),
        lambda: norm(x=x, s=2.0, out=out),
        lambda: norm(x[:, ::2], 2),
        bound,
    )
    count = 75_000 if IS_FULL else 7500

    def run(times: int) -> None:
        for call in calls:
            for _ in range(times):
                call()
        for _ in range(times // 50):
            wrong()

    run(2000)
    before = resident()
    run(count)
    # Arrays of 800 bytes that were kept would be 6 MB in the short form.
    assert resident() - before < 1 << 20


def test_more_elements_than_32_bits_count() -> None:
    """Zeros that nobody writes take no memory, so this costs time alone."""
    size = 2**31 + 8
    x = np.zeros(size, np.int8)
    x[-1] = 5
    x[-9] = 4
    text = """func.func @f(%x: tensor<?xi8>) -> (tensor<i64>, tensor<i8>) {
      %i = opc.argmax %x {axis = 0, keepdims = false}
      %m = opc.reduce_max %x {axes = [0]}
      func.return %i, %m : tensor<i64>, tensor<i8>
    }"""
    position, most = opc.compile(text)(x)
    assert (int(position), int(most)) == (size - 1, 5)
    if IS_FULL:
        text = """func.func @f(%x: tensor<?xi8>) -> tensor<?xi8> {
          %y = opc.neg %x
          func.return %y : tensor<?xi8>
        }"""
        y = opc.compile(text)(x)
        assert (y[-1], y[-9], y.any()) == (-5, -4, True)
        assert np.count_nonzero(y) == 2
