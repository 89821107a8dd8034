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
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino


def rounded(x: Any) -> Any:
    """The nearest integer, halves away from 0."""
    return onp.where(x >= 0, onp.floor(x + 0.5), onp.ceil(x - 0.5))


def _sizes(layer: Layer, type: el.ElementType) -> list[Any]:
    """The rows and columns of images, as floats."""
    return [layer.trace.number(e).astype(type) for e in layer.shape()[2:]]


def _between(
    x: Any, front: Sequence[Any], places: Sequence[Any], sizes: Sequence[Any], margin: float
) -> tuple[Any, Any]:
    """x interpolated bilinearly along its last two axes, and whether a position is inside of them.

    Positions up to ``margin`` beside an axis are those of its ends; others give 0.  ``front`` are
    indices of the leading axes; None takes a whole axis, which becomes the last of the result.
    """
    axes = [k for k, index in enumerate(front) if index is not None]
    indices = [front[k] for k in axes]
    ends: list[list[tuple[Any, Any]]] = []
    there: Any = None
    for place, size in zip(places, sizes, strict=True):
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
    total = reduce(operator.add, terms)
    return onp.where(onp.expand_dims(there, more), total, 0), there


def of_parts(layer: Layer, x: Any, regions: Any, image: Any) -> Any:
    """PSROIPooling-1, bilinear --> [R, C, S, S]: the mean of the spatial bins of a region.

    Each bin has its own channels; its samples go from one end of the bin to the other.
    """
    outputs, size = layer.attr("output_dim"), layer.attr("group_size")
    parts = [layer.attr(f"spatial_bins_{k}") for k in "yx"]
    type, trace = x.element, x.trace
    images, *positions = layer.dims(f"N {outputs * parts[0] * parts[1]} H W")
    channels = x.reshape((images, *parts, outputs, *positions))
    scaled = regions[:, 1:] * layer.attr("spatial_scale")
    places: list[Any] = []
    sizes = _sizes(layer, type)
    for k, count in enumerate(parts):
        last = sizes[k] - 1.0
        start, end = scaled[:, 1 - k], scaled[:, 3 - k]
        side = ((end - start) / count)[:, None]
        low = start[:, None] + trace.constant(np.arange(count), type) * side
        if size > 1:
            step = side * last / (size - 1)
            at = trace.constant(np.arange(size), type) * step[:, :, None] + (low * last)[:, :, None]
        else:
            at = ((low + (low + side)) * 0.5 * last)[:, :, None]
        # [R, bins down, bins across, samples down, samples across]
        lined = (-1, count, 1, size, 1) if k == 0 else (-1, 1, count, 1, size)
        places.append(at.reshape(lined))
    down, across = (trace.constant(np.arange(n), el.I64) for n in parts)
    front = [
        onp.maximum(image, 0)[:, None, None, None, None],
        down[:, None, None, None],
        across[:, None, None],
        None,
    ]
    values = _between(channels, front, places, sizes, 0.0)[0].sum(axis=(1, 2))
    return (values / (parts[0] * parts[1])).transpose([0, 3, 1, 2])


