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
from xdsl.ir import Operation, SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.opc.reduction import ArgMaxOp, ReduceMaxOp
from opc.dialects.shape import element, shape_of, tensor_of

from .bodies import repeated
from .compaction import before, counted, kept, placed
from .indexed import Numbers, gathered
from .indirect import columns
from .moving import positions
from .op_builder import Builder
from .parts import filled
from .traced import NodeTrace

GONE = -np.inf
"""The score of a taken, dropped or absent box."""

Drops: TypeAlias = "Callable[[Builder, Sequence[SSAValue], Sequence[SSAValue]], SSAValue]"
"""(values of the best box of each row, values of all) --> dropped boxes, i1 [rows, width]."""

Corners: TypeAlias = "list[SSAValue]"
"""The least, then the greatest coordinates along two axes: four tensors."""


@dataclass(frozen=True)
class Limits:
    """The parameters of a suppression; tensors of rank 0."""

    count: SSAValue
    """The greatest number of boxes of each class, i64."""
    known_count: int | None
    overlap: SSAValue
    """The greatest intersection over union with a better box."""
    score: SSAValue | None
    """The score that boxes must exceed."""
    sigma: SSAValue | None = None
    """The sigma of Soft-NMS; None does not lower scores."""


@dataclass(frozen=True)
class Kind:
    """A representation of boxes."""

    numbers: Callable[[Builder, SSAValue], list[SSAValue]]
    """The numbers of each box, [batches, n] each."""
    values: Callable[[Builder, list[SSAValue]], list[SSAValue]]
    """The values that ``drops`` compares, from the numbers of candidates."""
    drops: Drops
    """The test on these values and the limit of the overlap."""


@dataclass(frozen=True)
class Selected:
    """The kept boxes, sorted by batch, class and score: i64 of one data-dependent extent."""

    batch: SSAValue
    label: SSAValue
    box: SSAValue
    score: SSAValue | None = None
    """The lowered score, with Soft-NMS."""

    def triples(self, builder: Builder) -> SSAValue:
        """(batch, class, box): [count, 3]."""
        return builder.stack([self.batch, self.label, self.box], 1)

    def scores(self, builder: Builder, scores: SSAValue) -> SSAValue:
        """The scores of kept boxes, gathered from ``scores`` or lowered."""
        if self.score is not None:
            return self.score
        _, classes, count = shape_of(tensor_of(scores))
        trace = NodeTrace(builder)
        batch, label, box = map(trace.array, (self.batch, self.label, self.box))
        row = batch * trace.number(classes) + label
        flat = builder.reshape(scores, (ex.product(shape_of(tensor_of(scores))),))
        return gathered(builder, flat, 0, (row * trace.number(count) + box).value)


def select(
    builder: Builder,
    at: Operation,
    boxes: SSAValue,
    scores: SSAValue,
    limits: Limits,
    kind: Kind,
) -> Selected:
    """The kept boxes of [batches, n, numbers] with scores [batches, classes, n].

    ``at`` is the operation that needs them.
    """
    n = Numbers(builder)
    batches, classes, count = shape_of(tensor_of(scores))
    candidates = _candidates(
        builder, at, builder.reshape(scores, (batches * classes, count)), limits
    )
    rows, width = shape_of(tensor_of(candidates.boxes))
    room = width
    if limits.known_count is not None:
        room = ex.minimum(max(limits.known_count, 0), count)
    if _may_lack_boxes(count, limits):
        room = ex.minimum(room, count)
        zero = builder.constant(0, element(tensor_of(boxes)))
        boxes, count = filled(builder, boxes, 1, 0, 1, zero), count + 1
    batch = builder.reshape(n.apply(b.DivOp, candidates.rows, classes), (rows, 1))
    flat = n.add(n.mul(batch, count), candidates.boxes)
    numbers = [
        gathered(builder, builder.reshape(number, (batches * count,)), 0, flat)
        for number in kind.numbers(builder, boxes)
    ]
    values = [*kind.values(builder, numbers), limits.overlap]
    soft: list[SSAValue] = []
    if limits.sigma is not None and limits.score is not None:
        soft = [_scale(builder, limits.sigma), limits.score]
    operands = values, soft
    chosen = _repeated(builder, at, candidates.scores, operands, kind.drops, room, limits.count)
    taken, left = chosen[0], chosen[1:]
    places = kept(builder, builder.reshape(n.less(-1, taken), (rows * room,)))
    place = n.apply(b.DivOp, places, room)
    column = gathered(builder, builder.reshape(taken, (rows * room,)), 0, places)
    flat = builder.reshape(candidates.boxes, (rows * width,))
    box = gathered(builder, flat, 0, n.add(n.mul(place, width), column))
    row = gathered(builder, candidates.rows, 0, place)
    rest = [gathered(builder, builder.reshape(v, (rows * room,)), 0, places) for v in left]
    return Selected(n.apply(b.DivOp, row, classes), n.apply(b.ModOp, row, classes), box, *rest)


