"""Images: Interpolate, and RGB from luma and chroma, which four pixels share (4:2:0)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.pads import padded
from opc.frontend.models.resize import Method
from opc.frontend.models.sizes import Sizes, resize

from .layer import Layer
from .schema import openvino

MODES = {
    "linear_onnx": "linear",
    "bilinear_pillow": "linear",
    "bicubic_pillow": "cubic",
}
"""Mode of a layer --> interpolation, where they differ."""


def _padded(layer: Layer) -> Any:
    """The input padded with zeros as the attributes say."""
    x, zero = layer.traced(0), layer.trace.constant(0, layer.element())
    befores, afters = layer.attr("pads_begin"), layer.attr("pads_end")
    if max(len(befores), len(afters)) > layer.rank():
        raise layer.error(f"{len(befores)} and {len(afters)} pads for {layer.rank()} axes")
    for axis, (before, after) in enumerate(zip_longest(befores, afters, fillvalue=0)):
        if before or after:
            x = padded(x, axis, before, after, zero)
    return x


@openvino("Interpolate", 4, 11)
def interpolate(layer: Layer) -> Any:
    """Interpolate-4 has the inputs sizes and scales, Interpolate-11 one of both."""
    scales, axes = (2, 3) if layer.schema.since < 11 else (1, 2)
    mode, rank = layer.attr("mode"), layer.rank()
    is_pillow = mode.endswith("_pillow")
    if mode == "linear" and layer.attr("antialias"):
        # The specification has antialiasing filters; OpenVINO's CPU plugin has none.
        raise layer.unsupported("antialias is not supported")
    # Pillow widens its filters when it shrinks an image, and gives no weight to samples outside.
    # Its cubic coefficient is fixed: OpenVINO ignores cube_coeff.
    method = Method(
        MODES.get(mode, mode),
        "half_pixel" if is_pillow else layer.attr("coordinate_transformation_mode"),
        layer.attr("nearest_mode"),
        -0.5 if is_pillow else layer.attr("cube_coeff"),
        excludes=is_pillow,
        antialias=is_pillow,
    )
    by_scales = layer.attr("shape_calculation_mode") == "scales"
    position = scales if by_scales else 1
    # Pillow has sizes only.
    resized = layer.axes(layer.numbers(axes) if layer.has(axes) else range(rank), rank)
    wanted = Sizes(layer, resized, by_scales, position, keeps=not is_pillow)
    has_pads = any((*layer.attr("pads_begin"), *layer.attr("pads_end")))
    if not wanted.is_known(layer.shape()):
        if has_pads:
            raise layer.unsupported("pads with extents or numbers that are known at run time only")
        if is_pillow and by_scales:
            raise layer.unsupported(f"mode {mode} with scales or extents known at run time only")
    return resize(layer, _padded(layer), wanted, method)


@openvino("Interpolate", 1)
def interpolate_1(layer: Layer) -> Any:
    """Interpolate-1: axes are an attribute; coordinates are asymmetric or align corners."""
    mode, axes = layer.attr("mode"), layer.axes(layer.attr("axes"), layer.rank())
    if mode == "area" or layer.attr("antialias"):
        raise layer.unsupported(f"mode {mode}, antialias {layer.attr('antialias')}")
    x = _padded(layer)
    sizes = Sizes(layer, axes, False, 1)
    if not sizes.is_known(x.extents):
        raise layer.unsupported("sizes known at run time only are not supported")
    coordinates = "align_corners" if layer.attr("align_corners") else "asymmetric"
    return resize(layer, x, sizes, Method(mode, coordinates, "simple", -0.75))


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


@openvino("NV12toRGB", 8)
@openvino("I420toRGB", 8)
@openvino("NV12toBGR", 8)
@openvino("I420toBGR", 8)
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
    return onp.stack(colours, axis=3).astype(layer.element())