@openvino("DeformablePSROIPooling", 1)
def deformable(layer: Layer) -> Any:
    """DeformablePSROIPooling-1 --> [R, C, S, S]: bins with their own channels and offsets.

    Each class of channels has its own offsets, in units of the sides of the region.
    """
    if layer.attr("mode") != "bilinear_deformable":
        raise layer.error(f"attribute mode is {layer.attr('mode')}")
    outputs: int = layer.attr("output_dim")
    size: int = layer.attr("group_size")
    samples: list[int] = [layer.attr(f"spatial_bins_{name}") for name in "yx"]
    images, *positions, _ = layer.dims(f"N {outputs * size * size} H W", "R 5")
    trace = layer.trace
    x, regions, image = _regions(layer)
    type = x.element
    channels = x.reshape((images, outputs, size, size, *positions))
    moves = _moves(layer) if layer.has(2) else [None, None]
    places: list[Any] = []
    sizes = _sizes(layer, type)
    for k, count in enumerate(samples):
        scale = layer.attr("spatial_scale")
        start = rounded(regions[:, 2 - k]) * scale - 0.5
        end = (rounded(regions[:, 4 - k]) + 1.0) * scale - 0.5
        side = onp.maximum(end - start, 0.1)[:, None, None, None]
        # [R, C, bins down, bins across], then samples down and across.
        bins = np.arange(size).reshape((size, 1) if k == 0 else (1, size))
        at = trace.constant(bins, type) * (side / size) + start[:, None, None, None]
        if moves[k] is not None:
            at = at + moves[k] * side
        step = onp.expand_dims(side / size / count, (-2, -1))
        steps = np.arange(count).reshape((count, 1) if k == 0 else (1, count))
        places.append(onp.expand_dims(at, (-2, -1)) + trace.constant(steps, type) * step)
    numbers = [
        trace.constant(np.arange(n), el.I64).reshape((n,) + (1,) * k)
        for n, k in ((outputs, 4), (size, 3), (size, 2))
    ]
    front = [onp.maximum(image, 0).reshape((-1, 1, 1, 1, 1, 1)), *numbers]
    values, there = _between(channels, front, places, sizes, 0.5)
    total = values.sum(axis=(4, 5))
    count = there.astype(type).sum(axis=(4, 5))
    mean = total / onp.maximum(count, 1.0)
    return _of_images(layer, image, mean)


