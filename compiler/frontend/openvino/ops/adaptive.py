"""Adaptive pooling: windows of nearly equal size, for a given number of output positions.

Of an axis of n elements and m positions, position k sees those from ``k * n / m``, rounded down, to
before ``(k + 1) * n / m``, rounded up: as many as ``n / m`` rounded up, or one more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models.traced import NodeTrace, gathered
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino


@dataclass(frozen=True)
class _Axis:
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


def _axes(layer: Layer, trace: NodeTrace) -> list[_Axis]:
    shape, rank = layer.shape(), layer.rank() - 2
    counts = layer.extents(1)
    if rank < 1 or len(counts) != rank or any(e == 0 for e in (*shape[2:], *counts)):
        raise layer.error(f"{shape_text(counts)} positions for {shape_text(shape)}")
    axes: list[_Axis] = []
    for axis, (extent, count) in enumerate(zip(shape[2:], counts, strict=True)):
        n, m = trace.size(extent), trace.size(count)
        at = trace.numbers(count).reshape(-1, 1)
        is_even = ex.floordiv(extent, count) * count == extent
        width = ex.floordiv(extent, count) if is_even else ex.floordiv(extent - 1, count) + 2
        axes.append(_Axis(axis, rank, at * n // m, ((at + 1) * n + (m - 1)) // m, width))
    return axes


def _windows(x: Any, axes: list[_Axis]) -> Any:
    """The windows [N, C, positions..., elements...]; shorter ones repeat their last element."""
    places: list[Any] = []
    for axis in axes:
        place = np.minimum(axis.start + axis.steps(x.trace), axis.end - 1)
        places.append(x.trace.given(axis.lined(place), el.I64))
    return gathered(x, range(2, x.ndim), *places)


@openvino("AdaptiveAvgPool", 8)
def average(layer: Layer) -> Any:
    """AdaptiveAvgPool-8 --> the sum of each window divided by its number of elements."""
    trace, x = layer.trace, widened(layer.traced(0))
    axes = _axes(layer, trace)
    here: Any = None
    counts: Any = None
    for axis in axes:
        inside = axis.lined(axis.start + axis.steps(trace) < axis.end)
        here = inside if here is None else here & inside
        size = axis.lined(axis.end - axis.start)
        counts = size if counts is None else counts * size
    kept = onp.where(trace.given(here, el.I1), _windows(x, axes), 0)
    total = onp.sum(kept, axis=tuple(range(-len(axes), 0)))
    counts = trace.given(counts, x.element).reshape(total.shape[2:])
    return (total / counts).astype(layer.element())


def _spread(number: Any, widths: Shape, trace: NodeTrace) -> list[Any]:
    """The index along each axis of a row-major element number."""
    indices: list[Any] = []
    for k in range(len(widths)):
        rest = trace.size(ex.product(widths[k + 1 :]))
        indices.append(number // rest % trace.size(widths[k]))
    return indices


@openvino("AdaptiveMaxPool", 8)
def greatest(layer: Layer) -> tuple[Any, ...]:
    """AdaptiveMaxPool-8 --> the maximum of each window, and its row-major index in the image."""
    trace = layer.trace
    axes = _axes(layer, trace)
    windows = _windows(layer.traced(0), axes)
    shape = (*windows.extents[: layer.rank()], ex.product(axis.width for axis in axes))
    flat = windows.reshape(shape)
    values = onp.max(flat, axis=-1)
    # A shorter window repeats its last element; the first of equal maxima wins.
    numbers = onp.argmax(flat, axis=-1)
    total: Any = None
    for axis, step in zip(axes, _spread(numbers, tuple(a.width for a in axes), trace), strict=True):
        lined = [-1 if k == axis.number else 1 for k in range(axis.rank)]
        start, end = (v.reshape(lined) for v in (axis.start, axis.end))
        place = np.minimum(step + trace.given(start, el.I64), trace.given(end - 1, el.I64))
        n = trace.size(layer.shape()[2 + axis.number])
        total = place if total is None else total * n + place
    return values, total.astype(layer.attr("index_element_type"))
