"""Lower a contraction with rotating accumulators (see ``schedule.rotating``).

Sums are in registers from one iteration to the next, the newest first::

    for t = 0 to 2 { ... }
    for t = 2 to rows + 2 {
      for s { for r unroll { sums[r] += w[r, s] * x[t, s] } }
      y[t - 2] = sums[2]
      sums[2] = sums[1]; sums[1] = sums[0]; sums[0] = 0
    }

Results before the first one and behind the last one are computed from a part of the window, and
never written.  Rows of the window that are only padding are left out, if the filter is finite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.schedule import Axis
from opc.dialects.walking import walk
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.rotating import Products, Rotation, rotation_of
from opc.schedule.shared_blocks import shared_blocks

from .contraction import ContractionLowering
from .insertion import ZERO, Insertion
from .packing import Packing, Ranges
from .padding import Padding
from .shared_blocks import SharedBlocksLowering


@dataclass(frozen=True)
class SeenRows:
    """The iterations that have products of one row of the window."""

    products: Products
    begin: ex.Expr
    end: ex.Expr

    def when(self, now: ex.Expr, lower: ex.Expr, upper: ex.Expr) -> ex.Expr:
        """The condition in an iteration of a loop; 0 or 1 where all iterations agree."""
        if self.end == lower:
            return ZERO
        condition = ex.const(1)
        if not ex.is_nonnegative(lower - self.begin):
            condition = condition * ex.atleast(now, self.begin)
        if not ex.is_nonnegative(self.end - upper):
            condition = condition * ex.atleast(self.end - 1, now)
        return condition


class RotatingLowering(ContractionLowering):
    """Writes the loops of one nest with rotating accumulators."""

    def __init__(
        self, c: Contraction, tree: schedule.TreeOp, laid_out: Mapping[str, Packing | Padding]
    ) -> None:
        super().__init__(c, tree, laid_out)
        rotation = rotation_of(c)
        assert rotation is not None and c.row is not None
        self.rotation: Rotation = rotation
        self.row: Axis = c.row
        self.products: Products
        self.sum: ex.Expr = ZERO
        """The index of a sum of a column."""
        self.filter: ex.Expr = ZERO
        """The row of the filter."""

    @property
    def _columns(self) -> int:
        return self.tile.block(self.c.column)

    def _for(self, op: schedule.ForOp, here: Insertion, ranges: Ranges) -> None:
        if op.kind.data == schedule.ROTATING:
            self._rows(op, here, ranges)
        elif op.axis == self.c.reduced[0]:
            self._filters(op, here, ranges)
        elif op.axis in self.c.reduced:
            # Without padding, the extent of the filter depends on the point.
            is_unrolled = op.kind.data == "unroll" and op.axis not in self.inside
            begin, end = self._extent(op.axis, here, ranges)
            kind = "unroll" if is_unrolled else "rolled"
            inside = here.loop(begin, end, kind, along=op.axis)
            if op.axis == self.c.reduced[-1]:
                self._see(inside)
            self._ops(op.body.block.ops, inside, ranges)
        else:
            super()._for(op, here, ranges)

    def _stage(self, stage: str, here: Insertion, ranges: Ranges) -> None:
        # A sum begins in _move_on.
        if stage != "init":
            super()._stage(stage, here, ranges)

    def _rows(self, op: schedule.ForOp, here: Insertion, ranges: Ranges) -> None:
        """Iterations before the first result, those with all products and a result, and the others.

        So the loop in the middle has no conditions, and compilers may unroll it.
        """
        begin, end, _ = ranges.of.get(self.row, (*self._extent(self.row, here, ranges), 0))
        self._at_row(ranges, begin)
        sums, ops = self.rotation.sums, list(op.body.block.ops)
        self.registers = here.local(self.c.type, sums * self._columns, self.lanes)
        clear = here.loop(0, sums, "unroll")
        self._clear_sum(clear, clear.variable())
        seen = [self._seen_rows(products, begin, end) for products in self.rotation.products]
        done = begin + (sums - 1)
        first = ex.minimum(reduce(ex.minimum, (rows.begin for rows in seen)), done)
        last = ex.maximum(reduce(ex.minimum, (rows.end for rows in seen)), done)
        parts = [(first, done), (done, last), (last, end + (sums - 1))]
        behind = next(k for k, o in enumerate(ops) if k and isinstance(o, schedule.RunOp))
        for part, (lower, upper) in enumerate(parts):
            if lower == upper:
                continue
            inside = here.loop(lower, upper, "serial")
            now = inside.variable()
            for rows in seen:
                is_seen = rows.when(now, lower, upper)
                if is_seen != 0:
                    there = inside if is_seen == 1 else inside.when(is_seen)
                    self._multiply(rows.products, ops[:behind], there, ranges, now)
            if part:
                inside.at[self.row[-1]] = now - (sums - 1)
                self.sum = ZERO
                self._begin(inside, self._at_row(ranges, now - (sums - 1)))
                self._ops(ops[behind:], inside, self.tile)
            self._move_on(inside)

    def _at_row(self, ranges: Ranges, row: ex.Expr) -> Ranges:
        """The part of each axis for one row, which is a tile."""
        self.tile = Ranges({**ranges.of, self.row: (row, row + 1, 1)})
        return self.tile

    def _seen_rows(self, products: Products, begin: ex.Expr, end: ex.Expr) -> SeenRows:
        """The iterations in which a row of the window exists and a sum up to the last one reads it.

        Rows of padding are left out if products with them may be.
        """
        rotation, until = self.rotation, end + products.oldest
        if self.c.reduced[0] not in self.inside:
            return SeenRows(products, begin, until)
        before = -rotation.window.origin[rotation.axis] - products.row
        behind = (
            ex.floordiv(rotation.window.source[rotation.axis] + before - 1, rotation.stride) + 1
        )
        first = ex.floordiv(ex.maximum(before, 0) + (rotation.stride - 1), rotation.stride)
        return SeenRows(products, ex.maximum(begin, first), ex.minimum(until, behind))

    def _multiply(
        self,
        products: Products,
        ops: Iterable[Operation],
        here: Insertion,
        ranges: Ranges,
        now: ex.Expr,
    ) -> None:
        """Add the products of one row of the window to all sums that read it."""
        self.products, row = products, now - products.newest
        here.at |= {self.row[-1]: row, self.c.reduced[0][-1]: ex.const(products.first)}
        self._ops(ops, here, self._at_row(ranges, row))

    def _filters(self, op: schedule.ForOp, here: Insertion, ranges: Ranges) -> None:
        """Loop over the rows of the filter that one row of the window is multiplied with."""
        inside = here.loop(0, self.products.count, "unroll")
        number = inside.variable()
        self.filter = number * self.products.apart + self.products.first
        self.sum = number * self.products.older + self.products.newest
        self._ops(op.body.block.ops, inside, ranges)

    def _factor(self, operand: Operand, here: Insertion, number: int) -> SSAValue:
        # A row of the window is the same for all rows of the filter.
        if operand is self.c.left:
            here = Insertion(here.block, here.variables, dict(here.at))
            here.at[self.c.reduced[0][-1]] = self.filter
        return super()._factor(operand, here, number)

    def _base(self, axis: Axis | None, ranges: Ranges | None = None) -> ex.Expr:
        if axis == self.row:
            return (ranges or self.tile).begin(axis)
        return super()._base(axis, ranges)

    def _at(self, here: Insertion) -> ex.Expr:
        return self.sum * self._columns + super()._at(here)

    def _finish(self, here: Insertion) -> None:
        inside = here.loop(0, self._columns, "vector")
        at, oldest = inside.variable(), (self.rotation.sums - 1) * self._columns
        value = inside.read(self.registers, at + oldest)
        inside.write(inside.apply("add", inside.constant(0, self.c.type), value), self.totals, at)

    def _clear_sum(self, here: Insertion, number: ex.Expr) -> None:
        inside = here.loop(0, self._columns, "vector")
        at = number * self._columns + inside.variable()
        inside.write(inside.constant(0, self.c.type), self.registers, at)

    def _move_on(self, here: Insertion) -> None:
        """Move each sum on by one register, and begin the newest one."""
        if self.rotation.sums > 1:
            at = here.loop(0, self.rotation.sums - 1, "unroll")
            older = (ex.const(self.rotation.sums - 1) - at.variable()) * self._columns
            inside = at.loop(0, self._columns, "vector")
            value = inside.read(self.registers, older - self._columns + inside.variable())
            inside.write(value, self.registers, older + inside.variable())
        self._clear_sum(here, ZERO)


def lowering(tree: schedule.TreeOp) -> type[ContractionLowering]:
    """The class that writes the loops of a schedule."""
    if shared_blocks(tree) is not None:
        return SharedBlocksLowering
    kinds = {op.kind.data for op in walk(tree) if isinstance(op, schedule.ForOp)}
    return RotatingLowering if schedule.ROTATING in kinds else ContractionLowering
