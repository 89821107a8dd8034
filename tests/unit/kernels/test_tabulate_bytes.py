"""Functions of one byte give the same bits as tables."""

from __future__ import annotations

import numpy as np
import pytest

import opc

ELEMENTWISE = """
func.func @main(%x: tensor<?x64x{type}>, %s: tensor<f32>) -> tensor<?x64x{type}> {{
  %f = opc.cast %x : tensor<?x64x{type}> -> tensor<?x64xf32>
  %m = opc.mul %f, %s
  %g = opc.sigmoid %m
  %p = opc.mul %g, %m
  %d = opc.div %p, %s
  %r = opc.round %d
  %y = opc.cast %r : tensor<?x64xf32> -> tensor<?x64x{type}>
  func.return %y : tensor<?x64x{type}>
}}"""

PRODUCT = """
func.func @main(%x: tensor<96x16xf32>, %w: tensor<16x64xf32>)
    -> (tensor<96x64xf32>, tensor<96x64xf32>) {{
  %p = opc.matmul %x, %w
  %r = opc.round %p
  %q = opc.cast %r : tensor<96x64xf32> -> tensor<96x64x{type}>
  %f = opc.cast %q : tensor<96x64x{type}> -> tensor<96x64xf32>
  %t = opc.tanh %f
  %g = opc.sigmoid %t
  %y = opc.mul %g, %f
  %z = opc.add %p, %p
  func.return %y, %z : tensor<96x64xf32>, tensor<96x64xf32>
}}"""


@pytest.mark.parametrize("type", ["ui8", "i8"])
def test_every_byte_has_its_value(type: str) -> None:
    dtype = np.uint8 if type == "ui8" else np.int8
    x = np.tile(np.arange(256, dtype=np.uint8).view(dtype), 64).reshape(-1, 64)
    text, scale = ELEMENTWISE.format(type=type), np.float32(0.037)
    f = opc.compile(text, target="baseline")
    plain = opc.compile(text, target="baseline", fuse=False)
    assert "kernel.gather" in f.ir("kernels")
    assert "kernel.gather" not in plain.ir("kernels")
    np.testing.assert_array_equal(f(x, scale), plain(x, scale))


@pytest.mark.parametrize("type", ["ui8", "i8"])
def test_limits_nan_and_zeros_behind_a_product(type: str) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(0, 40, (96, 16)), rng.normal(0, 1, (16, 64))
    x[0] = 0
    x[1:7, 0] = np.nan, np.inf, -np.inf, 1e30, -1e30, -1e-30
    arrays = [a.astype(np.float32) for a in (x, w)]
    text = PRODUCT.format(type=type)
    f = opc.compile(text, target="baseline")
    plain = opc.compile(text, target="baseline", fuse=False)
    assert "kernel.gather" in f.ir("kernels")
    for result, wanted in zip(f(*arrays), plain(*arrays), strict=True):
        np.testing.assert_array_equal(result.view(np.uint32), wanted.view(np.uint32))
