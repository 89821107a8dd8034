"""What the machine can do at most: bytes that it copies and operations that it does in a second."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from opc.emit.texts import c_text
from opc.emit.threads import pool
from opc.runtime import cache
from opc.runtime.threads import limited

from .work import Work

SIZES = tuple(1 << k for k in range(15, 28, 2))
"""Bytes of the copies that are measured: from what every first-level cache holds to memory."""
TRIES = 20
"""Samples of each copy.  The fastest counts, and short ones have the best chance to be alone."""
SAMPLE_BYTES = 1 << 24
"""Bytes that are copied for a sample."""
ROUNDS = 50_000
"""Of all chains, for a sample of arithmetic: some 0.2 ms."""
PEAK_TRIES = 400
"""Samples of arithmetic."""


def copy(size: int, threads: int) -> Callable[[], object]:
    """A copy that reads and writes ``size`` bytes in all, half of them each."""
    copies = _copies(size, threads)
    return lambda: copies(1)


def _copies(size: int, threads: int) -> Callable[[int], object]:
    """A copy of ``size`` bytes, read and written, done as often as it is told."""
    text = c_text(
        "copy.threads", pool=pool(), limit=c_text("macros.limit", name="opc_copy_threads")
    )
    library = ctypes.CDLL(str(cache.build(text, threads=threads)))
    run = limited(library, "opc_copy", library.opc_copies, threads)
    half = max(1, size // 2)
    source, target = np.ones(half, np.uint8), np.ones(half, np.uint8)
    arguments = (*(ctypes.c_void_p(a.ctypes.data) for a in (target, source)), ctypes.c_size_t(half))

    def call(times: int) -> object:
        run(*arguments, ctypes.c_size_t(times))
        return source, target

    return call


def peak(threads: int) -> float:
    """Multiplications and additions of f32 in a second on that many threads, by measurement.

    They are fused, where the machine has an instruction for it; else one after the other.
    """
    source = Path(__file__).with_name("roofline.c").read_text(encoding="utf-8")
    run = ctypes.CDLL(str(cache.build(source))).peak
    run.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
    run.restype = ctypes.c_double

    def rate(rounds: int) -> float:
        result = ctypes.c_float()
        start = time.perf_counter()
        operations: float = run(rounds, ctypes.addressof(result))
        return operations / (time.perf_counter() - start)

    with ThreadPoolExecutor(threads) as executor:
        return max(sum(executor.map(rate, [ROUNDS] * threads)) for _ in range(PEAK_TRIES))


@dataclass(frozen=True)
class Roofline:
    """Bytes in a second by the size of a copy, and operations in a second."""

    bandwidth: dict[int, float]
    peak: float

    def best(self, other: Roofline) -> Roofline:
        """The most of two measurements: what else runs on the machine makes them only slower."""
        bandwidth = {k: max(v, other.bandwidth[k]) for k, v in self.bandwidth.items()}
        return Roofline(bandwidth, max(self.peak, other.peak))

    def least(self, work: Work) -> float:
        """Seconds that the machine needs at least for some work.

        That is what a copy of as many bytes takes, or fused multiply-adds of f32 for as many
        operations, whichever is more.
        """
        size = next((s for s in self.bandwidth if s >= work.bytes), max(self.bandwidth))
        return max(work.bytes / self.bandwidth[size], work.operations / self.peak)


def measured(threads: int) -> Roofline:
    """Measure the machine; it takes about half a second."""
    return Roofline({size: _bandwidth(size, threads) for size in SIZES}, peak(threads))


def _bandwidth(size: int, threads: int) -> float:
    copies, times = _copies(size, threads), max(1, SAMPLE_BYTES // size)
    copies(1)
    best = 0.0
    for _ in range(TRIES):
        start = time.perf_counter()
        copies(times)
        best = max(best, times * size / (time.perf_counter() - start))
    return best
