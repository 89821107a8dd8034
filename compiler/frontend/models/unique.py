"""The different elements, or slices, of a tensor: those that are equal come together by sorting."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.opc.reduction import ReduceAnyOp
from opc.dialects.shape import element, shape_of, tensor_of

from .bodies import Values, scan
from .compaction import before, counted, placed
from .indexed import Numbers, gathered
from .op_builder import Builder
from .order import sort_keys, sorted_places


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

    Rows are compared from their first element on.  Equal ones are neighbours once all are sorted,
    the first one in front::

        rows   3 1 3 2     sorted at  1 3 0 2     begins  1 1 1 0     group  0 1 2 2
    """
    n, count = Numbers(builder), shape_of(tensor_of(rows))[0]
    keys = sort_keys(builder, rows)
    places = _sorted_rows(builder, at, keys)
    line = builder.add(IotaOp.of(count))
    ordered = gathered(builder, keys, 0, places)
    previous = gathered(builder, ordered, 0, n.most(n.sub(line, 1), 0))
    differs = builder.add(ReduceAnyOp(n.apply(b.NotEqualOp, ordered, previous), axes=(1,)))
    begins = n.apply(b.OrOp, differs, n.apply(b.EqualOp, line, 0))
    extent = builder.data_extent(counted(builder, begins), count)
    earlier = before(builder, begins)
    group = n.sub(n.add(earlier, builder.cast(begins, el.I64)), 1)
    first = gathered(builder, places, 0, placed(builder, begins, earlier, extent))
    inverse = _scattered(builder, count, places, group)
    if not is_sorted:
        marks = _scattered(builder, count, first, builder.broadcast(n.of(1), (extent,)))
        marks = n.apply(b.EqualOp, marks, 1)
        earlier = before(builder, marks)
        inverse = gathered(builder, gathered(builder, earlier, 0, first), 0, inverse)
        first = placed(builder, marks, earlier, extent)
    ones = builder.broadcast(n.of(1), (count,))
    return Unique(first, inverse, _scattered(builder, extent, inverse, ones, "add"))


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


def _sorted_rows(builder: Builder, at: Operation, keys: SSAValue) -> SSAValue:
    """The positions of rows in order, in i64: sorted by each column in turn, the last one first."""
    count, length = shape_of(tensor_of(keys))
    if length == 1:
        column = builder.reshape(keys, (count,))
        return builder.cast(sorted_places(builder, at, column, 0), el.I64)

    def by_column(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        places, column = arguments
        column = gathered(inner, column, 0, places)
        again = inner.cast(sorted_places(inner, at, column, 0), el.I64)
        return [gathered(inner, places, 0, again)], []

    columns = builder.transpose(keys, (1, 0))
    given: tuple[Values, Values, Values] = ([builder.add(IotaOp.of(count))], [columns], [])
    (places,), _ = scan(builder, at, length, given, by_column, is_reversed=True)
    return places


def _scattered(
    builder: Builder, extent: ex.Expr, places: SSAValue, values: SSAValue, reduction: str = "none"
) -> SSAValue:
    """Values at their places among zeros, all i64."""
    room = builder.broadcast(builder.constant(0, el.I64), (extent,))
    return builder.add(
        ScatterElementsOp(room, values, places, axis=0, from_end=False, reduction=reduction)
    )
