"""Quantized types: stored integers, and operations on the numbers that they express."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.errors import UnsupportedError
from tests.unit.common.stablehlo_text import F, X, Y, check

Q, W = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8<-8:7>:f32, 0.25>"
LINE = "!quant.uniform<u8:f32:1, {0.5:128, 0.25:100, 1.0:0}>"


def stored(x: np.ndarray, scale: float, zero: int, low: int = -128, high: int = 127) -> np.ndarray:
    return np.clip(np.rint(x / F(scale)) + zero, low, high)


def numbers(x: np.ndarray, scale: float, zero: int, low: int = -128, high: int = 127) -> np.ndarray:
    return ((stored(x, scale, zero, low, high) - zero) * F(scale)).astype(F)


def quantized(name: str, operand: str, type: str) -> str:
    return f"%{name} = stablehlo.uniform_quantize %{operand} : (A) -> tensor<2x3x{type}>\n"


def shown(operand: str, type: str, shape: str = "2x3") -> str:
    return (
        f"%r = stablehlo.uniform_dequantize %{operand} : (tensor<{shape}x{type}>) -> "
        f"tensor<{shape}xf32>"
    )


def run(body: str, *inputs: np.ndarray, result: np.ndarray) -> None:
    check(body.replace("(A)", "(tensor<2x3xf32>)"), [*inputs], result)


def test_there_and_back() -> None:
    run(quantized("q", "0", Q) + shown("q", Q), X, result=numbers(X, 0.5, 3))
    run(quantized("q", "0", W) + shown("q", W), 9 * X, result=numbers(9 * X, 0.25, 0, -8, 7))


def test_an_axis_with_parameters_of_its_own() -> None:
    scales, zeros = np.array([0.5, 0.25, 1], F), np.array([128, 100, 0], F)
    values = np.clip(np.rint(X / scales) + zeros, 0, 255)
    result = ((values - zeros) * scales).astype(F)
    run(quantized("q", "0", LINE) + shown("q", LINE), X, result=result)


def test_stored_integers() -> None:
    body = quantized("q", "0", Q)
    body += f"%r = stablehlo.bitcast_convert %q : (tensor<2x3x{Q}>) -> tensor<2x3xi8>"
    run(body, X, result=stored(X, 0.5, 3).astype(np.int8))


def test_sums_of_other_parameters() -> None:
    body = quantized("q", "0", Q) + quantized("w", "1", W)
    body += f"%s = stablehlo.add %q, %w : (tensor<2x3x{Q}>, tensor<2x3x{W}>) -> tensor<2x3x{Q}>\n"
    total = numbers(X, 0.5, 3) + numbers(Y, 0.25, 0, -8, 7)
    run(body + shown("s", Q), X, Y, result=numbers(total, 0.5, 3))


def test_product_in_wide_integers() -> None:
    wide = "!quant.uniform<i32:f32, 0.25>"
    body = quantized("q", "0", Q) + quantized("p", "1", Q)
    body += f"%t = stablehlo.transpose %p, dims = [1, 0] : (tensor<2x3x{Q}>) -> tensor<3x2x{Q}>\n"
    body += "%d = stablehlo.dot_general %q, %t, contracting_dims = [1] x [0] : "
    body += f"(tensor<2x3x{Q}>, tensor<3x2x{Q}>) -> tensor<2x2x{wide}>\n"
    body += f"%u = stablehlo.uniform_quantize %d : (tensor<2x2x{wide}>) -> tensor<2x2x{Q}>\n"
    result = numbers(numbers(X, 0.5, 3) @ numbers(Y, 0.5, 3).T, 0.5, 3)
    run(body + shown("u", Q, "2x2"), X, Y, result=result)


def test_arguments_are_integers() -> None:
    type = f"tensor<2x3x{Q}>"
    text = f"func.func @main(%0: {type}) -> {type} {{\n%r = stablehlo.negate %0 : {type}\n"
    compiled = opc.compile(f"{text}return %r : {type}\n}}")
    x = np.arange(-3, 3, dtype=np.int8).reshape(2, 3)
    np.testing.assert_array_equal(compiled(x), 6 - x)


def test_blocks_are_refused() -> None:
    type = "tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25}>>"
    head = f"func.func @main(%0: {type}) -> {type} {{\n"
    text = f"{head}%r = stablehlo.abs %0 : {type}\nreturn %r : {type}\n}}"
    with pytest.raises(UnsupportedError, match="quantized types in blocks"):
        opc.compile(text)
