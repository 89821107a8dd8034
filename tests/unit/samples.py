"""Arrays to try operators on: special values and random ones, of every element type and shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import DTypeLike

from opc.dialects.element import ElementType

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

_EDGES = {
    "f64": (1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, 2.0**-53, 2.0**52 + 0.5),
    "f32": (3.4028234663852886e38, 1.1754943508222875e-38, 1e-45, 2.0**-24, 2.0**22 + 0.5),
    "f16": (65504.0, 6.103515625e-05, 6e-08, 2.0**-11, 1023.5),
    "bf16": (3.3895313892515355e38, 1.1754943508222875e-38, 9.2e-41, 2.0**-8, 127.5),
}
"""Greatest, least normal, least subnormal, below the last bit of 1, half beside an integer."""

_NUMBERS = (
    0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.1, 0.99, 1.01, math.pi, math.pi / 2, 6.0, 10.0, 40.0,
    88.5, 95.0, 100.0, 127.6, 128.0, 255.9, 700.0, 740.0, 32767.5, 1e4, 2.0**31, 2.0**32,
    2.0**63, 2.0**64, 1e-4, 1e-8, 1e-30, 1e20, 1e30,
)  # fmt: skip


def special_values(type: ElementType) -> np.ndarray:
    """The values where functions have their corners, of both signs."""
    if type.kind == "bool":
        return np.array([False, True])
    if type.is_integer:
        least, most = int(type.lowest), int(type.highest)
        near = [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 63, 64, 100, -1, -2, -3, -5, -8, -100]
        ends = [least, least + 1, most - 1, most, most // 2, least // 2, math.isqrt(most)]
        return np.array(sorted({v for v in near + ends if least <= v <= most}), dtype=type.dtype)
    positive = np.array([*_NUMBERS, *_EDGES[type.name], math.inf], dtype=np.float64)
    with np.errstate(all="ignore"):
        values = np.concatenate([positive, -positive, [math.nan]]).astype(type.dtype)
    return values


def random_values(type: ElementType, count: int, seed: int = 0, extent: float = 4) -> np.ndarray:
    """Floats of normal distribution and of many magnitudes, integers of all sizes."""
    rng = np.random.default_rng([seed, len(type.name), type.bits])
    if type.kind == "bool":
        return rng.random(count) < 0.5
    if type.is_integer:
        bits = rng.integers(1, type.bits, size=count, dtype=np.uint64)
        size = rng.integers(0, 2**63, size=count, dtype=np.uint64) >> (np.uint64(63) - bits)
        signs = rng.choice([-1, 1], size=count)
        value = size.astype(np.int64) * (signs if type.kind == "signed" else 1)
        return value.astype(type.dtype)
    moderate = rng.standard_normal(count) * extent
    scaled = moderate * np.exp(rng.uniform(-20, 20, size=count))
    with np.errstate(all="ignore"):
        return np.where(rng.random(count) < 0.7, moderate, scaled).astype(type.dtype)


def values(type: ElementType, shape: Sequence[int], seed: int = 0) -> np.ndarray:
    """Special and random values, shuffled into a shape."""
    count = math.prod(shape)
    special = special_values(type)
    pool = np.concatenate([special, random_values(type, max(count, len(special)), seed)])
    rng = np.random.default_rng([seed, count])
    return rng.permutation(pool)[:count].reshape(shape)


def moderate(type: ElementType, shape: Sequence[int], seed: int = 0) -> np.ndarray:
    """Values whose sums and products stay finite: about 1 in size, of both signs."""
    rng = np.random.default_rng([seed, math.prod(shape), len(shape)])
    if type.kind == "bool":
        return rng.random(tuple(shape)) < 0.5
    if type.is_integer:
        return random_values(type, math.prod(shape), seed).reshape(tuple(shape))
    return rng.standard_normal(tuple(shape)).astype(type.dtype)


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
