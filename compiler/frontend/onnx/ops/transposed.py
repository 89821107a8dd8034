"""ConvTranspose."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.frontend.models.op_builder import Result
from opc.frontend.models.windows import integers, kernel_of, transposed

from .node import Node
from .schema import onnx
from .window import AUTO_PADS, SAME, biased, check_kernel_shape


@onnx("ConvTranspose", 1, 11, 22)
def conv_transpose(node: Node) -> Result:
    """ConvTranspose(x, w, b) --> opc.conv_transpose x, w, plus b per filter; rounded once."""
    kernel, auto = kernel_of(node, node.shape(0), node.shape(1), 5), node.attr("auto_pad")
    rank = len(kernel)
    check_kernel_shape(node, kernel, node.shape(1))
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
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
    filters = node.traced(1)
    y = transposed(node, filters, strides, dilations, padding, pads, wanted, upper, groups)
    return node.cast(biased(node, y.value, 2), node.element())
