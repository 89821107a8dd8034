"""Proposal and GenerateProposals: the best regions of images, from moved anchors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import GONE, suppressed

from .layer import Layer
from .nms import over_union
from .schema import openvino

WIDEST = np.float32(math.log(1000 / 16))
"""The greatest growth of the logarithm of a side."""


def moved(corners: Sequence[Any], moves: Sequence[Any], offset: float) -> list[Any]:
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


def moved_at_most(
    corners: Sequence[Any], moves: Sequence[Any], offset: float, most: np.float32 = WIDEST
) -> list[Any]:
    """As ``moved``, the growth of sides limited, and the last corners inside."""
    limited = [*moves[:2], *(onp.minimum(v, most) for v in moves[2:])]
    boxes = moved(corners, limited, offset)
    return [*boxes[:2], *(v - offset for v in boxes[2:])]


def _clipped(corners: Sequence[Any], width: Any, height: Any) -> list[Any]:
    return [onp.maximum(onp.minimum(c, (width, height)[k % 2]), 0.0) for k, c in enumerate(corners)]


def _are_large(corners: Sequence[Any], height: Any, width: Any, offset: float) -> Any:
    """Whether boxes have at least these sides."""
    is_wide = width <= corners[2] - corners[0] + offset
    return is_wide & (height <= corners[3] - corners[1] + offset)


@dataclass(frozen=True)
class _Inputs:
    """Anchors [1, H * W * A], moves and scores [N, H * W * A], image sizes [N, 3 or 4]."""

    image: Any
    corners: Sequence[Any]
    moves: Sequence[Any]
    scores: Any


def _inputs(layer: Layer, images: ex.Expr, shape: Sequence[ex.Expr]) -> _Inputs:
    """The inputs; ``shape`` is A, H, W: A anchors at each of H x W points."""
    count, height, width = shape
    total, wanted = ex.product(layer.shape(1)), ex.product((*shape, ex.const(4)))
    layer.require("equal", total, wanted, "the anchors are not those of the scores")
    total = ex.product(layer.shape(2))
    layer.require("equal", total, images * wanted, "the moves are not those of the scores")
    (numbers,) = layer.shape()[-1:]
    image, anchors, moves, scores = (layer.traced(k, el.F32) for k in range(4))
    anchors = anchors.reshape((1, height * width * count, 4))
    moves = moves.reshape((images, count, 4, height, width)).transpose([2, 0, 3, 4, 1])
    scores = scores.reshape((images, count, height, width))
    flat = [
        v.reshape((images, height * width * count))
        for v in (*(moves[k] for k in range(4)), scores.transpose([0, 2, 3, 1]))
    ]
    image = image.reshape((images, numbers))
    return _Inputs(image, [anchors[:, :, k] for k in range(4)], flat[:4], flat[4])


@dataclass(frozen=True)
class _Regions:
    """The kept regions, [N, M] each, best first; ``taken`` is -1 after the last."""

    taken: Any
    corners: Sequence[Any]
    score: Any


def _best(
    score: Any,
    boxes: Sequence[Any],
    first: ex.Expr,
    room: ex.Expr,
    threshold: float,
    offset: float,
    is_allowed: Any = None,
) -> _Regions:
    """At most ``room`` of the ``first`` best regions, by non-maximum suppression."""
    best, places = ordered(score, 1, first)
    boxes = [onp.take_along_axis(v, places, 1) for v in boxes]
    alive, most = onp.maximum(best, np.finfo(np.float32).min), np.float32(threshold)
    if is_allowed is not None:
        is_allowed = onp.take_along_axis(is_allowed.astype(el.I64), places, 1) != 0
        alive = onp.where(is_allowed, alive, GONE)
    taken = suppressed(
        alive, boxes, lambda a, b: over_union(a, b, offset, touching=True) > most, room
    )
    at = onp.maximum(taken, 0)
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    return _Regions(taken, boxes, best)


def _chosen(
    layer: Layer, inputs: _Inputs, sides: Sequence[Any], offset: float, drops_small: bool
) -> _Regions:
    """Non-maximum suppression of regions; ``sides`` are the least height and width, [N, 1].

    Smaller regions are dropped, or else take part with score 0.
    """
    total = inputs.scores.extents[1]
    inner = offset if drops_small else 1.0
    decoded = moved_at_most(inputs.corners, inputs.moves, inner)
    decoded = _clipped(decoded, *(inputs.image[:, k, None] - inner for k in (1, 0)))
    is_large = _are_large(decoded, sides[0], sides[1], inner)
    score = inputs.scores if drops_small else is_large.astype("f32") * inputs.scores
    return _best(
        score,
        decoded,
        ex.minimum(total, layer.attr("pre_nms_count")),
        ex.const(layer.attr("post_nms_count")),
        layer.attr("nms_threshold"),
        offset,
        is_large if drops_small else None,
    )


@openvino("GenerateProposals", 9)
def generate_proposals(layer: Layer) -> tuple[Any, ...]:
    """GenerateProposals-9 --> regions [M, 4], their scores [M], and how many each image has, [N].

    Sorted by image, best first.
    """
    images, _, _, height, width, count = layer.dims("N I", "*", "N D H W", "N A H W")
    numbers = _numbers(layer, 0)
    inputs = _inputs(layer, images, (count, height, width))
    least = np.float32(layer.attr("min_size"))
    sides = [inputs.image[:, k, None] * least for k in (2, numbers - 1)]
    offset = 0.0 if layer.attr("normalized") else 1.0
    chosen = _chosen(layer, inputs, sides, offset, drops_small=True)
    total = ex.product(chosen.taken.extents)
    marks = chosen.taken >= 0
    places = kept(marks.reshape((total,)))
    score, *corners = (v.reshape((total,)).take(places) for v in (chosen.score, *chosen.corners))
    return (
        onp.stack(corners, axis=1).astype(layer.element()),
        score.astype(layer.element()),
        marks.astype(el.I64).sum(axis=1).astype(layer.attr("roi_num_type")),
    )


@openvino("ExperimentalDetectronGenerateProposalsSingleImage", 6)
def single_image(layer: Layer) -> tuple[Any, ...]:
    """ExperimentalDetectronGenerateProposalsSingleImage-6 --> regions [M, 4], and scores [M].

    Padded with 0.
    """
    layer.dims("*", "*", "*", "A H W")
    if ex.product(layer.shape()) != 3:
        raise layer.error(f"{shape_text(layer.shape())} are not 3 numbers of an image")
    inputs, least = _inputs(layer, ex.const(1), layer.shape(3)), np.float32(layer.attr("min_size"))
    chosen = _chosen(layer, inputs, [least, least], 0.0, drops_small=False)
    is_one, zero = chosen.taken >= 0, np.float32(0)
    count = layer.attr("post_nms_count")
    score, *corners = (onp.where(is_one, v, zero) for v in (chosen.score, *chosen.corners))
    regions, score = onp.stack(corners, axis=2).reshape((count, 4)), score.reshape((count,))
    return tuple(v.astype(layer.element()) for v in (regions, score))


def _numbers(layer: Layer, position: int) -> int:
    """How many numbers an input has of each image: its height, its width, and one or two scales."""
    numbers = layer.shape(position)[-1].constant
    if numbers not in (3, 4):
        raise layer.error(f"{shape_text(layer.shape(position))} are not 3 or 4 numbers of an image")
    return numbers


def _anchors(layer: Layer, is_tensorflow: bool) -> Any:
    """The corners of the anchors around the origin, [4, ratios * scales]."""
    ratios, scales = (np.array(layer.attr(name), np.float32) for name in ("ratio", "scale"))
    size, offset = np.float32(layer.attr("base_size")), np.float32(not is_tensorflow)
    half = np.float32(0.5)
    width = np.sqrt(size * size / ratios)
    height = width * ratios
    if not is_tensorflow:
        width = np.floor(width + half)
        height = np.floor(width * ratios + half)
    centre = half * (size - offset) - (size * half if is_tensorflow else np.float32(0))
    halves = [(half * (side[:, None] * scales - offset)).reshape(-1) for side in (width, height)]
    return np.stack(
        [centre - halves[0], centre - halves[1], centre + halves[0], centre + halves[1]]
    )


@openvino("Proposal", 1, 4)
def proposal(layer: Layer) -> tuple[Any, ...]:
    """Proposal-1 and -4 --> regions [N * count, 5]: image and corners; -4 with their scores.

    A row with image -1 follows the last region of an image, if there is room; the others are 0.
    """
    is_tensorflow = layer.attr("framework") == "tensorflow"
    offset = 0.0 if is_tensorflow else 1.0
    anchors = _anchors(layer, is_tensorflow)
    count = anchors.shape[1]
    images, height, width = layer.dims(f"N {2 * count} H W", f"N {4 * count} H W")
    trace, f32 = layer.trace, el.F32
    scores, moves, image = (layer.traced(k, f32) for k in range(3))
    image = image.reshape((ex.product(layer.shape(2)),))
    high, wide = (image[1], image[0]) if is_tensorflow else (image[0], image[1])
    least = np.float32(layer.attr("min_size"))
    least_high, least_wide = least * image[2], least * image[_numbers(layer, 2) - 1]

    # Anchors are [H, W, anchors], their scores and moves [N, H, W, anchors].
    step = layer.attr("feat_stride")
    rows, columns = ((trace.line(e) * step).astype("f32") for e in (height, width))
    rows, columns = rows[:, None, None], columns[None, :, None]
    across, down = (rows, columns) if is_tensorflow else (columns, rows)
    corners = [(down if k % 2 else across) + trace.constant(anchors[k], f32) for k in range(4)]
    if is_tensorflow:
        corners = _clipped(corners, wide, high)
    deltas = moves.reshape((images, count, 4, height, width)).transpose([2, 0, 3, 4, 1])
    scales = [np.float32(layer.attr(n)) for n in ("box_coordinate_scale", "box_size_scale")]
    decoded = moved(corners, [deltas[k] / scales[k // 2] for k in range(4)], offset)
    if layer.attr("clip_before_nms"):
        decoded = _clipped(decoded, wide - offset, high - offset)
    is_large = _are_large(decoded, least_high, least_wide, offset)
    score = is_large.astype("f32") * scores[:, count:].transpose([0, 2, 3, 1])

    total = height * width * count
    flat = [v.reshape((images, total)) for v in (*decoded, score)]
    first, room = ex.minimum(total, layer.attr("pre_nms_topn")), layer.attr("post_nms_topn")
    kept = _best(flat[4], flat[:4], first, ex.const(room), layer.attr("nms_thresh"), offset)
    boxes, best, is_one = list(kept.corners), kept.score, kept.taken >= 0
    if layer.attr("clip_after_nms"):
        boxes = _clipped(boxes, wide, high)
    if layer.attr("normalize"):
        boxes = [v / (wide, high)[k % 2] for k, v in enumerate(boxes)]
    number = trace.line(images).astype("f32")[:, None] + best * 0.0
    is_end = is_one.astype(el.I64).sum(axis=1)[:, None] == trace.constant(np.arange(room), el.I64)
    zero = np.float32(0)
    number = onp.where(is_one, number, onp.where(is_end, np.float32(-1), zero))
    columns_of = [number, *(onp.where(is_one, v, zero) for v in boxes)]
    table = onp.stack(columns_of, axis=2)
    regions = table.reshape((images * room, 5)).astype(layer.element())
    probabilities = onp.where(is_one, best, zero)
    return regions, probabilities.reshape((images * room,)).astype(layer.element())
