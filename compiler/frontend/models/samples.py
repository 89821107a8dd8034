"""Samples in the bins of regions, of which each region has as many as it is large.

A bin of a region has a sample for each element that it is long, or for a part of one.  A loop goes
over the samples of all bins at once: in each of its iterations every bin has its next one.  Those
that are outside of the image are not gone over, so its iterations are as many as elements of the
image, at most two for each, whatever regions there are.
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
    """Those along one axis: floats [R, bins], or [R, 1]."""

    base: Any
    """Where a bin begins."""
    step: Any
    """From one sample to the next."""
    first: Any
    """The number of the first one that may be inside."""
    some: Any
    """How many may be from that on."""
    each: Any
    """How many a bin has."""

    def arrays(self) -> list[Array]:
        """All of them."""
        return [self.base, self.step, self.first, self.some, self.each]

    def at(self, number: Any, size: Any) -> tuple[Any, Any]:
        """Where the sample of a number is, and whether it is inside of an axis of that size."""
        index = self.first + number
        place = self.base + (index + 0.5) * self.step
        there = (number < self.some) & (index < self.each)
        return place, there & (place >= -1.0) & (place <= size)


def samples_of(start: Any, extent: Any, count: int, size: Any) -> Samples:
    """Those of regions, by where they begin and how long they are, [R], in so many bins.

    What is not finite has none.
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
    """The greatest number of samples that a bin has to go over, an i64 of rank 0."""
    return onp.maximum(onp.max(samples.some), 0.0).astype(el.I64.name)
