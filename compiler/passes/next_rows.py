"""Reading ahead down columns: which rows are asked for, and in which pieces.

::

    for i = 0 to 4096                       # one row of several operands, or of a function
      for p = 0 to 1024 step 64
        ask for columns p to p + 64 of the next row
        for l = p to p + 64: acc[l] = acc[l] + exp(x[i*131072 + l])

A row that is asked for at once goes before what is needed now.  Of one operand that nothing is
computed of the pieces do not pay, nor where several functions follow one another, which go in loops
of their own, nor for f16 and bf16, which are converted in strips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.strip import NARROW

from .column_blocks import Columns, Walk
from .loop_parts import has_functions
from .loop_places import Place
from .prefetching import LEAST, loads_by_buffer, page, prefetch

if TYPE_CHECKING:
    from .column_loops import ColumnLowering

LARGE = 1 << 18
"""Points whose operands the caches next to the processor do not hold."""
FAR = 1 << 20
"""Points whose one operand is far away."""
PIECE = 64
"""Columns whose next row is asked for at once."""
WIDE = 256
"""Columns of one operand from which on that is worth it: the last piece may be a short one."""


class NextRow(NamedTuple):
    """A load, the dimensions one row further down, and how many columns are asked for there."""

    load: kernel.LoadOp
    at: dict[ex.Atom, ex.Expr]
    columns: ex.Expr


def read_ahead(
    lowering: ColumnLowering, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
) -> None:
    """Ask for the next row."""
    for load, at, asked in next_rows(lowering, walk, here, variables, columns):
        if asked != 0:
            there = Place(here.block, here.variables, at)
            prefetch(there, load, lowering.nest.offsets[load] + columns.first, 0, asked)


def next_rows(
    lowering: ColumnLowering, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
) -> list[NextRow]:
    """The loads of a row for which it is worth to ask for the next one.

    What comes right behind in memory processors see by themselves: where functions are computed of
    several operands, to ask for that is in the way.
    """
    if not variables:
        return []
    outer, start = lowering.outer, {atom: columns.start for atom in columns.atoms}
    this_row = {**here.at, **walk.placed(variables), **start}
    next_row = {**this_row, **walk.placed([*variables[:-1], variables[-1] + 1])}
    found: list[tuple[kernel.LoadOp, ex.Expr]] = []
    for op in loads_by_buffer(walk.sweep).values():
        offset = lowering.nest.offsets[op]
        along = offset.substitute(outer.places, {}).coefficient(len(outer.extents) - 1)
        step = offset.substitute(next_row, {}) - offset.substitute(this_row, {})
        near = step.constant is not None and step.constant < page(op)
        wide = columns.most * scalar_type(op.result).bytes >= LEAST
        if op not in lowering.apart and along == 1 and wide and not near:
            found.append((op, step))
    total, whole = outer.extents[-1], columns.width - columns.first
    several = len(found) > 1 and has_functions(walk.sweep.body.block.ops)
    is_part = ex.atleast(total, columns.most + 1)
    return [
        NextRow(op, next_row, whole * is_part if several and step == total else whole)
        for op, step in found
    ]


def goes_in_pieces(lowering: ColumnLowering, walk: Walk, columns: Columns, ahead: int) -> bool:
    """Whether a row goes in pieces, if that many loads of the next one are worth it."""
    ops = list(walk.sweep.body.block.ops)
    long = sum(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
    gains = (ahead > 1 and long < 2) or (ahead == long == 1 and columns.most >= WIDE)
    loads = [op for op in ops if isinstance(op, kernel.LoadOp)]
    narrow = any(scalar_type(op.result) in NARROW for op in loads)
    if not gains or narrow or not columns.is_known:
        return False
    points = lowering.points_of((*lowering.outer.extents, *walk.space.extents))
    block = lowering.points_of((ex.const(columns.most), *walk.space.extents))
    is_first = walk.sweep is lowering.nest.sweeps[0]
    is_fresh = is_first or block is None or block >= LARGE
    return is_fresh and (points is None or points >= (FAR if ahead == 1 else LARGE))
