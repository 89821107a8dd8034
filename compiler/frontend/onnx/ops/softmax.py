"""Softmax, LogSoftmax and Hardmax along an axis; before opset 13 on a matrix."""

from __future__ import annotations

from functools import partial

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.reduction import ArgMaxOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.norms import on_axis
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import onnx


def matrix(node: Node) -> tuple[SSAValue, int]:
    """The input and the axis; before opset 13 the input is reshaped to a matrix."""
    x, rank = node[0], len(node.shape())
    axis = node.attr("axis")
    if node.since >= 13:
        return x, node.axis(axis, rank)
    # Axis = rank gives one column.  Version 1 has negative axes only in its tests.
    if not -rank <= axis <= rank:
        raise node.error(f"axis {axis} is outside [{-rank}, {rank}]")
    axis += rank if axis < 0 else 0
    shape = node.shape()
    return node.reshape(x, (ex.product(shape[:axis]), ex.product(shape[axis:]))), 1


@onnx("Softmax", 1, 11, 13)
def along(node: Node, log: bool = False) -> Result:
    """Softmax(x) --> exp(x - max) / sum(exp(x - max)); f16 and bf16 in f32, rounded once."""
    x, axis = matrix(node)
    function = onp.log_softmax if log else onp.softmax
    return node.reshape(function(node.trace.array(x), axis).value, node.shape())


@onnx("Hardmax", 1, 11, 13)
def hardmax(node: Node) -> Result:
    """Hardmax(x) --> 1 where argmax is, else 0."""
    x, axis = matrix(node)
    shape = shape_of(tensor_of(x))
    if 0 in shape:
        return node[0]
    trace = node.trace
    first = trace.emit(ArgMaxOp, trace.array(x), axis=axis, keepdims=True)
    hit = on_axis(trace.positions(shape[axis]), axis, len(shape)) == first
    return node.reshape(hit.astype(node.element().name).value, node.shape())


onnx("LogSoftmax", 1, 11, 13)(partial(along, log=True))
