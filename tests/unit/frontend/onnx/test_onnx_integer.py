"""Contractions of quantized tensors in ONNX models, against NumPy and onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.dialects.element import BY_NAME  # noqa: E402
from opc.errors import InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import info, model, node, run  # noqa: E402

pytestmark = pytest.mark.sample(8)

TYPES = ["i8", "ui8"]


def random(rng: Any, shape: tuple[int, ...], type: str) -> Any:
    bounds = np.iinfo(BY_NAME[type].dtype)
    return rng.integers(bounds.min, bounds.max + 1, shape, dtype=BY_NAME[type].dtype)


def wide(x: Any, zero: Any) -> Any:
    return x.astype(np.int32) - zero.astype(np.int32)


def product(operator: str, arrays: dict[str, Any], opset: int = 10, **how: Any) -> Any:
    """A model of one node whose inputs are all arrays, and what it gives."""
    names = {v: k for k, v in (("i8", "int8"), ("ui8", "uint8"), ("i32", "int32"))}
    names |= {"float32": "f32", "float16": "f16"}
    inputs = [info(k, names[a.dtype.name], a.shape) for k, a in arrays.items()]
    proto = model(node(operator, " ".join(arrays), **how), inputs, opset)
    return proto, run(proto, *arrays.values())


@pytest.mark.parametrize("b_type", TYPES)
@pytest.mark.parametrize("a_type", TYPES)
@pytest.mark.parametrize(
    "a_shape, b_shape, zeros",
    [
        ((5, 70), (70, 33), ((), ())),
        ((40, 9), (9, 3), ((1,), (3,))),
        ((3, 2, 8, 16), (16, 20), ((3, 2, 8, 1), (20,))),
        ((2, 8, 16), (2, 16, 5), ((8,), (2, 1, 5))),
        ((300,), (300,), ((), ())),
        ((1, 300), (300, 200), ((1,), (200,))),
        ((200, 9000), (9000, 4), ((200,), ())),
    ],
)
def test_matmul_integer(
    a_type: str,
    b_type: str,
    a_shape: tuple[int, ...],
    b_shape: tuple[int, ...],
    zeros: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    rng = np.random.default_rng(1)
    a, b = random(rng, a_shape, a_type), random(rng, b_shape, b_type)
    za, zb = random(rng, zeros[0], a_type), random(rng, zeros[1], b_type)
    _, found = product("MatMulInteger", {"a": a, "b": b, "za": za, "zb": zb})
    row = za[..., None] if za.ndim == 1 and za.size > 1 else za
    wanted = wide(a, row) @ wide(b, zb)
    assert found.dtype == np.int32 and np.array_equal(found, wanted)
    _, found = product("MatMulInteger", {"a": a, "b": b})
    assert np.array_equal(found, a.astype(np.int32) @ b.astype(np.int32))


@pytest.mark.parametrize("w_type", TYPES)
@pytest.mark.parametrize("x_type", TYPES)
@pytest.mark.parametrize(
    "x_shape, w_shape, how",
    [
        ((2, 6, 9, 8), (4, 6, 3, 3), {"pads": [1, 1, 1, 1]}),
        ((1, 6, 9, 8), (4, 3, 3, 2), {"group": 2, "strides": [2, 1], "auto_pad": "SAME_UPPER"}),
        ((1, 8, 7, 7), (8, 1, 3, 3), {"group": 8, "pads": [1, 1, 1, 1], "dilations": [2, 1]}),
        ((2, 5, 40), (17, 5, 1), {}),
    ],
)
def test_conv_integer(
    x_type: str, w_type: str, x_shape: tuple[int, ...], w_shape: tuple[int, ...], how: Any
) -> None:
    rng = np.random.default_rng(2)
    x, w = random(rng, x_shape, x_type), random(rng, w_shape, w_type)
    zx = random(rng, (), x_type)
    for zw in (random(rng, (), w_type), random(rng, w_shape[:1], w_type)):
        _, found = product("ConvInteger", {"x": x, "w": w, "zx": zx, "zw": zw}, **how)
        each = zw.reshape(-1, *[1] * (len(w_shape) - 1))
        exact = [wide(x, zx).astype("f8"), wide(w, each).astype("f8")]
        plain = model(
            node("Conv", "x w", **how), [info("x", "f64", x_shape), info("w", "f64", w_shape)], 11
        )
        (wanted,) = ReferenceEvaluator(plain).run(None, dict(zip("xw", exact, strict=True)))
        assert found.dtype == np.int32 and np.array_equal(found, wanted.astype(np.int32))


def requantized(sums: Any, scale: Any, zero: Any) -> Any:
    bounds = np.iinfo(zero.dtype)
    whole = np.rint(sums.astype(np.float64) * scale.astype(np.float64)) + zero
    return np.clip(whole, bounds.min, bounds.max).astype(zero.dtype)


@pytest.mark.parametrize("scale_type", ["float32", "float16"])
@pytest.mark.parametrize("y_type", TYPES)
def test_qlinear_matmul(y_type: str, scale_type: str) -> None:
    rng = np.random.default_rng(3)
    a, b = random(rng, (4, 12, 30), "ui8"), random(rng, (4, 30, 17), "i8")
    za, zb, zy = random(rng, (), "ui8"), random(rng, (17,), "i8"), random(rng, (1,), y_type)
    sa, sb, sy = (
        x.astype(scale_type) for x in (rng.random(()), rng.random(17) + 0.1, np.full(1, 300.0))
    )
    arrays = {"a": a, "sa": sa, "za": za, "b": b, "sb": sb, "zb": zb, "sy": sy, "zy": zy}
    _, found = product("QLinearMatMul", arrays, 21)
    wanted = requantized(wide(a, za) @ wide(b, zb), sa * sb / sy, zy)
    assert len(np.unique(found)) > 50 and np.array_equal(found, wanted)


@pytest.mark.parametrize("per_filter", [False, True])
@pytest.mark.parametrize("has_bias", [False, True])
def test_qlinear_conv(per_filter: bool, has_bias: bool) -> None:
    ort = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(4)
    # Two products of 7 bits stay within 16, beyond which onnxruntime saturates on AVX2.
    x, w = random(rng, (1, 6, 12, 13), "ui8"), random(rng, (8, 6, 3, 3), "i8") // 2
    own = (8,) if per_filter else ()
    arrays = {
        "x": x,
        "sx": np.float32(0.02),
        "zx": np.uint8(120),
        "w": w,
        "sw": (rng.random(own) * 0.01 + 0.001).astype("f4"),
        "zw": np.zeros(own, np.int8),
        "sy": np.float32(0.3),
        "zy": np.uint8(128),
    }
    arrays = {k: np.asarray(v) for k, v in arrays.items()}
    if has_bias:
        arrays["b"] = rng.integers(-9999, 9999, 8, dtype=np.int32)
    how = {"pads": [1, 1, 1, 1], "strides": [2, 1]}
    proto, found = product("QLinearConv", arrays, **how)
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    (wanted,) = session.run(None, arrays)
    # onnxruntime has the product in f32, so that it may be on the other side of a half.
    apart = np.abs(found.astype(int) - wanted.astype(int))
    assert found.dtype == wanted.dtype and apart.max() <= 1 and (apart == 0).mean() > 0.999
    exact = model(
        node("ConvInteger", "x w zx zw", **how),
        [
            info(k, t, arrays[k].shape)
            for k, t in zip(("x", "w", "zx", "zw"), ("ui8", "i8") * 2, strict=True)
        ],
        10,
    )
    sums = run(exact, *(arrays[k] for k in ("x", "w", "zx", "zw")))
    if has_bias:
        sums = sums + arrays["b"].reshape(-1, 1, 1)
    scale = arrays["sx"] * arrays["sw"].reshape(-1, *[1] * 2 * per_filter) / arrays["sy"]
    assert np.array_equal(found, requantized(sums, scale, arrays["zy"]))


def test_sums_wrap() -> None:
    k = 2**31 // (255 * 255) + 10
    a = np.full((1, k), 255, np.uint8)
    _, found = product("MatMulInteger", {"a": a, "b": a.T.copy()})
    assert found.item() == k * 255 * 255 - 2**32


def test_widening_is_no_copy() -> None:
    """Operands are widened, and the zero is subtracted, as they are laid out."""
    from opc.api.driver import load
    from opc.dialects.registry import context
    from opc.passes import pipeline

    proto = model(
        node("MatMulInteger", "a b z"),
        [info("a", "ui8", (200, 300)), info("b", "i8", (300, 400)), info("z", "ui8", ())],
        10,
    )
    module = load(proto)
    pipeline.run(module, context(), pipeline.passes("kernels"), target="avx2")
    assert str(module).count("kernel.nest") == 1 and "(dot)" in str(module)
    names = pipeline.passes("schedule", since="kernels")
    pipeline.run(module, context(), names, target="avx2")
    assert "pack left by" in str(module) and str(module).count(" group 2") == 2


@pytest.mark.parametrize(
    "shapes, message",
    [
        (((4, 8), (8, 3), (8,)), "one for each index of axis 0: 8 and 4"),
        (((2, 4, 8), (8, 3), (2, 4, 8)), "expected one element or one for each"),
        (((8,), (8, 3), (8,)), "expected one element or one for each"),
    ],
)
def test_zero_points_that_do_not_fit(shapes: tuple[tuple[int, ...], ...], message: str) -> None:
    inputs = [info(k, "i8", shape) for k, shape in zip("abz", shapes, strict=True)]
    with pytest.raises(InputError, match=message):
        run(model(node("MatMulInteger", "a b z"), inputs, 10))


def test_what_is_not_supported() -> None:
    shapes = [(4, 8), (), (), (8, 3), (), (), (4,), (4,)]
    types = ["ui8", "f32", "ui8", "ui8", "f32", "ui8", "f32", "ui8"]
    names = ["a", "sa", "za", "b", "sb", "zb", "sy", "zy"]
    inputs = [info(*given) for given in zip(names, types, shapes, strict=True)]
    with pytest.raises(UnsupportedError, match="expected one element"):
        run(model(node("QLinearMatMul", " ".join(names)), inputs, 10))
