"""Scaled dot-product attention, as products and the parts of a softmax.

Masks are comparisons of positions, which fuse into the scores.  Heads that share keys and values
are rows of one product, so that keys and values are not repeated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import MAX_SIZE, shape_of, tensor_of

from .op_builder import Builder
from .traced import NodeTrace


def heads_first(builder: Builder, x: SSAValue, heads: int) -> SSAValue:
    """[batch, positions, heads * size] as [batch, heads, positions, size]."""
    batch, positions, hidden = shape_of(tensor_of(x))
    builder.require("divides", hidden, ex.const(heads), "heads do not share the axis equally")
    split = (batch, positions, ex.const(heads), ex.floordiv(hidden, heads))
    return builder.transpose(builder.reshape(x, split), (0, 2, 1, 3))


def heads_last(builder: Builder, x: SSAValue) -> SSAValue:
    """[batch, heads, positions, size] as [batch, positions, heads * size]."""
    batch, heads, positions, size = shape_of(tensor_of(x))
    transposed = builder.transpose(x, (0, 2, 1, 3))
    return builder.reshape(transposed, (batch, positions, heads * size))


def product(builder: Builder, x: SSAValue, y: SSAValue) -> SSAValue:
    """x [batch, heads, n, k] times y [batch, groups, k, m]; consecutive heads share a group.

    Heads of one group are rows of the same product.
    """
    batch, heads, rows, inner = shape_of(tensor_of(x))
    groups, columns = shape_of(tensor_of(y))[1], shape_of(tensor_of(y))[-1]
    if heads == groups:
        return builder.add(MatmulOp(x, y))
    builder.require("divides", heads, groups, "heads do not make whole groups")
    together = (batch, groups, ex.floordiv(heads, groups) * rows, inner)
    products = builder.add(MatmulOp(builder.reshape(x, together), y))
    return builder.reshape(products, (batch, heads, rows, columns))


def scaled(builder: Builder, q: SSAValue, scale: float | None) -> SSAValue:
    """Queries times the scale, by default 1 / sqrt(their last extent)."""
    x: Any = NodeTrace(builder).array(q)
    size = x.extents[-1].constant
    if scale is None and size is not None:
        scale = 1 / math.sqrt(size) if size else 1.0
    if scale is not None:
        return (x * scale).value
    # In f64, as above, so that known and unknown sizes give the same bits.
    factor = 1.0 / onp.sqrt(x.trace.number(x.extents[-1]).astype(el.F64))
    return (x * factor.astype(x.element)).value


def scores(builder: Builder, q: SSAValue, k: SSAValue, scale: float | None) -> SSAValue:
    """The scores of queries [batch, heads, n, size] and keys [batch, groups, m, size]."""
    transposed = builder.transpose(k, (0, 1, 3, 2))
    return product(builder, scaled(builder, q, scale), transposed)


def capped(builder: Builder, x: SSAValue, cap: float) -> SSAValue:
    """cap * tanh(x / cap)."""
    return (onp.tanh(NodeTrace(builder).array(x) / cap) * cap).value


@dataclass(frozen=True)
class Window:
    """The keys that a query sees by position; its own position is its number plus an offset."""

    offset: SSAValue | ex.Expr
    """An i64 tensor of rank 4, or an extent."""
    left: int | None = None
    """The number of visible keys before its position; None for all."""
    right: int | None = None
    """The number after it."""

    def seen(self, builder: Builder, queries: ex.Expr, keys: ex.Expr) -> list[SSAValue]:
        """Conditions of [..., queries, keys]."""
        if self.left is None and self.right is None:
            return []
        trace = NodeTrace(builder)
        place, key = trace.positions(queries).reshape((queries, 1)), trace.positions(keys)
        if self.offset != ex.const(0):
            place = place + trace.number(self.offset)
        conditions: list[SSAValue] = []
        # Without this limit a large bound would wrap; no extent exceeds it.
        if self.right is not None:
            last = place + min(self.right, MAX_SIZE) if self.right else place
            conditions.append((key <= last).value)
        if self.left is not None:
            first = place + -min(self.left, MAX_SIZE) if self.left else place
            conditions.append((key >= first).value)
        return conditions


def masked(
    builder: Builder, x: SSAValue, conditions: Sequence[SSAValue], bias: SSAValue | None = None
) -> SSAValue:
    """x + bias; -inf where a condition is false or the bias is -inf."""
    array = NodeTrace(builder).array
    result: Any = array(x)
    if bias is not None:
        # A masked x does not count, even if it is infinite or NaN.
        added: Any = array(bias)
        result = onp.where(added == -math.inf, -math.inf, result + added)
    if conditions:
        first, *others = map(array, conditions)
        allowed: Any = first
        for condition in others:
            allowed = allowed & condition
        result = onp.where(allowed, result, -math.inf)
    return result.value


def softmax(
    builder: Builder, x: SSAValue, may_be_hidden: bool, sink: SSAValue | None = None
) -> SSAValue:
    """Softmax along the last axis; with ``may_be_hidden`` a row of -inf gives 0.

    A ``sink`` is an additional score of each row, which only counts in the sum.
    """
    trace = NodeTrace(builder)
    scores = trace.array(x)
    if not may_be_hidden and sink is None:
        return onp.softmax(scores).value
    top: Any = onp.max(scores, -1, keepdims=True)
    rest = None if sink is None else trace.array(sink)
    top = top if rest is None else onp.maximum(top, rest)
    is_hidden = top == -math.inf
    top = onp.where(is_hidden, 0, top) if may_be_hidden else top
    power = onp.exp(scores - top)
    total = onp.sum(power, -1, keepdims=True)
    total = total if rest is None else total + onp.exp(rest - top)
    return (power / (onp.where(is_hidden, 1, total) if may_be_hidden else total)).value
