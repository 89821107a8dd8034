"""Attention with packed weights, and MultiHeadAttention, with additive masks.

Masked scores have ``mask_filter_value`` added, -10000 by default.  ``unidirectional`` attention
excludes keys behind the query's position.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc import binary as b
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models import attention as at
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced

from ..attention import Heads
from ..node import Node
from ..normalization import wide
from ..schema import onnx
from .fused import MS

FILTER = -10000.0


def heads_of(node: Node) -> int:
    """The number of heads."""
    heads = node.attr("num_heads") or 0
    if heads < 1:
        raise node.error(f"attribute num_heads is {heads}, expected 1 or more")
    return heads


def scale_of(node: Node) -> float | None:
    """The factor of scores; None for the default."""
    return node.attr("scale") or None


def _padding(node: Node, position: int, batch: ex.Expr, keys: ex.Expr) -> SSAValue:
    """The keys that a mask shows, booleans [batch, 1, queries or 1, keys]."""
    shape = node.ranked(position, 1, 2, 3)
    if len(shape) == 1:
        return _between(node, position, batch, keys)
    node.require("equal", shape[-1], keys, "the mask is not as long as the keys")
    x = node.reshape(node[position], (shape[0], 1, *(shape[1:] if len(shape) == 3 else (1, keys))))
    return node.add(b.GreaterOp(x, node.constant(0, node.element(position))))


def _between(node: Node, position: int, batch: ex.Expr, keys: ex.Expr) -> SSAValue:
    """The keys between optional starts and the ends of each batch, as booleans."""
    (count,) = node.shape(position)
    index = node.add(IotaOp.of(keys))

    def bound(number: int | ex.Expr) -> SSAValue:
        span = (number * batch, number * batch + batch, 1)
        numbers = sliced(node, node[position], [0], [span])
        return node.reshape(node.cast(numbers, el.I64), (batch, 1, 1, 1))

    # As many starts follow the ends, or none: then they are 0.
    has_starts = ex.atleast(count, batch + 1)
    what = f"a mask of {extent_text(count)} numbers, for {extent_text(batch)} batches"
    node.require("equal", count, batch + batch * has_starts, what)
    end = node.add(b.LessOp(index, bound(0)))
    if has_starts == 0:
        return end
    start = bound(has_starts)
    if has_starts != 1:
        start = node.binary("mul", start, node.add(ExtentOp.of(has_starts)))
    return node.add(b.AndOp(end, node.add(b.GreaterEqualOp(index, start))))


def attended(
    node: Node, heads: Heads, mask: int, bias: int, causal: bool
) -> tuple[SSAValue, SSAValue]:
    """The result [batch, queries, heads * size], and the scores before the softmax."""
    (batch, _, queries, _), type = shape_of(tensor_of(heads.q)), element(tensor_of(heads.q))
    keys = shape_of(tensor_of(heads.k))[2]
    x = at.scores(node, heads.q, heads.k, scale_of(node))
    added: SSAValue | None = None
    if node.has(bias):
        added = node.cast(node[bias], type)
        for n, e in zip(node.shape(bias), shape_of(tensor_of(x)), strict=True):
            node.require("stretch", n, e, "the bias does not broadcast to the scores")
    if node.has(mask):
        value = node.attr("mask_filter_value")
        hidden = node.constant(FILTER if value is None else value, type)
        shown = _padding(node, mask, batch, keys)
        filters = node.add(b.WhereOp(shown, node.constant(0, type), hidden))
        added = filters if added is None else node.binary("add", added, filters)
    conditions = at.Window(heads.past, None, 0).seen(node, queries, keys) if causal else []
    x = at.masked(node, x, conditions, added)
    weights = at.softmax(node, x, False)
    return at.heads_last(node, at.product(node, weights, heads.v)), x


def extent_in(node: Node, position: int) -> ex.Expr:
    """The one number of an input as an extent."""
    known = node.known(position)
    if known is not None and len(known.exprs) == 1:
        return known.exprs[0]
    values = node.reshape(node[position], (1,))
    (extent,) = node.read_value("plain", node.cast(values, el.I64))
    return extent


def in_buffer(
    node: Node, position: int, pairs: Sequence[tuple[SSAValue, SSAValue]]
) -> tuple[ex.Expr, list[SSAValue], list[SSAValue]]:
    """Write new keys and values into preallocated caches, behind the past ones.

    Returns the number of past keys, from input ``position``, the caches, and their parts in use.
    """
    past, kept = extent_in(node, position), list[SSAValue]()
    for old, new in pairs:
        starts = node.broadcast(node.add(ExtentOp.of(past)), shape_of(tensor_of(new))[:1])
        kept.append(node.apply("TensorScatter", 24, old, new, starts))
    count = shape_of(tensor_of(pairs[0][1]))[2]
    return past, kept, [sliced(node, x, [2], [(0, past + count, 1)]) for x in kept]


def _with_past(node: Node, past: int, heads: Heads, length: int) -> tuple[Heads, SSAValue]:
    """Keys and values behind the past ones, and both in one tensor.

    If past and present share a buffer, input ``length`` has the number of past keys.
    """
    new, type = (heads.k, heads.v), element(tensor_of(heads.k))
    if node.attr("past_present_share_buffer"):
        if not node.has(past) or not node.has(length):
            raise node.error("a shared buffer needs past and past_sequence_length")
        old = [node.cast(node.part(node[past], k), type) for k in (0, 1)]
        before, kept, (k, v) = in_buffer(node, length, list(zip(old, new, strict=True)))
        return Heads(heads.q, k, v, before), node.stack(kept, 0)
    if node.has(past):
        shape = node.ranked(past, 5)
        both = node.unified(node[past], (2, *shape[1:]), "past is no pair of keys and values")
        old = (node.cast(node.part(both, k), type) for k in (0, 1))
        k, v = (node.concat(pair, 2) for pair in zip(old, new, strict=True))
        heads = Heads(heads.q, k, v, shape[3])
    return heads, node.stack([heads.k, heads.v], 0)


def _parts(node: Node, x: SSAValue, sizes: Sequence[int] | None = None) -> list[SSAValue]:
    """Three parts of the last axis of x, of these sizes or equal ones."""
    total = shape_of(tensor_of(x))[2]
    if not sizes:
        node.require("divides", total, ex.const(3), "there are no three equal parts")
    extents = [ex.const(n) for n in sizes] if sizes else [ex.floordiv(total, ex.const(3))] * 3
    node.require("equal", ex.total_of(extents), total, "the weights are not as wide as all heads")
    starts = accumulate(extents, initial=ex.const(0))
    bounds = ((start, start + e, 1) for start, e in zip(starts, extents, strict=False))
    return [sliced(node, x, [2], [bound]) for bound in bounds]


def _from_projected(
    node: Node, x: SSAValue, mask: int, past: int, bias: int, length: int
) -> tuple[Result, ...]:
    """Attention of the projected input, [batch, positions, q | k | v]."""
    node.refuse("do_rotary")
    hidden = node.attr("qkv_hidden_sizes") if node.schema.has("qkv_hidden_sizes") else None
    q, k, v = (at.heads_first(node, part, heads_of(node)) for part in _parts(node, x, hidden))
    joined, present = _with_past(node, past, Heads(q, k, v, ex.const(0)), length)
    y, _ = attended(node, joined, mask, bias, bool(node.attr("unidirectional")))
    type = node.element(2) if node.schema.operator == f"{MS}QAttention" else node.element()
    return node.cast(y, type), node.cast(present, type)


@onnx(f"{MS}Attention", 1)
def attention(node: Node) -> tuple[Result, ...]:
    """Attention(x, w, bias, mask, past, add) --> softmax(q k^T * scale + mask) v of x w + bias."""
    node.ranked(0, 3)
    type = wide(node.element())
    x = node.add(MatmulOp(node.cast(node[0], type), node.cast(node[1], type)))
    if node.has(2):
        x = node.binary("add", x, node.cast(node[2], type))
    return _from_projected(node, x, 3, 4, 5, 6)


@onnx(f"{MS}QAttention", 1)
def quantized_attention(node: Node) -> tuple[Result, ...]:
    """QAttention(x, w, bias, ...) --> Attention, with the projection as MatMulIntegerToFloat."""
    node.ranked(0, 3)
    x, w, bias, a, c, _, za, zb, *_ = [*node.inputs, *[None] * len(node.schema.inputs)]
    y = node.apply(f"{MS}MatMulIntegerToFloat", 1, x, w, a, c, za, zb, bias)
    # Inputs for a bias of scores and the length of a shared buffer do not exist.
    none = len(node.schema.inputs)
    return _from_projected(node, node.cast(y, wide(node.element(2))), 5, 8, none, none)


def _unpacked(node: Node, position: int, parts: int) -> list[SSAValue]:
    """The parts of [batch, positions, heads, parts, size], heads first."""
    shape = node.shape(position)
    if shape[3] != parts:
        raise node.error(f"input {position} is {shape_text(shape)}, expected {parts} parts")
    transposed = node.transpose(node[position], (3, 0, 2, 1, 4))
    return [node.part(transposed, k) for k in range(parts)]


def _separate(node: Node, heads: int) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Queries, keys and values in any input layout, as [batch, heads, positions, size]."""
    if not node.has(1):
        node.ranked(0, 5)
        q, k, v = _unpacked(node, 0, 3)
        return q, k, v
    node.ranked(0, 3)
    q = at.heads_first(node, node[0], heads)
    if len(node.shape(1)) == 5:
        k, v = _unpacked(node, 1, 2)
        return q, k, v
    if not node.has(2):
        raise node.error("there are keys, but no values")
    ranks = len(node.shape(1)), len(node.shape(2))
    if ranks == (4, 4):
        return q, node[1], node[2]
    if ranks != (3, 3):
        raise node.error(f"keys and values have {ranks} axes, expected three or four")
    k, v = (at.heads_first(node, node[n], heads) for n in (1, 2))
    return q, k, v


