"""Comparison of results with the oracle, by the tolerances of docs/numerics.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from opc.dialects import einsum_plan
from opc.dialects.element import ElementType
from opc.interpret import labelled, transposed
from opc.interpret.precision import Array, is_float
from opc.interpret.tolerance import (
    ELEMENT_OF,
    UNIT,
    numeric,
    relative,
    spacing,
    sum_bound,
    ulp_distance,
)
from opc.interpret.window import total_of


def matmul_bound(a: Array, b: Array, type: ElementType) -> Array:
    """4 sqrt(K) u sum |a||b|."""
    total = np.matmul(np.abs(numeric(a)), np.abs(numeric(b)))
    return 4 * math.sqrt(a.shape[-1]) * UNIT[type.name] * total


def conv_bound(x: Array, w: Array, type: ElementType, params: Mapping[str, Any]) -> Array:
    """The same for a convolution."""
    total = total_of(np.abs(numeric(x)), np.abs(numeric(w)), params)
    return 4 * math.sqrt(max(math.prod(w.shape[1:]), 1)) * UNIT[type.name] * total


def conv_transpose_bound(x: Array, w: Array, type: ElementType, params: Mapping[str, Any]) -> Array:
    """The same for a transposed one, of which a result has at most all products of a filter."""
    total = transposed.total_of(np.abs(numeric(x)), np.abs(numeric(w)), params)
    count = w.shape[0] // params["groups"] * math.prod(w.shape[2:])
    return 4 * math.sqrt(max(count, 1)) * UNIT[type.name] * total


def contract_bound(arrays: Sequence[Array], type: ElementType, equation: str) -> Array:
    """The same for a contraction by labels, whose operands are combined two at a time."""
    terms, result = einsum_plan.split(equation)
    total = labelled.total_of(equation, *(np.abs(numeric(x)) for x in arrays))
    extents: dict[str, int] = {}
    for term, x in zip(terms, arrays, strict=True):
        for label, n in zip(term, x.shape, strict=True):
            extents[label] = max(n, extents.get(label, n))
    n = max(math.prod(n for label, n in extents.items() if label not in result), 1)
    per_product = max(4 * math.sqrt(n), relative(n)) + 1
    return len(arrays) * per_product * UNIT[type.name] * total


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


__all__ = [
    "ELEMENT_OF",
    "UNIT",
    "assert_close",
    "assert_same_bits",
    "is_float",
    "matmul_bound",
    "spacing",
    "sum_bound",
    "ulp_distance",
]
