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


_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "floordiv": _quotient,
    "mod": _rest,
    "bcast": lambda a, b: b if a == 1 else a,
    "min": lambda a, b: b + (a - b) * (a < b),  # of arrays too
    "max": lambda a, b: a + (b - a) * (a < b),
    "atleast": lambda a, b: int(a >= b),
}
_ONE: dict[str, Callable[[Any], Any]] = {
    "nonunit": lambda a: int(a != 1),
    "pow2": lambda a: 1 << max(0, int(a).bit_length() - 1) if a > 0 else 1,
}
EVALUATE: dict[str, Callable[..., Any]] = {**_ONE, **_TWO}
"""The functions by name."""
