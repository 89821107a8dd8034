"""The work and the time of each loop as rows, a table, JSON, and a trace for a viewer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from opc.emit.steps import line_numbers

from . import roofline
from .roofline import Roofline
from .timing import Stepped, Times, symbols_of
from .work import Work, work_of

MOST_NODES = 4
"""Nodes that a line of the table names."""


@dataclass(frozen=True)
class Loop:
    """One outermost loop of the C, in a call."""

    number: int
    function: str
    """The C function that it is, or that it is in."""
    line: int
    """Its first line in the file that ``opc compile`` writes, from 1."""
    nodes: tuple[tuple[int, str], ...]
    """The ordinal and the operator of each source node that it came from."""
    runs: int | None = None
    """How often it runs in a call: more than once in a body of control flow."""
    seconds: float | None = None
    """Seconds of all runs; None where they were not measured."""
    work: Work | None = None
    """Work of one run; None where it depends on data."""
    least: float | None = None
    """The least seconds that the machine needs for one run."""

    @property
    def share(self) -> float | None:
        """The least time for all runs as a part of what they take."""
        if self.least is None or not self.seconds:
            return None
        return self.least * (self.runs or 1) / self.seconds

    @property
    def origin(self) -> str:
        """The nodes as text: ``Conv #0, Relu #1``."""
        words = [f"{kind} #{ordinal}" for ordinal, kind in self.nodes]
        more = f", ... {len(words) - MOST_NODES} more" if len(words) > MOST_NODES else ""
        return ", ".join(words[:MOST_NODES]) + more

    def cells(self, total: float, times: str) -> dict[str, str]:
        """What tables show: its part of a ``total`` of seconds, work of all runs, and place."""
        runs, work, seconds = self.runs or 1, self.work, self.seconds or 0.0
        return {
            "part": f"{seconds / total if total else 0.0:.1%}",
            "bytes": "-" if work is None else quantity(work.bytes * runs),
            "operations": "-" if work is None else quantity(work.operations * runs),
            "share": "-" if self.share is None else f"{self.share:.0%}",
            "place": f"{self.function}:{self.line}" + (f" {times} {runs}" if runs > 1 else ""),
        }

    def as_json(self) -> dict[str, Any]:
        """The row for a file; what is not known is null."""
        work, runs = self.work, self.runs or 1
        return {
            "loop": self.number,
            "function": self.function,
            "line": self.line,
            "nodes": [{"node": ordinal, "operator": kind} for ordinal, kind in self.nodes],
            "runs": self.runs,
            "seconds": self.seconds,
            "bytes_read": None if work is None else work.bytes_read * runs,
            "bytes_written": None if work is None else work.bytes_written * runs,
            "operations": None if work is None else work.operations * runs,
            "roofline_seconds": None if self.least is None else self.least * runs,
            "roofline_share": self.share,
        }


def loops_of(
    graph: Stepped,
    extents: dict[str, int],
    times: Times | None = None,
    machine: Roofline | None = None,
) -> list[Loop]:
    """The loops of a graph in the order in which the C has them.

    ``extents`` are the values of symbols.  Without times and machine, loops have none.
    """
    loops: list[Loop] = []
    lines = line_numbers(graph.emitted.source_with_header, graph.steps)
    every = zip(graph.steps, work_of(graph.steps, graph.function, extents), lines, strict=True)
    for step, work, numbers in every:
        seconds = runs = None
        if times is not None:
            seconds, runs = times.seconds.get(step.number, 0.0), times.runs.get(step.number, 0)
        least = None if work is None or machine is None else machine.least(work)
        name = step.part or step.function
        first = 1 + min(numbers, default=0)
        loops.append(Loop(step.number, name, first, step.nodes, runs, seconds, work, least))
    return loops


def profiled(graph: Stepped, values: list[Any], rounds: int) -> tuple[list[Loop], Times, Roofline]:
    """Measure a graph over some inputs, and before and after it the limits of the machine."""
    threads = graph.options.threads
    before = roofline.measured(threads)
    times = graph.timed(values, rounds)
    machine = before.best(roofline.measured(threads))
    extents = symbols_of(graph.emitted.interface, values)
    return loops_of(graph, extents, times, machine), times, machine


def table(loops: Sequence[Loop]) -> list[str]:
    """The lines of a table, those of the longest times first."""
    total = sum(loop.seconds or 0.0 for loop in loops)
    head = f"{'us':>10} {'%':>5} {'bytes':>9} {'operations':>11} {'roofline':>9}"
    lines = [f"{head}  C function                     nodes"]
    for loop in sorted(loops, key=lambda loop: -(loop.seconds or 0.0)):
        part, size, number, share, place = loop.cells(total, "x").values()
        lines.append(
            f"{(loop.seconds or 0.0) * 1e6:10.1f} {part:>5} {size:>9} {number:>11} {share:>9}  "
            f"{place:<30} {loop.origin}".rstrip()
        )
    return lines


def quantity(number: float) -> str:
    """A number to three digits with a letter for thousands: ``1.18 M``."""
    for letter, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{number / scale:.3g} {letter}"
    return f"{number:.3g}"


def trace(graph: str, loops: Sequence[Loop], times: Times) -> str:
    """One call as Chrome's and Perfetto's trace viewers read it, times in microseconds."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": graph}},
        {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "loops"}},
    ]
    for event in times.events:
        loop = loops[event.step]
        work = loop.work
        events.append({
            "ph": "X",
            "pid": 1,
            "tid": 1,
            "cat": "loop",
            "name": loop.origin or loop.function,
            "ts": event.start * 1e6,
            "dur": event.seconds * 1e6,
            "args": {
                "loop": loop.number,
                "function": f"{loop.function}:{loop.line}",
                "bytes": None if work is None else work.bytes,
                "operations": None if work is None else work.operations,
                "roofline": None
                if loop.least is None or not event.seconds
                else loop.least / event.seconds,
            },
        })  # fmt: skip
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"})
