"""Windows, DFT, STFT and MelWeightMatrix of ONNX against NumPy, and Det."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import graph_text, info, interpreted, model, node, run  # noqa: E402

pytestmark = pytest.mark.sample(8)

WINDOWS = {
    "HannWindow": lambda t: np.sin(t / 2) ** 2,
    "HammingWindow": lambda t: 25 / 46 - 21 / 46 * np.cos(t),
    "BlackmanWindow": lambda t: 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t),
}


def constant(name: str, number: int) -> Any:
    return onnx.numpy_helper.from_array(np.array(number, np.int64), name)


@pytest.mark.parametrize("periodic", [0, 1])
@pytest.mark.parametrize("operator", WINDOWS)
def test_windows(operator: str, periodic: int) -> None:
    expected = WINDOWS[operator](2 * np.pi * np.arange(10) / (10 - 1 + periodic))
    made = node(operator, "n", periodic=periodic, output_datatype=11)
    known = model(made, [], initializers=[constant("n", 10)])
    read = model(made, [info("n", "i64", ())])
    for found in (interpreted(known), interpreted(read, np.int64(10))):
        np.testing.assert_allclose(found[0], expected, 1e-12, 1e-15)
        assert found[0].dtype == np.float64


def test_a_window_in_c() -> None:
    proto = model(node("HannWindow", "n"), [info("n", "i32", ())])
    found = run(proto, np.int32(33))
    np.testing.assert_allclose(found, np.sin(np.pi * np.arange(33) / 33) ** 2, 1e-6, 1e-7)


def transformed(x: np.ndarray, axis: int, length: Any, inverse: int, onesided: int) -> np.ndarray:
    signal = x[..., 0] if x.shape[-1] == 1 else x[..., 0] + 1j * x[..., 1]
    if inverse and onesided:
        return np.fft.irfft(signal, length, axis)[..., None]
    found = (np.fft.ifft if inverse else np.fft.fft)(signal, length, axis)
    if onesided:
        found = np.take(found, range(found.shape[axis] // 2 + 1), axis)
    return np.stack([found.real, found.imag], -1)


def drawn(seed: int) -> tuple[Any, list[Any], np.ndarray]:
    rng = np.random.default_rng(seed)
    rank = 1 + seed % 3
    shape = rng.integers(2, 9, rank).tolist()
    inverse, onesided = seed // 2 % 2, seed // 4 % 2
    parts = 2 if inverse and onesided else 1 if onesided else 1 + seed // 3 % 2
    axis = int(rng.integers(0, rank))
    is_read = seed % 3 == 0
    length = None if is_read or seed % 2 else int(rng.integers(2, 12))
    type = ("f32", "f64")[seed % 5 == 0]
    x = rng.standard_normal([*shape, parts]).astype(np.float64 if type == "f64" else np.float32)
    extents = [*(["A", "B", "C"][:rank] if seed % 4 < 2 else shape), parts]
    infos, arrays, constants = [info("x", type, extents)], [x], []
    if length is not None:
        constants.append(constant("l", length))
    written = axis - rank - 1 if seed % 7 < 3 else axis
    if is_read:
        infos.append(info("a", "i64", ()))
        arrays.append(np.int64(written))
    else:
        constants.append(constant("a", written))
    names = f"x {'_' if length is None else 'l'} a"
    made = node("DFT", names, inverse=inverse, onesided=onesided)
    proto = model(made, infos, 20, initializers=constants)
    return proto, arrays, transformed(x.astype(np.float64), axis, length, inverse, onesided)


@pytest.mark.parametrize("seed", range(60))
def test_transforms(seed: int) -> None:
    proto, arrays, expected = drawn(seed)
    (found,) = interpreted(proto, *arrays)
    tolerance = 1e-10 if arrays[0].dtype == np.float64 else 2e-5
    assert found.dtype == arrays[0].dtype
    np.testing.assert_allclose(found, expected, tolerance, tolerance)


@pytest.mark.parametrize("seed", [6, 9, 14])
def test_transforms_in_c(seed: int) -> None:
    proto, arrays, expected = drawn(seed)
    np.testing.assert_allclose(run(proto, *arrays), expected, 2e-5, 2e-5)


def test_the_axis_of_parts_is_none_to_transform() -> None:
    made = node("DFT", "x _ a")
    infos = [info("x", shape=(3, 4, 2))]
    with pytest.raises(InputError, match="axis -1 is that of real and imaginary parts"):
        interpreted(model(made, infos, 20, initializers=[constant("a", -1)]))
    with pytest.raises(ArgumentError, match="the axis is that of the parts"):
        interpreted(model(made, [*infos, info("a", "i64", ())], 20), np.ones((3, 4, 2), "f"), 2)
    with pytest.raises(UnsupportedError, match="the matrix of a transform: found"):
        interpreted(model(node("DFT", "x", axis=0), [info("x", shape=(8191, 1))], 17))


@pytest.mark.parametrize("windowed", [False, True])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("parts, onesided", [(0, 1), (1, 0), (1, 1), (2, 0)])
def test_short_transforms(parts: int, onesided: int, named: bool, windowed: bool) -> None:
    """With 0 parts, signals have no axis of them."""
    rng = np.random.default_rng(0)
    last = (parts,) * bool(parts)
    x, w = rng.standard_normal((2, 57, *last)).astype("f"), rng.random(16).astype("f")
    infos = [info("x", shape=("B", "L", *last) if named else x.shape)]
    constants, names = [constant("s", 5)], "x s w" if windowed else "x s _ l"
    infos += [info("w", shape=(16,))] if windowed else []
    constants += [] if windowed else [constant("l", 16)]
    proto = model(node("STFT", names, onesided=onesided), infos, 17, initializers=constants)
    signal = x if not parts else x[..., 0] + (1j * x[..., 1] if parts == 2 else 0)
    frames = np.stack([signal[:, k * 5 : k * 5 + 16] for k in range(9)], 1)
    expected = np.fft.fft(frames * w if windowed else frames)
    expected = expected[..., :9] if onesided else expected
    (found,) = interpreted(proto, x, *([w] if windowed else []))
    np.testing.assert_allclose(found, np.stack([expected.real, expected.imag], -1), 1e-4, 1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_mel_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = [rng.integers(*r) for r in ((2, 20), (8, 400), (2000, 16000))]
    arrays = [np.int32(n) for n in numbers]
    edges = [np.float32(rng.random() * 100), np.float32(numbers[2] / 2 * rng.uniform(0.5, 1))]
    infos = [info(n, "i32", ()) for n in "abc"] + [info(n, "f32", ()) for n in "de"]
    made = node("MelWeightMatrix", "a b c d e")
    proto = model(made, infos)
    (expected,) = ReferenceEvaluator(proto).run(
        None, dict(zip("abcde", [*arrays, *edges], strict=True))
    )
    np.testing.assert_allclose(interpreted(proto, *arrays, *edges)[0], expected, 1e-6)
    constants = [
        onnx.numpy_helper.from_array(np.array(a), n) for a, n in zip(arrays, "abc", strict=True)
    ]
    known = model(made, infos[3:], initializers=constants)
    np.testing.assert_allclose(interpreted(known, *edges)[0], expected, 1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_determinants(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, batch = seed % 6 if seed != 6 else 1, rng.integers(1, 4, seed % 3).tolist()
    x = rng.standard_normal((*batch, n, n))
    if n > 1 and seed % 4 == 0:
        x[..., 1, :] = 2 * x[..., 0, :]
    if n > 1 and seed % 4 == 1:
        x[..., 0, 0] = 0
    shape = [*["A", "B"][: len(batch)], "N", "M"] if seed % 5 == 1 else x.shape
    proto = model(node("Det", "x"), [info("x", "f64", shape)])
    (found,) = interpreted(proto, x)
    assert found.shape == tuple(batch)
    np.testing.assert_allclose(found, np.linalg.det(x), 1e-10, 1e-12)


def test_a_determinant_in_c() -> None:
    proto = model(node("Det", "x"), [info("x", shape=("B", 4, 4))])
    x = np.random.default_rng(0).standard_normal((3, 4, 4)).astype(np.float32)
    np.testing.assert_allclose(run(proto, x), np.linalg.det(x.astype(float)), 1e-4)
    with pytest.raises(OpcError, match="the matrix is not square"):
        interpreted(model(node("Det", "x"), [info("x", shape=(2, 3))]))


@pytest.mark.parametrize("n", [2, 4, 8, 9, 10, 24, 49, 60, 128, 91])
@pytest.mark.parametrize("inverse", [0, 1])
def test_transforms_by_factors(n: int, inverse: int) -> None:
    x = np.random.default_rng(n).standard_normal((2, n, 3, 2)).astype(np.float32)
    expected = transformed(x.astype(np.float64), 1, None, inverse, 0)
    made = node("DFT", "x", axis=1, inverse=inverse)
    proto = model(made, [info("x", shape=("B", n, 3, 2))], 17)
    assert "opc.matmul" not in graph_text(proto)
    (found,) = interpreted(proto, x)
    np.testing.assert_allclose(found, expected, 0, 1e-6 * abs(expected).max())
    if n == 60:
        np.testing.assert_allclose(run(proto, x), found, 0, 1e-6)
