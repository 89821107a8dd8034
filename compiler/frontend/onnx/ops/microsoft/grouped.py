"""GroupQueryAttention with a cache of keys and values, and RotaryEmbedding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.named import is_donated
from opc.dialects.opc.indexing import GatherOp
from opc.frontend.models import attention as at
from opc.frontend.models.norms import by_root_mean_square
from opc.frontend.models.traced import extended, gathered, part

from ..node import Node
from ..schema import onnx
from .fused import MS
from .quantized_cache import Stored

PAST_KEY, PAST_VALUE, LENGTHS, TOTAL, COS, SIN, POSITIONS, BIAS, SINK = range(3, 12)
K_SCALE, V_SCALE, Q_NORM, K_NORM, VALID = range(12, 17)


def rotated(x: Any, cos: Any, sin: Any, interleaved: bool) -> Any:
    """x [..., size] rotated by angles [..., pairs]; values behind the pairs are unchanged.

    A pair is two neighbours if ``interleaved``, else one value of each half.
    """
    pairs = cos.shape[-1]
    rotated, rest = x[..., : 2 * pairs], x[..., 2 * pairs :]
    if interleaved:
        split = rotated.reshape(*rotated.shape[:-1], pairs, 2)
        a, c = split[..., 0], split[..., 1]
    else:
        a, c = rotated[..., :pairs], rotated[..., pairs:]
    parts = a * cos - c * sin, c * cos + a * sin
    if interleaved:
        y = onp.stack(parts, axis=-1).reshape(*rotated.shape)
    else:
        y = onp.concatenate(parts, axis=-1)
    return y if x.extents[-1] == 2 * cos.extents[-1] else onp.concatenate([y, rest], axis=-1)


def turned(
    node: Node, values: Sequence[Any], tables: Sequence[int], positions: Any, flag: str
) -> list[Any]:
    """Values [batch, heads, count, size] rotated by ``positions`` [batch, count].

    ``tables`` are the inputs that have cosines and sines; ``flag`` is the attribute of ``rotated``.
    """
    angles: list[Any] = []
    for k in tables:
        node.ranked(k, 2)
        rows = gathered(node.traced(k, node.wide(k)), (0,), positions)
        angles.append(onp.expand_dims(rows, 1))
    (cos, sin), interleaved = angles, bool(node.attr(flag))
    return [rotated(x, cos, sin, interleaved) for x in values]


@onnx("RotaryEmbedding", 23)
def rotary_in_steps(node: Node) -> Any:
    """RotaryEmbedding(x, cos, sin, positions) --> x with pairs of values rotated by position.

    Each step is rounded to the type of x, as in the function body of the specification.
    """
    is_flat = len(node.ranked(0, 3, 4)) == 3
    x, cos, sin = map(node.traced, range(3))
    rows = at.heads_first(x, node.at_least("num_heads", 1)) if is_flat else x
    if node.has(3):
        places = node.traced(3)
        cos, sin = (places.trace.emit(GatherOp, v, places, axes=(0,)) for v in (cos, sin))
    pairs = (node.attr("rotary_embedding_dim") or rows.shape[3]) // 2
    cos, sin = (onp.expand_dims(v[..., :pairs], 1) for v in (cos, sin))
    y = rotated(rows, cos, sin, bool(node.attr("interleaved")))
    return at.heads_last(y) if is_flat else y


@onnx(f"{MS}RotaryEmbedding", 1)
def rotary(node: Node) -> Any:
    """RotaryEmbedding(x, positions, cos, sin) --> x with pairs of values rotated by position."""
    node.refuse("is_packed_batching")
    if node.attr("scale") not in (None, 1.0):
        raise node.unsupported("attribute scale is not supported")
    x, shape = node.traced(0, node.wide()), node.ranked(0, 3, 4)
    is_flat = len(shape) == 3
    if is_flat and node.attr("rotary_embedding_dim"):
        x = at.heads_first(x, node.at_least("num_heads", 1))
    elif is_flat:
        size = node.shape(2)[-1] * 2
        node.require("divides", shape[2], size, "heads do not share the axis equally")
        x = x.reshape((*shape[:2], ex.floordiv(shape[2], size), size)).transpose(0, 2, 1, 3)
    batch, _, positions, _ = x.extents
    indices = node.traced(1)
    if indices.ndim == 1:
        indices = indices.reshape((1, 1)) + node.trace.positions(positions)
        indices = onp.broadcast_to(indices, (batch, positions))
    (y,) = turned(node, [x], (2, 3), indices, "interleaved")
    return (at.heads_last(y) if is_flat else y).astype(node.element())


def _parts(node: Node) -> list[Any]:
    """Queries, keys and values, heads first."""
    heads, groups = node.attr("num_heads"), node.attr("kv_num_heads")
    if heads < 1 or groups < 1 or heads % groups:
        raise node.error(f"num_heads is {heads} and kv_num_heads {groups}")
    node.ranked(0, 3)
    if node.has(1) != node.has(2):
        raise node.error("keys and values are given together, or neither")
    counts = (heads, groups, groups)
    if node.has(1):
        return [at.heads_first(node.traced(k), count) for k, count in enumerate(counts)]
    packed = at.heads_first(node.traced(0), sum(counts))
    ends = (heads, heads + groups, sum(counts))
    return [part(packed, 1, end - n, end) for n, end in zip(counts, ends, strict=True)]


def _normalized(node: Node, x: Any, weight: int, epsilon: str) -> Any:
    """Each head divided by its root mean square, times the weight."""
    if not node.has(weight):
        return x
    own = node.attr(epsilon)
    y, _ = by_root_mean_square(x, -1, node.attr("qk_norm_epsilon") if own is None else own)
    return y * node.traced(weight, x.element)


def _kept(node: Node, new: Any, past: int, total: ex.Expr, before: Any) -> Any:
    """The cache with new keys or values behind those of each batch; a donated one cannot grow."""
    if not node.has(past):
        node.require("equal", new.extents[2], total, "there is no past")
        return new
    old = node.traced(past)
    room = old.extents[2]
    more = ex.maximum(room, total) - room
    if is_donated(old.value):
        node.require("equal", room + more, room, "the donated cache has no room for all positions")
    elif more != 0:
        old = extended(old, 2, 0, more)
    return node.apply("TensorScatter", 24, old, new, before)


@dataclass(frozen=True)
class _Window:
    """A cache of the last positions alone, which lie in order from row 0 on.

    It has room for some positions more than the window; where these are used up, all of them are
    dropped at once.
    """

    node: Node
    room: ex.Expr
    queries: ex.Expr
    held: Any
    """How many positions it holds before the new ones, of each batch."""
    dropped: Any
    """How many of the held and new ones it no longer holds."""

    @classmethod
    def of(cls, node: Node, before: Any, after: Any, queries: ex.Expr) -> _Window:
        """That of caches with so many positions before and after the new ones."""
        left, trace = node.attr("local_window_size"), node.trace
        if left < 1 or not node.has(PAST_KEY) or not node.attr("causal") or node.has(BIAS):
            raise node.unsupported("sliding_window_cache without a window, or with a bias")
        room = node.shape(PAST_KEY)[2]
        what = "the cache has fewer rows than the window"
        node.require("equal", ex.maximum(room, ex.const(left)), room, what)
        size, more = trace.number(room), trace.number(room - (left - 1))

        def resident(count: Any) -> Any:
            beyond = onp.maximum(count - size, 0) + (more - 1)
            return count - more * onp.floor_divide(beyond, more)

        held, kept = resident(before), resident(after)
        return cls(node, room, queries, held, held + (after - before) - kept)

    def joined(self, new: Any, past: int) -> Any:
        """New keys or values behind those that the cache holds."""
        old = extended(self.node.traced(past), 2, 0, self.queries)
        return self.node.apply("TensorScatter", 24, old, new, self.held)

    def kept(self, joined: Any) -> Any:
        """The cache behind the step; what is in rows that it does not hold is arbitrary."""
        trace = self.node.trace
        batch = self.dropped.extents[0]
        places = self.dropped.reshape((batch, 1)) + trace.positions(self.room)
        last = trace.number(self.room + self.queries - 1)
        rows = joined.transpose(0, 2, 1, 3)
        return gathered(rows, (1,), onp.minimum(places, last), batch=1).transpose(0, 2, 1, 3)


@onnx(f"{MS}GroupQueryAttention", 1)
def grouped(node: Node) -> tuple[Any, ...]:
    """GroupQueryAttention(q, k, v, ...) --> softmax(q k^T * scale) v, with cached keys.

    Each batch has its own number of keys; new ones are appended.
    """
    type, narrow, trace = node.wide(), node.element(), node.trace
    q, k, v = (x.astype(type) for x in _parts(node))
    q = _normalized(node, q, Q_NORM, "q_norm_epsilon")
    k = _normalized(node, k, K_NORM, "k_norm_epsilon")
    (batch, _, queries, _), total = q.extents, node.extent_in(TOTAL)
    lengths = node.traced(LENGTHS).reshape((batch,)).astype(el.I64) + 1
    if node.has(VALID):
        before = lengths - node.traced(VALID).reshape((batch,)).astype(el.I64)
    else:
        before = onp.maximum(lengths - trace.number(queries), 0)
    if node.attr("do_rotary"):
        if not node.has(COS) or not node.has(SIN):
            raise node.error("do_rotary is given without cos_cache and sin_cache")
        if node.has(POSITIONS):
            positions = node.traced(POSITIONS)
        else:
            positions = before.reshape((batch, 1)) + trace.positions(queries)
        q, k = turned(node, [q, k], (COS, SIN), positions, "rotary_interleaved")
    sizes = node.attr("kv_num_heads"), k.shape[-1]
    stored = (
        Stored.of(node, "k", PAST_KEY, K_SCALE, sizes),
        Stored.of(node, "v", PAST_VALUE, V_SCALE, sizes),
    )
    new = ((stored[0].encoded(k), PAST_KEY), (stored[1].encoded(v), PAST_VALUE))
    if node.attr("sliding_window_cache"):
        window = _Window.of(node, before, lengths, queries)
        seen = [window.joined(x, past) for x, past in new]
        y, between = _attended(node, q, seen, stored, window.held, lengths)
        keys, values = (window.kept(x) for x in seen)
    else:
        keys, values = (_kept(node, x, past, total, before) for x, past in new)
        seen = [part(x, 2, 0, total) for x in (keys, values)]
        y, between = _attended(node, q, seen, stored, before, lengths)
    between = None if between is None else between.astype(narrow)
    return at.heads_last(y).astype(narrow), keys, values, between


def _attended(
    node: Node,
    q: Any,
    cache: Sequence[Any],
    stored: tuple[Stored, Stored],
    before: Any,
    lengths: Any,
) -> tuple[Any, Any]:
    """Attention to the keys of a cache, and scores or weights if ``qk_output`` is set.

    Queries are multiplied with the scales of keys, and results with those of values.
    """
    batch, heads, queries, _ = q.extents
    k, v = (how.whole(x, q.element) for how, x in zip(stored, cache, strict=True))
    total, cap = cache[0].extents[2], node.attr("softcap")
    x = at.scores(stored[0].scaled(q), k, node.attr("scale") or None)
    x = onp.tanh(x / cap) * cap if cap else x
    left, column = node.attr("local_window_size"), (batch, 1, 1, 1)
    if node.attr("causal"):
        window = at.Window(before.reshape(column), left - 1 if left > 0 else None, 0)
    else:
        window, queries = at.Window(lengths.reshape(column) - 1, None, 0), ex.const(1)
    bias = node.traced(BIAS, x.element) if node.has(BIAS) else None
    x = at.masked(x, window.seen(x.trace, queries, total), bias)
    sink: Any = None
    if node.has(SINK):
        sink = node.traced(SINK, x.element).reshape((heads, 1, 1))
    elif node.attr("smooth_softmax") > 0:
        sink = x.trace.constant(0, x.element)
    weights = at.softmax(x, True, sink)
    kind, between = node.attr("qk_output"), weights if node.attr("qk_output") else None
    if kind == 1:
        # Scores of hidden keys are 0.
        between = onp.where(x == -math.inf, 0, x)
    return stored[1].scaled(at.product(weights, v)), between
