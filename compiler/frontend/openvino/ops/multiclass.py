"""MulticlassNms: the boxes of each class that do not overlap a better one, of all classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import GONE, suppressed
from opc.frontend.onnx.ops.traced import NodeTrace

from .overlaps import drops, over_union
from .row import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def multiclass(layer: Layer) -> tuple[SSAValue, ...]:
    """MulticlassNms-8 and -9 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    Boxes are of all classes, [N, B, 4].
    """
    if layer.has(2) or layer.rank(1) != 3:
        raise layer.unsupported("boxes that each class has of its own are not supported")
    if layer.attr("nms_eta") != 1:
        raise layer.unsupported(f"nms_eta {layer.attr('nms_eta')} is not supported")
    shape, (images, classes, count) = layer.shape(), layer.shape(1)
    if len(shape) != 3 or shape[2] != 4:
        raise layer.error(f"boxes {shape_text(shape)}")
    layer.require("equal", shape[0], images, "boxes and scores differ in images")
    layer.require("equal", shape[1], count, "boxes and scores differ in number")
    trace = NodeTrace(layer)
    gone = trace.constant(GONE, el.F32)
    boxes, scores = (trace.array(layer.cast(layer[k], el.F32)) for k in range(2))
    label: Any = trace.given(trace.numbers(classes), el.I64)[:, None]
    is_one = (scores >= np.float32(layer.attr("score_threshold"))) & (
        label != layer.attr("background_class")
    )
    rows = images * classes
    line = layer.reshape(onp.where(is_one, scores, gone).value, (rows, count))
    top = layer.attr("nms_top_k")
    room = count if top < 0 else ex.minimum(count, top)
    best, places = (trace.array(v) for v in ordered(layer, layer.op, line, 1, room, largest=True))
    row: Any = trace.given(trace.numbers(rows), el.I64)[:, None]
    at = row // trace.size(classes) * trace.size(count) + places
    flat = [trace.array(layer.reshape(boxes[:, :, k].value, (images * count,))) for k in range(4)]
    corners = [v.take(at) for v in flat]
    most, offset = np.float32(layer.attr("iou_threshold")), 0.0 if layer.attr("normalized") else 1.0
    taken = suppressed(
        layer,
        layer.op,
        best.value,
        [v.value for v in corners],
        drops(lambda a, b: over_union(a, b, offset, solid=True) >= most),
        room,
    )
    taken = trace.array(taken)
    found = onp.take_along_axis(best, onp.maximum(taken, 0), 1)
    index = onp.take_along_axis(places, onp.maximum(taken, 0), 1)
    found = onp.where(taken >= 0, found, gone)
    each = classes * room
    found, index = (trace.array(layer.reshape(v.value, (images, each))) for v in (found, index))
    keep = layer.attr("keep_top_k")
    width = each if keep < 0 else ex.minimum(each, keep)
    found, order = (
        trace.array(v) for v in ordered(layer, layer.op, found.value, 1, width, largest=True)
    )
    index = onp.take_along_axis(index, order, 1)
    label = order // trace.size(room)
    is_one = found > gone
    total = is_one.astype("i64").sum(axis=1)
    image: Any = trace.given(trace.numbers(images), el.I64)[:, None] + order * 0
    whole = images * width
    parts = [
        trace.array(layer.reshape(v.value, (whole,)))
        for v in (found, label, image, image * trace.size(count) + index)
    ]
    marks = layer.reshape(is_one.value, (whole,))
    parts = [v.take(trace.array(kept(layer, layer.op, marks))) for v in parts]
    score, label, image, box = parts
    # They are by image, and those of an image by score: what is stable is sorted by what is left.
    parts, sorts = [score, label, image, box], list[tuple[int, bool]]()
    across, kind = layer.attr("sort_result_across_batch"), layer.attr("sort_result_type")
    if kind == "classid":
        sorts = [(1, False)] if across else [(1, False), (2, False)]
    elif kind == "score" and across:
        sorts = [(0, True)]
    (length,) = score.extents
    for k, largest in sorts:
        _, at = ordered(layer, layer.op, parts[k].value, 0, length, largest)
        parts = [v.take(trace.array(at)) for v in parts]
    score, label, image, box = parts
    table = [label.astype("f32"), score, *(v.take(box) for v in flat)]
    type = layer.attr("output_type")
    return (
        layer.cast(onp.stack(table, axis=1).value, layer.element()),
        layer.cast(layer.reshape(box.value, (length, 1)), type),
        layer.cast(total.value, type),
    )


_TYPES = {"T": el.FLOAT, "U": el.FLOAT, "I": el.INTEGER}
_HOW = (
    "sort_result_type:none|score|classid=none sort_result_across_batch:bool=false "
    "output_type:type=i64 iou_threshold:float=0 score_threshold:float=0 nms_top_k:int=-1 "
    "keep_top_k:int=-1 background_class:int=-1 nms_eta:float=1 normalized:bool=true"
)
add("MulticlassNms", 8, "boxes:T scores:U", _TYPES, multiclass, _HOW)
add("MulticlassNms", 9, "boxes:T scores:U roisnum:I?", _TYPES, multiclass, _HOW)
