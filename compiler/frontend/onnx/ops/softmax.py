"""Softmax, LogSoftmax and Hardmax along an axis; before opset 13 on a matrix."""

from __future__ import annotations

from functools import partial

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import EqualOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.reduction import ArgMaxOp, ReduceMaxOp, ReduceSumOp
from opc.dialects.opc.unary import ExpOp, LogOp
from opc.dialects.shape import element, shape_of, tensor_of
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


def shifted(node: Node, x: SSAValue, axis: int) -> tuple[SSAValue, SSAValue, SSAValue]:
    """x - max, exp(x - max) and sum(exp(x - max)) along an axis, with keepdims."""
    less = node.binary("sub", x, node.add(ReduceMaxOp(x, axes=(axis,), keepdims=True)))
    power = node.add(ExpOp(less))
    return less, power, node.add(ReduceSumOp(power, axes=(axis,), keepdims=True))


def log_softmax(node: Node, x: SSAValue, axis: int) -> SSAValue:
    """x - max - log(sum(exp(x - max))) along an axis."""
    less, _, total = shifted(node, x, axis)
    return node.binary("sub", less, node.add(LogOp(total)))


@onnx("Softmax", 1, 11, 13)
def along(node: Node, log: bool = False) -> Result:
    """Softmax(x) --> exp(x - max) / sum(exp(x - max)); f16 and bf16 in f32, rounded once."""
    type = node.element()
    x, axis = matrix(node)
    x = node.cast(x, el.F32 if type.is_small_float else type)
    if log:
        y = log_softmax(node, x, axis)
    else:
        _, power, total = shifted(node, x, axis)
        y = node.binary("div", power, total)
    return node.reshape(node.cast(y, type), node.shape())


@onnx("Hardmax", 1, 11, 13)
def hardmax(node: Node) -> Result:
    """Hardmax(x) --> 1 where argmax is, else 0."""
    x, axis = matrix(node)
    shape = shape_of(tensor_of(x))
    if 0 in shape:
        return node[0]
    numbers = node.add(IotaOp.of(shape[axis]))
    positions = node.reshape(numbers, (shape[axis], *[1] * (len(shape) - 1 - axis)))
    first = node.add(ArgMaxOp(x, axis=axis, keepdims=True))
    hit = node.add(EqualOp(positions, first))
    return node.reshape(node.cast(hit, element(tensor_of(x))), node.shape())


onnx("LogSoftmax", 1, 11, 13)(partial(along, log=True))
