"""ONNX pooling and padding against NumPy, with extents known when compiling and not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import InputError, OpcError  # noqa: E402
from tests.unit.common.onnx_models import function, graph_text, info, model, node, run  # noqa: E402

pytestmark = pytest.mark.sample(8)

X = np.random.default_rng(3).standard_normal((2, 3, 9, 7)).astype(np.float32)
KNOWN, UNKNOWN = (2, 3, 9, 7), ("B", 3, "H", "W")
SHAPES = pytest.mark.parametrize("shape", [KNOWN, UNKNOWN], ids=["known", "unknown"])
HOW: list[dict[str, Any]] = [
    {},
    {"pads": (1, 0, 2, 1)},
    {"strides": (2, 3), "pads": (1, 1, 1, 1)},
    {"strides": (2, 1), "dilations": (1, 2)},
    {"auto_pad": "SAME_UPPER"},
    {"auto_pad": "VALID", "strides": (3, 3)},
]


def windows(x: np.ndarray[Any, Any], how: dict[str, Any], fill: float) -> Any:
    """All windows of 3 by 2 of x among pads, as [..., rows, columns, 3, 2]."""
    strides, dilations = how.get("strides", (1, 1)), how.get("dilations", (1, 1))
    pads = how.get("pads", (0, 0, 0, 0))
    if how.get("auto_pad") == "SAME_UPPER":
        pads = (1, 0, 1, 1)
    full = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])], constant_values=fill)
    reach = [2 * dilations[0] + 1, dilations[1] + 1]
    every = np.lib.stride_tricks.sliding_window_view(full, reach, axis=(2, 3))
    return every[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]


def pooled(operator: str, shape: Any, opset: int = 22, outputs: str = "y", **how: Any) -> Any:
    made = node(operator, "x", outputs, kernel_shape=(3, 2), **how)
    return function(model(made, [info("x", shape=shape)], opset))


@SHAPES
@pytest.mark.parametrize("how", HOW, ids=str)
def test_max(shape: Any, how: dict[str, Any]) -> None:
    found = pooled("MaxPool", shape, **how)(X)
    assert np.array_equal(found, windows(X, how, -np.inf).max((-1, -2)))


def greatest(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The greatest along the last two axes: NaN before all, +0 before -0."""
    found = x.max((-1, -2))
    is_positive = ((x == 0) & ~np.signbit(x)).any((-1, -2))
    return np.where(found == 0, np.where(is_positive, 0.0, -0.0), found).astype(x.dtype)


