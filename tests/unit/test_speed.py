"""Compiling and calling stay within their limits, by the best of several tries."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import timeit
from pathlib import Path

import numpy as np

import opc

LAYER_NORM = Path(__file__).parents[2] / "examples/layer_norm.mlir"


def test_ten_operators_before_the_c_compiler() -> None:
    """Under 0.6 s in a new process, imports included; the example has ten operators."""
    program = (
        "import time; start = time.perf_counter()\n"
        "from opc.driver import load, lower\n"
        f"lower(load({str(LAYER_NORM)!r}))\n"
        "print(time.perf_counter() - start)"
    )
    assert LAYER_NORM.read_text(encoding="utf-8").count("= opc.") == 10
    runs = [subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(3)]
    assert min(map(float, runs)) < 0.6


def test_call_on_small_arrays() -> None:
    """Under 5 microseconds over the C function."""
    f = opc.compile("""
        func.func @small(%x: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
          %y = opc.sub %x, %b
          func.return %y : tensor<4xf32>
        }""")
    x, b, y = (np.ones(4, np.float32) for _ in range(3))
    run = ctypes.CDLL(str(f.library)).small_run
    run.argtypes = [ctypes.c_void_p] * 4
    pointers = [*(a.ctypes.data for a in (x, b, y)), None]
    plain = min(timeit.repeat(lambda: run(*pointers), number=5000, repeat=7)) / 5000
    called = min(timeit.repeat(lambda: f(x, b), number=5000, repeat=7)) / 5000
    assert called - plain < 5e-6
