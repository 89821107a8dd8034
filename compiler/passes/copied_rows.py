"""Rows of much memory that go down together are first copied, in order, to where they are at hand.

Processors see what comes next where memory is read in order, and read far ahead then.  Of several
short rows at once they see but pieces with gaps::

    for i = 0 to 30000 step 8 { for l: acc[l] = acc[l] + ((x[i, l] + x[i+1, l]) + ...) }
      -->
    for i = 0 to 30000 step 8
      for l = 0 to 8 * 300 { c[l] = x[i, l] }            # rows that follow one another
      for l: acc[l] = acc[l] + ((c[l] + c[l + 300]) + ...)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type

from .column_blocks import Columns, Walk
from .loop_places import Place
from .prefetching import size_of

if TYPE_CHECKING:
    from .column_loops import ColumnLowering

LARGE = 24 << 20
"""Bytes that are read from which on it is worth it: most caches hold less."""
MOST = 13 << 10
"""Bytes of rows that are copied together, at most: the first-level cache holds them and more."""
ENOUGH = 8 << 10
"""Bytes up to which rows are copied that do not go together: what was written last is not in the
cache yet, and can only be read as it was written."""


@dataclass
class Copies:
    """The loads of a sweep that read copies of rows instead."""

    lowering: ColumnLowering
    walk: Walk
    rows: int
    """Rows that go together."""
    width: int
    """Values of a row."""
    loads: list[kernel.LoadOp]
    groups: int
    """How many times these rows are copied at once."""
    buffers: dict[Operation, SSAValue] = field(default_factory=dict[Operation, SSAValue])
    row: ex.Expr = field(default_factory=lambda: ex.const(0))
    """The first of the copied rows that go together now."""

    @staticmethod
    def of(
        lowering: ColumnLowering,
        walk: Walk,
        here: Place,
        outer: list[ex.Expr],
        columns: Columns,
        rows: int,
    ) -> Copies | None:
        """Those of a sweep of which so many rows go together; None if that is not worth it."""
        width = lowering.outer.extents[-1].constant
        if width is None or columns.most != width or lowering.side_by_side != 1:
            return None
        last = len(lowering.outer.extents) - 1
        this, other = (_at(walk, here, [*outer, ex.const(k)], columns) for k in (0, 1))
        loads: list[kernel.LoadOp] = []
        for op in walk.sweep.body.block.ops:
            if not isinstance(op, kernel.LoadOp) or op in lowering.apart:
                continue
            offset = lowering.nest.offsets[op]
            along = offset.substitute(lowering.outer.places, {}).coefficient(last)
            step = offset.substitute(other, {}) - offset.substitute(this, {})
            if along == 1 and step == width:
                loads.append(op)
        read = sum(size_of(v) or 0 for v in {lowering.nest.buffer(op) for op in loads})
        together = sum(rows * width * scalar_type(op.result).bytes for op in loads)
        if read < LARGE or together > MOST:
            return None
        return Copies(
            lowering, walk, rows, width, loads, 1 << (max(1, ENOUGH // together)).bit_length() - 1
        )

    def write(
        self, here: Place, outer: list[ex.Expr], span: tuple[ex.Expr, ex.Expr], columns: Columns
    ) -> tuple[Place, ex.Expr]:
        """Copy the rows of a span: where to take those that go together, and the first of them."""
        most = self.rows * self.groups
        some = here.loop(*span, "serial", most)
        first, left = some.variable(), span[1] - some.variable()
        even = self.groups == 1 or ex.mod(span[1] - span[0], ex.const(most)).constant == 0
        count = ex.const(most) if even else ex.minimum(ex.const(most), left)
        at = _at(self.walk, some, [*outer, first], columns)
        for op in self.loads:
            copy = some.add(loop.LocalOp.of(scalar_type(op.result), most * self.width))
            inside = some.loop(ex.const(0), count * self.width, "vector")
            start = self.lowering.nest.offsets[op].substitute(at, {})
            buffer = self.lowering.nest.buffer(op)
            inside.write(inside.read(buffer, start + inside.variable()), copy, inside.variable())
            self.buffers[op] = copy
        if self.groups == 1:
            return some, first
        group = some.loop(ex.const(0), count, "serial", self.rows)
        self.row = group.variable()
        return group, first + self.row

    def at(self, k: int, lane: ex.Expr) -> dict[Operation, tuple[SSAValue, ex.Expr]]:
        """Where the loads read of the row that is ``k`` after the first of those together."""
        offset = (self.row + k) * self.width + lane
        return {op: (buffer, offset) for op, buffer in self.buffers.items()}


def _at(walk: Walk, here: Place, row: list[ex.Expr], columns: Columns) -> dict[ex.Atom, ex.Expr]:
    """The dimensions of a sweep at the first column of a row."""
    return {**here.at, **walk.placed(row), **{atom: columns.start for atom in columns.atoms}}
