"""Elementwise operators, pooling and others on 8-bit integers with scales and zero points.

Each is the float operator between DequantizeLinear and QuantizeLinear, in f32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import type_text
from opc.frontend.models.quantization import dequantize, is_scalar, quantize, rescale

from ..contraction import matrix
from ..node import Node
from ..quantization import (
    along,
    along_matrix,
    centred,
    dynamic,
    is_nothing,
    matmul_integer,
    scaled,
)
from ..recurrent import recurrent
from ..schema import SCHEMAS, Legalize, Result, onnx
from .fused import MS

I32 = el.BY_NAME["i32"]

Function: TypeAlias = "Callable[[Node, Any], Any] | Callable[[Node, Any, Any], Any]"


def maybe(node: Node, position: int) -> Any:
    """A zero point of one element; None if absent."""
    return node.one(position) if node.has(position) else None


def needed(node: Node, position: int) -> Any:
    """A scale of one element, which must be present."""
    if not node.has(position):
        raise node.error(f"input {position} is missing")
    return node.one(position)


def floats(node: Node, position: int) -> Any:
    """An input dequantized by the scale and zero point that follow it."""
    scale, zero = needed(node, position + 1), maybe(node, position + 2)
    return dequantize(node.traced(position), scale, zero, el.F32)


def integers(node: Node, x: Any, scale: int, position: int = 0) -> Any:
    """Floats quantized to the type of an input, by input ``scale`` and the zero point behind it."""
    zero = maybe(node, scale + 1)
    return quantize(x, needed(node, scale), zero, node.element(position), el.F32)


def of_floats(operator: str, *positions: int, scale: int) -> Callable[[Function], Function]:
    """Register F(x, ...) --> quantize(function(dequantize(x), ...)).

    The operands are at ``positions``, and ``scale`` is the position of the result's scale.
    """

    def register(function: Function) -> Function:
        def legalize(node: Node) -> Result:
            y = cast(Any, function)(node, *(floats(node, k) for k in positions))
            return integers(node, y, scale, positions[0])

        onnx(f"{MS}{operator}", 1)(legalize)
        return function

    return register


of_floats("QLinearAdd", 0, 3, scale=6)(lambda node, x, y: x + y)
of_floats("QLinearMul", 0, 3, scale=6)(lambda node, x, y: x * y)
of_floats("QLinearSigmoid", 0, scale=3)(lambda node, x: onp.sigmoid(x))
of_floats("QLinearLeakyRelu", 0, scale=3)(lambda node, x: onp.leaky_relu(x, node.attr("alpha")))
of_floats("QLinearWhere", 1, 4, scale=7)(lambda node, x, y: onp.where(x.trace.array(node[0]), x, y))


@of_floats("QLinearReduceMean", 0, scale=3)
def mean(node: Node, x: Any) -> Any:
    """The mean over attribute ``axes``, by default all."""
    axes = node.axes(node.attr("axes") or range(x.ndim), x.ndim)
    return onp.mean(x, axes, keepdims=bool(node.attr("keepdims")))


@of_floats("QLinearSoftmax", 0, scale=3)
def softmax(node: Node, x: Any) -> Any:
    """The softmax of the opset that attribute ``opset`` names."""
    return node.apply("Softmax", 13 if node.attr("opset") >= 13 else 11, x)


def second(node: Node, x: Any, is_last: bool = True) -> Any:
    """x with its channels, which may be last, along the second axis."""
    if is_last and x.ndim < 3:
        raise node.error(f"no axes between the first and the last one: {type_text(x.value.type)}")
    return onp.moveaxis(x, -1, 1) if is_last else x


def last(x: Any, is_last: bool = True) -> Any:
    """x with the second axis last, if channels are."""
    return onp.moveaxis(x, 1, -1) if is_last else x


@of_floats("QLinearAveragePool", 0, scale=3)
def average(node: Node, x: Any) -> Any:
    """AveragePool, with channels second or last."""
    is_last = bool(node.attr("channels_last"))
    return last(node.apply("AveragePool", 11, second(node, x, is_last)), is_last)


@onnx(f"{MS}QLinearGlobalAveragePool", 1)
def global_average(node: Node) -> Result:
    """QLinearGlobalAveragePool(x) --> integer sums per channel, scaled once."""
    shape = node.ranked(0, least=3)
    axes = tuple(range(1, len(shape) - 1) if node.attr("channels_last") else range(2, len(shape)))
    zero = needed(node, 2).astype(I32)
    x = node.traced(0, I32) - zero
    count: Any = node.trace.extent(ex.product(shape[k] for k in axes)).astype(el.F32)
    scale = needed(node, 1) / (needed(node, 3) * count)
    total = onp.sum(x, axes, keepdims=True)
    return rescale(total, scale, needed(node, 4), node.element())


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
    parts: list[Any] = []
    for k in range(2, len(node.inputs), 3):
        is_same = all(_same(node[k + n], node[n - 1]) for n in (1, 2))
        parts.append(node.traced(k) if is_same else integers(node, floats(node, k), 0, 1))
    return node.trace.emit(ConcatOp, *parts, axis=node.axis(node.attr("axis"), node.rank(2)))


def channels_last(operator: str, since: int, *positions: int) -> Legalize:
    """Op(x, ...) --> another operator, its result and inputs at these positions transposed.

    An attribute ``channels_last`` says whether channels are last; without it they are.
    """

    def legalize(node: Node) -> Result:
        is_last = not node.schema.signature.has("channels_last") or bool(node.attr("channels_last"))
        inputs = list(node.inputs)
        for k in filter(node.has, positions):
            inputs[k] = second(node, node.traced(k), is_last)
        outcome = node.apply(operator, since, *inputs)
        return last(outcome[0] if isinstance(outcome, tuple) else outcome, is_last)

    return legalize


onnx(f"{MS}NhwcConv", 1)(channels_last("Conv", 11, 0, 1))
onnx(f"{MS}NhwcFusedConv", 1)(channels_last(f"{MS}FusedConv", 1, 0, 3))
onnx(f"{MS}NhwcMaxPool", 1)(channels_last("MaxPool", 12, 0))
onnx(f"{MS}QLinearConv", 1)(channels_last("QLinearConv", 10, 0))


def _spread(node: Node) -> tuple[Any, Any]:
    """Scale and zero point, of one element or per index of an axis, shaped to broadcast."""
    if is_scalar(node.shape(1)) and (not node.has(2) or is_scalar(node.shape(2))):
        # The axis, by default 1, may be none of a vector's.
        return node.one(1), node.one(2) if node.has(2) else None
    axis = node.axis(1 if node.attr("axis") is None else node.attr("axis"), node.rank())
    scale, *zero = (along(node, k, node.shape(), axis) for k in (1, 2) if node.has(k))
    return scale, zero[0] if zero else None


@onnx(f"{MS}QuantizeLinear", 1)
def to_integers(node: Node) -> Result:
    """QuantizeLinear(x, scale, zero) --> round(x / scale) + zero, saturated."""
    type = node.element(2) if node.has(2) else el.BY_NAME["ui8"]
    return quantize(node.traced(0), *_spread(node), type, el.F32)


@onnx(f"{MS}DequantizeLinear", 1)
def to_floats(node: Node) -> Result:
    """DequantizeLinear(x, scale, zero) --> (x - zero) * scale."""
    return dequantize(node.traced(0), *_spread(node), node.element(1))


@onnx(f"{MS}MulInteger", 1)
def product(node: Node) -> Result:
    """MulInteger(a, za, b, zb) --> (a - za) * (b - zb) in 32 bits."""
    a, b = (centred(node.traced(k), maybe(node, k + 1)) for k in (0, 2))
    return a * b


@onnx(f"{MS}ReduceSumInteger", 1)
def total(node: Node) -> Result:
    """ReduceSumInteger(x) --> 32-bit sums."""
    type = el.BY_NAME["ui32"] if node.element() is el.BY_NAME["ui8"] else I32
    axes = node.axes(node.attr("axes") or range(node.rank()), node.rank())
    keepdims = bool(node.attr("keepdims"))
    return node.trace.emit(ReduceSumOp, node.traced(0, type), axes=axes, keepdims=keepdims)


@onnx(f"{MS}MatMulIntegerToFloat", 1)
def to_float(node: Node) -> Result:
    """MatMulIntegerToFloat(a, b, ...) --> opc.matmul (a - za), (b - zb), scaled, plus a bias."""
    zeros = (node.inputs[k] if node.has(k) else None for k in (4, 5))
    total = matmul_integer(node.with_inputs(*node.inputs[:2], *zeros))
    scales = (along_matrix(node, *where).astype(el.F32) for where in ((2, 0, -2), (3, 1, -1)))
    y = scaled(total, *scales)
    y = y + node.traced(6, el.F32) if node.has(6) else y
    return y.astype(node.element(2))


@onnx(f"{MS}DynamicQuantizeMatMul", 1)
def dynamic_product(node: Node) -> Result:
    """DynamicQuantizeMatMul(a, b, ...) --> MatMulIntegerToFloat of a, quantized by its range."""
    a, scale, zero = dynamic(node.traced(0))
    b, b_scale, *rest = [*node.inputs[1:], None, None]
    return node.apply(f"{MS}MatMulIntegerToFloat", 1, a, b, scale, b_scale, zero, *rest[:2])


@onnx(f"{MS}QGemm", 1)
def gemm(node: Node) -> Result:
    """QGemm(a, b, c) --> alpha * scales * (opc.matmul (a - za), (b - zb) + c), or quantized."""
    a, b = (matrix(node, *side, I32) for side in ((0, "transA"), (3, "transB")))
    y = centred(a, needed(node, 2)) @ centred(b, along(node, 5, b.extents, 1))
    y = y + node.traced(6) if node.has(6) else y
    scale = needed(node, 1) * along(node, 4, b.extents, 1) * node.attr("alpha")
    if not node.has(7):
        return y.astype(el.F32) * scale
    zero = node.one(8) if node.has(8) else node.trace.constant(0, el.BY_NAME["ui8"])
    return rescale(y, scale / needed(node, 7), zero, zero.element)


@onnx(f"{MS}MatMulInteger16", 1)
def product_16(node: Node) -> Result:
    """MatMulInteger16(a, b) --> opc.matmul in 32 bits, which wraps."""
    is_signed = any(node.element(k) is el.BY_NAME["i16"] for k in (0, 1))
    type = I32 if is_signed else el.BY_NAME["ui32"]
    return node.traced(0, type) @ node.traced(1, type)


def _factors(node: Node, position: int, number: int) -> tuple[Any, ...]:
    """Weights [inputs, gates] of one direction, their scale, and a zero point other than 0."""
    directions, gates = node.shape(position)[0], node.shape(position)[2]
    scale = 6 + 2 * position
    for k in (scale, scale + 1):
        node.expect(k, (directions, gates) if node.rank(k) == 2 else (directions,))
    kept = [position, scale] if is_nothing(node, scale + 1) else [position, scale, scale + 1]
    return tuple(node.trace.array(node[k])[number] for k in kept)


def _product(x: Any, weights: Any, scale: Any, zero: Any = None) -> Any:
    """Rows of floats, quantized by their range, times weights: MatMulIntegerToFloat."""
    y, own, own_zero = dynamic(x)
    return scaled(centred(y, own_zero) @ centred(weights, zero), own, scale)


@onnx(f"{MS}DynamicQuantizeLSTM", 1)
def lstm(node: Node) -> tuple[Result, ...]:
    """DynamicQuantizeLSTM(x, w, r, ...) --> LSTM with products of quantized values."""
    turned = (node.traced(k).transpose(0, 2, 1) for k in (1, 2))
    inner = node.with_inputs(node[0], *turned, *node.inputs[3:8], schema=SCHEMAS["LSTM"][7])
    return recurrent(inner, _product, lambda _, position, number: _factors(node, position, number))
