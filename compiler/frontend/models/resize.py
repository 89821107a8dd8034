"""Resizing of axes: each element of the result is a weighted sum of a few input elements.

Positions and weights are computed in f32 as runtimes do, by NumPy when compiling if scales and
extents are known, else by the same formulas traced to operators.  Known positions that are evenly
spaced become slices, evenly repeated ones broadcasts, with repeated edges; all others are gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.frontend.python.array import Array

from .pads import padded
from .traced import NodeTrace, gathered, lined, quotient

Real: TypeAlias = Any
"""An f32 number or array, of NumPy or traced."""
Indices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
F32 = np.float32
EXACT = 1 << 24
"""Positions are computed in f32, which is exact for integers up to this."""


@dataclass(frozen=True)
class Axis:
    """How one axis is resized."""

    axis: int
    length: Real
    """The extent in f32."""
    size: Real
    """The extent of the result in f32."""
    scale: Real
    """The divisor of positions; not always size / length."""
    roi: tuple[Real, Real] | None
    """The beginning and end of the result relative to the input, for tf_crop_and_resize."""
    numbers: Real
    """0, 1, 2, ... up to the size."""
    taps: ex.Expr | None = None
    """The number of elements of a sum, even, if it is computed at run time."""

    @staticmethod
    def of(
        axis: int, extent: int, size: int, scale: float, roi: tuple[float, float] | None
    ) -> Axis:
        """An axis with known numbers."""
        check("a resized axis", "table", size)
        bounds = None if roi is None else (F32(roi[0]), F32(roi[1]))
        numbers = np.arange(size, dtype=F32)
        return Axis(axis, F32(extent), F32(size), F32(scale), bounds, numbers)


def _where(condition: Real, x: Real, y: Real) -> Real:
    choose: Real = np.where
    return choose(condition, x, y)


def _half(o: Real, a: Axis) -> Real:
    return (o + F32(0.5)) / a.scale - F32(0.5)


def _pytorch(o: Real, a: Axis) -> Real:
    return _where(a.size < F32(2), o, _half(o, a))


def _symmetric(o: Real, a: Axis) -> Real:
    width = a.scale * a.length
    shift = a.length / F32(2) * (F32(1) - a.size / width)
    return shift + (o + F32(0.5)) / a.scale - F32(0.5)


def _corners(o: Real, a: Axis) -> Real:
    # From the size of the result, as in the specification and in runtimes; the reference of
    # ONNX uses scale * extent before it is rounded.
    return o * (a.length - F32(1)) / _where(a.size < F32(2), F32(1), a.size - F32(1))


def _crop(o: Real, a: Axis) -> Real:
    assert a.roi is not None
    most = a.length - F32(1)
    one = o + F32(0.5) * (a.roi[0] + a.roi[1]) * most
    spaces = _where(a.size < F32(2), F32(1), a.size - F32(1))
    return _where(a.size < F32(2), one, a.roi[0] * most + o * (a.roi[1] - a.roi[0]) * most / spaces)


COORDINATES: dict[str, Callable[[Real, Axis], Real]] = {
    "half_pixel": _half,
    "half_pixel_symmetric": _symmetric,
    "pytorch_half_pixel": _pytorch,
    "asymmetric": lambda o, a: o / a.scale,
    "align_corners": _corners,
    "tf_half_pixel_for_nn": lambda o, a: (o + F32(0.5)) / a.scale,
    "tf_crop_and_resize": _crop,
}
"""Positions 0, 1, ... of the result --> positions in the input."""

ROUNDING: dict[str, Callable[[Real, Axis], Real]] = {
    "round_prefer_floor": lambda x, a: np.ceil(x - F32(0.5)),
    "round_prefer_ceil": lambda x, a: np.floor(x + F32(0.5)),
    "floor": lambda x, a: np.floor(x),
    "ceil": lambda x, a: np.ceil(x),
    "simple": lambda x, a: _where(a.scale < F32(1), np.ceil(x), np.floor(x)),
}
"""Position in the input --> index, by mode; OpenVINO's ``simple`` rounds up when shrinking."""


