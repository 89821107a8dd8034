"""Loops of a nest without sweeps, point after point.

::

    for i = 0 to M { for j = 0 to N { y[i, j] = f(x[i, j]) } }

Where results go past the caches for some extents only (``plan_stores``), there are loops for both
cases.
"""

from __future__ import annotations

from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.collapse import Collapsed

from .past_caches import UnevenRows, stores_past, write_blocks
from .places import NestValues, Place, placed
from .plan_stores import axes_of
from .versions import only_if


class NestRow:
    """The points along the last dimension of a nest."""

    def __init__(self, values: NestValues, outer: Collapsed) -> None:
        self.values, self.outer = values, outer
        self.last = len(outer.extents) - 1
        self.around = {k: ex.dim(k) for k in range(self.last)}
        """The loop variables of the other dimensions."""

    def place(self, here: Place, position: ex.Expr) -> None:
        """Say of a place at which position it is."""
        here.at = placed(self.outer, self.around | {self.last: position})

    def write(self, here: Place, position: ex.Expr) -> None:
        """Write the body at a position."""
        self.place(here, position)
        for op in self.values.nest.body.block.ops:
            self.values.scalar(op, here)


def lower_pointwise(nest: kernel.NestOp, outer: Collapsed, block: Block) -> None:
    """Write the loops of a nest into a block."""
    stores = stores_past(nest.body.block.ops)
    when = stores[0].past_caches if stores else ex.const(0)
    if when != 1:
        before = block.last_op
        _points(NestValues(nest), outer, block)
        only_if(1 - when, before, block)
    if when != 0:
        before = block.last_op
        _points_past_caches(NestValues(nest), outer, block, stores)
        only_if(when, before, block)


def _points(values: NestValues, outer: Collapsed, block: Block) -> None:
    here = Place(block, [], dict(outer.places))
    for k, extent in enumerate(outer.extents):
        last = k == len(outer.extents) - 1
        here = here.loop(ex.const(0), extent, "vector" if last else "serial" if k else "parallel")
    for op in values.nest.body.block.ops:
        values.scalar(op, here)


def _points_past_caches(
    values: NestValues, outer: Collapsed, block: Block, stores: list[kernel.StoreOp]
) -> None:
    row, here, axes = NestRow(values, outer), Place(block, []), axes_of(values, outer, stores[0])
    *around, length = outer.extents
    in_blocks = axes is None or not axes.goes_on(stores)
    for k, extent in enumerate(around if in_blocks else around[:-1]):
        here = here.loop(ex.const(0), extent, "serial" if k else "parallel")
    if in_blocks:
        write_blocks(row, stores, here, length)
        return

    def number(this: ex.Expr) -> None:
        row.around[row.last - 1] = this

    UnevenRows(row, stores[0], length).write(here, around[-1], number)
