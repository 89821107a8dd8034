"""The first elements of an axis in order, of all lines of a tensor side by side.

A few are found by a loop over the axis with the first elements so far, in order: each element takes
its place among them, and what comes behind it moves on by one::

    3 1 2 4, the least three: . . . --> 3 . . --> 1 3 . --> 1 2 3 --> 1 2 3

Of many, or of a number that only a run knows, the whole axis is sorted by Batcher's bitonic
network, in the form in which the lesser element always goes to the front.  A level merges pairs of
sorted runs: its first stage compares with the mirror image in the other run, the next ones at half
the distance each.  What would be behind the end takes no part, so the axis may have any length::

    level 1  x ^ 1     level 2  x ^ 3, x ^ 1     level 3  x ^ 7, x ^ 2, x ^ 1     ...

How many are many is said by the builder, which may know the machine.  Both find the same.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.opc.unary import BitcastOp, BitwiseNotOp, IsNanOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type

from .bodies import Values, repeated, scan
from .indexed import Numbers
from .moving import along
from .op_builder import Builder
from .parts import sliced

I32 = el.BY_NAME["i32"]
MOST_LEVELS = 40
"""Levels of an axis that only a run knows: memory holds none of more elements."""


def ordered(
    builder: Builder, at: Operation, x: SSAValue, axis: int, count: ex.Expr, largest: bool
) -> tuple[SSAValue, SSAValue]:
    """The ``count`` greatest or least elements along an axis, and their positions in i64.

    NaN is greater than all numbers, as NumPy sorts; of equal elements the first comes first.
    ``at`` is what this is a part of.
    """
    extent = shape_of(tensor_of(x))[axis]
    keys = sort_keys(builder, x)
    if largest:
        keys = builder.add(BitwiseNotOp(keys))
    most = count.constant if count.constant is not None else extent.constant
    # Of an axis that only a run knows, there are stages for at least what is wanted.
    stages = _masks(extent.constant or most or 1)
    if most is None or (stages and builder.prefers_sort(most, len(stages))):
        places = sorted_places(builder, at, keys, axis)
        places = sliced(builder, places, [axis], [(0, count, 1)])
    else:
        has_gaps = element(tensor_of(x)).is_float
        places = _inserted(builder, at, keys, axis, count, has_gaps)
    places = builder.cast(places, el.I64)
    return builder.add(GatherElementsOp(x, places, axis=axis, from_end=False)), places


def sort_keys(builder: Builder, x: SSAValue) -> SSAValue:
    """Integers in the order of x.  For floats, none of them is the least or the greatest integer.

    The bits of a float are in order but for its sign: those of negative numbers are flipped.
    """
    type = element(tensor_of(x))
    if not type.is_float:
        return x
    wide = el.F32 if type.is_small_float else type
    n, bits = Numbers(builder), el.BY_NAME[f"i{8 * wide.bytes}"]
    zero, none = builder.constant(0, wide), builder.constant(0, bits)
    x = builder.cast(x, wide)
    # Both zeros are equal, and so are all NaN.
    plain = n.where(n.apply(b.EqualOp, x, zero), zero, x)
    found = builder.add(BitcastOp(plain, result_type=tensor_type(bits, shape_of(tensor_of(x)))))
    flipped = n.apply(b.BitwiseXorOp, found, builder.constant(bits.highest, bits))
    found = n.where(n.less(found, none), flipped, found)
    return n.where(builder.add(IsNanOp(x)), builder.constant(bits.highest - 1, bits), found)


def _inserted(
    builder: Builder, at: Operation, keys: SSAValue, axis: int, count: ex.Expr, has_gaps: bool
) -> SSAValue:
    """The positions of the least keys: of each line those so far, with -1 where there is none."""
    shape, type = shape_of(tensor_of(keys)), element(tensor_of(keys))
    rank, one = len(shape), ex.const(1)
    number = el.I64 if shape[axis].constant is None else I32
    rest = tuple(e for k, e in enumerate(shape) if k != axis)
    # The longer of the two goes last, where vectors are.
    lines = ex.product(rest).constant
    place = 0 if lines and count.constant is not None and lines >= count.constant else rank - 1
    front = [axis, *(k for k in range(rank) if k != axis)]
    keys = builder.transpose(keys, front)

    def step(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        index, *own, new = arguments
        n, mine = Numbers(inner), shape_of(tensor_of(own[0]))
        entry = (*mine[:place], one, *mine[place + 1 :])
        new = inner.reshape(new, entry)
        index = inner.broadcast(inner.cast(index, number), entry)
        before: list[SSAValue] = []
        for value, first in zip(own, (type.lowest, 0), strict=True):
            line = inner.broadcast(inner.constant(first, element(tensor_of(value))), entry)
            line = inner.add(ConcatOp(line, value, axis=place))
            before.append(sliced(inner, line, [place], [(0, mine[place], 1)]))

        def is_before(key: SSAValue, position: SSAValue) -> SSAValue:
            found = n.less(new, key)
            is_none = n.less(position, inner.constant(0, number))
            return found if has_gaps else n.apply(b.OrOp, found, is_none)

        moves, enters = is_before(before[0], before[1]), is_before(own[0], own[1])
        return [
            n.where(moves, earlier, n.where(enters, now, value))
            for earlier, now, value in zip(before, (new, index), own, strict=True)
        ], []

    room = (count, *rest) if place == 0 else (*rest, count)
    start = (builder.constant(type.highest, type), builder.constant(-1, number))
    start = [builder.broadcast(v, room) for v in start]
    (_, places), _ = scan(builder, at, shape[axis], (start, [keys], []), step, has_index=True)
    back = [k + (place == 0) for k in range(rank - 1)]
    back.insert(axis, place)
    return builder.transpose(places, back)


def _masks(extent: int) -> list[int]:
    """For each stage of so many elements: what turns a place into that of the other element."""
    levels = range(max(extent - 1, 0).bit_length())
    return [m for k in levels for m in ((2 << k) - 1, *(1 << d for d in reversed(range(k))))]


def sorted_places(builder: Builder, at: Operation, keys: SSAValue, axis: int) -> SSAValue:
    """The positions along an axis of all keys in order, of equal ones in theirs: i32, or i64 where
    only a run knows how many there are.
    """
    shape = shape_of(tensor_of(keys))
    rank, extent = len(shape), shape[axis]
    front = [axis, *(k for k in range(rank) if k != axis)]
    keys = builder.transpose(keys, front)
    whole = shape_of(tensor_of(keys))
    line = builder.add(IotaOp.of(extent))
    number = el.I64 if extent.constant is None else I32
    places = builder.broadcast(along(builder, builder.cast(line, number), 0, rank), whole)

    def exchanged(inner: Builder, mask: SSAValue, key: SSAValue, place: SSAValue) -> Values:
        n = Numbers(inner)
        own = shape_of(tensor_of(key))
        line = inner.add(IotaOp.of(own[0]))
        other = n.apply(b.BitwiseXorOp, line, mask)
        other = n.where(n.less(other, own[0]), other, line)
        keys, places = (
            inner.add(GatherOp(v, other, axes=[0], from_end=False)) for v in (key, place)
        )
        same = n.apply(b.AndOp, n.apply(b.EqualOp, key, keys), n.less(place, places))
        is_less = n.apply(b.OrOp, n.less(key, keys), same)
        is_front = along(inner, n.less(line, other), 0, rank)
        stays = n.apply(b.EqualOp, is_less, is_front)
        return [n.where(stays, key, keys), n.where(stays, place, places)]

    if extent.constant is not None:
        masks = builder.constant(np.array(_masks(extent.constant)), el.I64)

        def stage(inner: Builder, arguments: Values) -> tuple[Values, Values]:
            key, place, mask = arguments
            return exchanged(inner, mask, key, place), []

        given: tuple[Values, Values, Values] = ([keys, places], [masks], [])
        (_, places), _ = scan(builder, at, shape_of(tensor_of(masks))[0], given, stage)
    else:
        n = Numbers(builder)
        powers = builder.constant(1 << np.arange(MOST_LEVELS), el.I64)
        reached = builder.cast(n.less(powers, extent), el.I64)
        levels = builder.add(ReduceSumOp(reached, axes=(0,)))
        count = n.apply(b.DivOp, n.mul(levels, n.add(levels, 1)), 2)
        masks = builder.constant(np.array(_masks(1 << MOST_LEVELS)), el.I64)

        def numbered(inner: Builder, arguments: Values) -> Values:
            index, key, place, masks = arguments
            mask = inner.add(GatherOp(masks, index, axes=[0], from_end=False))
            return exchanged(inner, mask, key, place)

        _, places = repeated(builder, at, count, [keys, places], [masks], numbered)
    return builder.transpose(places, np.argsort(front).tolist())
