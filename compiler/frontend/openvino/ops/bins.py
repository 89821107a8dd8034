"""ROI pooling with bilinear samples: position-sensitive, deformable or rotated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.shape import shape_text
from opc.frontend.models.traced import NodeTrace, gathered
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
    total: Any = None
    for y, a in ends[0]:
        for z, b in ends[1]:
            values = gathered(x, axes, *indices, y.astype(el.I64), z.astype(el.I64))
            weight = onp.expand_dims(a * b, more) if more else a * b
            total = values * weight if total is None else total + values * weight
    return onp.where(onp.expand_dims(there, more) if more else there, total, 0), there


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
    x, regions = (widened(layer.traced(k)) for k in (0, 1))
    type, image = x.element, regions[:, 0].astype(el.I64)
    channels = x.reshape((images, outputs, size, size, *positions))
    moves: list[Any] = [None, None]
    if layer.has(2):
        moves = _moves(layer, trace)
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
    mean = onp.where((image >= 0)[:, None, None, None], mean, 0)
    return mean.astype(layer.element())


def _moves(layer: Layer, trace: NodeTrace) -> list[Any]:
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
