"""Images: convolutions and pooling, Interpolate, and RGB from luma and chroma (4:2:0)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.adaptive import adaptive_axes, averages, greatest_of
from opc.frontend.models.pads import padded
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows
from opc.frontend.models.resize import Method
from opc.frontend.models.sizes import Sizes, resize
from opc.frontend.models.windows import (
    automatic_pads,
    convolved,
    integers,
    kernel_of,
    positions_of_greatest,
    transposed,
)
from opc.frontend.python.elementwise import widened

from .layer import Attributes, Data, Extents, Layer, Numbers, Wide
from .schema import openvino

Ints = tuple[int, ...]


def _steps(layer: Layer, rank: int) -> tuple[Ints, Ints]:
    """Strides and dilations; without the attribute dilations are 1."""
    strides = integers(layer, "strides", rank, 1)
    has_dilations = any(a.name == "dilations" for a in layer.schema.attributes)
    return strides, integers(layer, "dilations", rank, 1) if has_dilations else (1,) * rank


def _stated_pads(layer: Layer, rank: int, default: int | None = None) -> Ints:
    """The pads before each spatial axis, then after each."""
    names = ("pads_begin", "pads_end")
    return tuple(v for name in names for v in integers(layer, name, rank, 0, default))


def _pads(layer: Layer, kernel: Ints, strides: Ints, dilations: Ints) -> tuple[IntExpr, ...]:
    """The pads before each spatial axis, then after each, stated or as auto_pad says."""
    pads = automatic_pads(layer, kernel, strides, dilations)
    if pads is not None:
        return pads
    begin, end = (layer.attr(name) for name in ("pads_begin", "pads_end"))
    if any(v < 0 for v in (*begin, *end)):
        raise layer.unsupported(f"pads {list(begin)} and {list(end)}: negative ones cut off")
    return _stated_pads(layer, len(kernel), 0)


def _filters(layer: Layer, filters: Any) -> tuple[Any, int]:
    """The filters and the number of groups G: those of groups, [G, A / G, ...], as [A, ...]."""
    shape = filters.extents
    if not layer.operator.startswith("Group"):
        return filters, 1
    groups = shape[0].constant if shape else None
    if len(shape) < 4 or groups is None:
        raise layer.unsupported(f"filters {shape_text(shape)}: expected a known number of groups")
    return filters.reshape((shape[0] * shape[1], *shape[2:])), groups


@openvino("Convolution GroupConvolution", 1)
def convolution(layer: Layer, data: Wide, filters: Data) -> Any:
    """Convolution-1 and GroupConvolution-1, filters [F, C, ...] or [G, F / G, C / G, ...]."""
    filters, groups = _filters(layer, filters)
    kernel = kernel_of(layer, data.extents, filters.extents)
    strides, dilations = _steps(layer, len(kernel))
    pads = _pads(layer, kernel, strides, dilations)
    return convolved(data, widened(filters), strides, dilations, pads, groups)


@openvino("ConvolutionBackpropData GroupConvolutionBackpropData", 1)
def transposed_convolution(layer: Layer, filters: Data, *, auto_pad: str) -> Any:
    """The transposed convolution of input 0, filters [C, M, ...] or [G, C / G, M / G, ...]."""
    filters, groups = _filters(layer, filters)
    rank = len(kernel_of(layer, layer.shape(), filters.extents, 5))
    strides, dilations = _steps(layer, rank)
    padding = integers(layer, "output_padding", rank, 0, 0)
    wanted = layer.stated(2, rank) if layer.has(2) else None
    pads: Ints | None = (0,) * (2 * rank)
    if auto_pad in ("explicit", "notset"):
        pads = _stated_pads(layer, rank)
    elif auto_pad != "valid" and wanted is not None:
        # Without output_shape auto_pad crops nothing.
        pads = None
    # As in OpenVINO, same_upper crops the odd element before the axis.
    upper = auto_pad == "same_lower"
    return transposed(layer, filters, strides, dilations, padding, pads, wanted, upper, groups)


def _windows(layer: Layer) -> Windows:
    rank = layer.rank() - 2
    if rank < 1:
        raise layer.error(f"no axes to pool: the input is {shape_text(layer.shape())}")
    kernel, (strides, dilations) = integers(layer, "kernel", rank, 1), _steps(layer, rank)
    pads = _pads(layer, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    rounding = layer.attr("rounding_type")
    if rounding == "floor" or layer.attr("auto_pad") in ("same_upper", "same_lower"):
        return windows
    return windows.rounded_up(layer.shape()[2:], rounding == "ceil_torch")


@openvino("MaxPool", 1, 8, 14)
def max_pool(layer: Layer, data: Data, *, axis: int = 0) -> tuple[Any, ...]:
    """MaxPool-1, -8 and -14 --> opc.reduce_max of the windows, and the maximum's index."""
    windows, outputs, places = _windows(layer), layer.op.outputs, None
    view = windows.lowest(data)
    if len(outputs) > 1 and outputs[1].first_use is not None:
        places = positions_of_greatest(layer, windows, view, layer.axis(axis, data.ndim))
    return onp.max(view, windows.axes), places


