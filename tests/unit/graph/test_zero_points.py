"""Zero points that are taken off after products: exact, whatever their types and values are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import opc
from opc.api.driver import Options, load, lower

TYPES = {"ui8": np.uint8, "i8": np.int8, "i32": np.int32}
Array = np.ndarray[Any, np.dtype[Any]]


def dense(values: Array) -> str:
    return f"dense<{values.tolist()}>"


def centred(name: str, type: str, shape: str, zero_type: str, zero_shape: str = "") -> str:
    return f"""
  %{name}i = opc.cast %{name} : tensor<{shape}x{type}> -> tensor<{shape}xi32>
  %z{name}i = opc.cast %z{name} : tensor<{zero_shape}{zero_type}> -> tensor<{zero_shape}i32>
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


CONVS = {
    "depthwise": ((24, 1, 3, 3), {"groups": 24, "pads": [1, 1, 1, 1]}, "2x24x7x6"),
    "few filters": ((8, 6, 3, 3), {"pads": [1, 1, 1, 1]}, "2x8x7x6"),
    "one group": ((256, 5, 3, 2), {"pads": [1, 0, 1, 2]}, "2x256x7x7"),
    "two groups": ((36, 4, 3, 3), {"groups": 2, "pads": [1, 1, 1, 1]}, "2x36x7x6"),
    "strides": ((17, 3, 1, 1), {"strides": [2, 3]}, "2x17x4x2"),
    "dilations": ((16, 8, 2, 3), {"dilations": [2, 1], "strides": [2, 1]}, "2x16x3x4"),
}


def of_windows(x: Array, w: Array, params: dict[str, Any]) -> Array:
    """The convolution, by the sums of all its windows."""
    top, left, bottom, right = params.get("pads", [0] * 4)
    (up, across), (down, along) = (params.get(name, [1, 1]) for name in ("strides", "dilations"))
    x = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)])
    reach = (w.shape[2] - 1) * down + 1, (w.shape[3] - 1) * along + 1
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    windows = windows[:, :, ::up, ::across, ::down, ::along]
    groups = params.get("groups", 1)
    pairs = zip(np.split(windows, groups, 1), np.split(w, groups), strict=True)
    return np.concatenate([np.einsum("nchwij,fcij->nfhw", a, b) for a, b in pairs], 1)


@pytest.mark.sample(3)
@pytest.mark.parametrize("target", ["baseline", "avx2", "native", "cortex-m4"])
@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("name", CONVS)
def test_filters_take_a_byte(name: str, is_shared: bool, target: str) -> None:
    """The filters have one zero point, or one each: of 256 filters, every one from 0 to 255."""
    shape, params, result = CONVS[name]
    rng = np.random.default_rng(7)
    w = rng.integers(0, 256, shape).astype(np.uint8)
    w.flat[:2] = 0, 255
    zeros = np.arange(shape[0], dtype=np.uint8).reshape(-1, 1, 1, 1)
    zeros = np.array(3, np.uint8) if is_shared else zeros
    x = rng.integers(0, 256, (2, shape[1] * params.get("groups", 1), 7, 6)).astype(np.uint8)
    of_x, of_w = ("x".join(map(str, array.shape)) for array in (x, w))
    of_zeros = "".join(f"{extent}x" for extent in zeros.shape)
    how = ", ".join(f"{key} = {value}" for key, value in params.items())
    text = f"""
func.func @main(%x: tensor<{of_x}xui8>) -> tensor<{result}xi32> {{
  %zx = opc.constant dense<201> : tensor<ui8>
  %w = opc.constant {dense(w)} : tensor<{of_w}xui8>
  %zw = opc.constant {dense(zeros)} : tensor<{of_zeros}ui8>
{centred("x", "ui8", of_x, "ui8")}
{centred("w", "ui8", of_w, "ui8", of_zeros)}
  %y = opc.conv %xc, %wc {{{how}}}
  func.return %y : tensor<{result}xi32>
}}"""
    made = lower(load(text), Options(target=target))
    constants = re.findall(r"static const (u?int\d+)_t \w+\[(\d+)\]", made.c_source)
    assert made.weights is None or made.weights.nbytes < 2 * w.size
    assert {kind for kind, size in constants if int(size) >= w.size} <= {"int8", "uint8"}
    if target != "cortex-m4":
        expected = of_windows(x.astype(np.int32) - 201, w.astype(np.int32) - zeros, params)
        np.testing.assert_array_equal(opc.compile(text, target=target)(x), expected)


@pytest.mark.parametrize("target", ["baseline", "avx2", "native", "cortex-m4"])
@pytest.mark.parametrize("columns", [1, 7])
def test_weights_of_one_row_take_a_byte(columns: int, target: str) -> None:
    """Also where few columns share its sum."""
    rng = np.random.default_rng(8)
    x, w = rng.integers(0, 256, (1, 40)), rng.integers(0, 256, (40, columns))
    w.flat[:2] = 0, 255
    text = f"""
func.func @main(%x: tensor<1x40xui8>) -> tensor<1x{columns}xi32> {{
  %zx = opc.constant dense<201> : tensor<ui8>
  %w = opc.constant {dense(w)} : tensor<40x{columns}xui8>
  %zw = opc.constant dense<100> : tensor<ui8>
{centred("x", "ui8", "1x40", "ui8")}
{centred("w", "ui8", f"40x{columns}", "ui8")}
  %y = opc.matmul %xc, %wc
  func.return %y : tensor<1x{columns}xi32>
}}"""
    made = lower(load(text), Options(target=target))
    constants = re.findall(r"static const (u?int\d+)_t \w+\[(\d+)\]", made.c_source)
    assert {kind for kind, size in constants if int(size) >= w.size} <= {"int8", "uint8"}
    if target != "cortex-m4":
        found = opc.compile(text, target=target)(x.astype(np.uint8))
        np.testing.assert_array_equal(found, (x - 201) @ (w - 100))
