"""Inverses of matrices by Gauss-Jordan elimination with partial pivoting."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.shape import type_text
from opc.frontend.python.elementwise import widened

from .bodies import Arrays, scan
from .call import Call
from .traced import value


def pivoted(k: Any, a: Any, ranks: Any, rows: Any) -> tuple[Any, Any, Any]:
    """The place of the greatest rank from row k on in each matrix of a, its row, and row k."""
    zero = np.zeros((), a.dtype)

    def row(number: Any) -> Any:
        return onp.where(rows == number, a, zero).sum(axis=1, keepdims=True)

    at = onp.argmax(onp.where(rows >= k, onp.abs(ranks), -1), axis=1, keepdims=True)
    return at, row(at), row(k)


def _step(k: Any, a: Any) -> tuple[Arrays, Arrays]:
    """Make column k of [B, n, 2n] that of the unit matrix, after a swap with the pivot row."""
    _, n, both = a.extents
    rows, columns = a.trace.line(n).reshape(-1, 1), a.trace.line(both)

    def column(x: Any) -> Any:
        return onp.where(columns == k, x, np.zeros((), a.dtype)).sum(axis=2, keepdims=True)

    at, top, other = pivoted(k, a, column(a), rows)
    top, a = top / column(top), onp.where(rows == at, other, a)
    return [onp.where(rows == k, top, a - column(a) * top)], []


def square(call: Call) -> tuple[ex.Expr, ex.Expr]:
    """The number of matrices in input 0, and their extent; InputError unless they are square."""
    shape = call.shape()
    if len(shape) < 2:
        raise call.error(f"{type_text(call[0].type)} is not a matrix")
    call.require("equal", shape[-1], shape[-2], "the matrix is not square")
    return ex.product(shape[:-2]), shape[-1]


def inverted(call: Call, is_transposed: bool = False) -> Any:
    """The inverses of the matrices in input 0: a scan over the columns of [x | identity]."""
    batch, n = square(call)
    x = widened(call.traced(0)).reshape((batch, n, n))
    places = call.trace.line(n)
    unit = (places.reshape(-1, 1) == places).astype(x.element)
    both = onp.concatenate([x, onp.broadcast_to(unit, (batch, n, n))], axis=2)
    (pairs,), _ = scan(n, [both], [], [], _step, has_index=True)
    result = pairs[:, :, call.trace.size(n) :]
    result = result.mT if is_transposed else result
    return value(call, result.reshape(call.shape()))
