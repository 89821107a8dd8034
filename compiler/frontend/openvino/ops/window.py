"""Convolutions, with or without groups, and pooling."""

from __future__ import annotations

import math

from xdsl.ir import SSAValue

from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import Shape, element, shape_text, tensor_of
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows
from opc.frontend.models.windows import (
    automatic_pads,
    convolved,
    integers,
    kernel_of,
    positions_of_greatest,
    view_of,
)

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


def _conv(layer: Layer, groups: int, filters: SSAValue, shape: Shape) -> SSAValue:
    """opc.conv of the first input; ``shape`` is that of the filters [F, C / groups, kernel...]."""
    kernel = kernel_of(layer, layer.shape(), shape)
    strides, dilations = (
        integers(layer, name, len(kernel), 1) for name in ("strides", "dilations")
    )
    pads = _pads(layer, kernel, strides, dilations)
    data, filters = layer.widened(layer[0]), layer.widened(filters)
    y = convolved(layer, data, filters, strides, dilations, pads, groups)
    return layer.cast(y, layer.element())


@openvino("Convolution", 1)
def convolution(layer: Layer) -> SSAValue:
    """Convolution-1: filters [F, C, kernel...] --> opc.conv."""
    return _conv(layer, 1, layer[1], layer.shape(1))


def joined_groups(layer: Layer) -> tuple[int, SSAValue, Shape]:
    """Filters [G, A / G, ...] --> G, the filters as [A, ...], and this shape."""
    shape = layer.shape(1)
    groups = shape[0].constant if shape else None
    if len(shape) < 4 or groups is None:
        raise layer.unsupported(f"filters {shape_text(shape)}: expected a known number of groups")
    joined = (shape[0] * shape[1], *shape[2:])
    return groups, layer.reshape(layer[1], joined), joined


@openvino("GroupConvolution", 1)
def group_convolution(layer: Layer) -> SSAValue:
    """GroupConvolution-1: filters [G, F / G, C / G, kernel...] --> opc.conv with groups."""
    return _conv(layer, *joined_groups(layer))


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
def max_pool(layer: Layer) -> tuple[SSAValue | None, ...]:
    """MaxPool-1, -8 and -14 --> opc.reduce_max of the windows, and the maximum's index."""
    windows, outputs, places = _windows(layer), layer.op.outputs, None
    if len(outputs) > 1 and outputs[1].first_use is not None:
        axis = layer.axis(layer.attr("axis"), layer.rank())
        places = positions_of_greatest(layer, windows, view_of(layer, windows), axis)
        places = layer.cast(places, layer.attr("index_element_type"))
    return windows.greatest(layer, layer[0]), places


@openvino("AvgPool", 1, 14, 16)
def average_pool(layer: Layer) -> SSAValue:
    """AvgPool-1, -14 and -16 --> the sum of each window by its number of elements."""
    windows, x = _windows(layer), layer.widened(layer[0])
    type = element(tensor_of(x))
    view = windows.view(layer, x, layer.constant(0, type))
    total = layer.add(ReduceSumOp(view, axes=windows.axes))
    if layer.attr("exclude_pad") or not any((*windows.before, *windows.after)):
        counts = windows.counts(layer, layer.shape()[2:], type, includes=False)
    else:
        # As in OpenVINO, elements added by rounding up count only if there are pads.
        counts = layer.constant(math.prod(windows.kernel), type)
    return layer.cast(layer.binary("div", total, counts), layer.element())
