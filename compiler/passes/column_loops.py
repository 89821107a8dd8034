"""Loops of a nest whose memory runs along a kept dimension, as in a sum over the first axis.

Going down one column after the other would touch a new cache line with each step.  Instead, a
block of columns goes down together, one row at a time: every scalar of the nest becomes an array
with a lane for each column::

    for jb = 0 to 1024 step 1024          # a block of columns
      for l: acc[l] = 0
      for i = 0 to 4096                   # down the rows, perhaps several at a time
        for l: acc[l] = acc[l] + x[i*1024 + jb + l]
      for l: y[jb + l] = acc[l]

Each column is reduced in order, or as ``several_rows`` says; a float sum over more than ``UNCUT``
rows in blocks of ``CHAIN``, added by a cascade as in ``reduction_loops``.  The width of a block
shows in no result.  Where there are few blocks, the rows go in parts, see ``column_parts``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.shape import Shape

from .accumulators import MOST_LEVELS, Accumulator
from .collapse import Collapsed
from .column_blocks import (
    BLOCK_BYTES,
    VECTOR,
    Cascade,
    Columns,
    Walk,
    are_short,
    walk_of,
)
from .column_parts import PARTS, in_parts, parts_in
from .extremes import Extremes
from .loop_parts import has_functions
from .loop_places import NestValues, Place
from .next_rows import PIECE, goes_in_pieces, next_rows, read_ahead
from .positions import search
from .several_rows import STEPS, few_together, go_together, rows_of, together
from .split_loops import FEW

CHAIN = 16
"""Rows of a block of a float sum, which keeps within the bound that ``reduction_loops`` states."""
UNCUT = 24
"""Rows whose sum keeps within it as it is."""
STACK_BYTES = 1 << 19
"""Most memory that the local arrays of a nest take together."""


class ColumnLowering:
    """Lowers one nest in blocks of columns."""

    def __init__(self, values: NestValues, outer: Collapsed, place: Place) -> None:
        self.nest = values
        self.outer = outer
        self.place = place
        self.rank = len(values.nest.extents.data)
        self.arrays: dict[SSAValue, SSAValue] = {}
        self.split = self._is_split()
        self.together = True
        """Whether several rows may go together: their accesses are what the nest says."""
        self.apart: frozenset[Operation] = frozenset()
        """Accesses whose columns do not lie behind one another."""
        self.side_by_side = ex.const(1)
        """Rows that go side by side, as if they were one with so many times the columns."""

    def _is_split(self) -> bool:
        """Whether threads share the rows, since there are too few blocks of columns for them."""
        columns = self.outer.extents[-1].constant
        few = columns is None or columns <= FEW * BLOCK_BYTES // 4
        alone = len(self.outer.extents) == 1
        return few and alone and any(parts_in(self, s) != 1 for s in self.nest.sweeps)

    def run(self) -> None:
        """Write the loops."""
        columns = self._columns()
        ops = list(self.nest.nest.body.block.ops)
        segment: list[Operation] = []
        for op in ops:
            if isinstance(op, kernel.SweepOp):
                self._segment(segment, columns)
                segment = []
                self._sweep(op, columns)
            else:
                segment.append(op)
        self._segment(segment, columns)

    def _columns(self) -> Columns:
        """The loops around, down to one block of columns."""
        here = Place(self.place.block, [], dict(self.outer.places))
        for k, extent in enumerate(self.outer.extents[:-1]):
            here = here.loop(ex.const(0), extent, "parallel" if k == 0 else "serial")
        total = self.outer.extents[-1]
        widest = (
            max(scalar_type(v).bytes for s in self.nest.sweeps for v in s.yielded or ())
            if any(s.yielded for s in self.nest.sweeps)
            else 4
        )
        most = self._most(widest)
        if total.constant is not None:
            most = max(1, min(self._even(most, total.constant), total.constant))
        kind = "parallel" if len(self.outer.extents) == 1 and not self.split else "serial"
        block = here.loop(ex.const(0), total, kind, most)
        start = block.variable()
        whole = total.constant is not None and total.constant % most == 0
        width = ex.const(most) if whole else ex.minimum(ex.const(most), total - start)
        last = ex.dim(len(self.outer.extents) - 1)
        atoms = [a for a, e in self.outer.places.items() if e == last]
        return Columns(block, start, width, most, atoms)

    def _even(self, most: int, total: int) -> int:
        """A size of blocks that leaves no small one at the end."""
        blocks = max(1, -(-total // most))
        return -(-total // (blocks * VECTOR)) * VECTOR

    def _most(self, widest: int) -> int:
        """Columns of a block, if the widest value has so many bytes."""
        return max(16, min(BLOCK_BYTES // widest, STACK_BYTES // self._bytes_per_column()))

    def _bytes_per_column(self) -> int:
        """About what local arrays take for each column: states, parts, and levels of cascades."""
        total = 1
        for sweep in self.nest.sweeps:
            rows = ex.product(sweep.extents.data).constant
            levels = MOST_LEVELS if rows is None else rows.bit_length()
            total += sum((levels + PARTS + 2) * scalar_type(v).bytes for v in sweep.yielded)
        return total

    def points_of(self, extents: Shape) -> int | None:
        """How many points there are at most, if that is known."""
        most = self.nest.most
        found = [e if e.constant is not None or most is None else ex.const(most) for e in extents]
        return ex.product(found).constant

    def _segment(self, ops: list[Operation], columns: Columns) -> None:
        """What is computed for each column between two sweeps."""
        if all(isinstance(op, body.ConstantOp) for op in ops):
            return
        here = columns.place
        wanted = [op.results[0] for op in ops if op.results and self._is_needed_later(op, ops)]
        for value in wanted:
            if not isinstance(value.owner, body.ConstantOp):
                array = here.add(loop.LocalOp.of(scalar_type(value), columns.most))
                self.arrays[value] = array
        inside, lane = columns.lanes(here)
        self.write(ops, inside, lane)
        for value in wanted:
            if value in self.arrays:
                inside.write(self.nest.values[value], self.arrays[value], lane)

    def _is_needed_later(self, op: Operation, segment: list[Operation]) -> bool:
        return any(use.operation not in segment for use in op.results[0].uses)

    def write(self, ops: Sequence[Operation], inside: Place, lane: ex.Expr) -> None:
        """Write operations in a loop over lanes; what comes from elsewhere is read from arrays."""
        here = set(ops)
        for op in ops:
            for operand in op.operands:
                owner = operand.owner
                if operand in self.arrays and owner not in here:
                    self.nest.values[operand] = self._read(operand, inside, lane)
                elif isinstance(owner, body.ConstantOp) and owner not in here:
                    self.nest.values[operand] = inside.add(owner.clone())
            self.nest.scalar(op, inside)

    def _read(self, operand: SSAValue, inside: Place, lane: ex.Expr) -> SSAValue:
        """A value from its array, where positions may be narrow."""
        found = inside.read(self.arrays[operand], lane)
        if operand.type == el.I64.type and scalar_type(found) is not el.I64:
            return inside.add(body.ApplyOp.of("cast", [found], el.I64))
        return found

    def _sweep(self, sweep: kernel.SweepOp, columns: Columns) -> None:
        walk = walk_of(sweep, self.nest)
        if self.split and walk.space.extents and parts_in(self, sweep) != 1:
            in_parts(self, walk, columns)
            return
        for a in self.reduce(columns.place, walk, columns, None):
            self.arrays[a.result] = a.state if a.position is None else a.position

    def reduce(
        self, here: Place, walk: Walk, columns: Columns, span: tuple[ex.Expr, ex.Expr] | None
    ) -> list[Accumulator]:
        """All rows of a sweep, or those of a span of the outermost dimension."""
        sweep, space = walk.sweep, walk.space
        extremes: dict[SSAValue, Extremes] = {}
        accumulators = [
            self._declare(here, columns, value, kind.data, result, extremes, self.index_type(walk))
            for value, kind, result in zip(sweep.yielded, sweep.kinds, sweep.outputs, strict=True)
            if result not in self.nest.kept
        ]
        count = self.points_of(space.extents)
        if count is not None and self.side_by_side.constant is not None:
            count = -(-count // self.side_by_side.constant)
        long = count is None or count > UNCUT
        may = self.together and go_together(walk, columns, accumulators)
        several = long and may
        at_once = rows_of(self.outer.extents[-1]) if several else 1
        chain, uncut = (STEPS * at_once, STEPS * at_once) if several else (CHAIN, UNCUT)
        cascading = [a for a in accumulators if a.cascades and (count is None or count > uncut)]
        chain = chain * self.side_by_side
        *others, inner = space.extents or (ex.const(1),)
        blocks = ex.product([*others, ex.floordiv(inner + chain - 1, chain)])
        cascade = Cascade(here, columns, cascading, blocks.constant) if cascading else None
        rows, outside, variables = here, here, list[ex.Expr]()
        for k, extent in enumerate(space.extents):
            lower, upper = span if span and k == 0 else (ex.const(0), extent)
            innermost = k == len(space.extents) - 1
            if innermost:
                outside = rows
                self._enter(walk, outside, variables, columns)
            if not innermost:
                rows = rows.loop(lower, upper, "serial")
                variables.append(rows.variable())
                continue
            number = extent.constant if not (long or variables or span) else None
            if may and number is not None and not are_short(self.outer.extents[-1]):
                few_together(self, walk, rows, number, columns, accumulators)
                continue
            part, total = (lower, upper), upper - lower
            if cascade is not None:
                rows, start = rows.steps(lower, upper, "serial", chain)
                cascade.next(rows)
                even = ex.mod(total, chain).constant == 0
                part = start, start + chain if even else ex.minimum(start + chain, upper)
            rest = part[1] - part[0]
            if several:
                whole = ex.mod(total, ex.const(at_once)).constant == 0
                rest = ex.const(0) if whole else ex.mod(rest, ex.const(at_once))
            self._rows(walk, rows, variables, part, rest, columns, accumulators)
        if not space.extents:
            self._enter(walk, here, variables, columns)
            self._row(walk, rows, variables, columns, accumulators)
        if cascade is not None:
            cascade.finish(here)
        self._leave(walk, outside, variables, columns)
        self._finish(here, columns, accumulators)
        return accumulators

    def index_type(self, walk: Walk) -> el.ElementType:
        """The type of positions: as wide as the values, for vectors of both, if that will do."""
        rows, narrow = self.points_of(walk.space.extents), el.BY_NAME["i32"]
        small = all(scalar_type(value).bytes <= 4 for value in walk.sweep.yielded)
        return narrow if rows is not None and rows < 1 << 31 and small else el.I64

    def _finish(self, here: Place, columns: Columns, accumulators: list[Accumulator]) -> None:
        """Make states of what stood for them."""
        others = [a for a in accumulators if a.extremes or a.unsigned]
        if not others:
            return
        inside, lane = columns.lanes(here, full=columns.has_room)
        for a in others:
            if a.extremes:
                inside.write(a.extremes.finish(inside, a.row.name, lane), a.state, lane)
            elif a.unsigned:
                total = inside.read(a.unsigned, lane)
                total = inside.add(body.ApplyOp.of("cast", [total], a.type))
                inside.write(total, a.state, lane)

    def _declare(
        self,
        here: Place,
        columns: Columns,
        value: SSAValue,
        kind: str,
        result: SSAValue,
        extremes: dict[SSAValue, Extremes],
        index: el.ElementType,
    ) -> Accumulator:
        a = Accumulator.of(here, kind, value, result, columns.most, index)
        owner = value.owner
        is_inside = isinstance(owner, Operation) and isinstance(owner.parent_op(), kernel.SweepOp)
        if kind in ("max", "min") and a.type.is_float and is_inside:
            if value not in extremes:
                some = None if columns.is_known else partial(columns.lanes, full=True)
                extremes[value] = Extremes.of(here, value, columns.most, some, apart=True)
            a.extremes = extremes[value]
            return a
        state, type = a.state, a.type
        if a.type.kind == "signed" and kind in ("sum", "prod"):
            # Signed ones of a few columns gcc 12 takes for lanes of its own, with a wrong end.
            type = el.BY_NAME[f"u{a.type}"]
            state = a.unsigned = here.add(loop.LocalOp.of(type, columns.most))
        inside, lane = columns.lanes(here, full=True)
        inside.write(inside.constant(a.row.identity(a.type), type), state, lane)
        if a.position is not None:
            inside.write(inside.constant(0, index), a.position, lane)
        return a

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
        """Some rows of the innermost dimension: several at a time but for ``rest``."""
        start, end = span
        if rest != end - start:
            together(self, walk, here, outer, (start, end - rest), columns, accumulators)
            start = end - rest
        if start != end:
            row = here.loop(start, end, "serial")
            self._row(walk, row, [*outer, row.variable()], columns, accumulators)

    def _row(
        self,
        walk: Walk,
        here: Place,
        variables: list[ex.Expr],
        columns: Columns,
        accumulators: list[Accumulator],
    ) -> None:
        """One step down, for all columns of the block."""
        sweep = walk.sweep
        here, part = self._begin_row(walk, here, variables, columns)
        taken = {id(a.extremes): a.extremes for a in accumulators if a.extremes}.values()
        # What an unknown number of columns leaves over goes in full vectors, but of floats alone.
        cut = has_functions(sweep.body.block.ops) and not columns.is_known
        separate = [e for e in taken if e.is_apart or cut]
        apart = [(e, here.add(loop.LocalOp.of(e.type, columns.most))) for e in separate]
        inside, lane = part.lanes(here)
        inside.at |= walk.placed(variables)
        self.write(list(sweep.body.block.ops)[:-1], inside, lane)
        for value, result in zip(sweep.yielded, sweep.outputs, strict=True):
            if result in self.nest.kept:
                self._keep(inside, lane, self._yielded(value, inside, lane), result)
        for extremes in taken:
            if extremes not in separate:
                extremes.take(inside, self.nest.values[extremes.taken], lane=lane)
        for extremes, array in apart:
            inside.write(self.nest.values[extremes.taken], array, lane)
        for a in accumulators:
            if a.extremes:
                continue
            value = self.value_of(a, inside, lane)
            if a.position is not None:
                search(inside, a, value, walk.own, lane)
                continue
            state = a.unsigned or a.state
            old = inside.read(state, lane)
            inside.write(inside.apply(a.row.combine, old, value), state, lane)
        for extremes, array in apart:
            inside, lane = part.lanes(here)
            extremes.take(inside, inside.read(array, lane), lane=lane)
        self._end_row(walk, here, variables, columns)

    def _yielded(self, value: SSAValue, inside: Place, lane: ex.Expr) -> SSAValue:
        """A value that a sweep yields, in the sweep or before it."""
        if value in self.arrays:
            return self._read(value, inside, lane)
        if isinstance(value.owner, body.ConstantOp):
            return inside.add(value.owner.clone())
        return self.nest.values[value]

    def value_of(self, a: Accumulator, inside: Place, lane: ex.Expr) -> SSAValue:
        """What a row adds to a reduction."""
        value = self._yielded(a.yielded, inside, lane)
        if a.unsigned:
            value = inside.add(body.ApplyOp.of("cast", [value], el.BY_NAME[f"u{a.type}"]))
        return value

    def _keep(self, inside: Place, lane: ex.Expr, value: SSAValue, result: SSAValue) -> None:
        """Store a value where it is kept."""
        buffer, offset = self.nest.kept[result]
        index, dims = inside.resolve(offset)
        inside.block.add_op(loop.StoreOp.of(value, buffer, index, dims))

    def _enter(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Write what comes before the innermost dimension of a sweep."""

    def _leave(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Write what comes after the innermost dimension of a sweep."""

    def _end_row(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Write what comes after a row."""

    def _begin_row(
        self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
    ) -> tuple[Place, Columns]:
        """Write what comes before a row: where to go on, and with which columns."""
        ahead = next_rows(self, walk, here, variables, columns)
        if goes_in_pieces(self, walk, columns, len(ahead)):
            here, columns = columns.pieces(here, PIECE)
        read_ahead(self, walk, here, variables, columns)
        return here, columns