@openvino("AvgPool", 1, 14, 16)
def average_pool(layer: Layer, data: Wide, *, exclude_pad: bool) -> Any:
    """AvgPool-1, -14 and -16 --> the sum of each window by its number of elements."""
    windows = _windows(layer)
    counts = exclude_pad or not any((*windows.before, *windows.after))
    # As in OpenVINO, elements added by rounding up count only if there are pads.
    return windows.average(data, False if counts else None)


@openvino("AdaptiveAvgPool", 8)
def average(layer: Layer, data: Wide, output_shape: Extents) -> Any:
    """AdaptiveAvgPool-8 --> the sum of each window divided by its number of elements."""
    return averages(data, adaptive_axes(layer, data.extents, output_shape))


@openvino("AdaptiveMaxPool", 8)
def greatest(layer: Layer, data: Data, output_shape: Extents) -> tuple[Any, ...]:
    """AdaptiveMaxPool-8 --> the maximum of each window, and its row-major index in the image."""
    return greatest_of(data, adaptive_axes(layer, data.extents, output_shape))


MODES = {
    "linear_onnx": "linear",
    "bilinear_pillow": "linear",
    "bicubic_pillow": "cubic",
}
"""Mode of a layer --> interpolation, where they differ."""


def _padded(layer: Layer, x: Any, a: Attributes) -> Any:
    """The input padded with zeros as the attributes say."""
    if max(len(a.pads_begin), len(a.pads_end)) > x.ndim:
        raise layer.error(f"{len(a.pads_begin)} and {len(a.pads_end)} pads for {x.ndim} axes")
    for axis, (before, after) in enumerate(zip_longest(a.pads_begin, a.pads_end, fillvalue=0)):
        if before or after:
            x = padded(x, axis, before, after, layer.trace.constant(0, x.element))
    return x


@openvino("Interpolate", 4, 11)
def interpolate(layer: Layer, data: Data, axes: Numbers | None, a: Attributes) -> Any:
    """Interpolate-4 has the inputs sizes and scales, Interpolate-11 one of both."""
    is_pillow = a.mode.endswith("_pillow")
    if a.mode == "linear" and a.antialias:
        # The specification has antialiasing filters; OpenVINO's CPU plugin has none.
        raise layer.unsupported("antialias is not supported")
    # Pillow widens its filters when it shrinks an image, and gives no weight to samples outside.
    # Its cubic coefficient is fixed: OpenVINO ignores cube_coeff.
    method = Method(
        MODES.get(a.mode, a.mode),
        "half_pixel" if is_pillow else a.coordinate_transformation_mode,
        a.nearest_mode,
        -0.5 if is_pillow else a.cube_coeff,
        excludes=is_pillow,
        antialias=is_pillow,
    )
    by_scales = a.shape_calculation_mode == "scales"
    position = 2 if by_scales and layer.schema.since < 11 else 1
    # Pillow has sizes only.
    resized = layer.axes(range(data.ndim) if axes is None else axes, data.ndim)
    wanted = Sizes(layer, resized, by_scales, position, keeps=not is_pillow)
    if not wanted.is_known(data.extents):
        if any((*a.pads_begin, *a.pads_end)):
            raise layer.unsupported("pads with extents or numbers that are known at run time only")
        if is_pillow and by_scales:
            raise layer.unsupported(f"mode {a.mode} with scales or extents known at run time only")
    return resize(layer, _padded(layer, data, a), wanted, method)


