"""Samples in the bins of regions, as many as the size of the region requires.

A bin has ceil(extent) samples along an axis.  One loop serves all bins: each iteration computes the
next sample of every bin.  Samples outside of the image are skipped, so that the number of
iterations is bounded by about two for each element of the image.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el

if TYPE_CHECKING:
    from opc.frontend.python.array import Array


@dataclass(frozen=True)
class Samples:
    """The samples along one axis: floats [R, bins], or [R, 1]."""

    base: Any
    """The start of a bin."""
    step: Any
    """The distance of samples."""
    first: Any
    """The number of the first sample that may be inside of the image."""
    some: Any
    """The number of samples from ``first`` on that may be inside."""
    total: Any
    """The number of samples of a bin."""

    def arrays(self) -> list[Array]:
        """All of them."""
        return [self.base, self.step, self.first, self.some, self.total]

    def at(self, number: Any, size: Any) -> tuple[Any, Any]:
        """The position of a sample, and whether it is inside of an axis of ``size`` elements."""
        index = self.first + number
        place = self.base + (index + 0.5) * self.step
        there = (number < self.some) & (index < self.total)
        return place, there & (place >= -1.0) & (place <= size)


def samples_of(start: Any, extent: Any, count: int, size: Any) -> Samples:
    """The samples of regions with starts and extents [R] in ``count`` bins.

    Regions that are not finite have none.
    """
    trace, type = start.trace, start.element
    is_finite = onp.isfinite(start) & onp.isfinite(extent)
    start, extent = (onp.where(is_finite, v, 0.0)[:, None] for v in (start, extent))
    side = extent / count
    total = onp.maximum(onp.ceil(side), 0.0)
    step = side / onp.maximum(total, 1.0)
    base = start + trace.constant(np.arange(count), type) * side
    apart = onp.maximum(step, 0.25)
    first = onp.floor((-1.0 - base) / apart - 2.0)
    first = onp.minimum(onp.maximum(first, 0.0), total)
    some = onp.minimum(total - first, onp.ceil((size + 1.0) / apart) + 4.0)
    return Samples(base, step, first, some, total)


def most(samples: Samples) -> Any:
    """The greatest number of iterations that a bin needs, an i64 of rank 0."""
    return onp.maximum(onp.max(samples.some), 0.0).astype(el.I64.name)
