"""Whether somebody else took the processors while a round was measured."""

from __future__ import annotations

import os
import time
from pathlib import Path

_STAT = Path("/proc/stat")
_IDLE = 3, 4
_SLACK = 0.02
"""Seconds that the count of the system is off, which goes in steps of a hundredth."""


class Quiet:
    """Called after each round: True if nobody else ran for long on the processors of this process.

    Without ``/proc/stat`` every round counts as quiet.
    """

    def __init__(self) -> None:
        self.rounds = -1
        self.disturbed = 0
        self._processors: set[int] = set()
        if _STAT.exists() and hasattr(os, "sched_getaffinity"):
            self._processors = os.sched_getaffinity(0)
        self._last = self._times()

    def __call__(self) -> bool:
        """Compare with the previous call; the first one only begins."""
        before, self._last = self._last, self._times()
        others, elapsed = (now - then for now, then in zip(self._last, before, strict=True))
        self.rounds += 1
        is_quiet = self.rounds == 0 or others <= _SLACK + 0.02 * elapsed
        self.disturbed += not is_quiet
        return is_quiet

    def _times(self) -> tuple[float, float]:
        """Seconds of processor time that others took since ever, and seconds of the clock."""
        if not self._processors:
            return 0.0, 0.0
        ticks = 0
        for line in _STAT.read_text(encoding="utf-8").splitlines():
            name, *fields = line.split()
            if name[:3] == "cpu" and name[3:].isdigit() and int(name[3:]) in self._processors:
                # User, nice, system, idle, waiting, interrupts (twice), stolen by other machines.
                values = [int(field) for field in fields[:8]]
                ticks += sum(values) - sum(values[k] for k in _IDLE)
        own = time.process_time()
        return ticks / os.sysconf("SC_CLK_TCK") - own, time.perf_counter()
