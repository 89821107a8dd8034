"""What filters and windows see: convolutions."""

from __future__ import annotations

from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.padding import same_pads

from .node import Node, Result
from .normalization import wide
from .row import BF16, FLOAT, add

SAME = ("SAME_UPPER", "SAME_LOWER")
AUTO_PADS = ("NOTSET", "VALID", *SAME)


def listed(node: Node, name: str, count: int, default: int, least: int) -> tuple[int, ...]:
    """An attribute with a number for each spatial axis; an error if it is none."""
    values = node.attr(name) or (default,) * count
    if len(values) != count or any(v < least for v in values):
        raise node.error(
            f"attribute {name} is {list(values)}, expected {count} integers from {least} on"
        )
    return tuple(values)


def pads_of(
    node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[int, ...]:
    """The pads before each spatial axis, then after each."""
    auto, rank = node.attr("auto_pad"), len(kernel)
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
    if auto == "NOTSET":
        return listed(node, "pads", 2 * rank, 0, 0)
    if auto == "VALID":
        return (0,) * (2 * rank)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    extents = node.shape()[2:]
    return same_pads(extents, reach, strides, auto == "SAME_UPPER", node.unsupported)


def conv(node: Node) -> Result:
    """Conv(x, w, b) --> opc.conv x, w, then b for each filter; rounded once."""
    x, w = node.shape(0), node.shape(1)
    if len(x) != len(w) or len(x) < 3:
        raise node.error(f"an input {shape_text(x)} and filters {shape_text(w)} do not fit")
    rank = len(w) - 2
    kernel = [e.constant for e in w[2:]]
    if any(k is None for k in kernel):
        raise node.unsupported(f"the extents of filters {shape_text(w)} are unknown")
    known = tuple(k or 0 for k in kernel)
    if listed(node, "kernel_shape", rank, 0, 0) != known and node.attr("kernel_shape"):
        raise node.error(f"attribute kernel_shape does not fit filters {shape_text(w)}")
    strides, dilations = (listed(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    type = wide(node.element())
    y = node.add(
        ConvOp(
            node.cast(node[0], type),
            node.cast(node[1], type),
            strides=strides,
            dilations=dilations,
            pads=pads_of(node, known, strides, dilations),
            groups=node.attr("group"),
        )
    )
    if node.has(2):
        if len(node.shape(2)) != 1:
            raise node.error(f"the bias {tensor_of(node[2])} is no list of numbers")
        filters = shape_of(tensor_of(y))[1]
        node.require("equal", node.shape(2)[0], filters, "a bias for each filter")
        bias = node.reshape(node.cast(node[2], type), (filters, *[1] * rank))
        y = node.binary("add", y, bias)
    return node.cast(y, node.element())


_CONV = "auto_pad:string=NOTSET dilations:ints group:int=1 kernel_shape:ints pads:ints strides:ints"
for _since, _types in ((1, FLOAT), (11, FLOAT), (22, FLOAT | BF16)):
    add("Conv", _since, "X:T W:T B?:T -> Y:T", _types, conv, _CONV)
