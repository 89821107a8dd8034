"""Pooling: reductions over windows of a padded tensor.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects.opc import reduction as red
from opc.dialects.shape import element, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pooling import Windows
from opc.frontend.models.traced import NodeTrace
from opc.frontend.models.windows import integers, positions_of_greatest, view_of

from .node import Node
from .normalization import wide
from .schema import onnx
from .window import SAME, pads_of


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.ranked(0, least=3)) - 2
    kernel = integers(node, "kernel_shape", rank, 1, 0)
    strides = integers(node, "strides", rank, 1, 1)
    has_dilations = node.schema.has("dilations")
    dilations = integers(node, "dilations", rank, 1, 1) if has_dilations else (1,) * rank
    pads = pads_of(node, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    rounds = node.schema.has("ceil_mode") and node.attr("ceil_mode")
    if not rounds or node.attr("auto_pad") in SAME:
        return windows
    return windows.rounded_up(node.shape()[2:])


@onnx("MaxPool", 1, 8, 10, 11, 12, 22)
def max_pool(node: Node) -> tuple[Result, ...]:
    """MaxPool(x) --> opc.reduce_max of the windows, and the indices of the maxima."""
    windows = windows_of(node)
    if len(node.op.outputs) < 2:
        return (windows.greatest(node, node[0]),)
    view = view_of(node, windows)
    greatest = node.add(red.ReduceMaxOp(view, axes=windows.axes))
    is_column_major = bool(node.attr("storage_order"))
    return greatest, positions_of_greatest(node, windows, view, 0, is_column_major)


@onnx("AveragePool", 1, 7, 10, 11, 19, 22)
def average_pool(node: Node) -> Result:
    """AveragePool(x) --> window sums divided by element counts."""
    windows, type = windows_of(node), wide(node.element())
    total = node.add(red.ReduceSumOp(_view(node, windows), axes=windows.axes))
    includes = node.since >= 7 and bool(node.attr("count_include_pad"))
    counts = windows.counts(node, node.shape()[2:], type, includes)
    return node.cast(node.binary("div", total, counts), node.element())


def _view(node: Node, windows: Windows) -> SSAValue:
    """The windows of the input, padded with zeros, in the accumulation type."""
    x = node.widened(node[0])
    return windows.view(node, x, node.constant(0, element(tensor_of(x))))


def _norm(node: Node, x: SSAValue, axes: tuple[int, ...], keepdims: bool) -> SSAValue:
    """The p-norm over axes."""
    p = node.attr("p")
    if p == 1:
        return node.add(red.ReduceL1Op(x, axes=axes, keepdims=keepdims))
    if p == 2:
        return node.add(red.ReduceL2Op(x, axes=axes, keepdims=keepdims))
    if not p > 0:
        raise node.error(f"attribute p is {p}, expected more than 0")
    powers: Any = abs(NodeTrace(node).array(x)) ** p
    return (onp.sum(powers, axes, keepdims=keepdims) ** (1 / p)).value


@onnx("LpPool", 1, 2, 11, 18, 22)
def lp_pool(node: Node) -> Result:
    """LpPool(x) --> the p-norm of each window."""
    windows = windows_of(node)
    return node.cast(_norm(node, _view(node, windows), windows.axes, False), node.element())


def _spatial(node: Node) -> tuple[int, ...]:
    return tuple(range(2, len(node.ranked(0, least=3))))


@onnx("GlobalAveragePool", 1, 22)
def global_average_pool(node: Node) -> Result:
    """GlobalAveragePool(x) --> opc.reduce_mean over the spatial axes."""
    mean = red.ReduceMeanOp(node.widened(node[0]), axes=_spatial(node), keepdims=True)
    return node.cast(node.add(mean), node.element())


@onnx("GlobalMaxPool", 1, 22)
def global_max_pool(node: Node) -> Result:
    """GlobalMaxPool(x) --> opc.reduce_max over the spatial axes."""
    return node.add(red.ReduceMaxOp(node[0], axes=_spatial(node), keepdims=True))


@onnx("GlobalLpPool", 1, 2, 22)
def global_lp_pool(node: Node) -> Result:
    """GlobalLpPool(x) --> the p-norm over the spatial axes."""
    y = _norm(node, node.widened(node[0]), _spatial(node), True)
    return node.cast(y, node.element())
