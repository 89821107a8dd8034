"""NonZero and Unique, and non-maximum suppression: of all boxes, or of each class in images."""

from __future__ import annotations

from collections.abc import Sequence
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
from opc.frontend.models.traced import gathered
from opc.frontend.models.unique import different

from .layer import Attributes, Data, Layer, Number, Single
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
def non_zero(data: Data) -> Any:
    """NonZero-3 --> the indices of nonzero elements, [rank, count]."""
    return nonzero(data)


@openvino("Unique", 10)
def unique(layer: Layer, data: Data, axis: Number | None, a: Attributes) -> tuple[Any, ...]:
    """Unique-10 --> different elements, first positions, inverse indices, counts."""
    along = None if axis is None else layer.axis(axis, data.ndim)
    part, distinct = different(data, along, a.sorted)
    return part, distinct.first, distinct.inverse, distinct.counts


@openvino("NonMaxSuppression")
@openvino("NMSRotated")
def non_max_suppression(layer: Layer, boxes: Data, scores: Data, a: Attributes) -> tuple[Any, ...]:
    """NonMaxSuppression --> (batch, class, box), (batch, class, score) of kept boxes, count.

    Before version 5 only the first.  Boxes of NMSRotated have an angle.
    """
    if layer.operator == "NMSRotated":
        numbers, values = 5, partial(numbers_of, clockwise=a.clockwise)
        kind = Kind(columns, values, overlap_rotated)
    else:
        numbers, kind = 4, CENTRED if a.box_encoding == "center" else UPRIGHT
    layer.dims(f"N M {numbers}", "N C M")

    def limit(position: int, type: el.ElementType) -> Any:
        """An input of one element; 0 if it is absent."""
        is_there = layer.has(position)
        return layer.scalar(position, type) if is_there else layer.trace.constant(0, type)

    known = layer.number(2) if layer.has(2) else 0
    type = boxes.element
    limits = Limits(
        limit(2, el.I64),
        None if known is None else int(known),
        limit(3, type),
        limit(4, type),
        limit(5, type) if layer.has(5) and layer.number(5) != 0 else None,
    )
    selected = select(boxes, scores, limits, kind)
    best = selected.scores(scores)
    if a.sort_result_descending:
        best, order = ordered(best, 0, best.extents[0])
        parts = (selected.batch, selected.label, selected.box)
        selected = Selected(*(gathered(v, [0], order) for v in parts))
    pairs = [v.astype(el.F32) for v in (selected.batch, selected.label, best)]
    count = layer.trace.number(best.extents[0]).reshape((1,))
    return selected.triples(), onp.stack(pairs, 1), count


BATCH, SCORE, CLASS = "batch", "score", "class"
"""Sort keys of the list."""


@dataclass(frozen=True)
class _Candidates:
    """The candidate boxes of each class of each image, best first: [N * C, M]."""

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


def _candidates(
    layer: Layer, boxes: Any, scores: Any, is_enough: Any, a: Attributes
) -> _Candidates:
    """The candidates of boxes [N, B, 4] with scores [N, C, B] that are enough."""
    images, count, classes = layer.dims("N B 4", "N C B")
    trace, rows = layer.trace, images * classes
    is_one = is_enough & (trace.line(classes)[:, None] != a.background_class)
    line = onp.where(is_one, scores, GONE).reshape((rows, count))
    room = count if a.nms_top_k < 0 else ex.minimum(count, a.nms_top_k)
    best, places = ordered(line, 1, room)
    at = trace.line(rows)[:, None] // trace.size(classes) * trace.size(count) + places
    flat = [boxes[:, :, k].reshape((images * count,)) for k in range(4)]
    return _Candidates(images, classes, count, best, places, flat, [v.take(at) for v in flat])


