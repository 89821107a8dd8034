"""Matrix products and convolutions of quantized tensors; 32-bit sums wrap."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import shape_of, shape_text, tensor_of, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.quantization import rescale

from .node import Node
from .quantization import along, is_zero
from .schema import onnx
from .window import biased, convolved

I32 = el.BY_NAME["i32"]


def along_matrix(node: Node, position: int, matrix: int, axis: int) -> SSAValue:
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
    return node[position]


def centred(node: Node, position: int, zero: SSAValue | None) -> SSAValue:
    """An input minus its zero point, in 32 bits."""
    x = node.cast(node[position], I32)
    return x if zero is None else node.binary("sub", x, node.cast(zero, I32))


def _is_nothing(node: Node, position: int) -> bool:
    """Whether a zero point is absent or a known 0."""
    return not node.has(position) or is_zero(node, position)


def _product(node: Node, a: tuple[int, int], b: tuple[int, int]) -> SSAValue:
    """The product of two matrices, given by the positions of each and of its zero point."""
    sides = [
        centred(node, k, None if _is_nothing(node, z) else along_matrix(node, z, k, axis))
        for (k, z), axis in ((a, -2), (b, -1))
    ]
    return node.add(MatmulOp(*sides))


@onnx("MatMulInteger", 10)
def matmul_integer(node: Node) -> Result:
    """MatMulInteger(a, b, za, zb) --> opc.matmul (a - za), (b - zb)."""
    return _product(node, (0, 2), (1, 3))


def _requantized(node: Node, y: SSAValue, scales: tuple[SSAValue, SSAValue]) -> Result:
    """round(y * (a_scale * b_scale / y_scale)) + zero, saturated; inputs 6: y_scale, 7: zero."""
    for k in (6, 7):
        if node.shape(k) not in ((), (1,)):
            raise node.unsupported(f"input {k} is {type_text(node[k].type)}, expected one element")
    scale = node.binary("mul", *scales)
    scale = node.binary("div", scale, node.reshape(node[6], ()))
    return rescale(node, y, scale, node.reshape(node[7], ()), node.element(7))


@onnx("QLinearMatMul", 10, 21)
def qlinear_matmul(node: Node) -> Result:
    """QLinearMatMul --> opc.matmul (a - za), (b - zb), rescaled."""
    for k in (0, 3, 7):
        if not node.element(k).is_integer:
            raise node.unsupported(f"element type {node.element(k)} of input {k} is not supported")
    y = _product(node, (0, 2), (3, 5))
    return _requantized(node, y, (along_matrix(node, 1, 0, -2), along_matrix(node, 4, 3, -1)))


def _convolution(node: Node, x: tuple[int, int], w: tuple[int, int]) -> SSAValue:
    data = centred(node, x[0], None if _is_nothing(node, x[1]) else node.one(x[1]))
    shape = node.shape(w[0])
    zero = None if _is_nothing(node, w[1]) else along(node, w[1], shape, 0)
    return convolved(node, data, centred(node, w[0], zero))


@onnx("ConvInteger", 10)
def conv_integer(node: Node) -> Result:
    """ConvInteger(x, w, zx, zw) --> opc.conv (x - zx), (w - zw)."""
    return _convolution(node, (0, 2), (1, 3))


@onnx("QLinearConv", 10)
def qlinear_conv(node: Node) -> Result:
    """QLinearConv --> opc.conv (x - zx), (w - zw), biased and rescaled."""
    y = biased(node, _convolution(node, (0, 2), (3, 5)), 8)
    own = along(node, 4, node.shape(3), 0)
    if shape_of(tensor_of(own)):
        own = node.reshape(own, shape_of(tensor_of(own))[:-1])
    return _requantized(node, y, (node.one(1), own))
