"""Compute the values of a group into a staging buffer in memory order, and reduce them from there.

Bodies that are expensive or have effects do so, and segments of several axes, and tails of unknown
length.  ``loop.group`` reduces such a tail from the buffer or from memory; where lanes are no
vectors, -0 fills up the buffer::

    fill t with -0                              # if the number of values is unknown
    for j in 0 to count vector { t[j] = exp(x[start + j]) }
    for m in 0 to 64 vector { acc[m] += ((t[m] + t[m + 64]) + ...) + ... }
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Block, SSAValue

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.order import GROUP

from .accumulators import Accumulator, Total
from .insertion import ZERO, Insertion
from .reduce_rows import Lanes, rows_of
from .sweep import Kept, Sweep

Stagings: TypeAlias = "dict[Accumulator, tuple[SSAValue, ex.Expr, ex.Expr]]"
"""Where the values of a group are, by accumulator: array, offset, step from value to value."""


def take_staged(s: Sweep, here: Insertion, start: ex.Expr, count: ex.Expr) -> None:
    """Compute and reduce a group, or a tail."""
    known = count.constant if s.lanes.constant is not None else None
    stagings, filled = _stagings(s, here, start) if known is not None else _padded(s, here)
    inside, position, variables, point = _values(s, here, start, count)
    s.body(inside, variables, point)
    for value, array in filled:
        at = (position - start) * s.stride + point
        inside.write(s.values.values[value], array, at)
    group: list[tuple[int, Lanes]] = [(GROUP, (ZERO, s.lanes))]
    for rows, lanes in group if known is None or count == s.group else rows_of(s, known):
        _take(s, here, stagings, rows, lanes)


def take_group(s: Sweep, here: Insertion, start: ex.Expr, count: ex.Expr) -> None:
    """Reduce a tail of unknown length at one point, whose lanes are vectors.

    Values that the body only loads come from memory, others from a staging buffer.
    """
    totals = [a for a in s.accumulators if isinstance(a, Total)]
    loads = {
        a: load
        for a in totals
        if (load := s.plain_load(a.taken)) is not None and load not in s.values.tiles
    }
    if len(loads) == len(totals) and not (s.kept or s.has_stores or s.beside):
        for a, load in loads.items():
            a.take_group(here, s.values.buffer(load), *s.staging_from(here, load, start, count))
        return
    stagings, filled = _stagings(s, here, start)
    inside, position, variables, point = _values(s, here, start, count)
    s.body(inside, variables, point)
    for value, array in filled:
        inside.write(s.values.values[value], array, position - start)
    for a in totals:
        array, at, _ = stagings[a]
        a.take_group(here, array, *here.over((at, count)))


def _values(
    s: Sweep, here: Insertion, start: ex.Expr, count: ex.Expr
) -> tuple[Insertion, ex.Expr, list[ex.Expr], ex.Expr]:
    """Loops over the values of a staging buffer, interleaved with ``beside``."""
    if s.beside is None:
        return s.in_order(here, start, count)
    turns = s.beside.turns
    part = here.loop(0, count, "serial", turns)
    first = part.variable()
    is_whole = ex.mod(count, turns) == 0
    size = ex.const(turns) if is_whole else ex.minimum(ex.const(turns), count - first)
    s.beside.write(part, start + first, start + first + size)
    return s.in_order(part, start + first, size)


Filled: TypeAlias = "list[tuple[SSAValue, SSAValue]]"
"""Values of the body, and their arrays."""


def _stagings(s: Sweep, here: Insertion, start: ex.Expr) -> tuple[Stagings, Filled]:
    """A staging buffer for each value, or the array of one that is kept for a later sweep."""
    kept = {k.value: at for k in s.kept if (at := _kept_at(s, k, start)) is not None}
    stagings: Stagings = {}
    filled: dict[SSAValue, SSAValue] = {}
    for a in s.accumulators:
        if a.taken in kept:
            stagings[a] = kept[a.taken]
            continue
        if a.taken not in filled:
            filled[a.taken] = here.local(scalar_type(a.taken), GROUP * s.cells)
        stagings[a] = filled[a.taken], ZERO, s.stride
    return stagings, list(filled.items())


def _kept_at(s: Sweep, kept: Kept, start: ex.Expr) -> tuple[SSAValue, ex.Expr, ex.Expr] | None:
    """Array, offset and step of a kept value from a position on; None in another order."""
    if kept.offset is None:
        return kept.array, start * s.stride, s.stride
    along, across = s.steps(kept.offset)
    if not s.is_line or along is None or across not in ((0,) if s.points.is_one else (1,)):
        return None
    if s.lanes != 1 and along != s.stride:
        return None
    there = Insertion(Block(), [], dict(s.points.here.at))
    s.place(there, s.at(start))
    s.points.place(there, ZERO)
    return kept.array, kept.offset.substitute(there.at), along


def _padded(s: Sweep, here: Insertion) -> tuple[Stagings, Filled]:
    """A staging buffer for each accumulator, filled with neutral values."""
    stagings: Stagings = {}
    for a in s.accumulators:
        type, size = scalar_type(a.taken), GROUP * s.cells
        stagings[a] = here.local(type, size), ZERO, s.stride
        count = ex.const(size) if s.lanes.constant is not None else s.used * GROUP
        inside = here.loop(0, count, "vector")
        inside.write(inside.constant(a.absent, type), stagings[a][0], inside.variable())
    return stagings, [(a.taken, array) for a, (array, _, _) in stagings.items()]


def _take(s: Sweep, here: Insertion, stagings: Stagings, rows: int, lanes: Lanes) -> None:
    """Reduce rows of staging buffers."""
    inside, _, _, cell = s.over_lanes(here, *lanes)
    columns = {
        a: [inside.read(array, at + s.lanes * step * row + cell) for row in range(rows)]
        for a, (array, at, step) in stagings.items()
    }
    for a, values in columns.items():
        a.take(inside, values, cell)
