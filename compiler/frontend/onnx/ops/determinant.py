"""Det: Gaussian elimination with partial pivoting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import element, shape_of, tensor_of, type_text
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.traced import NodeTrace, value

from .node import Node
from .normalization import wide
from .schema import onnx


def _step(inner: Builder, arguments: Sequence[SSAValue]) -> tuple[Values, Values]:
    """Eliminate column k of matrices [B, n, n] and multiply the pivot into the total.

    The pivot is the greatest magnitude from row k on; its row is swapped with row k.
    """
    trace = NodeTrace(inner)
    k, a, total = map(trace.array, arguments)
    n = shape_of(tensor_of(arguments[1]))[1]
    positions = trace.given(trace.numbers(n), el.I64)
    zero = np.zeros((), a.dtype)

    def row(number: Any) -> Any:
        return np.where(positions.reshape(-1, 1) == number, a, zero).sum(axis=1, keepdims=True)

    column = np.where(positions == k, a, zero).sum(axis=2)
    rank = np.where(positions >= k, np.abs(column), -1)
    at = np.argmax(rank, axis=1, keepdims=True).reshape(-1, 1, 1)
    top, other = row(at), row(k)
    pivot = np.where(positions == k, top, zero).sum(axis=2, keepdims=True)
    rows = positions.reshape(-1, 1)
    a = np.where(rows == k, top, np.where(rows == at, other, a))
    column = np.where(positions == k, a, zero).sum(axis=2, keepdims=True)
    factor = np.where((rows > k) & (pivot != 0), column / pivot, zero)
    a = a - factor * top
    sign = np.where(at == k, np.ones((), a.dtype), -np.ones((), a.dtype))
    return [a.value, (total * (sign * pivot).reshape(-1)).value], []


@onnx("Det", 11, 22)
def determinant(node: Node) -> Result:
    """Det(x) --> opc.scan over the columns; f16 and bf16 in f32, rounded once."""
    shape = node.shape()
    if len(shape) < 2:
        raise node.error(f"{type_text(node[0].type)} is not a matrix")
    node.require("equal", shape[-1], shape[-2], "the matrix is not square")
    x = node.cast(node[0], wide(node.element()))
    batch, n = ex.product(shape[:-2]), shape[-2]
    matrices = node.reshape(x, (batch, n, n))
    one = node.broadcast(node.constant(1.0, element(tensor_of(x))), (batch,))
    if n == 0:
        return node.cast(node.reshape(one, shape[:-2]), node.element())
    (_, total), _ = scan(node, node.op, n, ([matrices, one], [], []), _step, has_index=True)
    return value(node, NodeTrace(node).array(node.reshape(total, shape[:-2])))
