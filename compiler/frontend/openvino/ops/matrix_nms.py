"""MatrixNms: scores decay with the overlap with better boxes of the class."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.suppression import GONE

from .class_nms import CLASS, SCORE, candidates, listed
from .layer import Layer
from .overlaps import over_union
from .schema import openvino


@openvino("MatrixNms", 8)
def matrix_nms(layer: Layer) -> tuple[SSAValue, ...]:
    """MatrixNms-8 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    A better box lowers a score the more, the more it overlaps the box and the less it overlaps
    boxes that are better still.
    """
    least, post = (np.float32(layer.attr(f"{name}_threshold")) for name in ("score", "post"))
    boxes = candidates(layer, lambda scores: scores > least)
    trace, gone = boxes.trace, boxes.trace.constant(GONE, el.F32)
    offset = 0.0 if layer.attr("normalized") else 1.0
    mine, other = ([v[:, :, None] for v in boxes.corners], [v[:, None] for v in boxes.corners])
    overlap = over_union(mine, other, offset, touching=True)
    rank: Any = trace.given(trace.numbers(boxes.room), el.I64)
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
    score = onp.where((boxes.score > gone) & (score > post), score, gone)
    prefers_sort = {"classid": [CLASS], "score": [SCORE], "none": []}[
        layer.attr("sort_result_type")
    ]
    across = layer.attr("sort_result_across_batch")
    return listed(layer, boxes, score, boxes.box, prefers_sort if across else [])
