"""Adaptive pooling: windows of nearly equal size, for a given number of output positions.

Of an axis of n elements and m positions, position k sees those from ``k * n / m``, rounded down, to
before ``(k + 1) * n / m``, rounded up: as many as ``n / m`` rounded up, or one more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text

from .call import Call
from .traced import NodeTrace, gathered


@dataclass(frozen=True)
class Axis:
    """The windows of an axis; arrays of [positions, elements], either of which may be 1."""

    number: int
    rank: int
    start: Any
    end: Any
    width: ex.Expr

    def lined(self, x: Any) -> Any:
        """Reshape [positions, elements] to broadcast against those of all axes."""
        shape = [1] * (2 * self.rank)
        shape[self.number], shape[self.rank + self.number] = x.shape
        return x.reshape(tuple(shape))

    def steps(self, trace: NodeTrace) -> Any:
        """The numbers of the elements of a window."""
        return trace.numbers(self.width).reshape(1, -1)


def adaptive_axes(call: Call, shape: Shape, counts: Shape) -> list[Axis]:
    """The windows of the spatial axes of images of a shape for numbers of positions."""
    trace, rank = call.trace, len(shape) - 2
    if rank < 1 or len(counts) != rank or any(e == 0 for e in (*shape[2:], *counts)):
        raise call.error(f"{shape_text(counts)} positions for {shape_text(shape)}")
    axes: list[Axis] = []
    for axis, (extent, count) in enumerate(zip(shape[2:], counts, strict=True)):
        n, m = trace.size(extent), trace.size(count)
        at = trace.numbers(count).reshape(-1, 1)
        is_even = ex.floordiv(extent, count) * count == extent
        width = ex.floordiv(extent, count) if is_even else ex.floordiv(extent - 1, count) + 2
        axes.append(Axis(axis, rank, at * n // m, ((at + 1) * n + (m - 1)) // m, width))
    return axes


def adaptive_windows(x: Any, axes: list[Axis]) -> Any:
    """The windows [N, C, positions..., elements...]; shorter ones repeat their last element."""
    places: list[Any] = []
    for axis in axes:
        place = np.minimum(axis.start + axis.steps(x.trace), axis.end - 1)
        places.append(x.trace.given(axis.lined(place), el.I64))
    return gathered(x, range(2, x.ndim), *places)


def averages(x: Any, axes: list[Axis]) -> Any:
    """The sum of each window of x divided by its number of elements."""
    trace: NodeTrace = x.trace
    inside: list[Any] = [axis.lined(axis.start + axis.steps(trace) < axis.end) for axis in axes]
    sizes: list[Any] = [axis.lined(axis.end - axis.start) for axis in axes]
    here = reduce(lambda x, y: x & y, inside)
    counts = reduce(lambda x, y: x * y, sizes)
    kept = onp.where(trace.given(here, el.I1), adaptive_windows(x, axes), 0)
    total = onp.sum(kept, axis=tuple(range(-len(axes), 0)))
    counts = trace.given(counts, x.element).reshape(total.shape[2:])
    return total / counts


def _spread(number: Any, widths: Shape, trace: NodeTrace) -> list[Any]:
    """The index along each axis of a row-major element number."""
    indices: list[Any] = []
    for k in range(len(widths)):
        rest = trace.size(ex.product(widths[k + 1 :]))
        indices.append(number // rest % trace.size(widths[k]))
    return indices


def greatest_of(x: Any, axes: list[Axis]) -> tuple[Any, Any]:
    """The maximum of each window, and its row-major index in the image, i64."""
    trace: NodeTrace = x.trace
    windows = adaptive_windows(x, axes)
    shape = (*windows.extents[: x.ndim], ex.product(axis.width for axis in axes))
    flat = windows.reshape(shape)
    # A shorter window repeats its last element; the first of equal maxima wins.
    numbers = onp.argmax(flat, axis=-1)
    total: Any = None
    for axis, step in zip(axes, _spread(numbers, tuple(a.width for a in axes), trace), strict=True):
        lined = [-1 if k == axis.number else 1 for k in range(axis.rank)]
        start, end = (v.reshape(lined) for v in (axis.start, axis.end))
        place = np.minimum(step + trace.given(start, el.I64), trace.given(end - 1, el.I64))
        n = trace.size(x.extents[2 + axis.number])
        total = place if total is None else total * n + place
    return onp.max(flat, axis=-1), total
