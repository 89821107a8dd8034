"""Products and inverses of matrices, and attention as the converter of OpenVINO writes it."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.frontend.models import attention as at
from opc.frontend.models.inverse import inverted

from .layer import Layer
from .schema import openvino


def _matrix(layer: Layer, position: int, flag: str) -> SSAValue:
    """An input with its last two axes swapped if asked; a list stays as it is."""
    x, rank = layer[position], layer.rank(position)
    if not layer.attr(flag) or rank < 2:
        return x
    return layer.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


@openvino("MatMul", 1)
def matmul(layer: Layer) -> SSAValue:
    """MatMul-1: opc.matmul, each side transposed or not."""
    return layer.add(MatmulOp(_matrix(layer, 0, "transpose_a"), _matrix(layer, 1, "transpose_b")))


@openvino("Inverse", 14)
def inverse(layer: Layer) -> Any:
    """Inverse-14 --> opc.scan over the columns; ``adjoint`` transposes the result."""
    return inverted(layer, layer.attr("adjoint"))


def _bias(layer: Layer, scores: Shape, type: el.ElementType) -> SSAValue | None:
    """The mask, i1 or additive; None if it is absent or 0."""
    if not layer.has(3) or layer.attr("causal"):
        return None
    if layer.number(3) == 0 and layer.element(3) is not el.I1:
        return None
    x = layer[3] if layer.element(3) is el.I1 else layer.cast(layer[3], type)
    shape = shape_of(tensor_of(x))
    if len(shape) > len(scores):
        raise layer.error(f"a mask of rank {len(shape)} for scores of rank {len(scores)}")
    for n, extent in zip(reversed(shape), reversed(scores), strict=False):
        layer.require("stretch", n, extent, "the mask does not broadcast to the scores")
    return x


@openvino("ScaledDotProductAttention", 13)
def attention(layer: Layer) -> SSAValue:
    """ScaledDotProductAttention-13: softmax(q k^T * scale + mask) v.

    With ``causal`` query i attends to keys 0 to i, and the mask is ignored.  A query without
    keys gives NaN.
    """
    result_type = layer.element()
    q, k, v = (layer.widened(layer[n]) for n in range(3))
    rank = layer.rank()
    if rank < 2 or any(layer.rank(n) != rank for n in range(3)):
        raise layer.error(f"ranks {[layer.rank(n) for n in range(3)]}, expected one, 2 or more")
    type = element(tensor_of(q))
    if layer.has(4):
        q = layer.binary("mul", q, layer.scalar(4, type).value)
    else:
        q = at.scaled(layer, q, None)
    order = (*range(rank - 2), rank - 1, rank - 2)
    x = layer.add(MatmulOp(q, layer.transpose(k, order)))
    shape = shape_of(tensor_of(x))
    bias = _bias(layer, shape, type)
    conditions: list[SSAValue] = []
    if layer.attr("causal"):
        conditions = at.Window(ex.const(0), None, 0).seen(layer, *shape[-2:])
    if bias is not None and layer.element(3) is el.I1:
        conditions, bias = [bias], None
    x = at.masked(layer, x, conditions, bias)
    weights = at.softmax(layer, x, False)
    return layer.cast(layer.add(MatmulOp(weights, v)), result_type)