@dataclass(frozen=True)
class _Candidates:
    """The candidate boxes."""

    rows: SSAValue
    """batch * classes + class of each row, i64."""
    boxes: SSAValue
    """The number of each box in its batch, i64 [rows, width]."""
    scores: SSAValue
    """Their scores; ``GONE`` pads shorter rows."""


def _candidates(builder: Builder, at: Operation, lines: SSAValue, limits: Limits) -> _Candidates:
    """The boxes of each row above the score threshold; without one, all boxes.

    The width is at least 1: the maximum of an empty axis does not exist.
    """
    n, (rows, count) = Numbers(builder), shape_of(tensor_of(lines))
    type = element(tensor_of(lines))
    # ``GONE`` is less than the score of every box.
    finite = n.most(lines, builder.constant(np.finfo(type.dtype).min, type))
    if limits.score is None:
        if _may_lack_boxes(count, limits):
            finite = filled(builder, finite, 1, 0, 1, builder.constant(GONE, type))
            count = count + 1
        table = builder.broadcast(positions(builder, count, 1, 2), (rows, count))
        return _Candidates(builder.add(IotaOp.of(rows)), table, finite)
    columns = builder.transpose(lines, (1, 0))
    marks = builder.add(b.GreaterOp(columns, limits.score))
    totals = counted(builder, marks)
    greatest = builder.add(ReduceMaxOp(totals, axes=(0,)))
    width = builder.data_extent(n.most(greatest, 1), ex.maximum(count, 1))
    table = placed(builder, marks, before(builder, marks), width)
    some = kept(builder, n.less(0, totals))
    table = gathered(builder, builder.transpose(table, (1, 0)), 0, some)
    best = gathered(builder, finite, 0, some)
    best = builder.add(GatherElementsOp(best, table, axis=1, from_end=False))
    (left,) = shape_of(tensor_of(some))
    ends = builder.reshape(gathered(builder, totals, 0, some), (left, 1))
    is_there = n.less(positions(builder, width, 1, 2), ends)
    return _Candidates(some, table, n.where(is_there, best, builder.constant(GONE, type)))


def _may_lack_boxes(count: ex.Expr, limits: Limits) -> bool:
    """Whether all boxes are candidates, and there may be none."""
    return limits.score is None and not ex.is_nonnegative(count - 1)


def _corners(builder: Builder, boxes: SSAValue, is_centred: bool) -> Corners:
    """Least and greatest coordinates, [batches, n] each, of boxes [batches, n, 4]."""
    trace = NodeTrace(builder)
    parts = list(map(trace.array, columns(builder, boxes)))
    pairs: list[Any] = [(parts[0], parts[2]), (parts[1], parts[3])]
    if is_centred:
        pairs = [(x - size / 2, x + size / 2) for x, size in pairs]
    else:
        pairs = [(onp.minimum(x, y), onp.maximum(x, y)) for x, y in pairs]
    return [v.value for pair in pairs for v in pair]


def _area(corners: Sequence[Any]) -> Any:
    low, high, left, right = corners
    return (high - low) * (right - left)


def _shared(best: Sequence[Any], values: Sequence[Any]) -> tuple[Any, Any]:
    """Intersection, and intersection over union, of boxes (corners, area) with one box."""
    mine, (*all, areas) = best[:4], values
    sides = [
        onp.maximum(onp.minimum(mine[k + 1], all[k + 1]) - onp.maximum(mine[k], all[k]), 0)
        for k in (0, 2)
    ]
    shared = sides[0] * sides[1]
    return shared, shared / (_area(mine) + areas - shared)


def _overlaps(builder: Builder, best: Sequence[SSAValue], values: Sequence[SSAValue]) -> SSAValue:
    """Whether the intersection over union of boxes and one box exceeds the last value."""
    trace = NodeTrace(builder)
    *boxes, most = map(trace.array, values)
    shared, part = _shared(list(map(trace.array, best)), boxes)
    # Boxes without an area overlap nothing; 0 / 0 compares as false too.
    return ((shared > 0) & (part > most)).value


