"""Conv, and the window attributes that convolutions and pooling share."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import Shape, element, shape_of, shape_text, tensor_of, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.padding import same_pads, with_unknown_pads
from opc.frontend.models.parts import IntExpr

from .node import Node
from .normalization import wide
from .schema import onnx

SAME = ("SAME_UPPER", "SAME_LOWER")
AUTO_PADS = ("NOTSET", "VALID", *SAME)


def listed(node: Node, name: str, count: int, default: int, least: int) -> tuple[int, ...]:
    """An attribute of ``count`` integers from ``least`` on.  InputError for others."""
    values = node.attr(name) or (default,) * count
    if len(values) != count or any(v < least for v in values):
        raise node.error(
            f"attribute {name} is {list(values)}, expected {count} integers from {least} on"
        )
    return tuple(values)


def check_kernel_shape(node: Node, kernel: tuple[int, ...], filters: Shape) -> None:
    """InputError if attribute kernel_shape differs from the extents of the filters."""
    if listed(node, "kernel_shape", len(kernel), 0, 0) != kernel and node.attr("kernel_shape"):
        raise node.error(f"attribute kernel_shape does not fit filters {shape_text(filters)}")


def pads_of(
    node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[IntExpr, ...]:
    """The pads before all spatial axes, then after them."""
    auto, rank = node.attr("auto_pad"), len(kernel)
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
    if auto == "NOTSET":
        return listed(node, "pads", 2 * rank, 0, 0)
    if auto == "VALID":
        return (0,) * (2 * rank)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    return same_pads(node.shape()[2:], reach, strides, auto == "SAME_UPPER")


def convolved(node: Node, data: SSAValue, filters: SSAValue) -> SSAValue:
    """opc.conv of data and filters of one element type, by the node's attributes."""
    x, w = shape_of(tensor_of(data)), shape_of(tensor_of(filters))
    if len(x) != len(w) or len(x) < 3:
        raise node.error(f"an input {shape_text(x)} and filters {shape_text(w)} do not fit")
    rank = len(w) - 2
    kernel = [e.constant for e in w[2:]]
    if any(k is None for k in kernel):
        raise node.unsupported(f"the extents of filters {shape_text(w)} are unknown")
    known = tuple(k or 0 for k in kernel)
    check_kernel_shape(node, known, w)
    strides, dilations = (listed(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    pads = pads_of(node, known, strides, dilations)
    data, left = with_unknown_pads(node, data, pads, node.constant(0, element(tensor_of(data))))
    return node.add(
        ConvOp(
            data,
            filters,
            strides=strides,
            dilations=dilations,
            pads=left,
            groups=node.attr("group"),
        )
    )


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
