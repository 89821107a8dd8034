"""Scaled products of 8-bit integer matrices, and DynamicQuantizeLSTM."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.movement import TransposeOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of, type_text
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.quantization import dequantize, is_scalar, rescale

from ..integer import along_matrix, matmul_integer
from ..node import Node
from ..quantization import dynamic, dynamic_quantize_linear
from ..recurrent import recurrent
from ..schema import SCHEMAS, onnx
from .fused import MS
from .quantized import needed, one

I32 = el.BY_NAME["i32"]


@onnx(f"{MS}MatMulIntegerToFloat", 1)
def to_float(node: Node) -> Result:
    """MatMulIntegerToFloat(a, b, ...) --> opc.matmul (a - za), (b - zb), scaled, plus a bias."""
    zeros = (node.inputs[k] if node.has(k) else None for k in (4, 5))
    total = node.tensor(matmul_integer(node.with_inputs(*node.inputs[:2], *zeros)))
    scales = (node.cast(along_matrix(node, *where), el.F32) for where in ((2, 0, -2), (3, 1, -1)))
    y = node.binary("mul", node.cast(total, el.F32), node.binary("mul", *scales))
    if node.has(6):
        y = node.binary("add", y, node.cast(node[6], el.F32))
    return node.cast(y, node.element(2))


@onnx(f"{MS}DynamicQuantizeMatMul", 1)
def dynamic_product(node: Node) -> Result:
    """DynamicQuantizeMatMul(a, b, ...) --> MatMulIntegerToFloat of a, quantized by its range."""
    a, scale, zero = dynamic_quantize_linear(node)
    b, b_scale, *rest = [*node.inputs[1:], None, None]
    schema = SCHEMAS[f"{MS}MatMulIntegerToFloat"][1]
    return to_float(node.with_inputs(a, b, scale, b_scale, zero, *rest[:2], schema=schema))


def _of_columns(node: Node, position: int, columns: ex.Expr) -> SSAValue:
    """A scale or zero point, scalar or per column."""
    shape = node.shape(position)
    if is_scalar(shape) and len(shape) <= 1:
        return node.reshape(node[position], ())
    if len(shape) != 1:
        raise node.error(f"input {position} is {shape_text(shape)}, expected one for each column")
    node.require("equal", shape[0], columns, "values for each column")
    return node[position]


def _matrix(node: Node, position: int, flag: str) -> SSAValue:
    if len(node.shape(position)) != 2:
        raise node.error(f"expected matrices, found {type_text(node[position].type)}")
    x = node.cast(node[position], I32)
    return node.add(TransposeOp(x, permutation=(1, 0))) if node.attr(flag) else x


@onnx(f"{MS}QGemm", 1)
def gemm(node: Node) -> Result:
    """QGemm(a, b, c) --> alpha * scales * (opc.matmul (a - za), (b - zb) + c), or quantized."""
    a = node.binary("sub", _matrix(node, 0, "transA"), node.cast(needed(node, 2), I32))
    b = _matrix(node, 3, "transB")
    columns = shape_of(tensor_of(b))[1]
    b = node.binary("sub", b, node.cast(_of_columns(node, 5, columns), I32))
    y = node.add(MatmulOp(a, b))
    if node.has(6):
        y = node.binary("add", y, node[6])
    scale = node.binary("mul", needed(node, 1), _of_columns(node, 4, columns))
    scale = node.scaled("mul", scale, node.attr("alpha"))
    if not node.has(7):
        return node.binary("mul", node.cast(y, el.F32), scale)
    scale = node.binary("div", scale, needed(node, 7))
    zero = one(node, 8)
    type = el.BY_NAME["ui8"] if zero is None else node.element(8)
    return rescale(node, y, scale, node.constant(0, type) if zero is None else zero, type)


@onnx(f"{MS}MatMulInteger16", 1)
def product_16(node: Node) -> Result:
    """MatMulInteger16(a, b) --> opc.matmul in 32 bits, which wraps."""
    is_signed = any(node.element(k) is el.BY_NAME["i16"] for k in (0, 1))
    type = I32 if is_signed else el.BY_NAME["ui32"]
    return node.add(MatmulOp(*(node.cast(node[k], type) for k in (0, 1))))


def _weights(node: Node, position: int, scale: int) -> SSAValue:
    """LSTM weights [directions, inputs, gates], dequantized and transposed to ONNX layout."""
    shape = node.shape(position)
    if len(shape) != 3:
        raise node.error(f"input {position} is {shape_text(shape)}, expected three axes")

    def along(k: int) -> SSAValue:
        """A scale or zero point per direction, or per gate too."""
        own = node.shape(k)
        wanted: Shape = (shape[0], ex.const(1), shape[2] if len(own) == 2 else ex.const(1))
        return node.reshape(node[k], wanted)

    x = dequantize(node, node[position], along(scale), along(scale + 1), el.F32)
    return node.add(TransposeOp(x, permutation=(0, 2, 1)))


def _rounded(builder: Builder, x: SSAValue) -> SSAValue:
    """Floats quantized by their range, then dequantized."""
    y, scale, zero = dynamic(builder, x)
    return dequantize(builder, y, scale, zero, el.F32)


@onnx(f"{MS}DynamicQuantizeLSTM", 1)
def lstm(node: Node) -> tuple[Result, ...]:
    """DynamicQuantizeLSTM(x, w, r, ...) --> LSTM with products of quantized values."""
    w, r = _weights(node, 1, 8), _weights(node, 2, 10)
    operands = [_rounded(node, node[0]), w, r, *node.inputs[3:8]]
    return recurrent(
        node.with_inputs(*operands, schema=SCHEMAS["LSTM"][7]),
        lambda h: h.trace.array(_rounded(h.trace.node, h.value)),
    )
