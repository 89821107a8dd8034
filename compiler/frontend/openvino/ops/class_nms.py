"""The boxes of each class in images: what may be found, and the list of what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.suppression import GONE
from opc.frontend.models.traced import NodeTrace

from .overlaps import in_order

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer

HOW = (
    "sort_result_type:none|score|classid=none sort_result_across_batch:bool=false "
    "output_type:type=i64 score_threshold:float=0 nms_top_k:int=-1 keep_top_k:int=-1 "
    "background_class:int=-1 normalized:bool=true"
)
"""The attributes that the layers have in common."""
BATCH, SCORE, CLASS = "batch", "score", "class"
"""By what the list can be sorted."""


@dataclass(frozen=True)
class Candidates:
    """The boxes of each class of each image that may be found, best first: [N * C, M]."""

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
    """The four coordinates of the boxes of all images, one behind the other."""
    corners: Sequence[Any]
    """Those of the candidates."""

    @property
    def room(self) -> ex.Expr:
        """How many candidates a class may have."""
        return self.score.extents[1]


def candidates(layer: Layer, is_enough: Callable[[Any], Any]) -> Candidates:
    """Those of boxes [N, B, 4] by scores [N, C, B], which have to be enough."""
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
    layer: Layer, given: Candidates, score: Any, box: Any, prefers_sort: Sequence[str]
) -> tuple[SSAValue, ...]:
    """The best of all classes, by image --> [M, 6]: class, score, corners; [M, 1]: which box; [N].

    The last is how many each image has.  They stay in that order but for what they are sorted by,
    one after the other.  Scores and boxes are those of each class, ``GONE`` where there is none.
    """
    trace, images = given.trace, given.images
    room = score.extents[1]
    each = given.classes * room
    found, index = (trace.array(layer.reshape(v.value, (images, each))) for v in (score, box))
    keep = layer.attr("keep_top_k")
    width = each if keep < 0 else ex.minimum(each, keep)
    found, order = in_order(layer, found, 1, width)
    index = onp.take_along_axis(index, order, 1)
    label = order // trace.size(room)
    is_one = found > trace.constant(GONE, el.F32)
    total = is_one.astype("i64").sum(axis=1)
    image: Any = trace.given(trace.numbers(images), el.I64)[:, None] + order * 0
    whole = images * width
    parts = [
        trace.array(layer.reshape(v.value, (whole,)))
        for v in (found, label, image, image * trace.size(given.count) + index)
    ]
    marks = layer.reshape(is_one.value, (whole,))
    parts = [v.take(trace.array(kept(layer, marks))) for v in parts]
    (length,) = parts[0].extents
    for by in prefers_sort:
        key = parts[(SCORE, CLASS, BATCH).index(by)]
        _, at = in_order(layer, key, 0, length, largest=by == SCORE)
        parts = [v.take(at) for v in parts]
    score, label, image, box = parts
    table = [label.astype("f32"), score, *(v.take(box) for v in given.flat)]
    type = layer.attr("output_type")
    return (
        layer.cast(onp.stack(table, axis=1).value, layer.element()),
        layer.cast(layer.reshape(box.value, (length, 1)), type),
        layer.cast(total.value, type),
    )
