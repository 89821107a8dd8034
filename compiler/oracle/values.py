"""Arrays to try graphs on: special values and random ones, of every element type and shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from opc.dialects.element import ElementType
from opc.interpret.precision import Array

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


def special_values(type: ElementType) -> Array:
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


def random_values(type: ElementType, count: int, seed: int = 0, extent: float = 4) -> Array:
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


def values(type: ElementType, shape: Sequence[int], seed: int = 0) -> Array:
    """Special and random values, shuffled into a shape."""
    count = math.prod(shape)
    special = special_values(type)
    pool = np.concatenate([special, random_values(type, max(count, len(special)), seed)])
    rng = np.random.default_rng([seed, count])
    return rng.permutation(pool)[:count].reshape(shape)


def moderate(type: ElementType, shape: Sequence[int], seed: int = 0) -> Array:
    """Values whose sums and products stay finite: about 1 in size, of both signs."""
    rng = np.random.default_rng([seed, math.prod(shape), len(shape)])
    if type.kind == "bool":
        return rng.random(tuple(shape)) < 0.5
    if type.is_integer:
        return random_values(type, math.prod(shape), seed).reshape(tuple(shape))
    return rng.standard_normal(tuple(shape)).astype(type.dtype)
