"""Attention with packed weights, and MultiHeadAttention, with additive masks.

Masked scores have ``mask_filter_value`` added, -10000 by default.  ``unidirectional`` attention
excludes keys behind the query's position.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import shape_text
from opc.frontend.models import attention as at
from opc.frontend.models.traced import part, unified

from ..attention import Heads
from ..node import Node
from ..schema import onnx
from .fused import MS

FILTER = -10000.0


def _padding(node: Node, position: int, batch: ex.Expr, keys: ex.Expr) -> Any:
    """The keys that a mask shows, booleans [batch, 1, queries or 1, keys]."""
    shape = node.ranked(position, 1, 2, 3)
    if len(shape) == 1:
        return _between(node, position, batch, keys)
    node.require("equal", shape[-1], keys, "the mask is not as long as the keys")
    rows = shape[1:] if len(shape) == 3 else (1, keys)
    return node.traced(position).reshape((shape[0], 1, *rows)) > 0


def _between(node: Node, position: int, batch: ex.Expr, keys: ex.Expr) -> Any:
    """The keys between optional starts and the ends of each batch, as booleans."""
    (count,), trace = node.shape(position), node.trace
    index, numbers = trace.positions(keys), node.traced(position)

    def bound(number: int | ex.Expr) -> Any:
        own = part(numbers, 0, number * batch, number * batch + batch)
        return own.astype(el.I64).reshape((batch, 1, 1, 1))

    # As many starts follow the ends, or none: then they are 0.
    has_starts = ex.atleast(count, batch + 1)
    what = f"a mask of {extent_text(count)} numbers, for {extent_text(batch)} batches"
    node.require("equal", count, batch + batch * has_starts, what)
    end = index < bound(0)
    if has_starts == 0:
        return end
    start = bound(has_starts)
    start = start if has_starts == 1 else start * trace.number(has_starts)
    return end & (index >= start)


def attended(node: Node, heads: Heads, mask: int, bias: int, causal: bool) -> tuple[Any, Any]:
    """The result [batch, queries, heads * size], and the scores before the softmax."""
    (batch, _, queries, _), keys = heads.q.extents, heads.k.extents[2]
    x = at.scores(heads.q, heads.k, node.attr("scale") or None)
    added: Any = None
    if node.has(bias):
        added = node.traced(bias, x.element)
        for n, e in zip(node.shape(bias), x.extents, strict=True):
            node.require("stretch", n, e, "the bias does not broadcast to the scores")
    if node.has(mask):
        value = node.attr("mask_filter_value")
        hidden = x.trace.constant(FILTER if value is None else value, x.element)
        filters = onp.where(_padding(node, mask, batch, keys), 0, hidden)
        added = filters if added is None else added + filters
    window = at.Window(heads.past, None, 0)
    x = at.masked(x, window.seen(x.trace, queries, keys) if causal else [], added)
    return at.heads_last(at.product(at.softmax(x, False), heads.v)), x


def behind(
    node: Node, pairs: Sequence[tuple[Any, Any]], length: int
) -> tuple[ex.Expr, list[Any], list[Any]]:
    """New keys and values behind past ones: the number of these, what is kept, and what is used.

    ``pairs`` have old and new ones.  If input ``length`` is present, it has the number, and the old
    ones are preallocated caches, which are kept whole.
    """
    if not node.has(length):
        joined = [onp.concatenate(pair, 2) for pair in pairs]
        return pairs[0][0].extents[2], joined, joined
    past, kept = node.extent_in(length), list[Any]()
    for old, new in pairs:
        starts = onp.broadcast_to(node.trace.number(past), new.extents[:1])
        kept.append(node.apply("TensorScatter", 24, old, new, starts))
    count = pairs[0][1].extents[2]
    return past, kept, [part(x, 2, 0, past + count) for x in kept]


def _with_past(node: Node, past: int, heads: Heads, length: int) -> tuple[Heads, Any]:
    """Keys and values behind the past ones, and both in one tensor.

    If past and present share a buffer, input ``length`` has the number of past keys.
    """
    is_shared, kept = node.attr("past_present_share_buffer"), [heads.k, heads.v]
    if is_shared and not (node.has(past) and node.has(length)):
        raise node.error("a shared buffer needs past and past_sequence_length")
    if node.has(past):
        shape, type = node.ranked(past, 5), heads.k.element
        both = unified(node.traced(past), (2, *shape[1:]), "past is no pair of keys and values")
        pairs = [(both[n].astype(type), kept[n]) for n in (0, 1)]
        before, kept, (k, v) = behind(node, pairs, length if is_shared else len(node.inputs))
        heads = Heads(heads.q, k, v, before)
    # Keys and values of two sizes have no common tensor.
    return heads, onp.stack(kept) if len(node.op.outputs) > 1 else heads.k


def _parts(node: Node, x: Any, sizes: Sequence[int] | None = None) -> list[Any]:
    """Three parts of the last axis of x, of these sizes or equal ones."""
    total = x.extents[2]
    if not sizes:
        node.require("divides", total, ex.const(3), "there are no three equal parts")
    extents = [ex.const(n) for n in sizes] if sizes else [ex.floordiv(total, ex.const(3))] * 3
    node.require("equal", ex.total_of(extents), total, "the weights are not as wide as all heads")
    starts = accumulate(extents, initial=ex.const(0))
    return [part(x, 2, start, start + e) for start, e in zip(starts, extents, strict=False)]


def _from_projected(
    node: Node, x: Any, mask: int, past: int, bias: int, length: int
) -> tuple[Any, ...]:
    """Attention of the projected input, [batch, positions, q | k | v]."""
    node.refuse("do_rotary")
    hidden = (
        node.attr("qkv_hidden_sizes") if node.schema.signature.has("qkv_hidden_sizes") else None
    )
    q, k, v = (
        at.heads_first(own, node.at_least("num_heads", 1)) for own in _parts(node, x, hidden)
    )
    joined, present = _with_past(node, past, Heads(q, k, v, ex.const(0)), length)
    y, _ = attended(node, joined, mask, bias, bool(node.attr("unidirectional")))
    type = node.element(2) if node.schema.operator == f"{MS}QAttention" else node.element()
    return y.astype(type), present.astype(type)


@onnx(f"{MS}Attention", 1)
def attention(node: Node) -> tuple[Any, ...]:
    """Attention(x, w, bias, mask, past, add) --> softmax(q k^T * scale + mask) v of x w + bias."""
    node.ranked(0, 3)
    type = node.wide()
    x = node.traced(0, type) @ node.traced(1, type)
    x = x + node.traced(2, type) if node.has(2) else x
    return _from_projected(node, x, 3, 4, 5, 6)


@onnx(f"{MS}QAttention", 1)
def quantized_attention(node: Node) -> tuple[Any, ...]:
    """QAttention(x, w, bias, ...) --> Attention, with the projection as MatMulIntegerToFloat."""
    node.ranked(0, 3)
    x, w, bias, a, c, _, za, zb, *_ = [*node.inputs, *[None] * len(node.schema.signature.inputs)]
    y = node.apply(f"{MS}MatMulIntegerToFloat", 1, x, w, a, c, za, zb, bias)
    # Inputs for a bias of scores and the length of a shared buffer do not exist.
    none = len(node.schema.signature.inputs)
    return _from_projected(node, y.astype(node.wide(2)), 5, 8, none, none)


def _unpacked(node: Node, position: int, parts: int) -> list[Any]:
    """The parts of [batch, positions, heads, parts, size], heads first."""
    shape = node.shape(position)
    if shape[3] != parts:
        raise node.error(f"input {position} is {shape_text(shape)}, expected {parts} parts")
    transposed = node.traced(position).transpose(3, 0, 2, 1, 4)
    return [transposed[k] for k in range(parts)]


def _separate(node: Node, heads: int) -> list[Any]:
    """Queries, keys and values in any input layout, as [batch, heads, positions, size]."""
    if not node.has(1):
        node.ranked(0, 5)
        return _unpacked(node, 0, 3)
    node.ranked(0, 3)
    q = at.heads_first(node.traced(0), heads)
    if node.rank(1) == 5:
        return [q, *_unpacked(node, 1, 2)]
    if not node.has(2):
        raise node.error("there are keys, but no values")
    ranks = node.rank(1), node.rank(2)
    if ranks == (4, 4):
        return [q, node.traced(1), node.traced(2)]
    if ranks != (3, 3):
        raise node.error(f"keys and values have {ranks} axes, expected three or four")
    return [q, *(at.heads_first(node.traced(n), heads) for n in (1, 2))]


def _add_bias(node: Node, parts: list[Any]) -> list[Any]:
    """Heads plus their parts of the bias, input 3."""
    if not node.has(3):
        return parts
    (count,), bias, start, biased = node.ranked(3, 1), node.traced(3), ex.const(0), list[Any]()
    for x in parts:
        _, heads, _, size = x.extents
        own = part(bias, 0, start, start + heads * size)
        biased.append(x + own.astype(x.element).reshape((heads, 1, size)))
        start += heads * size
    node.require("equal", start, count, "the bias is not as long as all heads")
    return biased


@onnx(f"{MS}MultiHeadAttention", 1)
def multi_head(node: Node) -> tuple[Any, ...]:
    """MultiHeadAttention(q, k, v, ...) --> softmax(q k^T * scale + mask) v."""
    _refuse_beams(node, 9)
    type = node.wide()
    q, k, v = _add_bias(
        node, [x.astype(type) for x in _separate(node, node.at_least("num_heads", 1))]
    )
    past = ex.const(0)
    if node.has(6) != node.has(7):
        raise node.error("past_key and past_value are given together, or neither")
    kept = [k, v]
    if node.has(6):
        pairs = [(node.traced(6, type), k), (node.traced(7, type), v)]
        past, kept, (k, v) = behind(node, pairs, 8)
    causal = bool(node.attr("unidirectional"))
    y, scores = attended(node, Heads(q, k, v, past), 4, 5, causal)
    results = (y, *kept, scores)
    return tuple(r.astype(node.element()) for r in results)


def _refuse_beams(node: Node, position: int) -> None:
    if node.has(position):
        raise node.unsupported("a cache with beam search indirection")


@onnx(f"{MS}DecoderMaskedMultiHeadAttention", 1)
def decoder(node: Node) -> tuple[Any, ...]:
    """DecoderMaskedMultiHeadAttention(q, k, v, ...) --> MultiHeadAttention.

    Queries, keys and values may be in one input.  An attribute selects a shared cache.
    """
    _refuse_beams(node, 9)
    every = [*node.inputs, *[None] * len(node.schema.signature.inputs)][
        : len(node.schema.signature.inputs)
    ]
    q, k, v, mask, added, old_k, old_v, length, _, _, bias = every
    if q is not None and k is None and node.rank() == 3:
        q, k, v = _parts(node, node.traced(0))
    is_shared = node.attr("past_present_share_buffer") and old_k is not None
    if is_shared and length is None:
        raise node.error("a shared buffer needs past_sequence_length")
    length = length if is_shared else None
    operands = (q, k, v, bias, mask, added, old_k, old_v, length)
    return node.apply(f"{MS}MultiHeadAttention", 1, *operands)


@onnx(f"{MS}DecoderMaskedSelfAttention", 1)
def decoder_of_one(node: Node) -> tuple[Any, ...]:
    """DecoderMaskedSelfAttention(x, w, bias, ...) --> Attention."""
    _refuse_beams(node, 8)
    return node.apply(f"{MS}Attention", 1, *node.inputs[:7])
