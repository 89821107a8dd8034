"""Which panels are prefetched: those of constants, block after block, while tiles compute.

Constants come from the last cache or from memory, since the rest of a network has been there since
they were read.  The first tile that reads a panel would wait for it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from opc.dialects.buffer import element_in
from opc.dialects.matrix_ops import PRODUCTS
from opc.support.target import LINE, PREFETCHED, UNPACKED, Target

from .contraction import Contraction, Operand
from .cost import guessed, guessed_trips
from .nest_trees import Loop
from .product_groups import type_of
from .register_tiles import Tile
from .stored import grouped_parts, is_known, width_of


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
        width = width_of(parts) if parts else type_of(c, operand, group).bytes
        is_far = guessed(map(c.extent, operand.axes)) * width > target.quarter_l2
        coming = size * group * width / target.l3_rate * (UNPACKED if parts else 1)
        step = tile.rows * tile.columns / tile.lanes / target.starts
        if is_far and tiles > 1 and coming * PREFETCHED >= tiles * step:
            names.add(operand.name)
    return frozenset(names)


def tiles_ahead(
    c: Contraction, packs: Collection[str], loops: Sequence[Loop], tile: Tile, target: Target
) -> frozenset[str]:
    """The operands of which steps prefetch what the next tile reads, by name.

    Other processors have written a part of them.  Lines of theirs take long, and each step reads
    one of its own, far behind the last one, which no processor fetches ahead.
    """
    if target.l1 == target.l3:
        return frozenset()
    names = set[str]()
    for operand, size in ((c.left, tile.rows), (c.right, tile.columns)):
        own, stride = c.own(operand), c.stride(operand, c.own(operand))
        if operand.name in packs or c.window(operand) is not None or operand.load is None:
            continue
        if not loops or loops[-1][0] != own or own not in operand.axes:
            continue
        if stride is None or stride.constant is None or is_known(c, operand):
            continue
        width = element_in(operand.load.source).bytes
        is_far = guessed(map(c.extent, operand.axes)) * width > target.l1
        is_line = 0 < stride.constant * size * width <= LINE
        if is_far and is_line and guessed([c.extent(own)]) > size:
            names.add(operand.name)
    return frozenset(names)


def rows_ahead(c: Contraction, operand: Operand, size: int, group: int, target: Target) -> int:
    """How many bytes behind a row of a panel steps prefetch into the first cache; 0 for none.

    Steps read panels of ``size`` columns line after line, faster than lines come that are asked for
    when they are read.  A panel that the first cache keeps is there.
    """
    width = type_of(c, operand, group).bytes
    length = guessed(map(c.extent, c.reduced))
    is_near = length * size * width <= target.half_l1 or target.l1 == target.l3
    is_line = size * group * width >= LINE
    return target.prefetched if is_line and not is_near and group != PRODUCTS else 0


def _tiles(c: Contraction, operand: Operand, loops: Sequence[Loop]) -> int:
    """The tiles that read a panel in an iteration of the first loop over panels; 0 without one."""
    own, axes = c.own(operand), [axis for axis, _, _ in loops if axis is not None]
    if own not in operand.axes or own not in axes:
        return 0
    trips = guessed_trips(loops, {axis: c.extent(axis) for axis in axes})
    first = axes.index(own)
    inner = zip(axes[first + 1 :], trips[first + 1 :], strict=True)
    # Tiles along the operand's axes read other panels.
    return math.prod(n for axis, n in inner if axis not in operand.axes) if trips[first] > 1 else 0
