"""Boxes of each class in images: the candidates, and the list of those that stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.suppression import GONE
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .overlaps import in_order

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
    if layer.rank(1) != 3:
        raise layer.error(f"scores {shape_text(layer.shape(1))}, expected rank 3")
    shape, (images, classes, count) = layer.shape(), layer.shape(1)
    if len(shape) != 3 or shape[2] != 4:
        raise layer.error(f"boxes {shape_text(shape)}")
    layer.require("equal", shape[0], images, "boxes and scores differ in images")
    layer.require("equal", shape[1], count, "boxes and scores differ in number")
    trace = NodeTrace(layer)
    boxes, scores = (trace.array(layer.cast(layer[k], el.F32)) for k in range(2))
    label: Any = trace.given(trace.numbers(classes), el.I64)[:, None]
    is_one = is_enough(scores) & (label != layer.attr("background_class"))
    rows = images * classes
    line = onp.where(is_one, scores, trace.constant(GONE, el.F32))
    top = layer.attr("nms_top_k")
    room = count if top < 0 else ex.minimum(count, top)
    line = trace.array(layer.reshape(line.value, (rows, count)))
    best, places = in_order(layer, line, 1, room)
    row: Any = trace.given(trace.numbers(rows), el.I64)[:, None]
    at = row // trace.size(classes) * trace.size(count) + places
    flat = [trace.array(layer.reshape(boxes[:, :, k].value, (images * count,))) for k in range(4)]
    corners = [v.take(at) for v in flat]
    return Candidates(trace, images, classes, count, best, places, flat, corners)


def listed(
    layer: Layer, boxes: Candidates, score: Any, box: Any, prefers_sort: Sequence[str]
) -> tuple[SSAValue, ...]:
    """The best of all classes, by image --> [M, 6]: class, score, corners; [M, 1]: which box; [N].

    The last is the number of boxes of each image.  ``prefers_sort`` are the keys of further stable
    sorts.  ``score`` and ``box`` are by class; the score is ``GONE`` where there is no box.
    """
    trace, images = boxes.trace, boxes.images
    room = score.extents[1]
    per_image = boxes.classes * room
    best, index = (trace.array(layer.reshape(v.value, (images, per_image))) for v in (score, box))
    keep = layer.attr("keep_top_k")
    width = per_image if keep < 0 else ex.minimum(per_image, keep)
    best, order = in_order(layer, best, 1, width)
    index = onp.take_along_axis(index, order, 1)
    label = order // trace.size(room)
    is_one = best > trace.constant(GONE, el.F32)
    total = is_one.astype("i64").sum(axis=1)
    image: Any = trace.given(trace.numbers(images), el.I64)[:, None] + order * 0
    size = images * width
    parts = [
        trace.array(layer.reshape(v.value, (size,)))
        for v in (best, label, image, image * trace.size(boxes.count) + index)
    ]
    marks = layer.reshape(is_one.value, (size,))
    parts = [v.take(trace.array(kept(layer, marks))) for v in parts]
    (length,) = parts[0].extents
    for by in prefers_sort:
        key = parts[(SCORE, CLASS, BATCH).index(by)]
        _, at = in_order(layer, key, 0, length, largest=by == SCORE)
        parts = [v.take(at) for v in parts]
    score, label, image, box = parts
    table = [label.astype("f32"), score, *(v.take(box) for v in boxes.flat)]
    type = layer.attr("output_type")
    return (
        layer.cast(onp.stack(table, axis=1).value, layer.element()),
        layer.cast(layer.reshape(box.value, (length, 1)), type),
        layer.cast(total.value, type),
    )
