"""Experts of weights of few bits, against onnxruntime and MoE of the same weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
from tests.unit.frontend.onnx.test_onnx_microsoft import computed, floats, in_onnxruntime, near

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
