"""Operators whose indices are data: GatherElements, GatherND and the Scatter family."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.opc import binary
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherElementsOp, ScatterElementsOp, ScatterOp
from opc.frontend.models import indirect
from opc.frontend.models.indirect import depth_of, is_numeric
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import onnx

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""Version 16 lacks max and min, but exporters write them and runtimes accept them."""


@onnx("GatherElements", 11, 13)
def gather_elements(node: Node) -> Result:
    """GatherElements(x, indices) {axis} --> opc.gather_elements."""
    axis = node.axis(node.attr("axis"), len(node.ranked(1, node.rank())))
    return node.add(GatherElementsOp(node[0], node[1], axis=axis))


def _check_depth(node: Node, batch: int) -> None:
    shape = node.shape(1)
    last = shape[-1].constant if shape else None
    wrong = depth_of(len(node.shape()), shape, last, batch)
    if wrong is not None and shape and last is None:
        raise node.unsupported(wrong)
    if wrong is not None:
        raise node.error(wrong)


@onnx("GatherND", 11, 12, 13)
def gather_nd(node: Node) -> Result:
    """GatherND(x, indices) {batch_dims} --> opc.gather with one index tensor per axis."""
    batch = node.attr("batch_dims") if node.since >= 12 else 0
    _check_depth(node, batch)
    return indirect.gather_nd(node, node[0], node[1], batch)


def _reduction(node: Node) -> str:
    """How an element and its update combine."""
    if node.since < 16:
        return "none"
    name = node.choice("reduction", *REDUCTIONS)
    if name != "none" and not is_numeric(node[0]):
        raise node.unsupported(f"reduction {name} of {node.element()}")
    return str(name)


@onnx("Scatter", 9, 11)
@onnx("ScatterElements", 11, 13, 16, 18)
def scatter_elements(node: Node) -> Result:
    """ScatterElements(x, indices, updates) {axis, reduction} --> opc.scatter_elements."""
    for k in (1, 2):
        node.ranked(k, node.rank())
    axis = node.axis(node.attr("axis"), node.rank())
    how = {"axis": axis, "reduction": _reduction(node)}
    return node.add(ScatterElementsOp(node[0], node[2], node[1], **how))


@onnx("ScatterND", 11, 13, 16, 18)
def scatter_nd(node: Node) -> Result:
    """ScatterND(x, indices, updates) {reduction} --> opc.scatter along the first axes."""
    _check_depth(node, 0)
    return indirect.scatter_nd(node, node[0], node[1], node[2], _reduction(node))


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
    for k, (a, b) in enumerate(zip(shape, update, strict=True)):
        if k != axis:
            node.require("equal", a, b, f"extents of axis {k} differ")
    index = node.add(IotaOp.of(update[axis]))
    if node.has(2):
        starts = node.reshape(node[2], (shape[0], ex.const(1)))
        index = node.add(binary.AddOp(starts, index))
        if mode == "circular":
            length = node.add(ExtentOp.of(shape[axis]))
            index = node.add(binary.ModOp(index, length))
    batches = node.reshape(node.add(IotaOp.of(shape[0])), (shape[0], ex.const(1)))
    order = [0, axis, *(k for k in range(1, rank) if k != axis)]
    transposed = node.transpose(node[1], order)
    return node.add(ScatterOp(node[0], transposed, batches, index, axes=[0, axis], from_end=False))
