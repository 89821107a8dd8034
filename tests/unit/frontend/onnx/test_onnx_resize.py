"""Resize and Upsample by constant scales and sizes, against onnxruntime and the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import InputError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)

MODES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric"]
ROUNDINGS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def built(
    x: np.ndarray, opset: int = 19, shape: Any = None, operator: str = "Resize", **how: Any
) -> Any:
    lists = {n: how.pop(n) for n in ("roi", "scales", "sizes") if n in how}
    given = [
        onnx.numpy_helper.from_array(np.array(v, np.int64 if n == "sizes" else np.float32), n)
        for n, v in lists.items()
    ]
    names = ["roi", "scales", "sizes"] if operator == "Resize" and opset > 10 else ["scales"]
    names = [n for n in names if opset > 8]
    wanted = " ".join(["x", *(n if n in lists else "_" for n in names)])
    made = node(operator, wanted, **how)
    return model(made, [info("x", shape=shape or x.shape)], opset, initializers=given)


def by_runtime(proto: Any, x: np.ndarray) -> np.ndarray:
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"x": x})[0]


@pytest.mark.parametrize("coordinates", MODES)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_nearest(coordinates: str, rounding: str) -> None:
    x = numbers(1, 2, 4, 6)
    how = {"coordinate_transformation_mode": coordinates, "nearest_mode": rounding}
    for scales in ((1, 1, 2, 3), (1, 1, 0.5, 1), (1, 1, 1.75, 1.25)):
        proto = built(x, scales=scales, **how)
        np.testing.assert_array_equal(function(proto)(x), by_runtime(proto, x), strict=True)


@pytest.mark.parametrize("coordinates", MODES)
@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("excludes", [0, 1])
def test_between_elements(coordinates: str, mode: str, excludes: int) -> None:
    x = numbers(1, 2, 4, 6)
    how: dict[str, Any] = {"coordinate_transformation_mode": coordinates, "mode": mode}
    if mode == "cubic":
        how |= {"exclude_outside": excludes, "cubic_coeff_a": -0.5}
    for scales in ((1, 1, 2, 3), (1, 1, 0.5, 4), (1, 1, 1.75, 0.6)):
        proto = built(x, scales=scales, **how)
        found = function(proto)(x)
        np.testing.assert_allclose(found, by_runtime(proto, x), rtol=1e-5, atol=1e-5, strict=True)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_antialias(mode: str) -> None:
    x = numbers(1, 1, 4, 6)
    proto = built(x, scales=(1, 1, 0.5, 0.5), mode=mode, antialias=1)
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_allclose(function(proto)(x), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("policy", ["stretch", "not_larger", "not_smaller"])
def test_sizes(policy: str) -> None:
    x = numbers(1, 2, 3, 4)
    how: dict[str, Any] = {"axes": (3, 2), "keep_aspect_ratio_policy": policy}
    proto = built(x, sizes=(12, 6), **how)
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_array_equal(function(proto)(x), expected, strict=True)


def test_region() -> None:
    x = numbers(1, 1, 5, 5)
    how: dict[str, Any] = {
        "mode": "linear",
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "extrapolation_value": 9.5,
    }
    proto = built(x, roi=(0, 0, 0, 0.25, 1, 1, 1, 1.25), sizes=(1, 1, 5, 5), **how)
    found = function(proto)(x)
    expected = np.concatenate([x[..., 1:], np.full((1, 1, 5, 1), np.float32(9.5))], axis=-1)
    np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("operator, opset", [("Upsample", 7), ("Upsample", 9), ("Resize", 10)])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_older_versions(operator: str, opset: int, mode: str) -> None:
    x = numbers(1, 2, 3, 4)
    scales = (1.0, 1.0, 2.0, 3.0)
    proto = (
        model(node("Upsample", "x", mode=mode, scales=scales), [info("x", shape=x.shape)], opset)
        if opset == 7
        else built(x, opset, operator=operator, scales=scales, mode=mode)
    )
    found = function(proto)(x)
    np.testing.assert_allclose(found, by_runtime(proto, x), rtol=1e-5, atol=1e-6, strict=True)


def test_axes_that_are_not_resized_may_be_unknown() -> None:
    x = numbers(3, 2, 3, 4)
    proto = built(x, shape=("N", "C", 3, 4), scales=(1, 1, 2, 2))
    expected = x.repeat(2, axis=2).repeat(2, axis=3)
    np.testing.assert_array_equal(function(proto)(x), expected, strict=True)


def test_infinities_stay_where_they_are() -> None:
    x = np.float32([[[1, np.inf, np.nan, 2]]])
    proto = built(x, scales=(1, 1, 2))
    np.testing.assert_array_equal(function(proto)(x), x.repeat(2, axis=2))


def test_what_is_refused() -> None:
    x = numbers(1, 1, 4, 5)
    with pytest.raises(InputError, match="either scales or sizes"):
        function(built(x, scales=(1, 1, 2, 2), sizes=(1, 1, 8, 10)))
    with pytest.raises(InputError, match=r"scale 0\.0 is not positive"):
        function(built(x, scales=(1, 1, 0, 2)))
