"""Products and eliminations of matrices: MatMul, Gemm, Einsum, Det and Inverse.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.shape import type_text
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.inverse import inverted, pivoted, square
from opc.frontend.models.rounded_activations import matmul as multiplied
from opc.frontend.models.traced import value

from .node import Node
from .schema import Result, onnx


@onnx("MatMul", 1, 9, 13)
def matmul(node: Node) -> Any:
    """MatMul(a, b) --> opc.matmul a, b."""
    return multiplied(node.traced(0), node.traced(1))


def matrix(node: Node, position: int, flag: str, type: el.ElementType) -> Any:
    """An input of rank 2 in a type, transposed if the attribute says so."""
    node.ranked(position, 2)
    x = node.traced(position, type)
    return x.T if node.attr(flag) else x


def product(node: Node) -> Any:
    """alpha * opc.matmul(a, b) + beta * c in the accumulation type; c broadcasts."""
    type = node.wide()
    y = multiplied(matrix(node, 0, "transA", type), matrix(node, 1, "transB", type))
    alpha, beta = node.attr("alpha"), node.attr("beta")
    for name in ("alpha", "beta"):
        if type.is_integer and not float(node.attr(name)).is_integer():
            raise node.unsupported(f"attribute {name} is {node.attr(name)}, for integers")
    if alpha != 1:
        y = y * y.trace.constant(alpha, type)
    if not node.has(2):
        return y
    c = node.traced(2, type)
    stretches = not node.schema.signature.has("broadcast") or node.attr("broadcast")
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


def _determined(k: Any, a: Any, total: Any) -> tuple[Arrays, Arrays]:
    """Eliminate column k below the pivot, and multiply the pivot into the total."""
    columns = a.trace.line(a.extents[1])
    rows, zero = columns.reshape(-1, 1), np.zeros((), a.dtype)

    def column(x: Any) -> Any:
        return np.where(columns == k, x, zero).sum(axis=2, keepdims=True)

    at, top, other = pivoted(k, a, column(a), rows)
    pivot = column(top)
    moved: Any = onp.where(rows == k, top, onp.where(rows == at, other, a))
    factor: Any = onp.where((rows > k) & (pivot != 0), column(moved) / pivot, zero)
    one: Any = np.ones((), a.dtype)
    sign: Any = onp.where(at == k, one, -one)
    return [moved - factor * top, total * (sign * pivot).reshape(-1)], []


@onnx("Det", 11, 22)
def determinant(node: Node) -> Result:
    """Det(x) --> the product of the pivots, with the sign of the swaps."""
    batch, n = square(node)
    x = node.traced(0, node.wide())
    total = node.trace.full((batch,), 1.0, x.element)
    if n != 0:
        matrices = x.reshape((batch, n, n))
        (_, total), _ = scan(n, [matrices, total], [], [], _determined, has_index=True)
    return value(node, total.reshape(node.shape()[:-2]))


@onnx("com.microsoft::Inverse", 1)
def inverse(node: Node) -> Result:
    """Inverse(x) --> the right half of [x | identity], eliminated."""
    return inverted(node)
