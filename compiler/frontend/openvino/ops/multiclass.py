"""MulticlassNms: non-maximum suppression within each class, then the best of all classes."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.suppression import GONE, suppressed

from .class_nms import BATCH, CLASS, SCORE, candidates, listed
from .layer import Layer
from .overlaps import drops, over_union
from .schema import openvino


@openvino("MulticlassNms", 8, 9)
def multiclass(layer: Layer) -> tuple[SSAValue, ...]:
    """MulticlassNms-8 and -9 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    Classes share the boxes [N, B, 4].
    """
    if layer.has(2) or layer.rank(1) != 3:
        raise layer.unsupported("separate boxes for each class are not supported")
    if layer.attr("nms_eta") != 1:
        raise layer.unsupported(f"nms_eta {layer.attr('nms_eta')} is not supported")
    least = np.float32(layer.attr("score_threshold"))
    boxes = candidates(layer, lambda scores: scores >= least)
    trace, most = boxes.trace, np.float32(layer.attr("iou_threshold"))
    offset = 0.0 if layer.attr("normalized") else 1.0
    taken = suppressed(
        layer,
        layer.op,
        boxes.score.value,
        [v.value for v in boxes.corners],
        drops(lambda a, b: over_union(a, b, offset, solid=True) >= most),
        boxes.room,
    )
    taken = trace.array(taken)
    at = onp.maximum(taken, 0)
    score, index = (onp.take_along_axis(v, at, 1) for v in (boxes.score, boxes.box))
    score = onp.where(taken >= 0, score, trace.constant(GONE, el.F32))
    across, kind = layer.attr("sort_result_across_batch"), layer.attr("sort_result_type")
    # They are sorted by image and score; further sorts are stable.
    prefers_sort = list[str]()
    if kind == "classid":
        prefers_sort = [CLASS] if across else [CLASS, BATCH]
    elif kind == "score" and across:
        prefers_sort = [SCORE]
    return listed(layer, boxes, score, index, prefers_sort)
