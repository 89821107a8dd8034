"""Points of a nest that are computed together: one, or a block along the nest's last dimension.

A scalar between the sweeps of a nest is a variable for one point and an array for a block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp
from opc.dialects.walking import walk
from opc.schedule.sweeps import Block

from .insertion import Insertion, NestValues, placed
from .transposed_rows import TransposedRows


class Points(Block):
    """The loops over the points of a nest, and the values of the block inside them.

    ``loops`` are those of the schedule.  The last one may go in blocks; so may the one before it,
    if the axis of the last one is short and lies in one block.
    """

    def __init__(self, values: NestValues, block: Insertion, loops: Sequence[ForOp]) -> None:
        outer = values.space([op.axis for op in loops])
        super().__init__(outer.extents, [op.step for op in loops], values.has_one)
        self.values = values
        self.outer = outer
        self.pairs: dict[ex.Expr, tuple[ex.Expr, ex.Expr]] = {}
        """The indices in two dimensions of a point of a block."""
        self.arrays: dict[SSAValue, SSAValue] = {}
        self.transposed = TransposedRows(self)
        self.start = ex.const(0)
        self.groups = self.last
        """Values of a block along its axis."""
        here, last = Insertion(block.block, [], dict(outer.places)), len(self.others)
        kinds = [op.kind.data for op in loops] or ["serial"]
        for extent, kind in zip(self.others, kinds, strict=False):
            here = here.loop(0, extent, kind)
        self.dims = [] if self.is_one else outer.dims(last)
        self.inner = [] if self.narrow == 1 else outer.dims(last + 1)
        by = loops[last].size if loops else ex.const(1)
        if self.last != by:
            here, self.start = here.steps(ex.const(0), self.last, kinds[last], by)
            is_even = self.is_whole or ex.mod(self.last, by) == 0
            full = self.last if self.is_whole else by
            self.groups = full if is_even else ex.minimum(full, self.last - self.start)
        self.here = here

    @property
    def size(self) -> ex.Expr:
        """The number of points of a block; the last block may have fewer."""
        return self.groups * self.narrow

    def one(self) -> Points:
        """The same block one point at a time: see ``go_to``."""
        single = copy(self)
        single.most, single.groups, single.dims = 1, ex.const(1), []
        single.transposed = TransposedRows(single)
        return single

    def row_of(self, sweep: kernel.SweepOp) -> tuple[Points, ex.Expr]:
        """Loop over all points around a sweep; return the points one at a time, and the index."""
        inside, row = self.here.loop(0, self.size, "serial"), self.one()
        point = inside.variable()
        row.go_to(inside, self.start + point)
        ops = list(walk(sweep))
        self._take((v for op in ops for v in op.operands if v.owner not in ops), row.here, point)
        return row, point

    def go_to(self, here: Insertion, row: ex.Expr) -> Insertion:
        """Go to a row of the last dimension, where points are computed one at a time."""
        at = placed(self.outer, {len(self.outer.extents) - 1: row})
        self.here = Insertion(here.block, here.variables, at)
        return self.here

    def over(self, here: Insertion) -> tuple[Insertion, ex.Expr]:
        """A loop over the points of the block, and the index of one; no loop for a single point."""
        if self.is_one:
            return here, ex.const(0)
        if self.narrow > 1:
            group = here.loop(0, self.groups, "serial")
            inside = group.loop(0, self.narrow, "vector")
            point = group.variable() * self.narrow + inside.variable()
            self.pairs[point] = group.variable(), inside.variable()
        else:
            inside = here.loop(0, self.size, "vector")
            point = inside.variable()
        self.place(inside, point)
        return inside, point

    def place(self, inside: Insertion, point: ex.Expr) -> None:
        """Set the dimensions of the nest for a point of the block."""
        point, inner = self.pairs.get(point, (point, ex.const(0)))
        inside.at |= dict.fromkeys(self.dims, self.start + point) | dict.fromkeys(self.inner, inner)

    def scalars(self, ops: Sequence[Operation]) -> None:
        """Write the operations between two sweeps."""
        if all(isinstance(op, body.ConstantOp) for op in ops) and not self.is_one:
            return
        wanted: list[SSAValue] = []
        if not self.is_one:
            for op in ops:
                later = op.results and any(u.operation not in ops for u in op.results[0].uses)
                if later and not isinstance(op, body.ConstantOp):
                    wanted.append(op.results[0])
                    local = loop.LocalOp.of(scalar_type(op.results[0]), self.most)
                    self.arrays[op.results[0]] = self.here.add(local)
        inside, point = self.over(self.here)
        self.write(ops, inside, point)
        for value in wanted:
            inside.write(self.values.values[value], self.arrays[value], point)

    def write(
        self,
        ops: Sequence[Operation],
        inside: Insertion,
        point: ex.Expr,
        position: ex.Expr | None = None,
        wanted: Sequence[SSAValue] = (),
    ) -> None:
        """Write operations at a point and a position of a sweep; read ``wanted`` values there, too.

        Earlier values are read from their arrays, transposed ones from their tiles.
        """
        here = set(ops)
        self.transposed.place(ops, inside, position or ex.const(0), point)
        if not self.is_one:
            used = [*(v for op in ops for v in op.operands), *wanted]
            self._take((v for v in used if v.owner not in here), inside, point)
        for op in ops:
            self.values.scalar(op, inside)

    def _take(self, used: Iterable[SSAValue], inside: Insertion, point: ex.Expr) -> None:
        """Read earlier values at a point of the block, and repeat constants."""
        for value in dict.fromkeys(used):
            if value in self.arrays:
                self.values.values[value] = inside.read(self.arrays[value], point)
            elif isinstance(value.owner, body.ConstantOp):
                self.values.values[value] = inside.add(value.owner.clone())
