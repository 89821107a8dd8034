"""Non-maximum suppression: the best boxes of each class that do not overlap a better one.

All classes of all batches go at once, as the rows of matrices.  Boxes that exceed the threshold are
moved to the front of their row first, and rows without any left out, so that later steps see few.
Then a loop takes the best box of each row that has one left, and drops those that overlap it too
much; it ends when no row has one, or enough are taken.  Softened suppression (N. Bodla, B. Singh,
R. Chellappa, L. Davis: Soft-NMS, 2017) also lowers the scores of those that overlap it less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.opc.reduction import ArgMaxOp, ReduceAnyOp, ReduceMaxOp
from opc.dialects.shape import element, shape_of, tensor_of

from .bodies import repeated
from .compaction import before, counted, kept, placed
from .indexed import Numbers, gathered
from .indirect import columns
from .moving import positions
from .op_builder import Builder
from .parts import filled

GONE = -np.inf
"""The score of a box that was taken, or dropped, or was never there."""

Drops: TypeAlias = "Callable[[Builder, Sequence[SSAValue], Sequence[SSAValue]], SSAValue]"
"""Which boxes the best one of their row, whose values come first, drops: [rows, width] in i1."""

Corners: TypeAlias = "list[SSAValue]"
"""The least and the greatest coordinate along two axes: four tensors."""


@dataclass(frozen=True)
class Limits:
    """What is asked for; tensors of rank 0."""

    count: SSAValue
    """The most boxes of each class, i64."""
    known_count: int | None
    overlap: SSAValue
    """A box that overlaps a better one by more of their union is dropped."""
    score: SSAValue | None
    """The score that a box must exceed."""
    sigma: SSAValue | None = None
    """How far the scores of boxes that overlap a better one are kept; without one, all are."""


@dataclass(frozen=True)
class Kind:
    """What boxes are."""

    numbers: Callable[[Builder, SSAValue], list[SSAValue]]
    """Those of each box, [batches, n]."""
    values: Callable[[Builder, list[SSAValue]], list[SSAValue]]
    """What is compared, of the numbers of those that may stay."""
    drops: Drops
    """By these values, and the part of their union that boxes may share."""


@dataclass(frozen=True)
class Selected:
    """The boxes that stay: by batch, class and score, as i64 of one data-dependent extent."""

    batch: SSAValue
    label: SSAValue
    box: SSAValue
    score: SSAValue | None = None
    """The score that was left of it, where scores are lowered."""

    def triples(self, builder: Builder) -> SSAValue:
        """The three beside each other: [how many, 3]."""
        return builder.stack([self.batch, self.label, self.box], 1)

    def scores(self, builder: Builder, scores: SSAValue) -> SSAValue:
        """Their scores, of those given, or what was left of these."""
        if self.score is not None:
            return self.score
        n, (_, classes, count) = Numbers(builder), shape_of(tensor_of(scores))
        row = n.add(n.mul(self.batch, classes), self.label)
        flat = builder.reshape(scores, (ex.product(shape_of(tensor_of(scores))),))
        return gathered(builder, flat, 0, n.add(n.mul(row, count), self.box))


def select(
    builder: Builder,
    at: Operation,
    boxes: SSAValue,
    scores: SSAValue,
    limits: Limits,
    kind: Kind,
) -> Selected:
    """The boxes [batches, n, numbers] that stay, by scores [batches, classes, n] of their type.

    ``at`` is what needs it.
    """
    n = Numbers(builder)
    batches, classes, count = shape_of(tensor_of(scores))
    found = _candidates(builder, at, builder.reshape(scores, (batches * classes, count)), limits)
    rows, width = shape_of(tensor_of(found.boxes))
    room = width
    if limits.known_count is not None:
        room = ex.minimum(max(limits.known_count, 0), count)
    if _may_lack_boxes(count, limits):
        room = ex.minimum(room, count)
        zero = builder.constant(0, element(tensor_of(boxes)))
        boxes, count = filled(builder, boxes, 1, 0, 1, zero), count + 1
    batch = builder.reshape(n.apply(b.DivOp, found.rows, classes), (rows, 1))
    flat = n.add(n.mul(batch, count), found.boxes)
    numbers = [
        gathered(builder, builder.reshape(number, (batches * count,)), 0, flat)
        for number in kind.numbers(builder, boxes)
    ]
    values = [*kind.values(builder, numbers), limits.overlap]
    soft: list[SSAValue] = []
    if limits.sigma is not None and limits.score is not None:
        soft = [_scale(builder, limits.sigma), limits.score]
    given = values, soft
    chosen = _repeated(builder, at, found.scores, given, kind.drops, room, limits.count)
    taken, left = chosen[0], chosen[1:]
    places = kept(builder, builder.reshape(n.less(-1, taken), (rows * room,)))
    place = n.apply(b.DivOp, places, room)
    column = gathered(builder, builder.reshape(taken, (rows * room,)), 0, places)
    flat = builder.reshape(found.boxes, (rows * width,))
    box = gathered(builder, flat, 0, n.add(n.mul(place, width), column))
    row = gathered(builder, found.rows, 0, place)
    rest = [gathered(builder, builder.reshape(v, (rows * room,)), 0, places) for v in left]
    return Selected(n.apply(b.DivOp, row, classes), n.apply(b.ModOp, row, classes), box, *rest)


@dataclass(frozen=True)
class _Candidates:
    """The boxes that may stay."""

    rows: SSAValue
    """The number of batch and class of each row, i64."""
    boxes: SSAValue
    """The numbers of the boxes in each row, i64."""
    scores: SSAValue
    """Their scores, or ``GONE`` where a row has fewer."""


def _candidates(builder: Builder, at: Operation, lines: SSAValue, limits: Limits) -> _Candidates:
    """The boxes of each row that exceed the least score; without one, all boxes.

    There is one place at least, since an axis that is searched is not empty.
    """
    n, (rows, count) = Numbers(builder), shape_of(tensor_of(lines))
    type = element(tensor_of(lines))
    # What is gone has a lesser score than all boxes.
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
    found = gathered(builder, finite, 0, some)
    found = builder.add(GatherElementsOp(found, table, axis=1, from_end=False))
    (left,) = shape_of(tensor_of(some))
    ends = builder.reshape(gathered(builder, totals, 0, some), (left, 1))
    is_there = n.less(positions(builder, width, 1, 2), ends)
    return _Candidates(some, table, n.where(is_there, found, builder.constant(GONE, type)))


def _may_lack_boxes(count: ex.Expr, limits: Limits) -> bool:
    """Whether all boxes are looked at, of which there may be none."""
    return limits.score is None and not ex.is_nonnegative(count - 1)


def _corners(builder: Builder, boxes: SSAValue, is_centred: bool) -> Corners:
    """Least and greatest coordinates of boxes [batches, n, 4], [batches, n] each."""
    n, parts = Numbers(builder), columns(builder, boxes)
    pairs = [(parts[0], parts[2]), (parts[1], parts[3])]
    if not is_centred:
        return [v for x, y in pairs for v in (n.least(x, y), n.most(x, y))]
    half = builder.constant(2, element(tensor_of(boxes)))
    halves = [(x, n.apply(b.DivOp, size, half)) for x, size in pairs]
    return [v for x, y in halves for v in (n.sub(x, y), n.add(x, y))]


def _area(n: Numbers, corners: Sequence[SSAValue]) -> SSAValue:
    low, high, left, right = corners
    return n.mul(n.sub(high, low), n.sub(right, left))


def _shared(
    builder: Builder, best: Sequence[SSAValue], values: Sequence[SSAValue]
) -> tuple[SSAValue, SSAValue]:
    """The area that boxes, corners and area, share with one box, and the part of their union."""
    n, mine, (*all, areas) = Numbers(builder), best[:4], values
    zero = builder.constant(0, element(tensor_of(areas)))
    sides = [
        n.most(n.sub(n.least(mine[k + 1], all[k + 1]), n.most(mine[k], all[k])), zero)
        for k in (0, 2)
    ]
    shared = n.mul(*sides)
    union = n.sub(n.add(_area(n, mine), areas), shared)
    return shared, n.apply(b.DivOp, shared, union)


def _overlaps(builder: Builder, best: Sequence[SSAValue], values: Sequence[SSAValue]) -> SSAValue:
    """Whether boxes, corners and area, overlap one box by more than the last of their union."""
    n, (*boxes, most) = Numbers(builder), values
    shared, part = _shared(builder, best, boxes)
    # Boxes without an area have no part of them in common, also where 0 is divided by 0.
    zero = builder.constant(0, element(tensor_of(shared)))
    return n.apply(b.AndOp, n.apply(b.GreaterOp, shared, zero), n.apply(b.GreaterOp, part, most))


def _scale(builder: Builder, sigma: SSAValue) -> SSAValue:
    """What the square of a part is multiplied by: 0 where scores are not lowered."""
    n, type = Numbers(builder), element(tensor_of(sigma))
    zero = builder.constant(0, type)
    scale = n.apply(b.DivOp, builder.constant(-0.5, type), sigma)
    return n.where(n.apply(b.GreaterOp, sigma, zero), scale, zero)


def _lowered(
    builder: Builder,
    alive: SSAValue,
    best: Sequence[SSAValue],
    values: Sequence[SSAValue],
    soft: Sequence[SSAValue],
) -> SSAValue:
    """What is left of scores beside one box; ``GONE`` where that is too little."""
    n, (scale, least) = Numbers(builder), soft
    shared, part = _shared(builder, best, values)
    zero = builder.constant(0, element(tensor_of(shared)))
    part = n.where(n.apply(b.GreaterOp, shared, zero), part, zero)
    weight = builder.add(u.ExpOp(n.mul(scale, n.mul(part, part))))
    gone = builder.constant(GONE, element(tensor_of(alive)))
    left = n.mul(alive, weight)
    is_enough = n.apply(b.AndOp, n.apply(b.GreaterOp, alive, gone), n.less(least, left))
    return n.where(is_enough, left, gone)


def _with_area(builder: Builder, corners: Corners) -> list[SSAValue]:
    return [*corners, _area(Numbers(builder), corners)]


UPRIGHT = Kind(lambda builder, boxes: _corners(builder, boxes, False), _with_area, _overlaps)
"""Boxes have two opposite corners."""
CENTRED = Kind(lambda builder, boxes: _corners(builder, boxes, True), _with_area, _overlaps)
"""They have a centre and a size."""


def suppressed(
    builder: Builder,
    at: Operation,
    alive: SSAValue,
    values: Sequence[SSAValue],
    drops: Drops,
    room: ex.Expr,
) -> SSAValue:
    """The places of the boxes that stay in each row, best first, and -1 behind them: [rows, room].

    ``alive`` are the scores [rows, width], ``GONE`` where there is no box; ``values`` what
    ``drops`` compares of boxes, [rows, width] each, and numbers, of rank 0.
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
    """The same; with what scores are lowered by, behind the other values, what was left of them."""
    rows, _ = shape_of(tensor_of(alive))
    n = Numbers(builder)
    none = builder.broadcast(builder.constant(-1, el.I64), (rows, room))
    carried = [_any_left(builder, alive), alive, none]
    if values[1]:
        type = element(tensor_of(alive))
        carried.append(builder.broadcast(builder.constant(0, type), (rows, room)))
    most = n.of(room) if count is None else n.least(count, room)
    step = partial(_step, drops=drops, soft=len(values[1]))
    given = [*values[0], *values[1]]
    return repeated(builder, at, most, carried, given, step, has_condition=True)[2:]


def _any_left(builder: Builder, alive: SSAValue) -> SSAValue:
    gone = builder.constant(GONE, element(tensor_of(alive)))
    return builder.add(ReduceAnyOp(builder.add(b.GreaterOp(alive, gone)), axes=(0, 1)))


def _step(
    builder: Builder, arguments: Sequence[SSAValue], drops: Drops, soft: int
) -> list[SSAValue]:
    """One iteration: each row takes its best box, and drops what overlaps it."""
    number, _, alive, taken, *values = arguments
    scores, values = values[: int(soft > 0)], values[int(soft > 0) :]
    values, how = values[: len(values) - soft], values[len(values) - soft :]
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
    left = _lowered(builder, alive, mine, values[:-1], how) if soft else alive
    left = n.where(n.apply(b.OrOp, dropped, is_best), gone, left)
    here = n.apply(b.EqualOp, positions(builder, shape_of(tensor_of(taken))[1], 1, 2), number)
    here = n.apply(b.AndOp, here, is_one)
    scores = [n.where(here, of_best(alive), v) for v in scores]
    return [_any_left(builder, left), left, n.where(here, best, taken), *scores]
