"""ConvTranspose."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.contraction import ConvTransposeOp
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result

from .node import Node
from .normalization import wide
from .schema import onnx
from .window import AUTO_PADS, SAME, biased, check_kernel_shape, listed


@onnx("ConvTranspose", 1, 11, 22)
def conv_transpose(node: Node) -> Result:
    """ConvTranspose(x, w, b) --> opc.conv_transpose x, w, plus b per filter; rounded once."""
    x, w = node.shape(0), node.shape(1)
    if len(x) != len(w) or not 3 <= len(x) <= 5:
        raise node.error(f"an input {shape_text(x)} and filters {shape_text(w)} do not fit")
    rank = len(w) - 2
    kernel = tuple(e.constant or 0 for e in w[2:])
    if 0 in kernel:
        raise node.unsupported(f"filters {shape_text(w)}: their extents must be known, and not 0")
    check_kernel_shape(node, kernel, w)
    strides, dilations = (listed(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    pads, padding = _pads(node, kernel, strides, dilations)
    y = node.add(
        ConvTransposeOp(
            *(node.cast(node[k], wide(node.element())) for k in range(2)),
            strides=strides,
            dilations=dilations,
            pads=pads,
            output_padding=padding,
            groups=node.attr("group"),
        )
    )
    return node.cast(biased(node, y, 2), node.element())


def _pads(
    node: Node, kernel: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The results cropped before and after each spatial axis, and the output padding."""
    rank, auto = len(kernel), node.attr("auto_pad")
    if auto not in AUTO_PADS:
        raise node.error(f"attribute auto_pad is {auto!r}, expected {', '.join(AUTO_PADS)}")
    padding = listed(node, "output_padding", rank, 0, 0)
    wanted = listed(node, "output_shape", rank, 0, 0) if node.attr("output_shape") else None
    if wanted is None and auto not in SAME:
        pads = listed(node, "pads", 2 * rank, 0, 0) if auto == "NOTSET" else (0,) * (2 * rank)
        return pads, padding
    before, after, behind = list[int](), list[int](), list[int]()
    for k, extent in enumerate(node.shape(0)[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        full = (extent - 1) * strides[k] + reach + padding[k]
        size = extent * strides[k] if wanted is None else ex.const(wanted[k])
        total = (full - size).constant
        if total is None:
            raise node.unsupported(
                f"output_shape {wanted} for the unknown extent {extent_text(extent)}"
            )
        # Results beyond the reach of the filters are zeros.
        behind.append(padding[k] + max(-total, 0))
        total = max(total, 0)
        before.append(total // 2 if auto == "SAME_UPPER" else total - total // 2)
        after.append(total - before[-1])
    return (*before, *after), tuple(behind)
