"""Random numbers from a seed: those of the ONNX reference; dropout while training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_models import TYPES, info, interpreted, model, node, run  # noqa: E402

from opc.errors import OpcError, UnsupportedError  # noqa: E402


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize(
    "operator, attributes",
    [
        ("RandomNormal", {"mean": 2.0, "scale": 0.5}),
        ("RandomNormal", {}),
        ("RandomUniform", {"low": -3.0, "high": 5.0}),
    ],
)
def test_numbers(operator: str, attributes: dict[str, Any], type: str) -> None:
    made = node(operator, "", seed=7.0, shape=[3, 4], dtype=TYPES[type], **attributes)
    proto = model(made, [], outputs=[info("y", type, (3, 4))])
    (expected,) = ReferenceEvaluator(proto).run(None, {})
    np.testing.assert_allclose(interpreted(proto)[0], expected, 1e-6)


def test_numbers_of_the_shape_of_another() -> None:
    made = node("RandomNormalLike", "x", seed=3.0, dtype=TYPES["f32"])
    proto = model(made, [info("x", "i32", (2, 5))])
    expected = np.random.RandomState(3).standard_normal((2, 5)).astype(np.float32)
    assert np.array_equal(run(proto, np.zeros((2, 5), np.int32)), expected)


X = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)


def dropout(*inputs: Any, shape: Any = (3, 4, 5), **attributes: Any) -> Any:
    infos = [info("x", shape=shape), info("r", shape=()), info("t", "i1", ())]
    names = " ".join("xrt"[: 1 + len(inputs)])
    return model(node("Dropout", names, "y m", **attributes), infos[: 1 + len(inputs)])


@pytest.mark.parametrize("ratio", [0.0, 0.3, 0.75])
@pytest.mark.parametrize("trains", [True, False])
def test_dropout(trains: bool, ratio: float) -> None:
    inputs = [np.float32(ratio), np.bool_(trains)]
    kept = np.random.RandomState(9).uniform(0, 1.0, X.shape) >= np.float32(ratio)
    if not trains:
        kept, ratio = np.ones(X.shape, bool), 0.0
    proto = dropout(*inputs, seed=9)
    for found in (interpreted(proto, X, *inputs), run(proto, X, *inputs)):
        np.testing.assert_allclose(found[0], np.where(kept, X / (1 - ratio), 0), 1e-6)
        assert np.array_equal(found[1], kept)


@pytest.mark.parametrize(
    "proto, message",
    [
        (dropout(0.5, True), "without a seed"),
        (dropout(0.5, True, shape=("N", 3), seed=1), "must be known when compiling"),
        (dropout(0.5, True, seed=-1), "is not in"),
        *(
            (model(node("RandomNormal", "", shape=[2], seed=seed), []), f"seed {seed} is not in")
            for seed in (float("inf"), float("nan"))
        ),
        (model(node("RandomNormal", "", shape=[2]), []), "without a seed"),
    ],
)
def test_refused(proto: Any, message: str) -> None:
    error: type[OpcError] = UnsupportedError
    with pytest.raises(error, match=message):
        interpreted(proto)


@pytest.mark.parametrize("alpha", [0.5, float("inf"), float("nan")])
def test_products_of_integers_are_scaled_by_integers(alpha: float) -> None:
    """A number that is none, like a seed: it must not be made an integer."""
    given = [info("a", "i32", (2, 3)), info("b", "i32", (3, 2))]
    with pytest.raises(UnsupportedError, match=f"alpha is {alpha}, for integers"):
        interpreted(model(node("Gemm", "a b", alpha=alpha), given))
