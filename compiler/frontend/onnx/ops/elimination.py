"""Gaussian elimination with partial pivoting: Det, and Inverse of com.microsoft.

Each is an opc.scan over the columns; f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.inverse import inverted, pivoted, square
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import value

from .node import Node
from .normalization import wide
from .schema import onnx


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
    x = node.traced(0, wide(node.element()))
    total = node.trace.full((batch,), 1.0, x.element)
    if n != 0:
        matrices = x.reshape((batch, n, n))
        (_, total), _ = scan(n, [matrices, total], [], [], _determined, has_index=True)
    return value(node, total.reshape(node.shape()[:-2]))


@onnx("com.microsoft::Inverse", 1)
def inverse(node: Node) -> Result:
    """Inverse(x) --> the right half of [x | identity], eliminated."""
    return inverted(node)
