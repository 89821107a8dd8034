"""Transpose short rows of memory, so that the points of a block lie side by side in vectors.

A row of 7 values fills no vector; 256 rows, transposed into a tile of 7 x 256, do.  Stores go to a
tile, which is transposed back behind the sweep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type

from .insertion import ZERO, Insertion

if TYPE_CHECKING:
    from .points import Points

Access = kernel.LoadOp | kernel.StoreOp


class TransposedRows:
    """The tiles of a block of points."""

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
        return here.add(loop.LocalOp.of(scalar_type(value), most * self.points.most))

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
