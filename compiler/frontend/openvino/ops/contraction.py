"""Products and inverses of matrices."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects.opc.contraction import MatmulOp
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
