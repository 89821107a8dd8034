"""Overlap of boxes, on traced arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp


def over_union(
    mine: Sequence[Any],
    other: Sequence[Any],
    offset: float = 0,
    *,
    touching: bool = False,
    solid: bool = False,
) -> Any:
    """Intersection over union of boxes (x, y, x, y), 0 if they are disjoint.

    Sides are ``offset`` longer: with 1, corners are centres of pixels.  ``touching`` ignores the
    offset when it tests for disjoint boxes; ``solid`` gives 0 for boxes without an area.
    """
    sides = [
        onp.maximum(
            onp.minimum(mine[k + 2], other[k + 2]) - onp.maximum(mine[k], other[k]) + offset, 0.0
        )
        for k in range(2)
    ]
    shared = sides[0] * sides[1]
    areas = [(v[2] - v[0] + offset) * (v[3] - v[1] + offset) for v in (mine, other)]
    is_some = (sides[0] > 0.0) & (sides[1] > 0.0)
    if touching:
        for k in range(2):
            is_some = is_some & (mine[k] <= other[k + 2]) & (other[k] <= mine[k + 2])
    if solid:
        is_some = is_some & (areas[0] > 0.0) & (areas[1] > 0.0)
    return onp.where(is_some, shared / (areas[0] + areas[1] - shared), np.float32(0))
