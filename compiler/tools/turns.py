"""Times calls in turns, so that other load of the machine affects all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping

Call = Callable[[], object]

SAMPLE = 0.002
"""Seconds that a sample takes at least: far above the resolution of the clock."""

PAUSE = 0.01
"""Seconds of a pause, in which no thread of the process may compute for more than a tenth."""

LONGEST = 1.0
"""Seconds of pauses after which it is taken that threads never stop."""

WARM = 0.02
"""Seconds of calls that do not count after a pause.

A processor that slept is slow to come back: on a virtual machine of two processors, calls in the
first 10 ms took up to 1.7 times as long with two threads in the median, after 20 ms no longer.
"""

SLOW = 0.25
"""Seconds for one call above which it takes part in few rounds."""

ENOUGH = 3
"""The fewest rounds that are enough."""


def alternate(
    calls: Mapping[str, Call],
    rounds: int,
    threads: int = 1,
    is_quiet: Callable[[], bool] = lambda: True,
) -> dict[str, list[float]]:
    """Seconds for a call of each, measured in turns: one sample of each in every round.

    A sample is as many calls as take :data:`SAMPLE`.  Every other round goes backwards, and each
    pair of rounds begins with another.  Before each sample there are calls that do not count, so
    that nobody starts from the state in which another left the caches.  Above one thread there are
    pauses as well: workers of a library wait actively for some milliseconds after a call, those of
    onnxruntime for 50, and would take a processor from the next.  The calls that do not count are
    more after that, since processors sleep meanwhile.

    ``is_quiet`` is asked before the first round and after each one whether nothing disturbed it.
    Rounds that were disturbed are made again, until there are twice as many in all; they count
    only if there are hardly any others.
    """
    numbers: dict[str, int] = {}
    for name, call in calls.items():
        call()
        number = 1
        # The faster of two: an interrupted call would seem slow.
        while (seconds := min(_sample(call, number) for _ in range(2))) < SAMPLE:
            number = max(2 * number, min(16 * number, int(number * SAMPLE / max(seconds, 1e-9))))
        numbers[name] = number
    quiet: dict[str, list[float]] = {name: [] for name in calls}
    disturbed: dict[str, list[float]] = {name: [] for name in calls}
    is_quiet()
    for turn in range(2 * rounds):
        start = turn // 2 % len(calls)
        names = list(calls)[start:] + list(calls)[:start]
        names = names[::-1] if turn % 2 else names
        round_times: dict[str, float] = {}
        for name in names:
            known = quiet[name] + disturbed[name]
            if len(known) >= ENOUGH and min(known) > SLOW:
                continue
            if threads > 1:
                _rest()
            ready = time.perf_counter() + (WARM if threads > 1 else 0.0)
            _sample(calls[name], max(1, numbers[name] // 4))
            while time.perf_counter() < ready:
                _sample(calls[name], max(1, numbers[name] // 4))
            round_times[name] = _sample(calls[name], numbers[name]) / numbers[name]
        samples = quiet if is_quiet() else disturbed
        for name, seconds in round_times.items():
            samples[name].append(seconds)
        if max(map(len, quiet.values())) == rounds:
            break
    enough = min(ENOUGH, rounds)
    return {
        name: times if len(times) >= enough else times + disturbed[name]
        for name, times in quiet.items()
    }


def _rest() -> None:
    """Wait until no thread of this process computes."""
    end = time.perf_counter() + LONGEST
    while time.perf_counter() < end:
        start, used = time.perf_counter(), time.process_time()
        time.sleep(PAUSE)
        if time.process_time() - used < 0.1 * (time.perf_counter() - start):
            return


def _sample(call: Call, number: int) -> float:
    was = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(number):
            call()
        return time.perf_counter() - start
    finally:
        if was:
            gc.enable()
