"""Conv and ConvTranspose, and the window attributes that they share with pooling."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.shape import Shape, element, shape_of, shape_text, tensor_of
from opc.frontend.models import windows
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.windows import automatic_pads, integers, kernel_of, transposed

from .node import Node
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
    node.choice("auto_pad", *AUTO_PADS)
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
    return windows.convolved(node, data, filters, strides, dilations, pads, node.attr("group"))


def biased(node: Node, y: SSAValue, position: int) -> SSAValue:
    """A convolution result plus an optional bias per filter."""
    if not node.has(position):
        return y
    _, filters, *positions = shape_of(tensor_of(y))
    node.require("equal", node.ranked(position, 1)[0], filters, "a bias for each filter")
    bias = node.cast(node[position], element(tensor_of(y)))
    return node.binary("add", y, node.reshape(bias, (filters, *[1] * len(positions))))


@onnx("Conv", 1, 11, 22)
def conv(node: Node) -> Result:
    """Conv(x, w, b) --> opc.conv x, w, plus b per filter; rounded once."""
    x, w = (node.widened(node[k]) for k in range(2))
    return node.cast(biased(node, convolved(node, x, w), 2), node.element())


@onnx("ConvTranspose", 1, 11, 22)
def conv_transpose(node: Node) -> Result:
    """ConvTranspose(x, w, b) --> opc.conv_transpose x, w, plus b per filter; rounded once."""
    kernel = kernel_of(node, node.shape(0), node.shape(1), 5)
    rank, auto = len(kernel), node.choice("auto_pad", *AUTO_PADS)
    check_kernel_shape(node, kernel, node.shape(1))
    strides, dilations = (integers(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    padding, pads = integers(node, "output_padding", rank, 0, 0), None
    wanted: list[ex.Expr] | None = None
    if node.attr("output_shape"):
        wanted = [ex.const(n) for n in integers(node, "output_shape", rank, 0, 0)]
    elif auto in SAME:
        wanted = [e * s for e, s in zip(node.shape()[2:], strides, strict=True)]
    else:
        pads = integers(node, "pads", 2 * rank, 0, 0) if auto == "NOTSET" else (0,) * (2 * rank)
    upper, groups = auto == "SAME_UPPER", node.attr("group")
    y = transposed(node, node[1], strides, dilations, padding, pads, wanted, upper, groups)
    return node.cast(biased(node, y, 2), node.element())
