"""``python -m benchmarks.beside``: two threads beside a process that keeps a processor busy.

Prints for a few graphs the mean, median and 95th percentile of a call in microseconds, on one
thread and on two, with nothing else running and beside the busy process, and the ratio of means.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import opc
from opc.runtime.callable import BoundCall

PAUSE = 0.5e-3
"""Seconds between two calls: a server does not call without end."""

GRAPHS = {
    "exp 512x1024": """
func.func @exp(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %y = opc.exp %x
  func.return %y : tensor<512x1024xf32>
}""",
    "softmax 1024x1024": """
func.func @softmax(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %m = opc.reduce_max %x {axes = [-1], keepdims = true}
  %a = opc.sub %x, %m
  %e = opc.exp %a
  %s = opc.reduce_sum %e {axes = [-1], keepdims = true}
  %y = opc.div %e, %s
  func.return %y : tensor<1024x1024xf32>
}""",
    "matmul 384x384": """
func.func @matmul(%x: tensor<384x384xf32>) -> tensor<384x384xf32> {
  %y = opc.matmul %x, %x
  func.return %y : tensor<384x384xf32>
}""",
}


def bound(text: str, threads: int) -> BoundCall:
    """A graph over one random square of its shape."""
    function = opc.compile(text, threads=threads)
    shape = tuple(int(e) for e in function.inputs[0].shape)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    call = function.bind(x)
    call()
    return call


def times(calls: dict[int, BoundCall], rounds: int) -> dict[int, list[float]]:
    """Microseconds of each call, by the number of threads; the calls take turns."""
    found: dict[int, list[float]] = {threads: [] for threads in calls}
    for _ in range(rounds):
        for threads, call in calls.items():
            time.sleep(PAUSE)
            start = time.perf_counter()
            call()
            found[threads].append((time.perf_counter() - start) * 1e6)
    return found


def measure(title: str, rounds: int, say: Callable[[str], None]) -> None:
    """All graphs, under one title."""
    for name, text in GRAPHS.items():
        found = times({threads: bound(text, threads) for threads in (1, 2)}, rounds)
        one, two = (np.array(found[threads]) for threads in (1, 2))
        shown = "; ".join(
            f"{threads}: mean {t.mean():.0f}, median {np.median(t):.0f}, "
            f"95 % {np.quantile(t, 0.95):.0f}"
            for threads, t in ((1, one), (2, two))
        )
        say(f"{title}, {name}: {shown}; ratio of means {two.mean() / one.mean():.2f}")


def main() -> None:
    """Measure alone, then beside a busy process."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="calls of each; default: 1000")
    rounds = parser.parse_args().rounds
    measure("alone", rounds, print)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(0.5)
        measure("beside a busy process", rounds, print)
    finally:
        busy.kill()


if __name__ == "__main__":
    main()
