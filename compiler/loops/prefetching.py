"""Prefetch the panels that are read next, at each step of a contraction.

::

    schedule.prefetch_panel right, in tiles of 13 rows of 130:
      -->  loop.prefetch %panels[next panel + (row / 13 * 512 + k) * 4, 4] level 2

Ten tiles of rows read a panel of 32 columns, so each prefetches 4 values at a step.
"""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects import loop, schedule
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import path

from .insertion import ZERO, Insertion
from .packing import Packing, Ranges, flat


def prefetch_panel(
    c: Contraction,
    op: schedule.PrefetchPanelOp,
    source: Packing,
    here: Insertion,
    tile: Ranges,
) -> None:
    """Write the prefetch of one step; ``source`` are the panels of the whole operand."""
    operand, own = source.operand, source.axis
    assert own is not None
    loops = path(op)
    first = next(k for k, around in enumerate(loops) if around.axis == own)
    chain = {*c.reduced, c.chain}
    # All tiles inside of the block that do not move the operand read the same panel.
    tiles: list[tuple[ex.Expr, ex.Expr]] = []
    for k, around in enumerate(loops):
        axis, step = around.axis, around.step
        inner = [o for o in loops[k + 1 :] if o.axis == axis and o.kind.data != "unroll"]
        if k < first or axis in operand.axes or axis in chain or inner:
            continue
        outer = [o.step for o in loops[:first] if o.axis == axis]
        index = ex.floordiv(here.at[axis[-1]], step)
        count = ex.floordiv((ex.const(outer[-1]) if outer else c.extent(axis)) + (step - 1), step)
        tiles.append((ex.mod(index, count) if outer else index, count))
    count = ex.product(count for _, count in tiles)
    share = ex.floordiv(ex.const(source.size) + (count - 1), count)
    reduced = [(here.at[axis[-1]], source.extents[axis]) for axis in source.reduced]
    step = flat([*tiles, (flat(reduced), source.length)])
    start = Insertion(here.block, here.variables, {**here.at, **{a[-1]: ZERO for a in c.reduced}})
    panel = source.offset(start, tile.begin(own) + loops[first].step)
    index, dims = here.over((panel + step * share, share * loops[-1].step))
    level = loop.PrefetchOp.SECOND
    here.block.add_op(loop.PrefetchOp.new(source.buffer, dims, index=index, level=level))
