"""One row: its results checked, then its systems timed in turns."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks import graph
from benchmarks.inputs import ALIGNED, MISALIGNED, Array
from benchmarks.quiet import Quiet
from benchmarks.rows import Row
from benchmarks.systems import System, Task, task
from opc.tools import turns
from opc.tools.profile.roofline import copy

TOLERANCE = {"f64": 1e-12, "f32": 2e-5, "f16": 1e-2, "bf16": 4e-2}
"""How far a result of opc may be from the exact one, relative to it and to the mean."""

_KINDS = {ALIGNED: "", MISALIGNED: ", misaligned"}
"""What the name of a call ends with, by where its arrays begin."""

LOOSER = 8
"""Peers may be that many times farther away."""


LIMIT = 1.05
"""Times the best peer's time above which a row is slow."""

MISALIGNED_LIMIT = 1.15
"""Times the time with aligned arrays above which a row is slow with misaligned ones."""


@dataclass
class Measurement:
    """What is known of one row at one number of threads; times are in seconds.

    ``size`` is in bytes, ``operations`` counts multiplications and additions.  ``absent`` says for
    each system without a time why, ``wrong`` names those among them that gave a wrong result.
    ``quiet`` and ``disturbed`` count rounds in which no other process ran, and those in which one
    did, which count only if there are hardly any quiet ones.  ``misaligned`` are times with arrays
    that begin within a cache line, if they were measured.
    """

    row: str
    dtype: str
    shape: str
    bound: str
    threads: int
    size: int
    operations: int
    copy: float = 0.0
    quiet: int = 0
    disturbed: int = 0
    times: dict[str, float] = field(default_factory=dict[str, float])
    absent: dict[str, str] = field(default_factory=dict[str, str])
    wrong: list[str] = field(default_factory=list[str])
    misaligned: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def is_disturbed(self) -> bool:
        """Whether there were hardly any rounds in which no other process ran."""
        return self.quiet < min(turns.ENOUGH, self.quiet + self.disturbed)

    @property
    def best_peer(self) -> str | None:
        """The fastest system other than opc."""
        return _best_peer(self.times)

    def ratio(self, peer: str | None) -> float | None:
        """How many times as long a peer takes as opc."""
        if peer not in self.times or "opc" not in self.times:
            return None
        return self.times[peer] / self.times["opc"]

    @property
    def misaligned_cost(self) -> float | None:
        """How many times as long opc takes with misaligned arrays as with aligned ones."""
        if "opc" not in self.misaligned or "opc" not in self.times:
            return None
        return self.misaligned["opc"] / self.times["opc"]

    @property
    def misaligned_ratio(self) -> float | None:
        """How many times as long the best peer takes as opc, both with misaligned arrays."""
        best = _best_peer(self.misaligned)
        if best is None or "opc" not in self.misaligned:
            return None
        return self.misaligned[best] / self.misaligned["opc"]

    @property
    def is_slow(self) -> bool:
        """Whether opc takes longer than the best peer by more than the limit."""
        ratio = self.ratio(self.best_peer)
        return ratio is not None and ratio * LIMIT < 1

    @staticmethod
    def ended(row: Row, threads: int, code: int) -> Measurement:
        """A row whose process ended with an exit code that is not 0."""
        reason = f"the process ended with {code}"
        absent = {"opc": reason}
        return Measurement(row.name, row.dtype, row.shape, row.bound, threads, 0, 0, absent=absent)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        return asdict(self)


def _best_peer(times: dict[str, float]) -> str | None:
    peers = {name: seconds for name, seconds in times.items() if not name.startswith("opc")}
    return min(peers, key=lambda name: peers[name]) if peers else None


def measure(
    row: Row,
    systems: Sequence[System],
    threads: int,
    rounds: int,
    *,
    fastest: bool = False,
    misaligned: bool = False,
) -> Measurement:
    """Check and time one row; the time is the median of the samples, or the ``fastest``.

    With ``misaligned``, each system is also timed with arrays of that kind, in the same turns.
    """
    starts = (ALIGNED, MISALIGNED) if misaligned else (ALIGNED,)
    jobs = [task(row, threads, start) for start in starts]
    static = graph.model(row.function, [i.static() for i in row.inputs], jobs[0].outputs)
    size, operations = jobs[0].size, graph.operations(static)
    done = Measurement(row.name, row.dtype, row.shape, row.bound, threads, size, operations)
    calls: dict[str, turns.Call] = {}
    for system in systems:
        ready: dict[str, turns.Call] = {}
        factor = 1 if system.name.startswith("opc") else LOOSER
        try:
            for job in jobs:
                call = system.prepare(job)
                job.clear()
                problem = difference(job, system.read(call()), factor)
                if problem is not None:
                    done.absent[system.name] = problem
                    done.wrong.append(system.name)
                    break
                ready[system.name + _KINDS[job.start]] = call
            else:
                calls |= ready
        except Exception as error:
            # Whatever a library raises means that it cannot do this row.
            done.absent[system.name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    quiet = Quiet()
    calls["copy"] = copy(done.size, threads)
    samples = turns.alternate(calls, rounds, threads, quiet)
    done.quiet, done.disturbed = quiet.rounds - quiet.disturbed, quiet.disturbed
    choose = min if fastest else statistics.median
    done.copy = choose(samples.pop("copy"))
    for name, values in samples.items():
        plain = name.removesuffix(_KINDS[MISALIGNED])
        (done.times if plain == name else done.misaligned)[plain] = choose(values)
    return done


def difference(job: Task, found: Sequence[Array], factor: int) -> str | None:
    """What is wrong with results, or None; ``factor`` times the tolerance is right."""
    if len(found) != len(job.expected):
        return f"{len(found)} results, expected {len(job.expected)}"
    for position, (value, expected) in enumerate(zip(found, job.expected, strict=True)):
        if value.shape != expected.shape:
            return f"result {position} has shape {value.shape}, expected {expected.shape}"
        if expected.dtype.kind == "i":
            count = int(np.count_nonzero(value != expected))
            if count:
                return f"result {position}: {count} elements differ"
            continue
        near = np.abs(expected)
        scale = np.maximum(near + near.mean(), np.finfo(np.float64).tiny)
        worst = float((np.abs(value.astype(np.float64) - expected) / scale).max())
        # Written so that NaN is wrong.
        if not worst <= TOLERANCE[job.row.dtype] * factor:
            return f"result {position}: relative error {worst:.2g}"
    return None
