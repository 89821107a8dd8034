"""Comparison of results with the oracle, by the tolerances of docs/numerics.md."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from opc.dialects.element import BY_NAME, ElementType

ELEMENT_OF = {e.dtype: e for e in BY_NAME.values()}
UNIT = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-24, "bf16": 2.0**-24}
"""Half an ULP of 1 in the type that accumulates."""


def is_float(x: np.ndarray) -> bool:
    return x.dtype.kind == "f" or x.dtype.name == "bfloat16"


def _ordered(x: np.ndarray) -> np.ndarray:
    """Floats as integers in the same order, neighbours one apart, -0 and +0 equal."""
    signed = x.view(f"i{x.dtype.itemsize}")
    least = np.iinfo(signed.dtype).min
    return np.where(signed < 0, least - signed, signed).astype(np.int64)


def ulp_distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How many floats lie between, as f64; infinity is the neighbour of the greatest number."""
    x, y = _ordered(np.ascontiguousarray(a)), _ordered(np.ascontiguousarray(b))
    # Of different signs, the distance can exceed 63 bits.
    apart = np.abs(x.astype(np.float64) - y.astype(np.float64))
    same = (x < 0) == (y < 0)
    near = np.abs(np.where(same, x, 0) - np.where(same, y, 0))
    return np.where(same, near.astype(np.float64), apart)


def spacing(x: np.ndarray) -> np.ndarray:
    """The distance from |x| to the float above, as f64."""
    finite = np.where(np.isfinite(x.astype(np.float64)), x, np.zeros_like(x))
    above = (np.abs(finite).view(f"u{x.dtype.itemsize}") + 1).astype(f"u{x.dtype.itemsize}")
    gap = above.view(x.dtype).astype(np.longdouble) - np.abs(finite).astype(np.longdouble)
    return np.where(np.isfinite(gap), gap, 0).astype(np.longdouble)


def assert_close(
    actual: np.ndarray,
    expected: np.ndarray,
    ulp: float = 0,
    bound: np.ndarray | float | None = None,
    zero_signs: bool = True,
    what: str = "",
) -> None:
    """Fail unless types and shapes are equal and values within ``ulp``, or ``bound`` plus that.

    Always equal: integers, positions of NaN, and without ``ulp`` infinities; with ``zero_signs``
    also the signs of zeros, where both are zero.
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype, f"{what}: {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"{what}: {actual.shape}, expected {expected.shape}"
    if not is_float(expected):
        _report(actual != expected, actual, expected, what, "values")
        return
    with np.errstate(all="ignore"):
        nan = np.isnan(expected)
        _report(np.isnan(actual) != nan, actual, expected, what, "positions of NaN")
        if bound is None:
            wrong = ulp_distance(actual, expected) > ulp
        else:
            error = np.abs(actual.astype(np.longdouble) - expected.astype(np.longdouble))
            wrong = ~(error <= bound + ulp * spacing(expected))
            infinite = np.isinf(actual) | np.isinf(expected)
            wrong = np.where(infinite, actual != expected, wrong)
    _report(wrong & ~nan, actual, expected, what, f"values beyond {ulp} ULP")
    if zero_signs:
        with np.errstate(all="ignore"):
            zeros = (actual == 0) & (expected == 0)
        signs = np.signbit(actual) != np.signbit(expected)
        _report(zeros & signs, actual, expected, what, "signs of zero")


def assert_same_bits(actual: np.ndarray, expected: np.ndarray, what: str = "") -> None:
    """Fail unless all bits are equal, whichever NaN it is."""
    assert_close(actual, expected, what=what)


def _report(
    wrong: np.ndarray, actual: np.ndarray, expected: np.ndarray, what: str, aspect: str
) -> None:
    wrong = np.asarray(wrong)
    if not wrong.any():
        return
    where = [tuple(int(k) for k in index) for index in np.argwhere(wrong)[:5]]
    examples = ", ".join(f"{list(i)}: {actual[i]!r} for {expected[i]!r}" for i in where)
    raise AssertionError(f"{what}: {int(wrong.sum())} of {wrong.size} {aspect} differ: {examples}")


def sum_bound(x: np.ndarray, axes: Sequence[int], keepdims: bool, type: ElementType) -> np.ndarray:
    """(16 + 2 ceil(log2 n)) u sum |x|."""
    n = math.prod(x.shape[axis] for axis in axes)
    total = np.sum(np.abs(x.astype(np.longdouble)), axis=tuple(axes), keepdims=keepdims)
    return (16 + 2 * math.ceil(math.log2(max(n, 1)))) * UNIT[type.name] * total


def matmul_bound(a: np.ndarray, b: np.ndarray, type: ElementType) -> np.ndarray:
    """4 sqrt(K) u sum |a||b|."""
    total = np.matmul(np.abs(a.astype(np.longdouble)), np.abs(b.astype(np.longdouble)))
    return 4 * math.sqrt(a.shape[-1]) * UNIT[type.name] * total
