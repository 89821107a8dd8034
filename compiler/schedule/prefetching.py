"""Which panels are prefetched: those of constants, block after block, while tiles compute.

Constants come from the last cache or from memory, since the rest of a network has been there since
they were read.  The first tile that reads a panel would wait for it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from opc.dialects.schedule import Axis
from opc.support.target import GUESSED, PREFETCHED, Target

from .contraction import Contraction, Operand
from .nest_trees import Loop
from .product_groups import type_of
from .register_tiles import Tile
from .stored import grouped_parts, is_known


def prefetched(
    c: Contraction,
    packs: Collection[str],
    loops: Sequence[Loop],
    tile: Tile,
    group: int,
    target: Target,
) -> frozenset[str]:
    """The operands among those in panels that steps prefetch, by name; ``loops`` are around tiles.

    That takes a load at each step, so that it pays if no cache near by has all panels, and if one
    comes from far away in no small part of the time in which tiles compute that read it.
    """
    if target.l1 == target.l3:
        return frozenset()
    names = set[str]()
    for operand, size in ((c.left, tile.rows), (c.right, tile.columns)):
        if operand.name not in packs or not is_known(c, operand):
            continue
        tiles = _tiles(c, operand, loops)
        parts = grouped_parts(c, operand, group)
        bits = None if parts is None else sum(part.bits for part in parts)
        width = type_of(c, operand, group).bytes if bits is None else bits / 8
        extents = [c.extent(axis).constant or GUESSED for axis in operand.axes]
        is_far = math.prod(extents) * width > target.quarter_l2
        coming = size * group * width / target.l3_rate
        step = tile.rows * tile.columns / tile.lanes / target.starts
        if is_far and tiles > 1 and coming * PREFETCHED >= tiles * step:
            names.add(operand.name)
    return frozenset(names)


def _tiles(c: Contraction, operand: Operand, loops: Sequence[Loop]) -> int:
    """The tiles that read a panel in an iteration of the first loop over panels; 0 without one."""
    own, left = c.own(operand), dict[Axis, int]()
    trips: list[tuple[Axis, int]] = []
    for axis, by, _ in loops:
        size = by if isinstance(by, int) else by.constant or GUESSED
        if axis is not None:
            extent = left.get(axis) or c.extent(axis).constant or GUESSED
            trips.append((axis, -(-extent // size)))
            left[axis] = size
    first = next((k for k, (axis, _) in enumerate(trips) if axis == own), None)
    if first is None or own not in operand.axes or trips[first][1] < 2:
        return 0
    still = {*operand.axes, *c.reduced, c.chain}
    return math.prod(n for axis, n in trips[first + 1 :] if axis not in still)
