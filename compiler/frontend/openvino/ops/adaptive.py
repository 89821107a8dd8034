"""Adaptive pooling: windows of nearly equal size, for a given number of output positions."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape
from opc.frontend.models.adaptive import adaptive_axes, adaptive_windows, averages
from opc.frontend.models.traced import NodeTrace
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino


@openvino("AdaptiveAvgPool", 8)
def average(layer: Layer) -> Any:
    """AdaptiveAvgPool-8 --> the sum of each window divided by its number of elements."""
    x = widened(layer.traced(0))
    axes = adaptive_axes(layer, layer.shape(), layer.extents(1))
    return averages(x, axes).astype(layer.element())


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
    axes = adaptive_axes(layer, layer.shape(), layer.extents(1))
    windows = adaptive_windows(layer.traced(0), axes)
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
