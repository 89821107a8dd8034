"""Interpolate, by scales or sizes that are known when compiling or at run time."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

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


def _places(layer: Layer, axes: int) -> tuple[int, ...]:
    """The axes that are resized."""
    numbers = layer.known_numbers(axes) if layer.has(axes) else tuple(range(layer.rank()))
    if numbers is None:
        raise layer.unsupported("input axes is not known when compiling")
    return layer.axes(numbers, layer.rank())


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


def _interpolate(layer: Layer, scales: int, sizes: int, axes: int) -> Any:
    mode = layer.attr("mode")
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
    position = scales if by_scales else sizes
    # Pillow has sizes only.
    wanted = Sizes(layer, _places(layer, axes), by_scales, position, keeps=not is_pillow)
    has_pads = any((*layer.attr("pads_begin"), *layer.attr("pads_end")))
    if not wanted.is_known(layer.shape()):
        if has_pads:
            raise layer.unsupported("pads with extents or numbers that are known at run time only")
        if is_pillow and by_scales:
            raise layer.unsupported(f"mode {mode} with scales or extents known at run time only")
    return resize(layer, _padded(layer), wanted, method)


@openvino("Interpolate", 4)
def interpolate_4(layer: Layer) -> Any:
    """Interpolate-4: shape_calculation_mode chooses between the inputs sizes and scales."""
    return _interpolate(layer, 2, 1, 3)


@openvino("Interpolate", 11)
def interpolate_11(layer: Layer) -> Any:
    """Interpolate-11: sizes or scales."""
    return _interpolate(layer, 1, 1, 2)


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