def _listed(
    boxes: _Candidates, score: Any, box: Any, prefers_sort: Sequence[str], most: int
) -> tuple[Any, ...]:
    """The best of all classes, by image --> [M, 6]: class, score, corners; [M, 1]: which box; [N].

    The last is the number of boxes of each image, at most ``most`` if that is not negative.
    ``prefers_sort`` are the keys of further stable sorts.  ``score`` and ``box`` are by class; the
    score is ``GONE`` where there is no box.
    """
    trace, images, room = score.trace, boxes.images, score.extents[1]
    per_image = boxes.classes * room
    best, index = (v.reshape((images, per_image)) for v in (score, box))
    width = per_image if most < 0 else ex.minimum(per_image, most)
    best, order = ordered(best, 1, width)
    index = onp.take_along_axis(index, order, 1)
    is_one = best > GONE
    total = is_one.astype(el.I64).sum(axis=1)
    image: Any = trace.line(images)[:, None] + order * 0
    size = images * width
    columns = (best, order // trace.size(room), image, image * trace.size(boxes.count) + index)
    parts = [v.reshape((size,)) for v in columns]
    places = kept(is_one.reshape((size,)))
    parts = [v.take(places) for v in parts]
    (length,) = parts[0].extents
    for by in prefers_sort:
        key = parts[(SCORE, CLASS, BATCH).index(by)]
        _, at = ordered(key, 0, length, largest=by == SCORE)
        parts = [v.take(at) for v in parts]
    score, label, image, box = parts
    table = [label.astype("f32"), score, *(v.take(box) for v in boxes.flat)]
    return onp.stack(table, axis=1), box.reshape((length, 1)), total


@openvino("MulticlassNms", 8, 9)
def multiclass(layer: Layer, boxes: Single, scores: Single, a: Attributes) -> tuple[Any, ...]:
    """MulticlassNms-8 and -9 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    Classes share the boxes [N, B, 4].
    """
    if layer.has(2) or scores.ndim != 3:
        raise layer.unsupported("separate boxes for each class are not supported")
    if a.nms_eta != 1:
        raise layer.unsupported(f"nms_eta {a.nms_eta} is not supported")
    some = _candidates(layer, boxes, scores, scores >= np.float32(a.score_threshold), a)
    most, offset = np.float32(a.iou_threshold), 0.0 if a.normalized else 1.0
    taken = suppressed(
        some.score,
        some.corners,
        lambda a, b: over_union(a, b, offset, solid=True) >= most,
        some.score.extents[1],
    )
    at = onp.maximum(taken, 0)
    score, index = (onp.take_along_axis(v, at, 1) for v in (some.score, some.box))
    score = onp.where(taken >= 0, score, GONE)
    across, kind = a.sort_result_across_batch, a.sort_result_type
    # They are sorted by image and score; further sorts are stable.
    prefers_sort = list[str]()
    if kind == "classid":
        prefers_sort = [CLASS] if across else [CLASS, BATCH]
    elif kind == "score" and across:
        prefers_sort = [SCORE]
    return _listed(some, score, index, prefers_sort, a.keep_top_k)


@openvino("MatrixNms", 8)
def matrix_nms(layer: Layer, boxes: Single, scores: Single, a: Attributes) -> tuple[Any, ...]:
    """MatrixNms-8 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    A better box lowers a score the more, the more it overlaps the box and the less it overlaps
    boxes that are better still.
    """
    some = _candidates(layer, boxes, scores, scores > np.float32(a.score_threshold), a)
    mine, other = ([v[:, :, None] for v in some.corners], [v[:, None] for v in some.corners])
    overlap = over_union(mine, other, 0.0 if a.normalized else 1.0, touching=True)
    rank: Any = layer.trace.line(some.score.extents[1])
    is_better = rank < rank[:, None]
    overlap = onp.where(is_better, overlap, np.float32(0))
    # The greatest overlap of the better box with boxes that are better still.
    most = onp.maximum(overlap.max(axis=2), 0.0)[:, None]
    if a.decay_function == "gaussian":
        decay = onp.exp((most * most - overlap * overlap) * np.float32(a.gaussian_sigma))
    else:
        decay = (1.0 - overlap) / (1.0 - most + np.float32(1e-10))
    decay = onp.minimum(onp.where(is_better, decay, np.float32(1)).min(axis=2), 1.0)
    score = some.score * decay
    score = onp.where((some.score > GONE) & (score > np.float32(a.post_threshold)), score, GONE)
    keys = {"classid": [CLASS], "score": [SCORE], "none": []}[a.sort_result_type]
    prefers_sort = keys if a.sort_result_across_batch else []
    return _listed(some, score, some.box, prefers_sort, a.keep_top_k)
