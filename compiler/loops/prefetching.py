"""Prefetch the panels that are read next, at each step of a contraction.

::

    schedule.prefetch_panel right, in tiles of 13 rows of 130:
      -->  loop.prefetch %panels[next panel + (row / 13 * 512 + k) * 4, 4] level 2

Ten tiles of rows read a panel of 32 columns, so each prefetches 4 values at a step.  Of an operand
that is computed of what is stored, these are the elements that the next panel will be computed of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop, schedule
from opc.dialects.walking import walk
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import path

from .insertion import ZERO, Insertion
from .packing import Packing, Panels, Ranges, flat
from .stored import Stored


def prefetch_panel(
    c: Contraction,
    op: schedule.PrefetchPanelOp,
    source: Packing | Stored,
    here: Insertion,
    tile: Ranges,
) -> None:
    """Write the prefetch of one step; ``source`` are the panels of the whole operand."""
    operand = source.operand
    own = c.own(operand)
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
    shared = _Shared(c, tiles, loops[-1].step)
    start = Insertion(here.block, here.variables, {**here.at, **{a[-1]: ZERO for a in c.reduced}})
    begin = tile.begin(own) + loops[first].step
    if isinstance(source, Packing):
        shared.write(here, source.buffer, source.offset(start, begin), source, source.size)
        return
    for layout, buffer in source.parts.values():
        if layout.part.run == 1 and layout.part.has_columns:
            # Tiles that read parts of the rows of one panel prefetch parts of the next one.
            size, parts = tile.block(own) // layout.per, layout.size // tile.block(own)
            number = ex.floordiv(tile.begin(own), layout.size)
            at = layout.start(start, number * layout.size + layout.size, layout.size)
            part = ex.floordiv(tile.begin(own) - number * layout.size, tile.block(own))
            at += part * layout.length * size if parts > 1 else 0
            shared.write(here, buffer, at, layout, size)


def prefetch_rows(
    c: Contraction,
    tree: schedule.TreeOp,
    sources: Mapping[str, object],
    here: Insertion,
    tile: Ranges,
) -> None:
    """Write the prefetches of one step, of what lies behind the rows of panels that it reads."""
    packs = {op.operand.data: op for op in walk(tree) if isinstance(op, schedule.PackOp)}
    for name, op in packs.items():
        source = sources[name]
        if op.distance and isinstance(source, Packing):
            row = source.offset(here, tile.begin(c.own(source.operand)))
            ahead = row + op.distance // source.type.bytes
            index, dims = here.over((ahead, ex.const(source.size * source.group)))
            here.block.add_op(loop.PrefetchOp.of((source.buffer,), index, dims))


def prefetch_tile(
    c: Contraction, op: schedule.PrefetchTileOp, here: Insertion, tile: Ranges
) -> None:
    """Write the prefetch of one step, of an operand where it lies."""
    operand = c.operand(op.operand.data)
    own, load = c.own(operand), operand.load
    assert own is not None and load is not None
    size = [around.step for around in path(op) if around.axis == own][-1]
    # Neighbours begin anywhere in a line: the last one of the next tile is in a line that this tile
    # has not read.
    at = {**here.at, own[-1]: tile.begin(own) + (2 * size - 1)}
    span, dims = here.over((c.offsets[load].substitute(at), ex.const(1)))
    level = loop.PrefetchOp.SECOND
    here.block.add_op(loop.PrefetchOp.new(load.source, dims, index=span, level=level))


@dataclass(frozen=True)
class _Shared:
    """What the tiles that read a panel share among their steps."""

    c: Contraction
    tiles: Sequence[tuple[ex.Expr, ex.Expr]]
    """The number of a tile along each axis that does not move the operand, and how many there are.
    """
    step: int
    """Products of a step."""

    def write(
        self, here: Insertion, buffer: SSAValue, panel: ex.Expr, layout: Panels, size: int
    ) -> None:
        """Prefetch the part of one step of a panel with rows of ``size`` elements."""
        tile, count = flat(self.tiles), ex.product(count for _, count in self.tiles)
        share = ex.floordiv(ex.const(size) + (count - 1), count)
        reduced = [(here.at[axis[-1]], layout.extents[axis]) for axis in layout.reduced]
        at = flat([(tile, count), (flat(reduced), layout.length)]) * share
        index, dims = here.over((panel + at, share * self.step))
        level = loop.PrefetchOp.SECOND
        here.block.add_op(loop.PrefetchOp.new(buffer, dims, index=index, level=level))
