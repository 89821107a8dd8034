"""Probabilities in a softmax are 0 or normal numbers, so that products with them are fast."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from tests.unit.common.onnx_models import info, model, node

pytestmark = pytest.mark.sample(4)


@pytest.mark.parametrize("columns", [2, 49, 1000])
def test_no_probability_is_subnormal(columns: int) -> None:
    """Masks of -100 gave subnormal numbers alone: attention of Swin took 45 times as long."""
    low = np.arange(-120, -60, dtype=np.float32)
    x = np.zeros((low.size, columns), np.float32)
    x[:, 1] = low
    f = opc.compile(model(node("Softmax", "x", axis=1), [info("x", "f32", x.shape)]))
    y = f(x)
    least = np.finfo(np.float32).smallest_normal
    assert np.all((y == 0) | (y >= least))
    assert np.array_equal(y[:, 1] == 0, low < -76.25)
    exact = np.exp(x.astype(np.float64))
    exact /= exact.sum(1, keepdims=True)
    np.testing.assert_allclose(y, exact, rtol=1e-6, atol=1e-33)


def test_a_hidden_key_of_attention_has_no_subnormal_weight() -> None:
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, 2, 8, 16)).astype(np.float32) for _ in range(3))
    mask = np.where(np.arange(8) < 3, 0, -100).astype(np.float32)[None].repeat(8, 0)
    attention = node("Attention", "q k v m", "y _ _ w", qk_matmul_output_mode=3)
    inputs = [info(n, "f32", a.shape) for n, a in zip("qkvm", (q, k, v, mask), strict=True)]
    outputs = [info("y", "f32", v.shape), info("w", "f32", (1, 2, 8, 8))]
    f = opc.compile(model(attention, inputs, opset=23, outputs=outputs))
    y, weights = f(q, k, v, mask)
    assert np.all(weights[..., 3:] == 0) and np.all(weights[..., :3] > 0)
    scores = q.astype(np.float64) @ k.swapaxes(2, 3) / 4 + mask
    exact = np.exp(scores - scores.max(3, keepdims=True))
    np.testing.assert_allclose(y, exact / exact.sum(3, keepdims=True) @ v, rtol=1e-5, atol=1e-6)


def test_doubles_keep_small_probabilities() -> None:
    x = np.array([[0.0, -100.0, -600.0]])
    f = opc.compile(model(node("Softmax", "x", axis=1), [info("x", "f64", x.shape)]))
    np.testing.assert_allclose(f(x), np.exp(x) / np.exp(x).sum(), rtol=1e-14)
