"""Pooling: reductions over windows of a padded tensor.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pooling import Windows
from opc.frontend.models.traced import value
from opc.frontend.models.windows import integers, positions_of_greatest

from .node import Node
from .normalization import wide
from .schema import onnx
from .window import SAME, pads_of


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.shape()) - 2
    if rank < 1:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
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
    view = windows.lowest(node.traced(0))
    greatest = onp.max(view, windows.axes).value
    if len(node.op.outputs) < 2:
        return (greatest,)
    is_column_major = bool(node.attr("storage_order"))
    return greatest, positions_of_greatest(node, windows, view, 0, is_column_major).value


@onnx("AveragePool", 1, 7, 10, 11, 19, 22)
def average_pool(node: Node) -> Result:
    """AveragePool(x) --> window sums divided by element counts."""
    includes = node.since >= 7 and bool(node.attr("count_include_pad"))
    return value(node, windows_of(node).average(_wide(node), includes))


def _wide(node: Node) -> Any:
    return node.traced(0, wide(node.element()))


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
    return _norm(node, windows.view(_wide(node)), windows.axes, False)


def _spatial(node: Node) -> tuple[int, ...]:
    rank = len(node.shape())
    if rank < 3:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    return tuple(range(2, rank))


@onnx("GlobalAveragePool", 1, 22)
def global_average_pool(node: Node) -> Result:
    """GlobalAveragePool(x) --> opc.reduce_mean over the spatial axes."""
    return value(node, onp.mean(_wide(node), _spatial(node), keepdims=True))


@onnx("GlobalMaxPool", 1, 22)
def global_max_pool(node: Node) -> Result:
    """GlobalMaxPool(x) --> opc.reduce_max over the spatial axes."""
    return onp.max(node.traced(0), _spatial(node), keepdims=True).value


@onnx("GlobalLpPool", 1, 2, 22)
def global_lp_pool(node: Node) -> Result:
    """GlobalLpPool(x) --> the p-norm over the spatial axes."""
    return _norm(node, _wide(node), _spatial(node), True)
