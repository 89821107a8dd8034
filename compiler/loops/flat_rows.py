"""Coalesce several rows of a nest that reduces nothing into one loop over all of their points.

A value of each row, or of each index in a row, is first copied to an array for every point; values
that all blocks of rows share, before all blocks::

    for r < 48: for k < 7: u[r*7 + k] = z[k]
    for b = 0 to M step 48
      for r < 48: for k < 7: t[r*7 + k] = y[b + r]
      for p < 48*7: out[b*7 + p] = exp(x[b*7 + p] * t[p] - u[p])

In vectors of 16 values, ``for q = 0 to 7 step 16: for k < 16: t[r*7 + q + k] = y[b + r]``, the next
row overwrites what goes beyond a row.  A row is the innermost axis, or several axes that are short
together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp
from opc.schedule.nest import Access
from opc.schedule.nest_trees import points_of
from opc.schedule.plan_coalesced import Rows

from .insertion import ZERO, Insertion, NestValues

Key: TypeAlias = tuple[SSAValue, ex.Expr, tuple[ex.Expr | None, ...]]


class FlatLowering:
    """Lowers the coalesced axes of a nest, of which the first one may go in blocks."""

    def __init__(
        self,
        values: NestValues,
        rows: Rows,
        here: Insertion,
        variables: Mapping[int, ex.Expr],
        lanes: int,
    ) -> None:
        self.values, self.rows, self.here, self.variables = values, rows, here, variables
        self.lanes = lanes
        self.laid_out = [op for op in values.loads if rows.is_table(op)]
        self.tables: dict[Key, SSAValue] = {}
        self.points = 0
        """The most points of a block of rows."""

    def run(self, loop_of_rows: ForOp | None) -> None:
        """Write the loop over blocks of rows, if there is one, and the flat one."""
        block, rows, total = self.here, self.rows, self.rows.count
        first, count, at_once = ZERO, total, total if loop_of_rows is None else loop_of_rows.size
        known, width = at_once.constant, rows.width.constant
        self.points = points_of(at_once, rows.width) or 0 if known is None else known * (width or 0)
        if loop_of_rows is not None and at_once != total:
            for op in self.laid_out if known is not None else ():
                if rows.repeats(op):
                    self._lay_out(op, block, ZERO, at_once)
            block, first = block.steps(ZERO, total, loop_of_rows.kind.data, at_once)
            is_whole = known and total.constant is not None and total.constant % known == 0
            count = at_once if is_whole else ex.minimum(at_once, total - first)
        for op in self.laid_out:
            self._lay_out(op, block, first, count)
        inside = block.loop(0, count * rows.width, "vector")
        for op in self.values.accesses:
            self.values.tiles[op] = self._element_of(op, first, inside.variable())
        for op in self.values.ops:
            self.values.scalar(op, inside)

    def _key(self, op: kernel.LoadOp) -> Key:
        """A key that loads of the same elements share."""
        return op.source, self._offset(op, ZERO), tuple(self.rows.steps(op))

    def _element_of(self, op: Access, first: ex.Expr, point: ex.Expr) -> tuple[SSAValue, ex.Expr]:
        """The buffer or array of an access, and the index of a point in it."""
        if isinstance(op, kernel.StoreOp):
            return self.values.nest.targets[op.number], self._offset(op, first) + point
        if (table := self.tables.get(self._key(op))) is not None:
            return table, point
        is_flat = self.rows.is_flat(op)
        return op.source, self._offset(op, first) + (point if is_flat else 0)

    def _offset(self, op: Access, row: ex.Expr) -> ex.Expr:
        """The offset of an access at the start of a row."""
        rows = self.rows
        at = {k: ZERO for k in range(rows.first, len(rows.outer.extents))}
        at |= {k: e for k, e in self.variables.items() if k < rows.first - 1}
        at[rows.first - 1] = row
        return self.values.offsets[op].substitute(rows.outer.places).substitute(at)

    def _lay_out(self, op: kernel.LoadOp, here: Insertion, first: ex.Expr, count: ex.Expr) -> None:
        """Copy what a load reads to an array, for every point of ``count`` rows."""
        if (key := self._key(op)) in self.tables:
            return
        type, lanes = scalar_type(op.result), self.lanes
        rows, (_, *steps) = self.rows, self.rows.steps(op)
        beyond = 0 if lanes == 1 else lanes
        table = self.tables[key] = here.add(loop.LocalOp.of(type, self.points + beyond))
        is_one = all(step == 0 for step in steps)
        copied = None if lanes == 1 or is_one else self._copied(op, here, first)
        row = here.loop(0, count, "serial")
        start, offset = row.variable() * rows.width, self._offset(op, first + row.variable())
        if lanes == 1:
            inside, point, at = row, ZERO, offset
            for step, extent in zip(steps, rows.outer.extents[rows.first :], strict=True):
                assert step is not None
                last = extent is rows.outer.extents[-1]
                inside = inside.loop(0, extent, "vector" if last else "serial")
                point = point * extent + inside.variable()
                at = at + inside.variable() * step
            inside.write(inside.read(op.source, at), table, start + point)
            return
        value = row.read(op.source, offset) if copied is None else None
        vector = row.loop(0, rows.width, "serial", lanes)
        lane = vector.loop(0, lanes, "serial")
        at = vector.variable() + lane.variable()
        if copied is not None:
            value = lane.read(copied, at)
        assert value is not None
        lane.write(value, table, start + at)

    def _copied(self, op: kernel.LoadOp, here: Insertion, first: ex.Expr) -> SSAValue:
        """The values along a row, and zeros after them up to a full vector."""
        type, size = scalar_type(op.result), -(-self.rows.most // self.lanes) * self.lanes
        array = here.add(loop.LocalOp.of(type, size))
        lane = here.loop(0, size, "vector")
        lane.write(lane.constant(0, type), array, lane.variable())
        lane = here.loop(0, self.rows.width, "vector")
        at = self._offset(op, first) + lane.variable()
        lane.write(lane.read(op.source, at), array, lane.variable())
        return array