def _moves(layer: Layer) -> list[Any]:
    """The offsets of bins, down and across, in sides of the region: [R, C, S, S] each."""
    outputs: int = layer.attr("output_dim")
    size: int = layer.attr("group_size")
    parts: int = layer.attr("part_size")
    regions, channels = layer.dims("*", "R 5", f"R C {parts} {parts}")
    pairs = channels.constant
    if not pairs or pairs % 2 or outputs % (pairs // 2):
        raise layer.error(f"moves {shape_text(layer.shape(2))} of {outputs} channels")
    classes = pairs // 2
    moves = widened(layer.traced(2)).reshape((regions, classes, 2, parts, parts))
    moves = moves * layer.attr("trans_std")
    trace = layer.trace
    label = trace.constant(np.arange(outputs) // (outputs // classes), el.I64)[:, None, None]
    part = np.arange(size) * parts // size
    rows, columns = trace.constant(part[:, None], el.I64), trace.constant(part, el.I64)
    return [gathered(moves[:, :, k], (1, 2, 3), label, rows, columns) for k in (1, 0)]


@openvino("ROIAlignRotated", 15)
def rotated(layer: Layer) -> Any:
    """ROIAlignRotated-15 --> [R, C, H, W]: the mean of samples in each bin of rotated regions.

    A region is a centre, a size and an angle.
    """
    counts: list[int] = [layer.attr(name) for name in ("pooled_h", "pooled_w")]
    ratio: int = layer.attr("sampling_ratio")
    if ratio < 1:
        raise layer.unsupported("sampling_ratio = 0: regions decide how many samples there are")
    layer.dims("N C H W", "R 5", "R")
    trace = layer.trace
    x, table = (widened(layer.traced(k)) for k in (0, 1))
    type, scale = x.element, layer.attr("spatial_scale")
    # [R, bins down, bins across, samples down, samples across]
    numbers = [table[:, k].reshape((-1, 1, 1, 1, 1)) for k in range(5)]
    angle = -numbers[4] if layer.attr("clockwise_mode") else numbers[4]
    local: list[Any] = []
    for k, count in enumerate(counts):
        side = numbers[3 - k] * scale
        bins = np.arange(count).reshape((count, 1, 1, 1) if k == 0 else (count, 1, 1))
        steps = ((np.arange(ratio) + 0.5) / ratio).reshape((ratio, 1) if k == 0 else (ratio,))
        local.append(-side / 2.0 + trace.constant(bins + steps, type) * (side / count))
    down, across = local
    sine, cosine = onp.sin(angle), onp.cos(angle)
    centre = [numbers[1 - k] * scale - 0.5 for k in range(2)]
    places = [
        down * cosine - across * sine + centre[0],
        down * sine + across * cosine + centre[1],
    ]
    sizes = _sizes(layer, type)
    image = layer.traced(2, el.I64).reshape((-1, 1, 1, 1, 1))
    values, _ = _between(x, [image, None], places, sizes, 1.0)
    total = values.sum(axis=(3, 4)) / (ratio * ratio)
    return total.transpose([0, 3, 1, 2]).astype(layer.element())


@openvino("RegionYolo", 1)
def region_yolo(layer: Layer) -> Any:
    """RegionYolo-1: coordinates, confidence and class scores of each region.

    A sigmoid applies to the centre and the confidence, and to classes a sigmoid, or with
    ``do_softmax`` a softmax; then axes ``axis`` to ``end_axis`` are flattened.
    """
    coords, classes, softmax = (layer.attr(n) for n in ("coords", "classes", "do_softmax"))
    count = layer.attr("num") if softmax else len(layer.attr("mask"))
    size = coords + classes + 1
    images, *positions = layer.dims(f"N {count * size} H W")
    if coords < 2:
        raise layer.error(f"attribute coords is {coords}, expected 2 or more")
    regions = widened(layer.traced(0)).reshape((images, count, size, *positions))
    centre, rest = onp.sigmoid(regions[:, :, :2]), regions[:, :, 2:coords]
    sure, last = onp.sigmoid(regions[:, :, coords : coords + 1]), regions[:, :, coords + 1 :]
    last = onp.softmax(last, axis=2) if softmax else onp.sigmoid(last)
    parts, shape = [p for p in (centre, rest, sure, last) if p.extents[2] != 0], layer.shape()
    result = onp.concatenate(parts, axis=2).reshape(shape).astype(layer.element())
    if not softmax:
        return result
    first, end = (layer.axis(layer.attr(name), 4) for name in ("axis", "end_axis"))
    joined = ex.product(shape[first : end + 1])
    return result.reshape((*shape[:first], joined, *shape[end + 1 :]))


def _regions(layer: Layer) -> tuple[Any, Any, Any]:
    """Images and regions (image, x, y, x, y) in f32 or f64, and the image number of each region."""
    layer.dims("N C H W", "R 5")
    x, coordinates = (widened(layer.traced(k)) for k in (0, 1))
    return x, coordinates, coordinates[:, 0].astype(el.I64)


def _of_images(layer: Layer, image: Any, values: Any) -> Any:
    """The values of regions; 0 for one without an image, such as the padding of Proposal."""
    zero = values.trace.constant(0, values.element)
    return onp.where((image >= 0)[:, None, None, None], values, zero).astype(layer.element())


def _inside(low: Any, high: Any, extent: ex.Expr) -> tuple[Any, Any]:
    """Whether each element of an axis is in each bin of each region, [R, bins, n]; bin sizes."""
    trace = low.trace
    at = trace.line(extent)
    n = trace.size(extent)
    count = onp.clip(high, 0, n) - onp.clip(low, 0, n)
    return (at >= low[:, :, None]) & (at < high[:, :, None]), count


@openvino("ROIPooling", 2)
def roi_pooling(layer: Layer) -> Any:
    """ROIPooling-2: the maximum, or one bilinear sample, of each bin of each region."""
    pooled = layer.attr("pooled_h"), layer.attr("pooled_w")
    counts: tuple[int, ...] = layer.attr("output_size") or layer.attr("output_roi") or pooled
    if len(counts) != 2 or min(counts) < 1:
        raise layer.error(f"attribute output_size is {list(counts)}")
    x, regions, image = _regions(layer)
    if layer.attr("method") == "bilinear":
        values = _bilinear(layer, x, regions, image, counts)
    else:
        values = _greatest(layer, x, regions, image, counts)
    return _of_images(layer, image, values)


def _greatest(layer: Layer, x: Any, regions: Any, image: Any, counts: tuple[int, ...]) -> Any:
    """The maximum of each bin."""
    trace = x.trace
    corners = rounded(regions[:, 1:] * layer.attr("spatial_scale")).astype(el.I64)
    masks: list[Any] = []
    sizes: list[Any] = []
    for k, count in enumerate(counts):
        start, end = corners[:, 1 - k : 2 - k], corners[:, 3 - k : 4 - k]
        extent = onp.maximum(end - start + 1, 1)
        bins = trace.given(np.arange(count + 1), el.I64)
        low = bins[:-1] * extent // count + start
        high = (bins[1:] * extent + (count - 1)) // count + start
        inside, size = _inside(low, high, layer.shape()[2 + k])
        masks.append(inside)
        sizes.append(size)
    type = x.element
    least = trace.constant(-np.inf, type)
    values = gathered(x, (0,), onp.maximum(image, 0))
    # First over columns, [R, C, H, bins], then over rows.
    values = onp.where(masks[1][:, None, None], values[:, :, :, None], least).max(axis=-1)
    values = onp.where(masks[0][:, None, :, :, None], values[:, :, None], least).max(axis=3)
    some = (sizes[0] > 0)[:, None, :, None] & (sizes[1] > 0)[:, None, None, :]
    return onp.where(some, values, trace.constant(0, type))


def _bilinear(layer: Layer, x: Any, regions: Any, image: Any, counts: tuple[int, ...]) -> Any:
    """Bilinear samples; corners are relative to the index of the last element."""
    trace, type = x.trace, x.element
    sides: list[list[Any]] = []
    for k, count in enumerate(counts):
        last = trace.size(layer.shape()[2 + k]) - 1
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
    at_image = onp.maximum(image, 0)[:, None, None]

    def value(row: Any, column: Any) -> Any:
        corner = gathered(x, (0, 2, 3), at_image, row, column)
        return corner.transpose([0, 3, 1, 2])

    across = columns[2][:, None]
    lines = [
        left + (value(row, columns[1]) - left) * across
        for row in rows[:2]
        for left in [value(row, columns[0])]
    ]
    values = lines[0] + (lines[1] - lines[0]) * rows[2][:, None]
    there = (rows[3] & columns[3])[:, None]
    return onp.where(there, values, trace.constant(0, type))


@openvino("PSROIPooling", 1)
def ps_roi_pooling(layer: Layer) -> Any:
    """PSROIPooling-1: the mean of each bin, which has its own channel for each output."""
    outputs, group = layer.attr("output_dim"), layer.attr("group_size")
    x, regions, image = _regions(layer)
    if layer.attr("mode") == "bilinear":
        return _of_images(layer, image, of_parts(layer, x, regions, image))
    images, *positions = layer.dims(f"N {outputs * group * group} H W")
    scale, trace, type = layer.attr("spatial_scale"), x.trace, x.element
    masks: list[Any] = []
    sizes: list[Any] = []
    bins = trace.given(np.arange(group + 1), el.F64).astype(type)
    for k in range(2):
        start = rounded(regions[:, 2 - k : 3 - k]) * scale
        end = (rounded(regions[:, 4 - k : 5 - k]) + 1.0) * scale
        size = onp.maximum(end - start, 0.1) / group
        low = onp.floor(bins[:-1] * size + start).astype(el.I64)
        high = onp.ceil(bins[1:] * size + start).astype(el.I64)
        inside, count = _inside(low, high, positions[k])
        masks.append(inside)
        sizes.append(count)
    channels = x.reshape((images, outputs, group, group, *positions))
    values = gathered(channels, (0,), onp.maximum(image, 0))
    inside = masks[0][:, None, :, None, :, None] & masks[1][:, None, None, :, None, :]
    zero = trace.constant(0, type)
    total = onp.where(inside, values, zero).sum(axis=(4, 5))
    area = (sizes[0][:, :, None] * sizes[1][:, None, :])[:, None]
    mean = total / onp.maximum(area, 1).astype(type)
    some = (area > 0) & (image >= 0)[:, None, None, None]
    return onp.where(some, mean, zero).astype(layer.element())