@pytest.mark.parametrize("rows", [9, 34], ids=["short", "long"])
@pytest.mark.parametrize("size, stride", [(2, 1), (3, 1), (3, 2), (5, 1), (5, 2), (13, 1)])
@pytest.mark.parametrize("type", [np.float32, np.float64, np.float16])
def test_max_of_any_floats(rows: int, size: int, stride: int, type: Any) -> None:
    """Signs of zeros, NaNs and infinities, among pads that differ on every side."""
    rng, before, after = np.random.default_rng(size), (size // 2, 0), (size - 1, size // 2)
    x = rng.choice([0.0, -0.0, -0.0, -1.0, -np.inf], (2, 3, rows, rows + 3)).astype(type)
    x[rng.random(x.shape) < 0.003] = np.nan
    how = {"kernel_shape": (size, size), "strides": (stride, stride), "pads": (*before, *after)}
    made = node("MaxPool", "x", "y", **how)
    names = {np.float32: "f32", np.float64: "f64", np.float16: "f16"}
    full = np.pad(x, [(0, 0), (0, 0), *zip(before, after, strict=True)], constant_values=-np.inf)
    every = np.lib.stride_tricks.sliding_window_view(full, (size, size), axis=(2, 3))
    wanted = greatest(every[:, :, ::stride, ::stride])
    for shape in (x.shape, ("B", 3, "H", "W")):
        found = function(model(made, [info("x", names[type], shape)], 22))(x)
        assert np.array_equal(found, wanted, equal_nan=True)
        numbers = ~np.isnan(wanted)
        assert np.array_equal(np.signbit(found)[numbers], np.signbit(wanted)[numbers])


@SHAPES
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("includes", [0, 1])
def test_average(shape: Any, how: dict[str, Any], includes: int) -> None:
    found = pooled("AveragePool", shape, count_include_pad=includes, **how)(X)
    ones = windows(np.ones_like(X), how, 1.0 if includes else 0.0)
    expected = windows(X, how, 0.0).sum((-1, -2)) / ones.sum((-1, -2))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@SHAPES
@pytest.mark.parametrize("p", [1, 2, 3])
def test_norm(shape: Any, p: int) -> None:
    how = {"pads": (1, 0, 2, 1)}
    expected = (np.abs(windows(X, how, 0.0)) ** p).sum((-1, -2)) ** (1 / p)
    np.testing.assert_allclose(pooled("LpPool", shape, p=p, **how)(X), expected, rtol=1e-5)
    found = function(model(node("GlobalLpPool", "x", p=p), [info("x", shape=shape)]))(X)
    expected = (np.abs(X) ** p).sum((2, 3), keepdims=True) ** (1 / p)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@SHAPES
def test_global(shape: Any) -> None:
    for operator, expected in (
        ("GlobalMaxPool", X.max((2, 3), keepdims=True)),
        ("GlobalAveragePool", X.mean((2, 3), keepdims=True)),
    ):
        found = function(model(node(operator, "x"), [info("x", shape=shape)]))(X)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@SHAPES
@pytest.mark.parametrize("how", HOW[:4], ids=str)
@pytest.mark.parametrize("order", [0, 1])
def test_where_the_greatest_value_stood(shape: Any, how: dict[str, Any], order: int) -> None:
    values, places = pooled("MaxPool", shape, outputs="y i", storage_order=order, **how)(X)
    plane = X.transpose(0, 1, 3, 2) if order else X
    assert np.array_equal(plane.reshape(-1)[places], values)


@SHAPES
@pytest.mark.parametrize("pads", [(1, 1, 2, 1), (2, 1, 1, 1)])
@pytest.mark.parametrize("value", [-np.inf, 1.0])
def test_padding_is_no_greatest_value(shape: Any, pads: tuple[int, ...], value: float) -> None:
    """All of a window is the same, as little as padding is: its first element is meant."""
    how = {"pads": pads, "dilations": pads[:2]}
    x = np.full(KNOWN, value, np.float32)
    _, found = pooled("MaxPool", shape, outputs="y i", **how)(x)
    places = np.broadcast_to(np.arange(63.0).reshape(1, 1, 9, 7), KNOWN)
    wanted = windows(places, how, np.inf).min((-1, -2)).astype(np.int64)
    wanted += (np.arange(6) * 63).reshape(2, 3, 1, 1)
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool", "LpPool"])
def test_the_last_window_of_ceil_mode_begins_within_the_input(operator: str) -> None:
    """A window that would begin behind the input and its first pads is none."""
    one = np.arange(1, 6, dtype=np.float32).reshape(1, 1, 5)
    made = node(operator, "x", kernel_shape=(2,), strides=(3,), pads=(1, 1), ceil_mode=1)
    found = function(model(made, [info("x", shape=(1, 1, 5))]))(one)
    sums = {"MaxPool": [1, 4], "AveragePool": [1, 3.5], "LpPool": [1, 5]}
    assert found.reshape(-1).tolist() == sums[operator]
    wide = node(operator, "x", kernel_shape=(3,), strides=(2,), ceil_mode=1)
    found = function(model(wide, [info("x", shape=(1, 1, 6))]))(np.ones((1, 1, 6), np.float32))
    assert found.shape == (1, 1, 3)


def padded(mode: str, pads: Any, shape: Any, opset: int = 19, value: float | None = None) -> Any:
    lists = [onnx.numpy_helper.from_array(np.array(pads, np.int64), "p")]
    if value is not None:
        lists.append(onnx.numpy_helper.from_array(np.array(value, np.float32), "v"))
    made = node("Pad", "x p v" if value is not None else "x p", mode=mode)
    return function(model(made, [info("x", shape=shape)], opset, initializers=lists))


@SHAPES
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_pad(shape: Any, mode: str) -> None:
    pads = [(0, 0), (1, 2), (0, 3), (4, 0)]
    if mode == "wrap":
        pads[1] = (3, 2)
    flat = [p[0] for p in pads] + [p[1] for p in pads]
    if mode == "constant":
        assert np.array_equal(
            padded(mode, flat, shape, value=2.5)(X), np.pad(X, pads, mode, constant_values=2.5)
        )
        assert np.array_equal(padded(mode, flat, shape)(X), np.pad(X, pads))
    else:
        assert np.array_equal(padded(mode, flat, shape)(X), np.pad(X, pads, mode))


@pytest.mark.parametrize("mode", ["edge", "reflect", "wrap"])
def test_extents_of_what_is_continued(mode: str) -> None:
    """An extent is so much greater, and the same again behind what takes that off."""
    made = [
        node("Pad", "x p", "y", mode=mode),
        node("MaxPool", "y", "z", kernel_shape=(3, 3), strides=(1, 1)),
        node("Add", "z x", "r"),
    ]
    shape = ("N", 2, "H", "W")
    pads = onnx.numpy_helper.from_array(np.int64([0, 0, 1, 1, 0, 0, 1, 1]), "p")
    proto = model(made, [info("x", shape=shape)], 19, initializers=[pads])
    text = graph_text(proto)
    assert "H + 2" in text
    x = np.random.default_rng(0).normal(size=(2, 2, 5, 7)).astype(np.float32)
    wide = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), mode)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), (2, 3))
    assert np.array_equal(run(proto, x), windows.max((4, 5)) + x)


