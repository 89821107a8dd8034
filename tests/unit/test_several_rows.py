"""Several rows of a sum down columns at once give the bits of one after the other."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.passes import column_loops

GRAPH = """
func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{n}x1x{t}>)
    -> (tensor<{w}x{t}>, tensor<{w}x{t}>, tensor<{w}x{t}>) {{
  %p = opc.mul %x, %y
  %s = opc.reduce_sum %p {{axes = [0]}}
  %q = opc.reduce_sum %x {{axes = [0]}}
  %m = opc.reduce_max %x {{axes = [0]}}
  func.return %s, %q, %m : tensor<{w}x{t}>, tensor<{w}x{t}>, tensor<{w}x{t}>
}}"""
DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}


@pytest.mark.parametrize("rows", [25, 30, 32, 47, 64, 335])
@pytest.mark.parametrize("width", [65, 100, 1025, 3000])
@pytest.mark.parametrize("type", DTYPES)
def test_the_bits_are_the_same(
    type: str, width: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(rows)
    x = (rng.standard_normal((rows, width)) * 100).astype(DTYPES[type])
    y = (rng.standard_normal((rows, 1)) * 100).astype(DTYPES[type])
    text = GRAPH.format(n="?" if rows == 335 else rows, w=width, t=type)
    f = opc.compile(text)
    monkeypatch.setattr(column_loops, "go_together", lambda *_: False)
    g = opc.compile(text, cache=None)
    assert f.c_source != g.c_source
    for a, b in zip(f(x, y), g(x, y), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(f(x, y)[2], x.max(0))
    expected = x.sum(0, dtype=np.int32 if type == "i32" else np.float64)
    np.testing.assert_allclose(f(x, y)[1], expected, rtol=1e-5, atol=1e-2)


def test_rows_that_are_turned_around_go_one_by_one() -> None:
    """Their tiles hold what a row at a time reads."""
    x = np.random.default_rng(0).standard_normal((1000, 25)).astype(np.float32)
    f = opc.compile("""
func.func @main(%x: tensor<1000x25xf32>) -> tensor<1000x25xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %s = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %d, %s
  func.return %r : tensor<1000x25xf32>
}""")
    assert "opc_transpose_32" in f.c_source
    assert " += 4)" not in f.c_source
    d = x - x.sum(1, keepdims=True, dtype=np.float64)
    np.testing.assert_allclose(f(x), d / (d * d).sum(1, keepdims=True), rtol=1e-4, atol=1e-7)
