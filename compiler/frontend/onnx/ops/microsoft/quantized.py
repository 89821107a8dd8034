"""Elementwise operators, pooling and others on 8-bit integers with scales and zero points.

Each is the float operator between DequantizeLinear and QuantizeLinear, in f32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import WhereOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.reduction import ReduceMeanOp, ReduceSumOp
from opc.dialects.opc.unary import LeakyReluOp, SigmoidOp
from opc.dialects.shape import shape_of, shape_text, tensor_of, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.quantization import along_axis, dequantize, is_scalar, quantize, rescale

from ..integer import qlinear_conv
from ..node import Node
from ..pooling import average_pool, max_pool
from ..schema import SCHEMAS, onnx
from ..softmax import along
from .fused import MS

I32 = el.BY_NAME["i32"]

Function: TypeAlias = "Callable[[Node, SSAValue], SSAValue]"


def one(node: Node, position: int) -> SSAValue | None:
    """A scale or zero point per tensor; None if absent."""
    if not node.has(position):
        return None
    shape = node.shape(position)
    if not is_scalar(shape) or len(shape) > 1:
        raise node.error(f"input {position} is {shape_text(shape)}, expected one element")
    return node.reshape(node[position], ())


def needed(node: Node, position: int) -> SSAValue:
    """A required scale."""
    scale = one(node, position)
    if scale is None:
        raise node.error(f"input {position} is missing")
    return scale


def floats(node: Node, position: int) -> SSAValue:
    """An input dequantized by the scale and zero point that follow it."""
    scale, zero = needed(node, position + 1), one(node, position + 2)
    return dequantize(node, node[position], scale, zero, el.F32)


def integers(node: Node, x: SSAValue, scale: int, type: el.ElementType) -> SSAValue:
    """Floats quantized by input ``scale`` and the zero point that follows it."""
    return quantize(node, x, needed(node, scale), one(node, scale + 1), type, el.F32)


def unary(function: Function) -> Callable[[Node], Result]:
    """F(x) --> quantize(function(dequantize(x)))."""

    def legalize(node: Node) -> Result:
        return integers(node, function(node, floats(node, 0)), 3, node.element())

    return legalize


def binary(name: str) -> Callable[[Node], Result]:
    """F(a, b) --> quantize(opc.name(dequantize(a), dequantize(b)))."""

    def legalize(node: Node) -> Result:
        y = node.binary(name, floats(node, 0), floats(node, 3))
        return integers(node, y, 6, node.element())

    return legalize


def _mean(node: Node, x: SSAValue) -> SSAValue:
    rank = len(shape_of(tensor_of(x)))
    axes = node.axes(node.attr("axes") or range(rank), rank)
    return node.add(ReduceMeanOp(x, axes=axes, keepdims=bool(node.attr("keepdims"))))


onnx(f"{MS}QLinearAdd", 1)(binary("add"))
onnx(f"{MS}QLinearMul", 1)(binary("mul"))
onnx(f"{MS}QLinearReduceMean", 1)(unary(_mean))
onnx(f"{MS}QLinearSigmoid", 1)(unary(lambda node, x: node.add(SigmoidOp(x))))
onnx(f"{MS}QLinearLeakyRelu", 1)(
    unary(lambda node, x: node.add(LeakyReluOp(x, alpha=node.attr("alpha"))))
)


@onnx(f"{MS}QLinearSoftmax", 1)
def softmax(node: Node) -> Result:
    """QLinearSoftmax(x) --> the softmax of the opset that attribute ``opset`` names."""
    opset = node.attr("opset")
    schema = SCHEMAS["Softmax"][13 if opset >= 13 else 11]
    y = along(node.with_inputs(floats(node, 0), schema=schema), False)
    return integers(node, node.tensor(y), 3, node.element())


def transposed(node: Node, x: SSAValue, to_front: bool) -> SSAValue:
    """The last axis moved to the second position, or back."""
    rank = len(shape_of(tensor_of(x)))
    if rank < 3:
        raise node.error(f"no axes between the first and the last one: {type_text(x.type)}")
    inner = range(1, rank - 1)
    order = (0, rank - 1, *inner) if to_front else (0, *(k + 1 for k in inner), 1)
    return node.add(TransposeOp(x, permutation=order))


def channels_second(node: Node, x: SSAValue) -> SSAValue:
    """x with channels second."""
    return transposed(node, x, True) if node.attr("channels_last") else x


def as_given(node: Node, x: SSAValue) -> SSAValue:
    """A result with channels moved last if the node has them there."""
    return transposed(node, x, False) if node.attr("channels_last") else x


@onnx(f"{MS}QLinearAveragePool", 1)
def average(node: Node) -> Result:
    """QLinearAveragePool(x) --> AveragePool between DequantizeLinear and QuantizeLinear."""
    x = channels_second(node, floats(node, 0))
    y = node.tensor(average_pool(node.with_inputs(x, schema=SCHEMAS["AveragePool"][11])))
    return integers(node, as_given(node, y), 3, node.element())


@onnx(f"{MS}QLinearGlobalAveragePool", 1)
def global_average(node: Node) -> Result:
    """QLinearGlobalAveragePool(x) --> integer sums per channel, scaled once."""
    rank = len(node.shape())
    if rank < 3:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    axes = range(1, rank - 1) if node.attr("channels_last") else range(2, rank)
    zero = needed(node, 2)
    x = node.binary("sub", node.cast(node[0], I32), node.cast(zero, I32))
    total = node.add(ReduceSumOp(x, axes=tuple(axes), keepdims=True))
    count = node.add(ExtentOp.of(ex.product(node.shape()[axis] for axis in axes)))
    scale = node.binary("mul", needed(node, 3), node.cast(count, el.F32))
    scale = node.binary("div", needed(node, 1), scale)
    return rescale(node, total, scale, needed(node, 4), node.element())


def _same(a: SSAValue | None, b: SSAValue | None) -> bool:
    """Whether two values are known to be equal."""
    if a is None or b is None or a is b:
        return a is b
    makers = [v.owner for v in (a, b)]
    arrays = [m.array() for m in makers if isinstance(m, ConstantOp)]
    return len(arrays) == 2 and bool(np.array_equal(arrays[0], arrays[1]))


@onnx(f"{MS}QLinearConcat", 1)
def concat(node: Node) -> Result:
    """QLinearConcat(scale, zero, x, x_scale, x_zero, ...) --> opc.concat, requantized.

    Inputs with the scale and zero point of the result are not requantized.
    """
    if len(node.inputs) < 5 or len(node.inputs) % 3 != 2:
        raise node.error(f"{len(node.inputs)} inputs make no tensors with scales and zero points")
    type, parts = node.element(1), list[SSAValue]()
    for k in range(2, len(node.inputs), 3):
        is_same = all(_same(node[k + n], node[n - 1]) for n in (1, 2))
        x = node[k] if is_same else integers(node, floats(node, k), 0, type)
        parts.append(x)
    axis = node.axis(node.attr("axis"), len(node.shape(2)))
    return node.add(ConcatOp(*parts, axis=axis))


@onnx(f"{MS}QLinearWhere", 1)
def where(node: Node) -> Result:
    """QLinearWhere(condition, x, y) --> opc.where of both, requantized."""
    y = node.add(WhereOp(node[0], floats(node, 1), floats(node, 4)))
    return integers(node, y, 7, node.element(1))


@onnx(f"{MS}QLinearConv", 1)
def convolution(node: Node) -> Result:
    """QLinearConv(x, w, ...) --> QLinearConv of ONNX, channels second or last."""
    x, *others = node.inputs
    assert x is not None
    y = qlinear_conv(node.with_inputs(channels_second(node, node.tensor(x)), *others))
    return as_given(node, node.tensor(y))


@onnx(f"{MS}NhwcMaxPool", 1)
def greatest(node: Node) -> Result:
    """NhwcMaxPool(x) --> MaxPool, transposed from channels last."""
    x = transposed(node, node[0], True)
    (y, *_) = max_pool(node.with_inputs(x, schema=SCHEMAS["MaxPool"][12]))
    return transposed(node, node.tensor(y), False)


def _spread(node: Node, position: int) -> SSAValue | None:
    """A scale or zero point, scalar or per index of an axis, shaped to broadcast."""
    if not node.has(position):
        return None
    shape, rank = node.shape(position), len(node.shape())
    if is_scalar(shape) and len(shape) <= 1:
        return node.reshape(node[position], ())
    axis = node.axis(1 if node.attr("axis") is None else node.attr("axis"), rank)
    if len(shape) != 1:
        raise node.error(f"input {position} is {shape_text(shape)}, expected one axis")
    node.require("equal", shape[0], node.shape()[axis], f"one for each index of axis {axis}")
    return along_axis(node, node[position], axis, rank)


def _both(node: Node) -> tuple[SSAValue, SSAValue | None]:
    scale = _spread(node, 1)
    assert scale is not None
    return scale, _spread(node, 2)


@onnx(f"{MS}QuantizeLinear", 1)
def to_integers(node: Node) -> Result:
    """QuantizeLinear(x, scale, zero) --> round(x / scale) + zero, saturated."""
    type = node.element(2) if node.has(2) else el.BY_NAME["ui8"]
    return quantize(node, node[0], *_both(node), type, el.F32)


@onnx(f"{MS}DequantizeLinear", 1)
def to_floats(node: Node) -> Result:
    """DequantizeLinear(x, scale, zero) --> (x - zero) * scale."""
    return dequantize(node, node[0], *_both(node), node.element(1))


def _exact(node: Node, position: int) -> SSAValue:
    """An input minus the zero point that follows it, in 32 bits."""
    x, zero = node.cast(node[position], I32), one(node, position + 1)
    return x if zero is None else node.binary("sub", x, node.cast(zero, I32))


@onnx(f"{MS}MulInteger", 1)
def product(node: Node) -> Result:
    """MulInteger(a, za, b, zb) --> (a - za) * (b - zb) in 32 bits."""
    return node.binary("mul", _exact(node, 0), _exact(node, 2))


@onnx(f"{MS}ReduceSumInteger", 1)
def total(node: Node) -> Result:
    """ReduceSumInteger(x) --> 32-bit sums."""
    rank, type = len(node.shape()), I32
    if node.element() is el.BY_NAME["ui8"]:
        type = el.BY_NAME["ui32"]
    axes = node.axes(node.attr("axes") or range(rank), rank)
    x = node.cast(node[0], type)
    return node.add(ReduceSumOp(x, axes=axes, keepdims=bool(node.attr("keepdims"))))
