"""Points of a nest that are computed together: one, or a block along the nest's last dimension.

A scalar between the sweeps of a nest is a variable for one point and an array for a block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp
from opc.dialects.walking import walk
from opc.schedule.nest import Access
from opc.schedule.sweeps import Block

from .insertion import ZERO, Insertion, NestValues, placed


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
                    local = self.here.local(scalar_type(op.results[0]), self.most)
                    self.arrays[op.results[0]] = local
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
        self.values.scalars(ops, inside)

    def _take(self, used: Iterable[SSAValue], inside: Insertion, point: ex.Expr) -> None:
        """Read earlier values at a point of the block, and repeat constants."""
        for value in dict.fromkeys(used):
            if value in self.arrays:
                self.values.values[value] = inside.read(self.arrays[value], point)
            elif isinstance(value.owner, body.ConstantOp):
                self.values.values[value] = inside.add(value.owner.clone())


class TransposedRows:
    """Short rows, transposed into tiles, so that the points of a block fill vectors.

    A row of 7 values fills no vector; 256 rows, in a tile of 7 x 256, do.  Stores go to a tile,
    which is transposed back behind the sweep.
    """

    def __init__(self, points: Points) -> None:
        self.points = points
        self.values = points.values
        self.tiles: dict[Access, SSAValue] = {}
        self.loaded: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}

    def is_used(self, ops: Sequence[Operation]) -> bool:
        """Whether an operation uses a tile, or an array that an earlier sweep has kept."""
        return any(op in self.tiles or self._kept(op) is not None for op in ops)

    def _kept(self, op: Operation) -> SSAValue | None:
        """The array of the block, points side by side, with the values that a load reads."""
        if self.points.is_one or not isinstance(op, kernel.LoadOp):
            return None
        return None if op.source in self.values.kept else self.values.arrays.get(op.source)

    def load(self, sweep: kernel.SweepOp, here: Insertion) -> None:
        """Transpose the rows that a sweep reads, and declare tiles for those that it writes."""
        for op, stride, start, count in self._accesses(sweep, here):
            if isinstance(op, kernel.StoreOp):
                self.tiles[op] = self._tile(here, op, count)
                continue
            key = op.source, start
            if key not in self.loaded:
                self.loaded[key] = tile = self._tile(here, op, count)
                side = ex.const(self.points.most)
                index = (start, stride, ZERO, side, self.points.size, count)
                here.transpose(self.values.buffer(op), tile, index)
            self.tiles[op] = self.loaded[key]

    def store(self, sweep: kernel.SweepOp, here: Insertion) -> None:
        """Transpose back the rows that a sweep has written."""
        for op, stride, start, count in self._accesses(sweep, here):
            if isinstance(op, kernel.StoreOp):
                side = ex.const(self.points.most)
                index = (ZERO, side, start, stride, count, self.points.size)
                here.transpose(self.tiles[op], self.values.nest.targets[op.number], index)
                self.loaded = {
                    key: tile
                    for key, tile in self.loaded.items()
                    if key[0] is not self.values.nest.targets[op.number]
                }

    def _tile(self, here: Insertion, op: Access, count: ex.Expr) -> SSAValue:
        value = op.result if isinstance(op, kernel.LoadOp) else op.value
        most = self.values.most if count.constant is None else count.constant
        assert most
        return here.local(scalar_type(value), most * self.points.most)

    def _accesses(
        self, sweep: kernel.SweepOp, here: Insertion
    ) -> Iterator[tuple[Access, ex.Expr, ex.Expr, ex.Expr]]:
        """Accesses along short rows that lie apart: the distance, start and length of rows."""
        if self.points.is_one or self.points.narrow > 1:
            return
        rank = len(self.values.nest.extents.data)
        dims = [rank + k for k, extent in enumerate(sweep.extents.data) if extent != 1]
        count = ex.product(sweep.extents.data)
        is_bounded = count.constant is not None or self.values.most is not None
        if len(dims) != 1 or count == 0 or not is_bounded:
            return
        for op in sweep.body.block.ops:
            if not isinstance(op, Access) or self._kept(op) is not None:
                continue
            offset = self.values.offsets[op]
            *_, stride = self.values.steps(op, self.points.outer)
            if stride in (None, ZERO, ex.const(1)) or offset.coefficient(dims[0]) != 1:
                continue
            assert stride is not None
            at = dict(here.at) | dict.fromkeys(self.points.dims, self.points.start)
            at |= {rank + k: ZERO for k in range(len(sweep.extents.data))}
            yield op, stride, offset.substitute(at), count

    def place(
        self, ops: Sequence[Operation], inside: Insertion, position: ex.Expr, point: ex.Expr
    ) -> None:
        """Set the tile or array that each access of a body uses, at a position and a point."""
        most = self.points.most
        for op in ops:
            if isinstance(op, Access) and op in self.tiles:
                self.values.tiles[op] = self.tiles[op], position * most + point
            elif (array := self._kept(op)) is not None and isinstance(op, kernel.LoadOp):
                at = self.values.offsets[op].substitute(inside.at)
                self.values.tiles[op] = array, at * most + point
