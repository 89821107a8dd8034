"""How many threads a call may take.

A library that shares loops has a function that limits the threads of calls from its own caller's
thread (``emit/texts/pool.c``).  The limit is set before a call and restored after it, so other
functions of the library and other Python threads are not affected.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

# It returns at once, so it need not release the interpreter lock.
_LIMIT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int)


def usual() -> int:
    """The default number of threads: OMP_NUM_THREADS, or the processors of this process."""
    stated = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if stated.isascii() and stated.isdigit() and int(stated) > 0:
        return int(stated)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def limited(
    library: ctypes.CDLL, prefix: str, run: Callable[..., int], threads: int
) -> Callable[..., int]:
    """``run`` of ``library`` on at most ``threads`` threads, and no more than :func:`usual`.

    It is ``run`` itself if no loop is shared.
    """
    try:
        limit = _LIMIT((f"{prefix}_threads", library))
    except AttributeError:
        return run
    most = min(threads, usual())
    if most == os.sysconf("SC_NPROCESSORS_ONLN"):
        return run  # which takes as many by itself

    def call(*arguments: Any) -> int:
        before = limit(most)
        try:
            return run(*arguments)
        finally:
            limit(before)

    return call
