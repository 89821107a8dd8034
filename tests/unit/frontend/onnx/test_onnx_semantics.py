"""Where runtimes disagree, or schemas say less than they should: what opc gives."""

from __future__ import annotations

import importlib
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import graph_text, info, model, node, run  # noqa: E402

# mpmath has no type information.
mpmath: Any = importlib.import_module("mpmath")
NAN, INF = math.nan, math.inf


def unary(
    operator: str, x: np.ndarray, type: str = "f32", opset: int = 22, **attributes: Any
) -> Any:
    return run(model(node(operator, "x", **attributes), [info("x", type, x.shape)], opset), x)


@pytest.mark.parametrize("operator", ["Max", "Min"])
@pytest.mark.parametrize("a, b", [(NAN, 1), (1, NAN), (NAN, NAN), (NAN, INF), (-INF, NAN)])
def test_nan_in_max_and_min(operator: str, a: float, b: float) -> None:
    proto = model(node(operator, "a b"), [info("a", shape=(1,)), info("b", shape=(1,))])
    assert np.isnan(run(proto, np.float32([a]), np.float32([b])))[0]


@pytest.mark.parametrize("operator", ["ReduceMax", "ReduceMin", "Relu", "Clip"])
@pytest.mark.parametrize("place", [0, 7, 8, 999])
def test_nan_propagates(operator: str, place: int) -> None:
    x = np.zeros(1000, np.float32)
    x[place] = NAN
    attributes = {"min": -1.0, "max": 1.0} if operator == "Clip" else {}
    found = unary(operator, x, opset=6, **attributes)
    assert np.isnan(found if found.size == 1 else found[place]).all()


@pytest.mark.parametrize(
    "operator, expected",
    [
        ("ReduceSum", 0),
        ("ReduceSumSquare", 0),
        ("ReduceL1", 0),
        ("ReduceL2", 0),
        ("ReduceProd", 1),
        ("ReduceLogSum", -INF),
        ("ReduceLogSumExp", -INF),
        ("ReduceMax", -INF),
        ("ReduceMin", INF),
        ("ReduceMean", NAN),
    ],
)
def test_empty_reductions(operator: str, expected: float) -> None:
    proto = model(node(operator, "x", axes=[1], keepdims=0), [info("x", shape=(2, "N"))], 13)
    if operator == "ReduceSum":
        proto = model(node(operator, "x", keepdims=0), [info("x", shape=("N",))], 13)
        assert run(proto, np.zeros(0, np.float32)) == 0
        return
    np.testing.assert_array_equal(
        run(proto, np.zeros((2, 0), np.float32)), np.float32([expected, expected])
    )


def test_empty_reductions_of_integers() -> None:
    for operator, type, expected in (
        ("ReduceMax", np.int32, -(2**31)),
        ("ReduceMin", np.int32, 2**31 - 1),
        ("ReduceMax", np.uint8, 0),
        ("ReduceMin", np.uint8, 255),
    ):
        name = "i32" if type == np.int32 else "ui8"
        found = unary(operator, np.zeros((0,), type), name, 13, keepdims=0)
        assert found == expected and found.dtype == type
    x = np.zeros((2, 0), bool)
    for operator, expected in (("ReduceMax", False), ("ReduceMin", True)):
        assert (unary(operator, x, "i1", 20) == expected).all()


def test_sums_of_float32_are_accurate() -> None:
    """A running sum in f32 would be off by far more."""
    x = np.random.default_rng(3).uniform(0, 1, 1 << 20).astype(np.float32)
    found = unary("ReduceSum", x, keepdims=0)
    exact = math.fsum(x.tolist())
    assert abs(float(found) - exact) <= (16 + 2 * 20) * 2.0**-24 * exact


def test_arg_max_of_nan_and_ties() -> None:
    x = np.float32([[1, NAN, 3, NAN], [2, 7, 7, 1]])
    assert unary("ArgMax", x, axis=1, keepdims=0).tolist() == [1, 1]
    last = unary("ArgMax", x, axis=1, keepdims=0, select_last_index=1)
    assert last.tolist()[1] == 2


