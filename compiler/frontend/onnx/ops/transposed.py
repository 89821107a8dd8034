"""Transposed convolution."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.transposed import Transposed

from .node import Node
from .normalization import wide
from .row import BF16, FLOAT, add
from .window import AUTO_PADS, SAME, biased, check_kernel_shape, listed


def conv_transpose(node: Node) -> Result:
    """ConvTranspose(x, w, b) --> convolutions for the phases of the strides, plus b."""
    x, w = node.shape(0), node.shape(1)
    if len(x) != len(w) or not 3 <= len(x) <= 5:
        raise node.error(f"an input {shape_text(x)} and filters {shape_text(w)} do not fit")
    rank = len(w) - 2
    kernel = tuple(e.constant or 0 for e in w[1:])[1:]
    if any(e.constant is None for e in w) or 0 in kernel:
        raise node.unsupported(f"filters {shape_text(w)}: their extents must be known, and not 0")
    check_kernel_shape(node, kernel, w)
    groups = node.attr("group")
    if groups < 1 or (w[0].constant or 0) % groups:
        raise node.error(f"{w[0]} channels cannot be divided into {groups} groups")
    node.require("equal", x[1], w[0], "channels of the input and of the filters")
    strides, dilations = (listed(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    before, sizes = _sizes(node, kernel, strides, dilations)
    type = wide(node.element())
    made = Transposed(node, kernel, strides, dilations, before, sizes, groups)
    y = made.of(node.cast(node[0], type), node.cast(node[1], type))
    return node.cast(biased(node, y, 2), node.element())


def _sizes(
    node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[ex.Expr, ...]]:
    """What is cut off in front, and the spatial extents of the result."""
    rank, auto = len(kernel), node.attr("auto_pad")
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
    more = listed(node, "output_padding", rank, 0, 0)
    pads = listed(node, "pads", 2 * rank, 0, 0) if auto == "NOTSET" else (0,) * (2 * rank)
    wanted = listed(node, "output_shape", rank, 0, 0) if node.attr("output_shape") else None
    before: list[int] = []
    sizes: list[ex.Expr] = []
    for k, extent in enumerate(node.shape(0)[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        whole = (extent - 1) * strides[k] + reach + more[k]
        if wanted is None and auto not in SAME:
            before.append(pads[k])
            sizes.append(whole - pads[k] - pads[rank + k])
            continue
        size = extent * strides[k] if wanted is None else ex.const(wanted[k])
        total = (whole - size).constant
        if total is None:
            raise node.unsupported(f"output_shape {wanted} for the unknown extent {extent}")
        # What is longer than all that filters reach has zeros behind.
        total = max(total, 0)
        before.append(total // 2 if auto == "SAME_UPPER" else total - total // 2)
        sizes.append(size)
    for size in sizes:
        if size.constant is not None and size.constant < 0:
            raise node.error(f"the result would have the extents {shape_text(tuple(sizes))}")
    return tuple(before), tuple(sizes)


_ATTRIBUTES = (
    "auto_pad:string=NOTSET dilations:ints group:int=1 kernel_shape:ints output_padding:ints "
    "output_shape:ints pads:ints strides:ints"
)
for _since, _types in ((1, FLOAT), (11, FLOAT), (22, FLOAT | BF16)):
    add("ConvTranspose", _since, "X:T W:T B?:T -> Y:T", _types, conv_transpose, _ATTRIBUTES)
