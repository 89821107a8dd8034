"""Integers quantize sums on machines without floats: the bits are those of the floats."""

from __future__ import annotations

import numpy as np
import pytest

import opc

CHANNELS = 3


def quantized(seed: int, type: str, has_bias: bool, limits: str) -> str:
    """Sums that are scaled, shifted, limited and quantized; scales are those of usual networks."""
    rng = np.random.default_rng(seed)
    scales = (rng.uniform(0.5, 1, CHANNELS) * 2.0 ** rng.integers(-14, -8)).astype("f4").tolist()
    bias = rng.normal(0, 3, CHANNELS).astype("f4").tolist()
    step = float(np.float32(rng.uniform(0.01, 0.1)))
    zero = int(rng.integers(-9, 9)) if type == "i8" else 0
    add = "%a = opc.add %m, %b" if has_bias else ""
    limits = limits if has_bias else limits.replace("%a", "%m")
    return f"""
func.func @main(%x: tensor<?x{CHANNELS}xi32, #opc.dims<N, {CHANNELS}>>)
    -> tensor<?x{CHANNELS}x{type}, #opc.dims<N, {CHANNELS}>> {{
  %s = opc.constant dense<{scales}> : tensor<{CHANNELS}xf32>
  %b = opc.constant dense<{bias}> : tensor<{CHANNELS}xf32>
  %six = opc.constant dense<6.0> : tensor<f32>
  %step = opc.constant dense<{step}> : tensor<f32>
  %zero = opc.constant dense<{zero}.0> : tensor<f32>
  %f = opc.cast %x : tensor<?x{CHANNELS}xi32, #opc.dims<N, {CHANNELS}>>
      -> tensor<?x{CHANNELS}xf32, #opc.dims<N, {CHANNELS}>>
  %m = opc.mul %f, %s
  {add}
  %l = {limits}
  %d = opc.div %l, %step
  %r = opc.round %d
  %z = opc.add %r, %zero
  %q = opc.cast %z : tensor<?x{CHANNELS}xf32, #opc.dims<N, {CHANNELS}>>
      -> tensor<?x{CHANNELS}x{type}, #opc.dims<N, {CHANNELS}>>
  func.return %q : tensor<?x{CHANNELS}x{type}, #opc.dims<N, {CHANNELS}>>
}}"""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("limits", ["opc.relu %a", "opc.min %a, %six", "opc.abs %a"])
def test_bits_are_those_of_the_floats(seed: int, type: str, limits: str) -> None:
    text = quantized(seed, type, seed % 2 == 0, limits)
    kernels = opc.lower(text, target="cortex-m0", cache=None).ir("kernels")
    assert ("apply requantize(" in kernels) == ("abs" not in limits), kernels
    rng = np.random.default_rng(seed)
    near = np.arange(-(1 << 17), 1 << 17)
    far = rng.integers(-(1 << 31), 1 << 31, 1 << 16)
    ends = np.array([-(1 << 31), 1 - (1 << 31), (1 << 31) - 1, 1 << 24, (1 << 24) + 1])
    x = np.concatenate([near, far, far >> 8, ends]).astype(np.int32)
    x = np.repeat(x[:, None], CHANNELS, axis=1)
    found = opc.compile(kernels, cache=None)(x)
    np.testing.assert_array_equal(found, opc.compile(text, cache=None)(x))


def test_machines_with_floats_keep_them() -> None:
    text = quantized(0, "ui8", True, "opc.relu %a")
    assert "requantize" not in opc.lower(text, target="cortex-m4", cache=None).ir("kernels")
