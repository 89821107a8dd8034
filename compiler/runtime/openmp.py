"""OpenMP around a call: how many threads it may take, and forks of the process.

The limit of a function is set before a call and put back after it.  OpenMP keeps the number of
threads for each thread that starts parallel work, so neither other functions, nor other libraries
that use the same OpenMP, nor other Python threads see anything of it.

GNU's OpenMP keeps the threads of a finished parallel loop waiting for the next one.  A fork copies
what it knows about them, but not the threads, and the child would wait for them forever.  So before
a fork the threads of the one that forks are ended, in the way that OpenMP 5 has for that.  Parent
and child start new ones when they need them.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

_PAUSE_SOFT = 1
"""``omp_pause_soft``: end the threads, keep the settings."""

# Both return at once, so they need not release the interpreter lock.
_MOST = ctypes.PYFUNCTYPE(ctypes.c_int)
_LIMIT = ctypes.PYFUNCTYPE(None, ctypes.c_int)

_pauses: dict[int, Callable[[int], int]] = {}
"""``omp_pause_resource_all`` of each OpenMP that is loaded, by its address."""


def limited(library: ctypes.CDLL, run: Callable[..., int], threads: int) -> Callable[..., int]:
    """``run`` of ``library`` on at most ``threads`` threads, and no more than OpenMP would take.

    It is ``run`` itself where the library was built without OpenMP.
    """
    try:
        most = _MOST(("omp_get_max_threads", library))
        limit = _LIMIT(("omp_set_num_threads", library))
    except AttributeError:
        return run
    _end_threads_before_fork(library)

    def call(*arguments: Any) -> int:
        usual = most()
        if usual <= threads:
            return run(*arguments)
        try:
            limit(threads)
            return run(*arguments)
        finally:
            limit(usual)

    return call


def _end_threads_before_fork(library: ctypes.CDLL) -> None:
    try:
        pause = library.omp_pause_resource_all
    except AttributeError:
        # Before OpenMP 5 there is no way.
        return
    pause.argtypes = (ctypes.c_int,)
    address = ctypes.cast(pause, ctypes.c_void_p).value
    assert address is not None
    if not _pauses:
        os.register_at_fork(before=_pause_all)
    _pauses.setdefault(address, pause)


def _pause_all() -> None:
    for pause in list(_pauses.values()):
        pause(_PAUSE_SOFT)
