"""Regions of images: RegionYolo, and pooling by maximum, mean or bilinear samples."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.traced import gathered

from .layer import Attributes, Layer, Long, Wide
from .schema import openvino


def rounded(x: Any) -> Any:
    """The nearest integer, halves away from 0."""
    return onp.where(x >= 0, onp.floor(x + 0.5), onp.ceil(x - 0.5))


def _sizes(x: Any) -> list[Any]:
    """The rows and columns of images, as floats."""
    return [x.trace.number(e).astype(x.element) for e in x.extents[-2:]]


def _between(x: Any, front: Sequence[Any], places: Sequence[Any], margin: float) -> tuple[Any, Any]:
    """x interpolated bilinearly along its last two axes, and whether a position is inside of them.

    Positions up to ``margin`` beside an axis are those of its ends; others give 0.  ``front`` are
    indices of the leading axes; None takes a whole axis, which becomes the last of the result.
    """
    axes = [k for k, index in enumerate(front) if index is not None]
    indices = [front[k] for k in axes]
    ends: list[list[tuple[Any, Any]]] = []
    there: Any = None
    for place, size in zip(places, _sizes(x), strict=True):
        here = (place >= -margin) & (place <= size + (margin - 1.0))
        there = here if there is None else there & here
        place = onp.minimum(onp.maximum(place, 0.0), size - 1.0)
        low = onp.floor(place)
        ends.append([(low, 1.0 - (place - low)), (onp.minimum(low + 1.0, size - 1.0), place - low)])
    axes = [*axes, len(front), len(front) + 1]
    more = tuple(range(-1, len(axes) - len(front) - 3, -1))
    terms = [
        gathered(x, axes, *indices, y.astype(el.I64), z.astype(el.I64))
        * onp.expand_dims(a * b, more)
        for (y, a), (z, b) in itertools.product(*ends)
    ]
    return onp.where(onp.expand_dims(there, more), reduce(operator.add, terms), 0), there


def _axis(numbers: Any, k: int, more: int = 0) -> Any:
    """Numbers along the first (k = 0) or second of two axes, before ``more`` others."""
    return np.asarray(numbers).reshape((*((-1, 1) if k == 0 else (1, -1)), *[1] * more))


def _image(regions: Any) -> Any:
    """The number of the image of each region (image, x, y, x, y)."""
    return regions[:, 0].astype(el.I64)


def _of_images(image: Any, values: Any) -> Any:
    """The values of regions; 0 for one without an image, such as the padding of Proposal."""
    zero = values.trace.constant(0, values.element)
    return onp.where((image >= 0)[:, None, None, None], values, zero)


def _of_parts(layer: Layer, x: Any, regions: Any, a: Attributes) -> Any:
    """PSROIPooling-1, bilinear --> [R, C, S, S]: the mean of the spatial bins of a region.

    Each bin has its own channels; its samples go from one end of the bin to the other.
    """
    parts, size, image = [a.spatial_bins_y, a.spatial_bins_x], a.group_size, _image(regions)
    type, trace = x.element, x.trace
    images, *positions = layer.dims(f"N {a.output_dim * parts[0] * parts[1]} H W")
    channels = x.reshape((images, *parts, a.output_dim, *positions))
    scaled = regions[:, 1:] * a.spatial_scale
    places: list[Any] = []
    for k, (count, extent) in enumerate(zip(parts, _sizes(x), strict=True)):
        last = extent - 1.0
        start, end = scaled[:, 1 - k], scaled[:, 3 - k]
        side = ((end - start) / count)[:, None]
        low = start[:, None] + trace.constant(np.arange(count), type) * side
        if size > 1:
            step = side * last / (size - 1)
            at = trace.constant(np.arange(size), type) * step[:, :, None] + (low * last)[:, :, None]
        else:
            at = ((low + (low + side)) * 0.5 * last)[:, :, None]
        # [R, bins down, bins across, samples down, samples across]
        places.append(at.reshape((-1, count, 1, size, 1) if k == 0 else (-1, 1, count, 1, size)))
    front = [
        onp.maximum(image, 0)[:, None, None, None, None],
        *(trace.constant(_axis(np.arange(n), k, 2), el.I64) for k, n in enumerate(parts)),
        None,
    ]
    values = _between(channels, front, places, 0.0)[0].sum(axis=(1, 2))
    return _of_images(image, (values / (parts[0] * parts[1])).transpose([0, 3, 1, 2]))


@openvino("DeformablePSROIPooling", 1)
def deformable(layer: Layer, data: Wide, coords: Wide, offsets: Wide, a: Attributes) -> Any:
    """DeformablePSROIPooling-1 --> [R, C, S, S]: bins with their own channels and offsets.

    Each class of channels has its own offsets, in units of the sides of the region.
    """
    if a.mode != "bilinear_deformable":
        raise layer.error(f"attribute mode is {a.mode}")
    outputs, size, scale, type = a.output_dim, a.group_size, a.spatial_scale, data.element
    images, *positions, _ = layer.dims(f"N {outputs * size * size} H W", "R 5")
    trace, image = layer.trace, _image(coords)
    channels = data.reshape((images, outputs, size, size, *positions))
    moves = [None, None] if offsets is None else _moves(layer, offsets, a)
    places: list[Any] = []
    for k, count in enumerate((a.spatial_bins_y, a.spatial_bins_x)):
        start = rounded(coords[:, 2 - k]) * scale - 0.5
        end = (rounded(coords[:, 4 - k]) + 1.0) * scale - 0.5
        side = onp.maximum(end - start, 0.1)[:, None, None, None]
        # [R, C, bins down, bins across], then samples down and across.
        bins = trace.constant(_axis(np.arange(size), k), type)
        at = bins * (side / size) + start[:, None, None, None]
        if moves[k] is not None:
            at = at + moves[k] * side
        step = onp.expand_dims(side / size / count, (-2, -1))
        steps = trace.constant(_axis(np.arange(count), k), type)
        places.append(onp.expand_dims(at, (-2, -1)) + steps * step)
    front = [
        onp.maximum(image, 0).reshape((-1, 1, 1, 1, 1, 1)),
        trace.constant(np.arange(outputs), el.I64).reshape((outputs, 1, 1, 1, 1)),
        *(trace.constant(np.arange(size), el.I64).reshape((size,) + (1,) * k) for k in (3, 2)),
    ]
    values, there = _between(channels, front, places, 0.5)
    count = there.astype(type).sum(axis=(4, 5))
    return _of_images(image, values.sum(axis=(4, 5)) / onp.maximum(count, 1.0))


def _moves(layer: Layer, offsets: Any, a: Attributes) -> list[Any]:
    """The offsets of bins, down and across, in sides of the region: [R, C, S, S] each."""
    outputs, parts = a.output_dim, a.part_size
    size: int = a.group_size
    regions, channels = layer.dims("*", "R 5", f"R C {parts} {parts}")
    pairs = channels.constant
    if not pairs or pairs % 2 or outputs % (pairs // 2):
        raise layer.error(f"moves {shape_text(offsets.extents)} of {outputs} channels")
    classes, trace = pairs // 2, layer.trace
    moves = offsets.reshape((regions, classes, 2, parts, parts)) * a.trans_std
    label = trace.constant(np.arange(outputs) // (outputs // classes), el.I64)[:, None, None]
    part = np.arange(size) * parts // size
    rows, columns = trace.constant(part[:, None], el.I64), trace.constant(part, el.I64)
    return [gathered(moves[:, :, k], (1, 2, 3), label, rows, columns) for k in (1, 0)]


@openvino("ROIAlignRotated", 15)
def rotated(layer: Layer, data: Wide, rois: Wide, batch_indices: Long, a: Attributes) -> Any:
    """ROIAlignRotated-15 --> [R, C, H, W]: the mean of samples in each bin of rotated regions.

    A region is a centre, a size and an angle.
    """
    ratio, scale, trace, type = a.sampling_ratio, a.spatial_scale, layer.trace, data.element
    if ratio < 1:
        raise layer.unsupported("sampling_ratio = 0: regions decide how many samples there are")
    layer.dims("N C H W", "R 5", "R")
    # [R, bins down, bins across, samples down, samples across]
    numbers = [rois[:, k].reshape((-1, 1, 1, 1, 1)) for k in range(5)]
    angle = -numbers[4] if a.clockwise_mode else numbers[4]
    local: list[Any] = []
    for k, count in enumerate((a.pooled_h, a.pooled_w)):
        side = numbers[3 - k] * scale
        steps = _axis((np.arange(ratio) + 0.5) / ratio, k)
        bins = trace.constant(_axis(np.arange(count), k, 2) + steps, type)
        local.append(-side / 2.0 + bins * (side / count))
    (down, across), sine, cosine = local, onp.sin(angle), onp.cos(angle)
    centre = [numbers[1 - k] * scale - 0.5 for k in range(2)]
    places = [
        down * cosine - across * sine + centre[0],
        down * sine + across * cosine + centre[1],
    ]
    image = batch_indices.reshape((-1, 1, 1, 1, 1))
    values, _ = _between(data, [image, None], places, 1.0)
    return (values.sum(axis=(3, 4)) / (ratio * ratio)).transpose([0, 3, 1, 2])


@openvino("RegionYolo", 1)
def region_yolo(layer: Layer, data: Wide, a: Attributes) -> Any:
    """RegionYolo-1: coordinates, confidence and class scores of each region.

    A sigmoid applies to the centre and the confidence, and to classes a sigmoid, or with
    ``do_softmax`` a softmax; then axes ``axis`` to ``end_axis`` are flattened.
    """
    coords, softmax, shape = a.coords, a.do_softmax, data.extents
    count, size = a.num if softmax else len(a.mask), coords + a.classes + 1
    images, *positions = layer.dims(f"N {count * size} H W")
    if coords < 2:
        raise layer.error(f"attribute coords is {coords}, expected 2 or more")
    regions = data.reshape((images, count, size, *positions))
    last = regions[:, :, coords + 1 :]
    parts = [
        onp.sigmoid(regions[:, :, :2]),
        regions[:, :, 2:coords],
        onp.sigmoid(regions[:, :, coords : coords + 1]),
        onp.softmax(last, axis=2) if softmax else onp.sigmoid(last),
    ]
    result = onp.concatenate([p for p in parts if p.extents[2] != 0], axis=2).reshape(shape)
    if not softmax:
        return result
    first, end = (layer.axis(axis, 4) for axis in (a.axis, a.end_axis))
    return result.reshape((*shape[:first], ex.product(shape[first : end + 1]), *shape[end + 1 :]))


def _inside(low: Any, high: Any, extent: ex.Expr) -> tuple[Any, Any]:
    """Whether each element of an axis is in each bin of each region, [R, bins, n]; bin sizes."""
    at, n = low.trace.line(extent), low.trace.size(extent)
    count = onp.clip(high, 0, n) - onp.clip(low, 0, n)
    return (at >= low[:, :, None]) & (at < high[:, :, None]), count


@openvino("ROIPooling", 2)
def roi_pooling(layer: Layer, data: Wide, coords: Wide, a: Attributes) -> Any:
    """ROIPooling-2: the maximum, or one bilinear sample, of each bin of each region."""
    counts: tuple[int, ...] = a.output_size or a.output_roi or (a.pooled_h, a.pooled_w)
    if len(counts) != 2 or min(counts) < 1:
        raise layer.error(f"attribute output_size is {list(counts)}")
    layer.dims("N C H W", "R 5")
    if a.method == "bilinear":
        return _of_images(_image(coords), _bilinear(data, coords, counts))
    return _of_images(_image(coords), _greatest(data, coords, counts, a.spatial_scale))


def _greatest(x: Any, regions: Any, counts: tuple[int, ...], scale: float) -> Any:
    """The maximum of each bin."""
    trace = x.trace
    corners = rounded(regions[:, 1:] * scale).astype(el.I64)
    ends: list[tuple[Any, Any]] = []
    for k, count in enumerate(counts):
        start, end = corners[:, 1 - k : 2 - k], corners[:, 3 - k : 4 - k]
        extent = onp.maximum(end - start + 1, 1)
        bins = trace.given(np.arange(count + 1), el.I64)
        low = bins[:-1] * extent // count + start
        high = (bins[1:] * extent + (count - 1)) // count + start
        ends.append(_inside(low, high, x.extents[2 + k]))
    (rows, tall), (columns, wide) = ends
    least = trace.constant(-np.inf, x.element)
    values = gathered(x, (0,), onp.maximum(_image(regions), 0))
    # First over columns, [R, C, H, bins], then over rows.
    values = onp.where(columns[:, None, None], values[:, :, :, None], least).max(axis=-1)
    values = onp.where(rows[:, None, :, :, None], values[:, :, None], least).max(axis=3)
    some = (tall > 0)[:, None, :, None] & (wide > 0)[:, None, None, :]
    return onp.where(some, values, trace.constant(0, x.element))


def _bilinear(x: Any, regions: Any, counts: tuple[int, ...]) -> Any:
    """Bilinear samples; corners are relative to the index of the last element."""
    trace, type = x.trace, x.element
    sides: list[list[Any]] = []
    for k, count in enumerate(counts):
        last = trace.size(x.extents[2 + k]) - 1
        start, end = regions[:, 2 - k : 3 - k] * last, regions[:, 4 - k : 5 - k] * last
        if count == 1:
            at: Any = (start + end) * 0.5
        else:
            bins = trace.given(np.arange(count), el.F64).astype(type)
            is_last = trace.given(np.arange(count) == count - 1, el.I1)
            at = onp.where(is_last, end, bins * ((end - start) / (count - 1)) + start)
        low = onp.floor(at)
        part = at - low
        above = low + (part > 0).astype(type)
        places = [onp.clip(v.astype(el.I64), 0, last) for v in (low, above)]
        lined = (-1, count, 1) if k == 0 else (-1, 1, count)
        there = (at >= 0) & (at <= last)
        sides.append([v.reshape(lined) for v in (*places, part, there)])
    rows, columns = sides
    image = onp.maximum(_image(regions), 0)[:, None, None]

    def line(row: Any) -> Any:
        left, right = (
            gathered(x, (0, 2, 3), image, row, column).transpose([0, 3, 1, 2])
            for column in columns[:2]
        )
        return left + (right - left) * columns[2][:, None]

    first, last = map(line, rows[:2])
    values = first + (last - first) * rows[2][:, None]
    return onp.where((rows[3] & columns[3])[:, None], values, trace.constant(0, type))


@openvino("PSROIPooling", 1)
def ps_roi_pooling(layer: Layer, data: Wide, coords: Wide, a: Attributes) -> Any:
    """PSROIPooling-1: the mean of each bin, which has its own channel for each output."""
    layer.dims("N C H W", "R 5")
    if a.mode == "bilinear":
        return _of_parts(layer, data, coords, a)
    group, scale, trace, type = a.group_size, a.spatial_scale, layer.trace, data.element
    images, *positions = layer.dims(f"N {a.output_dim * group * group} H W")
    ends: list[tuple[Any, Any]] = []
    bins = trace.given(np.arange(group + 1), el.F64).astype(type)
    for k in range(2):
        start = rounded(coords[:, 2 - k : 3 - k]) * scale
        end = (rounded(coords[:, 4 - k : 5 - k]) + 1.0) * scale
        size = onp.maximum(end - start, 0.1) / group
        low = onp.floor(bins[:-1] * size + start).astype(el.I64)
        high = onp.ceil(bins[1:] * size + start).astype(el.I64)
        ends.append(_inside(low, high, positions[k]))
    (rows, tall), (columns, wide) = ends
    channels = data.reshape((images, a.output_dim, group, group, *positions))
    image = _image(coords)
    values = gathered(channels, (0,), onp.maximum(image, 0))
    inside = rows[:, None, :, None, :, None] & columns[:, None, None, :, None, :]
    zero = trace.constant(0, type)
    total = onp.where(inside, values, zero).sum(axis=(4, 5))
    area = (tall[:, :, None] * wide[:, None, :])[:, None]
    mean = total / onp.maximum(area, 1).astype(type)
    return onp.where((area > 0) & (image >= 0)[:, None, None, None], mean, zero)
