"""Interpolate, by scales or sizes that are known when compiling, or that only a run knows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from opc.dialects import element as el
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pads import padded
from opc.frontend.models.resize import Axis, Method, resized
from opc.frontend.onnx.ops.resize_run_time import resize_at_run_time

from .adapter import NodeAdapter
from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


MODES = {
    "linear_onnx": "linear",
    "bilinear_pillow": "linear",
    "bicubic_pillow": "cubic",
}
"""What lies between elements, by the modes that say more than that."""


def _places(layer: Layer, axes: int) -> tuple[int, ...]:
    """The axes that are resized."""
    listed = layer.known_numbers(axes) if layer.has(axes) else tuple(range(layer.rank()))
    if listed is None:
        raise layer.unsupported("input axes is not known when compiling")
    return layer.axes(listed, layer.rank())


def _padded(layer: Layer, x: SSAValue) -> SSAValue:
    """x among zeros, by so many as the attributes say."""
    zero = layer.constant(0, element(tensor_of(x)))
    befores, afters = layer.attr("pads_begin"), layer.attr("pads_end")
    if max(len(befores), len(afters)) > layer.rank():
        raise layer.error(f"{len(befores)} and {len(afters)} pads for {layer.rank()} axes")
    for axis, (before, after) in enumerate(zip_longest(befores, afters, fillvalue=0)):
        if before or after:
            x = padded(layer, x, axis, before, after, zero)
    return x


def _axes(
    layer: Layer, shape: Shape, places: Sequence[int], numbers: Sequence[float]
) -> list[Axis]:
    """How each axis of a shape is resized by scales or to sizes that are known."""
    by_scales = layer.attr("shape_calculation_mode") == "scales"
    found: list[Axis] = []
    for axis, number in zip(places, numbers, strict=True):
        extent = shape[axis].constant
        if number == 1 if by_scales else extent == number:
            continue
        assert extent is not None
        if not 0 < number < math.inf or extent == 0:
            raise layer.error(f"axis {axis} of extent {extent} cannot be resized by {number}")
        size = int(np.float32(number) * np.float32(extent)) if by_scales else int(number)
        # Pillow knows sizes only.
        keeps = by_scales and not layer.attr("mode").endswith("_pillow")
        scale = number if keeps else float(np.float32(size) / np.float32(extent))
        if size == 0:
            raise layer.unsupported(f"axis {axis} of extent {extent} becomes 0")
        found.append(Axis(axis, extent, size, scale))
    return found


def _numbers(layer: Layer, position: int, places: Sequence[int]) -> list[float] | None:
    """Scales or sizes; None if only a run knows them, or an extent that they change."""
    by_scales = layer.attr("shape_calculation_mode") == "scales"
    if by_scales:
        op = layer[position].owner
        numbers = None
        if isinstance(op, ConstantOp):
            numbers = [float(v) for v in op.array().reshape(-1)]
    else:
        known = layer.known_numbers(position)
        numbers = None if known is None else [float(n) for n in known]
    if numbers is None:
        return None
    if len(numbers) != len(places):
        raise layer.error(f"{len(numbers)} numbers for {len(places)} axes")
    extents = (layer.shape()[axis].constant for axis in places)
    unknown = (
        e is None and not (by_scales and n == 1) for e, n in zip(extents, numbers, strict=True)
    )
    return None if any(unknown) else numbers


def _interpolate(layer: Layer, scales: int, sizes: int, axes: int) -> Result:
    mode = layer.attr("mode")
    is_pillow = mode.endswith("_pillow")
    if mode == "linear" and layer.attr("antialias"):
        # The specification has filters that are as wide as steps; OpenVINO's plugin has none.
        raise layer.unsupported("antialias is not supported")
    # Pillow widens its filters where it makes an image smaller, and sees nothing beside it.  Its
    # cubic one has a factor of its own, which OpenVINO takes whatever cube_coeff says.
    method = Method(
        MODES.get(mode, mode),
        "half_pixel" if is_pillow else layer.attr("coordinate_transformation_mode"),
        layer.attr("nearest_mode"),
        -0.5 if is_pillow else layer.attr("cube_coeff"),
        excludes=is_pillow,
        antialias=is_pillow,
    )
    type = layer.element()
    if mode != "nearest" and not type.is_float:
        raise layer.unsupported(f"mode {mode} of {type}: expected floating-point numbers")
    places, by_scales = _places(layer, axes), layer.attr("shape_calculation_mode") == "scales"
    numbers = _numbers(layer, scales if by_scales else sizes, places)
    has_pads = any((*layer.attr("pads_begin"), *layer.attr("pads_end")))
    if numbers is None:
        if has_pads:
            raise layer.unsupported("pads, where only a run knows extents or numbers")
        if is_pillow and by_scales:
            raise layer.unsupported(f"mode {mode} by scales that only a run knows, or of extents")
        given = layer.inputs[scales] if by_scales else None
        wanted = None if by_scales else layer.inputs[sizes]
        node = NodeAdapter(layer, "Resize", 19, [layer.inputs[0], None, given, wanted])
        inputs = (None, 2, None if by_scales else 3)
        return resize_at_run_time(node, method, places, inputs, "stretch", 0.0)
    x = layer[0] if mode == "nearest" else layer.widened(layer[0])
    x = _padded(layer, x) if has_pads else x
    axes_of = _axes(layer, shape_of(tensor_of(x)), places, numbers)
    return layer.cast(_resized(layer, x, axes_of, method), type)


def _resized(layer: Layer, x: SSAValue, axes: Sequence[Axis], method: Method) -> SSAValue:
    """x with axes resized."""
    for axis in axes:
        x = resized(layer, x, axis, method)
    return x


def interpolate_4(layer: Layer) -> Result:
    """Interpolate-4: sizes and scales are inputs both, of which a mode says which counts."""
    return _interpolate(layer, 2, 1, 3)


def interpolate_11(layer: Layer) -> Result:
    """Interpolate-11: sizes or scales."""
    return _interpolate(layer, 1, 1, 2)


def interpolate_1(layer: Layer) -> Result:
    """Interpolate-1: axes are an attribute, and coordinates begin at 0 or go from end to end."""
    mode, axes = layer.attr("mode"), layer.axes(layer.attr("axes"), layer.rank())
    if mode == "area" or layer.attr("antialias"):
        raise layer.unsupported(f"mode {mode}, antialias {layer.attr('antialias')}")
    type = layer.element()
    x = _padded(layer, layer[0] if mode == "nearest" else layer.widened(layer[0]))
    sizes = layer.known_numbers(1)
    extents = [shape_of(tensor_of(x))[axis].constant for axis in axes]
    if sizes is None or None in extents:
        raise layer.unsupported("sizes that only a run knows are not supported")
    if len(sizes) != len(axes):
        raise layer.error(f"{len(sizes)} numbers for {len(axes)} axes")
    if mode != "nearest" and not type.is_float:
        raise layer.unsupported(f"mode {mode} of {type}: expected floating-point numbers")
    coordinates = "align_corners" if layer.attr("align_corners") else "asymmetric"
    how = Method(mode, coordinates, "simple", -0.75)
    found: list[Axis] = []
    for axis, extent, size in zip(axes, extents, sizes, strict=True):
        if not extent or size < 1:
            raise layer.error(f"axis {axis} of extent {extent} cannot become {size}")
        if extent != size:
            found.append(Axis(axis, extent, size, float(np.float32(size) / np.float32(extent))))
    return layer.cast(_resized(layer, x, found, how), type)


_ATTRIBUTES = (
    "mode:nearest|linear|linear_onnx|cubic|bilinear_pillow|bicubic_pillow! "
    "shape_calculation_mode:sizes|scales! "
    "coordinate_transformation_mode:half_pixel|pytorch_half_pixel|asymmetric|"
    "tf_half_pixel_for_nn|align_corners=half_pixel "
    "nearest_mode:round_prefer_floor|round_prefer_ceil|floor|ceil|simple=round_prefer_floor "
    "antialias:bool=false pads_begin:ints= pads_end:ints= cube_coeff:float=-0.75"
)
_TYPES = {"T": el.ANY, "I": el.INTEGER, "F": el.FLOAT, "J": el.INTEGER}
_TYPES["S"] = el.FLOAT | el.INTEGER
add("Interpolate", 4, "data:T sizes:I scales:F axes:J?", _TYPES, interpolate_4, _ATTRIBUTES)
add("Interpolate", 11, "data:T sizes_or_scales:S axes:J?", _TYPES, interpolate_11, _ATTRIBUTES)
add(
    "Interpolate",
    1,
    "data:T sizes:I",
    {"T": el.ANY, "I": el.INTEGER},
    interpolate_1,
    "axes:ints! mode:nearest|linear|cubic|area! align_corners:bool=true antialias:bool=false "
    "pads_begin:ints= pads_end:ints=",
)
