"""Layers of Detectron: anchor grids, the best regions, their features, and detections."""

from __future__ import annotations

import itertools
import operator
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.compaction import before, counted, placed
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import GONE, suppressed
from opc.frontend.models.traced import extended, gathered
from opc.frontend.onnx.ops.roi import samples

from .layer import Layer
from .nms import over_union
from .proposals import moved_at_most
from .schema import openvino

USUAL, LEVEL = 224.0, 2
"""A region with sides of ``USUAL`` is on this pyramid level; twice the side is the next one."""


def _float(layer: Layer, extent: ex.Expr) -> Any:
    return layer.trace.number(extent).astype(el.F32)


@openvino("ExperimentalDetectronPriorGridGenerator", 6)
def prior_grid(layer: Layer) -> Any:
    """ExperimentalDetectronPriorGridGenerator-6: boxes around the points of a grid --> [H*W*P, 4].

    Without ``flatten`` they are [H, W, P, 4].
    """
    trace = layer.trace
    count, _, _, *counts, _, _, rows, columns = layer.dims("P 4", "N C H W", "M D I J")
    for extent, name in zip(counts, ("h", "w"), strict=True):
        if layer.attr(name):
            # In OpenVINO the result has the extents of the map in any case.
            wanted = ex.const(layer.attr(name))
            layer.require("equal", extent, wanted, f"attribute {name} is not the extent of the map")
    places: list[Any] = []
    for k, name in enumerate(("stride_y", "stride_x")):
        step = layer.attr(name)
        step = np.float32(step) if step else (
            _float(layer, (rows, columns)[k]) / _float(layer, counts[k])
        )  # fmt: skip
        at: Any = trace.line(counts[k]).astype("f32")
        places.append((at + 0.5) * step)
    priors: Any = layer.traced(0, el.F32)
    sides = [places[1][None, :, None], places[0][:, None, None]]
    grid = (*counts, count)
    corners = [onp.broadcast_to(priors[:, k] + sides[k % 2], grid) for k in range(4)]
    table = onp.stack(corners, axis=3)
    shape = (ex.product(grid), ex.const(4)) if layer.attr("flatten") else (*grid, ex.const(4))
    return table.reshape(shape).astype(layer.element())


@openvino("ExperimentalDetectronTopKROIs", 6)
def top_regions(layer: Layer) -> Any:
    """ExperimentalDetectronTopKROIs-6 --> the best regions [M, 4], padded with 0."""
    (regions,), most = layer.dims("R 4", "R"), layer.attr("max_rois")
    count = ex.minimum(regions, most)
    _, places = ordered(layer.traced(1), 0, count)
    return extended(gathered(layer.traced(0), [0], places), 0, 0, most - count)


@openvino("ExperimentalDetectronROIFeatureExtractor", 6)
def features(layer: Layer) -> tuple[Any, Any]:
    """ExperimentalDetectronROIFeatureExtractor-6 --> [R, C, S, S], and the regions themselves.

    The size of a region decides the pyramid level that it is sampled from.  All levels are
    concatenated along one axis, in which samples are gathered.
    """
    size, ratio = layer.attr("output_size"), layer.attr("sampling_ratio")
    if ratio < 1:
        raise layer.unsupported("sampling_ratio = 0: regions decide how many samples there are")
    scales, levels = layer.attr("pyramid_scales"), len(layer.inputs) - 1
    if len(scales) != levels:
        raise layer.error(f"{len(scales)} scales of {levels} levels")
    _, channels, *extents = layer.dims("R 4", *(f"1 C H{k} W{k}" for k in range(levels)))
    heights, widths, trace = extents[::2], extents[1::2], layer.trace
    sizes = [h * w for h, w in zip(heights, widths, strict=True)]
    lines = [layer.traced(1 + k, el.F32).reshape((channels, n)) for k, n in enumerate(sizes)]
    line = onp.concatenate(lines, axis=1)
    regions = layer.traced(0, el.F32)
    corners = [regions[:, k] for k in range(4)]
    area = (corners[2] - corners[0]) * (corners[3] - corners[1])
    # floor(log2 x) is the number of powers of 2 that are not greater than x.
    large = onp.sqrt(area) / np.float32(USUAL) + np.float32(1e-6)
    powers = trace.constant([2.0 ** (k + 1 - LEVEL) for k in range(levels - 1)], el.F32)
    level = (large[:, None] >= powers).astype(el.I64).sum(axis=1)
    is_one, zero = area > 0.0, np.float32(0)

    def of_level(values: list[ex.Expr]) -> Any:
        """The value of the level of each region, i64 [R]."""
        return onp.stack(list(map(trace.number, values))).take(level)

    starts = [ex.total_of(sizes[:k]) for k in range(levels)]
    start, height, width = map(of_level, (starts, heights, widths))
    table = np.float32(1) / np.array(scales, np.float32)
    scale = trace.constant(table, el.F32).take(level)
    shift = 0.5 if layer.attr("aligned") else 0.0
    parts: list[Any] = []
    for k, extent in ((1, height), (0, width)):
        low, high = corners[k] * scale - shift, corners[k + 2] * scale - shift
        side = onp.maximum(high - low, 1.0)
        ends = extent.astype("f32")[:, None, None]
        lined = (-1, size, 1, ratio, 1) if k == 1 else (-1, 1, size, 1, ratio)
        parts.append([v.reshape(lined) for v in samples(low, side, size, ratio, ends)])
    rows, columns = parts
    start, width = (v.reshape((-1, 1, 1, 1, 1)) for v in (start, width))
    there = (rows[3] & columns[3]) & is_one.reshape((-1, 1, 1, 1, 1))
    pairs = [((v[0], 1.0 - v[2]), (v[1], v[2])) for v in (rows, columns)]
    terms = [
        gathered(line, (1,), start + y.astype(el.I64) * width + x.astype(el.I64))
        * onp.where(there, a * b, zero)
        for (y, a), (x, b) in itertools.product(*pairs)
    ]
    total = reduce(operator.add, terms)
    # [C, R, S, S, samples down, samples across]
    mean = (total.sum(axis=(4, 5)) / (ratio * ratio)).transpose([1, 0, 2, 3])
    return mean.astype(layer.element()), layer[0]


