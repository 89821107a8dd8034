"""exp_neg_abs is exp where no argument is positive, to the bit; softmax of all kinds of floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc

GRAPH = """
  func.func @main(%x: tensor<{type}>) -> (tensor<{type}>, tensor<{type}>) {{
    %a = opc.exp %x
    %b = opc.apply exp_neg_abs(%x) : tensor<{type}> -> tensor<{type}>
    func.return %a, %b : tensor<{type}>, tensor<{type}>
  }}"""
SOFTMAX = """
  func.func @main(%x: tensor<{type}>) -> tensor<{type}> {{
    %m = opc.reduce_max %x {{axes = [1], keepdims = true}}
    %d = opc.sub %x, %m
    %r = opc.exp %d
    func.return %r : tensor<{type}>
  }}"""


@pytest.mark.parametrize(("name", "dtype", "bits"), [("f32", "f4", "u4"), ("f64", "f8", "u8")])
def test_the_bits_are_those_of_exp(name: str, dtype: str, bits: str) -> None:
    rng = np.random.default_rng(0)
    kinds: list[Any] = [
        rng.integers(0, np.iinfo(bits).max, 1 << 18, dtype=bits).view(dtype),
        rng.uniform(0, 800 if name == "f64" else 110, 1 << 18),
        [0.0, np.inf, np.nan, 87.3, 88.0, 103.9, 104.0, 104.1, 708.4, 745.1, 745.2, 746.1],
    ]
    x = -np.abs(np.concatenate([np.asarray(k, dtype) for k in kinds]))
    a, b = opc.compile(GRAPH.format(type=f"{x.size}x{name}"))(x)
    numbers = ~np.isnan(x)
    np.testing.assert_array_equal(a.view(bits)[numbers], b.view(bits)[numbers])
    assert np.isnan(b[~numbers]).all()


@pytest.mark.parametrize("columns", [5, 40, 1000])
@pytest.mark.parametrize("name", ["f32", "f64", "f16"])
def test_rows_with_infinities_and_nan(name: str, columns: int) -> None:
    dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16}[name]
    x = np.random.default_rng(1).standard_normal((40, columns)).astype(dtype)
    x[1, 2], x[2, :], x[3, 1], x[4, :], x[5, :3] = np.nan, -np.inf, np.inf, 0.0, -np.inf
    f = opc.compile(SOFTMAX.format(type=f"40x{columns}x{name}"))
    assert "exp_neg_abs" in f.c_source
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        expected = np.exp((wide - wide.max(1, keepdims=True)).astype(dtype).astype(np.float64))
    np.testing.assert_allclose(f(x), expected.astype(dtype), rtol=2 * np.finfo(dtype).eps)
