"""MulticlassNms: the boxes of each class that do not overlap a better one, of all classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.suppression import GONE, suppressed

from .class_nms import BATCH, CLASS, HOW, SCORE, candidates, listed
from .overlaps import drops, over_union
from .schema import add

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
    least = np.float32(layer.attr("score_threshold"))
    given = candidates(layer, lambda scores: scores >= least)
    trace, most = given.trace, np.float32(layer.attr("iou_threshold"))
    offset = 0.0 if layer.attr("normalized") else 1.0
    taken = suppressed(
        layer,
        layer.op,
        given.score.value,
        [v.value for v in given.corners],
        drops(lambda a, b: over_union(a, b, offset, solid=True) >= most),
        given.room,
    )
    taken = trace.array(taken)
    at = onp.maximum(taken, 0)
    found, index = (onp.take_along_axis(v, at, 1) for v in (given.score, given.box))
    found = onp.where(taken >= 0, found, trace.constant(GONE, el.F32))
    across, kind = layer.attr("sort_result_across_batch"), layer.attr("sort_result_type")
    # They are by image, and those of an image by score: what is stable is sorted by what is left.
    prefers_sort = list[str]()
    if kind == "classid":
        prefers_sort = [CLASS] if across else [CLASS, BATCH]
    elif kind == "score" and across:
        prefers_sort = [SCORE]
    return listed(layer, given, found, index, prefers_sort)


_TYPES = {"T": el.FLOAT, "U": el.FLOAT, "I": el.INTEGER}
_HOW = f"{HOW} iou_threshold:float=0 nms_eta:float=1"
add("MulticlassNms", 8, "boxes:T scores:U", _TYPES, multiclass, _HOW)
add("MulticlassNms", 9, "boxes:T scores:U roisnum:I?", _TYPES, multiclass, _HOW)
