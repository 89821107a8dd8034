"""Resizing of axes: each element of the result is a weighted sum of a few input elements.

Indices and weights are computed when compiling, in f32 as runtimes do.  Evenly spaced indices
become slices, evenly repeated ones broadcasts, with repeated edges; all others are gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.budgets import check
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import element, shape_of, tensor_of

from .moving import along
from .op_builder import Builder
from .pads import padded
from .parts import sliced

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Indices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Real: TypeAlias = Any
"""An f32 number or array of NumPy, or a :class:`Term` of ``resize_run_time``."""
F32 = np.float32


@dataclass(frozen=True)
class Axis:
    """How one axis is resized."""

    axis: int
    extent: int
    size: int
    """The extent of the result."""
    scale: float
    """The divisor of positions; not always size / extent."""
    roi: tuple[float, float] = (0.0, 1.0)
    """The beginning and end of the result relative to the input, for tf_crop_and_resize."""

    @property
    def scaling(self) -> Scaling:
        """The same in f32."""
        first, last = map(F32, self.roi)
        return Scaling(F32(self.extent), F32(self.size), F32(self.scale), first, last)


@dataclass(frozen=True)
class Scaling:
    """The parameters of positions along an axis: f32 of NumPy, or terms computed at run time.

    ``where``, ``floor`` and ``ceil`` are NumPy's, or those of terms.
    """

    extent: Real
    size: Real
    scale: Real
    first: Real
    last: Real
    where: Callable[[Real, Real, Real], Real] = np.where
    floor: Callable[[Real], Real] = np.floor
    ceil: Callable[[Real], Real] = np.ceil


def _half(o: Real, a: Scaling) -> Real:
    return (o + F32(0.5)) / a.scale - F32(0.5)


def _pytorch(o: Real, a: Scaling) -> Real:
    return a.where(a.size < F32(2), o, _half(o, a))


def _symmetric(o: Real, a: Scaling) -> Real:
    width = a.scale * a.extent
    shift = a.extent / F32(2) * (F32(1) - a.size / width)
    return shift + (o + F32(0.5)) / a.scale - F32(0.5)


def _corners(o: Real, a: Scaling) -> Real:
    # From the size of the result, as in the specification and in runtimes; the reference of
    # ONNX uses scale * extent before it is rounded.
    return o * (a.extent - F32(1)) / a.where(a.size < F32(2), F32(1), a.size - F32(1))


def _crop(o: Real, a: Scaling) -> Real:
    most = a.extent - F32(1)
    one = o + F32(0.5) * (a.first + a.last) * most
    spaces = a.where(a.size < F32(2), F32(1), a.size - F32(1))
    return a.where(a.size < F32(2), one, a.first * most + o * (a.last - a.first) * most / spaces)


COORDINATES: dict[str, Callable[[Real, Scaling], Real]] = {
    "half_pixel": _half,
    "half_pixel_symmetric": _symmetric,
    "pytorch_half_pixel": _pytorch,
    "asymmetric": lambda o, a: o / a.scale,
    "align_corners": _corners,
    "tf_half_pixel_for_nn": lambda o, a: (o + F32(0.5)) / a.scale,
    "tf_crop_and_resize": _crop,
}
"""Positions 0, 1, ... of the result --> positions in the input."""

ROUNDING: dict[str, Callable[[Real, Scaling], Real]] = {
    "round_prefer_floor": lambda x, a: a.ceil(x - F32(0.5)),
    "round_prefer_ceil": lambda x, a: a.floor(x + F32(0.5)),
    "floor": lambda x, a: a.floor(x),
    "ceil": lambda x, a: a.ceil(x),
    "simple": lambda x, a: a.where(a.scale < F32(1), a.ceil(x), a.floor(x)),
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

    def taps(self, a: Axis) -> list[tuple[Indices, Floats]]:
        """The indices of the input and their weights, for each element of the result."""
        check("a resized axis", "table", a.size)
        scaling = a.scaling
        x = COORDINATES[self.coordinates](np.arange(a.size, dtype=F32), scaling)
        top = a.extent - 1
        if self.mode == "nearest":
            places = np.clip(ROUNDING[self.rounding](x, scaling), 0, top).astype(np.int64)
            return [(places, np.ones(a.size, F32))]
        first = np.floor(x)
        radius, scale = self.radius, F32(1)
        if self.antialias:
            scale = F32(min(a.scale, 1.0))
        reach = int(np.ceil(F32(radius) / scale))
        taps: list[tuple[Indices, Floats]] = []
        for k in range(1 - reach, reach + 1):
            w = self.weight(abs((first + F32(k) - x) * scale), scaling)
            places = first.astype(np.int64) + k
            if self.excludes:
                w = np.where((places < 0) | (places > top), F32(0), w)
            taps.append((np.clip(places, 0, top), w))
        if self.excludes or self.antialias:
            total = np.sum([w for _, w in taps], axis=0, dtype=F32)
            taps = [(places, w / total) for places, w in taps]
        return [(places, w) for places, w in taps if w.any()]

    @property
    def radius(self) -> int:
        """The radius of the filter, in elements."""
        return 1 if self.mode == "linear" else 2

    def weight(self, x: Real, a: Scaling) -> Real:
        """The weight at a distance."""
        if self.mode == "linear":
            return a.where(x < F32(1), F32(1) - x, F32(0))
        c = F32(self.cubic)
        near = ((c + F32(2)) * x - (c + F32(3))) * x * x + F32(1)
        far = ((c * x - F32(5) * c) * x + F32(8) * c) * x - F32(4) * c
        return a.where(x <= F32(1), near, a.where(x < F32(2), far, F32(0)))

    def outside(self, a: Axis) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
        """Whether each element of the result is outside of the input; None if it is irrelevant."""
        if self.coordinates != "tf_crop_and_resize":
            return None
        x = COORDINATES[self.coordinates](np.arange(a.size, dtype=F32), a.scaling)
        is_outside = (x < 0) | (x > a.extent - 1)
        return is_outside if is_outside.any() else None


def resized(
    builder: Builder,
    x: SSAValue,
    a: Axis,
    method: Method,
) -> SSAValue:
    """x with one axis resized; its element type is f32 or f64, or any for mode nearest."""
    total: SSAValue | None = None
    rank, type = len(shape_of(tensor_of(x))), element(tensor_of(x))
    for places, weights in method.taps(a):
        part = picked(builder, x, a.axis, places)
        if method.mode != "nearest":
            part = builder.binary(
                "mul", part, along(builder, builder.constant(weights, type), a.axis, rank)
            )
        total = part if total is None else builder.binary("add", total, part)
    assert total is not None
    return total


def picked(
    builder: Builder,
    x: SSAValue,
    axis: int,
    places: Indices,
) -> SSAValue:
    """The elements of x along an axis at constant indices.

    Evenly spaced ones are a slice, evenly repeated ones a broadcast, with repeated edges; others
    are gathered.
    """
    extent = shape_of(tensor_of(x))[axis].constant
    assert extent is not None
    if not np.diff(places).any():
        shape = shape_of(tensor_of(x))
        one = sliced(builder, x, [axis], [(int(places[0]), int(places[0]) + 1, 1)])
        return builder.broadcast(one, (*shape[:axis], len(places), *shape[axis + 1 :]))
    step = _spaced(places, extent)
    if step is not None:
        by, start = step
        first, last = start, start + by * (len(places) - 1)
        x, first = _with_edges(builder, x, axis, first, last, extent)
        return sliced(builder, x, [axis], [(first, first + by * (len(places) - 1) + 1, by)])
    repeats = _repeated(places, extent)
    if repeats is None:
        indices = builder.constant(places, el.I64)
        return builder.add(GatherOp(x, indices, axes=[axis], from_end=False))
    count, start = repeats
    first, last = start // count, (start + len(places) - 1) // count
    x, first_in = _with_edges(builder, x, axis, first, last, extent)
    x = sliced(builder, x, [axis], [(first_in, first_in + last - first + 1, 1)])
    shape = shape_of(tensor_of(x))
    x = builder.reshape(x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
    x = builder.broadcast(x, (*shape[: axis + 1], count, *shape[axis + 1 :]))
    x = builder.reshape(x, (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))
    begin = start - first * count
    return sliced(builder, x, [axis], [(begin, begin + len(places), 1)])


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


def _with_edges(
    builder: Builder, x: SSAValue, axis: int, first: int, last: int, extent: int
) -> tuple[SSAValue, int]:
    """x with edges repeated to cover places first to last; also the new index of first."""
    before, after = max(-first, 0), max(last - extent + 1, 0)
    if before or after:
        zero = builder.constant(0, element(tensor_of(x)))
        x = padded(builder, x, axis, before, after, zero, "edge")
    return x, first + before