@openvino("ExperimentalDetectronDetectionOutput", 6)
def detections(layer: Layer) -> tuple[Any, ...]:
    """ExperimentalDetectronDetectionOutput-6 --> boxes [M, 4], classes [M], scores [M].

    Sorted by class, best first; by score, if there are more than M.  Padded with 0.
    """
    classes, most = layer.attr("num_classes"), layer.attr("max_detections_per_image")
    (count,) = layer.dims("R 4", f"R {4 * classes}", f"R {classes}")
    trace = layer.trace
    regions, moves, scores = (layer.traced(k, el.F32) for k in range(3))
    deltas = moves.reshape((count, classes, 4)).transpose([2, 1, 0])
    weights = [np.float32(v) for v in layer.attr("deltas_weights")]
    corners = [regions[:, k] for k in range(4)]
    limit = np.float32(layer.attr("max_delta_log_wh"))
    decoded = moved_at_most(corners, [deltas[k] / weights[k] for k in range(4)], 1.0, limit)
    is_real = (corners[2] - corners[0] > 0.0) & (corners[3] - corners[1] > 0.0)
    zero = np.float32(0)
    decoded = [onp.where(is_real, onp.maximum(v, 0.0), zero) for v in decoded]
    scores = onp.where(is_real, scores.T, zero)
    label: Any = trace.constant(np.arange(classes), el.I64)[:, None]
    is_one = (scores > np.float32(layer.attr("score_threshold"))) & (label > 0)
    line = onp.where(is_one, scores, GONE)
    best, places = ordered(line, 1, count)
    boxes = [onp.take_along_axis(v, places, 1) for v in decoded]
    # At most post_nms_count of each class.
    limit = np.float32(layer.attr("nms_threshold"))
    room = ex.minimum(count, layer.attr("post_nms_count"))
    taken = suppressed(best, boxes, lambda a, b: over_union(a, b, 1.0, touching=True) > limit, room)
    at, is_one = onp.maximum(taken, 0), taken >= 0
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    slots = room * classes
    score = onp.where(is_one, best, GONE).reshape((slots,))
    marks = is_one.reshape((slots,))
    width = ex.minimum(slots, most)
    _, by_score = ordered(score, 0, width)
    total = counted(marks)
    at = onp.where(total > most, by_score, placed(marks, before(marks), width))
    number: Any = trace.line(width)
    is_one = number < total

    def result(value: Any, type: el.ElementType) -> Any:
        return extended(onp.where(is_one, value, 0).astype(type), 0, 0, most - width)

    table = [result(v.reshape((slots,)).take(at), layer.element()) for v in boxes]
    return (
        onp.stack(table, axis=1),
        result(at // trace.size(room), el.BY_NAME["i32"]),
        result(score.take(at), layer.element()),
    )
