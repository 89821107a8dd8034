"""Nests that reduce nothing, whose rows are of unknown extent and may be too short for vectors.

As many rows as make some 1000 points go as one loop over all of their points.  What each row has
one of, or each place in a row, is first laid out in an array, for every point::

    for b = 0 to blocks of floordiv(1024, M) rows
      for r: for q = 0 to M step 16: for k < 16: t[r*M + q + k] = y[row r of block b]
      for p: out[... + p] = x[... + p] * t[p]

Values are laid out a vector at a time; what goes beyond a row, the next row overwrites.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type

from .collapse import Collapsed
from .loop_places import VECTOR, NestValues, Place

POINTS = 1024
"""Points that go together, about."""
SHORT = 16
"""Values of a row up to which that pays for simple operations."""
SHORT_OF_FUNCTIONS = 256
"""The same for functions, which suffer where they are computed one by one."""

Access = kernel.LoadOp | kernel.StoreOp


def longest_flat_row(outer: Collapsed, values: NestValues) -> int:
    """Values of the longest row of unknown extent that had better go flat; 0 if none can."""
    if len(outer.extents) < 2 or values.sweeps or outer.extents[-1].constant is not None:
        return 0
    ops = list(values.nest.body.block.ops)
    if any(isinstance(op, body.IndexOp) for op in ops):
        return 0
    for op in ops:
        if isinstance(op, Access):
            steps = _steps(op, outer, values)
            if None in steps or not (_is_flat(steps, outer) or _can_be_laid_out(op, steps)):
                return 0
    long = any(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
    return SHORT_OF_FUNCTIONS if long else SHORT


Steps = tuple[ex.Expr | None, ex.Expr | None]


def _steps(op: Access, outer: Collapsed, values: NestValues) -> Steps:
    """By how much an access moves on from row to row, and from value to value."""
    offset, last = values.offsets[op].substitute(outer.places, {}), len(outer.extents) - 1
    return offset.coefficient(last - 1), offset.coefficient(last)


def _is_flat(steps: Steps, outer: Collapsed) -> bool:
    return steps == (outer.extents[-1], 1)


def _can_be_laid_out(op: Access, steps: Steps) -> bool:
    """Whether it reads one value of each row, or the same row again and again."""
    if not isinstance(op, kernel.LoadOp):
        return False
    # Behind a row that repeats itself are zeros, which small floats have no constant for.
    return steps[1] == 0 or (steps == (0, 1) and scalar_type(op.result).small != "float")


class FlatLowering:
    """Lowers one nest."""

    def __init__(self, values: NestValues, outer: Collapsed, place: Place) -> None:
        self.nest = values
        self.outer = outer
        self.place = place
        self.most = values.most or 0
        self.count, self.width = outer.extents[-2:]
        self.tables: dict[tuple[SSAValue, ex.Expr, Steps], SSAValue] = {}

    def run(self) -> None:
        """Write the loops."""
        here, at_once = self.place, ex.floordiv(POINTS, self.width)
        for k, extent in enumerate(self.outer.extents[:-2]):
            here = here.loop(ex.const(0), extent, "serial" if k else "parallel")
        blocks = ex.floordiv(self.count + at_once - 1, at_once)
        kind = "serial" if len(self.outer.extents) > 2 else "parallel"
        block = here.loop(ex.const(0), blocks, kind)
        first = block.variable() * at_once
        rows = ex.minimum(at_once, self.count - first)
        ops = list(self.nest.nest.body.block.ops)
        found = [
            (op, *self._place_of(op, block, first, rows)) for op in ops if isinstance(op, Access)
        ]
        inside = block.loop(ex.const(0), rows * self.width, "vector")
        for op, buffer, start, moves in found:
            self.nest.tiles[op] = buffer, start + inside.variable() if moves else start
        for op in ops:
            self.nest.scalar(op, inside)

    def _place_of(
        self, op: Access, block: Place, first: ex.Expr, rows: ex.Expr
    ) -> tuple[SSAValue, ex.Expr, bool]:
        """What an access uses instead, where a block starts in it, and whether it moves on."""
        steps, start = _steps(op, self.outer, self.nest), self._offset(op, first)
        if isinstance(op, kernel.StoreOp):
            return self.nest.nest.targets[op.number], start, True
        if _is_flat(steps, self.outer) or steps == (0, 0):
            return op.source, start, steps[1] == 1
        key = op.source, start, steps
        if key not in self.tables:
            self.tables[key] = block.add(loop.LocalOp.of(scalar_type(op.result), POINTS + VECTOR))
            self._lay_out(op, self.tables[key], block, first, rows)
        return self.tables[key], ex.const(0), True

    def _offset(self, op: Access, row: ex.Expr) -> ex.Expr:
        """Where a row starts."""
        last = len(self.outer.extents) - 1
        at = {ex.Atom("dim", (last - 1,)): row, ex.Atom("dim", (last,)): ex.const(0)}
        return self.nest.offsets[op].substitute(self.outer.places, {}).substitute(at, {})

    def _lay_out(
        self, op: kernel.LoadOp, table: SSAValue, block: Place, first: ex.Expr, rows: ex.Expr
    ) -> None:
        """Write what a load reads to an array, for every point of a block."""
        repeated = (
            self._copied(op, block, first) if _steps(op, self.outer, self.nest)[1] == 1 else None
        )
        row = block.loop(ex.const(0), rows, "serial")
        value = None if repeated else row.read(op.source, self._offset(op, first + row.variable()))
        start = row.variable() * self.width
        vector = row.loop(ex.const(0), self.width, "serial", VECTOR)
        lane = vector.loop(ex.const(0), ex.const(VECTOR), "serial")
        at = vector.variable() + lane.variable()
        if repeated:
            value = lane.read(repeated, at)
        assert value is not None
        lane.write(value, table, start + at)

    def _copied(self, op: kernel.LoadOp, block: Place, first: ex.Expr) -> SSAValue:
        """The values of a row that repeats itself, and zeros after them up to a full vector."""
        type, size = scalar_type(op.result), -(-self.most // VECTOR) * VECTOR
        array = block.add(loop.LocalOp.of(type, size))
        lane = block.loop(ex.const(0), ex.const(size), "vector")
        lane.write(lane.constant(0, type), array, lane.variable())
        lane = block.loop(ex.const(0), self.width, "vector")
        lane.write(
            lane.read(op.source, self._offset(op, first) + lane.variable()), array, lane.variable()
        )
        return array
