"""Every example compiles and computes what its first line says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common import ROOT

pytestmark = pytest.mark.sample(3)

EXAMPLES = ROOT / "examples"
Array = np.ndarray[Any, np.dtype[Any]]


def layer_norm(x: Array, scale: Array, bias: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + bias


def batch_norm_relu(x: Array, mean: Array, variance: Array, scale: Array, bias: Array) -> Array:
    return np.maximum((x - mean) * (scale / np.sqrt(variance + 1e-5)) + bias, 0)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def rnn(x: Array, h: Array, w: Array, r: Array) -> Array:
    y: list[Array] = []
    for step in x:
        y.append(np.tanh(step @ w + (y[-1] if y else h) @ r))
    return np.stack(y)


MEANING: dict[str, tuple[list[tuple[int, ...]], Callable[..., Array]]] = {
    "centre": ([(5, 1024)], lambda x: x - x.mean(1, keepdims=True)),
    "softmax": ([(4096, 1024)], softmax),
    "layer_norm": ([(4096, 768), (768,), (768,)], layer_norm),
    "batch_norm_relu": ([(2, 64, 56, 56), *[(64, 1, 1)] * 4], batch_norm_relu),
    "log_sum_exp": ([(512, 1000)], lambda x: np.log(np.exp(x).sum(1))),
    "rnn": ([(5, 3, 8), (3, 16), (8, 16), (16, 16)], rnn),
    "masked_mean": (
        [(3, 10, 64), (3, 10, 1)],
        lambda x, m: np.where(m, x, 0).sum(1) / np.where(m, 1.0, 0.0).sum(1),
    ),
}


def test_every_example_has_a_meaning_and_a_purpose() -> None:
    files = sorted(EXAMPLES.glob("*.mlir"))
    assert {f.stem for f in files} == set(MEANING)
    for file in files:
        assert file.read_text(encoding="utf-8").startswith("// ")


@pytest.mark.parametrize("name", MEANING)
def test_example(name: str) -> None:
    shapes, meaning = MEANING[name]
    f = opc.compile(EXAMPLES / f"{name}.mlir")
    rng = np.random.default_rng(7)
    inputs: list[Array] = []
    for shape, spec in zip(shapes, f.inputs, strict=True):
        values = np.abs(rng.normal(size=shape)) + 0.5
        inputs.append((values > 1.0) if spec.dtype == np.bool_ else values.astype(spec.dtype))
    expected = meaning(*(a if a.dtype == np.bool_ else a.astype(np.float64) for a in inputs))
    np.testing.assert_allclose(f(*inputs), expected, rtol=2e-5, atol=2e-6)


def test_softmax_goes_over_a_row_twice_under_one_loop_for_threads() -> None:
    f = opc.compile(EXAMPLES / "softmax.mlir")
    body = f.c_source[f.c_source.index("static void softmax_loop0") :]
    assert len([line for line in body.splitlines() if "< end;" in line]) == 1
    # The maximum, then the exponentials and their sum beside the division of the row before: of
    # the first row, of the others, and the division of the last one.
    assert len([line for line in body.splitlines() if "< 1024;" in line]) == 5
    assert "_iterations, &data, 0, 4096, " in body
