"""Regions of images: RegionYolo, ROIPooling and PSROIPooling."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.traced import NodeTrace, gathered
from opc.frontend.python.elementwise import widened

from .bins import of_parts, rounded
from .layer import Layer
from .schema import openvino


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


def _regions(layer: Layer) -> tuple[NodeTrace, Any, Any, Any]:
    """Images and regions (image, x, y, x, y) in f32 or f64, and the image number of each region."""
    layer.dims("N C H W", "R 5")
    trace = layer.trace
    x, coordinates = (widened(layer.traced(k)) for k in (0, 1))
    # Regions without an image, such as the padding of Proposal, give 0.
    return trace, x, coordinates, coordinates[:, 0].astype(el.I64)


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
    trace, x, regions, image = _regions(layer)
    if layer.attr("method") == "bilinear":
        values = _between(layer, trace, x, regions, image, counts)
    else:
        values = _greatest(layer, trace, x, regions, image, counts)
    is_there = (image >= 0)[:, None, None, None]
    zero = trace.constant(0, x.element)
    return onp.where(is_there, values, zero).astype(layer.element())


def _greatest(
    layer: Layer, trace: NodeTrace, x: Any, regions: Any, image: Any, counts: tuple[int, ...]
) -> Any:
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


def _between(
    layer: Layer, trace: NodeTrace, x: Any, regions: Any, image: Any, counts: tuple[int, ...]
) -> Any:
    """Bilinear samples; corners are relative to the index of the last element."""
    type = x.element
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
    trace, x, regions, image = _regions(layer)
    if layer.attr("mode") == "bilinear":
        values, is_one = of_parts(layer, x, regions, image), (image >= 0)[:, None, None, None]
        values = onp.where(is_one, values, trace.constant(0, x.element))
        return values.astype(layer.element())
    images, *positions = layer.dims(f"N {outputs * group * group} H W")
    scale, type = layer.attr("spatial_scale"), x.element
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
