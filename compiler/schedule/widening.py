"""Where constants of 8 bits beside factors of 16 are widened: in each step of a tile, or before.

::

    schedule.pack right by 16 group 2         // bytes
    schedule.for [d1] by 16 parallel {
      schedule.pack right by 16 group 2       // the panel in 16 bits, for the tiles of all rows
      schedule.for [d0] by 4 serial {

A panel in 16 bits is written once and read by all tiles in the loops behind it; in a step, numbers
are widened for one tile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from opc.support.target import GUESSED, Target

from .contraction import Contraction, Operand
from .cost import guessed_trips
from .nest_trees import Loop
from .product_groups import is_narrow, type_of
from .register_tiles import Tile


def widened(
    c: Contraction, tile: Tile, group: int, loops: Sequence[Loop], target: Target
) -> frozenset[str]:
    """The narrow operands that take less time if panels of 16 bits are written for the tiles."""
    names: set[str] = set()
    for operand in (c.left, c.right):
        own = c.own(operand)
        if own is None or own not in operand.axes or not is_narrow(c, operand, group):
            continue
        size = tile.rows if operand is c.left else tile.columns
        # A panel is read and written in vectors.
        vectors, length = size / tile.lanes, c.length.constant or GUESSED
        is_signed = type_of(c, operand, group).kind != "unsigned"
        widening = target.sign_extending if is_signed else target.widening
        writing = vectors * (widening + 1) / _readers(c, operand, loops)
        reading = [_far(length * size * bytes, vectors, target) for bytes in (1, 2)]
        # Vectors of columns are widened once for all rows, but each row has a pair of its own, that
        # goes to all lanes in registers: from memory, that costs nothing.
        in_steps = vectors * widening
        if operand is c.left:
            in_steps = tile.rows * (widening + target.lane_to_all)
        in_steps += reading[0] / 2
        if writing + reading[1] < in_steps:
            names.add(operand.name)
    return frozenset(names)


def _far(size: int, vectors: float, target: Target) -> float:
    """What vectors take that come from the second cache, in multiply-adds of a vector.

    So a panel of ``size`` bytes does that the first one does not hold beside the other operand.
    """
    if size <= target.l1 - target.quarter_l1:
        return 0
    return vectors * target.vector_bytes / target.l2_rate * target.starts


def place(c: Contraction, operand: Operand, loops: Sequence[Loop]) -> int:
    """The loops around panels in 16 bits: all those that leave one panel."""
    axes = {*operand.axes, c.own(operand)}
    return max((k for k, (axis, _, _) in enumerate(loops, 1) if axis in axes), default=0)


def _readers(c: Contraction, operand: Operand, loops: Sequence[Loop]) -> int:
    """The tiles that read such a panel."""
    trips = guessed_trips(loops, {axis: c.extent(axis) for axis, _, _ in loops if axis})
    return math.prod(trips[place(c, operand, loops) :])
