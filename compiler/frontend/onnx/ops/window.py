"""Convolutions and pooling: their window attributes, and reductions over windows.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models import windows
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows
from opc.frontend.models.traced import traced, value
from opc.frontend.models.windows import (
    automatic_pads,
    integers,
    kernel_of,
    positions_of_greatest,
    transposed,
)

from .node import Node
from .schema import Result, onnx

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


def convolved(node: Node, data: Any, filters: Any) -> Any:
    """opc.conv of data and filters of one element type, by the node's attributes."""
    x, w = map(node.trace.array, (data, filters))
    kernel = kernel_of(node, x.extents, w.extents)
    check_kernel_shape(node, kernel, w.extents)
    strides, dilations = (
        integers(node, name, len(kernel), 1, 1) for name in ("strides", "dilations")
    )
    pads = pads_of(node, kernel, strides, dilations)
    return windows.convolved(x, w, strides, dilations, pads, node.attr("group"))


def biased(node: Node, y: Any, position: int) -> Any:
    """A convolution result plus an optional bias per filter."""
    if not node.has(position):
        return y
    _, filters, *positions = y.extents
    node.require("equal", node.ranked(position, 1)[0], filters, "a bias for each filter")
    return y + node.traced(position, y.element).reshape((filters, *[1] * len(positions)))


@onnx("Conv", 1, 11, 22)
def conv(node: Node) -> Result:
    """Conv(x, w, b) --> opc.conv x, w, plus b per filter; rounded once."""
    x, w, *_ = traced(node)
    return value(node, biased(node, convolved(node, x, w), 2))


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
    filters = node.traced(1)
    y = transposed(node, filters, strides, dilations, padding, pads, wanted, upper, groups)
    return value(node, biased(node, y, 2))


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.ranked(0, least=3)) - 2
    kernel = integers(node, "kernel_shape", rank, 1, 0)
    strides = integers(node, "strides", rank, 1, 1)
    dilations = integers(node, "dilations", rank, 1, 1)
    pads = pads_of(node, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    if not node.attr("ceil_mode") or node.attr("auto_pad") in SAME:
        return windows
    return windows.rounded_up(node.shape()[2:])


@onnx("MaxPool", 1, 8, 10, 11, 12, 22)
def max_pool(node: Node) -> tuple[Result, ...]:
    """MaxPool(x) --> opc.reduce_max of the windows, and the indices of the maxima."""
    windows = windows_of(node)
    view = windows.lowest(node.traced(0))
    greatest = onp.max(view, windows.axes)
    if len(node.op.outputs) < 2:
        return (greatest,)
    is_column_major = bool(node.attr("storage_order"))
    return greatest, positions_of_greatest(node, windows, view, 0, is_column_major)


@onnx("AveragePool", 1, 7, 10, 11, 19, 22)
def average_pool(node: Node) -> Result:
    """AveragePool(x) --> window sums divided by element counts."""
    includes = bool(node.attr("count_include_pad"))
    return value(node, windows_of(node).average(traced(node)[0], includes))


def _norm(node: Node, x: Any, axes: tuple[int, ...], keepdims: bool) -> Result:
    """The p-norm over axes."""
    p = node.attr("p")
    if p == 1:
        return value(node, onp.reduce_l1(x, axes, keepdims=keepdims))
    if p == 2:
        return value(node, onp.reduce_l2(x, axes, keepdims=keepdims))
    if not p > 0:
        raise node.error(f"attribute p is {p}, expected more than 0")
    return value(node, onp.sum(abs(x) ** p, axes, keepdims=keepdims) ** (1 / p))


@onnx("LpPool", 1, 2, 11, 18, 22)
def lp_pool(node: Node) -> Result:
    """LpPool(x) --> the p-norm of each window."""
    windows = windows_of(node)
    return _norm(node, windows.view(traced(node)[0]), windows.axes, False)


def _spatial(node: Node) -> tuple[int, ...]:
    return tuple(range(2, len(node.ranked(0, least=3))))


@onnx("GlobalAveragePool", 1, 22)
def global_average_pool(node: Node) -> Result:
    """GlobalAveragePool(x) --> opc.reduce_mean over the spatial axes."""
    return value(node, onp.mean(traced(node)[0], _spatial(node), keepdims=True))


@onnx("GlobalMaxPool", 1, 22)
def global_max_pool(node: Node) -> Result:
    """GlobalMaxPool(x) --> opc.reduce_max over the spatial axes."""
    return onp.max(node.traced(0), _spatial(node), keepdims=True)


@onnx("GlobalLpPool", 1, 2, 22)
def global_lp_pool(node: Node) -> Result:
    """GlobalLpPool(x) --> the p-norm over the spatial axes."""
    return _norm(node, traced(node)[0], _spatial(node), True)
