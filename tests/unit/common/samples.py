"""Arrays to try operators on: special values and random ones, of every element type and shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import DTypeLike

from opc.dialects.element import ElementType
from opc.oracle.inputs import moderate, random_values, special_values, values

LENGTHS = (1, 7, 8, 9, 1000)
"""Around the vector widths, and more than one block of a reduction."""

SHAPES = {
    "rank 0": (),
    "rank 1": (9,),
    "rank 2": (3, 7),
    "rank 3": (2, 3, 4),
    "rank 4": (2, 1, 3, 8),
    "rank 5": (1, 2, 1, 3, 9),
    "rank 6": (2, 1, 3, 1, 2, 5),
    "rank 16": (1, 2, 1, 1, 2, 1, 1, 1, 3, 1, 1, 2, 1, 1, 1, 2),
    "zero size": (3, 0, 2),
    "zero first": (0, 5),
    "ones": (1, 1, 1),
}

BROADCASTS = {
    "row": ((3, 7), (7,)),
    "column": ((3, 7), (3, 1)),
    "both ways": ((3, 1, 5), (4, 1)),
    "scalar": ((2, 9), ()),
    "one": ((2, 9), (1,)),
    "zero": ((3, 0), (1, 1)),
    "rank 6": ((2, 1, 3, 1, 2, 5), (4, 1, 3, 1, 1)),
    "rank 16": (SHAPES["rank 16"], (2, 1)),
}


def pairs(type: ElementType) -> tuple[np.ndarray, np.ndarray]:
    """Every special value with every other, then random pairs, equal ones among them."""
    special = special_values(type)
    a, b = (grid.ravel() for grid in np.meshgrid(special, special, indexing="ij"))
    x, y = random_values(type, 300, 1), random_values(type, 300, 2)
    return np.concatenate([a, x, x[:50]]), np.concatenate([b, y, x[:50]])


def between_guards(shape: Sequence[int], dtype: DTypeLike) -> tuple[np.ndarray, np.ndarray]:
    """An array, and the bytes of it and of 256 before and behind it, which are all 0x5a."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    around = np.full(size + 512, 0x5A, np.uint8)
    return around[256 : 256 + size].view(dtype).reshape(shape), around


def is_untouched(around: np.ndarray) -> bool:
    """Whether the bytes before and behind an array are still what they were."""
    return bool((around[:256] == 0x5A).all() and (around[-256:] == 0x5A).all())


shapes = st.lists(st.integers(0, 5), max_size=4).map(tuple)
"""Shapes of up to 625 elements; extents 0 and 1 are frequent."""


@st.composite
def broadcast_shapes(draw: st.DrawFn, count: int = 2) -> list[tuple[int, ...]]:
    """Shapes that broadcast against each other."""
    full = draw(shapes)
    result: list[tuple[int, ...]] = []
    for _ in range(count):
        own = full[draw(st.integers(0, len(full))) :]
        result.append(tuple(1 if draw(st.booleans()) else extent for extent in own))
    return result


@st.composite
def axes_of(draw: st.DrawFn, rank: int) -> tuple[int, ...]:
    """Unique axes of a tensor of that rank, counted from either end."""
    chosen = draw(st.lists(st.integers(0, rank - 1), unique=True)) if rank else []
    return tuple(axis - rank if draw(st.booleans()) else axis for axis in chosen)


__all__ = [
    "BROADCASTS",
    "LENGTHS",
    "SHAPES",
    "axes_of",
    "between_guards",
    "broadcast_shapes",
    "is_untouched",
    "moderate",
    "pairs",
    "random_values",
    "shapes",
    "special_values",
    "values",
]