@SHAPES
def test_negative_pads_cut_off(shape: Any) -> None:
    found = padded("constant", [0, 0, -2, 1, 0, 0, 1, -3], shape)(X)
    assert np.array_equal(found, np.pad(X[:, :, 2:, :-3], [(0, 0), (0, 0), (0, 1), (1, 0)]))


def test_negative_pads_may_cut_off_padding() -> None:
    assert padded("constant", [0, 0, 0, 9, 0, 0, 0, -8], KNOWN)(X).shape == (2, 3, 9, 8)
    with pytest.raises(InputError, match="shorter than what its negative pads cut off"):
        padded("constant", [0, 0, 0, 1, 0, 0, 0, -9], KNOWN)


def test_an_axis_without_elements_to_reflect() -> None:
    with pytest.raises(InputError, match="axis 1 has no element"):
        padded("reflect", [0, -3, 0, 0, 0, 1, 0, 0], KNOWN)
    with pytest.raises(OpcError, match="axis 2 has no element"):
        padded("reflect", [0, 0, 8, 0, 0, 0, 0, 0], UNKNOWN)(X[:, :, :0])


def test_first_versions() -> None:
    made = node("Pad", "x", paddings=(0, 0, 1, 0, 0, 0, 0, 2), value=1.5)
    found = function(model(made, [info("x", shape=KNOWN)], 1))(X)
    assert np.array_equal(found, np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 2)], constant_values=1.5))
    for opset in (1, 8, 10, 11, 12):
        assert np.array_equal(
            pooled("MaxPool", KNOWN, opset, strides=(2, 2))(X),
            windows(X, {"strides": (2, 2)}, 0).max((-1, -2)),
        )
    for opset, includes in itertools.product((7, 10, 11, 19), (0, 1)):
        found = pooled("AveragePool", KNOWN, opset, count_include_pad=includes)(X)
        np.testing.assert_allclose(found, windows(X, {}, 0).mean((-1, -2)), rtol=1e-5, atol=1e-6)
