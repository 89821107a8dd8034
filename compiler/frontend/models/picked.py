"""Gathers at constant places as slices and broadcasts."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.python.array import Array

from .pads import padded
from .traced import gathered

Indices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def picked(x: Array, axis: int, places: Indices) -> Array:
    """The elements of x along an axis at constant indices.

    Evenly spaced ones are a slice, evenly repeated ones a broadcast, with repeated edges; others
    are gathered.
    """
    extent = x.extents[axis].constant
    assert extent is not None
    before, behind = x.shape[:axis], x.shape[axis + 1 :]
    lead, count = (slice(None),) * axis, len(places)
    if not np.diff(places).any():
        one = x[(*lead, slice(int(places[0]), int(places[0]) + 1))]
        return onp.broadcast_to(one, (*before, count, *behind))
    step = _spaced(places, extent)
    if step is not None:
        by, start = step
        x, first = _with_edges(x, axis, start, start + by * (count - 1))
        return x[(*lead, slice(first, first + by * (count - 1) + 1, by))]
    repeats = _repeated(places, extent)
    if repeats is None:
        return gathered(x, [axis], x.trace.constant(places, el.I64))
    often, start = repeats
    first, last = start // often, (start + count - 1) // often
    x, begin = _with_edges(x, axis, first, last)
    x = x[(*lead, slice(begin, begin + last - first + 1))]
    x = x.reshape(*before, last - first + 1, 1, *behind)
    x = onp.broadcast_to(x, (*before, last - first + 1, often, *behind))
    x = x.reshape(*before, (last - first + 1) * often, *behind)
    begin = start - first * often
    return x[(*lead, slice(begin, begin + count))]


def _spaced(places: Indices, extent: int) -> tuple[int, int] | None:
    """(step, start) with places = clip(start + step * k), else None."""
    k = np.arange(len(places))
    step = int(np.diff(places).max(initial=0))
    # An unclipped place determines the start; if all are clipped, the first one above 0.
    inside = np.flatnonzero((places > 0) & (places < extent - 1))
    known = inside if len(inside) else np.flatnonzero(places > 0)
    first = int(known[0]) if len(known) else 0
    start = int(places[first]) - step * first
    is_spaced = np.array_equal(np.clip(start + step * k, 0, extent - 1), places)
    return (step, start) if is_spaced else None


def _repeated(places: Indices, extent: int) -> tuple[int, int] | None:
    """(count, start) with places = clip((start + k) // count), else None."""
    k = np.arange(len(places))
    changes = np.flatnonzero(np.diff(places)) + 1
    # Two changes of place determine the count; with fewer, a run that is not at an edge does.
    counts = {int(n) for n in np.diff(changes)}
    if not counts:
        low, high = int(places[0]), int(places[-1])
        before, after = int(changes[0]), len(places) - int(changes[0])
        counts = {max(2, before if low > 0 else 0, after if high < extent - 1 else 0)}
    if len(counts) > 1:
        return None
    count = counts.pop()
    start = int(places[changes[0]]) * count - int(changes[0])
    is_repeated = np.array_equal(np.clip((start + k) // count, 0, extent - 1), places)
    return (count, start) if is_repeated else None


def _with_edges(x: Any, axis: int, first: int, last: int) -> tuple[Any, int]:
    """x with edges repeated to cover places first to last; also the new index of first."""
    before, after = max(-first, 0), max(last - x.extents[axis].constant + 1, 0)
    if not (before or after):
        return x, first
    return padded(x, axis, before, after, None, "edge"), first + before
