"""Loops of a nest with few columns: several rows lie side by side, and fill vectors together.

::

    for i = 0 to 100000 - 100000 mod 32 step 32
      for l = 0 to 32*7: acc[l] = acc[l] + x[i*7 + l]
    for l = 0 to (100000 mod 32)*7: acc[l] = acc[l] + x[(100000 - 100000 mod 32)*7 + l]
    for l = 0 to 16*7: acc[l] = acc[l] + acc[16*7 + l]
    ...
    for l = 0 to 7: acc[l] = acc[l] + acc[7 + l]

So a reduction has a state for each row of those side by side, and these are combined at the end,
halving.  What a row has one of, or a column, is laid out as in ``folded_columns``; everything else
is as in ``column_loops``.

Where it is unknown how many columns there are, R rows do if there turn out to be few, the largest
power of two that ``LANES`` hold, and the nest is there again for many::

    for t = 0 to 1 - atleast(M, 65)
      for i = 0 to floordiv(N, R)
        for l = 0 to R*M: ...
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.strip import NARROW

from .accumulators import Accumulator
from .collapse import Collapsed
from .column_blocks import Columns, Walk, in_vectors, walk_of
from .column_loops import ColumnLowering
from .folded_columns import lay_out
from .loop_parts import has_functions
from .loop_places import VECTOR, NestValues, Place, leaves_over
from .prefetching import loads_by_buffer, page, prefetch

FEW = 8
"""Columns of floats below which rows go side by side."""
FEW_BYTES = 32
"""Bytes of a row up to which they do for sums; longer ones go together as they are."""
FEW_NARROW = 24
"""Columns of f16 and bf16 below which they do."""
TOGETHER = 20
"""Columns up to which rows as they are go together faster; above, these do if some columns are left
over after vectors."""
MOST, MOST_OF_FUNCTIONS = 32, 64
"""Columns from which on what is left over does not matter, and the same where functions are."""
LANES = 256
"""Columns of so many rows, at most."""
STEPS = 4
"""Times that so many rows must go down for what is combined at the end not to matter."""
UNKNOWN, UNKNOWN_OF_FUNCTIONS = 16, 64
"""Columns up to which it is faster where it is unknown how many there are."""
FEWEST, ENOUGH = 4, 64
"""Columns up to which it takes so many, with those beside them, to be faster for extremes: C
compilers make scalars of so few."""


def rows_beside(outer: Collapsed, values: NestValues) -> int:
    """How many rows of a nest go side by side: 1 if none can, or it would not help."""
    columns = outer.extents[-1].constant
    if columns is None or columns < 2 or not any(_gains(s, columns) for s in values.sweeps):
        return 1
    rows = LANES // columns
    for sweep in values.sweeps:
        walk = walk_of(sweep, values)
        if not _may_go_beside(walk, outer, values):
            return 1
        down = walk.space.extents[-1].constant
        rows = rows if down is None else min(rows, down // STEPS)
    rows = 1 << max(rows.bit_length() - 1, 0)
    return 1 if rows * columns < ENOUGH and _are_scalars(values, columns) else rows


def few_unknown(outer: Collapsed, values: NestValues) -> int:
    """Up to how many columns rows go side by side if it is unknown how many there are; 0 if never.

    The sweeps of a nest must go down as many rows, and yield floats.
    """
    walks = [walk_of(sweep, values) for sweep in values.sweeps]
    if outer.extents[-1].constant is not None or not all(
        _may_go_beside(walk, outer, values) for walk in walks
    ):
        return 0
    functions = has_functions(values.sweeps)
    if not functions and len(walks) > 1:
        return 0
    yielded = [scalar_type(value) for sweep in values.sweeps for value in sweep.yielded]
    same = len({walk.space.extents[-1] for walk in walks}) == 1
    if not same or not all(type.is_float for type in yielded):
        return 0
    return UNKNOWN_OF_FUNCTIONS if functions else UNKNOWN


def rows_of_unknown(outer: Collapsed, values: NestValues) -> ex.Expr:
    """How many rows go side by side then: a power of two."""
    down = walk_of(values.sweeps[0], values).space.extents[-1]
    most = ex.minimum(ex.floordiv(LANES, outer.extents[-1]), down)
    powers = [1 << k for k in range(LANES.bit_length()) if 1 << k <= (down.constant or LANES)]
    rows = sum((ex.atleast(most, n) * (n // 2) for n in powers[1:]), start=ex.const(1))
    return ex.minimum(rows, powers[-1])


def _may_go_beside(walk: Walk, outer: Collapsed, values: NestValues) -> bool:
    """Whether the rows of a sweep may be side by side: they lie so, or can be laid out."""
    if not walk.space.extents or any(k.data.startswith("arg") for k in walk.sweep.kinds):
        return False
    for op in walk.sweep.body.block.ops:
        if op not in values.offsets or _is_flat(op, walk, outer, values):
            continue
        steps = _steps(op, walk, outer, values)
        if steps is None or 0 not in steps or isinstance(op, kernel.StoreOp):
            return False
    kept = (values.kept[r][1] for r in walk.sweep.outputs if r in values.kept)
    return all(_follow(_steps_of(offset, walk, outer), outer) for offset in kept)


def _are_scalars(values: NestValues, columns: int) -> bool:
    """Whether a nest takes but extremes of columns that C compilers make scalars of."""
    kinds = {kind.data for sweep in values.sweeps for kind in sweep.kinds}
    return columns <= FEWEST and kinds <= {"max", "min"} and not has_functions(values.sweeps)


def _gains(sweep: kernel.SweepOp, columns: int) -> bool:
    """Whether a sweep down so few columns is faster with rows side by side."""
    ops = list(sweep.body.block.ops)
    pairs = [(k.data, scalar_type(v)) for v, k in zip(sweep.yielded, sweep.kinds, strict=True)]
    floats = [(kind, type) for kind, type in pairs if kind != kernel.KEEP and type.is_float]
    narrow = any(isinstance(op, kernel.LoadOp) and scalar_type(op.result) in NARROW for op in ops)
    over = leaves_over(columns)
    if not floats:
        return False
    if has_functions(ops):
        return columns < VECTOR or (over and columns < MOST_OF_FUNCTIONS)
    if narrow:
        return columns < FEW_NARROW or (over and columns < MOST)
    many = over and columns < MOST
    for kind, type in floats:
        is_sum = kind not in ("max", "min")
        if columns < FEW and (not is_sum or columns * type.bytes <= FEW_BYTES):
            return True
        if many and columns >= TOGETHER + is_sum and type.bytes <= 4:
            return True
    return False


def _steps(
    op: Operation, walk: Walk, outer: Collapsed, values: NestValues
) -> tuple[ex.Expr, ex.Expr] | None:
    """By how much an access moves on from row to row, and from column to column."""
    if isinstance(op, body.IndexOp):
        return None
    return _steps_of(values.offsets[op], walk, outer)


def _steps_of(offset: ex.Expr, walk: Walk, outer: Collapsed) -> tuple[ex.Expr, ex.Expr] | None:
    """The same for an offset over the dimensions of the sweep."""
    rows = [offset.coefficient(dim) for dim in walk.row_dims]
    column = offset.substitute(outer.places, {}).coefficient(len(outer.extents) - 1)
    if None in rows or column is None:
        return None
    return next((step for step in rows if step and step != 0), ex.const(0)), column


def _is_flat(op: Operation, walk: Walk, outer: Collapsed, values: NestValues) -> bool:
    """Whether rows of an access follow one another without gaps, or it stays where it is."""
    return _follow(_steps(op, walk, outer, values), outer)


def _follow(steps: tuple[ex.Expr, ex.Expr] | None, outer: Collapsed) -> bool:
    """Whether rows with such steps follow one another without gaps, or stay where they are."""
    return steps is not None and steps[0] == outer.extents[-1] * steps[1]


class SideBySideLowering(ColumnLowering):
    """Lowers one nest, several rows of its sweeps side by side."""

    def __init__(
        self, values: NestValues, outer: Collapsed, place: Place, rows: int | ex.Expr
    ) -> None:
        super().__init__(values, outer, place)
        self.together = False
        self.side_by_side = ex.Expr.of(rows)
        self.own = outer.extents[-1]
        """Columns of a row."""
        self.same: dict[Operation, SSAValue] = {}
        """Arrays of what is the same in all rows of the sweep that is being written."""

    def _columns(self) -> Columns:
        here = Place(self.place.block, [], dict(self.outer.places))
        for k, extent in enumerate(self.outer.extents[:-1]):
            here = here.loop(ex.const(0), extent, "parallel" if k == 0 else "serial")
        if not here.variables and self.own.constant is None:
            here = here.loop(ex.const(0), ex.const(1), "serial")
        last = ex.dim(len(self.outer.extents) - 1)
        atoms = [a for a, e in self.outer.places.items() if e == last]
        width = self.own * self.side_by_side
        if width.constant is not None:
            return Columns(here, ex.const(0), width, width.constant, atoms)
        return Columns(here, ex.const(0), width, LANES + VECTOR, atoms, has_room=True)

    def _segment(self, ops: list[Operation], columns: Columns) -> None:
        before = set(self.arrays)
        super()._segment(ops, replace(columns, width=self.own))
        for value in self.arrays.keys() - before:
            self._repeat(columns.place, self.arrays[value])

    def _repeat(self, here: Place, array: SSAValue) -> None:
        """Copy what the columns of the first row have to those beside it."""
        row = here.loop(ex.const(1), self.side_by_side, "serial")
        inside = row.loop(ex.const(0), self.own, "serial")
        lane = inside.variable()
        inside.write(inside.read(array, lane), array, row.variable() * self.own + lane)

    def _sweep(self, sweep: kernel.SweepOp, columns: Columns) -> None:
        super()._sweep(sweep, columns)
        here = columns.place
        for kind, result in zip(sweep.kinds, sweep.outputs, strict=True):
            if result in self.nest.kept or not result.uses:
                continue
            array, combine = self.arrays[result], REDUCTIONS[kind.data].combine
            for half in self._halves():
                count = half * self.own
                if columns.has_room:
                    # What is beyond is not used any more.
                    count = in_vectors(count)
                inside = here.loop(ex.const(0), count, "vector")
                lane = inside.variable()
                first, second = (inside.read(array, lane + k * half * self.own) for k in (0, 1))
                inside.write(inside.apply(combine, first, second), array, lane)
            if any(isinstance(use.operation.parent_op(), kernel.SweepOp) for use in result.uses):
                self._repeat(here, array)

    def _halves(self) -> list[ex.Expr]:
        """How many rows are combined with as many others, step by step; none if there are fewer."""
        most = ex.upper_bound(self.side_by_side, {})
        assert most is not None and most.constant is not None
        powers = range(1, most.constant.bit_length())
        return [ex.floordiv(self.side_by_side, 1 << k) for k in powers]

    def _enter(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Lay out what is the same in all rows."""
        same = [
            op for op in self._apart(walk) if self.nest.offsets[op].dims().isdisjoint(walk.row_dims)
        ]
        self.same = self._laid_out(same, walk, here, [*variables, ex.const(0)], columns)

    def _rows(
        self,
        walk: Walk,
        here: Place,
        outer: list[ex.Expr],
        span: tuple[ex.Expr, ex.Expr],
        rest: ex.Expr,
        columns: Columns,
        accumulators: list[Accumulator],
    ) -> None:
        start, end = span
        rest = ex.mod(end - start, self.side_by_side)
        row, first = here.steps(start, end - rest, "serial", self.side_by_side)
        self._row(walk, row, [*outer, first], columns, accumulators)
        if rest != 0:
            if self.side_by_side.constant is None:
                # A loop that runs once, or where nothing is left not at all.
                here = here.loop(ex.const(0), ex.minimum(rest, ex.const(1)), "serial")
            some = replace(columns, width=rest * self.own)
            self._row(walk, here, [*outer, end - rest], some, accumulators)

    def _begin_row(
        self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
    ) -> tuple[Place, Columns]:
        at = here.at | walk.placed(variables) | dict.fromkeys(columns.atoms, ex.const(0))
        there = Place(here.block, here.variables, at)
        for op in loads_by_buffer(walk.sweep).values():
            if _is_flat(op, walk, self.outer, self.nest) and columns.is_known:
                prefetch(there, op, self.nest.offsets[op], page(op), columns.width)
        others = [op for op in self._apart(walk) if op not in self.same]
        arrays = self.same | self._laid_out(others, walk, here, variables, columns)
        self.nest.tiles |= {op: (array, here.next()) for op, array in arrays.items()}
        return here, columns

    def _apart(self, walk: Walk) -> list[Operation]:
        """The loads of a sweep that do not go through memory row after row."""
        ops = walk.sweep.body.block.ops
        loads = [op for op in ops if isinstance(op, kernel.LoadOp)]
        return [op for op in loads if not _is_flat(op, walk, self.outer, self.nest)]

    def _laid_out(
        self,
        loads: list[Operation],
        walk: Walk,
        here: Place,
        variables: list[ex.Expr],
        columns: Columns,
    ) -> dict[Operation, SSAValue]:
        groups = variables[-1], ex.floordiv(columns.width, self.own)
        rows = [ex.Atom("dim", (k,)) for k in walk.row_dims]
        at = here.at | walk.placed(variables)
        atoms = rows, columns.atoms
        return lay_out(self.nest, loads, here, columns.most, self.own, groups, atoms, at)