def test_noop_does_what_is_not_reducing() -> None:
    x = np.float32([[-2, 3]])
    for operator, expected in (
        ("ReduceSum", x),
        ("ReduceMean", x),
        ("ReduceMax", x),
        ("ReduceProd", x),
        ("ReduceSumSquare", x * x),
        ("ReduceL1", abs(x)),
        ("ReduceL2", abs(x)),
        ("ReduceLogSumExp", x),
    ):
        found = unary(operator, x, opset=18, noop_with_empty_axes=1)
        np.testing.assert_array_equal(found, expected, operator)


@pytest.mark.parametrize("least, most", [(-5, 5), (0, 2), (-9, -7), (-50, 50)])
@pytest.mark.parametrize("type", ["i64", "i32"])
def test_integers_of_log_sum_exp(type: str, least: int, most: int) -> None:
    """Truncated once, at the end, as the body that ONNX gives it since version 18 says.

    onnxruntime truncates the exponentials, of which all but those of the maximum become 0.
    """
    dtype = np.int64 if type == "i64" else np.int32
    x = np.random.default_rng(abs(most)).integers(least, most + 1, (3, 4, 5, 2, 2)).astype(dtype)
    found = unary("ReduceLogSumExp", x, type, 15, axes=[1, 3], keepdims=0)
    with mpmath.workdps(60):
        for place in np.ndindex(found.shape):
            i, j, k = place
            terms = [mpmath.exp(int(v)) for v in x[i, :, j, :, k].ravel()]
            assert found[place] == int(mpmath.log(mpmath.fsum(terms))), (place, terms)
    two = np.array([1, 1, 0, 0, 0, 0, 0, 0], dtype)  # log(2 e + 6) = 2.4...
    assert unary("ReduceLogSumExp", two, type, 15, keepdims=0) == 2


POW = {
    "f32": (np.float32, TensorProto.FLOAT),
    "f64": (np.float64, TensorProto.DOUBLE),
    "f16": (np.float16, TensorProto.FLOAT16),
    "i32": (np.int32, TensorProto.INT32),
    "i64": (np.int64, TensorProto.INT64),
    "ui64": (np.uint64, TensorProto.UINT64),
    "i8": (np.int8, TensorProto.INT8),
}


@pytest.mark.parametrize("base", ["f32", "f64", "f16", "i32", "i64"])
@pytest.mark.parametrize("exponent", list(POW))
def test_pow_of_two_types(base: str, exponent: str) -> None:
    x = np.array([1, 2, 3, 10], POW[base][0])
    y = np.array([3, 2, 0, 4], POW[exponent][0])
    proto = model(node("Pow", "x e"), [info("x", base, (4,)), info("e", exponent, (4,))], 15)
    found = run(proto, x, y)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, np.array([1, 4, 1, 10000]).astype(x.dtype))


def test_pow_loses_nothing() -> None:
    proto = model(node("Pow", "x e"), [info("x", "f32", (2,)), info("e", "i64", (2,))], 15)
    # An exponent that f32 cannot hold decides the sign.
    assert run(proto, np.float32([-1, -1]), np.int64([2**24 + 1, 2**24])).tolist() == [-1, 1]
    proto = model(node("Pow", "x e"), [info("x", "i64", (3,)), info("e", "ui64", (3,))], 15)
    huge = np.uint64(2**63 + 3)
    found = run(proto, np.int64([3, 2, -1]), np.array([huge] * 3))
    assert found.tolist() == [pow(3, 2**63 + 3, 2**64), 0, -1]
    proto = model(node("Pow", "x e"), [info("x", "i32", (1,)), info("e", "f32", (1,))], 15)
    assert run(proto, np.int32([16777217]), np.float32([1])).tolist() == [16777217]


def test_integer_division_and_modulus() -> None:
    a, b = np.int32([7, -7, 7, -7, 5, -(2**31)]), np.int32([2, 2, -2, -2, 0, -1])
    inputs = [info("a", "i32", (6,)), info("b", "i32", (6,))]
    assert run(model(node("Div", "a b"), inputs), a, b).tolist() == [3, -3, -3, 3, 0, -(2**31)]
    assert run(model(node("Mod", "a b"), inputs), a, b).tolist() == [1, 1, -1, -1, 0, 0]
    found = run(model(node("Mod", "a b", fmod=1), inputs), a, b)
    assert found.tolist() == [1, -1, 1, -1, 0, 0] or found[4] == 5


