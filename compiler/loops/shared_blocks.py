"""Lower a contraction whose blocks of the chain threads share: the sum of each block is kept.

::

    for t = 0 to blocks * heads parallel { for tile { sums = ...; kept[t, tile] = sums } }
    for head parallel { for tile { total = 0; for block { total += kept[block, head, tile] } } }
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import block_of, inside, path
from opc.schedule.shared_blocks import shared_blocks

from .contraction import ContractionLowering
from .insertion import Insertion
from .packing import Ranges, flat


@dataclass(frozen=True)
class Kept:
    """Where the sums of all blocks lie: ``[blocks][outer axes][rows][columns]``, tile by tile."""

    c: Contraction
    rows: ex.Expr
    """Rows of whole tiles inside of the loops around the blocks."""
    columns: ex.Expr
    tile: int
    """Rows of a tile."""

    @staticmethod
    def of(c: Contraction, tree: schedule.TreeOp, blocks: schedule.ForOp) -> Kept:
        """The layout for a schedule with a loop over blocks."""
        around = {op.axis: op.size for op in path(blocks)}

        def whole(axis: Axis | None) -> ex.Expr:
            size, by = around.get(axis or (), c.extent(axis)), block_of(tree, axis)
            return ex.floordiv(size + (by - 1), by) * by

        return Kept(c, whole(c.row), whole(c.column), block_of(tree, c.row))

    @property
    def points(self) -> ex.Expr:
        """Points of the outer axes."""
        return ex.product(map(self.c.extent, self.c.outer))

    @property
    def blocks(self) -> ex.Expr:
        """Blocks of the chain."""
        return ex.floordiv(self.c.length + (BLOCK - 1), BLOCK)

    @property
    def elements(self) -> ex.Expr:
        """Sums of all blocks."""
        return self.blocks * self.points * self.rows * self.columns

    def offset(self, here: Insertion, begin: ex.Expr, tile: Ranges, around: Ranges) -> ex.Expr:
        """Where the sums of a tile begin, for the block of the chain that begins at ``begin``."""
        point = flat((here.at[a[-1]], self.c.extent(a)) for a in self.c.outer)
        row, column = (tile.begin(a) - around.begin(a) for a in (self.c.row, self.c.column))
        block = ex.floordiv(begin, BLOCK) * self.points + point
        return (block * self.rows + row) * self.columns + column * self.tile


class SharedBlocksLowering(ContractionLowering):
    """Writes the loops of one nest."""

    buffer: SSAValue
    """What has room for the sums of all blocks."""
    around: Ranges
    """The part of each axis inside of the loops around the blocks."""

    @cached_property
    def blocks(self) -> schedule.ForOp:
        """The loop over blocks."""
        blocks = shared_blocks(self.tree)
        assert blocks is not None
        return blocks

    @cached_property
    def kept(self) -> Kept:
        """The layout of the sums."""
        return Kept.of(self.c, self.tree, self.blocks)

    def _for(self, op: schedule.ForOp, here: Insertion, ranges: Ranges) -> None:
        if op is not self.blocks:
            super()._for(op, here, ranges)
            return
        self.around = ranges
        loops, ops = [op], inside(op)
        while len(ops) == 1 and isinstance(inner := ops[0], schedule.ForOp):
            if (inner.kind.data, inner.step) != ("parallel", 1) or inner.axis in ranges.of:
                break
            loops.append(inner)
            ops = inside(inner)
        counts = [ex.floordiv(self.c.extent(o.axis) + (o.step - 1), o.step) for o in loops]
        here = here.loop(0, ex.product(counts), op.kind.data)
        piece = here.variable()
        for k, loop in enumerate(loops):
            own = ex.floordiv(piece, ex.product(counts[k + 1 :]))
            begin = (own if k == 0 else ex.mod(own, counts[k])) * loop.step
            end = ex.minimum(begin + loop.step, self.c.extent(loop.axis))
            here = here.loop(begin, end, "serial", loop.step)
            here.at[loop.axis[-1]] = at = here.variable()
            last = ex.minimum(at + loop.step, self.c.extent(loop.axis))
            ranges = Ranges({**ranges.of, loop.axis: (at, last, loop.step)})
        self._ops(ops, here, ranges)

    def _stage(self, stage: str, here: Insertion, ranges: Ranges) -> None:
        if stage == "init":
            self.tile = ranges
        super()._stage(stage, here, ranges)
        if stage == "start":
            block = here.loop(0, self.c.length, "serial", BLOCK)
            begin = self.kept.offset(here, block.variable(), ranges, self.around)
            inside, at = self._over_tile(block)
            total = inside.read(self.totals, at)
            total = inside.apply("add", total, inside.read(self.buffer, begin + at))
            inside.write(total, self.totals, at)

    def _finish(self, here: Insertion) -> None:
        begin = self.kept.offset(here, self.tile.begin(self.c.chain), self.tile, self.around)
        inside, at = self._over_tile(here)
        inside.write(inside.read(self.registers, at), self.buffer, begin + at)
