"""exp_neg is exp where no argument is positive, to the bit; softmax of all kinds of floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc

pytestmark = pytest.mark.sample(4)

GRAPH = """
  func.func @main(%x: tensor<{type}>) -> (tensor<{type}>, tensor<{type}>) {{
    %a = opc.{op} %x
    %p = opc.abs %x
    %n = opc.neg %p
    %b = opc.{op} %n
    func.return %a, %b : tensor<{type}>, tensor<{type}>
  }}"""
SOFTMAX = """
  func.func @main(%x: tensor<{type}>) -> tensor<{type}> {{
    %m = opc.reduce_max %x {{axes = [1], keepdims = true}}
    %d = opc.sub %x, %m
    %r = opc.exp %d
    func.return %r : tensor<{type}>
  }}"""


@pytest.mark.parametrize("op", ["exp", "exp_softmax"])
@pytest.mark.parametrize(("name", "dtype", "bits"), [("f32", "f4", "u4"), ("f64", "f8", "u8")])
def test_the_bits_are_those_of_exp(name: str, dtype: str, bits: str, op: str) -> None:
    rng = np.random.default_rng(0)
    kinds: list[Any] = [
        rng.integers(0, np.iinfo(bits).max, 1 << 18, dtype=bits).view(dtype),
        rng.uniform(0, 800 if name == "f64" else 110, 1 << 18),
        [0.0, np.inf, np.nan, 76.25, 76.3, 87.3, 88.0, 103.9, 104.0, 104.1],
        [708.4, 745.1, 745.2, 746.1],
    ]
    # Where the exponent is rounded to even: k + 1/2 after the product with 1 / ln 2, for any k.
    ties = (np.arange(0, 1075 if name == "f64" else 150) + 0.5) * np.log(2)
    steps = np.arange(9, dtype=bits)
    kinds.append((ties.astype(dtype).view(bits)[:, None] + steps - steps[4]).view(dtype).ravel())
    x = -np.abs(np.concatenate([np.asarray(k, dtype) for k in kinds]))
    f = opc.compile(GRAPH.format(type=f"{x.size}x{name}", op=op))
    assert f"opc_{op}_neg" in f.c_source
    a, b = f(x)
    numbers = ~np.isnan(x)
    if op == "exp_softmax":
        np.testing.assert_array_equal(b[numbers] == 0, x[numbers] < -76.25)
    np.testing.assert_array_equal(a.view(bits)[numbers], b.view(bits)[numbers])
    assert np.isnan(b[~numbers]).all()


@pytest.mark.parametrize("columns", [5, 40, 1000])
@pytest.mark.parametrize("name", ["f32", "f64", "f16"])
def test_rows_with_infinities_and_nan(name: str, columns: int) -> None:
    dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16}[name]
    x = np.random.default_rng(1).standard_normal((40, columns)).astype(dtype)
    x[1, 2], x[2, :], x[3, 1], x[4, :], x[5, :3] = np.nan, -np.inf, np.inf, 0.0, -np.inf
    f = opc.compile(SOFTMAX.format(type=f"40x{columns}x{name}"))
    assert "exp_neg" in f.c_source
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        expected = np.exp((wide - wide.max(1, keepdims=True)).astype(dtype).astype(np.float64))
    np.testing.assert_allclose(f(x), expected.astype(dtype), rtol=2 * np.finfo(dtype).eps)


DIVISION = """
  func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %zero = opc.constant dense<0.0> : tensor<f32>
    %a = opc.abs %x
    %d = opc.div %a, %zero
    %e = opc.exp %d
    %n = opc.neg %a
    %s = opc.sqrt %y
    %q = opc.div %n, %s
    %f = opc.exp %q
    func.return %e, %f : tensor<8xf32>, tensor<8xf32>
  }"""


def test_a_quotient_has_the_sign_of_its_zero() -> None:
    x = np.array([1, 2, -3, np.inf, 5, 6, 7, 8], np.float32)
    y = np.array([1, 0.0, -0.0, 4, 9, -0.0, np.nan, np.inf], np.float32)
    e, f = opc.compile(DIVISION)(x, y)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(e, np.exp(np.abs(x) / np.float32(0)))
        np.testing.assert_allclose(f, np.exp(-np.abs(x) / np.sqrt(y)), rtol=3e-7)


def test_sums_of_many_terms_are_looked_at_once() -> None:
    """The sign of each is asked for twice by a sum of two, which made 2^n questions."""
    terms = ", ".join(["%n"] * 40)
    text = f"""
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{
    %q = opc.mul %x, %x
    %n = opc.neg %q
    %s = opc.sum {terms}
    %r = opc.exp %s
    func.return %r : tensor<64xf32>
  }}"""
    assert "opc_exp_neg_f32" in opc.compile(text).c_source


@pytest.mark.parametrize(("small", "dtype"), [("ui8", np.uint8), ("ui16", np.uint16)])
def test_whole_numbers_are_limited_as_integers_are(small: str, dtype: Any) -> None:
    """To the bit, the sign of zero included: 1 / y tells them apart."""
    x = np.float32([np.nan, np.inf, -np.inf, -0.0, 0.0, -0.4, 0.5, 1.5, 254.5, 255.5, -7, 300, 7e4])
    x = np.concatenate([x, np.random.default_rng(0).uniform(-3e4, 1e5, 300).astype("f")])
    f = opc.compile(f"""
  func.func @main(%x: tensor<{x.size}xf32>) -> tensor<{x.size}xf32> {{
    %a = opc.round %x
    %b = opc.cast %a : tensor<{x.size}xf32> -> tensor<{x.size}x{small}>
    %c = opc.cast %b : tensor<{x.size}x{small}> -> tensor<{x.size}xf32>
    %r = opc.reciprocal %c
    func.return %r : tensor<{x.size}xf32>
  }}""")
    assert "opc_at_most_f32" in f.c_source
    limit = np.iinfo(dtype).max
    with np.errstate(divide="ignore"):
        expected = np.float32(1) / np.clip(np.nan_to_num(np.rint(x), nan=0), 0, limit).astype(
            dtype
        ).astype(np.float32)
    np.testing.assert_array_equal(f(x).view("u4"), expected.view("u4"))
