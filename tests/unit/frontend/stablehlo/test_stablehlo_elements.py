"""Operations of StableHLO on every element, beside NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from opc.frontend.stablehlo.node import OPERATORS
from opc.frontend.stablehlo.ops.elementwise import PLAIN
from tests.unit.common.stablehlo_text import B, C, F, M, N, X, Y, check, elementwise, type_of


def erf(x: Any) -> Any:
    return np.vectorize(math.erf)(x).astype(x.dtype)


P = np.abs(X)
U = X / 4
BINARY: dict[str, Any] = {
    "add": (X, Y, X + Y),
    "and": (N, M, N & M),
    "atan2": (X, Y, np.arctan2(X, Y)),
    "divide": (X, Y, X / Y),
    "maximum": (X, Y, np.maximum(X, Y)),
    "minimum": (X, Y, np.minimum(X, Y)),
    "multiply": (X, Y, X * Y),
    "or": (N, M, N | M),
    "power": (P, Y, P**Y),
    "remainder": (X, Y, np.fmod(X, Y)),
    "subtract": (X, Y, X - Y),
    "xor": (N, M, N ^ M),
    "shift_left": (N, M, np.array([[28, -40, 0], [0, 0, 0]], np.int32)),
    "shift_right_arithmetic": (N, M, np.array([[1, -1, 0], [0, -1, 0]], np.int32)),
    "shift_right_logical": (
        N,
        M,
        np.array([[1, 0x1FFFFFFF, 0], [0, 0, 0]], np.int32),
    ),
    "chlo.next_after": (X, Y, np.nextafter(X, Y)),
    "chlo.broadcast_add": (X, Y[0], X + Y[0]),
    "chlo.broadcast_next_after": (X, Y, np.nextafter(X, Y)),
}
UNARY: dict[str, Any] = {
    "abs": (X, np.abs(X)),
    "cbrt": (X, np.cbrt(X)),
    "ceil": (X, np.ceil(X)),
    "cosine": (X, np.cos(X)),
    "count_leading_zeros": (N, np.array([[29, 0, 32], [30, 0, 25]], np.int32)),
    "exponential": (X, np.exp(X)),
    "exponential_minus_one": (X, np.expm1(X)),
    "floor": (X, np.floor(X)),
    "imag": (X, np.zeros_like(X)),
    "is_finite": (np.array([1, np.inf, np.nan], F), np.array([True, False, False])),
    "log": (P, np.log(P)),
    "log_plus_one": (P, np.log1p(P)),
    "logistic": (X, 1 / (1 + np.exp(-X))),
    "negate": (X, -X),
    "not": (N, ~N),
    "popcnt": (N, np.array([[3, 31, 0], [2, 25, 3]], np.int32)),
    "real": (X, X),
    "round_nearest_afz": (np.array([0.5, -2.5, 0.49999997], F), np.array([1, -3, 0], F)),
    "round_nearest_even": (np.array([0.5, -2.5, 1.5], F), np.array([0, -2, 2], F)),
    "rsqrt": (P, 1 / np.sqrt(P)),
    "sign": (X, np.sign(X)),
    "sine": (X, np.sin(X)),
    "sqrt": (P, np.sqrt(P)),
    "tan": (X, np.tan(X)),
    "tanh": (X, np.tanh(X)),
    "chlo.acos": (U, np.arccos(U)),
    "chlo.acosh": (P + 1, np.arccosh(P + 1)),
    "chlo.asin": (U, np.arcsin(U)),
    "chlo.asinh": (X, np.arcsinh(X)),
    "chlo.atan": (X, np.arctan(X)),
    "chlo.atanh": (U, np.arctanh(U)),
    "chlo.bessel_i1e": (
        np.array([0.0, 0.25, -1.0, 10.0, 200.0], F),
        np.array([0, 0.09811284, -0.20791042, 0.12126268, 0.02815661], F),
    ),
    "chlo.conj": (X, X),
    "chlo.cosh": (X, np.cosh(X)),
    "chlo.digamma": (
        np.array([1.0, 0.5, -1.5, 20.0], F),
        np.array([-0.57721567, -1.9635100, 0.70315664, 2.9705240], F),
    ),
    "chlo.erf": (X, erf(X)),
    "chlo.erf_inv": (
        erf(np.array([0.1, -0.5, 2.0, 1e-8])).astype(F),
        np.array([0.1, -0.5, 2.0, 1e-8], F),
    ),
    "chlo.erfc": (X, np.vectorize(math.erfc)(X).astype(F)),
    "chlo.is_inf": (np.array([1, -np.inf, np.nan], F), np.array([False, True, False])),
    "chlo.is_neg_inf": (np.array([np.inf, -np.inf], F), np.array([False, True])),
    "chlo.is_pos_inf": (np.array([np.inf, -np.inf], F), np.array([True, False])),
    "chlo.lgamma": (
        np.array([0.5, 3.0, -1.5, 30.5, 1.0], F),
        np.array([*map(math.lgamma, (0.5, 3.0, -1.5, 30.5)), 0.0]).astype(F),
    ),
    "chlo.sinh": (X, np.sinh(X)),
    "chlo.square": (X, X * X),
    "chlo.tan": (X, np.tan(X)),
}


@pytest.mark.parametrize("name", BINARY)
def test_of_two(name: str) -> None:
    x, y, wanted = BINARY[name]
    close = 1e-6 if np.asarray(wanted).dtype == F and name in ("atan2", "power") else 0
    elementwise(name, x, y, wanted=wanted, close=close)


@pytest.mark.parametrize("name", UNARY)
def test_of_one(name: str) -> None:
    x, wanted = UNARY[name]
    elementwise(name, x, wanted=wanted, close=3e-6 if wanted.dtype == F else 0)


@pytest.mark.parametrize("name", [n for n in PLAIN if "." not in n])
def test_broadcasting_forms_are_entered(name: str) -> None:
    assert f"chlo.broadcast_{name}" in OPERATORS


def test_of_booleans() -> None:
    for name, wanted in (("add", B | C), ("multiply", B & C), ("maximum", B | C)):
        elementwise(name, B, C, wanted=wanted)


def test_where_stablehlo_leaves_integers_open() -> None:
    zero = np.zeros_like(N)
    elementwise("divide", N, zero, wanted=np.full_like(N, -1))
    elementwise("remainder", N, zero, wanted=N)
    least = np.array([-(2**31)], np.int32)
    elementwise("divide", least, np.array([-1], np.int32), wanted=least)


def test_narrow_integers_wrap() -> None:
    body = """%a = stablehlo.convert %0 : (tensor<3xi8>) -> tensor<3xi4>
    %b = stablehlo.add %a, %a : tensor<3xi4>
    %r = stablehlo.convert %b : (tensor<3xi4>) -> tensor<3xi8>"""
    check(body, [np.array([7, -8, 1], np.int8)], np.array([-2, 0, 2], np.int8))


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
def test_compare(direction: str) -> None:
    functions = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal}
    functions |= {"GT": np.greater, "GE": np.greater_equal}
    body = f"%r = stablehlo.compare {direction}, %0, %1 : ({type_of(X)}, {type_of(Y)}) -> "
    wanted = functions[direction](X, Y)
    check(body + type_of(wanted), [X, Y], wanted)


def test_compare_in_total_order() -> None:
    x = np.array([-np.nan, -np.inf, -0.0, 0.0, np.inf, np.nan], F)
    x[0] = np.copysign(np.nan, -1)
    body = "%r = stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> "
    check(body + "tensor<5xi1>", [x[:-1].copy(), x[1:].copy()], np.ones(5, bool))


def test_others_of_elements() -> None:
    low, high = np.array(-1, F), np.array(1, F)
    elementwise("clamp", low, X, high, wanted=np.clip(X, low, high))
    elementwise("select", B, X, Y, wanted=np.where(B, X, Y))
    elementwise("convert", X, wanted=X.astype(np.int32))
    elementwise("bitcast_convert", X, wanted=X.view(np.int32))
    elementwise("bitcast_convert", X, wanted=X.view(np.uint8).reshape(2, 3, 4))
    elementwise("bitcast_convert", X.view(np.uint8).reshape(2, 3, 4), wanted=X)
    bits = np.unpackbits(np.array([[3], [128]], np.uint8), axis=1, bitorder="little") != 0
    elementwise("bitcast_convert", bits, wanted=np.array([3, 128], np.uint8))
    elementwise("bitcast_convert", np.array([3, 128], np.uint8), wanted=bits)
    text = f"%r = stablehlo.reduce_precision %0, format = e5m10 : {type_of(X)}"
    check(text, [X * F(1.0001)], (X * F(1.0001)).astype(np.float16).astype(F))
    text = f"%r = chlo.constant_like %0, value = 2.5 : {type_of(X)}"
    check(text, [X], np.full_like(X, 2.5))
    wide = N.astype(np.int64) * M.astype(np.int64) >> 32
    elementwise("chlo.mulhi", N, M, wanted=wide.astype(np.int32))
    compared = (
        f"{{comparison_direction = #chlo<comparison_direction LT>}} : {type_of(X)}, {type_of(Y[0])}"
    )
    body = f"%r = chlo.broadcast_compare %0, %1 {compared} -> {type_of(B)}"
    check(body, [X, Y[0]], Y[0] > X)


def test_special_functions_of_two() -> None:
    n, x = np.array([0, 1, 2], F), np.array([1, 1, 1], F)
    wanted = np.array([-0.57721566, math.pi**2 / 6, -2.4041138], F)
    elementwise("chlo.polygamma", n, x, wanted=wanted, close=1e-6)
    wanted = np.array([math.pi**2 / 6, math.pi**4 / 90], F)
    elementwise("chlo.zeta", np.array([2, 4], F), np.array([1, 1], F), wanted=wanted, close=1e-6)
