"""The tree of a contraction's schedule: what a planner or a search chooses, written down.

::

    Choice(tile 14 x 32, loops [d1] by 64 parallel, [d0] by 14 serial, packs left and right)  -->
      schedule.pack right by 32
      schedule.for [d1] by 64 parallel {
        schedule.pack left by 14
        schedule.for [d0] by 14 serial { init, step, finish, out of a tile } }
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.matrix_ops import BESIDE, PRODUCTS
from opc.support.target import FEW_FUNCTIONS, Target

from .contraction import Contraction, Operand, slice_of
from .nest import applied
from .nest_trees import Loop, nested
from .prefetching import prefetched, rows_ahead, tiles_ahead
from .register_tiles import Tile, fills_vectors, holds_filter, squares_crowd
from .stored import (
    chain_part,
    grouped_parts,
    is_known,
    parts_of,
    small_part,
    stored_parts,
    width_of,
)
from .widening import place, widened


@dataclass(frozen=True)
class Choice:
    """All that is free in the schedule of a contraction."""

    contraction: Contraction
    """Transposed if vectors run along its rows."""
    tile: Tile
    group: int
    """The products of a step."""
    packs: frozenset[str]
    """The operands in panels, by name; those with windows are padded in any case."""
    loops: tuple[Loop, ...]
    """The loops around a tile, outermost first; the last ones are over tiles."""
    depth: int = 0
    """How many of them stand in front of the copies of windows."""
    stored: int | None = None
    """The columns of panels that have the right operand as it is stored, if it lies so."""
    widened: frozenset[str] = frozenset()
    """The operands in panels of 8 bits of which panels of 16 bits are written, by name."""
    prefetches: bool = True
    """Whether steps prefetch the panels that are read next, where these are far away."""

    @property
    def computes_stored(self) -> bool:
        """Whether a tile computes columns as they are stored: it has all rows and a whole panel."""
        rows = self.contraction.extent(self.contraction.row).constant
        return self.stored == self.tile.columns and rows is not None and rows <= self.tile.rows

    @property
    def around(self) -> list[Loop]:
        """The loops over axes that there are."""
        return [loop for loop in self.loops if loop[0] is not None]

    @property
    def blocks_at(self) -> int | None:
        """The place of a loop over blocks of the chain among those around tiles, if any."""
        axes = [axis for axis, _, _ in self.around]
        return axes.index(self.contraction.chain) if self.contraction.chain in axes else None

    def ops(self, target: Target) -> list[IRDLOperation]:
        """The operations of the tree."""
        copies, (begin, block, end) = self._copies(target), _one_tile(self, target)
        loops, at = self.around, self.blocks_at
        ops = block
        if at is None:
            size = self.contraction.block(self.group)
            blocks: list[Loop] = [(self.contraction.chain, size, "serial")] if size else []
            ops = [*begin, *nested(blocks, block), *end]
        for k in range(len(loops), -1, -1):
            own = [copy for copy, depth in copies if depth == k]
            ops = [*own, *ops]
            if k:
                ops = nested(loops[k - 1 : k], ops)
            if at is not None and k - 1 == at:
                # Behind the sums of all blocks, the totals of all tiles.
                ops += nested(loops[k:], [*begin, *end])
        return ops

    def with_widened(self, target: Target) -> Choice:
        """The same with the operands that are widened in front of their tiles, where that pays."""
        names = widened(self.contraction, self.tile, self.group, self.around, target)
        return replace(self, widened=names & self.packs)

    def prefetched(self, target: Target) -> frozenset[str]:
        """The operands whose panels steps prefetch, by name."""
        tile, c = self.tile, self.contraction
        packs = self.packs if self.stored is None else self.packs | {c.right.name}
        if not self._may_prefetch:
            return frozenset()
        return prefetched(c, packs, self.around, tile, self.group, target)

    def tiles_ahead(self, target: Target) -> frozenset[str]:
        """The operands of which steps prefetch what the next tile reads, by name."""
        if not self._may_prefetch or self.group > 1 or self.depth:
            return frozenset()
        return tiles_ahead(self.contraction, self.packs, self.around, self.tile, target)

    def _rows_ahead(self, operand: Operand, size: int, target: Target) -> int:
        """How many bytes behind a row of a panel steps prefetch; 0 for none."""
        is_read = self._may_prefetch and operand is self.contraction.right
        return rows_ahead(self.contraction, operand, size, self.group, target) if is_read else 0

    @property
    def _may_prefetch(self) -> bool:
        """Whether there is a step of a plain tile, in which prefetches may stand."""
        is_plain = not (self.tile.is_transposed or self.tile.is_rotating)
        has_step = self.blocks_at is None and bool(self.contraction.reduced)
        return self.prefetches and is_plain and has_step

    def _copies(self, target: Target) -> list[tuple[IRDLOperation, int]]:
        """The packs and pads of the operands, and how many loops are around each."""
        c, tile, copies = self.contraction, self.tile, list[tuple[IRDLOperation, int]]()
        for operand, size in ((c.left, tile.rows), (c.right, tile.columns)):
            depth = copied_in(self, operand)
            if c.window(operand) is not None:
                copies.insert(0, (schedule.PadOp.of(operand.name, self.group), depth))
            elif operand is c.right and self.stored is not None:
                copies.insert(0, (stored_pack(c, self.stored, tile.lanes, target), 0))
                if not self.computes_stored:
                    # In the innermost loop over blocks of columns, for all rows that follow.
                    blocks = [axis == c.column and by != 1 for axis, by, _ in self.around]
                    depth = len(blocks) - blocks[::-1].index(True) if any(blocks) else 0
                    ahead = self._rows_ahead(operand, size, target)
                    pack = schedule.PackOp.of(operand.name, size, prefetch=ahead)
                    copies.append((pack, depth))
            elif operand.name in self.packs:
                is_widened = operand.name in self.widened
                part = small_part(c, self.group) if operand is c.right and not is_widened else None
                is_small = part is not None and part.values_of_unit(size, tile.lanes) > 1
                is_unpacked = is_small and self.group == PRODUCTS
                ahead = 0 if is_widened else self._rows_ahead(operand, size, target)
                pack = schedule.PackOp.of(operand.name, size, self.group, prefetch=ahead)
                if is_small:
                    group = min(self.group, BESIDE)
                    pack = stored_pack(c, size, tile.lanes, target, group)
                copies.append((pack, depth))
                if is_widened or is_unpacked:
                    pack = schedule.PackOp.of(operand.name, size, self.group)
                    copies.append((pack, place(c, operand, self.around)))
        return copies


def stored_pack(
    c: Contraction, size: int, lanes: int, target: Target, group: int = 1
) -> schedule.PackOp:
    """Panels of the right operand as it is stored, prefetched unless the first cache holds it."""
    count = ex.product(map(c.extent, c.right.axes)).constant or 0
    total = count * width_of(grouped_parts(c, c.right, group) or ())
    distance = target.prefetched if total > target.l1 else 0
    return schedule.PackOp.of(c.right.name, size, group, lanes, distance)


def copied_in(choice: Choice, operand: Operand) -> int:
    """The number of loops around the copy of an operand, which leave it a part of that.

    Threads share the copying then, and a part is in a cache when it is read.  Constants are packed
    at compile time.
    """
    c, loops = choice.contraction, choice.around
    if choice.depth:
        copied = [axis for axis, _, _ in choice.loops[: choice.depth] if axis is not None]
        # Panels in a file would have more bytes than what is stored.
        is_wider = c.type.is_integer or parts_of(c, operand) is not None
        is_copied = not is_known(c, operand) or (is_wider and not operand.axes.isdisjoint(copied))
        return len(copied) if is_copied else 0
    if is_known(c, operand) or c.window(operand) is not None:
        return 0
    left = {axis for axis in (*operand.axes, c.own(operand), *c.reduced) if axis}
    depth = 0
    for axis, _, kind in loops:
        if kind != "parallel" or axis not in operand.axes:
            break
        left.discard(axis)
        depth += 1
    # A version for one row must be legal for any number of rows.
    c = c if c.rows is None else replace(c, rows=None)
    extents = [c.extent(axis).constant for axis in left]
    # A loop behind the pack must read it.
    return 0 if depth == len(loops) or None in extents else depth


def _one_tile(
    choice: Choice, target: Target
) -> tuple[list[IRDLOperation], list[IRDLOperation], list[IRDLOperation]]:
    """What begins a tile, a block of its chain, and its epilogue.

    Long chains of floats are blocks that are added up; others begin with their only block.
    """
    c, tile, group, stage = choice.contraction, choice.tile, choice.group, schedule.RunOp.of
    products: list[Loop] = [
        (axis, group if axis == c.reduced[-1] else 1, "serial") for axis in c.reduced
    ]
    registers: list[Loop] = [(c.row, 1, "unroll"), (c.column, tile.lanes, "vector")]
    if tile.is_rotating:
        kind = "unroll" if holds_filter(c, tile, target) else "serial"
        products = [(axis, 1, kind) for axis in c.reduced[1:]]
        registers[0] = (c.reduced[0], 1, "unroll")
    panels = [schedule.PrefetchPanelOp.of(name) for name in sorted(choice.prefetched(target))]
    tiles = [schedule.PrefetchTileOp.of(name) for name in sorted(choice.tiles_ahead(target))]
    step = [*panels, *tiles, *nested(registers, [stage("step")])]
    step = nested(products, step)
    if tile.is_transposed:
        pack = schedule.PackOp.of(c.right.name, tile.columns)
        is_peeled = squares_crowd(c, tile, target)
        step = [schedule.ForOp.of(c.chain, tile.lanes, "serial", [pack, *step], is_peeled)]
    parts = stored_parts(c, target) if choice.computes_stored else None
    part = None if parts is None else chain_part(c, parts)
    if part is not None:
        step = [schedule.ForOp.of(c.chain, part, "serial", step)]
    block: list[IRDLOperation] = [stage("init"), *step, stage("finish")]
    begin: list[IRDLOperation] = [stage("start")] if c.block(group) is not None else []
    end: list[IRDLOperation] = []
    row = None if tile.is_rotating else c.row
    if _has_functions(c, tile):
        # Results lie along rows, of which a tile has too few for vectors of functions, or are so
        # narrow that a tile has too few columns for their vectors.
        end += nested([(row, 1, "serial"), (c.column, 1, "vector")], [stage("apply")])
    axes = (row, c.column) if c.is_in_order else (c.column, row)
    end += nested([(axes[0], 1, "serial"), (axes[1], 1, "vector")], [stage("out")])
    return begin, block, end


def _has_functions(c: Contraction, tile: Tile) -> bool:
    """Whether the epilogue is large enough for a loop of its own along the columns."""
    ops = applied(slice_of(c.applied))
    if not c.is_in_order:
        return bool(ops)
    is_whole = c.applies_to_all and fills_vectors(c.extent(c.column), tile)
    return not is_whole and (len(ops) > FEW_FUNCTIONS or any(op.is_expensive for op in ops))
