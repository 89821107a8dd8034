"""The first elements of an axis in order, of all lines of a tensor side by side.

Few elements are found by insertion: a loop over the axis carries the first elements so far, in
order; each element takes its place among them, and those behind it move on by one::

    3 1 2 4, the least three: . . . --> 3 . . --> 1 3 . --> 1 2 3 --> 1 2 3

For many, or a number known at run time only, Batcher's bitonic network sorts the axis, in the form
in which the lesser element always goes to the front.  A level merges pairs of sorted runs: its
first stage compares with the mirror image in the other run, the next ones at half the distance
each.  Positions beyond the end take no part, so the axis may have any length::

    level 1  x ^ 1     level 2  x ^ 3, x ^ 1     level 3  x ^ 7, x ^ 2, x ^ 1     ...

Their costs decide (``graph/costs.py``).  Both give the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp
from opc.graph.costs import prefers_sort

from .bodies import Arrays, repeated, scan
from .traced import front, gathered, lined, quotient

I32 = el.BY_NAME["i32"]
MOST_LEVELS = 40
"""Levels for an axis of unknown extent: 2^40 elements do not fit into memory."""


def ordered(x: Any, axis: int, count: ex.Expr, *, largest: bool = True) -> tuple[Any, Any]:
    """The ``count`` greatest or least elements along an axis, and their positions in i64.

    NaN is greater than all numbers, as in NumPy; equal elements keep their order.
    """
    trace, extent = x.trace, x.extents[axis]
    keys = sort_keys(x)
    if largest:
        keys = ~keys
    most = count.constant if count.constant is not None else extent.constant
    # A sort of unknown extent has at least the stages for the wanted elements.
    stages = _masks(extent.constant or most or 1)
    if most is None or (stages and prefers_sort(most, len(stages))):
        places = front(sorted_places(keys, axis), axis, count)
    else:
        places = _inserted(keys, axis, count, x.element.is_float)
    places = places.astype(el.I64)
    return trace.emit(GatherElementsOp, x, places, axis=axis, from_end=False), places


def sort_keys(x: Any) -> Any:
    """Integers in the order of x; for floats, never the least or the greatest integer.

    The bits of nonnegative floats are in order; those of negative ones are flipped.
    """
    if not x.element.is_float:
        return x
    x = x.astype(el.F32) if x.element.is_small_float else x
    bits = el.BY_NAME[f"i{8 * x.element.bytes}"]
    # -0 equals +0, and all NaN are equal.
    keys = onp.bitcast(onp.where(x == 0, 0, x), bits)
    keys = onp.where(keys < 0, keys ^ int(bits.highest), keys)
    return onp.where(onp.isnan(x), int(bits.highest) - 1, keys)


def _inserted(keys: Any, axis: int, count: ex.Expr, has_gaps: bool) -> Any:
    """The positions of the least keys of each line, by insertion; -1 where there is none."""
    trace, shape, type, rank = keys.trace, keys.extents, keys.element, keys.ndim
    number = el.I64 if shape[axis].constant is None else I32
    rest = tuple(e for k, e in enumerate(shape) if k != axis)
    # The longer of the two axes is the last one, for vectors.
    lines = ex.product(rest).constant
    place = 0 if lines and count.constant is not None and lines >= count.constant else rank - 1

    def step(index: Any, best: Any, places: Any, new: Any) -> tuple[Arrays, Arrays]:
        extents = best.extents
        entry = (*extents[:place], 1, *extents[place + 1 :])
        new = new.reshape(entry)
        index = onp.broadcast_to(index.astype(number), entry)
        before: list[Any] = []
        for value, first in ((best, type.lowest), (places, 0)):
            line = best.trace.full(entry, first, value.element)
            line = onp.concatenate([line, value], place)
            before.append(front(line, place, extents[place]))

        def is_before(key: Any, position: Any) -> Any:
            return new < key if has_gaps else (new < key) | (position < 0)

        moves, enters = is_before(*before), is_before(best, places)
        return [
            onp.where(moves, earlier, onp.where(enters, now, value))
            for earlier, now, value in zip(before, (new, index), (best, places), strict=True)
        ], []

    room = (count, *rest) if place == 0 else (*rest, count)
    start = [trace.full(room, type.highest, type), trace.full(room, -1, number)]
    scanned = [onp.moveaxis(keys, axis, 0)]
    (_, places), _ = scan(shape[axis], start, scanned, [], step, has_index=True)
    return onp.moveaxis(places, place, axis)


def _masks(extent: int) -> list[int]:
    """For each stage the XOR mask from a position to that of the other element."""
    levels = range(max(extent - 1, 0).bit_length())
    return [m for k in levels for m in ((2 << k) - 1, *(1 << d for d in reversed(range(k))))]


def sorted_places(keys: Any, axis: int) -> Any:
    """The positions of all keys along an axis in stable order: i32, or i64 for unknown extents."""

    def is_less(mine: Arrays, other: Arrays) -> Any:
        (key, place), (keys, places) = mine, other
        return (key < keys) | ((key == keys) & (place < places))

    return onp.moveaxis(sorted_by([onp.moveaxis(keys, axis, 0)], is_less)[-1], 0, axis)


def sorted_by(values: Arrays, is_less: Callable[[Arrays, Arrays], Any]) -> Arrays:
    """Arrays with the elements of their first axis in an order, and the positions of these.

    ``is_less`` compares the elements of arrays and their positions with those of others: i1.
    Positions are i32, or i64 for unknown extents.
    """
    trace, extent, rank = values[0].trace, values[0].extents[0], values[0].ndim
    line = trace.positions(extent).astype(el.I64 if extent.constant is None else I32)
    values = [*values, onp.broadcast_to(lined(line, 0, rank), values[0].extents)]

    def exchanged(mask: Any, mine: Arrays) -> Arrays:
        extent = mine[0].extents[0]
        line = mine[0].trace.positions(extent)
        other = line ^ mask
        other = onp.where(other < extent, other, line)
        others = [gathered(v, [0], other) for v in mine]
        stays = is_less(mine, others) == lined(line < other, 0, rank)
        return [onp.where(stays, v, o) for v, o in zip(mine, others, strict=True)]

    def stage(*arguments: Any) -> tuple[Arrays, Arrays]:
        *mine, mask = arguments
        return exchanged(mask, mine), []

    def level(index: Any, *arguments: Any) -> Arrays:
        *mine, masks = arguments
        return exchanged(gathered(masks, [0], index), mine)

    if extent.constant is not None:
        masks = trace.constant(np.array(_masks(extent.constant)), el.I64)
        return scan(masks.extents[0], values, [masks], [], stage)[0]
    powers = trace.constant(1 << np.arange(MOST_LEVELS), el.I64)
    levels = onp.sum((powers < extent).astype(el.I64), 0)
    masks = trace.constant(np.array(_masks(1 << MOST_LEVELS)), el.I64)
    return repeated(quotient(levels * (levels + 1), 2), values, [masks], level)
