"""Quantization and dequantization of tensors, and products of quantized tensors.

Scales and zero points are per tensor, per index of an axis, or per block along an axis.
32-bit sums wrap.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text, type_text
from opc.frontend.models.norms import on_axis
from opc.frontend.models.quantization import (
    dequantize,
    in_blocks,
    is_scalar,
    is_whole,
    quantize,
    rescale,
)

from .node import Node
from .schema import NAMES, Result, onnx
from .signatures import Types
from .window import biased, convolved

PRECISIONS = frozenset({"float16", "float", "double", "bfloat16"})


def _type(
    node: Node, name: str, default: el.ElementType, allowed: Types | None = None
) -> el.ElementType:
    """The element type that an attribute names, by default of outputs, or the default for 0."""
    names = (
        node.schema.signature.allowed(node.schema.signature.outputs[0].type)
        if allowed is None
        else allowed
    )
    return node.type_in(name, lambda type: NAMES[type.name] in names, default)


def along(node: Node, position: int, extents: Shape, axis: int) -> Any:
    """A scale or zero point, of one element or per index of an axis, to broadcast to extents."""
    shape = node.shape(position)
    if shape in ((), (1,)):
        return node.one(position)
    if len(shape) != 1:
        text = f"input {position} is {shape_text(shape)} for values {shape_text(extents)}"
        raise node.error(f"{text}, expected one element or a vector")
    node.require("equal", shape[0], extents[axis], f"one for each index of axis {axis}")
    return on_axis(node.traced(position), axis, len(extents))


def spread(node: Node, position: int) -> Any:
    """A scale or zero point, shaped to broadcast to input 0."""
    x, shape = node.shape(0), node.shape(position)
    value, rank, block = node.traced(position), len(x), node.at_least("block_size", 0)
    if is_scalar(shape) and (not block or len(shape) <= 1):
        return value.reshape(())
    what = f"input {position} is {shape_text(shape)} for values {shape_text(x)}"
    if node.since < 13:
        raise node.error(f"{what}, expected one element")
    axis = node.axis(node.attr("axis"), rank)
    if not block:
        return along(node, position, x, axis)
    if len(shape) != rank:
        raise node.error(f"{what}, expected one for each block of {block} along axis {axis}")
    for k, (scales, extent) in enumerate(zip(shape, x, strict=True)):
        wanted = ex.floordiv(extent + (block - 1), block) if k == axis else extent
        node.require("equal", scales, wanted, f"one scale for each block of {block}, axis {k}")
    return in_blocks(value, axis, block, x[axis])


def _zero(node: Node) -> Any:
    """The zero point, input 2, shaped as the scale, input 1."""
    own, scales = node.shape(2), node.shape(1)
    if len(own) != len(scales) and not (is_scalar(own) and is_scalar(scales)):
        text = f"{shape_text(own)} and {shape_text(scales)}"
        raise node.error(f"zero point and scale have shapes {text}, expected one")
    return spread(node, 2)


def is_nothing(node: Node, position: int) -> bool:
    """Whether a zero point is absent or a known 0."""
    known = node.known(position) if node.has(position) else None
    return not node.has(position) or (known is not None and all(e == 0 for e in known.exprs))


@onnx("QuantizeLinear", 10, 13, 19, 21, 23, 24, 25, 28)
def quantize_linear(node: Node) -> Result:
    """QuantizeLinear(x, scale, zero) --> opc.cast (opc.round (x / scale) + zero)."""
    source, scale = node.element(0), node.element(1)
    type = node.element(2) if node.has(2) else el.BY_NAME["ui8"]
    wanted = _type(node, "output_dtype", type)
    if node.has(2) and wanted is not type:
        raise node.error(f"attribute output_dtype is {wanted}, and the zero point has type {type}")
    natural = scale
    if scale.is_integer:
        # Integers divide exactly in f64.
        natural = el.F64
    elif scale.is_small:
        natural = el.F32
    precision = _type(node, "precision", natural, PRECISIONS)
    if source.is_integer and not scale.is_float and precision is natural:
        precision = el.F64
    # A zero point of floats is added even if it is 0, for its shape is checked.
    zero = None if is_nothing(node, 2) and (is_whole(wanted) or not node.has(2)) else _zero(node)
    saturate = bool(node.attr("saturate"))
    return quantize(node.traced(0), spread(node, 1), zero, wanted, precision, saturate)


@onnx("DequantizeLinear", 10, 13, 19, 21, 23, 24, 25, 28)
def dequantize_linear(node: Node) -> Result:
    """DequantizeLinear(x, scale, zero) --> (x - zero) * scale."""
    type = _type(node, "output_dtype", node.element(1))
    if not type.is_float:
        raise node.error(f"a scale of type {type} needs attribute output_dtype")
    zero = None if is_nothing(node, 2) else _zero(node)
    return dequantize(node.traced(0), spread(node, 1), zero, type)


def dynamic(x: Any) -> tuple[Any, Any, Any]:
    """x in ui8, scale and zero point, which cover the range of x and 0."""
    high, low = onp.maximum(onp.max(x), 0.0), onp.minimum(onp.min(x), 0.0)
    scale: Any = (high - low) / 255.0
    zero = onp.rint(onp.clip(0.0 - low / scale, 0.0, 255.0)).astype("uint8")
    return quantize(x, scale, zero, zero.element, el.F32), scale, zero


@onnx("DynamicQuantizeLinear", 11)
def dynamic_quantize_linear(node: Node) -> tuple[Any, Any, Any]:
    """DynamicQuantizeLinear(x) --> y, scale and zero point."""
    return dynamic(node.traced(0))


I32 = el.BY_NAME["i32"]


def along_matrix(node: Node, position: int, matrix: int, axis: int) -> Any:
    """A scale or zero point, of one element or per index of a matrix axis, shaped to broadcast."""
    shape, matrices = node.shape(position), node.shape(matrix)
    if shape in ((), (1,)):
        return node.one(position)
    is_vector = len(shape) == 1
    if len(matrices) < 2 or not (
        is_vector or (len(shape) == len(matrices) and shape[-3 - axis] == 1)
    ):
        text = f"input {position} is {shape_text(shape)} for matrices {shape_text(matrices)}"
        raise node.error(f"{text}, expected one element or one for each index of axis {axis}")
    if is_vector:
        return along(node, position, matrices[-2:], axis + 2)
    for k, extent in enumerate(shape, -len(shape)):
        # Leading axes may broadcast.
        if k == axis or (k < -2 and extent != 1):
            node.require("equal", extent, matrices[k], f"values along axis {k} of the matrices")
    return node.traced(position)


def centred(x: Any, zero: Any) -> Any:
    """Integers minus their zero point, unless it is None, in 32 bits."""
    return x.astype(I32) if zero is None else x.astype(I32) - zero.astype(I32)


def scaled(total: Any, a_scale: Any, b_scale: Any) -> Any:
    """A 32-bit sum of products in f32, times the product of the scales: three roundings."""
    scale = a_scale * b_scale
    return total.astype(el.F32) * scale


def _product(node: Node, a: tuple[int, int], b: tuple[int, int]) -> Any:
    """The product of two matrices, given by the positions of each and of its zero point."""
    left, right = (
        centred(node.traced(k), None if is_nothing(node, z) else along_matrix(node, z, k, axis))
        for (k, z), axis in ((a, -2), (b, -1))
    )
    return left @ right


@onnx("MatMulInteger", 10)
def matmul_integer(node: Node) -> Any:
    """MatMulInteger(a, b, za, zb) --> opc.matmul (a - za), (b - zb)."""
    return _product(node, (0, 2), (1, 3))


def _requantized(node: Node, y: Any, scales: tuple[Any, Any]) -> Result:
    """round(y * (a_scale * b_scale / y_scale)) + zero, saturated; inputs 6: y_scale, 7: zero."""
    for k in (6, 7):
        if node.shape(k) not in ((), (1,)):
            raise node.unsupported(f"input {k} is {type_text(node[k].type)}, expected one element")
    scale = scales[0] * scales[1] / node.one(6)
    return rescale(y, scale, node.one(7), node.element(7))


@onnx("QLinearMatMul", 10, 21)
def qlinear_matmul(node: Node) -> Result:
    """QLinearMatMul --> opc.matmul (a - za), (b - zb), rescaled."""
    for k in (0, 3, 7):
        if not node.element(k).is_integer:
            raise node.unsupported(f"element type {node.element(k)} of input {k} is not supported")
    y = _product(node, (0, 2), (3, 5))
    return _requantized(node, y, (along_matrix(node, 1, 0, -2), along_matrix(node, 4, 3, -1)))


def _convolution(node: Node, x: tuple[int, int], w: tuple[int, int]) -> Any:
    data = centred(node.traced(x[0]), None if is_nothing(node, x[1]) else node.one(x[1]))
    zero = None if is_nothing(node, w[1]) else along(node, w[1], node.shape(w[0]), 0)
    return convolved(node, data, centred(node.traced(w[0]), zero))


@onnx("ConvInteger", 10)
def conv_integer(node: Node) -> Result:
    """ConvInteger(x, w, zx, zw) --> opc.conv (x - zx), (w - zw)."""
    return _convolution(node, (0, 2), (1, 3))


@onnx("QLinearConv", 10)
def qlinear_conv(node: Node) -> Result:
    """QLinearConv --> opc.conv (x - zx), (w - zw), biased and rescaled."""
    y = biased(node, _convolution(node, (0, 2), (3, 5)), 8)
    own = along(node, 4, node.shape(3), 0)
    own = own.reshape(own.extents[:-1]) if own.ndim else own
    return _requantized(node, y, (node.one(1), own))
