"""Convolutions and transposed ones, with or without groups, and pooling."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects.shape import shape_text
from opc.frontend.models.adaptive import adaptive_axes, averages, greatest_of
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows
from opc.frontend.models.traced import value
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


@openvino("AdaptiveAvgPool", 8)
def average(layer: Layer) -> Any:
    """AdaptiveAvgPool-8 --> the sum of each window divided by its number of elements."""
    x = widened(layer.traced(0))
    axes = adaptive_axes(layer, layer.shape(), layer.extents(1))
    return averages(x, axes).astype(layer.element())


@openvino("AdaptiveMaxPool", 8)
def greatest(layer: Layer) -> tuple[Any, ...]:
    """AdaptiveMaxPool-8 --> the maximum of each window, and its row-major index in the image."""
    axes = adaptive_axes(layer, layer.shape(), layer.extents(1))
    values, places = greatest_of(layer.traced(0), axes)
    return values, places.astype(layer.attr("index_element_type"))