@dataclass(frozen=True)
class Method:
    """The interpolation."""

    mode: str
    """``nearest``, ``linear`` or ``cubic``."""
    coordinates: str
    rounding: str = "floor"
    cubic: float = -0.75
    excludes: bool = False
    """Whether samples outside of the input have no weight, rather than the value of the edge."""
    antialias: bool = False

    @property
    def radius(self) -> int:
        """The radius of the filter, in elements."""
        return 1 if self.mode == "linear" else 2

    def narrowed(self, scale: Real) -> Real:
        """What distances are multiplied by: antialiasing widens filters that shrink."""
        return _where(scale < F32(1), scale, F32(1)) if self.antialias else F32(1)

    def taps(self, scale: Real) -> Real:
        """The number of elements of a sum by half."""
        return np.ceil(F32(self.radius) / self.narrowed(scale))

    def positions(self, a: Axis) -> Real:
        """The positions of the result's elements in the input."""
        x = COORDINATES[self.coordinates](a.numbers, a)
        # Scale 1 is the identity in all coordinate modes.
        is_known = isinstance(a.numbers, np.ndarray)
        return x if a.roi or is_known else _where(a.scale == F32(1), a.numbers, x)

    def weight(self, x: Real) -> Real:
        """The weight at a distance."""
        if self.mode == "linear":
            return _where(x < F32(1), F32(1) - x, F32(0))
        c = F32(self.cubic)
        near = ((c + F32(2)) * x - (c + F32(3))) * x * x + F32(1)
        far = ((c * x - F32(5) * c) * x + F32(8) * c) * x - F32(4) * c
        return _where(x <= F32(1), near, _where(x < F32(2), far, F32(0)))

    def weights(self, first: Real, offsets: Real, at: Real, top: Real, a: Axis) -> Real:
        """The weights of elements ``offsets`` behind the ``first``, without their sum."""
        distance = first + offsets.astype("float32") - at
        if self.antialias:
            distance = distance * self.narrowed(a.scale)
        weights = self.weight(abs(distance))
        if not self.excludes:
            return weights
        places = first.astype("int64") + offsets
        return _where((places < 0) | (places > top), F32(0), weights)

    @property
    def is_normed(self) -> bool:
        """Whether weights are divided by their sum."""
        return self.excludes or self.antialias


def _clipped(x: Real, top: Real) -> Real:
    return np.minimum(np.maximum(x.astype("int64"), 0), top)


def resized(trace: NodeTrace, x: Array, a: Axis, method: Method) -> Array:
    """x with one axis resized; its element type is f32 or f64, or any for mode nearest."""
    at, extent = method.positions(a), x.extents[a.axis]
    if method.mode == "nearest":
        places = ROUNDING[method.rounding](at, a)
        if isinstance(at, np.ndarray):
            return _picked(x, a.axis, _clipped(places, int(a.length) - 1))
        return gathered(x, [a.axis], _clipped(places, trace.number(extent) - 1))
    if isinstance(at, np.ndarray):
        return _weighed(trace, x, a, method, at)
    return _weighed_at_run_time(trace, x, a, method, at)


def _picked(x: Array, axis: int, places: Indices) -> Array:
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
    x = onp.repeat(x, often, axis)
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


def _weighed(trace: NodeTrace, x: Array, a: Axis, method: Method, at: Real) -> Array:
    """A sum of parts of x times their weights."""
    first, top, half = np.floor(at), int(a.length) - 1, int(method.taps(a.scale))
    offsets = list(np.arange(1 - half, half + 1))
    weights = [method.weights(first, offset, at, top, a) for offset in offsets]
    if method.is_normed:
        total = np.sum(weights, axis=0, dtype=F32)
        weights = [w / total for w in weights]
    result: Any = None
    for offset, w in zip(offsets, weights, strict=True):
        if w.any():
            part = _picked(x, a.axis, _clipped(first.astype("int64") + offset, top))
            part = part * lined(trace.constant(w, x.element), a.axis, x.ndim)
            result = part if result is None else result + part
    return result


def _weighed_at_run_time(trace: NodeTrace, x: Array, a: Axis, method: Method, at: Any) -> Array:
    """Gathered elements times their weights, summed along an additional axis."""
    assert a.taps is not None
    (size,), top = at.shape, trace.number(x.extents[a.axis]) - 1
    at = at.reshape(size, 1)
    half = quotient(trace.number(a.taps), 2)
    taps = (trace.positions(a.taps) - half + 1).reshape(1, -1)
    first = np.floor(at)
    weights = method.weights(first, taps, at, top, a)
    if method.is_normed:
        weights = weights / onp.sum(weights, axis=1).reshape(size, 1)
    parts = gathered(x, [a.axis], _clipped(first.astype("int64") + taps, top))
    behind = [1] * (x.ndim - 1 - a.axis)
    factors = weights.astype(x.element.name).reshape(*[1] * a.axis, *weights.shape, *behind)
    # An infinity or NaN with weight 0 does not count.
    return onp.sum(_where(factors == 0, 0, parts * factors), axis=a.axis + 1)


def outside(trace: NodeTrace, x: Array, a: Axis, method: Method, value: float) -> Array:
    """x with ``value`` for elements outside of the input, if the coordinates have such."""
    if method.coordinates != "tf_crop_and_resize":
        return x
    at = method.positions(a)
    beside = (at < F32(0)) | (at > a.length - F32(1))
    if isinstance(beside, np.ndarray) and not beside.any():
        return x
    here = lined(trace.given(beside, el.I1), a.axis, x.ndim)
    return onp.where(here, trace.constant(value, x.element), x)
