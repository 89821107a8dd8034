"""Transposed convolutions, whose filters may be in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models.transposed import Transposed

from .row import add
from .window import joined_groups, listed

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def _transposed(layer: Layer, groups: int, filters: SSAValue, shape: Shape) -> SSAValue:
    """Of the first input by filters [C, M / groups, kernel...]."""
    x = layer.shape()
    if len(x) != len(shape) or not 3 <= len(x) <= 5:
        raise layer.error(f"an input {shape_text(x)} and filters {shape_text(shape)} do not fit")
    kernel = tuple(e.constant or 0 for e in shape[2:])
    if any(e.constant is None for e in shape) or 0 in kernel:
        raise layer.unsupported(f"filters {shape_text(shape)}: their extents must be known")
    layer.require("equal", x[1], shape[0], "channels of the input and of the filters")
    rank = len(kernel)
    strides, dilations = (listed(layer, name, rank, 1) for name in ("strides", "dilations"))
    before, sizes = _sizes(layer, kernel, strides, dilations)
    made = Transposed(layer, kernel, strides, dilations, before, sizes, groups)
    return layer.cast(made.of(layer.widened(layer[0]), layer.widened(filters)), layer.element())


def _sizes(
    layer: Layer, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[ex.Expr, ...]]:
    """What is cut off in front, and the spatial extents of the result."""
    rank, auto = len(kernel), layer.attr("auto_pad")
    more = listed(layer, "output_padding", rank, 0) if layer.attr("output_padding") else (0,) * rank
    wanted = layer.known_list(2) if layer.has(2) else None
    if layer.has(2) and wanted is None:
        raise layer.unsupported("input output_shape is not known when compiling")
    if wanted is not None and len(wanted) != rank:
        raise layer.error(f"output_shape has {len(wanted)} extents, expected {rank}")
    is_same = auto in ("same_upper", "same_lower")
    if is_same and wanted is None:
        raise layer.unsupported(f"auto_pad {auto} without output_shape")
    begin, end = (
        (0,) * rank if auto == "valid" or is_same else listed(layer, name, rank, 0)
        for name in ("pads_begin", "pads_end")
    )
    before: list[int] = []
    sizes: list[ex.Expr] = []
    for k, extent in enumerate(layer.shape()[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        whole = (extent - 1) * strides[k] + reach + more[k]
        size = whole - begin[k] - end[k] if wanted is None else wanted[k]
        first = begin[k]
        if is_same:
            total = (whole - size).constant
            if total is None:
                raise layer.unsupported(f"output_shape {size} for the unknown extent {extent}")
            total = max(total, 0)
            # As OpenVINO itself does it: of an odd number there is one more in front in same_upper.
            first = total - total // 2 if auto == "same_upper" else total // 2
        if size.constant is not None and size.constant < 0:
            raise layer.error(f"extent {size} of the result is negative")
        before.append(first)
        sizes.append(size)
    return tuple(before), tuple(sizes)


def convolution_backprop(layer: Layer) -> SSAValue:
    """ConvolutionBackpropData-1: filters [C, M, kernel...]."""
    return _transposed(layer, 1, layer[1], layer.shape(1))


def group_convolution_backprop(layer: Layer) -> SSAValue:
    """GroupConvolutionBackpropData-1: filters [G, C / G, M / G, kernel...]."""
    return _transposed(layer, *joined_groups(layer))


_ATTRIBUTES = (
    "strides:ints! dilations:ints! pads_begin:ints! pads_end:ints! "
    "auto_pad:explicit|notset|same_upper|same_lower|valid=explicit output_padding:ints="
)
_TYPES = {"T": el.FLOAT, "I": el.INTEGER}
_INPUTS = "data:T filters:T output_shape:I?"
add("ConvolutionBackpropData", 1, _INPUTS, _TYPES, convolution_backprop, _ATTRIBUTES)
add("GroupConvolutionBackpropData", 1, _INPUTS, _TYPES, group_convolution_backprop, _ATTRIBUTES)
