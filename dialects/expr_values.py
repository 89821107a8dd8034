"""The values of the functions in an expression, for integers and NumPy arrays of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _quotient(a: Any, b: Any) -> Any:
    # Nothing is indexed if an extent is 0, but divisions by it are computed.
    return a // b if isinstance(b, np.ndarray) or b != 0 else 0 * a


def _rest(a: Any, b: Any) -> Any:
    return a % b if isinstance(b, np.ndarray) or b != 0 else 0 * a


def _lesser(a: Any, b: Any) -> Any:
    return b + (a - b) * (a < b)  # of arrays too


def _greater(a: Any, b: Any) -> Any:
    return a + (b - a) * (a < b)


def _broadcast_extent(a: int, b: int) -> int:
    return b if a == 1 else a


def _is_nonunit(a: int) -> int:
    return int(a != 1)


def _is_at_least(a: int, b: int) -> int:
    return int(a >= b)


def _power_of_two(a: int) -> int:
    return 1 << max(0, int(a).bit_length() - 1) if a > 0 else 1


EVALUATE: dict[str, Callable[..., Any]] = {
    "floordiv": _quotient,
    "mod": _rest,
    "bcast": _broadcast_extent,
    "nonunit": _is_nonunit,
    "min": _lesser,
    "max": _greater,
    "atleast": _is_at_least,
    "pow2": _power_of_two,
}
"""The functions by name."""
