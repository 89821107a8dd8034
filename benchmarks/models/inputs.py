"""Seeded inputs of the kinds that models take: pictures, pages, speech, tokens, states.

An input has one maker for each size in which its model is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Make = Callable[[np.random.Generator], Array]
Input = tuple[Make, ...]
Extents = tuple[int, ...]

Scale = tuple[tuple[float, ...], tuple[float, ...]]
"""The mean and the deviation of each channel, of values from 0 to 1."""
UNIT: Scale = (0.0,), (1.0,)
HALF: Scale = (0.5,), (0.5,)
IMAGENET: Scale = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def pictures(*sizes: Extents, scale: Scale = UNIT, last: bool = False) -> Input:
    """Waves and boxes: for each size the batch, the height and the width; channels first."""
    return _scaled(_picture, sizes, scale, last=last)


def pages(*sizes: Extents, scale: Scale = HALF, channels: int = 3) -> Input:
    """Dark glyphs on light ground: for each size the batch, the height and the width."""
    return _scaled(_page, sizes, scale, channels=channels)


def speech(*sizes: Extents, gain: float = 0.5, rate: int = 16000) -> Input:
    """Harmonics of a voice that comes and goes; time is the last axis that is longer than 1."""

    def make(rng: np.random.Generator, extents: Extents) -> Array:
        axis = max(k for k, extent in enumerate(extents) if extent > 1)
        rows = [_voice(rng, extents[axis], rate) for _ in range(int(np.prod(extents[:axis])))]
        return (gain * np.stack(rows)).reshape(extents).astype(np.float32)

    return tuple(lambda rng, e=extents: make(rng, e) for extents in sizes)


def normal(*sizes: Extents, mean: float = 0, deviation: float = 1) -> Input:
    """Normal values in f32."""
    return tuple(
        lambda rng, e=extents: rng.normal(mean, deviation, e).astype(np.float32)
        for extents in sizes
    )


def integers(low: int, high: int, *sizes: Extents, dtype: str = "int64") -> Input:
    """Integers from ``low`` to below ``high``, in any type."""
    return tuple(
        lambda rng, e=extents: rng.integers(low, high, e).astype(dtype) for extents in sizes
    )


def counts(*sizes: Extents) -> Input:
    """Whole numbers in f32, half of which are zero."""
    return tuple(
        lambda rng, e=extents: (rng.integers(0, 40, e) * rng.integers(0, 2, e)).astype(np.float32)
        for extents in sizes
    )


def mask(*sizes: Extents, dtype: str = "int64") -> Input:
    """Ones, but for the last quarter of the first row."""

    def make(extents: Extents) -> Array:
        values = np.ones(extents, dtype)
        values[0, 3 * extents[1] // 4 :] = 0
        return values

    return tuple(lambda _, e=extents: make(e) for extents in sizes)


def constant(value: Any, dtype: str, *sizes: Extents) -> Input:
    """One value everywhere."""
    return tuple(lambda _, e=extents: np.full(e, value, dtype) for extents in sizes)


def _scaled(
    draw: Callable[[np.random.Generator, int, int], Array],
    sizes: tuple[Extents, ...],
    scale: Scale,
    *,
    channels: int = 3,
    last: bool = False,
) -> Input:
    mean, deviation = (np.array(values, np.float32) for values in scale)

    def make(rng: np.random.Generator, extents: Extents) -> Array:
        batch, height, width = extents
        values = np.stack([draw(rng, height, width) for _ in range(batch)])
        values = ((values.clip(0, 255).round() / 255).astype(np.float32) - mean) / deviation
        values = values[..., :channels]
        return np.ascontiguousarray(values if last else values.transpose(0, 3, 1, 2))

    return tuple(lambda rng, e=extents: make(rng, e) for extents in sizes)


def _picture(rng: np.random.Generator, height: int, width: int) -> Array:
    y, x = np.linspace(0, 1, height)[:, None, None], np.linspace(0, 1, width)[:, None]
    image = np.full((height, width, 3), 128.0)
    for _ in range(4):
        amplitude, phase = rng.uniform(10, 30, 3), rng.uniform(0, 2 * np.pi, 3)
        across, down = rng.uniform(0.5, 6, (2, 3))
        image += amplitude * np.sin(2 * np.pi * (across * x + down * y) + phase)
    for _ in range(12):
        top, left = rng.integers(0, height - 4), rng.integers(0, width - 4)
        bottom, right = top + height // 5 + 2, left + width // 5 + 2
        image[top:bottom, left:right] = rng.uniform(0, 255, 3)
    return image + rng.normal(0, 6, image.shape)


def _page(rng: np.random.Generator, height: int, width: int) -> Array:
    cell = max(1, height // 16 if height < 100 else min(height, width) // 160)
    ink = np.zeros((height, width))
    for top in range(2 * cell, height - 7 * cell + 1, height if height < 100 else 12 * cell):
        for left in range(3 * cell, width - 5 * cell + 1, 6 * cell):
            if rng.random() > 0.15:
                glyph = np.kron(rng.random((7, 5)) < 0.45, np.ones((cell, cell)))
                ink[top : top + 7 * cell, left : left + 5 * cell] = glyph
    gray = 235 - 190 * ink + rng.normal(0, 4, ink.shape)
    return np.repeat(gray[..., None], 3, axis=2)


def _voice(rng: np.random.Generator, samples: int, rate: int) -> Array:
    time = np.arange(samples) / rate
    pitch = 120 + 30 * np.sin(2 * np.pi * 1.3 * time + rng.uniform(0, 6))
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    formant = [(k, np.exp(-(((k * 120 - 600) / 900) ** 2))) for k in range(1, 25)]
    wave = sum(weight * np.sin(k * phase) for k, weight in formant)
    wave = wave * (0.2 + np.sin(2 * np.pi * 2.1 * time + rng.uniform(0, 6)).clip(0, 1))
    wave = wave + rng.normal(0, 0.02, samples)
    return wave / np.abs(wave).max()
