"""Compaction: what is marked is kept, in order, and how much that is becomes an extent.

NonZero, Compress, Unique and NonMaxSuppression mark what they keep.  How many come in front of each
that is marked is its place in the result; all others go to one place more, which is left out::

    marks   0 1 1 0 1      before  0 0 1 2 2      scatter 0 1 2 3 4 at 5 0 1 5 2 --> 1 2 4 | . .
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import DivOp, ModOp, NotEqualOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .indexed import Numbers
from .op_builder import Builder
from .parts import sliced
from .prefix import prefixes


def counted(builder: Builder, marks: SSAValue, axis: int = 0) -> SSAValue:
    """How many are marked along an axis, in i64."""
    return builder.add(ReduceSumOp(builder.cast(marks, el.I64), axes=(axis,)))


def before(builder: Builder, marks: SSAValue) -> SSAValue:
    """How many are marked in front of each along the first axis."""
    rows, *rest = shape_of(tensor_of(marks))
    matrix = builder.reshape(builder.cast(marks, el.I64), (rows, ex.product(rest)))
    found = prefixes(builder, matrix, "add", exclusive=True)
    return builder.reshape(found, (rows, *rest))


def placed(builder: Builder, marks: SSAValue, places: SSAValue, most: ex.Expr) -> SSAValue:
    """The positions of what is marked along the first axis, each at its place, in i64.

    There are ``most`` places; what is at those that nothing is put to is 0.
    """
    n, shape = Numbers(builder), shape_of(tensor_of(marks))
    room = builder.broadcast(builder.constant(0, el.I64), (shape[0] + 1, *shape[1:]))
    line = builder.reshape(
        builder.add(IotaOp.of(shape[0])), (shape[0], *(ex.const(1) for _ in shape[1:]))
    )
    targets = n.where(marks, places, shape[0])
    positions = builder.broadcast(line, shape)
    every = builder.add(ScatterElementsOp(room, positions, targets, axis=0, from_end=False))
    return builder.reshape(sliced(builder, every, [0], [(0, most, 1)]), (most, *shape[1:]))


def kept(builder: Builder, marks: SSAValue) -> SSAValue:
    """The positions of marked elements of a 1-D tensor of i1, in order: i64[data-dependent]."""
    (extent,) = shape_of(tensor_of(marks))
    count = builder.data_extent(counted(builder, marks), extent)
    return placed(builder, marks, before(builder, marks), count)


def coordinates(builder: Builder, places: SSAValue, shape: Shape) -> list[SSAValue]:
    """The index along each axis of places in row-major order."""
    n, found = Numbers(builder), list[SSAValue]()
    for axis, extent in enumerate(shape):
        size = ex.product(shape[axis + 1 :])
        index = places if size == 1 else n.apply(DivOp, places, size)
        found.append(n.apply(ModOp, index, extent) if axis else index)
    return found


def nonzero(builder: Builder, x: SSAValue) -> SSAValue:
    """The indices of what is not zero (NaN is not), row-major: i64 of [rank, how many].

    Of one number in every place, as exporters write a range, it is every place, however many.
    """
    shape, type = shape_of(tensor_of(x)), element(tensor_of(x))
    whole = ex.product(shape)
    if _is_everywhere(x):
        places, count = builder.add(IotaOp.of(whole)), whole
    else:
        marks = x if type is el.I1 else builder.add(NotEqualOp(x, builder.constant(0, type)))
        places = kept(builder, builder.reshape(marks, (whole,)))
        (count,) = shape_of(tensor_of(places))
    each = [
        builder.reshape(index, (ex.const(1), count))
        for index in coordinates(builder, places, shape)
    ]
    if not each:
        return builder.broadcast(builder.constant(0, el.I64), (ex.const(0), count))
    return builder.concat(each, 0)


def _is_everywhere(x: SSAValue) -> bool:
    """Whether it is a number other than zero, stretched."""
    number = x.owner.operands[0].owner if isinstance(x.owner, BroadcastOp) else None
    if not isinstance(number, ConstantOp) or shape_of(tensor_of(number.result)):
        return False
    return bool(number.array() != 0)
