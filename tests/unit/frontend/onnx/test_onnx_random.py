"""Random numbers: of a seed those of the ONNX reference, else of a generator; dropout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, function, info, interpreted, model, node, run  # noqa: E402


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
        (dropout(0.5, True, seed=-1), "is not in"),
        *(
            (model(node("RandomNormal", "", shape=[2], seed=seed), []), f"seed {seed} is not in")
            for seed in (float("inf"), float("nan"))
        ),
        (
            model(node("RandomNormalLike", "seed", dtype=1), [info("seed", shape=(2,))]),
            "an input that is named seed",
        ),
    ],
)
def test_refused(proto: Any, message: str) -> None:
    error: type[OpcError] = UnsupportedError
    with pytest.raises(error, match=message):
        interpreted(proto)


def test_refused_in_a_body() -> None:
    """Its numbers would be the same in each iteration."""
    inner = [node("RandomUniform", "", "r", shape=[3]), node("Identity", "c", "d")]
    body = onnx.helper.make_graph(
        inner, "body", [info("i", "i64", ()), info("c", "i1", ())],
        [info("d", "i1", ()), info("r", shape=(3,))],
    )  # fmt: skip
    loop = node("Loop", "n t", "y", body=body)
    with pytest.raises(UnsupportedError, match="in a body of control flow"):
        function(model(loop, [info("n", "i64", ()), info("t", "i1", ())]))


SEED = np.uint64(11)


@pytest.mark.sample(4)
@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
@pytest.mark.parametrize(
    "operator, attributes, mean, deviation",
    [
        ("RandomNormal", {"mean": 2.0, "scale": 0.5}, 2, 0.5),
        ("RandomUniform", {"low": -3.0, "high": 5.0}, 1, 8 / 12**0.5),
    ],
)
def test_numbers_of_the_caller(
    operator: str, attributes: dict[str, Any], mean: float, deviation: float, type: str
) -> None:
    """Without a seed: of a known shape, and of one that only a run knows."""
    made = node(operator, "", shape=[200, 500], dtype=TYPES[type], **attributes)
    like = node(f"{operator}Like", "x", dtype=TYPES[type], **attributes)
    x = np.zeros((200, 500), np.int32)
    for proto, inputs in (
        (model(made, []), []),
        (model(like, [info("x", "i32", ("N", "M"))]), [x]),
        (model(node(f"{operator}Like", "x", dtype=TYPES[type], seed=5.0, **attributes),
               [info("x", "i32", ("N", 500))]), [x]),
    ):  # fmt: skip
        compiled = function(proto)
        has_seed = compiled.interface.has_seed
        assert has_seed == ("seed" not in str(proto))
        y = compiled(*inputs, *[SEED] * has_seed)
        assert y.dtype.itemsize * 8 == int(type[1:]) and y.shape == (200, 500)
        assert abs(y.mean(dtype="f8") - mean) < 0.02 * deviation
        assert abs(y.std(dtype="f8") - deviation) < 0.01 * deviation
        if operator == "RandomUniform":
            assert y.min() >= -3 and y.max() <= 5


def test_nodes_have_numbers_of_their_own() -> None:
    nodes = [node("RandomUniform", "", name, shape=[1000]) for name in "ab"]
    outputs = [info(name, shape=(1000,)) for name in "ab"]
    a, b = run(model(nodes, [], outputs=outputs), SEED)
    assert (a == b).sum() < 3


def test_the_interpreter_draws_the_same() -> None:
    proto = model(node("RandomUniformLike", "x"), [info("x", shape=("N", 4))])
    x = np.zeros((5, 4), np.float32)
    assert np.array_equal(interpreted(proto, x, SEED)[0], run(proto, x, SEED))


@pytest.mark.parametrize("shape", [(300, 400), ("N", 400)], ids=["known", "unknown"])
def test_dropout_of_the_caller(shape: Any) -> None:
    compiled = function(dropout(np.float32(0), np.bool_(True), shape=shape))
    x = np.random.default_rng(1).standard_normal((300, 400)).astype(np.float32)
    y, kept = compiled(x, np.float32(0.25), np.bool_(True), SEED)
    assert abs(kept.mean() - 0.75) < 0.01
    np.testing.assert_allclose(y, np.where(kept, x / np.float32(0.75), 0), 1e-6)
    y, kept = compiled(x, np.float32(0.25), np.bool_(False), SEED)
    assert np.array_equal(y, x) and kept.all()


def test_bernoulli() -> None:
    """1 with the probability that is given, which is what the specification says."""
    p = np.tile(np.float32([0, 0.125, 0.5, 1]), (20000, 1))
    for type in ("f32", "i1", "i64"):
        proto = model(node("Bernoulli", "p", dtype=TYPES[type]), [info("p", shape=("N", 4))])
        y = run(proto, p, SEED)
        assert y.dtype == {"f32": np.float32, "i1": np.bool_, "i64": np.int64}[type]
        found = y.mean(axis=0)
        assert found[0] == 0 and found[3] == 1
        assert abs(found[1] - 0.125) < 0.01 and abs(found[2] - 0.5) < 0.02


@pytest.mark.parametrize("attributes", [{}, {"seed": 2.0}, {"dtype": TYPES["i64"]}])
def test_multinomial(attributes: dict[str, Any]) -> None:
    """Classes are as frequent as their shares; none that has none is drawn."""
    shares = np.float32([[0.2, 0.3, 0.5], [0.5, 0, 0.5], [0, 0, 1]])
    with np.errstate(divide="ignore"):
        logits = np.log(shares) + np.float32([[0], [700], [-700]])
    node_ = node("Multinomial", "x", sample_size=50000, **attributes)
    compiled = function(model(node_, [info("x", shape=("N", 3))]))
    y = compiled(logits, *[SEED] * ("seed" not in attributes))
    assert y.dtype == (np.int64 if "dtype" in attributes else np.int32)
    found = np.stack([np.bincount(row, minlength=3) for row in y]) / 50000
    assert np.abs(found - shares).max() < 0.01
    assert (found[shares == 0] == 0).all()


@pytest.mark.parametrize("alpha", [0.5, float("inf"), float("nan")])
def test_products_of_integers_are_scaled_by_integers(alpha: float) -> None:
    """A number that is none, like a seed: it must not be made an integer."""
    given = [info("a", "i32", (2, 3)), info("b", "i32", (3, 2))]
    with pytest.raises(UnsupportedError, match=f"alpha is {alpha}, for integers"):
        interpreted(model(node("Gemm", "a b", alpha=alpha), given))
