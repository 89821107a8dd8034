"""Transposed convolutions, whose filters may be in groups."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.shape import Shape
from opc.frontend.models.windows import integers, kernel_of, transposed

from .layer import Layer
from .schema import openvino
from .window import joined_groups


def _transposed(layer: Layer, groups: int, filters: SSAValue, shape: Shape) -> SSAValue:
    """The transposed convolution of input 0 with filters [C, M / groups, kernel...]."""
    rank, auto = len(kernel_of(layer, layer.shape(), shape, 5)), layer.attr("auto_pad")
    strides, dilations = (integers(layer, name, rank, 1) for name in ("strides", "dilations"))
    padding = integers(layer, "output_padding", rank, 0, 0)
    wanted = layer.known_list(2) if layer.has(2) else None
    if layer.has(2) and wanted is None:
        raise layer.unsupported("input output_shape is not known when compiling")
    if wanted is not None and len(wanted) != rank:
        raise layer.error(f"output_shape has {len(wanted)} extents, expected {rank}")
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
    return layer.cast(y, layer.element())


@openvino("ConvolutionBackpropData", 1)
def convolution_backprop(layer: Layer) -> SSAValue:
    """ConvolutionBackpropData-1: filters [C, M, kernel...]."""
    return _transposed(layer, 1, layer[1], layer.shape(1))


@openvino("GroupConvolutionBackpropData", 1)
def group_convolution_backprop(layer: Layer) -> SSAValue:
    """GroupConvolutionBackpropData-1: filters [G, C / G, M / G, kernel...]."""
    return _transposed(layer, *joined_groups(layer))
