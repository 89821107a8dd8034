"""Operators whose indices are data: GatherElements, GatherND and the Scatter family."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.opc import binary
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherElementsOp, ScatterElementsOp, ScatterOp
from opc.frontend.models import indirect
from opc.frontend.models.indirect import is_numeric
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import onnx

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""Version 16 lacks max and min, but exporters write them and runtimes accept them."""


@onnx("GatherElements", 11, 13)
def gather_elements(node: Node) -> Result:
    """GatherElements(x, indices) {axis} --> opc.gather_elements."""
    axis = node.axis(node.attr("axis"), len(node.shape()))
    if len(node.shape()) != len(node.shape(1)):
        raise node.error(f"indices of rank {len(node.shape(1))} for rank {len(node.shape())}")
    return node.add(GatherElementsOp(node[0], node[1], axis=axis))


@onnx("GatherND", 11, 12, 13)
def gather_nd(node: Node) -> Result:
    """GatherND(x, indices) {batch_dims} --> opc.gather with one index tensor per axis."""
    batch = node.attr("batch_dims") if node.since >= 12 else 0
    return indirect.gather_nd(node, batch).value


def _reduction(node: Node) -> str:
    """How an element and its update combine."""
    if node.since < 16:
        return "none"
    name = node.attr("reduction")
    if name not in REDUCTIONS:
        raise node.error(f"attribute reduction is {name!r}, expected {', '.join(REDUCTIONS)}")
    if name != "none" and not is_numeric(node):
        raise node.unsupported(f"reduction {name} of {node.element()}")
    return str(name)


@onnx("Scatter", 9, 11)
@onnx("ScatterElements", 11, 13, 16, 18)
def scatter_elements(node: Node) -> Result:
    """ScatterElements(x, indices, updates) {axis, reduction} --> opc.scatter_elements."""
    rank = len(node.shape())
    if not rank == len(node.shape(1)) == len(node.shape(2)):
        raise node.error(
            f"indices of rank {len(node.shape(1))} and updates of rank {len(node.shape(2))} for "
            f"rank {rank}"
        )
    return node.add(
        ScatterElementsOp(
            node[0],
            node[2],
            node[1],
            axis=node.axis(node.attr("axis"), rank),
            reduction=_reduction(node),
        )
    )


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
    shape, update, mode = node.shape(), node.shape(1), node.attr("mode")
    rank = len(shape)
    axis = node.axis(node.attr("axis"), rank)
    if mode not in ("linear", "circular") or axis == 0 or len(update) != rank:
        raise node.error(f"mode {mode!r}, axis {axis}, updates of rank {len(update)} for {rank}")
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
