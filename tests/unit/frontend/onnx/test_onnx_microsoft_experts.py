"""Experts of weights of few bits, against onnxruntime and MoE of the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc

pytest.importorskip("onnx")
import onnx

from tests.unit.frontend.onnx.test_onnx_microsoft import (
    computed,
    floats,
    in_onnxruntime,
    made,
    near,
)

RNG = np.random.default_rng(12)
EXPERTS, HIDDEN, INNER, BLOCK = 4, 64, 32, 16


def packed(values: Any, bits: int) -> Any:
    """Along the last axis, the first value in the lowest bits; filled up with 0."""
    each = 8 // bits
    room = -values.shape[-1] % each
    values = np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, room)])
    split = values.reshape(*values.shape[:-1], -1, each).astype(np.uint8)
    return np.bitwise_or.reduce(split << np.arange(0, 8, bits, dtype=np.uint8), axis=-1)


def quantized(rows: int, columns: int, bits: int, block: int, has_zeros: bool) -> tuple[Any, ...]:
    """Weights, packed; scales; zero points, packed; and what they mean."""
    top = 1 << bits
    values = RNG.integers(0, top, (EXPERTS, rows, columns))
    blocks = columns // block if block else 1
    scales = (RNG.random((EXPERTS, rows, blocks)) / top).astype(np.float32)
    zeros = RNG.integers(0, top, scales.shape) if has_zeros else np.full(scales.shape, top // 2)
    wide = [np.repeat(x, columns // blocks, axis=2) for x in (scales, zeros)]
    real = ((values - wide[1]) * wide[0]).astype(np.float32)
    if not block:
        scales, zeros = scales[..., 0], zeros[..., 0]
    return packed(values, bits), scales, packed(zeros, bits) if has_zeros else None, real


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("block", [0, BLOCK])
@pytest.mark.parametrize("has_zeros", [False, True])
@pytest.mark.parametrize("kind", ["relu", "swiglu"])
def test_experts_of_few_bits(bits: int, block: int, has_zeros: bool, kind: str) -> None:
    x, scores, wide = floats(6, HIDDEN), floats(6, EXPERTS), INNER * (2 if kind == "swiglu" else 1)
    w1, s1, z1, real1 = quantized(wide, HIDDEN, bits, block, has_zeros)
    w2, s2, z2, real2 = quantized(HIDDEN, INNER, bits, block, has_zeros)
    b1, b2 = floats(EXPERTS, wide), floats(EXPERTS, HIDDEN)
    how: dict[str, Any] = {"k": 2, "normalize_routing_weights": 1, "activation_type": kind}
    how |= {"swiglu_fusion": 1, "swiglu_limit": 7.0} if kind == "swiglu" else {}
    wanted = computed("MoE", [x, scores, real1, b1, real2, b2], **how)
    arrays = [x, scores, w1, s1, b1, w2, s2, b2, None, None, None, z1, z2]
    how |= {"expert_weight_bits": bits} | ({"block_size": block} if block else {})
    found = computed("QMoE", arrays, **how)
    near(found, wanted, 1e-6)
    if kind == "swiglu":
        # It rounds what it multiplies.
        near(found, in_onnxruntime("QMoE", arrays, **how), 2e-2)


def constant(path: Path, operator: str, arrays: list[Any], **how: Any) -> Any:
    """The function of a model whose weights are constants, for any number of tokens."""
    proto, feeds = made(operator, arrays, **how)
    x, scores, *_ = feeds
    proto.graph.initializer.extend(
        onnx.numpy_helper.from_array(a, n) for n, a in feeds.items() if n not in (x, scores)
    )
    for info in [i for i in proto.graph.input if i.name not in (x, scores)]:
        proto.graph.input.remove(info)
    for info in proto.graph.input:
        info.type.tensor_type.shape.dim[0].dim_param = "tokens"
    onnx.save(proto, path)
    return opc.compile(path)


def by_token(x: Any, scores: Any, w1: Any, b1: Any, w2: Any, b2: Any, k: int) -> Any:
    """Each token through its experts, in f64: gated halves, weights that add up to 1."""
    y = np.zeros(x.shape)
    for t, own in enumerate(scores.astype(np.float64)):
        best = np.argsort(-own, kind="stable")[:k]
        power = np.exp(own[best] - own.max())
        for e, share in zip(best, power / power.sum(), strict=True):
            inner = x[t].astype(np.float64) @ w1[e].T + b1[e]
            gate, up = np.minimum(inner[::2], 7), np.clip(inner[1::2], -7, 7)
            y[t] += share * (w2[e] @ (gate / (1 + np.exp(-1.702 * gate)) * (up + 1)) + b2[e])
    return y


GATED = {"activation_type": "swiglu", "swiglu_fusion": 1, "swiglu_limit": 7.0}
GATED |= {"activation_alpha": 1.702, "activation_beta": 1.0, "normalize_routing_weights": 1}


@pytest.mark.parametrize("operator", ["MoE", "QMoE"])
def test_tokens_are_sorted_by_expert(operator: str, tmp_path: Path) -> None:
    """Each number of tokens, of which some experts get none, against a loop over tokens."""
    w1, s1, _, real1 = quantized(2 * INNER, HIDDEN, 4, BLOCK, False)
    w2, s2, _, real2 = quantized(HIDDEN, INNER, 4, BLOCK, False)
    b1, b2 = floats(EXPERTS, 2 * INNER), floats(EXPERTS, HIDDEN)
    x, scores, how = floats(150, HIDDEN), floats(150, EXPERTS), {"k": 2, **GATED}
    scores[:40, 1] = -9
    if operator == "MoE":
        f = constant(tmp_path / "m.onnx", "MoE", [x, scores, real1, b1, real2, b2], **how)
    else:
        arrays = [x, scores, w1, s1, b1, w2, s2, b2]
        how |= {"expert_weight_bits": 4, "block_size": BLOCK}
        f = constant(tmp_path / "q.onnx", "QMoE", arrays, **how)
    wanted = by_token(x, scores, real1, b1, real2, b2, 2)
    every = f(x, scores)
    near(every, wanted, 1e-5)
    weights = [real1, b1, real2, b2] if operator == "MoE" else arrays[2:]
    near(every, in_onnxruntime(operator, [x, scores, *weights], **how), 1e-5)
    for count in (0, 1, 2, 5, 16, 40):
        # A token has the same bits in any company.
        np.testing.assert_array_equal(f(x[:count], scores[:count]), every[:count])
    same = np.tile(scores[:1], (150, 1))
    near(f(x, same), by_token(x, same, real1, b1, real2, b2, 2), 1e-5)


def test_experts_without_tokens_are_not_read(tmp_path: Path) -> None:
    """NaN in the weights of other experts changes nothing."""
    w1, w2 = floats(EXPERTS, INNER, HIDDEN), floats(EXPERTS, HIDDEN, INNER)
    x, scores = floats(3, HIDDEN), floats(3, EXPERTS)
    scores[:, [0, 2]] -= 9
    bits = constant(tmp_path / "a.onnx", "MoE", [x, scores, w1, None, w2], k=2)(x, scores)
    w1[[0, 2]], w2[[0, 2]] = np.nan, np.nan
    found = constant(tmp_path / "b.onnx", "MoE", [x, scores, w1, None, w2], k=2)(x, scores)
    np.testing.assert_array_equal(found, bits)


def test_scores_that_are_no_numbers_choose_experts_all_the_same(tmp_path: Path) -> None:
    w1, w2 = floats(EXPERTS, INNER, HIDDEN), floats(EXPERTS, HIDDEN, INNER)
    x, scores = floats(4, HIDDEN), floats(4, EXPERTS)
    f = constant(tmp_path / "m.onnx", "MoE", [x, scores, w1, None, w2], k=2)
    bits = f(x, scores)
    scores[1], scores[2, 1] = np.nan, np.nan
    found = f(x, scores)
    assert np.isnan(found[1]).all()
    np.testing.assert_array_equal(found[[0, 3]], bits[[0, 3]])


@pytest.mark.parametrize("is_normal", [0, 1])
def test_weights_beside_the_scores(is_normal: int) -> None:
    """One input chooses experts, another one says how much of each."""
    x, scores, mixing = floats(6, HIDDEN), floats(6, EXPERTS), RNG.random((6, EXPERTS))
    w1, s1, _, _ = quantized(2 * INNER, HIDDEN, 4, BLOCK, False)
    w2, s2, _, _ = quantized(HIDDEN, INNER, 4, BLOCK, False)
    arrays = [x, scores, w1, s1, None, w2, s2, *[None] * 7, mixing.astype(np.float32)]
    how = {"k": 2, **GATED, "expert_weight_bits": 4, "block_size": BLOCK}
    how |= {"normalize_routing_weights": is_normal}
    near(computed("QMoE", arrays, **how), in_onnxruntime("QMoE", arrays, **how), 1e-5)


def test_weights_in_the_layout_of_a_device_are_refused() -> None:
    w1, s1, _, _ = quantized(2 * INNER, HIDDEN, 4, BLOCK, False)
    w2, s2, _, _ = quantized(HIDDEN, INNER, 4, BLOCK, False)
    turned = w1.reshape(EXPERTS, HIDDEN, INNER)
    arrays = [floats(6, HIDDEN), floats(6, EXPERTS), turned[:, : HIDDEN // 2], s1, None, w2, s2]
    how = {"k": 2, **GATED, "expert_weight_bits": 4, "block_size": BLOCK}
    with pytest.raises(opc.OpcError, match="expected 64 rows, not the layout of a device"):
        computed("QMoE", arrays, **how)
