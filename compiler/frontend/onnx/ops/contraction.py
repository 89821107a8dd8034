"""MatMul, Gemm and Einsum."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import type_text
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.traced import value

from .node import Node
from .normalization import wide
from .schema import onnx


@onnx("MatMul", 1, 9, 13)
def matmul(node: Node) -> Any:
    """MatMul(a, b) --> opc.matmul a, b."""
    return node.trace.emit(MatmulOp, node.traced(0), node.traced(1))


def matrix(node: Node, position: int, flag: str, type: el.ElementType) -> Any:
    """An input of rank 2 in a type, transposed if the attribute says so."""
    node.ranked(position, 2)
    x = node.traced(position, type)
    return x.T if node.attr(flag) else x


def product(node: Node) -> Any:
    """alpha * opc.matmul(a, b) + beta * c in the accumulation type; c broadcasts."""
    type = wide(node.element())
    y = matrix(node, 0, "transA", type) @ matrix(node, 1, "transB", type)
    alpha, beta = node.attr("alpha"), node.attr("beta")
    for name in ("alpha", "beta"):
        if type.is_integer and not float(node.attr(name)).is_integer():
            raise node.unsupported(f"attribute {name} is {node.attr(name)}, for integers")
    if alpha != 1:
        y = y * y.trace.constant(alpha, type)
    if not node.has(2):
        return y
    c = node.traced(2, type)
    stretches = not node.schema.has("broadcast") or node.attr("broadcast")
    if c.ndim > 2 or (not stretches and c.extents != y.extents):
        types = type_text(node[2].type), type_text(y.value.type)
        raise node.error(f"the third input {types[0]} does not fit {types[1]}")
    return y + (c if beta == 1 else c * c.trace.constant(beta, type))


@onnx("Gemm", 1, 6, 7, 9, 11, 13)
def gemm(node: Node) -> Any:
    """Gemm(a, b, c) --> alpha * opc.matmul(a, b) + beta * c."""
    return value(node, product(node))


@onnx("Einsum", 12, 28)
def einsum(node: Node) -> Any:
    """Einsum(x, y, ...) {equation} --> opc.contract, a letter for each axis of an ellipsis."""
    try:
        return onp.einsum(node.attr("equation"), *map(node.trace.array, node.tensors()))
    except InputError as error:
        raise node.error(error.message) from None
    except UnsupportedError as error:
        raise node.unsupported(error.message) from None