def _add_bias(node: Node, parts: list[SSAValue]) -> list[SSAValue]:
    """Heads plus their parts of the bias, input 3."""
    if not node.has(3):
        return parts
    (count,), start, biased = node.ranked(3, 1), ex.const(0), list[SSAValue]()
    for x in parts:
        _, heads, _, size = shape_of(tensor_of(x))
        own = sliced(node, node[3], [0], [(start, start + heads * size, 1)])
        own = node.reshape(node.cast(own, element(tensor_of(x))), (heads, ex.const(1), size))
        biased.append(node.binary("add", x, own))
        start += heads * size
    node.require("equal", start, count, "the bias is not as long as all heads")
    return biased


@onnx(f"{MS}MultiHeadAttention", 1)
def multi_head(node: Node) -> tuple[Result | None, ...]:
    """MultiHeadAttention(q, k, v, ...) --> softmax(q k^T * scale + mask) v."""
    _refuse_beams(node, 9)
    type = wide(node.element())
    q, k, v = _add_bias(node, [node.cast(x, type) for x in _separate(node, heads_of(node))])
    past = ex.const(0)
    if node.has(6) != node.has(7):
        raise node.error("past_key and past_value are given together, or neither")
    kept = [k, v]
    if node.has(6):
        pairs = [(node.cast(node[6], type), k), (node.cast(node[7], type), v)]
        if node.has(8):
            past, kept, (k, v) = in_buffer(node, 8, pairs)
        else:
            past = node.shape(6)[2]
            kept = [k, v] = [node.concat(pair, 2) for pair in pairs]
    causal = bool(node.attr("unidirectional"))
    y, scores = attended(node, Heads(q, k, v, past), 4, 5, causal)
    results = (y, *kept, scores)
    return tuple(node.cast(r, node.element()) for r in results[: max(len(node.op.outputs), 1)])


