"""How long each step of a compiled graph takes: the same C, with a clock read behind each."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.api.driver import prefix_of
from opc.api.options import Options
from opc.dialects.registry import context
from opc.emit.source import Emitted, emit_steps
from opc.emit.steps import BEGIN, Step
from opc.passes import pipeline
from opc.runtime.callable import CompiledFunction
from opc.support.interface import Interface
from opc.tools.arrays import random_inputs
from opc.tools.turns import WARM

SECONDS = 5.0
"""Seconds after which measuring ends, if there were enough rounds."""
ENOUGH = 3
"""Rounds that are enough."""


@dataclass(frozen=True)
class Event:
    """A step that ran: when it began, and for how long, both in seconds."""

    step: int
    start: float
    seconds: float


@dataclass(frozen=True)
class Times:
    """Of each step the median time of a call, and how often it ran in one; and one call."""

    seconds: dict[int, float]
    runs: dict[int, int]
    events: tuple[Event, ...]
    """Those of the call that took the median time."""

    @property
    def total(self) -> float:
        """The sum over all steps."""
        return sum(self.seconds.values())


@dataclass(frozen=True)
class Stepped:
    """A graph in loops, as C, and in steps."""

    function: FuncOp
    emitted: Emitted
    steps: list[Step]
    options: Options
    prefix: str

    def timed(self, values: list[Any], rounds: int) -> Times:
        """Measure calls over some inputs."""
        threads = self.options.threads
        emitted, _ = emit_steps(self.function, self.prefix, threads, is_timed=True)
        library = self.options.build(emitted.source, emitted.units)
        compiled = CompiledFunction(emitted.interface, library, emitted.weights, threads)
        log: Any = ctypes.CDLL(str(library))[f"{self.prefix}_log"]
        log.argtypes, log.restype = [ctypes.c_void_p, ctypes.c_int64], ctypes.c_int64
        return measured(compiled.bind(*values), log, rounds)


def stepped(source: ModuleOp, options: Options) -> Stepped:
    """Lower a module of one function, and the bodies of its control flow, to C in steps."""
    module = source.clone()
    passes = pipeline.passes("loops", fuse=options.fuse)
    pipeline.run(module, context(), passes, target=options.target, report=options.report)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    prefix = options.prefix or prefix_of(function.sym_name.data, options.stem)
    emitted, steps = emit_steps(function, prefix, options.threads)
    return Stepped(function, emitted, steps, options, prefix)


def symbols_of(interface: Interface, values: list[Any]) -> dict[str, int]:
    """What the symbols of an interface are for some inputs."""
    return {
        extent: n
        for spec, array in zip(interface.inputs, values, strict=True)
        for extent, n in zip(spec.shape, np.shape(array), strict=True)
        if isinstance(extent, str)
    }


def random_values(interface: Interface, extents: Mapping[str, int]) -> list[Any]:
    """Random inputs; a symbol is 8 unless ``extents`` says something else."""
    inputs = random_inputs(0, interface, {}, extents)
    return [inputs[spec.name] for spec in interface.inputs]


def measured(call: Callable[[], object], log: Any, rounds: int) -> Times:
    """Warm up, then call up to ``rounds`` times within a time limit and read the log of each."""
    log(None, 0)
    ready = time.perf_counter() + WARM
    while time.perf_counter() < ready:
        log(None, 0)
        call()
    room = max(1, log(None, 0))
    events = np.zeros((room, 2), np.int64)
    every: list[tuple[Event, ...]] = []
    end = time.perf_counter() + SECONDS
    while len(every) < rounds and (len(every) < ENOUGH or time.perf_counter() < end):
        log(events.ctypes.data, room)
        call()
        number = log(None, 0)
        every.append(tuple(_events(events[: min(number, room)].tolist())))
    every.sort(key=lambda run: sum(event.seconds for event in run))
    sums: defaultdict[int, list[float]] = defaultdict(list)
    for run in every:
        own: defaultdict[int, float] = defaultdict(float)
        for event in run:
            own[event.step] += event.seconds
        for step, seconds in own.items():
            sums[step].append(seconds)
    middle = every[len(every) // 2]
    runs: defaultdict[int, int] = defaultdict(int)
    for event in middle:
        runs[event.step] += 1
    return Times({k: statistics.median(v) for k, v in sums.items()}, dict(runs), middle)


def _events(pairs: list[list[int]]) -> list[Event]:
    """A log as events; each step begins where the one before has ended.

    Steps that compute extents of results run before a call begins, and are left out.
    """
    events: list[Event] = []
    first, before = 0, None
    for step, now in pairs:
        if step == BEGIN:
            first = before = now
        elif before is not None:
            events.append(Event(step, (before - first) * 1e-9, (now - before) * 1e-9))
            before = now
    return events