def test_shifts_beyond_the_width() -> None:
    proto = model(
        node("BitShift", "a b", direction="LEFT"), [info("a", "ui8", (4,)), info("b", "ui8", (4,))]
    )
    found = run(proto, np.uint8([1, 1, 255, 3]), np.uint8([7, 8, 200, 1]))
    assert found.tolist() == [128, 0, 0, 6]
    proto = model(
        node("BitShift", "a b", direction="RIGHT"),
        [info("a", "i8", (4,)), info("b", "i8", (4,))],
        28,
    )
    found = run(proto, np.int8([-8, -1, 8, -8]), np.int8([1, 100, 9, -1]))
    assert found.tolist() == [-4, -1, 0, -1]


def test_casts_out_of_range() -> None:
    x = np.float32([NAN, INF, -INF, 1e20, -1e20, 2.9, -2.9])
    found = unary("Cast", x, to=TensorProto.INT32)
    assert found.tolist() == [0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 2, -2]
    assert unary("Cast", x, to=TensorProto.BOOL).all()


def test_casts_to_small_floats() -> None:
    x = np.float32([1e9, -1e9, 448, 1.0625, NAN])
    saturated = unary("Cast", x, to=TensorProto.FLOAT8E4M3FN)
    assert saturated.dtype == ml_dtypes.float8_e4m3fn
    np.testing.assert_array_equal(
        saturated.astype(np.float32), np.float32([448, -448, 448, 1, NAN])
    )
    plain = unary("Cast", x, to=TensorProto.FLOAT8E4M3FN, saturate=0)
    assert np.isnan(plain.astype(np.float32)[:2]).all()


def test_clip_with_crossed_bounds() -> None:
    inputs = [info("x", shape=(3,)), info("low", shape=()), info("high", shape=())]
    found = run(
        model(node("Clip", "x low high"), inputs, 13),
        np.float32([0, 5, 9]),
        np.float32(7),
        np.float32(3),
    )
    assert found.tolist() == [3, 3, 3]


def test_one_rounding_of_f16() -> None:
    x = np.float16(np.random.default_rng(0).normal(size=(3, 64)) * 4)
    found = unary("Softmax", x, "f16")
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(-1, keepdims=True))
    np.testing.assert_array_equal(found, (e / e.sum(-1, keepdims=True)).astype(np.float16))


def test_bitcast_of_booleans() -> None:
    x = np.array([True, False])
    assert unary("BitCast", x, "i1", 26, to=TensorProto.UINT8).tolist() == [1, 0]


def test_every_rank_and_no_elements() -> None:
    for shape in ((), (1,), (0,), (2, 0, 3), (1,) * 16):
        x = np.ones(shape, np.float32)
        np.testing.assert_array_equal(unary("Neg", x), -x)
        np.testing.assert_array_equal(unary("ReduceSum", x, keepdims=0), x.sum())


@pytest.mark.parametrize(
    "nodes, error, message",
    [
        (node("Squeeze", "x"), UnsupportedError, "rank of the result depends"),
        (node("Transpose", "x", perm=[0, 0]), InputError, "does not order 2 axes"),
        (node("Softmax", "x", axis=5), InputError, r"axis 5 is outside \[-2, 1\]"),
        (node("Gelu", "x", approximate="rough"), InputError, "approximate"),
        (node("ReduceMax", "x x"), InputError, "input axes has element type f32"),
        (node("Cast", "x", to=8), UnsupportedError, "string"),
        (node("Cast", "x", to=99), InputError, "99"),
        (node("Range", "x x x"), InputError, "expected rank 0 or 1"),
    ],
)
def test_refused(nodes: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        graph_text(model(nodes, [info("x", shape=("N", 3))]))
    assert "node 0 (" in str(raised.value)


def test_axes_outside_at_run_time() -> None:
    proto = model(node("ReduceSum", "x a"), [info("x", shape=(2, 3)), info("a", "i64", (1,))], 13)
    with pytest.raises(ArgumentError):
        run(proto, np.zeros((2, 3), np.float32), np.array([2]))
