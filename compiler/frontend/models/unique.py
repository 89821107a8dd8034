"""The different elements, or slices, of a tensor: each is compared with all others."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.reduction import ReduceAllOp, ReduceAnyOp, ReduceMinOp, ReduceSumOp
from opc.dialects.opc.unary import IsNanOp, NotOp
from opc.dialects.shape import element, shape_of, tensor_of

from .compaction import before, counted, placed
from .indexed import Numbers, gathered
from .moving import positions
from .op_builder import Builder


@dataclass(frozen=True)
class Unique:
    """The rows of a matrix that differ, by their numbers, all i64."""

    first: SSAValue
    """Where each of them is for the first time."""
    inverse: SSAValue
    """Which of them every row is."""
    counts: SSAValue
    """How often each of them is there."""


def unique(builder: Builder, at: Operation, rows: SSAValue, is_sorted: bool) -> Unique:
    """The different rows of [n, m], in order or as they come; NaN is equal to itself and last.

    Rows are compared from their first element on, each with every other one: n*n*m steps.
    """
    n, count = Numbers(builder), shape_of(tensor_of(rows))[0]
    same, less = _compared(builder, rows)
    mine, other = (positions(builder, count, axis, 2) for axis in (0, 1))
    earlier = n.apply(b.AndOp, same, n.less(other, mine))
    marks = builder.add(NotOp(builder.add(ReduceAnyOp(earlier, axes=(1,)))))
    extent = builder.late(counted(builder, marks), count)
    every = builder.add(ReduceSumOp(builder.cast(same, el.I64), axes=(1,)))
    if is_sorted:
        # A row has in front of it as many different ones as are less.
        known = builder.broadcast(builder.reshape(marks, (1, count)), (count, count))
        smaller = n.apply(b.AndOp, known, less)
        places = builder.add(ReduceSumOp(builder.cast(smaller, el.I64), axes=(1,)))
        inverse = places
    else:
        places = before(builder, at, marks)
        firsts = builder.add(ReduceMinOp(n.where(same, other, n.of(count)), axes=(1,)))
        inverse = gathered(builder, places, 0, firsts)
    first = placed(builder, marks, places, extent)
    return Unique(first, inverse, gathered(builder, every, 0, first))


def different(
    builder: Builder, at: Operation, x: SSAValue, axis: int | None, is_sorted: bool
) -> tuple[SSAValue, Unique]:
    """The different slices of x along an axis, or without one the elements of the flattened x."""
    if axis is None:
        x, axis = builder.reshape(x, (ex.product(shape_of(tensor_of(x))),)), 0
    shape, type = shape_of(tensor_of(x)), element(tensor_of(x))
    order = [axis, *(k for k in range(len(shape)) if k != axis)]
    front = builder.transpose(x, order)
    length = ex.product([shape[k] for k in order[1:]])
    compared = el.BY_NAME["ui8"] if type is el.I1 else el.F32 if type.is_small_float else type
    rows = builder.reshape(builder.cast(front, compared), (shape[axis], length))
    found = unique(builder, at, rows, is_sorted)
    return gathered(builder, x, axis, found.first), found


def _compared(builder: Builder, rows: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Whether row i is the same as row j, and whether row j is less: [n, n] each."""
    n, (count, length) = Numbers(builder), shape_of(tensor_of(rows))
    mine = builder.reshape(rows, (count, ex.const(1), length))
    other = builder.reshape(rows, (ex.const(1), count, length))
    same, less = n.apply(b.EqualOp, mine, other), n.apply(b.LessOp, other, mine)
    if element(tensor_of(rows)).is_float:
        mine_nan, other_nan = builder.add(IsNanOp(mine)), builder.add(IsNanOp(other))
        same = n.apply(b.OrOp, same, n.apply(b.AndOp, mine_nan, other_nan))
        less = n.apply(b.OrOp, less, n.apply(b.AndOp, mine_nan, builder.add(NotOp(other_nan))))
    if length == 1:
        shape = (count, count)
        return builder.reshape(same, shape), builder.reshape(less, shape)
    # The first element that differs decides.
    places = positions(builder, length, 2, 3)
    differing = n.where(builder.add(NotOp(same)), places, n.of(length))
    where = builder.add(ReduceMinOp(differing, axes=(2,), keepdims=True))
    decides = n.apply(b.AndOp, less, n.apply(b.EqualOp, places, where))
    return (
        builder.add(ReduceAllOp(same, axes=(2,))),
        builder.add(ReduceAnyOp(decides, axes=(2,))),
    )
