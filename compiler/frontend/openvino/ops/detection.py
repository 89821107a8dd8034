"""Single-shot detectors: boxes around each point of a grid, and those with what is found in images.

The result of a PriorBox has two rows: the boxes, relative to the image, and their variances.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from opc.frontend.models.traced import NodeTrace, gathered
from opc.frontend.python.extent import expr_of

from .layer import Attributes, Layer
from .nms import over_union
from .schema import openvino

CENTRE, CORNER = "caffe.priorboxparameter.center_size", "caffe.priorboxparameter.corner"


def _sizes(layer: Layer) -> list[tuple[Any, Any]]:
    """Extents and sizes of the image, down and across."""
    pairs = [map(layer.trace.size, layer.stated(k, 2)) for k in range(2)]
    return list(zip(*pairs, strict=True))


def _f32(trace: NodeTrace, x: Any) -> Any:
    """Numbers, an extent or an array in f32."""
    if isinstance(x, int | float):
        return np.float32(x)
    return trace.given(x, el.F32) if isinstance(x, np.ndarray) else (x * 1.0).astype("f32")


def _numbers(trace: NodeTrace, n: Any) -> Any:
    """0, 1, 2, ... up to an extent of the trace, in f32."""
    numbers = trace.numbers(expr_of(n))
    return _f32(trace, numbers.astype("f8" if isinstance(n, int) else "f32"))


def _placed(
    layer: Layer, centres: Sequence[Any], halves: Any, a: Attributes, moved: Any = None
) -> Any:
    """Boxes around [H] and [W] centres; ``halves`` are half widths and heights, [priors, 2].

    ``moved`` are offsets (right, down) of the first boxes, which are clipped to the image.
    """
    trace, sizes = layer.trace, _sizes(layer)
    count: int = halves.shape[0]
    shape = (*(n for n, _ in sizes), count, 1)
    rows = centres[0].reshape(-1, 1, 1, 1)
    columns = centres[1].reshape(1, -1, 1, 1)
    inside = None
    if moved is not None:
        by = np.zeros((2, 1, 1, count, 1), np.float32)
        by[:, 0, 0, : len(moved), 0] = moved.T
        rows, columns = rows + by[1], columns + by[0]
        numbers = np.arange(count).reshape(1, 1, count, 1)
        inside = trace.constant(numbers < len(moved), el.I1)
    width, height = (halves[:, k].reshape(1, 1, count, 1) for k in range(2))
    sides = [columns - width, rows - height, columns + width, rows + height]
    zero = trace.constant(np.zeros((1, 1, 1, 1)), el.F32)
    edges: list[Any] = []
    for k, side in enumerate(sides):
        part = side / _f32(trace, sizes[1 - k % 2][1])
        if inside is not None:
            edge = np.maximum(part, np.float32(0)) if k < 2 else np.minimum(part, np.float32(1))
            part = onp.where(inside, edge, part)
        if a.clip:
            part = np.minimum(np.maximum(part, np.float32(0)), np.float32(1))
        edges.append(onp.broadcast_to(zero + part, shape))
    boxes = onp.concatenate(edges, axis=3)
    variance = a.variance or (0.1,)
    if len(variance) not in (1, 4):
        raise layer.error(f"{len(variance)} variances, expected 1 or 4")
    others = np.broadcast_to(np.array(variance, np.float32), (4,))
    line = trace.full(boxes.extents, others, el.F32)
    return onp.concatenate([v.reshape(1, -1) for v in (boxes, line)])


def _ratios(a: Attributes) -> list[float]:
    """The different aspect ratios except 1, with flip also their reciprocals."""
    ratios = [1.0]
    for ratio in a.aspect_ratio:
        if all(abs(ratio - other) >= 1e-6 for other in ratios):
            ratios += [ratio, 1 / ratio] if a.flip else [ratio]
    return ratios[1:]


def _halves(least: Any, a: Attributes) -> Any:
    """Half the width and height of each box, [priors, 2]; ``least`` is min_size."""
    ratios, most = np.sqrt(np.array(_ratios(a), np.float32)), a.max_size
    sizes: list[Any] = []
    for k, size in enumerate(least):
        sizes.append((size, size))
        larger = [(np.sqrt(size * np.float32(most[k])),) * 2] if k < len(most) else []
        base = size if a.scale_all_sizes else least[0]
        has_ratios = a.scale_all_sizes or k == len(least) - 1
        others = [(base * r, base / r) for r in ratios] if has_ratios else []
        sizes += [*larger, *others] if a.min_max_aspect_ratios_order else [*others, *larger]
    return np.array(sizes, np.float32).reshape(-1, 2) * np.float32(0.5)


def _dense(layer: Layer, a: Attributes) -> tuple[Any, Any]:
    """The dense boxes of fixed_size: half widths and heights, and offsets."""
    halves: list[tuple[float, float]] = []
    moved: list[tuple[float, float]] = []
    density, usual = a.density, _ratios(a)
    if len(density) < len(a.fixed_size) and (density or a.fixed_ratio or usual):
        raise layer.error(f"{len(density)} densities for {len(a.fixed_size)} sizes")
    ratios = a.fixed_ratio or ([None] if density else []) + usual
    for k, size in enumerate(a.fixed_size if ratios else ()):
        count = int(density[k])
        if count < 1:
            raise layer.error(f"density {density[k]}")
        # OpenVINO computes with truncated integers here.
        step, pixels = int(size / count), int(size)
        first = step / 2 - pixels // 2
        for ratio in ratios:
            root = np.sqrt(np.float32(ratio or 1))
            side = np.float32(pixels if ratio is None else size) * np.float32(0.5)
            halves += [(side * root, side / root)] * count**2
            places = [first + n * step for n in range(count)]
            moved += [(column, row) for row in places for column in places]
    return np.array(halves, np.float32).reshape(-1, 2), np.array(moved, np.float32).reshape(-1, 2)


@openvino("PriorBox", 1, 8)
def prior_box(layer: Layer, a: Attributes) -> Any:
    """PriorBox-1 and -8."""
    trace, step, sizes = layer.trace, a.step, _sizes(layer)
    least = np.array(a.min_size, np.float32)
    if not a.scale_all_sizes:
        rows, height = sizes[0]
        if not isinstance(height, int) or not isinstance(rows, int):
            raise layer.unsupported("scale_all_sizes = false, of an image of unknown height")
        step = height / rows if step == -1 else step * height
        least = least * np.float32(height)
    centres: list[Any] = []
    for n, size in sizes:
        at = _numbers(trace, n)
        if step == 0:
            centres.append((at + np.float32(0.5)) * (_f32(trace, size) / _f32(trace, n)))
        else:
            centres.append((at + np.float32(a.offset)) * np.float32(step))
    dense, moved = _dense(layer, a)
    halves = np.concatenate([dense, _halves(least, a)])
    # OpenVINO's count of priors assumes as many fixed ratios as others, and no other sizes.
    others = 1 + len(_ratios(a))
    more = (len(a.fixed_ratio) or others) * sum(int(d) ** 2 - 1 for d in a.density)
    if len(dense) and len(halves) != others * len(a.fixed_size) + more:
        raise layer.unsupported(f"{len(halves)} priors, which OpenVINO counts otherwise")
    return _placed(layer, centres, halves, a, moved if len(moved) else None)


@openvino("PriorBoxClustered", 1)
def prior_box_clustered(layer: Layer, a: Attributes) -> Any:
    """PriorBoxClustered-1."""
    if len(a.width) != len(a.height):
        raise layer.error(f"{len(a.width)} widths and {len(a.height)} heights")
    trace, steps = layer.trace, [a.step_h or a.step, a.step_w or a.step]
    centres: list[Any] = []
    for (n, size), step in zip(_sizes(layer), steps, strict=True):
        by = np.float32(step) if any(steps) else _f32(trace, size) / _f32(trace, n)
        centres.append((_numbers(trace, n) + np.float32(a.offset)) * by)
    halves = np.array([a.width, a.height], np.float32).T * np.float32(0.5)
    return _placed(layer, centres, halves, a)


class _Detection:
    """One layer: N images, P priors, C classes, boxes of L classes (1 if classes share them)."""

    def __init__(self, layer: Layer, a: Attributes) -> None:
        self.layer, self.a, self.trace = layer, a, layer.trace
        self.images, locations, scores, _, _, priors = layer.dims("N L", "N S", "I R P")
        self.size = 4 if a.normalized else 5
        self.priors = ex.floordiv(priors, self.size)
        classes = ex.floordiv(scores, self.priors).constant
        if classes is None:
            raise layer.unsupported(f"scores {shape_text(layer.shape(1))}: the classes are unknown")
        self.classes = classes
        self.parts = 1 if a.share_location else classes
        for extent, count, what in (
            (locations, 4 * self.parts, "locations"),
            (scores, classes, "scores"),
            (priors, self.size, "priors"),
        ):
            layer.require("equal", extent, self.priors * count, f"{what} for each prior")
        self.code = a.code_type.lower()
        if self.code not in (CENTRE, CORNER):
            raise layer.error(f"attribute code_type is {self.code}")
        self.numbers = self.trace.given(self.trace.numbers(self.priors), el.I64)
        # The images with priors, and their rows: priors, and maybe variances.
        self.rows = layer.shape(2)[0], 1 if a.variance_encoded_in_target else 2

    def input(self, position: int, *shape: ex.Expr | int) -> Any:
        """An input in f32 of a shape."""
        return self.layer.traced(position, el.F32).reshape(shape)

    def scores(self) -> Any:
        """[N, P, C]; -inf where there is no candidate."""
        trace, a, label = self.trace, self.a, np.arange(self.classes)
        scores = self.input(1, self.images, self.priors, self.classes)
        if self.layer.has(3):
            sure = self.input(3, self.images, self.priors, 2)[:, :, 1:]
            nothing = trace.constant(label == a.background_label_id, el.F32)
            scores = onp.where(sure < np.float32(a.objectness_score), nothing, scores)
        least = np.float32(a.confidence_threshold)
        if a.decrease_label_id:
            # Only the best class of each prior, except class 0.
            is_one = (scores >= least) & (scores > -1.0) & trace.constant(label != 0, el.I1)
            best = onp.where(is_one, scores, GONE).argmax(axis=2)
            is_one = is_one & (best[:, :, None] == trace.constant(label, el.I64))
        else:
            is_one = (scores > least) & trace.constant(label != a.background_label_id, el.I1)
        if self.size == 5:
            is_one = is_one & (self.numbers < self._count()[:, None])[:, :, None]
        return onp.where(is_one, scores, GONE)

    def _count(self) -> Any:
        """The number of priors [N] before the first one that belongs to no image."""
        mark = self.input(2, *self.rows, self.priors, self.size)[:, 0, :, 0]
        return onp.where(mark == -1.0, self.numbers, self.trace.size(self.priors)).min(axis=1)

    def boxes(self) -> list[Any]:
        """The four coordinates of boxes, [N, P, L] each."""
        priors = self.input(2, *self.rows, ex.product((self.priors, ex.const(self.size))))
        corners = priors[:, 0].reshape((priors.shape[0], -1, self.size))
        corners = [corners[:, :, k, None] for k in range(self.size - 4, self.size)]
        variances: list[Any] = [None] * 4
        if self.rows[1] == 2:
            # Four for each prior, flattened.
            line = priors[:, 1, : self.trace.size(self.priors) * 4]
            line = line.reshape((priors.shape[0], -1, 4))
            variances = [line[:, :, k, None] for k in range(4)]
        for position in (4, 0) if self.layer.has(4) else (0,):
            places = self.input(position, self.images, self.priors, self.parts, 4)
            corners = self._decoded(corners, variances, [places[:, :, :, k] for k in range(4)])
        return corners

    def _decoded(self, corners: list[Any], variances: list[Any], places: list[Any]) -> list[Any]:
        if not self.a.normalized:
            sides = [np.float32(v) for v in (self.a.input_width, self.a.input_height)]
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
        return [onp.clip(c, 0.0, 1.0) if self.a.clip_before_nms else c for c in decoded]


@dataclass(frozen=True)
class _Boxes:
    """The candidates of each image, [N, M] each: by class, best first."""

    score: Any
    label: Any
    prior: Any
    is_one: Any


def _chosen(detected: _Detection, corners: list[Any]) -> _Boxes:
    """Non-maximum suppression within each class."""
    trace, merged, top = detected.trace, detected.a.decrease_label_id, detected.a.top_k
    classes, priors = ex.const(detected.classes), detected.priors
    scores = detected.scores().transpose([0, 2, 1])
    # top_k counts per class, or over all classes if they are merged.
    width = classes * priors if merged else priors
    rows = detected.images if merged else detected.images * classes
    room = width if top < 0 else ex.minimum(width, top)
    best, places = ordered(scores.reshape((rows, width)), 1, room)
    row, count = trace.line(rows)[:, None], trace.size(priors)
    prior = places % count
    label = places // count if merged else row % detected.classes + places * 0
    image = row if merged else row // detected.classes
    own = label if detected.parts > 1 else label * 0
    boxes = [gathered(c, (0, 1, 2), image, prior, own) for c in corners]
    most = np.float32(detected.a.nms_threshold)
    taken = suppressed(
        best,
        (*boxes, label),
        lambda a, b: (over_union(a, b) > most) & (a[4] == b[4]),
        room,
    )
    at = onp.maximum(taken, 0)
    parts = [onp.take_along_axis(v, at, 1) for v in (best, label, prior)]
    shape = (detected.images, room if merged else classes * room)
    best, label, prior, taken = (v.reshape(shape) for v in (*parts, taken))
    return _Boxes(best, label, prior, taken >= 0)


def _kept(boxes: _Boxes, most: int) -> _Boxes:
    """The best ``most`` boxes of all classes, or all if it is negative."""
    if most < 0:
        return boxes
    trace, (images, room) = boxes.score.trace, boxes.score.extents
    count = ex.minimum(room, most)
    _, places = ordered(onp.where(boxes.is_one, boxes.score, GONE), 1, count)
    none = trace.full((images, room), False, el.I1)
    here = trace.full((images, count), True, el.I1)
    marks = trace.emit(ScatterElementsOp, none, here, places, axis=1, from_end=False)
    return replace(boxes, is_one=boxes.is_one & marks)


def _in_classes(boxes: _Boxes, classes: int) -> _Boxes:
    """The boxes sorted by class, stably."""
    label = onp.where(boxes.is_one, boxes.label, classes)
    _, order = ordered(label, 1, boxes.score.extents[1], largest=False)
    parts = (boxes.score, boxes.label, boxes.prior, boxes.is_one.astype(el.I64))
    score, label, prior, is_one = (onp.take_along_axis(v, order, 1) for v in parts)
    return _Boxes(score, label, prior, is_one != 0)


@openvino("DetectionOutput", 1, 8)
def detection_output(layer: Layer, a: Attributes) -> Any:
    """DetectionOutput-1 and -8 --> [1, 1, M, 7]: image, class, score, and the corners of a box.

    A row with image -1 follows the last one, if there is room.
    """
    detected, keep = _Detection(layer, a), a.keep_top_k[0]
    trace, corners = detected.trace, detected.boxes()
    chosen = _kept(_chosen(detected, corners), keep)
    if a.decrease_label_id:
        chosen = _in_classes(chosen, detected.classes)
    most = keep if keep > 0 else (a.top_k if a.top_k > 0 else detected.priors) * detected.classes
    total = detected.images * most
    (images, per_image) = chosen.score.extents
    columns = (chosen.score, chosen.label, chosen.prior, chosen.is_one)
    score, label, prior, marks = (v.reshape((images * per_image,)) for v in columns)
    place, count = before(marks), counted(marks)
    targets = onp.where(marks, place, trace.size(total))
    none, numbers = trace.full((total + 1,), 0, el.I64), trace.positions(images * per_image)
    at = trace.emit(ScatterElementsOp, none, numbers, targets, axis=0, from_end=False)[:-1]
    image = at // trace.size(per_image)
    score, label, prior = (v.take(at) for v in (score, label, prior))
    places = (image, prior, label if detected.parts > 1 else label * 0)
    boxes = [gathered(c, (0, 1, 2), *places) for c in corners]
    if a.clip_after_nms:
        boxes = [onp.clip(v, 0.0, 1.0) for v in boxes]
    label = (label - int(a.decrease_label_id)).astype("f32")
    table = onp.stack([image.astype("f32"), label, score, *boxes], axis=1)
    number: Any = trace.positions(total)
    is_first = trace.constant(np.arange(7) == 0, el.I1)
    is_end = (number == count)[:, None] & is_first
    rest = onp.where(is_end, np.float32(-1), np.float32(0))
    return onp.where((number < count)[:, None], table, rest).reshape((1, 1, total, 7))
