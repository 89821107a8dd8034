"""NonZero and Unique, and non-maximum suppression: of all boxes, or of each class in images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.compaction import kept, nonzero
from opc.frontend.models.indirect import columns
from opc.frontend.models.order import ordered
from opc.frontend.models.rotated_boxes import numbers_of, overlap_rotated
from opc.frontend.models.suppression import (
    CENTRED,
    GONE,
    UPRIGHT,
    Kind,
    Limits,
    Selected,
    select,
    suppressed,
)
from opc.frontend.models.traced import NodeTrace, gathered
from opc.frontend.models.unique import different

from .layer import Layer
from .schema import openvino


def over_union(
    mine: Sequence[Any],
    other: Sequence[Any],
    offset: float = 0,
    *,
    touching: bool = False,
    solid: bool = False,
) -> Any:
    """Intersection over union of boxes (x, y, x, y), 0 if they are disjoint.

    Sides are ``offset`` longer: with 1, corners are centres of pixels.  ``touching`` ignores the
    offset when it tests for disjoint boxes; ``solid`` gives 0 for boxes without an area.
    """
    sides = [
        onp.maximum(
            onp.minimum(mine[k + 2], other[k + 2]) - onp.maximum(mine[k], other[k]) + offset, 0.0
        )
        for k in range(2)
    ]
    shared = sides[0] * sides[1]
    areas = [(v[2] - v[0] + offset) * (v[3] - v[1] + offset) for v in (mine, other)]
    is_some = (sides[0] > 0.0) & (sides[1] > 0.0)
    if touching:
        for k in range(2):
            is_some = is_some & (mine[k] <= other[k + 2]) & (other[k] <= mine[k + 2])
    if solid:
        is_some = is_some & (areas[0] > 0.0) & (areas[1] > 0.0)
    return onp.where(is_some, shared / (areas[0] + areas[1] - shared), np.float32(0))


@openvino("NonZero", 3)
def non_zero(layer: Layer) -> Any:
    """NonZero-3 --> the indices of nonzero elements, [rank, count]."""
    return nonzero(layer.traced(0)).astype(layer.attr("output_type"))


@openvino("Unique", 10)
def unique(layer: Layer) -> tuple[Any, ...]:
    """Unique-10 --> different elements, first positions, inverse indices, counts."""
    axis = None
    if len(layer.inputs) > 1:
        axis = layer.axis(layer.one_number(1), layer.rank())
    part, distinct = different(layer.traced(0), axis, layer.attr("sorted"))
    index = layer.attr("index_element_type")
    return (
        part,
        distinct.first.astype(index),
        distinct.inverse.astype(index),
        distinct.counts.astype(layer.attr("count_element_type")),
    )


@openvino("NonMaxSuppression")
def non_max_suppression(layer: Layer) -> tuple[Any, ...]:
    """NonMaxSuppression --> (batch, class, box), (batch, class, score) of kept boxes, count.

    Before version 5 only the first.
    """
    return _suppressed(layer, 4, CENTRED if layer.attr("box_encoding") == "center" else UPRIGHT)


@openvino("NMSRotated", 13)
def rotated_boxes(layer: Layer) -> tuple[Any, ...]:
    """NMSRotated-13: as NonMaxSuppression, for boxes with an angle."""
    values = partial(numbers_of, clockwise=layer.attr("clockwise"))
    return _suppressed(layer, 5, Kind(columns, values, overlap_rotated))


def _suppressed(layer: Layer, numbers: int, kind: Kind) -> tuple[Any, ...]:
    """Non-maximum suppression of boxes [N, M, numbers]."""
    layer.dims(f"N M {numbers}", "N C M")
    type = layer.element()
    known = layer.number(2) if len(layer.inputs) > 2 else 0
    limits = Limits(
        _scalar(layer, 2, el.I64),
        None if known is None else int(known),
        _scalar(layer, 3, type),
        _scalar(layer, 4, type),
        _scalar(layer, 5, type) if len(layer.inputs) > 5 and layer.number(5) != 0 else None,
    )
    selected = select(layer.traced(0), layer.traced(1), limits, kind)
    best = selected.scores(layer.traced(1))
    if layer.attr("sort_result_descending"):
        best, order = ordered(best, 0, best.extents[0])
        parts = (selected.batch, selected.label, selected.box)
        selected = Selected(*(gathered(v, [0], order) for v in parts))
    pairs = [v.astype(el.F32) for v in (selected.batch, selected.label, best)]
    output = el.I64 if layer.schema.since < 3 else layer.attr("output_type")
    count = layer.trace.number(best.extents[0])
    return (
        selected.triples().astype(output),
        onp.stack(pairs, 1),
        count.reshape((1,)).astype(output),
    )


def _scalar(layer: Layer, position: int, type: el.ElementType) -> Any:
    """An input of one element as an array of rank 0; 0 if it is absent."""
    if position >= len(layer.inputs):
        return layer.trace.constant(0, type)
    return layer.scalar(position, type)


BATCH, SCORE, CLASS = "batch", "score", "class"
"""Sort keys of the list."""


@dataclass(frozen=True)
class Candidates:
    """The candidate boxes of each class of each image, best first: [N * C, M]."""

    trace: NodeTrace
    images: ex.Expr
    classes: ex.Expr
    count: ex.Expr
    """How many boxes an image has."""
    score: Any
    """``GONE`` where there is none."""
    box: Any
    """The number of the box in its image."""
    flat: Sequence[Any]
    """The four coordinates of the boxes of all images, flattened: [N * B] each."""
    corners: Sequence[Any]
    """The four coordinates of the candidates."""

    @property
    def room(self) -> ex.Expr:
        """How many candidates a class may have."""
        return self.score.extents[1]


def candidates(layer: Layer, is_enough: Callable[[Any], Any]) -> Candidates:
    """The candidates of boxes [N, B, 4] with scores [N, C, B] that ``is_enough`` accepts."""
    images, count, classes = layer.dims("N B 4", "N C B")
    trace = layer.trace
    boxes, scores = (layer.traced(k, el.F32) for k in range(2))
    label: Any = trace.line(classes)[:, None]
    is_one = is_enough(scores) & (label != layer.attr("background_class"))
    rows = images * classes
    line = onp.where(is_one, scores, GONE)
    top = layer.attr("nms_top_k")
    room = count if top < 0 else ex.minimum(count, top)
    line = line.reshape((rows, count))
    best, places = ordered(line, 1, room)
    row: Any = trace.line(rows)[:, None]
    at = row // trace.size(classes) * trace.size(count) + places
    flat = [boxes[:, :, k].reshape((images * count,)) for k in range(4)]
    corners = [v.take(at) for v in flat]
    return Candidates(trace, images, classes, count, best, places, flat, corners)


def listed(
    layer: Layer, boxes: Candidates, score: Any, box: Any, prefers_sort: Sequence[str]
) -> tuple[Any, ...]:
    """The best of all classes, by image --> [M, 6]: class, score, corners; [M, 1]: which box; [N].

    The last is the number of boxes of each image.  ``prefers_sort`` are the keys of further stable
    sorts.  ``score`` and ``box`` are by class; the score is ``GONE`` where there is no box.
    """
    trace, images = boxes.trace, boxes.images
    room = score.extents[1]
    per_image = boxes.classes * room
    best, index = (v.reshape((images, per_image)) for v in (score, box))
    keep = layer.attr("keep_top_k")
    width = per_image if keep < 0 else ex.minimum(per_image, keep)
    best, order = ordered(best, 1, width)
    index = onp.take_along_axis(index, order, 1)
    label = order // trace.size(room)
    is_one = best > GONE
    total = is_one.astype(el.I64).sum(axis=1)
    image: Any = trace.line(images)[:, None] + order * 0
    size = images * width
    parts = [
        v.reshape((size,)) for v in (best, label, image, image * trace.size(boxes.count) + index)
    ]
    places = kept(is_one.reshape((size,)))
    parts = [v.take(places) for v in parts]
    (length,) = parts[0].extents
    for by in prefers_sort:
        key = parts[(SCORE, CLASS, BATCH).index(by)]
        _, at = ordered(key, 0, length, largest=by == SCORE)
        parts = [v.take(at) for v in parts]
    score, label, image, box = parts
    table = [label.astype("f32"), score, *(v.take(box) for v in boxes.flat)]
    type = layer.attr("output_type")
    return (
        onp.stack(table, axis=1).astype(layer.element()),
        box.reshape((length, 1)).astype(type),
        total.astype(type),
    )


@openvino("MulticlassNms", 8, 9)
def multiclass(layer: Layer) -> tuple[Any, ...]:
    """MulticlassNms-8 and -9 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    Classes share the boxes [N, B, 4].
    """
    if layer.has(2) or layer.rank(1) != 3:
        raise layer.unsupported("separate boxes for each class are not supported")
    if layer.attr("nms_eta") != 1:
        raise layer.unsupported(f"nms_eta {layer.attr('nms_eta')} is not supported")
    least = np.float32(layer.attr("score_threshold"))
    boxes = candidates(layer, lambda scores: scores >= least)
    most = np.float32(layer.attr("iou_threshold"))
    offset = 0.0 if layer.attr("normalized") else 1.0
    taken = suppressed(
        boxes.score,
        boxes.corners,
        lambda a, b: over_union(a, b, offset, solid=True) >= most,
        boxes.room,
    )
    at = onp.maximum(taken, 0)
    score, index = (onp.take_along_axis(v, at, 1) for v in (boxes.score, boxes.box))
    score = onp.where(taken >= 0, score, GONE)
    across, kind = layer.attr("sort_result_across_batch"), layer.attr("sort_result_type")
    # They are sorted by image and score; further sorts are stable.
    prefers_sort = list[str]()
    if kind == "classid":
        prefers_sort = [CLASS] if across else [CLASS, BATCH]
    elif kind == "score" and across:
        prefers_sort = [SCORE]
    return listed(layer, boxes, score, index, prefers_sort)


@openvino("MatrixNms", 8)
def matrix_nms(layer: Layer) -> tuple[Any, ...]:
    """MatrixNms-8 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    A better box lowers a score the more, the more it overlaps the box and the less it overlaps
    boxes that are better still.
    """
    least, post = (np.float32(layer.attr(f"{name}_threshold")) for name in ("score", "post"))
    boxes = candidates(layer, lambda scores: scores > least)
    offset = 0.0 if layer.attr("normalized") else 1.0
    mine, other = ([v[:, :, None] for v in boxes.corners], [v[:, None] for v in boxes.corners])
    overlap = over_union(mine, other, offset, touching=True)
    rank: Any = boxes.trace.line(boxes.room)
    is_better = rank < rank[:, None]
    overlap = onp.where(is_better, overlap, np.float32(0))
    # The greatest overlap of the better box with boxes that are better still.
    most = onp.maximum(overlap.max(axis=2), 0.0)[:, None]
    if layer.attr("decay_function") == "gaussian":
        decay = onp.exp(
            (most * most - overlap * overlap) * np.float32(layer.attr("gaussian_sigma"))
        )
    else:
        decay = (1.0 - overlap) / (1.0 - most + np.float32(1e-10))
    decay = onp.minimum(onp.where(is_better, decay, np.float32(1)).min(axis=2), 1.0)
    score = boxes.score * decay
    score = onp.where((boxes.score > GONE) & (score > post), score, GONE)
    prefers_sort = {"classid": [CLASS], "score": [SCORE], "none": []}[
        layer.attr("sort_result_type")
    ]
    across = layer.attr("sort_result_across_batch")
    return listed(layer, boxes, score, boxes.box, prefers_sort if across else [])
