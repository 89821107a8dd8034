"""Interpolated values of images at positions that are data."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import Any

import opc.numpy as onp

from .traced import gathered


def is_inside(x: Any, n: Any) -> Any:
    """Whether positions are on an axis of n elements."""
    return (x >= 0) & (x <= n - 1)


def _reflected(x: Any, low: Any, high: Any) -> Any:
    """x reflected at two bounds until it is between them."""
    span = high - low
    beyond = onp.where(x < low, low - x, x - high)
    times = onp.trunc(beyond / span)
    rest = beyond - times * span
    even = times - 2 * onp.floor(times / 2) == 0
    below = onp.where(even, low + rest, high - rest)
    above = onp.where(even, high - rest, low + rest)
    return onp.where(x < low, below, onp.where(x > high, above, x))


def _cubic(t: Any) -> list[Any]:
    """Cubic weights of four neighbours; t is the distance from the second."""
    a = -0.75

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def sampled(x: Any, positions: Sequence[Any], sizes: Sequence[Any], axes: Sequence[int]) -> Any:
    """The elements of x at positions along its last axes, clipped to them."""
    indices = [
        onp.minimum(onp.maximum(p.astype("i64"), 0), n - 1)
        for p, n in zip(positions, sizes, strict=True)
    ]
    return gathered(x, axes, *indices, batch=axes[0] - 1)


def grid_sampled(x: Any, points: Any, mode: str, padding: str, corners: bool) -> Any:
    """Images x [N, C, spatial...] at points [N, ..., rank] of -1 to 1, the last axis first.

    ``mode`` is nearest, linear or cubic; ``padding`` zeros, border or reflection; with ``corners``
    -1 and 1 are the centres of the first and the last element, else their outer edges.
    """
    trace, type, rank = x.trace, x.element, x.ndim - 2
    sizes = [trace.size(e) for e in x.extents[2:]]
    corners_of: list[list[tuple[Any, Any]]] = []
    for k, n in enumerate(sizes):
        g = points[..., rank - 1 - k]
        at = (g + 1) / 2 * (n - 1) if corners else ((g + 1) * n - 1) / 2
        low, high = (0.0, n - 1.0) if corners else (-0.5, n - 0.5)
        at = onp.rint(at) if mode == "nearest" else at
        if padding == "border" and mode != "cubic":
            # Cubic neighbours are clipped one by one instead.
            at = onp.where((at < low) | (at > high), onp.clip(at, 0.0, n - 1.0), at)
        elif padding == "reflection":
            at = _reflected(at, low, high)
        base = at if mode == "nearest" else onp.floor(at)
        part = at - base
        weights = {"nearest": [None], "linear": [1 - part, part], "cubic": []}[mode]
        weights = _cubic(part) if mode == "cubic" else weights
        first = -1 if mode == "cubic" else 0
        around = [base + (first + j) for j in range(len(weights))]
        if padding == "reflection":
            around = [onp.trunc(_reflected(p, low, high)) for p in around]
        corners_of.append(list(zip(around, weights, strict=True)))
    total: Any = None
    for corner in itertools.product(*corners_of):
        positions = [position for position, _ in corner]
        term = sampled(x, positions, sizes, range(2, 2 + rank))
        ones = [w for _, w in corner if w is not None]
        if ones:
            term = term * onp.expand_dims(prod(ones[1:], start=ones[0]), 1).astype(type.name)
        if padding == "zeros":
            there = is_inside(positions[0], sizes[0])
            for position, n in zip(positions[1:], sizes[1:], strict=True):
                there = there & is_inside(position, n)
            zero = trace.constant([0], type).reshape(())
            term = onp.where(onp.expand_dims(there, 1), term, zero)
        total = term if total is None else total + term
    return total
