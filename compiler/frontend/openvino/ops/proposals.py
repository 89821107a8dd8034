"""Proposal: candidate regions of images, from moved anchors."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import suppressed

from .layer import Layer
from .overlaps import over_union
from .schema import openvino


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


def _clipped(corners: list[Any], width: Any, height: Any) -> list[Any]:
    return [onp.maximum(onp.minimum(c, (width, height)[k % 2]), 0.0) for k, c in enumerate(corners)]


@openvino("Proposal", 1, 4)
def proposal(layer: Layer) -> tuple[Any, ...]:
    """Proposal-1 and -4 --> regions [N * count, 5]: image and corners; -4 with their scores.

    A row with image -1 follows the last region of an image, if there is room; the others are 0.
    """
    shape, moves = layer.shape(), layer.shape(1)
    if len(shape) != 4 or len(moves) != 4:
        raise layer.error(f"scores {shape_text(shape)} and moves {shape_text(moves)}")
    images, _, height, width = shape
    is_tensorflow = layer.attr("framework") == "tensorflow"
    offset = 0.0 if is_tensorflow else 1.0
    anchors = _anchors(layer, is_tensorflow)
    count = anchors.shape[1]
    layer.require("equal", shape[1], ex.const(2 * count), "the channels are not the anchors")
    for a, c in zip(moves, (images, ex.const(4 * count), height, width), strict=True):
        layer.require("equal", a, c, "scores and moves differ")
    trace, f32 = layer.trace, el.F32
    scores, moved, image = (layer.traced(k, f32) for k in range(3))
    image = image.reshape((ex.product(layer.shape(2)),))
    numbers = layer.shape(2)[-1].constant
    if numbers not in (3, 4):
        raise layer.error(f"{shape_text(layer.shape(2))} are not 3 or 4 numbers of an image")
    high, wide = image[0], image[1]
    least = np.float32(layer.attr("min_size"))
    least_high, least_wide = least * image[2], least * image[numbers - 1]
    if is_tensorflow:
        high, wide = wide, high

    # Anchors are [H, W, anchors], their scores and moves [N, H, W, anchors].
    step = layer.attr("feat_stride")
    rows, columns = ((trace.line(e) * step).astype("f32") for e in (height, width))
    rows, columns = rows[:, None, None], columns[None, :, None]
    across, down = (rows, columns) if is_tensorflow else (columns, rows)
    corners = [(down if k % 2 else across) + trace.constant(anchors[k], f32) for k in range(4)]
    if is_tensorflow:
        corners = _clipped(corners, wide, high)
    deltas = moved.reshape((images, count, 4, height, width)).transpose([2, 0, 3, 4, 1])
    scales = [np.float32(layer.attr(n)) for n in ("box_coordinate_scale", "box_size_scale")]
    decoded: list[Any] = [None] * 4
    for k in range(2):
        side = corners[k + 2] - corners[k] + offset
        centre = deltas[k] / scales[0] * side + (corners[k] + 0.5 * side)
        half = 0.5 * (onp.exp(deltas[k + 2] / scales[1]) * side)
        decoded[k], decoded[k + 2] = centre - half, centre + half
    if layer.attr("clip_before_nms"):
        decoded = _clipped(decoded, wide - offset, high - offset)
    is_large = (least_wide <= decoded[2] - decoded[0] + offset) & (
        least_high <= decoded[3] - decoded[1] + offset
    )
    score = scores[:, count:].transpose([0, 2, 3, 1])
    score = is_large.astype("f32") * score

    total = height * width * count
    flat = [v.reshape((images, total)) for v in (*decoded, score)]
    first = ex.minimum(total, layer.attr("pre_nms_topn"))
    best, places = ordered(flat[4], 1, first)
    boxes = [onp.take_along_axis(v, places, 1) for v in flat[:4]]
    most, room = np.float32(layer.attr("nms_thresh")), layer.attr("post_nms_topn")
    taken = suppressed(
        onp.maximum(best, np.finfo(np.float32).min),
        boxes,
        lambda a, b: over_union(a, b, offset, touching=True) > most,
        ex.const(room),
    )
    is_one, at = taken >= 0, onp.maximum(taken, 0)
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    high, wide = image[0], image[1]
    if is_tensorflow:
        high, wide = wide, high
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
    if layer.schema.since < 4:
        return (regions,)
    probabilities = onp.where(is_one, best, zero)
    return regions, probabilities.reshape((images * room,)).astype(layer.element())
