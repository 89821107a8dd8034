"""How many threads a call may take.

A library that shares loops has a function that limits the threads of calls from the thread that
calls it (``emit/pool.c``).  The limit is set before a call and put back after it, so neither other
functions of the library nor other Python threads see anything of it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

# It returns at once, so it need not release the interpreter lock.
_LIMIT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int)


def usual() -> int:
    """How many threads there are by default: OMP_NUM_THREADS, or the processors of this process."""
    given = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def limited(
    library: ctypes.CDLL, prefix: str, run: Callable[..., int], threads: int
) -> Callable[..., int]:
    """``run`` of ``library`` on at most ``threads`` threads, and no more than are usual.

    It is ``run`` itself where no loop is shared.
    """
    try:
        limit = _LIMIT((f"{prefix}_threads", library))
    except AttributeError:
        return run
    most = min(threads, usual())
    if most == os.sysconf("SC_NPROCESSORS_ONLN"):
        # That is what a library takes by itself.
        return run

    def call(*arguments: Any) -> int:
        before = limit(most)
        try:
            return run(*arguments)
        finally:
            limit(before)

    return call
