"""DetectionOutput: the boxes that a single-shot detector finds in images."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import before, counted
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import GONE, suppressed
from opc.frontend.models.traced import gathered

from .layer import Layer
from .nms import over_union
from .schema import openvino

CENTRE, CORNER = "caffe.priorboxparameter.center_size", "caffe.priorboxparameter.corner"


class _Detection:
    """One layer: N images, P priors, C classes, boxes of L classes (1 if classes share them)."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.trace = layer.trace
        self.images, locations, scores, _, _, priors = layer.dims("N L", "N S", "I R P")
        self.size = 4 if layer.attr("normalized") else 5
        self.priors = ex.floordiv(priors, self.size)
        classes = ex.floordiv(scores, self.priors).constant
        if classes is None:
            raise layer.unsupported(f"scores {shape_text(layer.shape(1))}: the classes are unknown")
        self.classes = classes
        self.parts = 1 if layer.attr("share_location") else classes
        for extent, count, what in (
            (locations, 4 * self.parts, "locations"),
            (scores, classes, "scores"),
            (priors, self.size, "priors"),
        ):
            layer.require("equal", extent, self.priors * count, f"{what} for each prior")
        self.code = layer.attr("code_type").lower()
        if self.code not in (CENTRE, CORNER):
            raise layer.error(f"attribute code_type is {self.code}")

    def input(self, position: int, *shape: ex.Expr | int) -> Any:
        """An input in f32 of a shape."""
        return self.layer.traced(position, el.F32).reshape(shape)

    def scores(self) -> Any:
        """[N, P, C]; -inf where there is no candidate."""
        layer, trace = self.layer, self.trace
        scores = self.input(1, self.images, self.priors, self.classes)
        background = layer.attr("background_label_id")
        label = np.arange(self.classes)
        if layer.has(3):
            sure = self.input(3, self.images, self.priors, 2)[:, :, 1:]
            least = np.float32(layer.attr("objectness_score"))
            nothing = trace.constant(label == background, el.F32)
            scores = onp.where(sure < least, nothing, scores)
        least = np.float32(layer.attr("confidence_threshold"))
        if layer.attr("decrease_label_id"):
            # Only the best class of each prior, except class 0.
            is_one = (scores >= least) & (scores > -1.0) & trace.constant(label != 0, el.I1)
            best = onp.where(is_one, scores, GONE).argmax(axis=2)
            is_one = is_one & (best[:, :, None] == trace.constant(label, el.I64))
        else:
            is_one = (scores > least) & trace.constant(label != background, el.I1)
        if self.size == 5:
            is_one = is_one & (self._numbers() < self._count()[:, None])[:, :, None]
        return onp.where(is_one, scores, GONE)

    def _numbers(self) -> Any:
        return self.trace.given(self.trace.numbers(self.priors), el.I64)

    def _rows(self) -> tuple[ex.Expr, int]:
        """The number of images with priors, and of rows: priors, and maybe variances."""
        images = self.layer.shape(2)[0]
        return images, 1 if self.layer.attr("variance_encoded_in_target") else 2

    def _count(self) -> Any:
        """The number of priors [N] before the first one that belongs to no image."""
        images, rows = self._rows()
        mark = self.input(2, images, rows, self.priors, self.size)[:, 0, :, 0]
        return onp.where(mark == -1.0, self._numbers(), self.trace.size(self.priors)).min(axis=1)

    def boxes(self) -> list[Any]:
        """The four coordinates of boxes, [N, P, L] each."""
        layer = self.layer
        images, rows = self._rows()
        priors = self.input(2, images, rows, ex.product((self.priors, ex.const(self.size))))
        corners = priors[:, 0].reshape((priors.shape[0], -1, self.size))
        corners = [corners[:, :, k, None] for k in range(self.size - 4, self.size)]
        variances: list[Any] = [None] * 4
        if rows == 2:
            # Four for each prior, flattened.
            line = priors[:, 1, : self.trace.size(self.priors) * 4].reshape(
                (priors.shape[0], -1, 4)
            )
            variances = [line[:, :, k, None] for k in range(4)]
        for position in (4, 0) if layer.has(4) else (0,):
            places = self.input(position, self.images, self.priors, self.parts, 4)
            corners = self._decoded(corners, variances, [places[:, :, :, k] for k in range(4)])
        return corners

    def _decoded(self, corners: list[Any], variances: list[Any], places: list[Any]) -> list[Any]:
        layer = self.layer
        if not layer.attr("normalized"):
            sides = [np.float32(layer.attr(name)) for name in ("input_width", "input_height")]
            corners = [c / sides[k % 2] for k, c in enumerate(corners)]
        moved = [p if v is None else v * p for p, v in zip(places, variances, strict=True)]
        if self.code == CORNER:
            decoded = [c + m for c, m in zip(corners, moved, strict=True)]
        else:
            decoded = [None] * 4
            for k in range(2):
                side, centre = corners[k + 2] - corners[k], (corners[k] + corners[k + 2]) / 2.0
                centre = moved[k] * side + centre
                half = onp.exp(moved[k + 2]) * side / 2.0
                decoded[k], decoded[k + 2] = centre - half, centre + half
        return [onp.clip(c, 0.0, 1.0) if layer.attr("clip_before_nms") else c for c in decoded]


