"""Compaction: marked elements in order, with a data-dependent extent.

NonZero, Compress, Unique and NonMaxSuppression mark the elements that they keep.  The position of
a marked element in the result is the number of marked elements before it; all others are scattered
to one position more, which is cut off::

    marks   0 1 1 0 1      before  0 0 1 2 2      scatter 0 1 2 3 4 at 5 0 1 5 2 --> 1 2 4 | . .
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.cumulative import CumSumOp
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp
from opc.dialects.shape import Shape

from .traced import NodeTrace, front, lined, quotient


def counted(marks: Any, axis: int = 0) -> Any:
    """The number of marked elements along an axis, i64."""
    return onp.sum(marks.astype(el.I64), axis)


def before(marks: Any) -> Any:
    """The number of marked elements before each one along the first axis."""
    rows, *rest = marks.extents
    matrix = marks.astype(el.I64).reshape((rows, ex.product(rest)))
    totals = matrix.trace.emit(CumSumOp, matrix, axis=0, exclusive=True)
    return totals.reshape((rows, *rest))


def placed(marks: Any, places: Any, most: ex.Expr) -> Any:
    """The positions of marked elements along the first axis, i64, scattered to ``places``.

    The result has ``most`` places; those without an element are 0.
    """
    trace, (rows, *rest) = marks.trace, marks.extents
    room = trace.full((rows + 1, *rest), 0, el.I64)
    line = lined(trace.positions(rows), 0, marks.ndim)
    targets = onp.where(marks, places, rows)
    positions = onp.broadcast_to(line, marks.extents)
    every = trace.emit(ScatterElementsOp, room, positions, targets, axis=0, from_end=False)
    return front(every, 0, most)


def kept(marks: Any) -> Any:
    """The positions of marked elements of a 1-D array of i1, in order: i64[data-dependent]."""
    node, (extent,) = marks.trace.node, marks.extents
    count = node.data_extent(counted(marks).value, extent)
    return placed(marks, before(marks), count)


def nonzero(x: Any) -> Any:
    """The indices of nonzero elements (NaN is one), row-major: i64 [rank, count].

    For a broadcast nonzero constant, which exporters write for a range, these are all indices.
    """
    trace: NodeTrace = x.trace
    total = ex.product(x.extents)
    if _is_everywhere(x):
        places = trace.positions(total)
    else:
        marks = x if x.element is el.I1 else x != 0
        places = kept(marks.reshape((total,)))
    indices = _coordinates(places, x.extents)
    if not indices:
        return trace.full((0, *places.extents), 0, el.I64)
    return onp.stack(indices)


def _coordinates(places: Any, shape: Shape) -> list[Any]:
    """The index along each axis of row-major positions."""
    indices: list[Any] = []
    for axis, extent in enumerate(shape):
        size = ex.product(shape[axis + 1 :])
        index = places if size == 1 else quotient(places, size)
        indices.append(index % extent if axis else index)
    return indices


def _is_everywhere(x: Any) -> bool:
    """Whether x is a broadcast nonzero constant."""
    owner = x.value.owner
    number = owner.operands[0].owner if isinstance(owner, BroadcastOp) else None
    return isinstance(number, ConstantOp) and number.array().ndim == 0 and bool(number.array() != 0)