@openvino("Interpolate", 1)
def interpolate_1(layer: Layer, data: Data, a: Attributes) -> Any:
    """Interpolate-1: axes are an attribute; coordinates are asymmetric or align corners."""
    if a.mode == "area" or a.antialias:
        raise layer.unsupported(f"mode {a.mode}, antialias {a.antialias}")
    x = _padded(layer, data, a)
    sizes = Sizes(layer, layer.axes(a.axes, data.ndim), False, 1)
    if not sizes.is_known(x.extents):
        raise layer.unsupported("sizes known at run time only are not supported")
    coordinates = "align_corners" if a.align_corners else "asymmetric"
    return resize(layer, x, sizes, Method(a.mode, coordinates, "simple", -0.75))


WEIGHTS = {"R": (0.0, 1.596), "G": (-0.391, -0.813), "B": (2.018, 0.0)}
"""The weights of the two chroma values in each colour."""


def _planes(layer: Layer) -> tuple[Any, Any]:
    """Luma [N, H, W] and chroma [N, H / 2, W / 2, 2].

    Chroma is in its own inputs, or below the luma: interleaved, or one plane below the other.
    """
    is_420 = layer.schema.type.startswith("I420")
    images, rows, width = layer.dims("N H W 1")
    count = len(layer.inputs)
    if count == 2 and is_420:
        raise layer.error("2 inputs, expected 1 or 3")
    half = ex.floordiv(width, 2)
    layer.require("divides", width, ex.const(2), "the width is odd")
    if count == 1:
        layer.require("divides", rows, ex.const(3), "the rows are not three halves of an image")
        height = ex.floordiv(rows, 3) * 2
        parts = (slice(height), slice(height, None))
        first, others = (layer.traced(0)[:, part] for part in parts)
    else:
        height, first, others = rows, layer.traced(0), layer.traced(1)
    layer.require("divides", height, ex.const(2), "the height is odd")
    low = ex.floordiv(height, 2)
    if is_420 and count == 3:
        pairs = onp.concatenate(
            [layer.traced(k).reshape((images, low, half, 1)) for k in (1, 2)], axis=3
        )
    elif is_420:
        pairs = others.reshape((images, 2, low, half)).transpose([0, 2, 3, 1])
    else:
        pairs = others.reshape((images, low, half, 2))
    return first.reshape((images, height, width)), pairs


@openvino("NV12toRGB I420toRGB NV12toBGR I420toBGR", 8)
def coloured(layer: Layer) -> Any:
    """NV12toRGB-8, NV12toBGR-8, I420toRGB-8 and I420toBGR-8 --> [N, H, W, 3]."""
    first, pairs = _planes(layer)
    bright, chroma = first.astype(el.F32) - 16.0, pairs.astype(el.F32) - 128.0
    images, height, width = bright.extents
    blocks = (images, ex.floordiv(height, 2), 2, ex.floordiv(width, 2), 2)
    spread = [
        onp.broadcast_to(chroma[:, :, None, :, None, k], blocks).reshape(bright.extents)
        for k in range(2)
    ]
    colours: list[Any] = []
    for name in layer.schema.type[-3:]:
        value = bright * np.float32(1.164)
        for weight, part in zip(WEIGHTS[name], spread, strict=True):
            if weight:
                value = value + part * np.float32(weight)
        if layer.element().is_integer:
            # Halves are rounded up; negative values become 0 anyway.
            low = onp.floor(value)
            value = onp.where(value - low >= 0.5, low + 1.0, low)
        colours.append(onp.clip(value, 0.0, 255.0))
    return onp.stack(colours, axis=3)
