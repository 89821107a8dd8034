"""Conversions between NumPy arrays and the small element types, as by ONNX's Cast.

Floats of 8 and 4 bits take the nearest value, ties the even code.  Values beyond the greatest one
saturate to it or, unsaturated, become infinity, or NaN if the type has no infinity.  Powers of two
(f8E8M0FNU) have three rounding modes and drop the sign.  f4E2M1FN has no NaN: -0 stands for NaNs of
both signs, since the sign of a NaN differs between machines.  Integers keep their lowest bits.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np

from .element import SMALL, ElementType

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_BY_DTYPE = {e.dtype.name: e for e in SMALL}
_LEAST_POWER, _GREATEST_POWER, _POWER_NAN = 0, 254, 255


def small_type(dtype: np.dtype[Any]) -> ElementType | None:
    """The small element type of a dtype, None for other dtypes."""
    return _BY_DTYPE.get(dtype.name)


def widen(x: Array, type: ElementType) -> Array:
    """The exact values: f32 for floats, i8 or ui8 for integers."""
    codes = np.ascontiguousarray(x).view(np.uint8) & np.uint8((1 << type.bits) - 1)
    if type.small == "float":
        return _values(type)[codes].reshape(x.shape)
    sign = np.uint8(1 << (type.bits - 1))
    if type.small == "signed":
        return ((codes ^ sign) - sign).view(np.int8).reshape(x.shape)
    return codes.reshape(x.shape)


@cache
def _values(type: ElementType) -> Array:
    """The value of every code; NaNs are quiet and have the sign of the code."""
    codes = np.arange(1 << type.bits, dtype=np.uint8)
    values = codes.view(type.dtype).astype(np.float32)
    sign = np.where((codes >> (type.bits - 1) == 1) & has_signed_nan(type), -1.0, 1.0)
    return np.where(np.isnan(values), np.copysign(np.float32(np.nan), sign), values).astype("f4")


def has_signed_nan(type: ElementType) -> bool:
    """Whether there are a positive and a negative NaN."""
    return type.name in ("f8E4M3FN", "f8E5M2")


def narrow(x: Array, type: ElementType, mode: str, saturate: bool) -> Array:
    """Round floats or integers of 8 to 64 bits, or booleans, to a small type."""
    if type.small != "float":
        # The caller has converted floats to integers.
        codes = x.astype(np.uint8) & np.uint8((1 << type.bits) - 1)
    elif type.name == "f8E8M0FNU":
        codes = _power_codes(_magnitude(x), mode, saturate)
    else:
        exact = x if x.dtype.kind in "iub" else x.astype(np.float64)
        negative = exact < 0 if x.dtype.kind in "iub" else np.signbit(exact)
        codes = _codes(_magnitude(x), negative, type, saturate)
    return np.ascontiguousarray(codes).view(type.dtype).reshape(x.shape)


def _magnitude(x: Array) -> Array:
    """|x| as f64; 64-bit integers of more than 53 bits are rounded to odd."""
    if x.dtype.kind not in "iu" or x.dtype.itemsize < 8:
        return np.abs(x.astype(np.float64))
    size = np.where(x < 0, np.uint64(0) - x.astype(np.uint64), x.astype(np.uint64))
    low = np.uint64(0x7FF)
    traced = (size & ~low) | ((size & low != 0).astype(np.uint64) << np.uint64(11))
    return np.where(size >> np.uint64(53) != 0, traced, size).astype(np.float64)


def _codes(size: Array, negative: Array, type: ElementType, saturate: bool) -> Array:
    signs = np.uint8(1 << (type.bits - 1))
    positive = _values(type)[: int(signs)].astype(np.float64)
    finite = positive[np.isfinite(positive)]
    # One more step above the greatest value, as if there were another value.
    steps = np.append(finite, 2 * finite[-1] - finite[-2])
    ties = (steps[1:] + steps[:-1]) / 2
    codes = np.searchsorted(ties, size, side="left").astype(np.uint8)
    at = np.minimum(codes, len(ties) - 1)
    codes += ((size == ties[at]) & (codes % 2 == 1)).astype(np.uint8)
    greatest = np.uint8(len(finite) - 1)
    # After the codes of finite values come infinity, if there is one, and NaN.
    beyond = greatest if saturate or type.bits == 4 else greatest + np.uint8(1)
    codes = np.where(codes > greatest, beyond, codes)
    sign = np.where(negative, signs, np.uint8(0))
    if has_signed_nan(type):
        nan = int(signs) - (1 if type.name == "f8E4M3FN" else 2)
        return np.where(np.isnan(size), np.uint8(nan), codes) | sign
    if type.bits == 4:
        return np.where(np.isnan(size), signs, codes | sign)
    # The only NaN has the code of -0.
    return np.where(np.isnan(size), signs, np.where(codes != 0, codes | sign, codes))


def _power_codes(size: Array, mode: str, saturate: bool) -> Array:
    fraction, exponent = np.frexp(size)
    # size = fraction * 2^exponent with 1/2 <= fraction < 1; code k is 2^(k - 127).
    up = {"up": fraction > 0.5, "down": np.zeros_like(fraction, bool), "nearest": fraction >= 0.75}
    codes = exponent.astype(np.int64) + 126 + up[mode]
    least, greatest = (_LEAST_POWER, _GREATEST_POWER) if saturate else (_POWER_NAN, _POWER_NAN)
    codes = np.where((codes > _GREATEST_POWER) | np.isinf(size), greatest, codes)
    codes = np.where(size < 2.0**-127, least, codes)
    return np.where(np.isnan(size), _POWER_NAN, codes).astype(np.uint8)
