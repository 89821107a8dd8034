"""GenerateProposals, and what Detectron has of it: the best regions of images of moved anchors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.suppression import GONE
from opc.frontend.models.traced import NodeTrace

from .overlaps import in_order, over_union, standing
from .schema import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from .layer import Layer

WIDEST = np.float32(math.log(1000 / 16))
"""The most that the logarithm of a side grows by."""


def moved(
    corners: Sequence[Any], moves: Sequence[Any], offset: float, most: np.float32 = WIDEST
) -> list[Any]:
    """Boxes (x, y, x, y) whose centres are moved by parts of their sides, which then are scaled.

    Sides are longer by ``offset`` than corners are apart.
    """
    found: list[Any] = [None] * 4
    for k in range(2):
        side = corners[k + 2] - corners[k] + offset
        centre = moves[k] * side + (corners[k] + 0.5 * side)
        half = 0.5 * (onp.exp(onp.minimum(moves[k + 2], most)) * side)
        found[k], found[k + 2] = centre - half, centre + half - offset
    return found


@dataclass(frozen=True)
class _Given:
    """Anchors [H, W, A, 4], and of N images moves, scores, and their numbers, [N, 3 or 4]."""

    trace: NodeTrace
    image: Any
    corners: Sequence[Any]
    moves: Sequence[Any]
    scores: Any


def _given(layer: Layer, images: ex.Expr, shape: Sequence[ex.Expr]) -> _Given:
    """The inputs, of which the last are of A anchors in H x W places."""
    trace, (count, height, width) = NodeTrace(layer), shape
    values = [layer.cast(layer[k], el.F32) for k in range(4)]
    total, wanted = ex.product(layer.shape(1)), ex.product((*shape, ex.const(4)))
    layer.require("equal", total, wanted, "the anchors are not those of the scores")
    total = ex.product(layer.shape(2))
    layer.require("equal", total, images * wanted, "the moves are not those of the scores")
    (numbers,) = layer.shape()[-1:]
    anchors = trace.array(layer.reshape(values[1], (1, height * width * count, 4)))
    split = trace.array(layer.reshape(values[2], (images, count, 4, height, width)))
    each = split.transpose([2, 0, 3, 4, 1])
    scores = trace.array(layer.reshape(values[3], (images, count, height, width)))
    flat = [
        trace.array(layer.reshape(v.value, (images, height * width * count)))
        for v in (*(each[k] for k in range(4)), scores.transpose([0, 2, 3, 1]))
    ]
    image = trace.array(layer.reshape(values[0], (images, numbers)))
    return _Given(trace, image, [anchors[:, :, k] for k in range(4)], flat[:4], flat[4])


@dataclass(frozen=True)
class _Found:
    """The regions that stay, [N, M] each, best first; ``taken`` is -1 behind them."""

    taken: Any
    corners: Sequence[Any]
    score: Any


def _chosen(
    layer: Layer, given: _Given, sides: Sequence[Any], offset: float, drops_small: bool
) -> _Found:
    """Regions that do not overlap a better one; the least ``sides`` are [N, 1], down and across.

    Too small ones are dropped, or else take part with the score 0.
    """
    trace, total = given.trace, given.scores.extents[1]
    inner = offset if drops_small else 1.0
    found = moved(given.corners, given.moves, inner)
    ends = [given.image[:, k, None] - inner for k in (1, 0)]
    found = [onp.maximum(onp.minimum(v, ends[k % 2]), 0.0) for k, v in enumerate(found)]
    is_large = (sides[1] <= found[2] - found[0] + inner) & (sides[0] <= found[3] - found[1] + inner)
    first = ex.minimum(total, layer.attr("pre_nms_count"))
    score = given.scores if drops_small else is_large.astype("f32") * given.scores
    best, places = in_order(layer, score, 1, first)
    boxes = [onp.take_along_axis(v, places, 1) for v in found]
    alive = onp.maximum(best, np.finfo(np.float32).min)
    if drops_small:
        is_large = onp.take_along_axis(is_large.astype("i64"), places, 1) != 0
        alive = onp.where(is_large, alive, trace.constant(GONE, el.F32))
    most = np.float32(layer.attr("nms_threshold"))
    taken = standing(
        layer,
        alive,
        boxes,
        lambda a, b: over_union(a, b, offset, touching=True) > most,
        ex.const(layer.attr("post_nms_count")),
    )
    at = onp.maximum(taken, 0)
    best, *boxes = (onp.take_along_axis(v, at, 1) for v in (best, *boxes))
    return _Found(taken, boxes, best)


def generate_proposals(layer: Layer) -> tuple[SSAValue, ...]:
    """GenerateProposals-9 --> regions [M, 4], their scores [M], and how many each image has, [N].

    They are by image, best first.
    """
    if layer.rank() != 2 or layer.rank(2) != 4 or layer.rank(3) != 4:
        raise layer.error("expected inputs of rank 2, 4, 4 and 4")
    images, *shape = layer.shape(3)
    numbers = layer.shape()[1].constant
    if numbers not in (3, 4):
        raise layer.error(f"{shape_text(layer.shape())} are not 3 or 4 numbers of each image")
    layer.require("equal", layer.shape()[0], images, "scores and numbers differ in images")
    given, least = _given(layer, images, shape), np.float32(layer.attr("min_size"))
    sides = [given.image[:, k, None] * least for k in (2, numbers - 1)]
    offset = 0.0 if layer.attr("normalized") else 1.0
    found = _chosen(layer, given, sides, offset, drops_small=True)
    trace, whole = given.trace, ex.product(found.taken.extents)
    marks = found.taken >= 0
    places = trace.array(kept(layer, layer.reshape(marks.value, (whole,))))
    score, *corners = (
        trace.array(layer.reshape(v.value, (whole,))).take(places)
        for v in (found.score, *found.corners)
    )
    return (
        layer.cast(onp.stack(corners, axis=1).value, layer.element()),
        layer.cast(score.value, layer.element()),
        layer.cast(marks.astype("i64").sum(axis=1).value, layer.attr("roi_num_type")),
    )


def single_image(layer: Layer) -> tuple[SSAValue, ...]:
    """ExperimentalDetectronGenerateProposalsSingleImage-6 --> regions [M, 4], and scores [M].

    All is 0 behind the last one.
    """
    if layer.rank(3) != 3:
        raise layer.error(f"scores {shape_text(layer.shape(3))}, expected rank 3")
    if ex.product(layer.shape()) != 3:
        raise layer.error(f"{shape_text(layer.shape())} are not 3 numbers of an image")
    given, least = _given(layer, ex.const(1), layer.shape(3)), np.float32(layer.attr("min_size"))
    found = _chosen(layer, given, [least, least], 0.0, drops_small=False)
    is_one, zero = found.taken >= 0, np.float32(0)
    count = layer.attr("post_nms_count")
    score, *corners = (onp.where(is_one, v, zero) for v in (found.score, *found.corners))
    regions = layer.reshape(onp.stack(corners, axis=2).value, (count, 4))
    score = layer.reshape(score.value, (count,))
    return tuple(layer.cast(v, layer.element()) for v in (regions, score))


_TYPES = {"T": el.FLOAT}
_HOW = "min_size:float! nms_threshold:float! pre_nms_count:int! post_nms_count:int!"
add(
    "GenerateProposals",
    9,
    "im_info:T anchors:T deltas:T scores:T",
    _TYPES,
    generate_proposals,
    f"{_HOW} normalized:bool=true nms_eta:float=1 roi_num_type:type=i64",
)
add(
    "ExperimentalDetectronGenerateProposalsSingleImage",
    6,
    "im_info:T anchors:T deltas:T scores:T",
    _TYPES,
    single_image,
    _HOW,
)
