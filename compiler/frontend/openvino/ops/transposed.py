"""Transposed convolutions, whose filters may be in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.contraction import ConvTransposeOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models.parts import sliced

from .schema import add
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
    if 0 in kernel:
        raise layer.unsupported(f"filters {shape_text(shape)}: their extents must be known")
    rank = len(kernel)
    strides, dilations = (listed(layer, name, rank, 1) for name in ("strides", "dilations"))
    pads, padding, stops = _pads(layer, kernel, strides, dilations)
    y = layer.add(
        ConvTransposeOp(
            layer.widened(layer[0]),
            layer.widened(filters),
            strides=strides,
            dilations=dilations,
            pads=pads,
            output_padding=padding,
            groups=groups,
        )
    )
    if stops:
        for axis, stop in stops.items():
            is_there = ex.atleast(shape_of(tensor_of(y))[axis], stop)
            layer.require("equal", is_there, ex.const(1), "output_shape is longer than the result")
        y = sliced(layer, y, list(stops), [(0, stop, 1) for stop in stops.values()])
    return layer.cast(y, layer.element())


def _pads(
    layer: Layer, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...], dict[int, ex.Expr]]:
    """The results that are cut off before and after each spatial axis, and those behind.

    Also where each axis ends that is cut off at a place, not by a number of results.
    """
    rank, auto = len(kernel), layer.attr("auto_pad")
    more = listed(layer, "output_padding", rank, 0) if layer.attr("output_padding") else (0,) * rank
    wanted = layer.known_list(2) if layer.has(2) else None
    if layer.has(2) and wanted is None:
        raise layer.unsupported("input output_shape is not known when compiling")
    if wanted is not None and len(wanted) != rank:
        raise layer.error(f"output_shape has {len(wanted)} extents, expected {rank}")
    is_same = auto in ("same_upper", "same_lower")
    begin, end = (
        (0,) * rank if auto == "valid" or is_same else listed(layer, name, rank, 0)
        for name in ("pads_begin", "pads_end")
    )
    if wanted is None:
        # Nothing is cut off then that would be distributed by auto_pad.
        return (*begin, *end), more, {}
    before, after, behind = list[int](), list[int](), list[int]()
    stops: dict[int, ex.Expr] = {}
    for k, extent in enumerate(layer.shape()[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        whole = (extent - 1) * strides[k] + reach + more[k]
        total = (whole - wanted[k]).constant
        if total is None and is_same:
            raise layer.unsupported(
                f"output_shape {extent_text(wanted[k])} for the unknown extent "
                f"{extent_text(extent)}"
            )
        if total is None:
            # Even of an empty input there are as many results then.
            shortest, number = reach - strides[k] + more[k], wanted[k].constant or 0
            stops[k + 2], total = wanted[k], min(begin[k], shortest - number)
        # What is longer than all that filters reach has zeros behind.
        first = begin[k]
        if is_same:
            # As OpenVINO itself does it: of an odd number there is one more in front in same_upper.
            first = max(total, 0)
            first = first - first // 2 if auto == "same_upper" else first // 2
        before.append(first)
        after.append(max(total - first, 0))
        behind.append(more[k] + max(first - total, 0))
    return (*before, *after), tuple(behind), stops


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
