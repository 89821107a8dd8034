"""Functions that move dequantized values, or take their maxima."""

from __future__ import annotations

import numpy as np

import opc


def test_a_maximum_of_windows_without_axes() -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %w = opc.windows %x {sizes = [], strides = [], dilations = []} : tensor<3xf32> -> tensor<3xf32>
  %y = opc.reduce_max %w {axes = [0]} : tensor<3xf32> -> tensor<f32>
  func.return %y : tensor<f32>
}"""
    assert opc.compile(text)(np.array([1, 3, 2], np.float32)) == 3
