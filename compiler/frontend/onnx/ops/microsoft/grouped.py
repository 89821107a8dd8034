"""GroupQueryAttention with a cache of keys and values, and RotaryEmbedding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.named import is_donated
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.frontend.models import attention as at
from opc.frontend.models.norms import by_root_mean_square
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced
from opc.frontend.models.traced import NodeTrace, gathered

from ..node import Node
from ..normalization import wide
from ..schema import onnx
from .attention import extent_in, heads_of, scale_of
from .fused import MS

PAST_KEY, PAST_VALUE, LENGTHS, TOTAL, COS, SIN, POSITIONS, BIAS, SINK = range(3, 12)
Q_NORM, K_NORM, VALID = 14, 15, 16


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
    node: Node, values: Sequence[SSAValue], tables: Sequence[int], positions: SSAValue, flag: str
) -> list[SSAValue]:
    """Values [batch, heads, count, size] rotated by ``positions`` [batch, count].

    ``tables`` are the inputs that have cosines and sines; ``flag`` is the attribute of ``rotated``.
    """
    trace, angles = NodeTrace(node), list[Any]()
    for k in tables:
        node.ranked(k, 2)
        rows = gathered(trace.array(node.widened(node[k])), (0,), trace.array(positions))
        angles.append(rows.reshape(rows.shape[0], 1, *rows.shape[1:]))
    (cos, sin), interleaved = angles, bool(node.attr(flag))
    return [rotated(trace.array(x), cos, sin, interleaved).value for x in values]


@onnx("RotaryEmbedding", 23)
def rotary_in_steps(node: Node) -> Result:
    """RotaryEmbedding(x, cos, sin, positions) --> x with pairs of values rotated by position.

    Each step is rounded to the type of x, as in the function body of the specification.
    """
    is_flat = len(node.ranked(0, 3, 4)) == 3
    x = at.heads_first(node, node[0], heads_of(node)) if is_flat else node[0]
    trace = NodeTrace(node)
    rows, cos, sin = (trace.array(v) for v in (x, node[1], node[2]))
    if node.has(3):
        places = trace.array(node[3])
        cos, sin = (trace.emit(GatherOp, v, places, axes=(0,)) for v in (cos, sin))
    pairs = (node.attr("rotary_embedding_dim") or rows.shape[3]) // 2
    cos, sin = (onp.expand_dims(v[..., :pairs], 1) for v in (cos, sin))
    y = rotated(rows, cos, sin, bool(node.attr("interleaved"))).value
    return at.heads_last(node, y) if is_flat else y


@onnx(f"{MS}RotaryEmbedding", 1)
def rotary(node: Node) -> Result:
    """RotaryEmbedding(x, positions, cos, sin) --> x with pairs of values rotated by position."""
    node.refuse("is_packed_batching")
    if node.attr("scale") not in (None, 1.0):
        raise node.unsupported("attribute scale is not supported")
    x, shape = node.widened(node[0]), node.ranked(0, 3, 4)
    is_flat = len(shape) == 3
    if is_flat and node.attr("rotary_embedding_dim"):
        x = at.heads_first(node, x, heads_of(node))
    elif is_flat:
        size = node.shape(2)[-1] * 2
        node.require("divides", shape[2], size, "heads do not share the axis equally")
        split = (*shape[:2], ex.floordiv(shape[2], size), size)
        x = node.transpose(node.reshape(x, split), (0, 2, 1, 3))
    batch, _, positions, _ = shape_of(tensor_of(x))
    indices = node[1]
    if len(node.shape(1)) == 1:
        first = node.reshape(indices, (1, 1))
        indices = node.binary("add", first, node.add(IotaOp.of(positions)))
        indices = node.broadcast(indices, (batch, positions))
    (y,) = turned(node, [x], (2, 3), indices, "interleaved")
    return node.cast(at.heads_last(node, y) if is_flat else y, node.element())


def _parts(node: Node) -> list[SSAValue]:
    """Queries, keys and values, heads first."""
    heads, groups = node.attr("num_heads"), node.attr("kv_num_heads")
    if heads < 1 or groups < 1 or heads % groups:
        raise node.error(f"num_heads is {heads} and kv_num_heads {groups}")
    node.ranked(0, 3)
    if node.has(1) != node.has(2):
        raise node.error("keys and values are given together, or neither")
    counts = (heads, groups, groups)
    if node.has(1):
        return [at.heads_first(node, node[k], count) for k, count in enumerate(counts)]
    packed = at.heads_first(node, node[0], sum(counts))
    bounds = [(0, heads, 1), (heads, heads + groups, 1), (heads + groups, sum(counts), 1)]
    return [sliced(node, packed, [1], [bound]) for bound in bounds]


def _normalized(node: Node, x: SSAValue, weight: int, epsilon: str) -> SSAValue:
    """Each head divided by its root mean square, times the weight."""
    if not node.has(weight):
        return x
    own, trace = node.attr(epsilon), NodeTrace(node)
    heads = trace.array(x)
    y, _ = by_root_mean_square(heads, -1, node.attr("qk_norm_epsilon") if own is None else own)
    return (y * trace.array(node.cast(node[weight], heads.element))).value


def _kept(node: Node, new: SSAValue, past: int, total: ex.Expr, before: SSAValue) -> SSAValue:
    """The cache with new keys or values behind those of each batch; a donated one cannot grow."""
    if not node.has(past):
        node.require("equal", shape_of(tensor_of(new))[2], total, "there is no past")
        return new
    old, shape = node[past], node.shape(past)
    room = shape[2]
    more = ex.maximum(room, total) - room
    if is_donated(old):
        node.require("equal", room + more, room, "the donated cache has no room for all positions")
    elif more != 0:
        zeros = (*shape[:2], more, shape[3])
        old = node.concat([old, node.broadcast(node.constant(0, node.element(past)), zeros)], 2)
    return node.apply("TensorScatter", 24, old, new, before)


@onnx(f"{MS}GroupQueryAttention", 1)
def grouped(node: Node) -> tuple[Result | None, ...]:
    """GroupQueryAttention(q, k, v, ...) --> softmax(q k^T * scale) v, with cached keys.

    Each batch has its own number of keys; new ones are appended.
    """
    node.refuse("sliding_window_cache", "kv_cache_bit_width")
    if node.has(12) or node.has(13) or {node.attr(f"{c}_quant_type") for c in "kv"} != {"NONE"}:
        raise node.unsupported("a cache of quantized keys and values")
    type, narrow = wide(node.element()), node.element()
    q, k, v = (node.cast(x, type) for x in _parts(node))
    q = _normalized(node, q, Q_NORM, "q_norm_epsilon")
    k = _normalized(node, k, K_NORM, "k_norm_epsilon")
    (batch, _, queries, _), total = shape_of(tensor_of(q)), extent_in(node, TOTAL)
    lengths = node.scaled("add", node.cast(node.reshape(node[LENGTHS], (batch,)), el.I64), 1)
    if node.has(VALID):
        valid = node.cast(node.reshape(node[VALID], (batch,)), el.I64)
        before = node.binary("sub", lengths, valid)
    else:
        before = node.binary("sub", lengths, node.add(ExtentOp.of(queries)))
        before = node.add(b.MaxOp(before, node.constant(0, el.I64)))
    if node.attr("do_rotary"):
        if not node.has(COS) or not node.has(SIN):
            raise node.error("do_rotary is given without cos_cache and sin_cache")
        if node.has(POSITIONS):
            positions = node[POSITIONS]
        else:
            first = node.reshape(before, (batch, 1))
            positions = node.binary("add", first, node.add(IotaOp.of(queries)))
        q, k = turned(node, [q, k], (COS, SIN), positions, "rotary_interleaved")
    keys, values = (
        _kept(node, node.cast(x, narrow), past, total, before)
        for x, past in ((k, PAST_KEY), (v, PAST_VALUE))
    )
    y, between = _attended(node, q, (keys, values), total, before, lengths)
    y = node.cast(at.heads_last(node, y), narrow)
    return y, keys, values, None if between is None else node.cast(between, narrow)


def _attended(
    node: Node,
    q: SSAValue,
    cache: tuple[SSAValue, SSAValue],
    total: ex.Expr,
    before: SSAValue,
    lengths: SSAValue,
) -> tuple[SSAValue, SSAValue | None]:
    """Attention to the first ``total`` keys, and scores or weights if ``qk_output`` is set."""
    (batch, heads, queries, _), type = shape_of(tensor_of(q)), element(tensor_of(q))
    k, v = (
        x if shape_of(tensor_of(x))[2] == total else sliced(node, x, [2], [(0, total, 1)])
        for x in cache
    )
    x = at.scores(node, q, node.cast(k, type), scale_of(node))
    if node.attr("softcap"):
        x = at.capped(node, x, node.attr("softcap"))
    column = (batch, ex.const(1), ex.const(1), ex.const(1))
    left = node.attr("local_window_size")
    window = at.Window(node.reshape(before, column), left - 1 if left > 0 else None, 0)
    if node.attr("causal"):
        conditions = window.seen(node, queries, total)
    else:
        last = node.scaled("sub", node.reshape(lengths, column), 1)
        conditions = at.Window(last, None, 0).seen(node, ex.const(1), total)
    bias = node.cast(node[BIAS], type) if node.has(BIAS) else None
    x = at.masked(node, x, conditions, bias)
    sink: SSAValue | None = None
    if node.has(SINK):
        sink = node.reshape(node.cast(node[SINK], type), (heads, 1, 1))
    elif node.attr("smooth_softmax") > 0:
        sink = node.constant(0, type)
    weights = at.softmax(node, x, True, sink)
    kind, between = node.attr("qk_output"), weights if node.attr("qk_output") else None
    if kind == 1:
        # Scores of hidden keys are 0.
        unseen = node.add(b.EqualOp(x, node.constant(-math.inf, type)))
        between = node.add(b.WhereOp(unseen, node.constant(0, type), x))
    return at.product(node, weights, node.cast(v, type)), between
