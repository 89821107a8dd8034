"""Matrix products and convolutions of quantized tensors; 32-bit sums wrap."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.quantization import is_scalar, rescale

from .node import Node
from .quantization import is_zero
from .schema import onnx
from .window import biased, convolved

I32 = el.BY_NAME["i32"]


def along_matrix(node: Node, position: int, matrix: int, axis: int) -> SSAValue:
    """A scale or zero point, scalar or per index of a matrix axis, shaped to broadcast."""
    shape, matrices = node.shape(position), node.shape(matrix)
    value = node[position]
    if is_scalar(shape) and len(shape) <= 1:
        return node.reshape(value, ())
    what = f"input {position} is {shape_text(shape)} for matrices {shape_text(matrices)}"
    if len(matrices) < 2 or len(shape) not in (1, len(matrices)):
        raise node.error(f"{what}, expected one element or one for each index of an axis")
    if len(shape) == 1:
        shape = (*shape, ex.const(1)) if axis == -2 else (ex.const(1), *shape)
        value = node.reshape(value, shape)
    _require_along(node, shape, matrices, axis, what)
    return value


def _require_along(node: Node, shape: Shape, matrices: Shape, axis: int, what: str) -> None:
    """Require values along ``axis``, one of the last two; leading axes may broadcast."""
    other = -3 - axis
    if shape[other] != 1:
        raise node.error(f"{what}, expected extent 1 along axis {other}")
    for k, extent in enumerate(shape, -len(shape)):
        if k == axis or (k < -2 and extent != 1):
            node.require("equal", extent, matrices[k], f"values along axis {k} of the matrices")


def _centred(node: Node, position: int, zero: SSAValue | None) -> SSAValue:
    """An input minus its zero point, in 32 bits."""
    x = node.cast(node[position], I32)
    return x if zero is None else node.binary("sub", x, node.cast(zero, I32))


def _is_nothing(node: Node, position: int) -> bool:
    """Whether a zero point is absent or a known 0."""
    return not node.has(position) or is_zero(node, position)


def _product(node: Node, a: tuple[int, int], b: tuple[int, int]) -> SSAValue:
    """The product of two matrices, given by the positions of each and of its zero point."""
    sides = [
        _centred(node, k, None if _is_nothing(node, z) else along_matrix(node, z, k, axis))
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
        if not is_scalar(node.shape(k)) or len(node.shape(k)) > 1:
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


def _of_filters(node: Node, position: int, filters: int) -> SSAValue:
    """A scale or zero point, scalar or per filter, shaped to broadcast to the filters."""
    shape, filter_shape = node.shape(position), node.shape(filters)
    if is_scalar(shape) and len(shape) <= 1:
        return node.reshape(node[position], ())
    if len(shape) != 1:
        raise node.error(f"input {position} is {shape_text(shape)}, expected one for each filter")
    node.require("equal", shape[0], filter_shape[0], "values for each filter")
    return node.reshape(node[position], (shape[0], *[ex.const(1)] * (len(filter_shape) - 1)))


def _one(node: Node, position: int) -> SSAValue:
    if not is_scalar(node.shape(position)) or len(node.shape(position)) > 1:
        raise node.error(
            f"input {position} is {type_text(node[position].type)}, expected one element"
        )
    return node.reshape(node[position], ())


def _convolution(node: Node, x: tuple[int, int], w: tuple[int, int]) -> SSAValue:
    data = _centred(node, x[0], None if _is_nothing(node, x[1]) else _one(node, x[1]))
    none = _is_nothing(node, w[1])
    filters = _centred(node, w[0], None if none else _of_filters(node, w[1], w[0]))
    return convolved(node, data, filters)


@onnx("ConvInteger", 10)
def conv_integer(node: Node) -> Result:
    """ConvInteger(x, w, zx, zw) --> opc.conv (x - zx), (w - zw)."""
    return _convolution(node, (0, 2), (1, 3))


@onnx("QLinearConv", 10)
def qlinear_conv(node: Node) -> Result:
    """QLinearConv --> opc.conv (x - zx), (w - zw), biased and rescaled."""
    y = biased(node, _convolution(node, (0, 2), (3, 5)), 8)
    own = _of_filters(node, 4, 3)
    if shape_of(tensor_of(own)):
        own = node.reshape(own, shape_of(tensor_of(own))[:-1])
    return _requantized(node, y, (_one(node, 1), own))
