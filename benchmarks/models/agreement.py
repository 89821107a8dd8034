"""Whether results agree, and what may lie between those that do.

A difference is in parts of the largest value of a result, or of 1e-3 if all are smaller: peers have
functions that are right in parts of 1.  (onnxruntime's sigmoid of -12.117 is 5.4538e-6, the exact
one 5.4662e-6.)  What opc computes may be as far from the nearest of its peers as

- 2e-5, of sums of some thousand terms in f32;
- 4 times what lies between two peers, onnxruntime with its optimizations or without or OpenVINO:
  where scores are nearly equal, or a result is a small difference of large values, a rounding
  decides;
- 4 times what a result moves in onnxruntime when the model's parameters change in their last bit,
  and the values at which it is cut, if the model rounds values to integers on the way: one that
  lies between two integers goes to the other one, which is a step of the scale and not of the type.

Shapes, types and the number of results must be equal, NaN and infinities at the same elements, and
integers equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.models.inputs import Array

TOLERANCE = 2e-5
FACTOR = 4
SMALLEST = 1e-3


def tolerance(spread: float, noise: float) -> float:
    """The largest difference that is right, from the largest ones that are not of opc."""
    return max(TOLERANCE, FACTOR * max((d for d in (spread, noise) if d < math.inf), default=0))


def difference(results: Sequence[Any], expected: Sequence[Any]) -> tuple[float, str]:
    """The largest difference, and what is different in kind, with which it is infinite."""
    if len(results) != len(expected):
        return math.inf, f"{len(results)} results, expected {len(expected)}"
    worst = 0.0
    for number, pair in enumerate(zip(results, expected, strict=True)):
        ours, theirs = map(_array, pair)
        if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
            return math.inf, f"result {number}: {_type(ours)}, expected {_type(theirs)}"
        apart = _difference(ours, theirs)
        if apart == math.inf:
            return apart, f"result {number}: NaN or infinity at other elements"
        worst = max(worst, apart)
    return worst, ""


def _array(result: Any) -> Array:
    """A result as an array: a sequence of dictionaries has one column for each key."""
    if hasattr(result, "shape"):
        return np.asarray(result)
    rows: list[Any] = list(result)
    if not rows or not hasattr(rows[0], "keys"):
        return np.asarray(rows)
    return np.array([[row[key] for key in sorted(row)] for row in rows], np.float32)


def _type(array: Array) -> str:
    return f"{array.dtype}{list(array.shape)}"


def _difference(ours: Array, theirs: Array) -> float:
    if not theirs.size:
        return 0.0
    if theirs.dtype.kind != "f":
        differing: Array = ours != theirs
        return float(differing.mean())
    finite = np.isfinite(theirs)
    if not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True):
        return math.inf
    if not finite.any():
        return 0.0
    a, b = (array[finite].astype(np.float64) for array in (ours, theirs))
    if not np.isfinite(a).all():
        return math.inf
    return float(np.abs(a - b).max() / max(np.abs(b).max(), SMALLEST))
