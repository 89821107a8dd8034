"""The best regions of images, from moved anchors: proposals, and the layers of Detectron."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import before, counted, kept, placed
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import GONE, suppressed
from opc.frontend.models.traced import extended, gathered
from opc.frontend.onnx.ops.roi import samples

from .layer import Attributes, Data, Layer, Single
from .nms import over_union
from .schema import openvino

WIDEST = np.float32(math.log(1000 / 16))
"""The greatest growth of the logarithm of a side."""
USUAL, LEVEL = 224.0, 2
"""A region with sides of ``USUAL`` is on this pyramid level; twice the side is the next one."""


def _moved(corners: Sequence[Any], moves: Sequence[Any], offset: float) -> list[Any]:
    """Boxes (x, y, x, y) whose centres move by multiples of their sides, which are then scaled.

    A side is ``offset`` longer than the distance of the corners; those of results lie outside.
    """
    boxes: list[Any] = [None] * 4
    for k in range(2):
        side = corners[k + 2] - corners[k] + offset
        centre = moves[k] * side + (corners[k] + 0.5 * side)
        half = 0.5 * (onp.exp(moves[k + 2]) * side)
        boxes[k], boxes[k + 2] = centre - half, centre + half
    return boxes


def _moved_at_most(
    corners: Sequence[Any], moves: Sequence[Any], offset: float, most: np.float32 = WIDEST
) -> list[Any]:
    """As ``_moved``, the growth of sides limited, and the last corners inside."""
    limited = [*moves[:2], *(onp.minimum(v, most) for v in moves[2:])]
    boxes = _moved(corners, limited, offset)
    return [*boxes[:2], *(v - offset for v in boxes[2:])]


def _clipped(corners: Sequence[Any], width: Any, height: Any) -> list[Any]:
    return [onp.maximum(onp.minimum(c, (width, height)[k % 2]), 0.0) for k, c in enumerate(corners)]


def _are_large(corners: Sequence[Any], height: Any, width: Any, offset: float) -> Any:
    """Whether boxes have at least these sides."""
    is_wide = width <= corners[2] - corners[0] + offset
    return is_wide & (height <= corners[3] - corners[1] + offset)


@dataclass(frozen=True)
class _Regions:
    """The kept regions, [N, M] each, best first; ``taken`` is -1 after the last."""

    taken: Any
    corners: Sequence[Any]
    score: Any


def _best(
    score: Any,
    boxes: Sequence[Any],
    counts: tuple[ex.Expr, ex.Expr],
    threshold: float,
    offset: float,
    is_allowed: Any = None,
) -> _Regions:
    """Of the first ``counts`` best regions at most the second, by non-maximum suppression."""
    best, places = ordered(score, 1, counts[0])
    boxes = [onp.take_along_axis(v, places, 1) for v in boxes]
    alive, most = onp.maximum(best, np.finfo(np.float32).min), np.float32(threshold)
    if is_allowed is not None:
        is_allowed = onp.take_along_axis(is_allowed.astype(el.I64), places, 1) != 0
        alive = onp.where(is_allowed, alive, GONE)
    taken = suppressed(
        alive, boxes, lambda a, b: over_union(a, b, offset, touching=True) > most, counts[1]
    )
    at = onp.maximum(taken, 0)
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    return _Regions(taken, boxes, best)


def _turned(moves: Any, *shape: ex.Expr | int) -> Any:
    """Moves [N, A, 4, H, W] of A anchors at each point as [4, N, H, W, A]."""
    return moves.reshape(shape).transpose([2, 0, 3, 4, 1])


def _chosen(
    layer: Layer,
    inputs: Sequence[Any],
    images: ex.Expr,
    offset: float,
    drops_small: bool,
    a: Attributes,
) -> _Regions:
    """Non-maximum suppression of regions: A anchors at each of H x W points, moved.

    ``inputs`` are the sizes of images, anchors, moves and scores.  Regions with a side less than
    ``min_size``, times the scale of the image, are dropped, or else take part with score 0.
    """
    image, anchors, moves, scores = inputs
    shape = scores.extents[-3:]
    (count, height, width), wanted = shape, ex.product((*shape, ex.const(4)))
    for x, number, what in ((anchors, 1, "anchors"), (moves, images, "moves")):
        what = f"the {what} are not those of the scores"
        layer.require("equal", ex.product(x.extents), wanted * number, what)
    total = height * width * count
    anchors = anchors.reshape((1, total, 4))
    deltas = _turned(moves, images, count, 4, height, width)
    moves = [deltas[k].reshape((images, total)) for k in range(4)]
    scores = scores.reshape((images, count, height, width)).transpose([0, 2, 3, 1])
    scores = scores.reshape((images, total))
    (numbers,) = image.extents[-1:]
    image = image.reshape((images, numbers))
    least, last = np.float32(a.min_size), (numbers.constant or 0) - 1
    sides = [image[:, k, None] * least for k in (2, last)] if drops_small else [least, least]
    inner = offset if drops_small else 1.0
    decoded = _moved_at_most([anchors[:, :, k] for k in range(4)], moves, inner)
    decoded = _clipped(decoded, *(image[:, k, None] - inner for k in (1, 0)))
    is_large = _are_large(decoded, sides[0], sides[1], inner)
    score = scores if drops_small else is_large.astype("f32") * scores
    counts = ex.minimum(total, a.pre_nms_count), ex.const(a.post_nms_count)
    is_allowed = is_large if drops_small else None
    return _best(score, decoded, counts, a.nms_threshold, offset, is_allowed)


def _check_numbers(layer: Layer, image: Any, *counts: int) -> int:
    """How many numbers an image has: its height, its width, and one or two scales."""
    numbers = image.extents[-1].constant
    if numbers not in counts:
        expected = " or ".join(map(str, counts))
        text = shape_text(image.extents)
        raise layer.error(f"{text} are not {expected} numbers of an image")
    return numbers


@openvino("GenerateProposals", 9)
def generate_proposals(layer: Layer, a: Attributes, *inputs: Single) -> tuple[Any, ...]:
    """GenerateProposals-9 --> regions [M, 4], their scores [M], and how many each image has, [N].

    Sorted by image, best first.
    """
    images, *_ = layer.dims("N I", "*", "N D H W", "N A H W")
    _check_numbers(layer, inputs[0], 3, 4)
    offset = 0.0 if a.normalized else 1.0
    chosen = _chosen(layer, inputs, images, offset, True, a)
    marks, total = chosen.taken >= 0, ex.product(chosen.taken.extents)
    places = kept(marks.reshape((total,)))
    score, *corners = (v.reshape((total,)).take(places) for v in (chosen.score, *chosen.corners))
    return onp.stack(corners, axis=1), score, marks.astype(el.I64).sum(axis=1)


@openvino("ExperimentalDetectronGenerateProposalsSingleImage", 6)
def single_image(layer: Layer, a: Attributes, *inputs: Single) -> tuple[Any, ...]:
    """ExperimentalDetectronGenerateProposalsSingleImage-6 --> regions [M, 4], and scores [M].

    Padded with 0.
    """
    layer.dims("*", "*", "*", "A H W")
    if ex.product(layer.shape()) != 3:
        raise layer.error(f"{shape_text(layer.shape())} are not 3 numbers of an image")
    chosen = _chosen(layer, inputs, ex.const(1), 0.0, False, a)
    is_one, zero = chosen.taken >= 0, np.float32(0)
    score, *corners = (onp.where(is_one, v, zero) for v in (chosen.score, *chosen.corners))
    regions = onp.stack(corners, axis=2).reshape((a.post_nms_count, 4))
    return regions, score.reshape((a.post_nms_count,))


def _anchors(a: Attributes, is_tensorflow: bool) -> Any:
    """The corners of the anchors around the origin, [4, ratios * scales]."""
    ratios, scales = (np.array(v, np.float32) for v in (a.ratio, a.scale))
    size, offset, half = np.float32(a.base_size), np.float32(not is_tensorflow), np.float32(0.5)
    width = np.sqrt(size * size / ratios)
    height = width * ratios
    if not is_tensorflow:
        width = np.floor(width + half)
        height = np.floor(width * ratios + half)
    centre = half * (size - offset) - (size * half if is_tensorflow else np.float32(0))
    halves = [(half * (side[:, None] * scales - offset)).reshape(-1) for side in (width, height)]
    return np.stack([centre - v for v in halves] + [centre + v for v in halves])


@openvino("Proposal", 1, 4)
def proposal(
    layer: Layer, class_probs: Single, bbox_deltas: Single, image_shape: Single, a: Attributes
) -> tuple[Any, ...]:
    """Proposal-1 and -4 --> regions [N * count, 5]: image and corners; -4 with their scores.

    A row with image -1 follows the last region of an image, if there is room; the others are 0.
    """
    is_tensorflow = a.framework == "tensorflow"
    offset, anchors = 0.0 if is_tensorflow else 1.0, _anchors(a, is_tensorflow)
    count = anchors.shape[1]
    images, height, width = layer.dims(f"N {2 * count} H W", f"N {4 * count} H W")
    trace, f32, zero, least = layer.trace, el.F32, np.float32(0), np.float32(a.min_size)
    image = image_shape.reshape((ex.product(image_shape.extents),))
    high, wide = (image[1], image[0]) if is_tensorflow else (image[0], image[1])
    last = _check_numbers(layer, image_shape, 3, 4) - 1
    sides = least * image[2], least * image[last]

    # Anchors are [H, W, anchors], their scores and moves [N, H, W, anchors].
    rows, columns = ((trace.line(e) * a.feat_stride).astype("f32") for e in (height, width))
    rows, columns = rows[:, None, None], columns[None, :, None]
    across, down = (rows, columns) if is_tensorflow else (columns, rows)
    corners = [(down if k % 2 else across) + trace.constant(anchors[k], f32) for k in range(4)]
    if is_tensorflow:
        corners = _clipped(corners, wide, high)
    deltas = _turned(bbox_deltas, images, count, 4, height, width)
    scales = [np.float32(v) for v in (a.box_coordinate_scale, a.box_size_scale)]
    decoded = _moved(corners, [deltas[k] / scales[k // 2] for k in range(4)], offset)
    if a.clip_before_nms:
        decoded = _clipped(decoded, wide - offset, high - offset)
    is_large = _are_large(decoded, *sides, offset)
    score = is_large.astype("f32") * class_probs[:, count:].transpose([0, 2, 3, 1])

    total, room = height * width * count, a.post_nms_topn
    *flat, score = (v.reshape((images, total)) for v in (*decoded, score))
    counts = ex.minimum(total, a.pre_nms_topn), ex.const(room)
    best = _best(score, flat, counts, a.nms_thresh, offset)
    boxes, is_one = list(best.corners), best.taken >= 0
    if a.clip_after_nms:
        boxes = _clipped(boxes, wide, high)
    if a.normalize:
        boxes = [v / (wide, high)[k % 2] for k, v in enumerate(boxes)]
    number = trace.line(images).astype("f32")[:, None] + best.score * 0.0
    is_end = is_one.astype(el.I64).sum(axis=1)[:, None] == trace.constant(np.arange(room), el.I64)
    number = onp.where(is_one, number, onp.where(is_end, np.float32(-1), zero))
    table = onp.stack([number, *(onp.where(is_one, v, zero) for v in boxes)], axis=2)
    scores = onp.where(is_one, best.score, zero).reshape((images * room,))
    return table.reshape((images * room, 5)), scores


@openvino("ExperimentalDetectronPriorGridGenerator", 6)
def prior_grid(layer: Layer, priors: Single, a: Attributes) -> Any:
    """ExperimentalDetectronPriorGridGenerator-6: boxes around the points of a grid --> [H*W*P, 4].

    Without ``flatten`` they are [H, W, P, 4].
    """
    trace = layer.trace
    count, _, _, *counts, _, _, rows, columns = layer.dims("P 4", "N C H W", "M D I J")
    places: list[Any] = []
    for name, extent, size, step in (
        ("h", counts[0], rows, a.stride_y),
        ("w", counts[1], columns, a.stride_x),
    ):
        wanted = vars(a)[name]
        if wanted:
            # In OpenVINO the result has the extents of the map in any case.
            what = f"attribute {name} is not the extent of the map"
            layer.require("equal", extent, ex.const(wanted), what)
        ratio = [trace.number(e).astype(el.F32) for e in (size, extent)]
        by = np.float32(step) if step else ratio[0] / ratio[1]
        places.append((trace.line(extent).astype("f32") + 0.5) * by)
    sides, grid = [places[1][None, :, None], places[0][:, None, None]], (*counts, count)
    corners = [onp.broadcast_to(priors[:, k] + sides[k % 2], grid) for k in range(4)]
    table = onp.stack(corners, axis=3)
    return table.reshape((ex.product(grid), ex.const(4))) if a.flatten else table


@openvino("ExperimentalDetectronTopKROIs", 6)
def top_regions(layer: Layer, rois: Data, probs: Data, *, max_rois: int) -> Any:
    """ExperimentalDetectronTopKROIs-6 --> the best regions [M, 4], padded with 0."""
    (regions,) = layer.dims("R 4", "R")
    count = ex.minimum(regions, max_rois)
    _, places = ordered(probs, 0, count)
    return extended(gathered(rois, [0], places), 0, 0, max_rois - count)


@openvino("ExperimentalDetectronROIFeatureExtractor", 6)
def features(layer: Layer, a: Attributes, *inputs: Single) -> tuple[Any, Any]:
    """ExperimentalDetectronROIFeatureExtractor-6 --> [R, C, S, S], and the regions themselves.

    The size of a region decides the pyramid level that it is sampled from.  All levels are
    concatenated along one axis, in which samples are gathered.
    """
    (regions, *pyramid), size, ratio = inputs, a.output_size, a.sampling_ratio
    if ratio < 1:
        raise layer.unsupported("sampling_ratio = 0: regions decide how many samples there are")
    levels = len(pyramid)
    if len(a.pyramid_scales) != levels:
        raise layer.error(f"{len(a.pyramid_scales)} scales of {levels} levels")
    _, channels, *extents = layer.dims("R 4", *(f"1 C H{k} W{k}" for k in range(levels)))
    heights, widths, trace = extents[::2], extents[1::2], layer.trace
    sizes = [h * w for h, w in zip(heights, widths, strict=True)]
    lines = [x.reshape((channels, n)) for x, n in zip(pyramid, sizes, strict=True)]
    line = onp.concatenate(lines, axis=1)
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
    table = np.float32(1) / np.array(a.pyramid_scales, np.float32)
    scale = trace.constant(table, el.F32).take(level)
    shift = 0.5 if a.aligned else 0.0
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
    # [C, R, S, S, samples down, samples across]
    total = reduce(operator.add, terms).sum(axis=(4, 5)) / (ratio * ratio)
    return total.transpose([1, 0, 2, 3]), layer[0]


@openvino("ExperimentalDetectronDetectionOutput", 6)
def detections(
    layer: Layer, rois: Single, deltas: Single, scores: Single, a: Attributes
) -> tuple[Any, ...]:
    """ExperimentalDetectronDetectionOutput-6 --> boxes [M, 4], classes [M], scores [M].

    Sorted by class, best first; by score, if there are more than M.  Padded with 0.
    """
    classes, most, trace, zero = (
        a.num_classes,
        a.max_detections_per_image,
        layer.trace,
        np.float32(0),
    )
    (count,) = layer.dims("R 4", f"R {4 * classes}", f"R {classes}")
    moves = deltas.reshape((count, classes, 4)).transpose([2, 1, 0])
    moves = [moves[k] / np.float32(weight) for k, weight in enumerate(a.deltas_weights)]
    corners = [rois[:, k] for k in range(4)]
    decoded = _moved_at_most(corners, moves, 1.0, np.float32(a.max_delta_log_wh))
    is_real = (corners[2] - corners[0] > 0.0) & (corners[3] - corners[1] > 0.0)
    decoded = [onp.where(is_real, onp.maximum(v, 0.0), zero) for v in decoded]
    scores = onp.where(is_real, scores.T, zero)
    label: Any = trace.constant(np.arange(classes), el.I64)[:, None]
    is_one = (scores > np.float32(a.score_threshold)) & (label > 0)
    best, places = ordered(onp.where(is_one, scores, GONE), 1, count)
    boxes = [onp.take_along_axis(v, places, 1) for v in decoded]
    # At most post_nms_count of each class.
    limit, room = np.float32(a.nms_threshold), ex.minimum(count, a.post_nms_count)
    taken = suppressed(best, boxes, lambda a, b: over_union(a, b, 1.0, touching=True) > limit, room)
    at, is_one = onp.maximum(taken, 0), taken >= 0
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    slots = room * classes
    score, marks = onp.where(is_one, best, GONE).reshape((slots,)), is_one.reshape((slots,))
    width = ex.minimum(slots, most)
    _, by_score = ordered(score, 0, width)
    total = counted(marks)
    at = onp.where(total > most, by_score, placed(marks, before(marks), width))
    is_one = trace.line(width) < total

    def result(value: Any, type: el.ElementType) -> Any:
        return extended(onp.where(is_one, value, 0).astype(type), 0, 0, most - width)

    table = [result(v.reshape((slots,)).take(at), layer.element()) for v in boxes]
    label = result(at // trace.size(room), el.BY_NAME["i32"])
    return onp.stack(table, axis=1), label, result(score.take(at), layer.element())
