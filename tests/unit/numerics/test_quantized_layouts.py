"""Quantized convolutions one behind the other: channels innermost, signed factors, residuals."""

from __future__ import annotations

import numpy as np
import pytest

from opc.api.driver import load
from opc.dialects import kernel
from opc.dialects.registry import context
from opc.dialects.shape import tensor_of
from opc.passes import pipeline
from tests.unit.common.contraction_graphs import check_bits_everywhere

pytestmark = pytest.mark.sample(6)

CHANNELS = 8


def _weights(seed: int, outside: int, inside: int, size: int) -> str:
    """A constant of signed numbers of 8 bits, with the least and the greatest."""
    shape = outside, inside, size, size
    drawn = np.random.default_rng(seed).integers(-128, 128, shape, dtype=np.int8)
    drawn[0], drawn[-1, 0] = -128, 127
    type = "x".join(map(str, shape))
    return f"opc.constant dense<{drawn.tolist()}> : tensor<{type}xi8>"


def _quantized(name: str, x: str, size: str, type: str) -> str:
    """%name: x in small steps, as integers in i32, and %name.f as floats."""
    return f"""
  %{name}.a = opc.round {x}
  %{name}.q = opc.cast %{name}.a : tensor<{size}xf32> -> tensor<{size}x{type}>
  %{name} = opc.cast %{name}.q : tensor<{size}x{type}> -> tensor<{size}xi32>
  %{name}.f = opc.cast %{name} : tensor<{size}xi32> -> tensor<{size}xf32>"""


def block(type: str, groups: int, stride: int, pad: int) -> str:
    """A convolution, one of 1x1 with what went into it added, and one that is strided."""
    height, width = ((n + 2 * pad - 3) // stride + 1 for n in (7, 9))
    result = f"tensor<1x5x{height}x{width}xi32>"
    size = f"1x{CHANNELS}x7x9"
    spread = f"tensor<{size}xf32>, tensor<f32> -> tensor<{size}xf32>"
    return f"""
func.func @main(%x: tensor<{size}xf32>) -> {result} {{
  %s = opc.constant dense<0.001> : tensor<f32>
  %v = {_weights(1, CHANNELS, CHANNELS // groups, 3)}
  %w = {_weights(2, CHANNELS, CHANNELS, 1)}
  %u = {_weights(3, 5, CHANNELS, 3)}
  %vi = opc.cast %v : tensor<{CHANNELS}x{CHANNELS // groups}x3x3xi8>
      -> tensor<{CHANNELS}x{CHANNELS // groups}x3x3xi32>
  %wi = opc.cast %w : tensor<{CHANNELS}x{CHANNELS}x1x1xi8> -> tensor<{CHANNELS}x{CHANNELS}x1x1xi32>
  %ui = opc.cast %u : tensor<5x{CHANNELS}x3x3xi8> -> tensor<5x{CHANNELS}x3x3xi32>
  {_quantized("q", "%x", size, type)}
  %c = opc.conv %q, %vi {{pads = [1, 1, 1, 1], groups = {groups}}}
  %cf = opc.cast %c : tensor<{size}xi32> -> tensor<{size}xf32>
  %cs = opc.mul %cf, %s : {spread}
  {_quantized("r", "%cs", size, type)}
  %d = opc.conv %r, %wi
  %df = opc.cast %d : tensor<{size}xi32> -> tensor<{size}xf32>
  %ds = opc.mul %df, %s : {spread}
  %e = opc.add %ds, %q.f
  {_quantized("t", "%e", size, type)}
  %y = opc.conv %t, %ui {{pads = [{pad}, {pad}, {pad}, {pad}], strides = [{stride}, {stride}]}}
  func.return %y : {result}
}}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("groups, stride, pad", [(1, 1, 1), (1, 2, 0), (2, 1, 1), (8, 2, 1)])
def test_blocks_have_the_bits_of_the_graph(type: str, groups: int, stride: int, pad: int) -> None:
    text = block(type, groups, stride, pad)
    x = np.random.default_rng(groups).standard_normal((1, CHANNELS, 7, 9)).astype(np.float32) * 90
    check_bits_everywhere(text, [x])


@pytest.mark.parametrize("type", ["i8", "ui8"])
def test_channels_are_innermost_and_unsigned(type: str) -> None:
    """Of all that convolutions read, where products of bytes take different signs."""
    module = load(block(type, 1, 1, 1)).clone()
    pipeline.run(module, context(), pipeline.passes("kernels"), target="avx512-vnni")
    sweeps = [op for op in module.walk() if isinstance(op, kernel.SweepOp)]
    assert len(sweeps) == 3
    for sweep in sweeps:
        image, _ = (op for op in sweep.body.block.ops if isinstance(op, kernel.LoadOp))
        found = tensor_of(image.source)
        assert (str(found.element_type), found.get_shape()[-1]) == ("ui8", CHANNELS)
