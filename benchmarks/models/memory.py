"""How much memory the processes have that a process starts, as the C compiler is."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

INTERVAL = 0.02
"""Seconds between two looks."""


class Descendants:
    """While it is entered, looks at the processes below one; ``peak`` is their most bytes at once.

    What the system counts for children is no measure: it is at least what the parent had when it
    started them.  Without ``/proc`` the peak is 0.
    """

    def __init__(self, process: int) -> None:
        self.peak = 0
        self._process = process
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Descendants:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(INTERVAL):
            self.peak = max(self.peak, sum(map(_resident, _below(self._process))))


def _below(process: int) -> list[int]:
    try:
        tasks = [*Path(f"/proc/{process}/task").iterdir()]
        names = [name for task in tasks for name in (task / "children").read_text().split()]
    except OSError:
        return []
    return [below for name in names for below in (int(name), *_below(int(name)))]


def _resident(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:"))
