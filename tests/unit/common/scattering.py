"""A transposed convolution as it is written down: every element goes to where it belongs."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np


def scattered(
    x: np.ndarray,
    w: np.ndarray,
    strides: Any,
    dilations: Any,
    groups: int,
    before: Any,
    sizes: Any,
) -> np.ndarray:
    """Every element of x puts its multiple of the filters where it belongs."""
    rank, each, share = x.ndim - 2, w.shape[1], x.shape[1] // groups
    result = np.zeros((x.shape[0], each * groups, *sizes))
    for at in product(*map(range, x.shape[2:])):
        for tap in product(*map(range, w.shape[2:])):
            place = tuple(
                at[k] * strides[k] + tap[k] * dilations[k] - before[k] for k in range(rank)
            )
            if not all(0 <= p < n for p, n in zip(place, sizes, strict=True)):
                continue
            for g in range(groups):
                channels = slice(g * share, (g + 1) * share)
                part = x[(slice(None), channels, *at)] @ w[(channels, slice(None), *tap)]
                result[(slice(None), slice(g * each, (g + 1) * each), *place)] += part
    return result
