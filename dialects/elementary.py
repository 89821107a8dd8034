"""Elementary functions that NumPy lacks, in the precision of their argument: f64 or long double.

Each is stable: its error is a few ULP wherever the result is finite.  Infinities and NaN give the
result of the textbook formula.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_SERIES_TERMS = 48
_FRACTION_TERMS = 256
_SERIES_END = 1.25
"""Below it, 48 terms of the series of erf suffice; above it, 256 of the continued fraction."""


def _pi(like: Array) -> Any:
    return 4 * np.arctan(np.ones((), like.dtype))


def _gauss(x: Array, divisor: int = 1) -> Array:
    """exp(-x^2 / divisor); the square of the leading 24 bits of x is exact."""
    x = np.minimum(np.abs(x), 200.0)
    head = x.astype(np.float32).astype(x.dtype)
    return np.exp(-head * head / divisor) * np.exp((head - x) * (head + x) / divisor)


def _scaled_erfc(x: Array) -> Array:
    """exp(x^2) erfc(x) for x >= 1.25, by its continued fraction."""
    fraction = np.zeros_like(x)
    for k in range(_FRACTION_TERMS, 0, -1):
        fraction = np.asarray(k / 2, x.dtype) / (x + fraction)
    return 1 / ((x + fraction) * np.sqrt(_pi(x)))


def _erf_series(x: Array) -> Array:
    """erf(x) for |x| <= 1.25: all terms have one sign."""
    term = total = x
    for k in range(1, _SERIES_TERMS):
        term = term * x * x * 2 / (2 * k + 1)
        total = total + term
    return 2 / np.sqrt(_pi(x)) * total * _gauss(x)


def erf(x: Array) -> Array:
    """The error function."""
    inner = np.clip(x, -_SERIES_END, _SERIES_END)
    outer = np.maximum(np.abs(x), _SERIES_END)
    far = np.copysign(1 - _scaled_erfc(outer) * _gauss(outer), x)
    return np.where(np.abs(x) < _SERIES_END, _erf_series(inner), far)


def erfc(x: Array) -> Array:
    """1 - erf(x), accurate where it is small."""
    outer = np.maximum(x, _SERIES_END)
    return np.where(x > _SERIES_END, _scaled_erfc(outer) * _gauss(outer), 1 - erf(x))


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def exp_neg(x: Array) -> Array:
    """e^-x for x >= 0."""
    return np.exp(-x)


LEAST_EXPONENT = -76.25
"""Somewhat above the logarithm of 2^-110: quotients by sums of up to 2^16 are normal in f32."""


def exp_softmax(x: Array) -> Array:
    """e^min(x, 0), and 0 where x is below ``LEAST_EXPONENT``: a power in a softmax of f32.

    Processors multiply subnormal numbers up to 190 times as slowly as others, and a mask of -100
    gives nothing else.
    """
    return np.where(x < LEAST_EXPONENT, 0, np.exp(np.minimum(x, 0)))


def exp_softmax_neg(x: Array) -> Array:
    """The same of -x, for x >= 0."""
    return exp_softmax(-x)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def silu(x: Array) -> Array:
    """x sigmoid(x), accurate where sigmoid underflows."""
    return x / (1 + np.exp(-x))


def gelu(x: Array) -> Array:
    """x/2 (1 + erf(x / sqrt 2)), accurate in the negative tail."""
    root = np.sqrt(np.asarray(2, x.dtype))
    tail = np.maximum(-x / root, _SERIES_END)
    # erfc(-x / sqrt 2) as a product, so that rounding does not change the exponent x^2.
    far = x / 2 * _scaled_erfc(tail) * _gauss(x, 2)
    return np.where(x < -root * _SERIES_END, far, x / 2 * erfc(-x / root))


def gelu_tanh(x: Array) -> Array:
    """x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), accurate in the negative tail."""
    # 0.5 (1 + tanh u) is sigmoid(2u).
    inner = np.sqrt(2 / _pi(x)) * (x + np.asarray(44715, x.dtype) / 1000000 * x * x * x)
    return x * sigmoid(2 * inner)


def mish(x: Array) -> Array:
    """x tanh(log(1 + exp(x))), accurate in the negative tail."""
    # tanh(log(1 + e)) is (e^2 + 2e) / (e^2 + 2e + 2); 1 where e^2 would overflow.
    e = np.exp(np.minimum(x, 50))
    n = e * (e + 2)
    return x * (n / (n + 2))


def _exact_fma(a: float, b: float, c: float) -> float:
    """a b + c as a quotient of integers, which Python rounds once."""
    if math.isfinite(a) and math.isfinite(b) and not math.isfinite(c):
        # The exact product is finite, even if it is too large for a float.
        return c
    if not (math.isfinite(a) and math.isfinite(b)) or 0 in (a, b):
        return a * b + c
    (an, ad), (bn, bd), (cn, cd) = (x.as_integer_ratio() for x in (a, b, c))
    numerator = an * bn * cd + cn * ad * bd
    if numerator == 0:
        return 0.0
    try:
        return numerator / (ad * bd * cd)
    except OverflowError:
        # Not copysign: the integer is too large for a float.
        return math.inf if numerator > 0 else -math.inf


def fma(a: Array, b: Array, c: Array) -> Array:
    """a b + c: rounded once for f32 or f64, wrapping for integers."""
    if a.dtype.kind != "f":
        return np.asarray(a * b + c)
    if a.dtype == np.float64:
        return np.asarray(np.frompyfunc(_exact_fma, 3, 1)(a, b, c), dtype=np.float64)
    product = np.multiply(a, b, dtype=np.float64)  # exact
    return rounded_once(product, c.astype(np.float64)).astype(np.float32)


def mul_add(a: Array, b: Array, c: Array) -> Array:
    """a b + c for f32 or f64: the product is rounded, then the sum."""
    return np.asarray(np.multiply(a, b) + c)


def rounded_once(x: Array, y: Array) -> Array:
    """x + y of f64, rounded once to f32, as f64."""
    total = np.asarray(x + y)
    rounded = np.asarray(total.astype(np.float32), np.float64)
    doubtful = _may_be_rounded_wrong(total)
    if doubtful.any():
        x, y = np.broadcast_arrays(x, y)
        odd = _sum_to_odd(x[doubtful], y[doubtful])
        rounded[doubtful] = odd.astype(np.float32)
    return rounded


def _may_be_rounded_wrong(x: Array) -> Array:
    """Where rounding a sum of f64 to f32 may differ from rounding the exact sum once.

    Such sums are in the middle between two numbers of f32, or subnormal in f32.  0 is exact.
    """
    lost = x.view(np.int64) & ((1 << 29) - 1)
    is_small = (np.abs(x) < np.finfo(np.float32).tiny) & (x != 0)
    return np.asarray((lost == 1 << 28) | is_small)


def _sum_to_odd(x: Array, y: Array) -> Array:
    """x + y, rounded to odd, so that rounding to f32 rounds the exact sum."""
    total = x + y
    part = total - x
    error = (x - (total - part)) + (y - part)
    away = np.where(error > 0, np.inf, -np.inf)
    even = total.view(np.int64) % 2 == 0
    inexact = np.isfinite(error) & (error != 0)
    return np.where(inexact & even, np.nextafter(total, away), total)


def requantized(scale: Array, bias: Array, step: Array, sum: Array, *_: Array) -> Array:
    """``(sum * scale + bias) / step`` in f32, rounded to an integer of 32 bits that is nearest."""
    quotient = np.rint((sum.astype(np.float32) * scale + bias) / step)
    return quotient.astype(np.float64).clip(-(2.0**31), 2.0**31 - 1)


def chosen(code: Array, *numbers: Array) -> Array:
    """The number at the position that a code of four bits says."""
    return np.choose(code.astype(np.intp), numbers)
