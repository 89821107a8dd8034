"""The different elements, or slices, of an array, by sorting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterElementsOp

from .bodies import Arrays, scan
from .compaction import before, counted, placed
from .order import sort_keys, sorted_places
from .traced import NodeTrace, gathered


@dataclass(frozen=True)
class Unique:
    """The different rows of a matrix, as row numbers, i64."""

    first: Any
    """The first occurrence of each."""
    inverse: Any
    """The number of the different row that each row equals."""
    counts: Any
    """The number of occurrences of each."""


def unique(rows: Any, is_sorted: bool) -> Unique:
    """The different rows of [n, m], sorted or in order of appearance; NaN equals NaN and is last.

    Rows compare lexicographically.  A stable sort makes equal rows neighbours, the first one in
    front::

        rows   3 1 3 2     sorted at  1 3 0 2     begins  1 1 1 0     group  0 1 2 2
    """
    trace, count = rows.trace, rows.extents[0]
    keys = sort_keys(rows)
    places = _sorted_rows(keys)
    line = trace.positions(count)
    ordered = gathered(keys, [0], places)
    previous = gathered(ordered, [0], onp.maximum(line - 1, 0))
    begins = onp.any(ordered != previous, 1) | (line == 0)
    extent = trace.node.data_extent(counted(begins).value, count)
    earlier = before(begins)
    group = earlier + begins.astype(el.I64) - 1
    first = gathered(places, [0], placed(begins, earlier, extent))
    inverse = _scattered(count, places, group)
    if not is_sorted:
        marks = _scattered(count, first, trace.full((extent,), 1, el.I64)) == 1
        earlier = before(marks)
        inverse = gathered(gathered(earlier, [0], first), [0], inverse)
        first = placed(marks, earlier, extent)
    ones = trace.full((count,), 1, el.I64)
    return Unique(first, inverse, _scattered(extent, inverse, ones, "add"))


def different(x: Any, axis: int | None, is_sorted: bool) -> tuple[Any, Unique]:
    """The different slices of x along an axis, or elements of the flattened x."""
    if axis is None:
        x, axis = x.reshape((ex.product(x.extents),)), 0
    front, type = onp.moveaxis(x, axis, 0), x.element
    compared = el.BY_NAME["ui8"] if type is el.I1 else type.computed
    length = ex.product(front.extents[1:])
    rows = front.astype(compared).reshape((front.extents[0], length))
    distinct = unique(rows, is_sorted)
    return gathered(x, [axis], distinct.first), distinct


def _sorted_rows(keys: Any) -> Any:
    """The positions of rows in order, i64: a stable sort by each column, from the last one."""
    count, length = keys.extents
    if length == 1:
        return sorted_places(keys.reshape((count,)), 0).astype(el.I64)

    def by_column(places: Any, column: Any) -> tuple[Arrays, Arrays]:
        again = sorted_places(gathered(column, [0], places), 0).astype(el.I64)
        return [gathered(places, [0], again)], []

    start = keys.trace.positions(count)
    (places,), _ = scan(length, [start], [keys.T], [], by_column, is_reversed=True)
    return places


def _scattered(extent: ex.Expr, places: Any, values: Any, reduction: str = "none") -> Any:
    """Values scattered to places of an array of zeros, i64."""
    trace: NodeTrace = places.trace
    how: dict[str, Any] = {"axis": 0, "from_end": False, "reduction": reduction}
    return trace.emit(ScatterElementsOp, trace.full((extent,), 0, el.I64), values, places, **how)
