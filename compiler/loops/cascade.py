"""Add the totals of blocks in a tree: ``loop.cascade`` keeps one total for each level."""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop

from .accumulators import Accumulator, Total
from .insertion import Insertion

MOST_LEVELS = 40
"""Levels for an unknown number of blocks: 2^40 blocks take days."""


class Cascade:
    """Adds up blocks 2k and 2k + 1, then pairs of pairs::

    count = 0
    for b in 0 to n by 8192 {
      next: totals move up the levels as the bits of count say; cells are 0 again
      count += 1
      ...
    }
    finish: cells and levels become one total
    """

    def __init__(
        self,
        here: Insertion,
        ordered: Sequence[Accumulator],
        blocks: int | None,
        cells: int,
        used: ex.Expr,
    ) -> None:
        levels = MOST_LEVELS if blocks is None else max(1, blocks.bit_length())
        self.used = () if used == cells else (used,)
        self.count = here.add(loop.LocalOp.of(el.I64))
        here.write(here.constant(0, el.I64), self.count)
        self.totals = [a for a in ordered if isinstance(a, Total)]
        self.levels = [here.add(loop.LocalOp.of(a.stored, levels * cells)) for a in self.totals]

    def next(self, here: Insertion) -> None:
        """Begin a block."""
        self._step(here, "next")
        here.write(here.apply("add", here.read(self.count), here.constant(1, el.I64)), self.count)

    def finish(self, here: Insertion) -> None:
        """Add up cells and levels."""
        self._step(here, "finish")

    def _step(self, here: Insertion, step: str) -> None:
        width, dims = here.resolve_all(self.used)
        for a, levels in zip(self.totals, self.levels, strict=True):
            args = a.cells, levels, self.count
            here.block.add_op(loop.CascadeOp.of(step, *args, width, dims, a.row.name))
