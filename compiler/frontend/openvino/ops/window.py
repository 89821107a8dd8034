"""Convolutions and transposed ones, with or without groups, and pooling."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows
from opc.frontend.models.traced import NodeTrace, gathered, value
from opc.frontend.models.windows import (
    automatic_pads,
    convolved,
    integers,
    kernel_of,
    positions_of_greatest,
    transposed,
)
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino


def _pads(
    layer: Layer,
    kernel: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
) -> tuple[IntExpr, ...]:
    """The pads before each spatial axis, then after each."""
    pads, rank = automatic_pads(layer, kernel, strides, dilations), len(kernel)
    if pads is not None:
        return pads
    begin, end = (layer.attr(name) for name in ("pads_begin", "pads_end"))
    if any(v < 0 for v in (*begin, *end)):
        raise layer.unsupported(f"pads {list(begin)} and {list(end)}: negative ones cut off")
    return tuple(v for name in ("pads_begin", "pads_end") for v in integers(layer, name, rank, 0))


def _filters(layer: Layer) -> tuple[Any, int]:
    """The filters and the number of groups G: those of groups, [G, A / G, ...], as [A, ...]."""
    shape = layer.shape(1)
    if not layer.operator.startswith("Group"):
        return layer.traced(1), 1
    groups = shape[0].constant if shape else None
    if len(shape) < 4 or groups is None:
        raise layer.unsupported(f"filters {shape_text(shape)}: expected a known number of groups")
    return layer.traced(1).reshape((shape[0] * shape[1], *shape[2:])), groups


@openvino("Convolution", 1)
@openvino("GroupConvolution", 1)
def convolution(layer: Layer) -> Any:
    """Convolution-1 and GroupConvolution-1, filters [F, C, ...] or [G, F / G, C / G, ...]."""
    filters, groups = _filters(layer)
    kernel = kernel_of(layer, layer.shape(), filters.extents)
    strides, dilations = (
        integers(layer, name, len(kernel), 1) for name in ("strides", "dilations")
    )
    pads = _pads(layer, kernel, strides, dilations)
    data, filters = widened(layer.traced(0)), widened(filters)
    return value(layer, convolved(data, filters, strides, dilations, pads, groups))


@openvino("ConvolutionBackpropData", 1)
@openvino("GroupConvolutionBackpropData", 1)
def transposed_convolution(layer: Layer) -> Any:
    """The transposed convolution of input 0, filters [C, M, ...] or [G, C / G, M / G, ...]."""
    filters, groups = _filters(layer)
    rank, auto = len(kernel_of(layer, layer.shape(), filters.extents, 5)), layer.attr("auto_pad")
    strides, dilations = (integers(layer, name, rank, 1) for name in ("strides", "dilations"))
    padding = integers(layer, "output_padding", rank, 0, 0)
    wanted = layer.stated(2, rank) if layer.has(2) else None
    pads: tuple[int, ...] | None = (0,) * (2 * rank)
    if auto in ("explicit", "notset"):
        pads = tuple(
            v for name in ("pads_begin", "pads_end") for v in integers(layer, name, rank, 0)
        )
    elif auto != "valid" and wanted is not None:
        # Without output_shape auto_pad crops nothing.
        pads = None
    # As in OpenVINO, same_upper crops the odd element before the axis.
    upper = auto == "same_lower"
    y = transposed(layer, filters, strides, dilations, padding, pads, wanted, upper, groups)
    return value(layer, y)


def _windows(layer: Layer) -> Windows:
    rank = layer.rank() - 2
    if rank < 1:
        raise layer.error(f"no axes to pool: the input is {shape_text(layer.shape())}")
    kernel, strides = (
        integers(layer, "kernel", rank, 1),
        integers(layer, "strides", rank, 1),
    )
    has_dilations = layer.schema.has("dilations")
    dilations = integers(layer, "dilations", rank, 1) if has_dilations else (1,) * rank
    pads = _pads(layer, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    rounding = layer.attr("rounding_type")
    if rounding == "floor" or layer.attr("auto_pad") in ("same_upper", "same_lower"):
        return windows
    return windows.rounded_up(layer.shape()[2:], rounding == "ceil_torch")


@openvino("MaxPool", 1, 8, 14)
def max_pool(layer: Layer) -> tuple[Any, ...]:
    """MaxPool-1, -8 and -14 --> opc.reduce_max of the windows, and the maximum's index."""
    windows, outputs, places = _windows(layer), layer.op.outputs, None
    view = windows.lowest(layer.traced(0))
    if len(outputs) > 1 and outputs[1].first_use is not None:
        axis = layer.axis(layer.attr("axis"), layer.rank())
        places = positions_of_greatest(layer, windows, view, axis)
        places = places.astype(layer.attr("index_element_type"))
    return onp.max(view, windows.axes), places


@openvino("AvgPool", 1, 14, 16)
def average_pool(layer: Layer) -> Any:
    """AvgPool-1, -14 and -16 --> the sum of each window by its number of elements."""
    windows = _windows(layer)
    counts = layer.attr("exclude_pad") or not any((*windows.before, *windows.after))
    # As in OpenVINO, elements added by rounding up count only if there are pads.
    return value(layer, windows.average(widened(layer.traced(0)), False if counts else None))


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


def _unequal_windows(x: Any, axes: list[_Axis]) -> Any:
    """The windows [N, C, positions..., elements...]; shorter ones repeat their last element."""
    places: list[Any] = []
    for axis in axes:
        place = np.minimum(axis.start + axis.steps(x.trace), axis.end - 1)
        places.append(x.trace.given(axis.lined(place), el.I64))
    return gathered(x, range(2, x.ndim), *places)


@openvino("AdaptiveAvgPool", 8)
def average(layer: Layer) -> Any:
    """AdaptiveAvgPool-8: means of windows of nearly equal size, for a number of positions.

    Of n elements and m positions, position k sees those from ``k * n / m``, rounded down, to before
    ``(k + 1) * n / m``, rounded up: as many as ``n / m`` rounded up, or one more.
    """
    trace, x = layer.trace, widened(layer.traced(0))
    axes = _axes(layer, trace)
    inside = (axis.lined(axis.start + axis.steps(trace) < axis.end) for axis in axes)
    here = reduce(operator.and_, inside)
    counts = reduce(operator.mul, (axis.lined(axis.end - axis.start) for axis in axes))
    kept = onp.where(trace.given(here, el.I1), _unequal_windows(x, axes), 0)
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
    windows = _unequal_windows(layer.traced(0), axes)
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
