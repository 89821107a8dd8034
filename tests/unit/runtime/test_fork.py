"""A process that has shared loops forks, and its children call compiled functions."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc"
)

LIMIT = 120
"""Seconds for a whole program, far more than it takes."""

COMMON = """
import multiprocessing
import os
import signal
import threading

# A child that hangs is ended by the system: it would not leave the C code for Python.
os.register_at_fork(after_in_child=lambda: signal.alarm(60))

import numpy as np
import opc

EXP = '''
func.func @exp(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %y = opc.exp %x
  func.return %y : tensor<512x1024xf32>
}'''
SUM = '''
func.func @sum(%x: tensor<?x1024xf32>) -> tensor<?x1xf32> {
  %y = opc.reduce_sum %x {axes = [-1], keepdims = true}
  func.return %y : tensor<?x1xf32>
}'''
TWICE = '''
func.func @twice(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %y = opc.add %x, %x
  func.return %y : tensor<512x1024xf32>
}'''


def tasks():
    return len(os.listdir("/proc/self/task"))


def new_threads(call):
    before = tasks()
    result = call()
    return result, tasks() - before


def ended_well(child):
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def in_child(work):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


x = np.random.default_rng(0).normal(size=(512, 1024)).astype(np.float32)
f, g = opc.compile(EXP, threads=3), opc.compile(SUM, threads=2)
expected, count = new_threads(lambda: f(x))
assert count == 2, count
sums = g(x)
serial = opc.compile(EXP)(x)
assert expected.tobytes() == serial.tobytes()


def check():
    for _ in range(3):
        assert f(x).tobytes() == expected.tobytes()
        assert g(x).tobytes() == sums.tobytes()


def check_in_parallel():
    result, count = new_threads(lambda: f(x))
    assert count == 2, count
    check()
    bound = f.bind(x)
    assert bound().tobytes() == expected.tobytes()
"""


def run(program: str, **environment: str) -> None:
    """Run ``program`` after ``COMMON``; it has to end by itself and well."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", COMMON + program],
        env={**os.environ, "OMP_NUM_THREADS": "3", **environment},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


PROGRAMS = {
    "children, one after the other and at once": """
        for _ in range(3):
            ended_well(in_child(check_in_parallel))
            check()
        for child in [in_child(check_in_parallel) for _ in range(4)]:
            ended_well(child)
        check()
    """,
    "children of children": """
        def below(depth):
            check()
            if depth:
                ended_well(in_child(lambda: below(depth - 1)))
            check()

        below(3)
    """,
    "a function compiled in the child": """
        def compile_there():
            twice = opc.compile(TWICE, threads=2, cache=None)
            result, count = new_threads(lambda: twice(x))
            assert count == 1, count
            assert result.tobytes() == (x + x).tobytes()
            check()

        ended_well(in_child(compile_there))
    """,
    "a fork by another thread than the one that called": """
        def fork_there():
            check()
            ended_well(in_child(check))

        threads = [threading.Thread(target=fork_there) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check()
    """,
    "forks while another thread computes": """
        end = threading.Event()

        def compute():
            while not end.is_set():
                check()

        thread = threading.Thread(target=compute)
        thread.start()
        for _ in range(10):
            ended_well(in_child(check))
        end.set()
        thread.join()
    """,
    "multiprocessing": """
        fork = multiprocessing.get_context("fork")

        def row(k):
            check()
            return f(x + np.float32(k)).tobytes()

        with fork.Pool(3) as pool:
            found = pool.map(row, range(6))
        assert found == [f(x + np.float32(k)).tobytes() for k in range(6)]
        process = fork.Process(target=check_in_parallel)
        process.start()
        process.join()
        assert process.exitcode == 0
    """,
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_after_a_fork(name: str) -> None:
    run(textwrap.dedent(PROGRAMS[name]))
