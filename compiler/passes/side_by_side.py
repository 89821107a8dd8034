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
from .column_blocks import Columns, Walk, walk_of
from .column_loops import ColumnLowering
from .folded_columns import lay_out, row_dims
from .loop_parts import has_functions
from .loop_places import VECTOR, NestValues, Place, leaves_over
from .prefetching import loads_by_buffer, page, prefetch

FEW = 32
"""Columns up to which rows go side by side where functions are computed, if they fill no vector."""
FEW_NARROW = 24
"""Columns of f16 and bf16 below which they do, and above if some are left over after vectors."""
FEW_EXTREMES = 8
"""Columns of floats below which they do for extremes, and above ``LEFT_OVER`` likewise."""
LEFT_OVER = 20
FEW_BYTES = 32
"""Bytes of a row below which they do for sums; longer ones go together as they are."""
LANES = 256
"""Columns of so many rows, at most."""
STEPS = 16
"""Times that so many rows must go down for what is combined at the end not to matter."""


def rows_beside(outer: Collapsed, values: NestValues) -> int:
    """How many rows of a nest go side by side: 1 if none can, or it would not help."""
    columns = outer.extents[-1].constant
    if columns is None or columns < 2 or not any(_gains(s, columns) for s in values.sweeps):
        return 1
    rows = LANES // columns
    for sweep in values.sweeps:
        walk = walk_of(sweep, values)
        if not walk.space.extents or any(k.data.startswith("arg") for k in sweep.kinds):
            return 1
        down = walk.space.extents[-1].constant
        rows = rows if down is None else min(rows, down // STEPS)
        for op in sweep.body.block.ops:
            if op not in values.offsets or _is_flat(op, walk, outer, values):
                continue
            steps = _steps(op, walk, outer, values)
            if steps is None or 0 not in steps or isinstance(op, kernel.StoreOp):
                return 1
    return 1 << max(rows.bit_length() - 1, 0)


def _gains(sweep: kernel.SweepOp, columns: int) -> bool:
    """Whether a sweep down so few columns is faster with rows side by side."""
    ops = list(sweep.body.block.ops)
    pairs = zip(sweep.yielded, sweep.kinds, strict=True)
    reduced = {kind.data: scalar_type(value) for value, kind in pairs if kind.data != kernel.KEEP}
    if columns > FEW or not any(type.is_float for type in reduced.values()):
        return False
    narrow = any(isinstance(op, kernel.LoadOp) and scalar_type(op.result) in NARROW for op in ops)
    if has_functions(ops):
        return narrow or columns < VECTOR or leaves_over(columns)
    if narrow:
        return columns < FEW_NARROW or leaves_over(columns)
    if not reduced.keys().isdisjoint(("max", "min")):
        return columns < FEW_EXTREMES or (columns > LEFT_OVER and leaves_over(columns))
    widest = max(type.bytes for type in reduced.values())
    return columns < FEW_EXTREMES and columns * widest <= FEW_BYTES


def _steps(
    op: Operation, walk: Walk, outer: Collapsed, values: NestValues
) -> tuple[ex.Expr, ex.Expr] | None:
    """By how much an access moves on from row to row, and from column to column."""
    offset = values.offsets[op]
    rows = [offset.coefficient(dim) for dim in row_dims(walk)]
    column = offset.substitute(outer.places, {}).coefficient(len(outer.extents) - 1)
    if isinstance(op, body.IndexOp) or None in rows or column is None:
        return None
    return next((step for step in rows if step and step != 0), ex.const(0)), column


def _is_flat(op: Operation, walk: Walk, outer: Collapsed, values: NestValues) -> bool:
    """Whether rows of an access follow one another without gaps, or it stays where it is."""
    steps = _steps(op, walk, outer, values)
    return steps is not None and steps[0] == outer.extents[-1] * steps[1]


class SideBySideLowering(ColumnLowering):
    """Lowers one nest, several rows of its sweeps side by side."""

    def __init__(self, values: NestValues, outer: Collapsed, place: Place, rows: int) -> None:
        super().__init__(values, outer, place)
        self.together = False
        self.side_by_side = rows
        self.own = outer.extents[-1].constant or 1
        """Columns of a row."""
        self.same: dict[Operation, SSAValue] = {}
        """Arrays of what is the same in all rows of the sweep that is being written."""

    def _columns(self) -> Columns:
        here = Place(self.place.block, [], dict(self.outer.places))
        for k, extent in enumerate(self.outer.extents[:-1]):
            here = here.loop(ex.const(0), extent, "parallel" if k == 0 else "serial")
        last = ex.dim(len(self.outer.extents) - 1)
        atoms = [a for a, e in self.outer.places.items() if e == last]
        width = self.own * self.side_by_side
        return Columns(here, ex.const(0), ex.const(width), width, atoms)

    def _segment(self, ops: list[Operation], columns: Columns) -> None:
        before = set(self.arrays)
        super()._segment(ops, replace(columns, width=ex.const(self.own)))
        for value in self.arrays.keys() - before:
            self._repeat(columns.place, self.arrays[value])

    def _repeat(self, here: Place, array: SSAValue) -> None:
        """Copy what the columns of the first row have to those beside it."""
        row = here.loop(ex.const(1), ex.const(self.side_by_side), "serial")
        inside = row.loop(ex.const(0), ex.const(self.own), "serial")
        lane = inside.variable()
        inside.write(inside.read(array, lane), array, row.variable() * self.own + lane)

    def _sweep(self, sweep: kernel.SweepOp, columns: Columns) -> None:
        super()._sweep(sweep, columns)
        here = columns.place
        for kind, result in zip(sweep.kinds, sweep.outputs, strict=True):
            if result in self.nest.kept or not result.uses:
                continue
            array, half = self.arrays[result], self.side_by_side // 2
            while half:
                inside = here.loop(ex.const(0), ex.const(half * self.own), "vector")
                lane = inside.variable()
                first, second = (inside.read(array, lane + k * half * self.own) for k in (0, 1))
                inside.write(
                    inside.apply(REDUCTIONS[kind.data].combine, first, second), array, lane
                )
                half //= 2
            if any(isinstance(use.operation.parent_op(), kernel.SweepOp) for use in result.uses):
                self._repeat(here, array)

    def _enter(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Lay out what is the same in all rows."""
        same = [
            op
            for op in self._apart(walk)
            if self.nest.offsets[op].dims().isdisjoint(row_dims(walk))
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
        rest = ex.mod(end - start, ex.const(self.side_by_side))
        row = here.loop(start, end - rest, "serial", self.side_by_side)
        self._row(walk, row, [*outer, row.variable()], columns, accumulators)
        if rest != 0:
            some = replace(columns, width=rest * self.own)
            self._row(walk, here, [*outer, end - rest], some, accumulators)

    def _begin_row(
        self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
    ) -> None:
        at = here.at | walk.placed(variables) | dict.fromkeys(columns.atoms, ex.const(0))
        there = Place(here.block, here.variables, at)
        for op in loads_by_buffer(walk.sweep).values():
            if _is_flat(op, walk, self.outer, self.nest) and columns.is_known:
                prefetch(there, op, self.nest.offsets[op], page(op), columns.width)
        others = [op for op in self._apart(walk) if op not in self.same]
        arrays = self.same | self._laid_out(others, walk, here, variables, columns)
        self.nest.tiles |= {op: (array, here.next()) for op, array in arrays.items()}

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
        rows = [ex.Atom("dim", (k,)) for k in row_dims(walk)]
        at = here.at | walk.placed(variables)
        atoms = rows, columns.atoms
        return lay_out(self.nest, loads, here, columns.most, self.own, groups, atoms, at)
