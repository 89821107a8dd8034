"""Det: Gaussian elimination with partial pivoting."""

from __future__ import annotations

from typing import Any

import numpy as np

from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.inverse import pivoted, square
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import value

from .node import Node
from .normalization import wide
from .schema import onnx


def _step(k: Any, a: Any, total: Any) -> tuple[Arrays, Arrays]:
    """Eliminate column k of matrices [B, n, n] and multiply the pivot into the total.

    The pivot is the greatest magnitude from row k on; its row is swapped with row k.
    """
    positions = a.trace.line(a.extents[1])
    rows, zero = positions.reshape(-1, 1), np.zeros((), a.dtype)

    def column(x: Any) -> Any:
        return np.where(positions == k, x, zero).sum(axis=2, keepdims=True)

    at, top, other = pivoted(k, a, column(a), rows)
    pivot = column(top)
    a = np.where(rows == k, top, np.where(rows == at, other, a))
    factor = np.where((rows > k) & (pivot != 0), column(a) / pivot, zero)
    a = a - factor * top
    sign = np.where(at == k, np.ones((), a.dtype), -np.ones((), a.dtype))
    return [a, total * (sign * pivot).reshape(-1)], []


@onnx("Det", 11, 22)
def determinant(node: Node) -> Result:
    """Det(x) --> opc.scan over the columns; f16 and bf16 in f32, rounded once."""
    batch, n = square(node)
    x = node.traced(0, wide(node.element()))
    total = node.trace.full((batch,), 1.0, x.element)
    if n != 0:
        matrices = x.reshape((batch, n, n))
        (_, total), _ = scan(n, [matrices, total], [], [], _step, has_index=True)
    return value(node, total.reshape(node.shape()[:-2]))
