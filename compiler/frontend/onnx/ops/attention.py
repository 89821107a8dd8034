"""Attention and FlexAttention.  f16 and bf16 are computed in f32 and rounded once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import shape_text, type_text
from opc.frontend.models import attention as at
from opc.frontend.models.traced import extended, front, part

from .node import Node
from .schema import onnx

MASK, PAST_KEY, PAST_VALUE, LENGTHS = range(3, 7)
"""The optional inputs."""


@dataclass(frozen=True)
class Heads:
    """Queries, keys and values, all [batch, heads, positions, size]."""

    q: Any
    k: Any
    v: Any
    past: ex.Expr
    """The number of past keys."""


def inputs(node: Node, heads: int | None, groups: int | None) -> Heads:
    """Queries, and keys and values with the past ones in front.

    ``heads`` is the number of query heads and ``groups`` that of key and value heads, or None.
    """
    q, k, v = map(node.traced, range(3))
    ranks = {x.ndim for x in (q, k, v)}
    if ranks not in ({3}, {4}):
        raise node.error(f"Q, K and V must have rank 3 or 4, found {sorted(ranks)}")
    if ranks == {3}:
        if not heads or not groups or heads < 0 or groups < 0:
            raise node.error(f"q_num_heads is {heads} and kv_num_heads {groups}, for rank 3")
        q, k, v = (at.heads_first(x, n) for x, n in ((q, heads), (k, groups), (v, groups)))
    else:
        for name, declared, x in (("q_num_heads", heads, q), ("kv_num_heads", groups, k)):
            if declared is not None:
                what = f"{name} is another number"
                node.require("equal", x.extents[1], ex.const(declared), what)
    past = ex.const(0)
    if node.has(PAST_KEY) != node.has(PAST_VALUE):
        raise node.error("past_key and past_value are given together, or neither")
    if node.has(PAST_KEY):
        if node.has(LENGTHS):
            raise node.error("nonpad_kv_seqlen is given beside past_key")
        past, _ = (node.ranked(n, 4)[2] for n in (PAST_KEY, PAST_VALUE))
        k, v = (
            onp.concatenate([node.traced(n), x], 2) for n, x in ((PAST_KEY, k), (PAST_VALUE, v))
        )
    for other in (k, v):
        node.require("equal", other.extents[0], q.extents[0], "the batches differ")
    for axis, what in ((1, "heads"), (2, "positions")):
        what = f"keys and values have different {what}"
        node.require("equal", k.extents[axis], v.extents[axis], what)
    what = "queries and keys have different sizes"
    node.require("equal", q.extents[3], k.extents[3], what)
    return Heads(q, k, v, past)


def window(node: Node, operands: Heads) -> tuple[at.Window, list[Any]]:
    """The window of keys that a query sees, and the conditions that exclude padding."""
    batch, _, queries, _ = operands.q.extents
    left, right = (node.attr(f"{side}_window_size") for side in ("left", "right"))
    if min(left, right) < -1:
        raise node.error(f"a window of {left} and {right}, expected -1 or more")
    if node.attr("is_causal"):
        right = 0
    offset: Any = operands.past
    conditions: list[Any] = []
    if node.has(LENGTHS):
        node.expect(LENGTHS, (batch,))
        lengths = node.traced(LENGTHS).reshape((batch, 1, 1, 1))
        offset = lengths + node.trace.number(-queries)
        # Keys behind the last of these are padding.
        keys = operands.k.extents[2]
        conditions = at.Window(lengths + -1, None, 0).seen(node.trace, ex.const(1), keys)
    bounds = (None if n < 0 else n for n in (left, right))
    return at.Window(offset, *bounds), conditions


def mask(node: Node, operands: Heads, type: el.ElementType) -> Any:
    """The boolean or additive mask, with its last axis extended to the number of keys, or None."""
    if not node.has(MASK):
        return None
    mask_type, shape = node.element(MASK), node.ranked(MASK, 0, 1, 2, 3, 4)
    keys = operands.k.extents[2]
    if not mask_type.is_float and mask_type is not el.I1:
        raise node.unsupported(f"a mask of {mask_type}, expected booleans or floats")
    x = node.traced(MASK, el.I1 if mask_type is el.I1 else type)
    if shape and shape[-1] != keys and node.since >= 24:
        longest = ex.maximum(shape[-1], keys)
        what = f"attn_mask is {shape_text(shape)}, for {extent_text(keys)} keys"
        node.require("equal", longest, keys, what)
        outside = 0 if mask_type is el.I1 else -np.inf
        x = extended(x, x.ndim - 1, 0, longest - shape[-1], outside)
        x = x.reshape((*shape[:-1], keys))
    for n, extent in zip(reversed(x.extents), (keys, *operands.q.extents[2::-1]), strict=False):
        node.require("stretch", n, extent, "attn_mask does not broadcast to the scores")
    return x


def _held(node: Node, operands: Heads) -> Heads:
    """The keys and values up to the last one that a batch has: behind it is room in a cache.

    Scores, where they are a result, have all keys.  So have those of several queries if both
    numbers are known: tiles of known size, which stay in a cache, take half the time.
    """
    queries, room = operands.q.extents[2], operands.k.extents[2]
    are_tiles = room.constant is not None and (queries.constant or 1) > 1
    if not node.has(LENGTHS) or len(node.op.outputs) > 3 or are_tiles:
        return operands
    node.expect(LENGTHS, operands.q.extents[:1])
    most = onp.clip(onp.max(node.traced(LENGTHS)), 0, node.trace.number(room))
    count = node.data_extent(most.value, room)
    k, v = (front(x, 2, count) for x in (operands.k, operands.v))
    return replace(operands, k=k, v=v)


@onnx("Attention", 23, 24, 25)
def attention(node: Node) -> tuple[Any, ...]:
    """Attention(q, k, v, ...) --> softmax(q k^T * scale + mask) v, and a chosen intermediate."""
    type, result = node.wide(), node.element()
    mode: int = node.choice("qk_matmul_output_mode", *range(4))
    operands = inputs(node, node.attr("q_num_heads"), node.attr("kv_num_heads"))
    cached, operands = operands, _held(node, operands)
    q, k, v = operands.q.astype(type), operands.k.astype(type), operands.v
    scale, cap = node.attr("scale"), node.at_least("softcap", 0)
    raw = at.scores(q, k, scale)
    limited = onp.tanh(raw / cap) * cap if cap else raw
    visible, conditions = window(node, operands)
    bias = mask(node, cached, type)
    if bias is not None and bias.ndim and bias.extents[-1] == cached.k.extents[2]:
        bias = part(bias, bias.ndim - 1, 0, k.extents[2])
    may_be_hidden = bool(conditions) or bias is not None or visible.left is not None
    conditions += visible.seen(node.trace, q.extents[2], k.extents[2])
    if bias is not None and bias.element is el.I1:
        conditions.append(bias)
        bias = None
    biased = at.masked(limited, conditions, bias)
    special = node.type_in("softmax_precision", default=result)
    x = biased if special is result else biased.astype(special)
    weights = at.softmax(x.astype(x.element.computed), may_be_hidden).astype(x.element).astype(type)
    last = max((type, node.wide(2)), key=lambda t: t.bits)
    y = at.product(weights.astype(last), v.astype(last))
    y = (at.heads_last(y) if node.rank() == 3 else y).astype(result)
    return y, cached.k, cached.v, (raw, limited, biased, weights)[mode].astype(result)


def _changed(node: Node, name: str, x: Any) -> Any:
    """x after the subgraph of that name, or x if it is absent."""
    if not node.given(name):
        return x
    results = node.inline(name, [x.value])
    if len(results) != 1:
        raise node.error(f"graph {name} gives {len(results)} values, expected 1")
    y = node.trace.array(node.tensor(results[0]))
    if y.element is not x.element or y.ndim != x.ndim:
        types = type_text(y.value.type), type_text(x.value.type)
        raise node.error(f"graph {name} gives {types[0]}, expected {types[1]}")
    for a, b in zip(y.extents, x.extents, strict=True):
        node.require("equal", a, b, f"graph {name} gives another shape")
    return y


@onnx("ai.onnx.preview::FlexAttention", 1)
def flexible(node: Node) -> Any:
    """FlexAttention(q, k, v) --> prob_mod(softmax(score_mod(q k^T * scale))) v."""
    for k in range(3):
        node.ranked(k, 4)
    if {node.element(k) for k in range(3)} != {node.element()}:
        raise node.error("Q, K and V differ in element type")
    operands, own = inputs(node, None, None), node.wide()
    type = node.type_in("softmax_precision", default=own)
    x = at.scores(operands.q.astype(own), operands.k.astype(own), node.attr("scale"))
    x = _changed(node, "score_mod", x.astype(type)).astype(type.computed)
    weights = _changed(node, "prob_mod", at.softmax(x, False).astype(type))
    y = at.product(weights.astype(type.computed), operands.v.astype(type.computed))
    return y.astype(node.element())
