"""One row: its results checked, then its systems timed in turns."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks import graph
from benchmarks.inputs import Array
from benchmarks.quiet import Quiet
from benchmarks.rows import Row
from benchmarks.systems import System, Task, task
from opc.tools import bench
from opc.tools.profile.roofline import copy

TOLERANCE = {"f64": 1e-12, "f32": 2e-5, "f16": 1e-2, "bf16": 4e-2}
"""How far a result of opc may be from the exact one, relative to it and to the mean."""

LOOSER = 8
"""Peers may be that many times farther away."""


LIMIT = 1.05
"""Times the best peer's time above which a row is slow."""


@dataclass
class Measurement:
    """What is known of one row at one number of threads; times are in seconds.

    ``size`` is in bytes, ``operations`` counts multiplications and additions.  ``absent`` says for
    each system without a time why, ``wrong`` names those among them that gave a wrong result.
    ``quiet`` and ``disturbed`` count rounds in which no other process ran, and those in which one
    did, which count only if there are hardly any quiet ones.
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

    @property
    def is_disturbed(self) -> bool:
        """Whether there were hardly any rounds in which no other process ran."""
        return self.quiet < min(bench.ENOUGH, self.quiet + self.disturbed)

    @property
    def best_peer(self) -> str | None:
        """The fastest system other than opc."""
        peers = {
            name: seconds for name, seconds in self.times.items() if not name.startswith("opc")
        }
        return min(peers, key=lambda name: peers[name]) if peers else None

    def ratio(self, peer: str | None) -> float | None:
        """How many times as long a peer takes as opc."""
        if peer not in self.times or "opc" not in self.times:
            return None
        return self.times[peer] / self.times["opc"]

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


def measure(
    row: Row, systems: Sequence[System], threads: int, rounds: int, *, fastest: bool = False
) -> Measurement:
    """Check and time one row; the time is the median of the samples, or the ``fastest``."""
    job = task(row, threads)
    static = graph.model(row.function, [i.static() for i in row.inputs], job.outputs)
    done = Measurement(
        row.name, row.dtype, row.shape, row.bound, threads, job.size, graph.operations(static)
    )
    calls: dict[str, bench.Call] = {}
    for system in systems:
        try:
            call = system.prepare(job)
            job.clear()
            found = system.read(call())
        except Exception as error:
            # Whatever a library raises means that it cannot do this row.
            done.absent[system.name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            continue
        factor = 1 if system.name.startswith("opc") else LOOSER
        problem = difference(job, found, factor)
        if problem is None:
            calls[system.name] = call
        else:
            done.absent[system.name] = problem
            done.wrong.append(system.name)
    quiet = Quiet()
    calls["copy"] = copy(job.size, threads)
    samples = bench.alternate(calls, rounds, threads, quiet)
    done.quiet, done.disturbed = quiet.rounds - quiet.disturbed, quiet.disturbed
    choose = min if fastest else statistics.median
    done.copy = choose(samples.pop("copy"))
    done.times = {name: choose(values) for name, values in samples.items()}
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