@dataclass(frozen=True)
class _Boxes:
    """The candidates of each image, [N, M] each: by class, best first."""

    score: Any
    label: Any
    prior: Any
    is_one: Any


def _chosen(layer: Layer, detection: _Detection, corners: list[Any]) -> _Boxes:
    """Non-maximum suppression within each class."""
    trace, merged = detection.trace, layer.attr("decrease_label_id")
    classes, priors = ex.const(detection.classes), detection.priors
    scores = detection.scores().transpose([0, 2, 1])
    # top_k counts per class, or over all classes if they are merged.
    width = classes * priors if merged else priors
    rows = detection.images if merged else detection.images * classes
    line, top = scores.reshape((rows, width)), layer.attr("top_k")
    room = width if top < 0 else ex.minimum(width, top)
    best, places = ordered(line, 1, room)
    row = trace.line(rows)[:, None]
    count = trace.size(priors)
    prior = places % count
    label = places // count if merged else row % detection.classes + places * 0
    image = row if merged else row // detection.classes
    own = label if detection.parts > 1 else label * 0
    boxes = [gathered(c, (0, 1, 2), image, prior, own) for c in corners]
    most = np.float32(layer.attr("nms_threshold"))
    taken = suppressed(
        best,
        (*boxes, label),
        lambda a, b: (over_union(a, b) > most) & (a[4] == b[4]),
        room,
    )
    at = onp.maximum(taken, 0)
    parts = [onp.take_along_axis(v, at, 1) for v in (best, label, prior)]
    shape = (detection.images, room if merged else classes * room)
    parts = [v.reshape(shape) for v in (*parts, taken)]
    best, label, prior, taken = parts
    return _Boxes(best, label, prior, taken >= 0)


def _kept(layer: Layer, detection: _Detection, boxes: _Boxes) -> _Boxes:
    """The best keep_top_k boxes of all classes."""
    trace, most = detection.trace, layer.attr("keep_top_k")[0]
    if most < 0:
        return boxes
    room = boxes.score.extents[1]
    score = onp.where(boxes.is_one, boxes.score, GONE)
    count = ex.minimum(room, most)
    _, places = ordered(score, 1, count)
    none = trace.full((detection.images, room), False, el.I1)
    here = trace.full((detection.images, count), True, el.I1)
    marks = trace.emit(ScatterElementsOp, none, here, places, axis=1, from_end=False)
    return replace(boxes, is_one=boxes.is_one & marks)


def _in_classes(layer: Layer, detection: _Detection, boxes: _Boxes) -> _Boxes:
    """The boxes sorted by class, stably."""
    label = onp.where(boxes.is_one, boxes.label, detection.classes)
    room = boxes.score.extents[1]
    _, order = ordered(label, 1, room, largest=False)
    parts = (boxes.score, boxes.label, boxes.prior, boxes.is_one.astype(el.I64))
    score, label, prior, is_one = (onp.take_along_axis(v, order, 1) for v in parts)
    return _Boxes(score, label, prior, is_one != 0)


@openvino("DetectionOutput", 1, 8)
def detection_output(layer: Layer) -> Any:
    """DetectionOutput-1 and -8 --> [1, 1, M, 7]: image, class, score, and the corners of a box.

    A row with image -1 follows the last one, if there is room.
    """
    detection = _Detection(layer)
    trace, corners = detection.trace, detection.boxes()
    chosen = _kept(layer, detection, _chosen(layer, detection, corners))
    is_less = layer.attr("decrease_label_id")
    if is_less:
        chosen = _in_classes(layer, detection, chosen)
    keep, top = layer.attr("keep_top_k")[0], layer.attr("top_k")
    most = keep if keep > 0 else (top if top > 0 else detection.priors) * detection.classes
    total = detection.images * most
    (images, per_image) = chosen.score.extents
    score, label, prior, marks = (
        v.reshape((images * per_image,))
        for v in (chosen.score, chosen.label, chosen.prior, chosen.is_one)
    )
    place, count = before(marks), counted(marks)
    targets = onp.where(marks, place, trace.size(total))
    none, numbers = trace.full((total + 1,), 0, el.I64), trace.positions(images * per_image)
    at = trace.emit(ScatterElementsOp, none, numbers, targets, axis=0, from_end=False)[:-1]
    image = at // trace.size(per_image)
    score, label, prior = (v.take(at) for v in (score, label, prior))
    own = label if detection.parts > 1 else label * 0
    places = (image, prior, own)
    boxes = [gathered(c, (0, 1, 2), *places) for c in corners]
    if layer.attr("clip_after_nms"):
        boxes = [onp.clip(v, 0.0, 1.0) for v in boxes]
    columns = [image.astype("f32"), (label - int(is_less)).astype("f32"), score, *boxes]
    number: Any = trace.positions(total)
    table = onp.stack(columns, axis=1)
    is_one = (number < count)[:, None]
    is_first = trace.constant(np.arange(7) == 0, el.I1)
    is_end = (number == count)[:, None] & is_first
    table = onp.where(is_one, table, onp.where(is_end, np.float32(-1), np.float32(0)))
    return table.reshape((1, 1, total, 7)).astype(layer.element())
