"""The cache lines that a part of a contraction touches, and the room that they take."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.buffer import element_in
from opc.dialects.schedule import Axis
from opc.support.target import AHEAD, LINE, WAY

from .contraction import Contraction

Sizes = Mapping[Axis, int]
"""The values along each axis that a part of the nest goes over."""


class Lines(NamedTuple):
    """Cache lines that are touched."""

    number: float
    room: float
    """The lines of a cache that they take: more than there are if they fall into few sets."""
    pages: float = 0
    """The pieces that lie on pages of their own, so that no processor fetches them ahead; 0 if they
    are in order."""
    are_parts: bool = False
    """Whether it is several pieces that are not whole lines."""


@dataclass(frozen=True, eq=False)
class Access:
    """Where a buffer is touched: the bytes from one value to the next along each axis."""

    strides: Sizes
    width: int

    def lines(self, sizes: Sizes) -> Lines:
        """What a part touches."""
        steps = sorted((step, sizes[axis]) for axis, step in self.strides.items())
        return strided([at for at in steps if at[1] > 1], self.width)


def access_of(offset: ex.Expr, width: int, axes: Collection[Axis]) -> Access:
    """The accesses at an offset, of values of ``width`` bytes, along some axes."""
    factors = {axis: offset.coefficient(axis[-1]) for axis in axes}
    steps = {axis: e.constant for axis, e in factors.items() if e is not None and e != 0}
    return Access({a: WAY if n is None else abs(n) * width for a, n in steps.items()}, width)


def results_of(c: Contraction) -> list[Access]:
    """Where results are stored, and what is read with them, such as residuals."""
    if "results" not in c.memo:
        points = [axis for axis in (*c.outer, c.row, c.column) if axis is not None]
        read = [(op, op.source) for op in c.epilogue if isinstance(op, kernel.LoadOp)]
        buffers = [*read, *((op, c.nest.targets[op.number]) for op in c.stores)]
        widths = [(c.offsets[op], element_in(buffer).bytes) for op, buffer in buffers]
        c.memo["results"] = [access_of(offset, width, points) for offset, width in widths]
    return c.memo["results"]


def contiguous(size: float) -> Lines:
    """Lines of so many bytes in order."""
    lines = max(1.0, size / LINE)
    return Lines(lines, lines)


def strided(strides: Sequence[tuple[int, int]], width: int) -> Lines:
    """Lines of values at these distances in bytes, and so many of each; the least come first."""
    segment, count, apart = width, 1, 0
    for stride, number in strides:
        if stride <= segment:
            segment += stride * (number - 1)
        else:
            count *= number
            apart = math.gcd(apart, stride)
    # A segment may begin in the middle of a line.
    in_segment = (segment + LINE - width) / LINE
    lines = count * in_segment
    sets = min(min(count, WAY // math.gcd(WAY, max(apart, LINE))) * in_segment, WAY // LINE)
    room = lines if count == 1 or lines <= sets else lines * (WAY // LINE) / sets
    is_apart = count > 1 and strides[-1][0] >= WAY and segment < AHEAD
    are_parts = count > 1 and (segment % LINE > 0 or apart % LINE > 0)
    return Lines(lines, room, count if is_apart else 0, are_parts)
