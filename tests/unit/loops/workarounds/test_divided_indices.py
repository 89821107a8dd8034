"""Indices with many divisions, which gcc 12 must not make vectors of: see ``emit.places``."""

from __future__ import annotations

import numpy as np
import pytest

import opc

CUT = """
      %0 = opc.reshape %x : tensor<1x56x56xCxf32> -> tensor<1x8x7x8x7xCxf32>
      %1 = opc.transpose %0 {permutation = [0, 1, 3, 2, 4, 5]}
          : tensor<1x8x7x8x7xCxf32> -> tensor<1x8x8x7x7xCxf32>"""
"""A picture of C channels in windows of 7 by 7."""
WINDOWS = f"""
    func.func @main(%x: tensor<1x56x56x96xf32>, %w: tensor<96x96xf32>) -> tensor<64x49x96xf32> {{
      {CUT.replace("C", "96")}
      %2 = opc.reshape %1 : tensor<1x8x8x7x7x96xf32> -> tensor<64x49x96xf32>
      %3 = opc.matmul %2, %w : tensor<64x49x96xf32>, tensor<96x96xf32> -> tensor<64x49x96xf32>
      func.return %3 : tensor<64x49x96xf32>
    }}"""


@pytest.mark.parametrize("target", ["baseline", "native"])
def test_windows_of_a_picture(target: str) -> None:
    """Rows of a product that are windows: their panels are nine rows wide for AVX-512."""
    rng = np.random.default_rng(0)
    x = rng.integers(-9, 9, (1, 56, 56, 96)).astype(np.float32)
    w = rng.integers(-9, 9, (96, 96)).astype(np.float32)
    windows = x.reshape(1, 8, 7, 8, 7, 96).transpose(0, 1, 3, 2, 4, 5).reshape(64, 49, 96)
    function = opc.compile(WINDOWS, target=target)
    np.testing.assert_array_equal(function(x, w), windows @ w)


@pytest.mark.parametrize("target", ["baseline", "native"])
def test_pixels_of_windows(target: str) -> None:
    """A run of three values has its place by four divisions: no vectors go over such."""
    text = f"""
        func.func @main(%x: tensor<1x56x56x3xf32>, %b: tensor<64x1xf32>) -> tensor<64x147xf32> {{
          {CUT.replace("C", "3")}
          %2 = opc.reshape %1 : tensor<1x8x8x7x7x3xf32> -> tensor<64x147xf32>
          %3 = opc.add %2, %b : tensor<64x147xf32>, tensor<64x1xf32> -> tensor<64x147xf32>
          func.return %3 : tensor<64x147xf32>
        }}"""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1, 56, 56, 3)).astype(np.float32)
    b = rng.standard_normal((64, 1)).astype(np.float32)
    windows = x.reshape(1, 8, 7, 8, 7, 3).transpose(0, 1, 3, 2, 4, 5).reshape(64, 147)
    function = opc.compile(text, target=target)
    assert "OPC_AS_IT_STANDS static void" in function.c_source
    np.testing.assert_array_equal(function(x, b), windows + b)


def test_few_divisions_are_as_before() -> None:
    text = """
        func.func @main(%x: tensor<6x4x35xf32>) -> tensor<4x6x35xf32> {
          %0 = opc.transpose %x {permutation = [1, 0, 2]} : tensor<6x4x35xf32> -> tensor<4x6x35xf32>
          func.return %0 : tensor<4x6x35xf32>
        }"""
    assert "OPC_AS_IT_STANDS" not in opc.compile(text).c_source
