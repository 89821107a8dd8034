"""Resize and Upsample by inputs that only a run knows, against onnxruntime and the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)

X = np.random.default_rng(4).standard_normal((1, 2, 4, 6)).astype(np.float32)
SCALES = ((1, 1, 2, 3), (1, 1, 0.5, 1), (1, 1, 1.75, 0.6), (1, 2, 0.25, 1.25))
COORDINATES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "half_pixel_symmetric"]
SHAPES = pytest.mark.parametrize("shape", [X.shape, ("N", "C", "H", "W")], ids=["known", "unknown"])


def built(given: str, opset: int = 19, shape: Any = X.shape, count: int = 4, **how: Any) -> Any:
    """A model of x and lists, of as many elements as there are axes."""
    operator = "Upsample" if opset == 9 else "Resize"
    lists = {"roi": 2 * count, "scales": count, "sizes": count}
    inputs = [info("x", shape=shape)]
    inputs += [
        info(n, "i64" if n == "sizes" else "f32", (lists[n],)) for n in given.split() if n != "_"
    ]
    return model(node(operator, f"x {given}", **how), inputs, opset)


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def i64(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def by_runtime(proto: Any, **given: np.ndarray) -> np.ndarray:
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, given)[0]


def by_reference(proto: Any, **given: np.ndarray) -> np.ndarray:
    return ReferenceEvaluator(proto).run(None, given)[0]


@SHAPES
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_nearest(coordinates: str, rounding: str, shape: Any) -> None:
    how = {"coordinate_transformation_mode": coordinates, "nearest_mode": rounding}
    proto = built("_ scales", shape=shape, **how)
    compiled = function(proto)
    for scales in SCALES:
        expected = by_runtime(proto, x=X, scales=f32(*scales))
        np.testing.assert_array_equal(compiled(X, f32(*scales)), expected, strict=True)


@SHAPES
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("mode, excludes", [("linear", 0), ("cubic", 0), ("cubic", 1)])
def test_between_elements(coordinates: str, mode: str, excludes: int, shape: Any) -> None:
    how: dict[str, Any] = {"coordinate_transformation_mode": coordinates, "mode": mode}
    if mode == "cubic":
        how |= {"exclude_outside": excludes, "cubic_coeff_a": -0.5}
    proto = built("_ scales", shape=shape, **how)
    compiled = function(proto)
    for scales in SCALES[:3]:
        expected = by_runtime(proto, x=X, scales=f32(*scales))
        found = compiled(X, f32(*scales))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5, strict=True)


@SHAPES
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_antialias(mode: str, shape: Any) -> None:
    proto = built("_ scales", shape=shape, mode=mode, antialias=1)
    compiled = function(proto)
    for scales in ((1, 1, 0.5, 0.5), (1, 1, 0.25, 2), (1, 1, 0.75, 1)):
        expected = by_reference(proto, x=X, scales=f32(*scales))
        found = compiled(X, f32(*scales))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@SHAPES
@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("policy", ["stretch", "not_larger", "not_smaller"])
def test_sizes(policy: str, mode: str, shape: Any) -> None:
    how: dict[str, Any] = {"axes": (3, 2), "keep_aspect_ratio_policy": policy, "mode": mode}
    proto = built("_ _ sizes", shape=shape, count=2, **how)
    compiled = function(proto)
    for sizes in ((12, 6), (6, 4), (3, 9), (7, 3)):
        expected = by_reference(proto, x=X, sizes=i64(*sizes))
        found = compiled(X, i64(*sizes))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_corners_by_sizes() -> None:
    how = {"coordinate_transformation_mode": "align_corners", "mode": "linear"}
    proto = built("_ _ sizes", **how)
    compiled = function(proto)
    for sizes in ((1, 2, 7, 3), (1, 2, 1, 11), (1, 2, 4, 6)):
        expected = by_runtime(proto, x=X, sizes=i64(*sizes))
        found = compiled(X, i64(*sizes))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5, strict=True)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_corners_by_scales(mode: str) -> None:
    """Also where scale * extent is no integer: the length of the result decides, as by sizes."""
    how = {"coordinate_transformation_mode": "align_corners", "mode": mode}
    proto = built("_ scales", **how)
    compiled = function(proto)
    for scales in ((1, 1, 2, 3), (1, 1, 0.6, 0.6), (1, 1, 1.75, 0.3), (1, 1, 0.5, 1)):
        expected = by_runtime(proto, x=X, scales=f32(*scales))
        found = compiled(X, f32(*scales))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5, strict=True)


def test_region() -> None:
    how: dict[str, Any] = {
        "mode": "linear",
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "extrapolation_value": 9.5,
    }
    compiled = function(built("roi _ sizes", **how))
    roi = f32(0, 0, 0, 0.2, 1, 1, 1, 1.2)
    expected = np.concatenate([X[..., 1:], np.full((1, 2, 4, 1), np.float32(9.5))], axis=-1)
    found = compiled(X, roi, i64(*X.shape))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    backwards = compiled(X, f32(0, 0, 1, 0, 1, 1, 0, 1), i64(*X.shape))
    np.testing.assert_allclose(backwards, X[:, :, ::-1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("opset", [9, 10])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_older_versions(opset: int, mode: str) -> None:
    proto = built("scales", opset, mode=mode)
    compiled = function(proto)
    for scales in ((1, 1, 2, 3), (1, 1, 1.75, 1)):
        expected = by_runtime(proto, x=X, scales=f32(*scales))
        found = compiled(X, f32(*scales))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6, strict=True)


def test_constant_scales_of_unknown_extents() -> None:
    scales = onnx.numpy_helper.from_array(f32(1, 1, 2, 1.5), "scales")
    made = node("Resize", "x _ scales", mode="linear")
    proto = model(made, [info("x", shape=(1, 2, "H", "W"))], 19, initializers=[scales])
    found = function(proto)(X)
    np.testing.assert_allclose(found, by_runtime(proto, x=X), rtol=1e-5, atol=1e-5, strict=True)


def test_what_is_not_resized_does_not_meet() -> None:
    x = np.float32([[[1, 2]], [[np.inf, np.nan]], [[3, 4]]])
    compiled = function(built("_ scales", shape=x.shape, count=3, mode="cubic"))
    np.testing.assert_array_equal(compiled(x, f32(1, 1, 1)), x, strict=True)


def test_scales_and_sizes_that_are_errors() -> None:
    by_scales, by_sizes = (function(built(given)) for given in ("_ scales", "_ _ sizes"))
    for scale in (0, -1, np.nan, np.inf, 1e30):
        with pytest.raises(ArgumentError, match="values of an input are no extents"):
            by_scales(X, f32(1, 1, 1, scale))
    with pytest.raises(ArgumentError, match="values of an input are no extents"):
        by_sizes(X, i64(1, 2, -4, 6))
    assert by_scales(X, f32(1, 1, 0.125, 1)).shape == (1, 2, 0, 6)
    empty = function(built("_ _ sizes", shape=(1, 2, 0, 6)))
    with pytest.raises(OpcError, match="values of an input are no extents"):
        empty(X[:, :, :0], i64(1, 2, 4, 6))


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"input scales is \[N\], expected \[4\]"):
        inputs = [info("x", shape=X.shape), info("scales", shape=("N",))]
        function(model(node("Resize", "x _ scales"), inputs, 19))
