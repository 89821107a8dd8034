"""Pooling: reductions over windows of a padded tensor.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import reduction as red
from opc.dialects.opc import unary
from opc.dialects.opc.binary import MaxOp, ModOp, PowOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pooling import Windows, lowest
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .normalization import wide
from .schema import onnx
from .window import SAME, listed, pads_of


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.shape()) - 2
    if rank < 1:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    kernel = listed(node, "kernel_shape", rank, 0, 1)
    strides = listed(node, "strides", rank, 1, 1)
    has_dilations = node.schema.has("dilations")
    dilations = listed(node, "dilations", rank, 1, 1) if has_dilations else (1,) * rank
    pads = pads_of(node, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    if (
        not node.schema.has("ceil_mode")
        or not node.attr("ceil_mode")
        or node.attr("auto_pad") in SAME
    ):
        return windows
    return windows.rounded_up(node.shape()[2:])


@onnx("MaxPool", 1, 8, 10, 11, 12, 22)
def max_pool(node: Node) -> tuple[Result, ...]:
    """MaxPool(x) --> opc.reduce_max of the windows, and the indices of the maxima."""
    windows = windows_of(node)
    if len(node.op.outputs) < 2:
        return (windows.greatest(node, node[0]),)
    view = windows.view(node, node[0], lowest(node, node.element()))
    greatest = node.add(red.ReduceMaxOp(view, axes=windows.axes))
    return greatest, _positions(node, windows, view)


def _positions(node: Node, windows: Windows, view: SSAValue) -> SSAValue:
    """The index of each maximum in the flat input, row-major or column-major."""
    shape, trace, rank = node.shape(), NodeTrace(node), len(windows.kernel)
    lead, size = shape_of(tensor_of(view))[:-rank], math.prod(windows.kernel)
    winners = node.add(red.ArgMaxOp(node.reshape(view, (*lead, size)), axis=-1))
    # Strides of the spatial axes within an image.
    order = range(rank) if node.attr("storage_order") else range(rank - 1, -1, -1)
    step: Any = 1
    steps = [step] * rank
    for axis in order:
        steps[axis] = step
        step = step * trace.size(shape[2 + axis])

    def along(axis: int) -> Any:
        numbers = trace.given(trace.numbers(lead[axis]), el.I64)
        return numbers.reshape([trace.size(e) if k == axis else 1 for k, e in enumerate(lead)])

    total, inner = (along(0) * trace.size(shape[1]) + along(1)) * step, size
    for axis, count in enumerate(windows.kernel):
        inner //= count
        within = node.scaled("div", winners, inner)
        part = trace.array(node.add(ModOp(within, node.constant(count, el.I64))))
        before = ex.Expr.of(windows.before[axis])
        begin = along(2 + axis) * windows.strides[axis] - trace.size(before)
        at = begin + part * windows.dilations[axis]
        if before != 0:
            # If padding wins a tie, the index is that of the first element.
            first = ModOp(begin.value, node.constant(windows.dilations[axis], el.I64))
            at = trace.array(node.add(MaxOp(at.value, node.add(first))))
        total = total + at * steps[axis]
    return total.value


@onnx("AveragePool", 1, 7, 10, 11, 19, 22)
def average_pool(node: Node) -> Result:
    """AveragePool(x) --> window sums divided by element counts."""
    windows, type = windows_of(node), wide(node.element())
    zero = node.constant(0, type)
    view = windows.view(node, node.cast(node[0], type), zero)
    total = node.add(red.ReduceSumOp(view, axes=windows.axes))
    includes = node.since >= 7 and bool(node.attr("count_include_pad"))
    counts = windows.counts(node, node.shape()[2:], type, includes)
    return node.cast(node.binary("div", total, counts), node.element())


def _norm(node: Node, x: SSAValue, axes: tuple[int, ...], keepdims: bool) -> SSAValue:
    """The p-norm over axes."""
    p = node.attr("p")
    if p == 1:
        return node.add(red.ReduceL1Op(x, axes=axes, keepdims=keepdims))
    if p == 2:
        return node.add(red.ReduceL2Op(x, axes=axes, keepdims=keepdims))
    if not p > 0:
        raise node.error(f"attribute p is {p}, expected more than 0")
    type = wide(node.element())
    power = node.add(PowOp(node.add(unary.AbsOp(x)), node.constant(p, type)))
    total = node.add(red.ReduceSumOp(power, axes=axes, keepdims=keepdims))
    return node.add(PowOp(total, node.constant(1 / p, type)))


@onnx("LpPool", 1, 2, 11, 18, 22)
def lp_pool(node: Node) -> Result:
    """LpPool(x) --> the p-norm of each window."""
    windows, type = windows_of(node), wide(node.element())
    zero = node.constant(0, type)
    view = windows.view(node, node.cast(node[0], type), zero)
    return node.cast(_norm(node, view, windows.axes, False), node.element())


def _spatial(node: Node) -> tuple[int, ...]:
    rank = len(node.shape())
    if rank < 3:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    return tuple(range(2, rank))


@onnx("GlobalAveragePool", 1, 22)
def global_average_pool(node: Node) -> Result:
    """GlobalAveragePool(x) --> opc.reduce_mean over the spatial axes."""
    x = node.cast(node[0], wide(node.element()))
    mean = node.add(red.ReduceMeanOp(x, axes=_spatial(node), keepdims=True))
    return node.cast(mean, node.element())


@onnx("GlobalMaxPool", 1, 22)
def global_max_pool(node: Node) -> Result:
    """GlobalMaxPool(x) --> opc.reduce_max over the spatial axes."""
    return node.add(red.ReduceMaxOp(node[0], axes=_spatial(node), keepdims=True))


@onnx("GlobalLpPool", 1, 2, 22)
def global_lp_pool(node: Node) -> Result:
    """GlobalLpPool(x) --> the p-norm over the spatial axes."""
    x = node.cast(node[0], wide(node.element()))
    return node.cast(_norm(node, x, _spatial(node), True), node.element())
