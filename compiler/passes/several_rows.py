"""Several rows of a block of columns at once: what is added up is read and written once for them.

::

    for i = 0 to 64 step 4
      for l = 0 to 100 { acc[l] = acc[l] + ((x[i, l] + x[i+1, l]) + (x[i+2, l] + x[i+3, l])) }

The rows are combined in pairs, so that sums of floats may go on for longer before a cascade must
take them.  Eight long rows are as many streams that a processor reads ahead by itself; short ones
it takes for one stream with gaps, so the next four are asked for, or all are copied in order first
(``copied_rows``).  Of so few rows that no cascade is needed, the long ones go together as well, but
each column of them in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type

from .accumulators import Accumulator
from .column_blocks import FEW_ROWS, Columns, Walk, are_short
from .copied_rows import Copies
from .loop_places import Place
from .prefetching import loads_by_buffer, prefetch

if TYPE_CHECKING:
    from .column_loops import ColumnLowering

STEPS = 16
"""Steps in a block of a float sum, which keeps within the bound that ``reduction_loops`` states:
one value goes through two or three sums of pairs and at most so many more."""
NARROW = range(8, 21)
"""Columns of one register or little more, which C compilers may keep in memory all the same: then
each row waits for the one before to be written."""
LEAST = 64
"""Columns up to which one row after the other is as good, but for those."""
STRIP = 64
"""Columns in a loop that C compilers unroll.  Else a store to ``acc`` would hold up what is read
next, where rows are pages apart: processors compare the addresses within a page first."""
MOST = 4
"""Operations of a row above which computing takes the time, not memory."""


def go_together(walk: Walk, columns: Columns, accumulators: list[Accumulator]) -> bool:
    """Whether a sweep is worth it: it does little but read, and looks for no position."""
    ops = list(walk.sweep.body.block.ops)
    few = sum(isinstance(op, body.ApplyOp) for op in ops) <= MOST
    long = any(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
    narrow = any(isinstance(op, kernel.LoadOp) and scalar_type(op.result).bytes < 4 for op in ops)
    stores = any(isinstance(op, kernel.StoreOp) for op in ops)
    kept = len(accumulators) < len(walk.sweep.kinds)
    plain = bool(accumulators) and all(a.position is None for a in accumulators)
    wide = columns.most > LEAST or columns.most in NARROW
    return wide and few and plain and not (long or narrow or stores or kept)


def rows_of(columns: ex.Expr) -> int:
    """How many rows of so many columns go together; of four short ones the next are asked for."""
    return 4 if are_short(columns) and columns.constant not in NARROW else 8


def _strips(here: Place, columns: Columns) -> list[tuple[Place, ex.Expr]]:
    """Loops over all columns, inside one over strips, and over those that are left; the columns."""
    rest = ex.mod(columns.width, ex.const(STRIP))
    whole = columns.width - rest
    found: list[tuple[Place, ex.Expr]] = []
    if whole != 0:
        strip = here.loop(ex.const(0), whole, "serial", STRIP)
        found.append(_along(strip, columns, strip.variable(), strip.variable() + STRIP))
    if rest != 0:
        found.append(_along(here, columns, whole, columns.width))
    return found


def _along(here: Place, columns: Columns, lower: ex.Expr, upper: ex.Expr) -> tuple[Place, ex.Expr]:
    """A loop over some columns, and its variable."""
    inside = here.loop(lower, upper, "vector")
    lane = inside.variable()
    inside.at |= {atom: columns.start + lane for atom in columns.atoms}
    return inside, lane


def together(
    lowering: ColumnLowering,
    walk: Walk,
    here: Place,
    outer: list[ex.Expr],
    span: tuple[ex.Expr, ex.Expr],
    columns: Columns,
    accumulators: list[Accumulator],
) -> None:
    """The rows of a span, a multiple of those that go together, for all columns of the block."""
    every = lowering.outer.extents[-1]
    short, rows = are_short(every), rows_of(every)
    copies = Copies.of(lowering, walk, here, outer, columns, rows)
    if copies is None:
        some = here.loop(*span, "serial", rows)
        first = some.variable()
        if short:
            _read_ahead(lowering, walk, some, [*outer, first], rows, columns)
    else:
        some, first = copies.write(here, outer, span, columns)
    for inside, lane in [columns.lanes(some)] if short else _strips(some, columns):
        steps = [[*outer, first + k] for k in range(rows)]
        _take(lowering, walk, steps, accumulators, inside, lane, copies)
    for op in copies.loads if copies else ():
        del lowering.nest.tiles[op]


def few_together(
    lowering: ColumnLowering,
    walk: Walk,
    here: Place,
    rows: int,
    columns: Columns,
    accumulators: list[Accumulator],
) -> None:
    """All of a few rows, up to ``FEW_ROWS`` at once, each column of them in order."""
    groups = -(-rows // FEW_ROWS)
    for k in range(groups):
        some = range(rows * k // groups, rows * (k + 1) // groups)
        for inside, lane in _strips(here, columns):
            steps = [[ex.const(row)] for row in some]
            _take(lowering, walk, steps, accumulators, inside, lane, None, in_order=True)


def _read_ahead(
    lowering: ColumnLowering,
    walk: Walk,
    here: Place,
    row: list[ex.Expr],
    rows: int,
    columns: Columns,
) -> None:
    """Ask for as many rows as go together, those that come next."""
    nest, last = lowering.nest, len(lowering.outer.extents) - 1
    for op in loads_by_buffer(walk.sweep).values():
        if nest.offsets[op].substitute(lowering.outer.places, {}).coefficient(last) != 1:
            continue
        for k in range(rows):
            there = Place(here.block, here.variables, dict(here.at))
            there.at |= walk.placed([*row[:-1], row[-1] + (rows + k)])
            there.at |= {atom: columns.start for atom in columns.atoms}
            prefetch(there, op, nest.offsets[op], 0, columns.width)


def _take(
    lowering: ColumnLowering,
    walk: Walk,
    rows: list[list[ex.Expr]],
    accumulators: list[Accumulator],
    inside: Place,
    lane: ex.Expr,
    copies: Copies | None,
    in_order: bool = False,
) -> None:
    """What a column takes of each of some rows, in pairs and pairs of pairs, or in order."""
    plain = [a for a in accumulators if not a.extremes]
    extremes = {id(a.extremes): a.extremes for a in accumulators if a.extremes}
    values: list[list[SSAValue]] = [[] for _ in plain]
    taken: dict[int, list[SSAValue]] = {key: [] for key in extremes}
    for k, row in enumerate(rows):
        inside.at |= walk.placed(row)
        if copies is not None:
            lowering.nest.tiles |= copies.at(k, lane)
        lowering.write(list(walk.sweep.body.block.ops)[:-1], inside, lane)
        for own, a in zip(values, plain, strict=True):
            own.append(lowering.value_of(a, inside, lane))
        for key, e in extremes.items():
            taken[key].append(lowering.nest.values[e.taken])
    for own, a in zip(values, plain, strict=True):
        while len(own) > 1 and not in_order:
            own = [inside.apply(a.row.combine, *own[k : k + 2]) for k in range(0, len(own), 2)]
        state = a.unsigned or a.state
        total = inside.read(state, lane)
        for value in own:
            total = inside.apply(a.row.combine, total, value)
        inside.write(total, state, lane)
    for key, e in extremes.items():
        e.take(inside, *taken[key], lane=lane)
