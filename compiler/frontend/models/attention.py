"""Scaled dot-product attention, as products and the parts of a softmax, of traced arrays.

Masks are comparisons of positions, which fuse into the scores.  Heads that share keys and values
are rows of one product, so that keys and values are not repeated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import MAX_SIZE
from opc.frontend.python.reductions import softmax_power

from .traced import NodeTrace


def heads_first(x: Any, heads: int) -> Any:
    """[batch, positions, heads * size] as [batch, heads, positions, size]."""
    batch, positions, hidden = x.extents
    what = "heads do not share the axis equally"
    x.trace.node.require("divides", hidden, ex.const(heads), what)
    split = (batch, positions, heads, ex.floordiv(hidden, heads))
    return x.reshape(split).transpose(0, 2, 1, 3)


def heads_last(x: Any) -> Any:
    """[batch, heads, positions, size] as [batch, positions, heads * size]."""
    batch, heads, positions, size = x.extents
    return x.transpose(0, 2, 1, 3).reshape((batch, positions, heads * size))


def product(x: Any, y: Any) -> Any:
    """x [batch, heads, n, k] times y [batch, groups, k, m]; consecutive heads share a group.

    Heads of one group are rows of the same product.
    """
    batch, heads, rows, inner = x.extents
    groups, columns = y.extents[1], y.extents[-1]
    if heads == groups:
        return x @ y
    x.trace.node.require("divides", heads, groups, "heads do not make whole groups")
    together = x.reshape((batch, groups, ex.floordiv(heads, groups) * rows, inner))
    return (together @ y).reshape((batch, heads, rows, columns))


def scaled(q: Any, scale: float | None) -> Any:
    """Queries times the scale, by default 1 / sqrt(their last extent)."""
    size = q.extents[-1].constant
    if scale is None and size is not None:
        scale = 1 / math.sqrt(size) if size else 1.0
    if scale is not None:
        return q * scale
    # In f64, as above, so that known and unknown sizes give the same bits.
    factor = 1.0 / onp.sqrt(q.trace.number(q.extents[-1]).astype(el.F64))
    return q * factor.astype(q.element)


def scores(q: Any, k: Any, scale: float | None) -> Any:
    """The scores of queries [batch, heads, n, size] and keys [batch, groups, m, size]."""
    return product(scaled(q, scale), k.mT)


@dataclass(frozen=True)
class Window:
    """The keys that a query sees by position; its own position is its number plus an offset."""

    offset: Any
    """An i64 array of rank 4, or an extent."""
    left: int | None = None
    """The number of visible keys before its position; None for all."""
    right: int | None = None
    """The number after it."""

    def seen(self, trace: NodeTrace, queries: ex.Expr, keys: ex.Expr) -> list[Any]:
        """Conditions of [..., queries, keys]."""
        if self.left is None and self.right is None:
            return []
        place, key = trace.positions(queries).reshape((queries, 1)), trace.positions(keys)
        if not isinstance(self.offset, ex.Expr):
            place = place + self.offset
        elif self.offset != 0:
            place = place + trace.number(self.offset)
        conditions: list[Any] = []
        # Without this limit a large bound would wrap; no extent exceeds it.
        if self.right is not None:
            conditions.append(key <= (place + min(self.right, MAX_SIZE) if self.right else place))
        if self.left is not None:
            conditions.append(key >= (place + -min(self.left, MAX_SIZE) if self.left else place))
        return conditions


def masked(x: Any, conditions: Sequence[Any], bias: Any = None) -> Any:
    """x + bias; -inf where a condition is false or the bias is -inf."""
    if bias is not None:
        # A masked x does not count, even if it is infinite or NaN.
        x = onp.where(bias == -math.inf, -math.inf, x + bias)
    return onp.where(reduce(onp.bitwise_and, conditions), x, -math.inf) if conditions else x


def softmax(x: Any, may_be_hidden: bool, sink: Any = None) -> Any:
    """Softmax along the last axis; with ``may_be_hidden`` a row of -inf gives 0.

    A ``sink`` is an additional score of each row, which only counts in the sum.
    """
    if not may_be_hidden and sink is None:
        return onp.softmax(x)
    top: Any = onp.max(x, -1, keepdims=True)
    top = top if sink is None else onp.maximum(top, sink)
    # Finite, so that the powers of a hidden row are 0; in others one of them is 1.
    top = onp.maximum(top, float(np.finfo(x.dtype).min)) if may_be_hidden else top
    power = softmax_power(x - top)
    total = onp.sum(power, -1, keepdims=True)
    total = total if sink is None else total + onp.exp(sink - top)
    return power / (onp.maximum(total, 1) if may_be_hidden else total)
