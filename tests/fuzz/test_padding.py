"""What is padded of nothing stays in its workspace, behind which nothing is written."""

from __future__ import annotations

import numpy as np

from .build import Build, link, program


def test_windows_before_and_behind_the_source() -> None:
    """Of no rows at all, and of padding alone (seed 20261703, graph 5522)."""
    text = """
func.func @main(%x: tensor<?x1x?x6xi64, #opc.dims<N, 1, H, 6>>, %w: tensor<2x1x1x2xi64>)
    -> tensor<?x2x?x5xi64, #opc.dims<N, 2, floordiv(H + 1, 2) + 1, 5>> {
  %0 = opc.conv %x, %w {strides = [2, 1], dilations = [1, 3], pads = [2, 2, 0, 0]}
  func.return %0 : tensor<?x2x?x5xi64, #opc.dims<N, 2, floordiv(H + 1, 2) + 1, 5>>
}"""
    made = program(text, "g")
    library = link([made], Build())
    w = np.array([[[[1, 2]]], [[[3, -4]]]])
    for rows in (0, 1, 2, 5):
        x = np.arange(16 * rows * 6).reshape(16, 1, rows, 6)
        padded = np.pad(x, ((0, 0), (0, 0), (2, 0), (2, 0)))[:, :, ::2]
        expected = padded[..., :5] * w[:, 0, :, :1] + padded[..., 3:] * w[:, 0, :, 1:]
        (found,) = made.call(library, [x, w])
        np.testing.assert_array_equal(found, expected)
