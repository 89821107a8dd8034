"""Orders of sums that docs/numerics.md states for more than one kind of loop."""

from __future__ import annotations

import numpy as np


def in_pairs(blocks: list[np.ndarray]) -> np.ndarray:
    """Blocks added in pairs, pairs of pairs, ...: what is left at last, the fewest blocks first."""
    levels: list[np.ndarray | None] = []
    for total in blocks[:-1]:
        level = 0
        while level < len(levels) and (other := levels[level]) is not None:
            total, levels[level] = other + total, None
            level += 1
        levels[level : level + 1] = [total]
    total = blocks[-1]
    for other in levels:
        total = total if other is None else other + total
    return total
