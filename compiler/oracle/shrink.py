"""Makes a failing graph smaller, one change after the other, as long as it still fails."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.opc.base import REQUIRED
from opc.dialects.opc.movement import ConstantOp
from opc.errors import ArgumentError, OpcError, UndecidedError
from opc.interpret.precision import Array, is_float

from .axes import Class, classes, params_without
from .edit import Axis, Candidate, Change, changed

Fails: TypeAlias = "Callable[[Candidate], bool]"
Item = TypeVar("Item")


@dataclass
class Shrinking:
    """The smallest graph so far; it is changed only to one that fails as well."""

    best: Candidate
    fails: Fails
    until: float
    """When to stop, by ``time.perf_counter``."""
    tried: int = 0

    def is_over(self) -> bool:
        """Whether time is up."""
        return time.perf_counter() > self.until

    def attempt(self, change: Change) -> bool:
        """Keep a changed copy if it fails."""
        if self.is_over():
            return False
        try:
            candidate = changed(self.best, change)
        except (OpcError, VerifyException, ValueError, IndexError, KeyError):
            # There is no such graph.
            return False
        self.tried += 1
        if not self.fails(candidate):
            return False
        self.best = candidate
        return True


def shrink(candidate: Candidate, fails: Fails, seconds: float) -> Candidate:
    """The smallest graph that is found in so many seconds, if ``candidate`` fails itself."""
    work = Shrinking(candidate, fails, time.perf_counter() + seconds)
    size = None
    while size != work.best.size and not work.is_over():
        size = work.best.size
        for step in STEPS:
            # A graph that refuses its inputs has no values for this step.
            with contextlib.suppress(ArgumentError, UndecidedError):
                step(work)
    return work.best


def without_as_many(
    count: Callable[[], int], attempt: Callable[[Sequence[int]], bool], least: int = 0
) -> None:
    """Delta debugging: drop runs of items, halves first, then ever shorter ones.

    ``attempt`` says whether items of these numbers could be dropped; then the others are numbered
    anew.  At least ``least`` stay.
    """
    size = count()
    while size:
        start = 0
        while start < count():
            total = count()
            run = range(start, min(start + size, total))
            if total - len(run) >= least and attempt(run) and count() < total:
                continue
            start += size
        size //= 2


def results(work: Shrinking) -> None:
    """Drop results."""

    def drop(run: Sequence[int]) -> bool:
        kept = [k for k in range(len(work.best.results)) if k not in run]
        return work.attempt(Change(results=kept))

    without_as_many(lambda: len(work.best.results), drop, least=1)


def into_arguments(work: Shrinking) -> None:
    """Let values be arguments instead of computing them, the first ones first."""

    def drop(run: Sequence[int]) -> bool:
        values, computed = work.best.values(), work.best.computed
        return work.attempt(Change(arguments={computed[k]: values[computed[k]] for k in run}))

    without_as_many(lambda: len(work.best.computed), drop)


def into_operands(work: Shrinking) -> None:
    """Replace operations by one of their operands, the last ones first."""
    for k in reversed(range(len(work.best.computed))):
        if k >= len(work.best.computed):
            continue
        value = work.best.computed[k]
        assert isinstance(value.owner, Operation)
        alike = sorted(dict.fromkeys(value.owner.operands), key=lambda v: v.type != value.type)
        any(work.attempt(Change(operands={value: v})) for v in alike)


def static(work: Shrinking) -> None:
    """Give symbolic extents their values."""
    if any("?" in str(arg.type) for arg in work.best.function.body.block.args):
        work.attempt(Change(is_static=True))


def _holders(work: Shrinking) -> Iterator[tuple[SSAValue, Array]]:
    """Arguments and constants, with their elements."""
    yield from zip(work.best.function.body.block.args, work.best.inputs, strict=True)
    for op in work.best.operators:
        if isinstance(op, ConstantOp):
            yield op.result, op.array()


def extents(work: Shrinking) -> None:
    """Shorten axes: to 1, to a half, by one."""
    number = 0
    while not work.is_over():
        values = work.best.values()
        changeable = [c for c in classes(work.best, values) if c.can_change]
        if number >= len(changeable):
            return
        axes, length = changeable[number].axes, 0
        length = max(values[v].shape[axis] for v, axis in axes)
        smaller = dict.fromkeys(n for n in (1, length // 2, length - 1) if 0 < n < length)
        if not any(_resized(work, axes, values, length, n) for n in smaller):
            number += 1


def _resized(
    work: Shrinking, axes: Sequence[Axis], values: dict[SSAValue, Array], length: int, new: int
) -> bool:
    """Try the first, then the last elements of every axis that is so long."""
    longest = [(v, axis) for v, axis in axes if values[v].shape[axis] == length]
    for part in (slice(0, new), slice(length - new, length)):
        arrays: dict[SSAValue, Array] = {}
        for value, array in _holders(work):
            cut = [part if (value, k) in longest else slice(None) for k in range(array.ndim)]
            arrays[value] = np.asarray(array[(*cut,)])
        if work.attempt(Change(arrays=arrays, extents=dict.fromkeys(longest, new))):
            return True
    return False


def ranks(work: Shrinking) -> None:
    """Drop axes of extent 1."""
    number = 0
    while not work.is_over():
        values = work.best.values()
        removable = [
            c
            for c in classes(work.best, values)
            if c.can_go and all(values[v].shape[axis] == 1 for v, axis in c.axes)
        ]
        if number >= len(removable):
            return
        if not _dropped(work, removable[number], values):
            number += 1


def _dropped(work: Shrinking, group: Class, values: dict[SSAValue, Array]) -> bool:
    arrays: dict[SSAValue, Array] = {}
    for value, array in _holders(work):
        gone = tuple(axis for v, axis in group.axes if v is value)
        arrays[value] = array.reshape([n for k, n in enumerate(array.shape) if k not in gone])
    params: dict[Any, dict[str, object]] = {}
    for op in work.best.operators:
        gone = [axis for v, axis in group.axes if op.operands and v is op.operands[0]]
        other = params_without(op, gone, values[op.operands[0]].ndim) if gone else None
        if other is not None:
            params[op] = other
    nothing = dict.fromkeys(group.axes)
    return work.attempt(Change(arrays=arrays, params=params, extents=nothing))


def attributes(work: Shrinking) -> None:
    """Give attributes their defaults."""
    for k in range(len(work.best.operators)):
        for param in work.best.operators[k].params if k < len(work.best.operators) else ():
            op = work.best.operators[k]
            if param.default is not REQUIRED and op.values()[param.name] != param.default:
                work.attempt(Change(params={op: {param.name: param.default}}))


def elements(work: Shrinking) -> None:
    """Make elements plain: all 0, all 1, whole numbers; else as many of them as possible."""
    for number in range(len(list(_holders(work)))):
        if work.is_over() or number >= len(list(_holders(work))):
            return
        value, array = list(_holders(work))[number]
        plain: list[Array] = [np.zeros_like(array), np.ones_like(array)]
        if is_float(array):
            with np.errstate(all="ignore"):
                plain.append(np.round(array.astype(np.float64)).astype(array.dtype))
        plain = [p for p in plain if p.tobytes() != array.tobytes()]
        if array.tobytes() in (np.zeros_like(array).tobytes(), np.ones_like(array).tobytes()):
            continue
        if not any(work.attempt(Change(arrays={value: p})) for p in plain):
            _some(work, number)


def _some(work: Shrinking, number: int) -> None:
    """Set runs of elements to 0, halves first."""
    size = list(_holders(work))[number][1].size
    run = size // 2
    while run and not work.is_over():
        for start in range(0, size, run):
            value, array = list(_holders(work))[number]
            other: Array = array.reshape(-1).copy()
            other[start : start + run] = 0
            if other.tobytes() != array.tobytes():
                work.attempt(Change(arrays={value: other.reshape(array.shape)}))
        run //= 2


STEPS = (
    results, into_arguments, into_operands, static, extents, ranks, attributes, elements,
)  # fmt: skip
