"""Functions of every element by itself that opc has no operator for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el


def wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of several operations, which computes f16 and bf16 in f32 and rounds once."""

    def call(*arrays: Any) -> Any:
        type = arrays[0].element
        if not type.is_small_float:
            return function(*arrays)
        return function(*(x.astype("f32") for x in arrays)).astype(type)

    return call


def signed(x: Any, kind: str) -> Any:
    """The same bits as a signed (``i``) or unsigned (``ui``) integer."""
    return onp.bitcast(x, el.BY_NAME[f"{kind}{x.element.bits}"])


def round_away(x: Any) -> Any:
    """The nearest integer; halves go away from zero."""
    integral = onp.trunc(x)
    return integral + onp.sign(x) * (onp.abs(x - integral) >= 0.5).astype(x.element)


def rsqrt(x: Any) -> Any:
    """1 / sqrt(x)."""
    return 1.0 / onp.sqrt(x)


def cbrt(x: Any) -> Any:
    """The cube root: a power, and a step of Newton's method."""
    type = x.element
    size = onp.abs(x).astype("f64")
    root = onp.power(size, 1.0 / 3.0)
    better = root - (root * root * root - size) / (3.0 * root * root)
    root = onp.where((size > 0.0) & onp.isfinite(size), better, size)
    return (onp.sign(x).astype("f64") * root).astype(type)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), with the signs of zeros."""
    a, b = onp.abs(x), onp.abs(y)
    low, high = onp.minimum(a, b), onp.maximum(a, b)
    both = (low == onp.inf) | (high == 0.0)
    ratio = onp.where(both, onp.where(high == 0.0, 0.0 * low, 1.0 + 0.0 * x), low / high)
    ratio = onp.where((low == onp.inf), x.trace.constant(1.0, x.element), ratio)
    angle = onp.arctan(ratio)
    angle = onp.where(b > a, math.pi / 2 - angle, angle)
    angle = onp.where(is_negative(x), math.pi - angle, angle)
    angle = onp.where(onp.isnan(x) | onp.isnan(y), x + y, angle)
    return onp.where(is_negative(y), -angle, angle)


def is_negative(x: Any) -> Any:
    """Whether the sign of a float is minus, also that of zero."""
    return signed(x, "i") < 0


def next_after(x: Any, y: Any) -> Any:
    """The float next to x in the direction of y."""
    bits = signed(x, "i")
    type = bits.element
    one, least = x.trace.constant(1, type), x.trace.constant(type.lowest, type)
    away = (x < y) == (x > 0.0)
    step = onp.where(away, bits + one, bits - one)
    tiny = onp.where(y > 0.0, one, least | one)
    moved = onp.bitcast(onp.where(x == 0.0, tiny, step), x.element)
    return onp.where(onp.isnan(x) | onp.isnan(y), x + y, onp.where(x == y, y, moved))
