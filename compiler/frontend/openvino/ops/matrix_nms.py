"""MatrixNms: boxes of each class, whose scores are less the more they overlap better ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.suppression import GONE

from .class_nms import CLASS, HOW, SCORE, candidates, listed
from .overlaps import over_union
from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def matrix_nms(layer: Layer) -> tuple[SSAValue, ...]:
    """MatrixNms-8 --> [M, 6]: class, score, corners; [M, 1]: which box; [N]: how many.

    A better box takes the more of a score the more it overlaps, and the less it overlaps boxes that
    are better still: then it is likely to go itself.
    """
    least, post = (np.float32(layer.attr(f"{name}_threshold")) for name in ("score", "post"))
    given = candidates(layer, lambda scores: scores > least)
    trace, gone = given.trace, given.trace.constant(GONE, el.F32)
    offset = 0.0 if layer.attr("normalized") else 1.0
    mine, other = ([v[:, :, None] for v in given.corners], [v[:, None] for v in given.corners])
    overlap = over_union(mine, other, offset, touching=True)
    rank: Any = trace.given(trace.numbers(given.room), el.I64)
    is_better = rank < rank[:, None]
    overlap = onp.where(is_better, overlap, np.float32(0))
    # Of the better box: what it overlaps at most of those that are better still.
    most = onp.maximum(overlap.max(axis=2), 0.0)[:, None]
    if layer.attr("decay_function") == "gaussian":
        decay = onp.exp(
            (most * most - overlap * overlap) * np.float32(layer.attr("gaussian_sigma"))
        )
    else:
        decay = (1.0 - overlap) / (1.0 - most + np.float32(1e-10))
    decay = onp.minimum(onp.where(is_better, decay, np.float32(1)).min(axis=2), 1.0)
    score = given.score * decay
    score = onp.where((given.score > gone) & (score > post), score, gone)
    prefers_sort = {"classid": [CLASS], "score": [SCORE], "none": []}[
        layer.attr("sort_result_type")
    ]
    across = layer.attr("sort_result_across_batch")
    return listed(layer, given, score, given.box, prefers_sort if across else [])


add(
    "MatrixNms",
    8,
    "boxes:T scores:U",
    {"T": el.FLOAT, "U": el.FLOAT},
    matrix_nms,
    f"{HOW} decay_function:linear|gaussian=linear gaussian_sigma:float=2 post_threshold:float=0",
)
