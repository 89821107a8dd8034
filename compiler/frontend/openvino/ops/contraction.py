"""Products and inverses of matrices, and attention as the converter of OpenVINO writes it."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import Shape
from opc.frontend.models import attention as at
from opc.frontend.models.inverse import inverted
from opc.frontend.models.traced import traced

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


def _bias(layer: Layer, scores: Shape, type: el.ElementType) -> Any:
    """The mask, i1 or additive; None if it is absent or 0."""
    if not layer.has(3) or layer.attr("causal"):
        return None
    if layer.number(3) == 0 and layer.element(3) is not el.I1:
        return None
    x = layer.traced(3, el.I1 if layer.element(3) is el.I1 else type)
    if x.ndim > len(scores):
        raise layer.error(f"a mask of rank {x.ndim} for scores of rank {len(scores)}")
    for n, extent in zip(reversed(x.extents), reversed(scores), strict=False):
        layer.require("stretch", n, extent, "the mask does not broadcast to the scores")
    return x


@openvino("ScaledDotProductAttention", 13)
def attention(layer: Layer) -> Any:
    """ScaledDotProductAttention-13: softmax(q k^T * scale + mask) v.

    With ``causal`` query i attends to keys 0 to i, and the mask is ignored.  A query without
    keys gives NaN.
    """
    q, k, v, *_ = traced(layer)
    rank = layer.rank()
    if rank < 2 or any(layer.rank(n) != rank for n in range(3)):
        raise layer.error(f"ranks {[layer.rank(n) for n in range(3)]}, expected one, 2 or more")
    q = q * layer.scalar(4, q.element) if layer.has(4) else at.scaled(q, None)
    x = q @ k.mT
    bias = _bias(layer, x.extents, q.element)
    conditions: list[Any] = []
    if layer.attr("causal"):
        conditions = at.Window(ex.const(0), None, 0).seen(layer.trace, *x.extents[-2:])
    if bias is not None and bias.element is el.I1:
        conditions, bias = [bias], None
    weights = at.softmax(at.masked(x, conditions, bias), False)
    return (weights @ v).astype(layer.element())
