"""The layout of a workspace: an offset for each buffer, from its size and lifetime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import ORDERS
from opc.dialects.opc.movement import Tensor
from opc.dialects.shape import Buffer, element, shape_of
from opc.errors import UnsupportedError

from .target import GUESSED, LINE, WIDEST

ALIGNMENT = max(LINE, WIDEST)
"""Alignment of buffers in bytes."""


def bytes_of(type: Buffer | Tensor) -> ex.Expr:
    """The size of a buffer in bytes, rounded up to the alignment."""
    size = ex.product(shape_of(type)) * element(type).bytes  # pyright: ignore[reportArgumentType]
    return ex.floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True)
class Slot:
    """A tensor of the workspace, its size, and the first and last operation that need it."""

    value: SSAValue
    size: ex.Expr
    first: int
    last: int


class Memory:
    """Allocations in a memory, ordered by start."""

    def __init__(self, count: int, size: int) -> None:
        """Make room for ``count`` tensors of ``size`` bytes in all."""
        if size >= 1 << 62:
            raise UnsupportedError(f"the function needs {size} bytes for intermediate results")
        self.rows = np.zeros((4, count), np.int64)
        """Start, end, first and last operation of each tensor."""
        self.count = 0
        self.end = 0

    def take(self, size: int, first: int, last: int) -> int:
        """Take the lowest ``size`` bytes that are free from operation ``first`` to ``last``."""
        starts, ends, firsts, lasts = self.rows[:, : self.count]
        met = (firsts <= last) & (lasts >= first)
        starts, ends = starts[met], np.maximum.accumulate(ends[met])
        gaps = starts - np.concatenate([[0], ends[:-1]])
        fitting = np.flatnonzero(gaps >= size)
        k = int(fitting[0]) if fitting.size else starts.size
        at = int(ends[k - 1]) if k else 0
        k = int(np.searchsorted(self.rows[0, : self.count], at, "right"))
        self.rows[:, k + 1 : self.count + 1] = self.rows[:, k : self.count].copy()
        self.rows[:, k] = at, at + size, first, last
        self.count += 1
        self.end = max(self.end, at + size)
        return at


def largest_sum(slots: Sequence[Slot]) -> int:
    """The most bytes of buffers of known size that are alive at one time."""
    changes: list[tuple[int, int]] = []
    for slot in slots:
        size = slot.size.constant or 0
        changes += [(slot.first, size), (slot.last + 1, -size)]
    most = alive = 0
    for _, change in sorted(changes):
        alive += change
        most = max(most, alive)
    return most


def place(slots: Sequence[Slot]) -> tuple[dict[SSAValue, ex.Expr], ex.Expr]:
    """An offset for each slot, so that slots that are alive together do not overlap, and the size.

    Static sizes are placed largest first, each in the lowest gap.  While this takes more than the
    least possible size, another try places those at the end first.  Symbolic sizes follow: those
    that are not alive together share a region, which is as large as the greatest of them.
    """
    order = [(size, s) for s in slots if (size := s.size.constant) is not None]
    order.sort(key=lambda s: (-s[0], s[1].first))
    least, total_size = largest_sum(slots), sum(size for size, _ in order)
    end, offsets = total_size, dict[SSAValue, ex.Expr]()
    for _ in range(ORDERS):
        memory = Memory(len(order), total_size)
        at = {s.value: memory.take(size, s.first, s.last) for size, s in order}
        if memory.end <= end:
            end, offsets = memory.end, {value: ex.const(start) for value, start in at.items()}
        if end <= least:
            break
        order.sort(key=lambda s: at[s[1].value] + s[0] < memory.end)
    # By guessed size, so that what is large shares the memory of what is.
    order = sorted(
        (slot for slot in slots if slot.size.constant is None),
        key=lambda slot: (-_guess(slot.size), slot.first),
    )
    regions = list[list[Slot]]()
    for slot in order:
        free = (r for r in regions if all(s.last < slot.first or slot.last < s.first for s in r))
        region = next(free, None)
        if region is None:
            regions.append(region := [])
        region.append(slot)
    total = ex.const(end)
    for region in regions:
        offsets |= {slot.value: total for slot in region}
        total += _greatest([slot.size for slot in region])
    return offsets, total


def _greatest(candidates: Sequence[ex.Expr]) -> ex.Expr:
    """The greatest of some expressions, without those that are certain not to be."""
    kept = list[ex.Expr]()
    for e in candidates:
        if not any(ex.is_nonnegative(other - e) for other in kept):
            kept = [*(other for other in kept if not ex.is_nonnegative(e - other)), e]
    return reduce(ex.maximum, kept)


def _guess(size: ex.Expr) -> int:
    """A size with a guess for each unknown extent."""
    return int(size.evaluate({}, dict.fromkeys(size.symbols(), GUESSED)))
