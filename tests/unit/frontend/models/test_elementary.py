"""Functions of known numbers have the bits of the C, and no part of NumPy's own ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import pytest

import opc
from opc.frontend.models import elementary

onnx = pytest.importorskip("onnx")
from opc.frontend.onnx.ops.random import gaussian  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

Array = np.ndarray[Any, np.dtype[Any]]
FORBIDDEN = ("cos", "sin", "tan", "exp", "log", "log2", "log10", "log1p", "expm1", "power")


def angles() -> Array:
    rng = np.random.default_rng(0)
    n = rng.integers(1, 5000, 20000)
    k = rng.integers(0, 5000, 20000) % n
    return np.concatenate([
        k * (2 * np.pi) / n,
        *(rng.uniform(-size, size, 20000) for size in (1, 8, 1e3, 2.0**20)),
        np.arange(-200, 200) * (np.pi / 4),
        *(s * np.logspace(-300, 5, 2000) for s in (1, -1)),
        [0.0, -0.0, np.nextafter(2.0**20, 0), 2.0**-27, np.nextafter(2.0**-27, 0)],
    ])  # fmt: skip


def positives() -> Array:
    rng = np.random.default_rng(1)
    near = 1 + rng.normal(size=20000) * 1e-3
    powers = 2.0 ** np.arange(-1022, 1024)
    return np.concatenate([rng.random(20000), near, np.exp(rng.uniform(-700, 700, 20000)), powers])


def circular(x: Annotated[Array, "f64[N]"]) -> tuple[Array, Array]:
    return np.cos(x), np.sin(x)


def logarithms(x: Annotated[Array, "f64[N]"]) -> Array:
    return np.log(x)


def same(found: Any, expected: Any) -> bool:
    return np.array_equal(np.asarray(found).view(np.uint64), np.asarray(expected).view(np.uint64))


def test_bits_are_those_of_the_c() -> None:
    x = angles()
    cosines, sines = opc.compile(opc.trace(circular), target="baseline")(x)
    assert same(elementary.cosine(x), cosines) and same(elementary.sine(x), sines)
    y = positives()
    logs = opc.compile(opc.trace(logarithms), target="baseline")(y)
    assert same(elementary.logarithm(y), logs)
    assert same(elementary.LN10, elementary.logarithm(np.array([10.0]))[0])


def test_values() -> None:
    x, y = angles(), positives()
    np.testing.assert_allclose(elementary.cosine(x), np.cos(x), 1e-15, 1e-15)
    np.testing.assert_allclose(elementary.sine(x), np.sin(x), 1e-15, 1e-15)
    np.testing.assert_allclose(elementary.logarithm(y), np.log(y), 1e-15, 1e-15)
    for f in (elementary.cosine, elementary.sine):
        assert np.isnan(f(np.array([np.nan, np.inf, -np.inf]))).all()


@pytest.mark.parametrize("count", [0, 1, 2, 7, 5001])
def test_normal_numbers_are_those_of_the_reference(count: int) -> None:
    for seed in (0, 7, 2**32 - 1):
        expected = np.random.RandomState(seed).standard_normal(count)
        found = gaussian(np.random.RandomState(seed), (count,))
        np.testing.assert_allclose(found, expected, 1e-14)
        assert np.array_equal(found.astype(np.float32), expected.astype(np.float32))


def constant(name: str, number: Any) -> Any:
    return onnx.numpy_helper.from_array(np.asarray(number), name)


def made() -> dict[str, Any]:
    nodes: dict[str, Any] = {
        f"{name} {periodic} {type}": node(
            f"{name}Window", "n", "y", periodic=periodic, output_datatype=type
        )
        for name in ("Hann", "Hamming", "Blackman")
        for periodic in (0, 1)
        for type in (1, 10, 11)
    }
    for name, operator, attributes in (
        ("DFT of primes", "DFT", {}),
        ("inverse", "DFT", {"inverse": 1}),
        ("onesided", "DFT", {"onesided": 1}),
    ):
        nodes[name] = node(operator, "x n", "y", **attributes)
    nodes["STFT"] = node("STFT", "x step _ n", "y")
    return nodes


NODES = made()


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("n", [3, 8, 17, 34])
def test_known_and_unknown_lengths_have_the_same_bits(name: str, n: int) -> None:
    made = NODES[name]
    parts = 1 if name in ("onesided", "STFT") else 2
    x = np.random.default_rng(2).normal(size=(2, n + 5, parts)).astype(np.float32)
    inputs = [info("x", shape=x.shape)] if "x" in made.input else []
    arrays = [x] * len(inputs)
    step = [constant("step", np.int64(2))] if "step" in made.input else []
    known = function(model(made, inputs, 20, initializers=[constant("n", np.int64(n)), *step]))
    unknown = function(model(made, [*inputs, info("n", "i64", ())], 20, initializers=step))
    first, second = known(*arrays), unknown(*arrays, np.int64(n))
    assert first.dtype == second.dtype and first.shape == second.shape
    assert first.tobytes() == second.tobytes()


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", FORBIDDEN)
def test_nothing_of_known_numbers_is_computed_by_the_library(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiling with another such library gives the same C."""
    nodes = [
        node("HannWindow", "n", "a", output_datatype=11),
        node("DFT", "x", "b", axis=1),
        node("DFT", "x", "c", axis=0, onesided=1),
        node("RandomNormal", "", "d", seed=3.0, shape=[5]),
        node("HammingWindow", "n", "w", output_datatype=11),
        node("STFT", "x step w", "e"),
        node("MelWeightMatrix", "n n rate low high", "f"),
    ]
    numbers = {"n": np.int64(20), "step": np.int64(3), "rate": np.int64(8000)}
    numbers |= {"low": np.float32(20), "high": np.float32(3000)}
    outputs = [onnx.ValueInfoProto(name=k) for k in "abcdef"]
    constants = [constant(k, v) for k, v in numbers.items()]
    proto = model(nodes, [info("x", "f64", shape=(17, 60, 1))], 17, outputs, constants)
    before = opc.lower(proto, cache=None)
    real: Callable[..., Any] = getattr(np, name)

    def other(*args: Any, **options: Any) -> Any:
        found = real(*args, **options)
        return np.nextafter(found, np.inf) if isinstance(found, float | np.ndarray) else found

    monkeypatch.setattr(np, name, other)
    after = opc.lower(proto, cache=None)
    assert after.c_source == before.c_source
    weights = [np.asarray(e.weights if e.weights is not None else []) for e in (before, after)]
    assert weights[0].tobytes() == weights[1].tobytes()
