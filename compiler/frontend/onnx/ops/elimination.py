"""Gaussian elimination with partial pivoting: Det, and Inverse of com.microsoft.

Each is an opc.scan over the columns; f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.traced import NodeTrace, value

from .node import Node
from .normalization import wide
from .schema import onnx


class _Column:
    """Column k of matrices a [B, n, m], and the row of its pivot.

    The pivot is the greatest magnitude from row k on.
    """

    def __init__(self, trace: NodeTrace, k: Any, a: Any) -> None:
        self.k, self.a, self.zero = k, a, np.zeros((), a.dtype)
        self.rows, self.columns = (trace.given(trace.numbers(n), el.I64) for n in a.extents[1:])
        self.rows = self.rows.reshape(-1, 1)
        rank = np.where(self.rows >= k, np.abs(self.of(a)), -1)
        self.pivot = np.argmax(rank, axis=1, keepdims=True)

    def of(self, x: Any) -> Any:
        """Column k of some rows."""
        return np.where(self.columns == self.k, x, self.zero).sum(axis=2, keepdims=True)

    def row(self, number: Any) -> Any:
        """A row of the matrices."""
        return np.where(self.rows == number, self.a, self.zero).sum(axis=1, keepdims=True)


def _matrices(node: Node) -> tuple[Any, Shape]:
    """The square matrices of the input, [B, n, n], and the extents before those."""
    *lead, rows, columns = node.ranked(0, least=2)
    node.require("equal", columns, rows, "the matrix is not square")
    x = node.cast(node[0], wide(node.element()))
    x = node.reshape(x, (ex.product(lead), rows, rows))
    return NodeTrace(node).array(x), tuple(lead)


def _determined(inner: Builder, arguments: Sequence[SSAValue]) -> tuple[Values, Values]:
    """Eliminate column k below the pivot, and multiply the pivot into the total."""
    trace = NodeTrace(inner)
    k, a, total = map(trace.array, arguments)
    column = _Column(trace, k, a)
    rows, at, zero = column.rows, column.pivot, column.zero
    top, other = column.row(at), column.row(k)
    pivot = column.of(top)
    a = np.where(rows == k, top, np.where(rows == at, other, a))
    factor = np.where((rows > k) & (pivot != 0), column.of(a) / pivot, zero)
    sign = np.where(at == k, np.ones((), a.dtype), -np.ones((), a.dtype))
    return [(a - factor * top).value, (total * (sign * pivot).reshape(-1)).value], []


@onnx("Det", 11, 22)
def determinant(node: Node) -> Result:
    """Det(x) --> the product of the pivots, with the sign of the swaps."""
    x, lead = _matrices(node)
    batch, n, _ = x.extents
    total = node.broadcast(node.constant(1.0, x.element), (batch,))
    if n != 0:
        operands = ([x.value, total], [], [])
        (_, total), _ = scan(node, node.op, n, operands, _determined, has_index=True)
    return value(node, x.trace.array(node.reshape(total, lead)))


def _eliminated(inner: Builder, arguments: Sequence[SSAValue]) -> tuple[Values, Values]:
    """Eliminate column k of matrices [B, n, 2 * n]: 1 in row k and 0 elsewhere."""
    trace = NodeTrace(inner)
    k, a = map(trace.array, arguments)
    column = _Column(trace, k, a)
    top, other = column.row(column.pivot), column.row(k)
    top, a = top / column.of(top), np.where(column.rows == column.pivot, other, a)
    return [np.where(column.rows == k, top, a - column.of(a) * top).value], []


@onnx("com.microsoft::Inverse", 1)
def inverse(node: Node) -> Result:
    """Inverse(x) --> the right half of [x | identity], eliminated."""
    x, _ = _matrices(node)
    trace, n = x.trace, x.extents[1]
    numbers = trace.given(trace.numbers(n), el.I64)
    eye: Any = (numbers.reshape(-1, 1) == numbers).astype(x.element.name)
    both: Any = np.concatenate([x, np.broadcast_to(eye, x.shape)], axis=2)
    operands = ([both.value], [], [])
    (eliminated,), _ = scan(node, node.op, n, operands, _eliminated, has_index=True)
    y = trace.array(eliminated)[:, :, trace.size(n) : trace.size(n * 2)]
    return node.cast(node.reshape(y.value, node.shape()), node.element())
