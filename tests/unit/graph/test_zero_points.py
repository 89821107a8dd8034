"""Zero points that are taken off after products: exact, whatever their types and values are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc

TYPES = {"ui8": np.uint8, "i8": np.int8, "i32": np.int32}
Array = np.ndarray[Any, np.dtype[Any]]


def dense(values: Array) -> str:
    return f"dense<{values.tolist()}>"


def centred(name: str, type: str, shape: str, zero_type: str) -> str:
    return f"""
  %{name}i = opc.cast %{name} : tensor<{shape}x{type}> -> tensor<{shape}xi32>
  %z{name}i = opc.cast %z{name} : tensor<{zero_type}> -> tensor<i32>
  %{name}c = opc.sub %{name}i, %z{name}i"""


def convolved(x: Array, w: Array, pad: int) -> Array:
    x = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, w)


@pytest.mark.parametrize("x_is_constant", [False, True])
@pytest.mark.parametrize("zero_type", ["ui8", "i8", "i32"])
@pytest.mark.parametrize("w_zero", [0, 120, 128])
@pytest.mark.parametrize("w_type", ["ui8", "i8"])
@pytest.mark.parametrize("kind", ["matmul", "conv"])
def test_products_are_exact(
    kind: str, w_type: str, w_zero: int, zero_type: str, x_is_constant: bool
) -> None:
    """The zero point of ui8 data is an argument, also one that ui8 cannot hold."""
    rng = np.random.default_rng(5)
    x_shape, w_shape = ((17, 24), (24, 19)) if kind == "matmul" else ((1, 4, 6, 5), (3, 4, 3, 3))
    x = rng.integers(0, 256, x_shape).astype(np.uint8)
    w = rng.integers(0, 256, w_shape).astype(TYPES[w_type])
    w_zero = w_zero - 128 if w_type == "i8" else w_zero
    zero = {"ui8": 201, "i8": -7, "i32": 300}[zero_type]
    of_x, of_w = ("x".join(map(str, shape)) for shape in (x_shape, w_shape))
    result = "17x19" if kind == "matmul" else "1x3x6x5"
    pads = "" if kind == "matmul" else " {pads = [1, 1, 1, 1]}"
    arguments = "" if x_is_constant else f"%x: tensor<{of_x}xui8>, "
    constant = f"\n  %x = opc.constant {dense(x)} : tensor<{of_x}xui8>" if x_is_constant else ""
    text = f"""
func.func @main({arguments}%zx: tensor<{zero_type}>) -> tensor<{result}xi32> {{{constant}
  %w = opc.constant {dense(w)} : tensor<{of_w}x{w_type}>
  %zw = opc.constant dense<{w_zero}> : tensor<{w_type}>
{centred("x", "ui8", of_x, zero_type)}
{centred("w", w_type, of_w, w_type)}
  %y = opc.{kind} %xc, %wc{pads}
  func.return %y : tensor<{result}xi32>
}}"""
    a, b = x.astype(np.int32) - zero, w.astype(np.int32) - w_zero
    expected = a @ b if kind == "matmul" else convolved(a, b, 1)
    scalar = np.array(zero, TYPES[zero_type])
    arrays = (scalar,) if x_is_constant else (x, scalar)
    np.testing.assert_array_equal(opc.compile(text)(*arrays), expected)