def _scale(builder: Builder, sigma: SSAValue) -> SSAValue:
    """The factor of the squared overlap in the exponent; 0 if sigma is 0."""
    number: Any = NodeTrace(builder).array(sigma)
    return onp.where(number > 0, -0.5 / number, 0).value


def _lowered(
    builder: Builder,
    alive: SSAValue,
    best: Sequence[SSAValue],
    values: Sequence[SSAValue],
    soft: Sequence[SSAValue],
) -> SSAValue:
    """Scores lowered by the overlap with one box; ``GONE`` below the threshold."""
    trace = NodeTrace(builder)
    scale, least, scores = map(trace.array, (*soft, alive))
    shared, part = _shared(list(map(trace.array, best)), list(map(trace.array, values)))
    part = onp.where(shared > 0, part, 0)
    left = scores * onp.exp(scale * (part * part))
    return onp.where((scores > GONE) & (least < left), left, GONE).value


def _with_area(builder: Builder, corners: Corners) -> list[SSAValue]:
    return [*corners, _area(list(map(NodeTrace(builder).array, corners))).value]


UPRIGHT = Kind(lambda builder, boxes: _corners(builder, boxes, False), _with_area, _overlaps)
"""Boxes as two opposite corners."""
CENTRED = Kind(lambda builder, boxes: _corners(builder, boxes, True), _with_area, _overlaps)
"""Boxes as centre and size."""


def suppressed(
    builder: Builder,
    at: Operation,
    alive: SSAValue,
    values: Sequence[SSAValue],
    drops: Drops,
    room: ex.Expr,
) -> SSAValue:
    """The positions of kept boxes of each row, best first, padded with -1: [rows, room].

    ``alive`` are the scores [rows, width], ``GONE`` where there is no box; ``values`` are the
    operands of ``drops``: values of boxes, [rows, width] each, and numbers of rank 0.
    """
    return _repeated(builder, at, alive, (values, []), drops, room, None)[0]


def _repeated(
    builder: Builder,
    at: Operation,
    alive: SSAValue,
    values: tuple[Sequence[SSAValue], Sequence[SSAValue]],
    drops: Drops,
    room: ex.Expr,
    count: SSAValue | None,
) -> list[SSAValue]:
    """As ``suppressed``; with operands of Soft-NMS also the lowered scores."""
    rows, _ = shape_of(tensor_of(alive))
    n = Numbers(builder)
    none = builder.broadcast(builder.constant(-1, el.I64), (rows, room))
    carried = [_any_left(builder, alive), alive, none]
    if values[1]:
        type = element(tensor_of(alive))
        carried.append(builder.broadcast(builder.constant(0, type), (rows, room)))
    most = n.of(room) if count is None else n.least(count, room)
    step = partial(_step, drops=drops, soft=len(values[1]))
    captured = [*values[0], *values[1]]
    return repeated(builder, at, most, carried, captured, step, has_condition=True)[2:]


def _any_left(builder: Builder, alive: SSAValue) -> SSAValue:
    return onp.any(NodeTrace(builder).array(alive) > GONE, axis=(0, 1)).value


def _step(
    builder: Builder, arguments: Sequence[SSAValue], drops: Drops, soft: int
) -> list[SSAValue]:
    """One iteration: each row takes its best box, and drops those that overlap it."""
    number, _, alive, taken, *values = arguments
    scores, values = values[: int(soft > 0)], values[int(soft > 0) :]
    values, lowering = values[: len(values) - soft], values[len(values) - soft :]
    n, (_, width) = Numbers(builder), shape_of(tensor_of(alive))
    best = builder.add(ArgMaxOp(alive, axis=1, keepdims=True))

    def of_best(values: SSAValue) -> SSAValue:
        if not shape_of(tensor_of(values)):
            return values
        return builder.add(GatherElementsOp(values, best, axis=1, from_end=False))

    gone = builder.constant(GONE, element(tensor_of(alive)))
    is_one = builder.add(b.GreaterOp(of_best(alive), gone))
    mine = [of_best(v) for v in values]
    dropped = drops(builder, mine, values)
    is_best = n.apply(b.EqualOp, positions(builder, width, 1, 2), best)
    left = _lowered(builder, alive, mine, values[:-1], lowering) if soft else alive
    left = n.where(n.apply(b.OrOp, dropped, is_best), gone, left)
    here = n.apply(b.EqualOp, positions(builder, shape_of(tensor_of(taken))[1], 1, 2), number)
    here = n.apply(b.AndOp, here, is_one)
    scores = [n.where(here, of_best(alive), v) for v in scores]
    return [_any_left(builder, left), left, n.where(here, best, taken), *scores]
