"""Floats become signed bytes by way of unsigned ones, with the same values."""

from __future__ import annotations

import numpy as np
import pytest

import opc

TEXT = """
func.func @main(%x: tensor<6x16xf32>, %one: tensor<f32>) -> (tensor<6x16xi8>, tensor<6x8xi32>) {{
  %r = opc.round %x
  %t = opc.add %r, %one
  %q = opc.cast %t : tensor<6x16xf32> -> tensor<6x16xi8>
  %a = opc.cast %q : tensor<6x16xi8> -> tensor<6x16xi32>
  %w = opc.constant dense<{weights}> : tensor<16x8xi8>
  %b = opc.cast %w : tensor<16x8xi8> -> tensor<16x8xi32>
  %y = opc.matmul %a, %b
  %f = opc.cast %q : tensor<6x16xi8> -> tensor<6x16xf32>
  %g = opc.mul %f, %f
  %h = opc.cast %g : tensor<6x16xf32> -> tensor<6x16xi8>
  func.return %h, %y : tensor<6x16xi8>, tensor<6x8xi32>
}}"""


@pytest.mark.parametrize("target", ["baseline", "native"])
def test_limits_nan_and_zeros(target: str) -> None:
    rng = np.random.default_rng(0)
    weights = rng.integers(-128, 128, (16, 8), np.int8)
    x = rng.uniform(-200, 200, (6, 16)).astype(np.float32)
    kinds = [np.nan, np.inf, -np.inf, -0.0, 0.5, -0.5, 127.4, 127.5, -128.5, -129, 1e30, -1e30]
    x.flat[: len(kinds)] = kinds
    whole = np.nan_to_num(np.rint(x) - 1, nan=0, posinf=127, neginf=-128)
    q = np.clip(whole, -128, 127).astype(np.int64)
    f = opc.compile(TEXT.format(weights=weights.tolist()), target=target)
    squares, product = f(x, np.float32(-1))
    np.testing.assert_array_equal(squares, np.minimum(q * q, 127))
    np.testing.assert_array_equal(product, q @ weights.astype(np.int64))
