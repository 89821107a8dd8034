"""Constants of integer products become bytes only where a byte holds what they span."""

from __future__ import annotations

import numpy as np
import pytest

import opc


@pytest.mark.parametrize("limit", [127, 128, 1000, 2**31 - 1])
def test_products_of_constants_that_span_more_than_their_type(limit: int) -> None:
    rng = np.random.default_rng(limit)
    w = rng.integers(-limit - 1, limit, (31, 3), np.int32, endpoint=True)
    w[0, :2] = -limit - 1, limit
    text = f"""
func.func @main(%x: tensor<3x5xi32>) -> (tensor<31x5xi32>, tensor<31x31xi32>) {{
  %w = opc.constant dense<{w.tolist()}> : tensor<31x3xi32>
  %y = opc.matmul %w, %x
  %t = opc.transpose %w {{permutation = [1, 0]}}
  %z = opc.matmul %w, %t
  func.return %y, %z : tensor<31x5xi32>, tensor<31x31xi32>
}}"""
    x = rng.integers(-9, 9, (3, 5), np.int32)
    y, z = opc.compile(text)(x)
    wide = w.astype(np.int64)
    np.testing.assert_array_equal(y, (wide @ x).astype(np.int32))
    np.testing.assert_array_equal(z, (wide @ wide.T).astype(np.int32))
