"""Special functions of arrays, for f64; :func:`in_f64` rounds them once to other floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp

BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330, 854513 / 138,
)  # fmt: skip
"""The numbers B(2), B(4), ..."""
SHIFT = 10
"""From here on asymptotic series of f64 are exact to the last bits."""
TERMS = 90
"""Terms of the continued fraction of erfc from 1.4 on."""
NODES = 64
"""Nodes of the integral of a Bessel function, enough up to ``FAR``."""
FAR = 150.0


def polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    """By Horner's rule, the constant first."""
    return reduce(lambda total, c: total * x + c, reversed(coefficients))


def in_f64(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of f64 for all floats."""
    return lambda *arrays: function(*(x.astype("f64") for x in arrays)).astype(arrays[0].element)


def sine_of_turns(x: Any) -> Any:
    """|sin(pi x)|, exactly 0 for integers."""
    part = x - onp.floor(x)
    return onp.sin(math.pi * onp.minimum(part, 1.0 - part))


def shifted(x: Any) -> tuple[Any, Any]:
    """x moved to at least ``SHIFT`` by integers, and whether it was."""
    small = x < SHIFT
    return onp.where(small, x + SHIFT, x), small


def lgamma(x: Any) -> Any:
    """The logarithm of |gamma(x)|, by the series of Stirling and reflection."""
    y = onp.where(x < 0.5, 1.0 - x, x)
    z, small = shifted(y)
    product = y
    for k in range(1, SHIFT):
        product = product * onp.where(small, y + float(k), 1.0)
    series = [b / ((2 * k + 2) * (2 * k + 1)) for k, b in enumerate(BERNOULLI)]
    total = (z - 0.5) * onp.log(z) - z + 0.5 * math.log(2 * math.pi)
    total = total + polynomial(1.0 / (z * z), series) / z
    total = onp.where(small, total - onp.log(onp.where(small, product, 1.0)), total)
    reflected = math.log(math.pi) - onp.log(sine_of_turns(x)) - total
    total = onp.where(x < 0.5, reflected, total)
    total = onp.where((y == 1.0) | (y == 2.0), onp.where(x < 0.5, total, 0.0), total)
    return onp.where(onp.isinf(x), math.inf, total)


def digamma(x: Any) -> Any:
    """The derivative of log(gamma(x))."""
    y = onp.where(x < 0.5, 1.0 - x, x)
    z, small = shifted(y)
    steps = 1.0 / y
    for k in range(1, SHIFT):
        steps = steps + 1.0 / (y + float(k))
    series = [b / (2 * k + 2) for k, b in enumerate(BERNOULLI)]
    square = 1.0 / (z * z)
    total = onp.log(z) - 0.5 / z - square * polynomial(square, series)
    total = onp.where(small, total - steps, total)
    part = x - onp.rint(x)
    reflected = total - math.pi / onp.tan(math.pi * part)
    return onp.where(x < 0.5, onp.where(part == 0.0, math.nan, reflected), total)


def zeta(x: Any, q: Any) -> Any:
    """The sum of (q + k)^-x over all k >= 0, by the formula of Euler and Maclaurin."""
    total = onp.power(q, -x)
    for k in range(1, SHIFT):
        total = total + onp.power(q + float(k), -x)
    z = q + float(SHIFT)
    power = onp.power(z, -x)
    total = total + power * z / (x - 1.0) + 0.5 * power
    factor = x * power / z
    for k, b in enumerate(BERNOULLI):
        total = total + factor * (b / math.factorial(2 * k + 2))
        factor = factor * (x + (2.0 * k + 1.0)) * (x + (2.0 * k + 2.0)) / (z * z)
    pole = (q <= 0.0) & (q == onp.floor(q))
    total = onp.where(pole, math.inf, total)
    return onp.where(x == 1.0, math.inf, onp.where(x < 1.0, math.nan, total))


def polygamma(n: Any, x: Any) -> Any:
    """The n-th derivative of digamma."""
    sign = onp.where(onp.fmod(n, 2.0) == 0.0, -1.0, 1.0)
    result = sign * onp.exp(lgamma(n + 1.0)) * zeta(n + 1.0, x)
    return onp.where(n == 0.0, digamma(x), result)


def erfc(x: Any) -> Any:
    """1 - erf(x), for large x by a continued fraction."""
    size = onp.maximum(x, 1.4)
    fraction = size
    for k in range(TERMS, 0, -1):
        fraction = size + (k / 2.0) / fraction
    head = size.astype("f32").astype("f64")
    power = onp.exp(-head * head) * onp.exp(-(size - head) * (size + head))
    tail = power / (fraction * math.sqrt(math.pi))
    tail = onp.where(onp.isinf(size), 0.0, tail)
    return onp.where(x > 1.4, tail, 1.0 - onp.erf(x))


def erf_inv(x: Any) -> Any:
    """y with erf(y) = x: an estimate, and two steps of Halley's method."""
    size = onp.abs(x)
    half = onp.log1p(-size * size) * 0.5
    mean = 2.0 / (math.pi * 0.147) + half
    y = onp.sqrt(onp.sqrt(mean * mean - half * (2.0 / 0.147)) - mean)
    y = onp.where(size < 1e-6, size * (math.sqrt(math.pi) / 2), y)
    for _ in range(2):
        beyond = (1.0 - size) - erfc(y)
        wrong = onp.where(size > 0.5, beyond, onp.erf(y) - size)
        slope = 2.0 / math.sqrt(math.pi) * onp.exp(-y * y)
        y = y - wrong / (slope + y * wrong)
    y = onp.where(size == 1.0, math.inf, y)
    return onp.where(x < 0.0, -y, onp.where(size == 0.0, x, y))


def bessel_i1e(x: Any) -> Any:
    """I1(x) / e^|x|."""
    return scaled_bessel(1, x)


def scaled_bessel(order: int, x: Any) -> Any:
    """I0(x) / e^|x| or I1(x) / e^|x|: its integral, and series for small and for large x."""
    size = onp.abs(x)
    angles = (np.arange(NODES) + 0.5) * (math.pi / NODES)
    near = onp.minimum(size, FAR)[..., None] * (np.cos(angles) - 1.0)
    middle = onp.sum(onp.exp(near) * (np.cos(order * angles) / NODES), axis=-1)
    series, term = [1.0], 1.0
    for k in range(1, 10):
        term *= -(4 * order - (2 * k - 1) ** 2) / (8 * k)
        series.append(term)
    far = onp.maximum(size, FAR)
    large = polynomial(1.0 / far, series) / onp.sqrt(2 * math.pi * far)
    if order == 1:
        square = size * size / 4.0
        terms = [1 / (math.factorial(k) * math.factorial(k + 1)) for k in range(7)]
        small = 0.5 * size * onp.exp(-size) * polynomial(square, terms)
        middle = onp.where(size < 0.5, small, middle)
    result = onp.where(size > FAR, large, middle)
    result = onp.where(onp.isnan(x), x, onp.where(onp.isinf(x), 0.0, result))
    return result if order == 0 else onp.where(x < 0.0, -result, result)


def bessel(order: int, x: Any) -> Any:
    """I0(x) or I1(x)."""
    return scaled_bessel(order, x) * onp.exp(onp.abs(x))
