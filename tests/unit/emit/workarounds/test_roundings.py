"""A conversion and the way back round, however few values there are: gcc 12 drops both."""

from __future__ import annotations

import numpy as np
import pytest

import opc

pytestmark = pytest.mark.sample(4)

GRAPH = """
func.func @main(%x: tensor<{n}x{w}xf64>, %y: tensor<{n}x1xf64>) -> tensor<{n}x{w}xf64> {{
  %d = opc.sub %x, %y
  %a = opc.cast %d : tensor<{n}x{w}xf64> -> tensor<{n}x{w}xf32>
  %b = opc.cast %a : tensor<{n}x{w}xf32> -> tensor<{n}x{w}xf64>
  func.return %b : tensor<{n}x{w}xf64>
}}"""


@pytest.mark.parametrize("rows", [1, 16])
@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 14, 31, 100])
def test_f64_through_f32(width: int, rows: int) -> None:
    rng = np.random.default_rng(width)
    x = rng.standard_normal((rows, width)) * 1e5
    x.flat[0] = np.inf
    y = rng.standard_normal((rows, 1))
    expected = (x - y).astype(np.float32).astype(np.float64)
    found = opc.compile(GRAPH.format(n=rows, w=width))(x, y)
    np.testing.assert_array_equal(found, expected)


def test_every_f32_comes_out() -> None:
    """The comparison in the conversion changes neither infinities nor zeros nor NaN."""
    f = opc.compile("""
func.func @main(%x: tensor<9xf64>) -> tensor<9xf32> {
  %a = opc.cast %x : tensor<9xf64> -> tensor<9xf32>
  func.return %a : tensor<9xf32>
}""")
    x = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0, 1e300, -1e300, 1e-45, -1e-46])
    with np.errstate(over="ignore", under="ignore"):
        expected = x.astype(np.float32)
    found = f(x)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(x)]), np.signbit(x[~np.isnan(x)]))
