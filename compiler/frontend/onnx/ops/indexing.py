"""Gathers and scatters: of indices that are data, or that the shape of the result decides."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, ScatterElementsOp, ScatterOp
from opc.dialects.shape import type_text
from opc.frontend.models import indirect
from opc.frontend.models.columns import columns_as_image
from opc.frontend.models.indirect import is_numeric
from opc.frontend.models.traced import extended, gathered, value
from opc.frontend.models.windows import integers

from .node import Node
from .schema import Result, onnx

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""Version 16 lacks max and min, but exporters write them and runtimes accept them."""


@onnx("GatherElements", 11, 13)
def gather_elements(node: Node) -> Result:
    """GatherElements(x, indices) {axis} --> opc.gather_elements."""
    axis = node.axis(node.attr("axis"), len(node.ranked(1, node.rank())))
    return node.add(GatherElementsOp(node[0], node[1], axis=axis))


@onnx("GatherND", 11, 12, 13)
def gather_nd(node: Node) -> Result:
    """GatherND(x, indices) {batch_dims} --> opc.gather with one index tensor per axis."""
    return indirect.gather_nd(node, node.attr("batch_dims")).value


def _reduction(node: Node) -> str:
    """How an element and its update combine."""
    name = "none" if node.operator == "Scatter" else node.choice("reduction", *REDUCTIONS)
    if name != "none" and not is_numeric(node):
        raise node.unsupported(f"reduction {name} of {node.element()}")
    return str(name)


@onnx("Scatter", 9, 11)
@onnx("ScatterElements", 11, 13, 16, 18)
def scatter_elements(node: Node) -> Result:
    """ScatterElements(x, indices, updates) {axis, reduction} --> opc.scatter_elements."""
    for k in (1, 2):
        node.ranked(k, node.rank())
    axis = node.axis(node.attr("axis"), node.rank())
    operands = node[0], node[2], node[1]
    return node.add(ScatterElementsOp(*operands, axis=axis, reduction=_reduction(node)))


@onnx("ScatterND", 11, 13, 16, 18)
def scatter_nd(node: Node) -> Result:
    """ScatterND(x, indices, updates) {reduction} --> opc.scatter along the first axes."""
    return indirect.scatter_nd(node, node.traced(2), _reduction(node)).value


@onnx("TensorScatter", 24)
def tensor_scatter(node: Node) -> Result:
    """TensorScatter(cache, update, positions) {axis, mode} --> opc.scatter.

    The update of each batch begins at its position along the axis, by default 0.  Mode circular
    wraps around.
    """
    shape, rank, mode = node.shape(), node.rank(), node.choice("mode", "linear", "circular")
    axis, update = node.axis(node.attr("axis"), rank), node.ranked(1, rank)
    if axis == 0:
        raise node.error("attribute axis is 0, the axis of the batch")
    node.expect(1, (*shape[:axis], update[axis], *shape[axis + 1 :]))
    trace = node.trace
    index: Any = trace.positions(update[axis])
    if node.has(2):
        index = node.traced(2).reshape((shape[0], 1)) + index
        index = index % trace.extent(shape[axis]) if mode == "circular" else index
    batches = trace.positions(shape[0]).reshape((shape[0], 1))
    order = [0, axis, *(k for k in range(1, rank) if k != axis)]
    updates = (node.traced(1).transpose(order), batches, index)
    how: dict[str, Any] = {"axes": (0, axis), "from_end": False}
    return trace.emit(ScatterOp, node.traced(0), *updates, **how)


@onnx("ReverseSequence", 10, 28)
def reverse_sequence(node: Node) -> Result:
    """ReverseSequence(x, lengths) --> opc.gather with the start of each sequence reversed."""
    time: int = node.attr("time_axis")
    batch: int = node.attr("batch_axis")
    shape, trace = node.shape(), node.trace
    if {time, batch} != {0, 1} or len(shape) < 2 or len(node.shape(1)) != 1:
        raise node.error(
            f"time_axis = {time} and batch_axis = {batch} of {type_text(node[0].type)}, "
            "with lengths "
            f"{type_text(node[1].type)}"
        )
    node.require("equal", node.shape(1)[0], shape[batch], "a length for each sequence")
    x, lengths = node.traced(0), node.traced(1).reshape(-1, 1)
    rows = onp.swapaxes(x, 0, 1) if batch else x
    steps = trace.line(shape[time])
    indices = onp.where(steps < lengths, lengths - 1 - steps, steps)
    result = gathered(rows, (1,), indices, batch=1)
    return value(node, onp.swapaxes(result, 0, 1) if batch else result)


@onnx("MaxUnpool", 9, 11, 22)
def max_unpool(node: Node) -> Result:
    """MaxUnpool(x, indices) --> opc.scatter of x into zeros, at indices of the flat result."""
    shape, trace = node.shape(), node.trace
    kernel: tuple[int, ...] = node.attr("kernel_shape")
    rank = len(kernel)
    if len(shape) != rank + 2 or node.shape(1) != shape:
        raise node.error(f"kernel_shape {list(kernel)} and places {type_text(node[1].type)}")
    strides, pads = integers(node, "strides", rank, 1, 1), integers(node, "pads", 2 * rank, 0, 0)
    pooled = tuple(
        (e - 1) * s + k - pads[j] - pads[rank + j]
        for j, (e, s, k) in enumerate(zip(shape[2:], strides, kernel, strict=True))
    )
    full = (*shape[:2], *pooled)
    count = ex.product(full)
    x, indices = (node.traced(k).reshape(-1) for k in (0, 1))
    zeros = trace.array(node.broadcast(node.constant(0, x.element), (count,)))
    flat = trace.emit(ScatterOp, zeros, x, indices, axes=(0,), from_end=False)
    result = flat.reshape([trace.size(e) for e in full])
    if node.has(2):
        wanted = node.extents(2)
        if len(wanted) != len(full):
            raise node.error(f"output_shape has {len(wanted)} elements for rank {len(full)}")
        what = "output_shape is less than what was pooled"
        for axis, (a, b) in enumerate(zip(full, wanted, strict=True)):
            node.require("equal", ex.minimum(a, b), a, what)
            result = extended(result, axis, 0, b - a)
    return value(node, result)


@onnx("Col2Im", 18)
def columns_to_image(node: Node) -> Result:
    """Col2Im(x, image, block) --> opc.scatter with addition of blocks."""
    shape = node.shape()
    image, block = (node.extents(k) for k in (1, 2))
    rank = len(image)
    if len(shape) != 3 or len(block) != rank or not rank:
        raise node.error(f"{type_text(node[0].type)} are no columns of blocks of rank {len(block)}")
    strides, dilations = (integers(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    pads = integers(node, "pads", 2 * rank, 0, 0)
    x = columns_as_image(node, node.traced(0), image, block, strides, dilations, pads)
    return value(node, x)
