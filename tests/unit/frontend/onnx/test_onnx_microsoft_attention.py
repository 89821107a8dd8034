"""Attention of com.microsoft, against formulas in NumPy: masks, caches, groups, rotations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import OpcError  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft import computed, floats, near  # noqa: E402

RNG = np.random.default_rng(9)
BATCH, LENGTH, HEADS, SIZE = 2, 5, 3, 4
WIDTH = HEADS * SIZE


def numbers(values: Any) -> Any:
    return np.array(values, np.int32)


def split(x: Any, heads: int) -> Any:
    """[batch, positions, heads * size] as [batch, heads, positions, size]."""
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def joined(x: Any) -> Any:
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def attended(q: Any, k: Any, v: Any, added: Any = 0.0, scale: float = 0, sink: Any = None) -> Any:
    """softmax(q k^T * scale + added) v in f64; -inf hides a key."""
    factor = scale or 1 / math.sqrt(q.shape[-1])
    x = q.astype(np.float64) @ k.swapaxes(-1, -2) * factor + added
    power = np.exp(x - x.max(-1, keepdims=True))
    rest = 0 if sink is None else np.exp(sink - x.max(-1, keepdims=True))
    return power / (power.sum(-1, keepdims=True) + rest) @ v


def causal(queries: int, keys: int, past: int = 0) -> Any:
    return np.where(np.arange(keys) <= past + np.arange(queries)[:, None], 0.0, -np.inf)


MASKS: dict[str, tuple[Any, Any]] = {
    "none": (None, np.ones((1, 1, 1, LENGTH))),
    "ends": (numbers([3, 5]), np.arange(LENGTH) < np.array([3, 5]).reshape(2, 1, 1, 1)),
    "ends and starts": (
        numbers([4, 5, 1, 0]),
        (np.arange(LENGTH) < np.array([4, 5]).reshape(2, 1, 1, 1))
        & (np.arange(LENGTH) >= np.array([1, 0]).reshape(2, 1, 1, 1)),
    ),
    "rows": (numbers([[1, 1, 0, 1, 0], [0, 1, 1, 1, 1]]), None),
    # Each query sees its own place: 10000 less leaves few bits of scores.
    "matrices": (numbers((RNG.random((BATCH, LENGTH, LENGTH)) < 0.7) | (np.eye(LENGTH) > 0)), None),
}


def shown(name: str) -> tuple[Any, Any]:
    """A mask as it is given, and where it shows keys."""
    given, where = MASKS[name]
    if where is None:
        where = given[:, None, None] if given.ndim == 2 else given[:, None]
    return given, where


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("unidirectional", [0, 1])
def test_packed_weights(name: str, unidirectional: int) -> None:
    given, where = shown(name)
    x, w, b = floats(BATCH, LENGTH, WIDTH), floats(WIDTH, 3 * WIDTH) / 3, floats(3 * WIDTH)
    added = floats(1, HEADS, LENGTH, LENGTH)
    q, k, v = (split(p, HEADS) for p in np.split(x @ w + b, 3, axis=2))
    wanted = np.where(where, 0.0, -10000.0)
    how = {"num_heads": HEADS, "unidirectional": unidirectional}
    if unidirectional:
        wanted = wanted + causal(LENGTH, LENGTH)
    near(computed("Attention", [x, w, b, given], **how), joined(attended(q, k, v, wanted)), 1e-5)
    wanted = np.where(where, 0.0, -5.0) + (causal(LENGTH, LENGTH) if unidirectional else 0)
    how |= {"scale": 0.25, "mask_filter_value": -5.0}
    found = computed("Attention", [x, w, b, given, None, added], **how)
    near(found, joined(attended(q, k, v, wanted + added, 0.25)), 1e-5)


@pytest.mark.parametrize("unidirectional", [0, 1])
def test_packed_weights_with_a_past(unidirectional: int) -> None:
    x, w, b = floats(BATCH, LENGTH, WIDTH), floats(WIDTH, 3 * WIDTH) / 3, floats(3 * WIDTH)
    past = floats(2, BATCH, HEADS, 2, SIZE)
    q, k, v = (split(p, HEADS) for p in np.split(x @ w + b, 3, axis=2))
    k, v = (np.concatenate(p, axis=2) for p in ((past[0], k), (past[1], v)))
    how = {"num_heads": HEADS, "unidirectional": unidirectional}
    y, present = computed("Attention", [x, w, b, None, past], "y p", **how)
    near(present, np.stack([k, v]), 1e-5)
    added = causal(LENGTH, LENGTH + 2, 2) if unidirectional else 0.0
    near(y, joined(attended(q, k, v, added)), 1e-5)


def test_values_of_another_size() -> None:
    x, w = floats(BATCH, LENGTH, WIDTH), floats(WIDTH, 2 * WIDTH + 6) / 3
    q, k, v = (split(p, HEADS) for p in np.split(x @ w, [WIDTH, 2 * WIDTH], axis=2))
    found = computed("Attention", [x, w], num_heads=HEADS, qkv_hidden_sizes=[WIDTH, WIDTH, 6])
    near(found, joined(attended(q, k, v)), 1e-5)
    with pytest.raises(OpcError, match="do_rotary"):
        computed("Attention", [x, floats(WIDTH, 3 * WIDTH)], num_heads=HEADS, do_rotary=1)


def test_quantized_weights() -> None:
    x = RNG.integers(0, 256, (BATCH, LENGTH, WIDTH)).astype(np.uint8)
    w = RNG.integers(-128, 128, (WIDTH, 3 * WIDTH)).astype(np.int8)
    scales, b = (floats(3 * WIDTH) ** 2 / 50).astype(np.float32), floats(3 * WIDTH)
    product = (x.astype(np.int64) - 120) @ w.astype(np.int64) * (np.float32(0.02) * scales) + b
    q, k, v = (split(p, HEADS) for p in np.split(product, 3, axis=2))
    zeros = np.zeros(3 * WIDTH, np.int8)
    given, where = shown("ends")
    arrays = [x, w, b, np.float32(0.02), scales, given, np.uint8(120), zeros]
    added = np.where(where, 0.0, -10000.0)
    near(computed("QAttention", arrays, num_heads=HEADS), joined(attended(q, k, v, added)), 1e-5)


@pytest.mark.parametrize("name", ["none", "ends", "rows", "matrices"])
def test_heads_with_a_mask(name: str) -> None:
    given, where = shown(name)
    q, k, v = floats(BATCH, LENGTH, WIDTH), floats(BATCH, LENGTH, WIDTH), floats(BATCH, LENGTH, 6)
    bias = floats(2 * WIDTH + 6)
    heads = [
        split(x + c, HEADS)
        for x, c in zip((q, k, v), np.split(bias, [WIDTH, 2 * WIDTH]), strict=True)
    ]
    found = computed("MultiHeadAttention", [q, k, v, bias, given], num_heads=HEADS)
    near(found, joined(attended(*heads, np.where(where, 0.0, -10000.0))), 1e-5)


def test_heads_with_a_past() -> None:
    q, k, v = (floats(BATCH, LENGTH, WIDTH) for _ in range(3))
    old = [floats(BATCH, HEADS, 2, SIZE) for _ in range(2)]
    added = floats(BATCH, 1, LENGTH, LENGTH + 2)
    arrays = [q, k, v, None, None, added, *old]
    how = {"num_heads": HEADS, "scale": 0.5, "unidirectional": 1}
    y, keys, values = computed("MultiHeadAttention", arrays, "y k v", **how)
    k, v = (np.concatenate([o, split(n, HEADS)], axis=2) for o, n in zip(old, (k, v), strict=True))
    near(keys, k)
    near(values, v)
    wanted = attended(split(q, HEADS), k, v, added + causal(LENGTH, LENGTH + 2, 2), 0.5)
    near(y, joined(wanted), 1e-5)


def test_heads_that_lie_together() -> None:
    """Queries, keys and values in one tensor, keys and values in one, and heads first."""
    q, k, v = (floats(BATCH, LENGTH, HEADS, SIZE) for _ in range(3))
    first = [x.transpose(0, 2, 1, 3) for x in (q, k, v)]
    wanted, flat = joined(attended(*first)), q.reshape(BATCH, LENGTH, WIDTH)
    for arrays in (
        [np.stack([q, k, v], axis=3)],
        [flat, np.stack([k, v], axis=3)],
        [flat, first[1], first[2]],
    ):
        near(computed("MultiHeadAttention", arrays, num_heads=HEADS), wanted, 1e-5)


def turned(x: Any, cos: Any, sin: Any, interleaved: int) -> Any:
    """x [..., positions, size], turned by the rows of a table [..., positions, pairs]."""
    pairs = cos.shape[-1]
    y = x.copy()
    first = slice(0, 2 * pairs, 2) if interleaved else slice(0, pairs)
    second = slice(1, 2 * pairs, 2) if interleaved else slice(pairs, 2 * pairs)
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., second] * cos + x[..., first] * sin
    return y


@pytest.mark.parametrize("interleaved", [0, 1])
def test_rotary(interleaved: int) -> None:
    x, cos, sin = floats(BATCH, LENGTH, 24), floats(9, 2), floats(9, 2)
    places = np.array([[0, 1, 2, 3, 4], [3, 4, 5, 6, 8]])
    rows = [t[places][:, None] for t in (cos, sin)]
    wanted = joined(turned(split(x, 6), *rows, interleaved))
    near(computed("RotaryEmbedding", [x, places, cos, sin], interleaved=interleaved), wanted)
    # Of larger heads the first values are turned; places go on from one number.
    how = {"num_heads": 3, "rotary_embedding_dim": 4, "interleaved": interleaved}
    rows = [t[2 : 2 + LENGTH] for t in (cos, sin)]
    wanted = joined(turned(split(x, 3), *rows, interleaved))
    near(computed("RotaryEmbedding", [x, np.array([2]), cos, sin], **how), wanted)
    near(
        computed("RotaryEmbedding", [split(x, 3), np.array([2]), cos, sin], **how),
        turned(split(x, 3), *rows, interleaved),
    )


GROUPS, WIDE = 2, 4


def grouped(
    new: int,
    room: int | None,
    totals: Sequence[int],
    packed: bool = False,
    rotates: int = 0,
    more: Sequence[Any] = (),
    **how: Any,
) -> None:
    """GroupQueryAttention for so many new positions beside a cache with some room.

    ``totals`` are how many keys each batch has then.
    """
    batch, heads, size = len(totals), WIDE, 8
    q, k, v = (floats(batch, new, n * size) for n in (heads, GROUPS, GROUPS))
    old = None if room is None else [floats(batch, GROUPS, room, size) for _ in range(2)]
    tables = [floats(16, size // 2) for _ in range(2)]
    arrays: list[Any] = [np.concatenate([q, k, v], axis=2), None, None] if packed else [q, k, v]
    arrays += [None, None] if old is None else old
    arrays += [numbers(totals) - 1, np.int32(max(totals))]
    arrays += tables if rotates else [None, None]
    arrays += more
    how |= {"num_heads": heads, "kv_num_heads": GROUPS}
    found = computed("GroupQueryAttention", arrays, "y k v", do_rotary=rotates, **how)
    bias, sink = [*more, None, None, None][1:3]
    for b, total in enumerate(totals):
        past = max(total - new, 0)
        parts = [split(x[b : b + 1], n) for x, n in ((q, heads), (k, GROUPS), (v, GROUPS))]
        if rotates:
            rows = [t[past : past + new] for t in tables]
            parts[:2] = [turned(x, *rows, how.get("rotary_interleaved", 0)) for x in parts[:2]]
        if old is not None:
            kept = [o[b : b + 1, :, :past] for o in old]
            parts[1:] = [np.concatenate(p, axis=2) for p in zip(kept, parts[1:], strict=True)]
        for cache, x in zip(found[1:], parts[1:], strict=True):
            assert cache.shape == (batch, GROUPS, max(room or 0, *totals), size)
            near(cache[b : b + 1, :, :total], x[:, :, :total])
        keys = past + new
        added = causal(new, keys, past) if how.get("causal", 1) else np.zeros((new, keys))
        if how.get("local_window_size", -1) > 0:
            place = past + np.arange(new)[:, None]
            added = added + np.where(
                np.arange(keys) > place - how["local_window_size"], 0.0, -np.inf
            )
        if bias is not None:
            added = added + bias[min(b, len(bias) - 1), :, :, :keys]
        each = [np.repeat(x, heads // GROUPS, axis=1) for x in parts[1:]]
        last = None if sink is None else sink.reshape(heads, 1, 1)
        if how.get("smooth_softmax", 0) > 0:
            last = 0.0
        y = joined(attended(parts[0], *each, added, how.get("scale", 0), last))
        near(found[0][b : b + 1, : min(new, total)], y[:, : min(new, total)], 1e-5)


@pytest.mark.parametrize("rotates", [0, 1])
@pytest.mark.parametrize("packed", [False, True])
def test_groups(rotates: int, packed: bool) -> None:
    """The first positions, and later ones beside a cache that is full or has room."""
    for new, room, totals in (
        (5, None, [5, 5]),
        (5, 0, [3, 5]),
        (5, 9, [5, 4]),
        (1, 6, [7, 7]),
        (1, 12, [7, 4]),
        (3, 6, [9]),
    ):
        grouped(new, room, totals, packed, rotates, rotary_interleaved=int(packed))


@pytest.mark.parametrize(
    "how",
    [
        {"local_window_size": 2},
        {"scale": 0.25},
        {"smooth_softmax": 1},
        {"causal": 0},
        {"local_window_size": 3, "smooth_softmax": 1},
    ],
    ids=str,
)
def test_groups_with(how: dict[str, Any]) -> None:
    grouped(5, 0, [5, 5], **how)
    grouped(1, 9, [7, 5], **how)
    grouped(3, 9, [8], **how)


@pytest.mark.parametrize("room", [3, 5])
def test_a_cache_of_a_window(room: int) -> None:
    """The cache holds the last positions from row 0 on, and drops some when it is full."""
    how = {"num_heads": WIDE, "kv_num_heads": GROUPS, "local_window_size": 3}
    q, k, v = (floats(2, 12, n * 8) for n in (WIDE, GROUPS, GROUPS))
    caches = [floats(2, GROUPS, room, 8) for _ in range(2)]
    counts, slack = np.array([0, 0]), room - 2
    for new in (6, 1, 1, 1, 1, 1):
        # The second of the batch has two positions fewer from the start: the others are padding.
        ends = counts + new - np.array([0, 2]) * (new > 1)
        rows = [np.stack([x[b, t : t + new] for b, t in enumerate(counts)]) for x in (q, k, v)]
        arrays = [*rows, *caches, numbers(ends) - 1, np.int32(max(ends))]
        y, *caches = computed("GroupQueryAttention", arrays, "y k v", sliding_window_cache=1, **how)
        for b, total in enumerate(ends):
            first = counts[b]
            beside = [split(x[b : b + 1, :total], n) for x, n in ((k, GROUPS), (v, GROUPS))]
            held = total - slack * max(0, -(-(total - room) // slack))
            for cache, x in zip(caches, beside, strict=True):
                near(cache[b : b + 1, :, :held], x[:, :, total - held :])
            place = np.arange(first, total)[:, None]
            hidden = (np.arange(total) > place) | (np.arange(total) <= place - 3)
            each = [np.repeat(x, 2, axis=1) for x in beside]
            queries = split(q[b : b + 1, first:total], WIDE)
            wanted = joined(attended(queries, *each, np.where(hidden, -np.inf, 0.0)))
            near(y[b : b + 1, : total - first], wanted, 1e-5)
        counts = ends


def test_groups_with_a_bias_or_a_sink() -> None:
    grouped(5, 0, [5, 5], more=(None, floats(2, 1, 5, 5)))
    grouped(1, 6, [7, 7], more=(None, floats(1, WIDE, 1, 7)))
    grouped(5, 0, [5, 5], more=(None, None, floats(WIDE)))


def test_scores_and_weights_of_groups() -> None:
    q, k, v = floats(1, 3, 32), floats(1, 3, 16), floats(1, 3, 16)
    how = {"num_heads": WIDE, "kv_num_heads": GROUPS, "softcap": 2.0}
    arrays = [q, k, v, None, None, numbers([2]), np.int32(3)]
    scores = split(q, WIDE) @ np.repeat(split(k, GROUPS), 2, axis=1).swapaxes(-1, -2)
    scores = 2 * np.tanh(scores / math.sqrt(8) / 2)
    *_, found = computed("GroupQueryAttention", arrays, "y k v s", qk_output=1, **how)
    near(found, np.tril(scores), 1e-5)
    power = np.tril(np.exp(scores))
    *_, found = computed("GroupQueryAttention", arrays, "y k v s", qk_output=2, **how)
    near(found, power / power.sum(-1, keepdims=True), 1e-5)


@pytest.mark.parametrize("rule", ["linear", "gated", "delta", "gated_delta"])
@pytest.mark.parametrize("heads", [(2, 2), (4, 2), (2, 4)], ids=str)
def test_linear_attention(rule: str, heads: tuple[int, int]) -> None:
    """A matrix for each head of keys, to which positions are added one after the other."""
    (queries, groups), size, width, steps = heads, 3, 5, 4
    q, k = floats(BATCH, steps, queries * size), floats(BATCH, steps, groups * size)
    v, state = floats(BATCH, steps, groups * width), floats(BATCH, groups, size, width)
    each = size if rule == "gated" else 1
    decay = -np.abs(floats(BATCH, steps, groups * each))
    rate = 1 / (1 + np.exp(-floats(BATCH, steps, groups)))
    arrays = [q, k, v, state, decay if "gated" in rule else None, rate if "delta" in rule else None]
    while arrays[-1] is None:
        arrays.pop()
    how = {"q_num_heads": queries, "kv_num_heads": groups, "update_rule": rule}
    y, last = computed("LinearAttention", arrays, "y s", **how)
    parts = [split(x, n) for x, n in ((q, queries), (k, groups), (v, groups), (decay, groups))]
    s, found = state.astype(np.float64), list[Any]()
    for t in range(steps):
        one, key, new, power = (p[:, :, t] for p in parts)
        s = s * np.exp(power)[..., None] if "gated" in rule else s
        if "delta" in rule:
            seen = np.einsum("bhk,bhkv->bhv", key, s)
            new = rate[:, t, :, None] * (new - seen)
        s = s + key[..., None] * new[:, :, None]
        most = max(heads)
        one, matrix = (np.repeat(x, most // x.shape[1], axis=1) for x in (one, s))
        found.append(np.einsum("bhk,bhkv->bhv", one, matrix) / math.sqrt(size))
    near(last, s, 1e-5)
    near(y, np.stack(found, axis=1).reshape(BATCH, steps, -1), 1e-5)


def test_gate_of_linear_attention() -> None:
    a, b, bias, scale = floats(2, 3, 4), floats(2, 3, 4), floats(4), floats(4)
    decay, rate = computed("LinearAttentionGate", [a, bias, scale, b], "d r")
    near(decay, np.log1p(np.exp(a + bias)) * scale)
    near(rate, 1 / (1 + np.exp(-b)))
