"""Operators of com.microsoft on 8-bit integers, bit for bit as f32 in NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from tests.unit.common.onnx_models import info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft import (  # noqa: E402
    computed,
    floats,
    in_onnxruntime,
    near,
    sigmoid,
)

RNG = np.random.default_rng(8)
BYTES = [np.uint8, np.int8]
F32 = np.float32


def integers(type: Any, *shape: int) -> Any:
    limits = np.iinfo(type)
    return RNG.integers(limits.min, limits.max + 1, shape).astype(type)


def real(x: Any, scale: Any, zero: Any) -> Any:
    return (x.astype(F32) - F32(zero)) * F32(scale)


def whole(x: Any, scale: Any, zero: Any, type: Any) -> Any:
    limits = np.iinfo(type)
    found = np.rint(x.astype(F32) / F32(scale)) + F32(zero)
    return np.clip(found, limits.min, limits.max).astype(type)


def rescaled(x: Any, scale: Any, zero: Any, type: Any) -> Any:
    """Sums of 32 bits, scaled in f64."""
    limits = np.iinfo(type)
    found = np.rint(x.astype(np.float64) * np.asarray(scale, F32)) + np.float64(zero)
    return np.clip(found, limits.min, limits.max).astype(type)


@pytest.mark.parametrize("type", BYTES)
def test_of_two(type: Any) -> None:
    a, b = integers(type, 2, 3, 5), integers(type, 3, 1)
    given = [a, F32(0.02), type(3), b, F32(0.03), type(9), F32(0.05), type(7)]
    x, y = real(a, 0.02, 3), real(b, 0.03, 9)
    assert np.array_equal(computed("QLinearAdd", given), whole(x + y, 0.05, 7, type))
    assert np.array_equal(computed("QLinearMul", given), whole(x * y, 0.05, 7, type))
    given = [a, F32(0.02), None, b, F32(0.03), None, F32(0.05)]
    wanted = whole(real(a, 0.02, 0) + real(b, 0.03, 0), 0.05, 0, type)
    assert np.array_equal(computed("QLinearAdd", given), wanted)
    product = (a.astype(np.int32) - 3) * (b.astype(np.int32) - 9)
    assert np.array_equal(computed("MulInteger", [a, type(3), b, type(9)]), product)
    condition = RNG.random((5,)) < 0.5
    given = [condition, a, F32(0.02), type(3), b, F32(0.03), type(9), F32(0.05), type(7)]
    wanted = whole(np.where(condition, x, y), 0.05, 7, type)
    assert np.array_equal(computed("QLinearWhere", given), wanted)


@pytest.mark.parametrize("type", BYTES)
def test_of_one(type: Any) -> None:
    x = integers(type, 3, 4, 5)
    y = real(x, 0.04, 3)
    given = [x, F32(0.04), type(3), F32(0.03), type(5)]
    wanted = whole(np.where(y < 0, y * F32(0.2), y), 0.03, 5, type)
    assert np.array_equal(computed("QLinearLeakyRelu", given, alpha=0.2), wanted)
    given = [x, F32(0.04), type(3), F32(1 / 256), type(0)]
    near(computed("QLinearSigmoid", given), whole(sigmoid(y), 1 / 256, 0, type), 1 / 127)
    power = np.exp(y.astype(np.float64))
    for axis, axes in ((-1, (2,)), (0, (0,))):
        wanted = whole(power / power.sum(axes, keepdims=True), 1 / 256, 0, type)
        near(computed("QLinearSoftmax", given, axis=axis, opset=13), wanted, 1 / 127)
    wanted = whole(power / power.sum((1, 2), keepdims=True), 1 / 256, 0, type)
    near(computed("QLinearSoftmax", given, axis=1, opset=12), wanted, 1 / 127)
    wanted = whole(y.mean(1), 1 / 256, 0, type)
    found = computed("QLinearReduceMean", given, axes=[1], keepdims=0)
    near(found, wanted, 1 / 127)
    kind = np.uint32 if type is np.uint8 else np.int32
    found = computed("ReduceSumInteger", [x], axes=[0, 2], keepdims=1)
    assert found.dtype == kind and np.array_equal(found, x.astype(kind).sum((0, 2), keepdims=True))


def test_softmax_in_steps_of_the_scale() -> None:
    """quantize_static gives a softmax the scale 1 / 255, of which onnxruntime counts 254 steps.

    It takes the reciprocal of the f32 next to 1 / 255, 254.99998, without what is behind the point.
    """
    scale = F32(1) / F32(255)
    given = [integers(np.uint8, 40, 9), F32(0.02), np.uint8(3), scale, np.uint8(0)]
    power = np.exp(real(*given[:3]).astype(np.float64))
    share = power / power.sum(-1, keepdims=True)
    found = computed("QLinearSoftmax", given, axis=-1, opset=13)
    assert np.array_equal(found, np.rint(share / np.float64(scale)).astype(np.uint8))
    other = in_onnxruntime("QLinearSoftmax", given, axis=-1, opset=13)
    assert np.array_equal(other, np.floor(share * 254 + 0.5).astype(np.uint8))
    assert np.any(found != other)


@pytest.mark.parametrize("type", BYTES)
@pytest.mark.parametrize("last", [0, 1])
def test_pooling(type: Any, last: int) -> None:
    x = integers(type, 2, 3, 7, 6)
    given = [np.moveaxis(x, 1, -1) if last else x, F32(0.04), type(3), F32(0.03), type(5)]

    def second(y: Any) -> Any:
        return np.moveaxis(y, -1, 1) if last else y

    total = (x.astype(np.int32) - 3).sum((2, 3), keepdims=True)
    scale = F32(0.04) / (F32(0.03) * F32(42))
    found = computed("QLinearGlobalAveragePool", given, channels_last=last)
    assert np.array_equal(second(found), rescaled(total, scale, 5, type))
    how = {"kernel_shape": [3, 2], "pads": [1, 0, 1, 1], "strides": [2, 1]}
    plain = model(node("AveragePool", "x", **how), [info("x", shape=x.shape)], 17)
    mean = ReferenceEvaluator(plain).run(None, {"x": real(x, 0.04, 3)})[0]
    found = computed("QLinearAveragePool", given, channels_last=last, **how)
    near(second(found).astype(F32), whole(mean, 0.03, 5, type).astype(F32), 1 / 127)
    if last:
        plain = model(node("MaxPool", "x", **how), [info("x", "f32", x.shape)], 17)
        wanted = ReferenceEvaluator(plain).run(None, {"x": x.astype(F32)})[0]
        assert np.array_equal(second(computed("NhwcMaxPool", given[:1], **how)), wanted)


@pytest.mark.parametrize("type", BYTES)
def test_concat(type: Any) -> None:
    x, y, z = integers(type, 2, 3), integers(type, 2, 4), integers(type, 2, 1)
    scales = [F32(0.03), type(4), x, F32(0.02), type(3), y, F32(0.03), type(4), z, F32(1), type(0)]
    parts = whole(real(x, 0.02, 3), 0.03, 4, type), y, whole(real(z, 1, 0), 0.03, 4, type)
    found = computed("QLinearConcat", scales, axis=-1)
    assert np.array_equal(found, np.concatenate(parts, axis=1))


@pytest.mark.parametrize("weights", BYTES)
@pytest.mark.parametrize("turned", [0, 1])
def test_gemm(weights: Any, turned: int) -> None:
    a, b, c = integers(np.uint8, 3, 4), integers(weights, 4, 6), integers(np.int8, 6)
    c = c.astype(np.int32) * 9
    scales, zeros = (floats(6) ** 2 + F32(0.01)), integers(weights, 6)
    total = (a.astype(np.int32) - 4) @ (b.astype(np.int32) - zeros) + c
    given = [a, F32(0.03), np.uint8(4), b.T if turned else b, scales, zeros, c]
    scale = F32(0.03) * scales * F32(0.5)
    found = computed("QGemm", given, transB=turned, alpha=0.5)
    assert np.array_equal(found, total.astype(F32) * scale)
    found = computed("QGemm", [*given, F32(0.7), np.uint8(9)], transB=turned, alpha=0.5)
    assert np.array_equal(found, rescaled(total, scale / F32(0.7), 9, np.uint8))


@pytest.mark.parametrize("weights", BYTES)
def test_products_that_are_floats(weights: Any) -> None:
    a, b = integers(np.uint8, 2, 3, 4), integers(weights, 4, 6)
    scales, zeros, bias = floats(6), integers(weights, 6), floats(6)
    total = (a.astype(np.int32) - 7) @ (b.astype(np.int32) - zeros)
    given = [a, b, F32(0.03), scales, np.uint8(7), zeros, bias]
    wanted = total.astype(F32) * (F32(0.03) * scales) + bias
    assert np.array_equal(computed("MatMulIntegerToFloat", given), wanted)
    total = a.astype(np.int32) @ b.astype(np.int32)
    found = computed("MatMulIntegerToFloat", [a, b, F32(0.03), F32(0.5)])
    assert np.array_equal(found, total.astype(F32) * (F32(0.03) * F32(0.5)))


def rounded(x: Any) -> Any:
    """What is left of floats that 8 bits with their range stand for."""
    high, low = max(x.max(), F32(0)), min(x.min(), F32(0))
    scale = (high - low) / F32(255)
    zero = np.rint(np.clip(-low / scale, 0, 255))
    return real(whole(x, scale, zero, np.uint8), scale, zero)


def test_dynamic_product() -> None:
    a, b, bias = floats(2, 3, 4), integers(np.int8, 4, 6), floats(6)
    scales, zeros = floats(6), integers(np.int8, 6)
    wanted = rounded(a).astype(np.float64) @ real(b, scales, zeros) + bias
    near(computed("DynamicQuantizeMatMul", [a, b, scales, zeros, bias]), wanted)
    wanted = rounded(a).astype(np.float64) @ real(b, 0.5, 0)
    near(computed("DynamicQuantizeMatMul", [a, b, F32(0.5)]), wanted)


@pytest.mark.parametrize("type", BYTES)
def test_to_integers_and_back(type: Any) -> None:
    x, scale, zero = 9 * floats(3, 5), floats(5) ** 2 + F32(0.01), integers(type, 5)
    y = computed("QuantizeLinear", [x, scale, zero], axis=1)
    assert np.array_equal(y, whole(x, scale, zero.astype(F32), type))
    assert np.array_equal(
        computed("DequantizeLinear", [y, scale, zero], axis=1), real(y, scale, zero.astype(F32))
    )
    y = computed("QuantizeLinear", [x, F32(0.1), type(3)])
    assert np.array_equal(y, whole(x, 0.1, 3, type))
    assert np.array_equal(computed("DequantizeLinear", [y, F32(0.1)]), real(y, 0.1, 0))
    # The default axis, 1, is none of a vector's; one scale needs none.
    for scale, zero in ((F32(0.1), type(3)), (F32([0.1]), np.array([3], type))):
        row = computed("QuantizeLinear", [x[0], scale, zero])
        assert np.array_equal(row, whole(x[0], 0.1, 3, type))
        assert np.array_equal(computed("DequantizeLinear", [row, scale, zero]), real(row, 0.1, 3))


def test_convolution_with_channels_last() -> None:
    x, w = integers(np.uint8, 2, 6, 5, 3), integers(np.int8, 4, 3, 3, 3)
    bias = integers(np.int8, 4).astype(np.int32) * 99
    how = {"pads": [1, 1, 1, 1]}
    given = [x, F32(0.03), np.uint8(4), w, F32(0.02), np.int8(0), F32(0.4), np.uint8(6), bias]
    found = computed("QLinearConv", given, channels_last=1, **how)
    moved = np.moveaxis(x.astype(np.float64) - 4, -1, 1)
    infos = [info("x", "f64", moved.shape), info("w", "f64", w.shape)]
    plain = ReferenceEvaluator(model(node("Conv", "x w", **how), infos, 17))
    total = plain.run(None, {"x": moved, "w": w.astype(np.float64)})[0] + bias[:, None, None]
    wanted = rescaled(total, F32(0.03) * F32(0.02) / F32(0.4), 6, np.uint8)
    assert np.array_equal(found, np.moveaxis(wanted, 1, -1))
