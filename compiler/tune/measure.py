"""Measure schedules of a nest in turns, with caches as a network leaves them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from opc.api.options import Options
from opc.dialects.registry import context
from opc.dialects.schedule import TreeOp
from opc.emit.source import emit_several
from opc.emit.weights import Weights
from opc.errors import OpcError
from opc.passes import pipeline
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from opc.runtime.native import new_bytes
from opc.support.interface import Interface
from opc.tools.arrays import random_inputs

from .nests import Nest

ROUNDS = 15
"""Samples of each schedule, at most."""
FILES = 4
"""C files that are compiled side by side, at most."""
FEW = 3
"""Samples of each schedule that has no more if it is slow, unless a caller asks for others."""
SLOWER = 1.15
"""Times the fastest from which on a schedule has no further sample, after :data:`FEW`."""
SAMPLE = 200e-6
"""Seconds of a sample, at least, where nothing is flushed between calls."""

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Measured:
    """A schedule and its shortest time in seconds."""

    tree: TreeOp
    seconds: float


def measured(
    nest: Nest,
    trees: Sequence[TreeOp],
    options: Options,
    touched: int,
    seconds: float,
    least: int = FEW,
) -> list[Measured]:
    """The times of schedules, in their order, after about so many ``seconds``.

    Each has ``least`` samples, whatever the seconds.  ``touched`` are the bytes that a network
    touches between two runs of the nest: as many are written in front of each run, and then its
    inputs, as by what comes before it.  Raises OpcError if two schedules differ in a bit.
    """
    functions = _built(nest, trees, options)
    drawn = random_inputs(0, functions[0].interface, {}, nest.sizes)
    values = [_placed(drawn[spec.name]) for spec in functions[0].inputs]
    first: Any = functions[0](*values)
    placed = tuple(_placed(array) for array in _arrays(first))
    results: Any = placed if type(first) is tuple else placed[0]
    calls = [function.bind(*values, out=results) for function in functions]
    expected = None
    for call, tree in zip(calls, trees, strict=True):
        # A nest of a tile fusion writes a part of its result.
        for array in _arrays(results):
            array.fill(0)
        bits = _bits(call())
        expected = expected or bits
        if bits != expected:
            raise OpcError(f"defect: schedules of {nest.form.about} differ in a bit: {tree}")
    flush = _flush(touched, values, nest.target.l3)
    number = 1 if touched else _number(calls[0])
    times = [float("inf")] * len(calls)
    # The time of the thread does not count while other programs have the processor.
    clock = time.thread_time if options.threads == 1 else time.perf_counter
    end = time.perf_counter() + seconds
    for turn in range(max(ROUNDS, least)):
        fastest = min(times)
        for k in range(len(calls)) if turn % 2 else reversed(range(len(calls))):
            if turn >= least and k and times[k] > SLOWER * fastest:
                continue
            flush()
            start = clock()
            for _ in range(number):
                calls[k]()
            times[k] = min(times[k], (clock() - start) / number)
        if turn >= least and time.perf_counter() > end:
            break
    return [Measured(tree, t) for tree, t in zip(trees, times, strict=True)]


def _built(nest: Nest, trees: Sequence[TreeOp], options: Options) -> list[CompiledFunction]:
    """The nest with each schedule: a C file for each processor, which are compiled side by side."""
    count = min(os.cpu_count() or 1, FILES, len(trees))
    emitted = [_emitted(nest, trees[k::count], options) for k in range(count)]

    def build(text: str) -> Path:
        return caching.build(
            text, cc=options.cc, target=options.target, threads=options.threads, cache=None
        )

    with ThreadPoolExecutor(count) as pool:
        libraries = list(pool.map(build, [text for text, _, _ in emitted]))
    functions: dict[int, CompiledFunction] = {}
    for k, ((_, interfaces, weights), library) in enumerate(zip(emitted, libraries, strict=True)):
        constants = None if weights is None else weights.array
        for number, interface in enumerate(interfaces):
            function = CompiledFunction(interface, library, constants, options.threads)
            functions[number * count + k] = function
    return [functions[k] for k in range(len(trees))]


def _emitted(
    nest: Nest, trees: Sequence[TreeOp], options: Options
) -> tuple[str, list[Interface], Weights | None]:
    """The C of a nest with each schedule."""
    functions = [nest.function.clone() for _ in trees]
    for function, tree in zip(functions, trees, strict=True):
        copy = function.body.block.last_op
        assert copy is not None and copy.prev_op is not None
        copy.prev_op.regions[0].block.add_op(tree.clone())
    module = ModuleOp(functions)
    pipeline.run(module, context(), pipeline.passes("loops", "schedule"), target=options.target)
    names = [f"schedule{k}" for k in range(len(trees))]
    return emit_several(functions, names, options.threads)


def _arrays(results: Any) -> Sequence[Array]:
    return cast("Sequence[Array]", results if type(results) is tuple else (results,))


def _placed(array: Array) -> Array:
    """The same values from a cache line on, as a workspace has what a network computes.

    Elsewhere each vector that is read where it lies would be on two lines.
    """
    placed = new_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
    np.copyto(placed, array)
    return placed


def _bits(results: Any) -> list[bytes]:
    return [np.ascontiguousarray(array).tobytes() for array in _arrays(results)]


def _flush(touched: int, values: Sequence[Array], most: int) -> Callable[[], None]:
    """What leaves the caches as a network does: other memory, then the inputs."""
    if not touched:
        return lambda: None
    memory = np.zeros(min(touched, 2 * most), np.uint8)
    copies = [array.copy() for array in values]

    def flush() -> None:
        np.add(memory, 1, out=memory)
        for array, copy in zip(values, copies, strict=True):
            np.copyto(array, copy)

    return flush


def _number(call: Callable[[], object]) -> int:
    """Calls of a sample."""
    start = time.perf_counter()
    call()
    return max(1, int(SAMPLE / max(time.perf_counter() - start, 1e-7)))
