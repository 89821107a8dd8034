"""Quotients by constants as two products: the same bits for every numerator."""

from __future__ import annotations

import ctypes
from fractions import Fraction

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.kernels.multiply_quotients import reciprocal, rounded
from opc.runtime import cache

COUNT = """
#include <math.h>
#include <stdint.h>
#include <string.h>
/* The numbers of one exponent, of both signs, whose quotients differ. */
int64_t count(float divisor, float high, float low, uint32_t exponent) {
  int64_t wrong = 0;
  for (uint32_t k = 0; k < 1u << 24; ++k) {
    const uint32_t bits = k << 31 >> 0 | exponent << 23 | k >> 1;
    float x;
    memcpy(&x, &bits, sizeof x);
    wrong += fmaf(x, high, x * low) != x / divisor;
  }
  return wrong;
}
"""
DIVISORS = [0.3, 0.0078431377, 0.019059958, 1.5, 3.0, -0.1, 12345.678, 1e-12, 255.0]


@pytest.mark.parametrize("divisor", DIVISORS)
def test_every_numerator_has_its_quotient(divisor: float) -> None:
    """All numbers of an exponent, which stand for those of others."""
    exact = float(np.float32(divisor))
    parts = reciprocal(exact, el.F32)
    assert parts is not None
    run = ctypes.CDLL(str(cache.build(COUNT))).count
    run.argtypes = [ctypes.c_float] * 3 + [ctypes.c_uint32]
    run.restype = ctypes.c_int64
    assert run(exact, *parts, 127) == 0


def test_divisors_with_a_wrong_quotient_are_found() -> None:
    """Few of all; each has a numerator that shows it."""
    run = ctypes.CDLL(str(cache.build(COUNT))).count
    run.argtypes = [ctypes.c_float] * 3 + [ctypes.c_uint32]
    run.restype = ctypes.c_int64
    divisors = np.random.default_rng(1).uniform(0.001, 0.2, 300).astype(np.float32)
    left = [float(d) for d in divisors if reciprocal(float(d), el.F32) is None]
    assert 0 < len(left) < 30
    for divisor in left[:3]:
        high = rounded(1 / Fraction(divisor), 24, is_cut=True)
        low = rounded(1 / Fraction(divisor) - high, 24)
        assert run(divisor, float(high), float(low), 127) > 0


@pytest.mark.parametrize("divisor", [0.0, float("inf"), float("nan"), 0.5, -2.0, 1e-30, 1e30])
def test_divisors_without_two_products(divisor: float) -> None:
    """Powers of two, and those near the ends of what floats hold."""
    assert reciprocal(divisor, el.F32) is None


@pytest.mark.parametrize("target", ["native", "baseline"])
@pytest.mark.parametrize("divisor", [0.3, -0.0078431377])
def test_rounded_quotients_of_all_kinds_of_numbers(divisor: float, target: str) -> None:
    """Zeros, infinities, NaN, the smallest and the largest numbers, and halves."""
    info = np.finfo(np.float32)
    scale = np.float32(divisor)
    halves = (np.arange(-300, 300, dtype=np.float32) + np.float32(0.5)) * scale
    near = [np.nextafter(halves, np.float32(side)) for side in (-np.inf, np.inf)]
    ends = [0.0, np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, 1e-40]
    x = np.concatenate([halves, *near, ends, np.negative(ends)]).astype(np.float32)
    text = f"""
func.func @main(%x: tensor<{x.size}xf32>) -> tensor<{x.size}xf32> {{
  %s = opc.constant dense<{divisor}> : tensor<f32>
  %q = opc.div %x, %s : tensor<{x.size}xf32>, tensor<f32> -> tensor<{x.size}xf32>
  %r = opc.round %q
  func.return %r : tensor<{x.size}xf32>
}}"""
    with np.errstate(all="ignore"):
        expected = np.rint(x / scale)
    results = opc.compile(text, target=target)(x)
    is_number = ~np.isnan(expected)
    assert np.array_equal(np.isnan(results), ~is_number)
    assert results[is_number].tobytes() == expected[is_number].tobytes()
