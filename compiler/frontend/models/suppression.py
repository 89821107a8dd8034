"""Non-maximum suppression: the boxes of each class that do not overlap a better one.

The classes of all batches are the rows of matrices.  First, boxes above the score threshold move to
the front of their row, and rows without such boxes are removed, which makes the matrices small.
Then each iteration of a loop takes the best remaining box of each row, and drops those that overlap
it too much, until no row has one or enough are taken.  Soft suppression (N. Bodla, B. Singh,
R. Chellappa, L. Davis: Soft-NMS, 2017) also lowers the scores of boxes that overlap it less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp

from .bodies import Arrays, repeated
from .compaction import before, counted, kept, placed
from .indirect import columns
from .traced import NodeTrace, extended, gathered, quotient

GONE = -np.inf
"""The score of a taken, dropped or absent box."""

Drops: TypeAlias = "Callable[[Sequence[Any], Sequence[Any]], Any]"
"""(values of the best box of each row, values of all) --> dropped boxes, i1 [rows, width]."""

Corners: TypeAlias = "Sequence[Any]"
"""The least, then the greatest coordinates along two axes: four arrays."""


@dataclass(frozen=True)
class Limits:
    """The parameters of a suppression; arrays of rank 0."""

    count: Any
    """The greatest number of boxes of each class, i64."""
    known_count: int | None
    overlap: Any
    """The greatest intersection over union with a better box."""
    score: Any
    """The score that boxes must exceed, or None."""
    sigma: Any = None
    """The sigma of Soft-NMS; None does not lower scores."""


@dataclass(frozen=True)
class Kind:
    """A representation of boxes."""

    numbers: Callable[[Any], Sequence[Any]]
    """The numbers of each box, [batches, n] each."""
    values: Callable[[Sequence[Any]], Sequence[Any]]
    """The values that ``drops`` compares, from the numbers of candidates."""
    drops: Drops
    """The test on these values and the limit of the overlap."""


@dataclass(frozen=True)
class Selected:
    """The kept boxes, sorted by batch, class and score: i64 of one data-dependent extent."""

    batch: Any
    label: Any
    box: Any
    score: Any = None
    """The lowered score, with Soft-NMS."""

    def triples(self) -> Any:
        """(batch, class, box): [count, 3]."""
        return onp.stack([self.batch, self.label, self.box], 1)

    def scores(self, scores: Any) -> Any:
        """The scores of kept boxes, gathered from ``scores`` or lowered."""
        if self.score is not None:
            return self.score
        _, classes, count = scores.extents
        row = self.batch * classes + self.label
        return gathered(scores.reshape((-1,)), [0], row * count + self.box)


def select(boxes: Any, scores: Any, limits: Limits, kind: Kind) -> Selected:
    """The kept boxes of [batches, n, numbers] with scores [batches, classes, n]."""
    batches, classes, count = scores.extents
    candidates = _candidates(scores.reshape((batches * classes, count)), limits)
    rows, width = candidates.boxes.extents
    room = width
    if limits.known_count is not None:
        room = ex.minimum(max(limits.known_count, 0), count)
    if _may_lack_boxes(count, limits):
        room = ex.minimum(room, count)
        boxes, count = extended(boxes, 1, 0, 1), count + 1
    batch = quotient(candidates.rows, classes).reshape((rows, 1))
    flat = batch * count + candidates.boxes
    numbers = [
        gathered(number.reshape((batches * count,)), [0], flat) for number in kind.numbers(boxes)
    ]
    values = [*kind.values(numbers), limits.overlap]
    soft: list[Any] = []
    if limits.sigma is not None and limits.score is not None:
        # The factor of the squared overlap in the exponent; 0 if sigma is 0.
        soft = [onp.where(limits.sigma > 0, -0.5 / limits.sigma, 0), limits.score]
    taken, *left = _repeated(candidates.scores, (values, soft), kind.drops, room, limits.count)
    places = kept(onp.less(-1, taken).reshape((rows * room,)))
    place = quotient(places, room)
    column = gathered(taken.reshape((rows * room,)), [0], places)
    flat = candidates.boxes.reshape((rows * width,))
    box = gathered(flat, [0], place * width + column)
    row = gathered(candidates.rows, [0], place)
    rest = [gathered(v.reshape((rows * room,)), [0], places) for v in left]
    return Selected(quotient(row, classes), row % classes, box, *rest)


@dataclass(frozen=True)
class _Candidates:
    """The candidate boxes."""

    rows: Any
    """batch * classes + class of each row, i64."""
    boxes: Any
    """The number of each box in its batch, i64 [rows, width]."""
    scores: Any
    """Their scores; ``GONE`` pads shorter rows."""


def _candidates(lines: Any, limits: Limits) -> _Candidates:
    """The boxes of each row above the score threshold; without one, all boxes.

    The width is at least 1: the maximum of an empty axis does not exist.
    """
    trace: NodeTrace = lines.trace
    rows, count = lines.extents
    # ``GONE`` is less than the score of every box.
    finite = onp.maximum(lines, trace.constant(np.finfo(lines.dtype).min, lines.element))
    if limits.score is None:
        if _may_lack_boxes(count, limits):
            finite, count = extended(finite, 1, 0, 1, GONE), count + 1
        table = onp.broadcast_to(trace.positions(count).reshape(1, -1), (rows, count))
        return _Candidates(trace.positions(rows), table, finite)
    turned = lines.T
    marks = turned > limits.score
    totals = counted(marks)
    most = onp.maximum(onp.max(totals, 0), 1)
    width = trace.node.data_extent(most.value, ex.maximum(count, 1))
    table = placed(marks, before(marks), width)
    some = kept(onp.less(0, totals))
    table, best = gathered(table.T, [0], some), gathered(finite, [0], some)
    best = trace.emit(GatherElementsOp, best, table, axis=1, from_end=False)
    ends = gathered(totals, [0], some).reshape(-1, 1)
    is_there = trace.positions(width).reshape(1, -1) < ends
    return _Candidates(some, table, onp.where(is_there, best, GONE))


def _may_lack_boxes(count: ex.Expr, limits: Limits) -> bool:
    """Whether all boxes are candidates, and there may be none."""
    return limits.score is None and not ex.is_nonnegative(count - 1)


def _corners(boxes: Any, is_centred: bool) -> Corners:
    """Least and greatest coordinates, [batches, n] each, of boxes [batches, n, 4]."""
    parts = columns(boxes)
    pairs: list[Any] = [(parts[0], parts[2]), (parts[1], parts[3])]
    if is_centred:
        pairs = [(x - size / 2, x + size / 2) for x, size in pairs]
    else:
        pairs = [(onp.minimum(x, y), onp.maximum(x, y)) for x, y in pairs]
    return [v for pair in pairs for v in pair]


def _area(corners: Corners) -> Any:
    low, high, left, right = corners
    return (high - low) * (right - left)


def _shared(best: Corners, values: Sequence[Any]) -> tuple[Any, Any]:
    """Intersection, and intersection over union, of boxes (corners, area) with one box."""
    mine, (*all, areas) = best[:4], values
    sides = [
        onp.maximum(onp.minimum(mine[k + 1], all[k + 1]) - onp.maximum(mine[k], all[k]), 0)
        for k in (0, 2)
    ]
    shared = sides[0] * sides[1]
    return shared, shared / (_area(mine) + areas - shared)


def _overlaps(best: Sequence[Any], values: Sequence[Any]) -> Any:
    """Whether the intersection over union of boxes and one box exceeds the last value."""
    *boxes, most = values
    shared, part = _shared(best, boxes)
    # Boxes without an area overlap nothing; 0 / 0 compares as false too.
    return (shared > 0) & (part > most)


def _lowered(alive: Any, best: Sequence[Any], values: Sequence[Any], scale: Any, least: Any) -> Any:
    """Scores lowered by the overlap with one box; ``GONE`` below the threshold."""
    shared, part = _shared(best, values)
    part = onp.where(shared > 0, part, 0)
    left = alive * onp.exp(scale * (part * part))
    return onp.where((alive > GONE) & (least < left), left, GONE)


def _with_area(corners: Corners) -> Sequence[Any]:
    return [*corners, _area(corners)]


UPRIGHT = Kind(partial(_corners, is_centred=False), _with_area, _overlaps)
"""Boxes as two opposite corners."""
CENTRED = Kind(partial(_corners, is_centred=True), _with_area, _overlaps)
"""Boxes as centre and size."""


def suppressed(alive: Any, values: Sequence[Any], drops: Drops, room: ex.Expr) -> Any:
    """The positions of kept boxes of each row, best first, padded with -1: [rows, room].

    ``alive`` are the scores [rows, width], ``GONE`` where there is no box; ``values`` are the
    operands of ``drops``: values of boxes, [rows, width] each, and numbers of rank 0.
    """
    return _repeated(alive, (values, []), drops, room, None)[0]


def _repeated(
    alive: Any, values: tuple[Sequence[Any], Sequence[Any]], drops: Drops, room: ex.Expr, count: Any
) -> list[Any]:
    """As ``suppressed``; with operands of Soft-NMS also the lowered scores."""
    trace: NodeTrace = alive.trace
    rows = alive.extents[0]
    carried = [_any_left(alive), alive, trace.full((rows, room), -1, el.I64)]
    if values[1]:
        carried.append(trace.full((rows, room), 0, alive.element))
    most = trace.number(room) if count is None else onp.minimum(count, room)
    step = partial(_step, drops=drops, soft=len(values[1]))
    return repeated(most, carried, [*values[0], *values[1]], step, has_condition=True)[2:]


def _any_left(alive: Any) -> Any:
    return onp.any(alive > GONE, axis=(0, 1))


def _step(
    number: Any, _: Any, alive: Any, taken: Any, *rest: Any, drops: Drops, soft: int
) -> Arrays:
    """One iteration: each row takes its best box, and drops those that overlap it."""
    scores, values = rest[: int(soft > 0)], rest[int(soft > 0) :]
    values, lowering = values[: len(values) - soft], values[len(values) - soft :]
    trace: NodeTrace = alive.trace
    best = onp.argmax(alive, axis=1, keepdims=True)

    def of_best(values: Any) -> Any:
        if not values.ndim:
            return values
        return trace.emit(GatherElementsOp, values, best, axis=1, from_end=False)

    is_one = of_best(alive) > GONE
    mine = [of_best(v) for v in values]
    dropped = drops(mine, values)
    is_best = trace.positions(alive.extents[1]).reshape(1, -1) == best
    left = _lowered(alive, mine, values[:-1], *lowering) if soft else alive
    left = onp.where(dropped | is_best, GONE, left)
    here = (trace.positions(taken.extents[1]).reshape(1, -1) == number) & is_one
    scores = [onp.where(here, of_best(alive), v) for v in scores]
    return [_any_left(left), left, onp.where(here, best, taken), *scores]
