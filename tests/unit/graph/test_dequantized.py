"""Functions that move dequantized values, or take their maxima."""

from __future__ import annotations

import numpy as np
import pytest

import opc


def test_a_maximum_of_windows_without_axes() -> None:
    text = """
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %w = opc.windows %x {sizes = [], strides = [], dilations = []} : tensor<3xf32> -> tensor<3xf32>
  %y = opc.reduce_max %w {axes = [0]} : tensor<3xf32> -> tensor<f32>
  func.return %y : tensor<f32>
}"""
    assert opc.compile(text)(np.array([1, 3, 2], np.float32)) == 3


@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("scale", [1e-17, 0.0091259675, 1 / 3, 0.1, 1.0, 1.7e8])
def test_quantizing_again_changes_nothing(type: str, scale: float) -> None:
    every = np.arange(256, dtype=np.uint8).view({"i8": np.int8, "ui8": np.uint8}[type])
    zero, s = int(every[77]), np.float32(scale)
    text = f"""
func.func @main(%q: tensor<256x{type}>) -> tensor<255x{type}> {{
  %z = opc.constant dense<{zero}> : tensor<{type}>
  %s = opc.constant dense<"0x{s.tobytes().hex()}"> : tensor<f32>
  %a = opc.cast %q : tensor<256x{type}> -> tensor<256xf32>
  %b = opc.cast %z : tensor<{type}> -> tensor<f32>
  %c = opc.sub %a, %b
  %x = opc.mul %c, %s
  %p = opc.slice %x {{starts = [1], stops = [256], steps = [1]}}
  %d = opc.div %p, %s
  %r = opc.round %d
  %t = opc.add %r, %b
  %y = opc.cast %t : tensor<255xf32> -> tensor<255x{type}>
  func.return %y : tensor<255x{type}>
}}"""
    f = opc.compile(text)
    assert "opc_round_f32(" not in f.c_source
    again = np.rint((every.astype(np.float32) - np.float32(zero)) * s / s) + np.float32(zero)
    np.testing.assert_array_equal(again, every)
    np.testing.assert_array_equal(f(every), every[1:])


def test_quantizing_with_another_scale_computes() -> None:
    text = """
func.func @main(%q: tensor<256xui8>) -> tensor<256xui8> {
  %s = opc.constant dense<0.5> : tensor<f32>
  %t = opc.constant dense<0.25> : tensor<f32>
  %a = opc.cast %q : tensor<256xui8> -> tensor<256xf32>
  %x = opc.mul %a, %s
  %d = opc.div %x, %t
  %r = opc.round %d
  %y = opc.cast %r : tensor<256xf32> -> tensor<256xui8>
  func.return %y : tensor<256xui8>
}"""
    every = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(opc.compile(text)(every), np.minimum(2 * every.astype(int), 255))