def _refuse_beams(node: Node, position: int) -> None:
    if node.has(position):
        raise node.unsupported("a cache with beam search indirection")


@onnx(f"{MS}DecoderMaskedMultiHeadAttention", 1)
def decoder(node: Node) -> tuple[Result | None, ...]:
    """DecoderMaskedMultiHeadAttention(q, k, v, ...) --> MultiHeadAttention.

    Queries, keys and values may be in one input.  An attribute selects a shared cache.
    """
    _refuse_beams(node, 9)
    every = [*node.inputs, *[None] * len(node.schema.inputs)][: len(node.schema.inputs)]
    q, k, v, mask, added, old_k, old_v, length, _, _, bias = every
    if q is not None and k is None and len(node.shape()) == 3:
        q, k, v = _parts(node, node[0])
    is_shared = node.attr("past_present_share_buffer") and old_k is not None
    if is_shared and length is None:
        raise node.error("a shared buffer needs past_sequence_length")
    length = length if is_shared else None
    operands = (q, k, v, bias, mask, added, old_k, old_v, length)
    return node.apply(f"{MS}MultiHeadAttention", 1, *operands)


@onnx(f"{MS}DecoderMaskedSelfAttention", 1)
def decoder_of_one(node: Node) -> tuple[Result, ...]:
    """DecoderMaskedSelfAttention(x, w, bias, ...) --> Attention."""
    _refuse_beams(node, 8)
    return node.apply(f"{MS}Attention", 1, *node.inputs[:7])
