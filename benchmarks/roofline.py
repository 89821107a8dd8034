"""The most arithmetic that the machine does in a second; the copy is in ``opc.tools.bench``."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

from opc.runtime import cache


def peak(threads: int) -> float:
    """Multiplications and additions of f32 in a second on that many threads, by measurement."""
    source = Path(__file__).with_name("roofline.c").read_text(encoding="utf-8")
    run = ctypes.CDLL(str(cache.build(source, threads=threads))).peak
    run.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
    run.restype = ctypes.c_double
    result = ctypes.c_float()
    rounds = 1_000_000
    best = 0.0
    for _ in range(40):
        start = time.perf_counter()
        operations = run(rounds, ctypes.addressof(result))
        best = max(best, operations * threads / (time.perf_counter() - start))
    return best
