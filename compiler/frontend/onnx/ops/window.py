"""Conv, and the window attributes that convolutions and pooling share."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.shape import Shape, element, shape_of, shape_text, tensor_of, type_text
from opc.frontend.models import windows
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.windows import automatic_pads, integers, kernel_of

from .node import Node
from .normalization import wide
from .schema import onnx

SAME = ("SAME_UPPER", "SAME_LOWER")
AUTO_PADS = ("NOTSET", "VALID", *SAME)


def check_kernel_shape(node: Node, kernel: tuple[int, ...], filters: Shape) -> None:
    """InputError if attribute kernel_shape differs from the extents of the filters."""
    if integers(node, "kernel_shape", len(kernel), 0, 0) != kernel and node.attr("kernel_shape"):
        raise node.error(f"attribute kernel_shape does not fit filters {shape_text(filters)}")


def pads_of(
    node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[IntExpr, ...]:
    """The pads before all spatial axes, then after them."""
    auto = node.attr("auto_pad")
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
    pads = automatic_pads(node, kernel, strides, dilations)
    return integers(node, "pads", 2 * len(kernel), 0, 0) if pads is None else pads


def convolved(node: Node, data: SSAValue, filters: SSAValue) -> SSAValue:
    """opc.conv of data and filters of one element type, by the node's attributes."""
    shape = shape_of(tensor_of(filters))
    kernel = kernel_of(node, shape_of(tensor_of(data)), shape)
    check_kernel_shape(node, kernel, shape)
    strides, dilations = (
        integers(node, name, len(kernel), 1, 1) for name in ("strides", "dilations")
    )
    pads = pads_of(node, kernel, strides, dilations)
    x, w = map(node.trace.array, (data, filters))
    return windows.convolved(x, w, strides, dilations, pads, node.attr("group")).value


def biased(node: Node, y: SSAValue, position: int) -> SSAValue:
    """A convolution result plus an optional bias per filter."""
    if not node.has(position):
        return y
    if len(node.shape(position)) != 1:
        raise node.error(f"the bias {type_text(node[position].type)} is not a list of numbers")
    _, filters, *positions = shape_of(tensor_of(y))
    node.require("equal", node.shape(position)[0], filters, "a bias for each filter")
    bias = node.cast(node[position], element(tensor_of(y)))
    return node.binary("add", y, node.reshape(bias, (filters, *[1] * len(positions))))


@onnx("Conv", 1, 11, 22)
def conv(node: Node) -> Result:
    """Conv(x, w, b) --> opc.conv x, w, plus b per filter; rounded once."""
    x, w = (node.cast(node[k], wide(node.element())) for k in range(2))
    return node.cast(biased(node, convolved(node, x, w), 2), node.element())
