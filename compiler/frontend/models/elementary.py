"""Sine, cosine and logarithm of numbers that are known when compiling, with the bits of the C.

What a model leaves to be computed of known numbers alone, as windows of signals, is a constant.  So
that its bits are those that a run computes, and depend on no library, the functions of f64 stand
here once more as in ``compiler/emit/helpers/trig.c`` and ``exp_log.c``, in operations of NumPy that
IEEE 754 rounds: + - * / and those on bits.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.frontend.python.array import Array as Traced

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

LN10 = float.fromhex("0x1.26bb1bbb55516p+1")
"""log(10), to nearest."""


def _numbers(*texts: str) -> tuple[float, ...]:
    return tuple(map(float.fromhex, texts))


_SHIFT = 1.5 * 2.0**52
"""Adding it rounds a number to an integer, which then are the lower bits."""
(_TWO_OVER_PI,) = _numbers("0x1.45f306dc9c883p-1")
_QUARTER = _numbers(
    "0x1.921fb544p+0", "0x1.0b4611a6p-34", "0x1.3198a2ep-69", "0x1.b839a252049c1p-104"
)
"""pi/2 in pieces, of which the first three have exact products with quarter turns."""
_SINE = _numbers(
    "-0x1.aaa37e4f5e76ap-41", "0x1.61208f2eacb8fp-33", "-0x1.ae645292da819p-26",
    "0x1.71de3a53355fdp-19", "-0x1.a01a01a018ab3p-13", "0x1.111111111110bp-7",
    "-0x1.5555555555555p-3",
)  # fmt: skip
_COSINE = _numbers(
    "0x1.aac40841fe406p-45", "-0x1.939334b4d6007p-37", "0x1.1eed8ca0a151bp-29",
    "-0x1.27e4fb75fadd9p-22", "0x1.a01a01a018dc5p-16", "-0x1.6c16c16c16c1p-10",
    "0x1.5555555555555p-5",
)  # fmt: skip
_LOGARITHM = _numbers(
    "0x1.999999997fb30p-2", "0x1.5555555555593p-1", "0x1.c71c51e7e43a8p-3", "0x1.2492494217b93p-2",
    "0x1.39a0f4a7b5feep-3", "0x1.7466463049fe9p-3", "0x1.2f0d91ef7323cp-3",
)  # fmt: skip
_LN2 = _numbers("0x1.62e42fefa38p-1", "0x1.ef35793c7673p-45")
_ONE, _ROOT = np.uint64(0x3FF0000000000000), np.uint64(0x3FE6A09E667F3BCD)
"""The bits of 1 and of the square root of 1/2."""
_MOST = 2.0**20
"""Up to here angles are taken; the C has another reduction for larger ones."""


def cosine(x: Any) -> Any:
    """cos(x) of f64, |x| < 2^20, known or traced."""
    return onp.cos(x) if isinstance(x, Traced) else _circular(x, 1)


def sine(x: Any) -> Any:
    """sin(x) of f64, |x| < 2^20, known or traced."""
    if isinstance(x, Traced):
        return onp.sin(x)
    angles: Array = np.asarray(x, np.float64)
    sines: Array = np.copysign(1.0, angles) * _circular(angles, 0)
    return np.where(np.abs(angles) < 2.0**-27, angles, sines)


def logarithm(x: Array) -> Array:
    """log(x) of normal positive numbers of f64."""
    t = np.asarray(x, np.float64).view(np.uint64) + (_ONE - _ROOT)
    mantissa = (t & np.uint64((1 << 52) - 1)) + _ROOT
    k = (t >> np.uint64(52)).astype(np.float64) - 1023.0
    f = mantissa.view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    a0, a1, b0, b1, c0, c1, d = _LOGARITHM
    a, b, c, y = z * a0 + a1, z * b0 + b1, z * c0 + c1, z * z
    p = (a + y * b) + (y * y) * (c + y * d)
    h = 0.5 * (f * f)
    return k * _LN2[0] - ((h - (s * (h + z * p) + k * _LN2[1])) - f)


def _circular(x: Any, turns: int) -> Array:
    """The sine of |x| and so many quarter turns; NaN of what is no number."""
    size: Array = np.abs(np.asarray(x, np.float64))
    is_number = np.isfinite(size)
    a: Array = np.where(is_number, size, 0.0)
    assert np.all(a < _MOST)
    q = a * _TWO_OVER_PI + _SHIFT
    k = q - _SHIFT
    first, first_error = _two_sum(a - k * _QUARTER[0], -(k * _QUARTER[1]))
    second, second_error = _two_sum(first, -(k * _QUARTER[2]))
    low = (first_error + second_error) - k * _QUARTER[3]
    hi = second + low
    lo = low - (hi - second)
    n = q.view(np.uint64) + np.uint64(turns)
    z = hi * hi
    s: Array = hi + ((z * hi) * _polynomial(z, _SINE) + (lo - (0.5 * z) * lo))
    h = 0.5 * z
    w = 1.0 - h
    c: Array = w + (((1.0 - w) - h) + ((z * z) * _polynomial(z, _COSINE) - hi * lo))
    turned: Array = np.where((n & np.uint64(1)) != 0, c, s)
    return np.where(is_number, np.where((n & np.uint64(2)) != 0, -turned, turned), np.nan)


def _polynomial(z: Array, coefficients: tuple[float, ...]) -> Array:
    """By Horner's rule, the highest power first."""
    p: Array = np.full_like(z, coefficients[0])
    for c in coefficients[1:]:
        p = p * z + c
    return p


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """a + b and its rounding error."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)
