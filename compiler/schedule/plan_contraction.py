"""Plan a contraction: register tiles, panels, blocks for caches and threads."""

from __future__ import annotations

import math
from dataclasses import replace

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.support.target import Target

from .contraction import Contraction, Operand
from .contraction_loops import CHUNKS, loops_around
from .contraction_trees import Choice
from .groups import factor_types, lies_in_groups
from .register_tiles import Tile, is_direct, stay
from .tiles import tiles_for


def plan(contraction: Contraction, target: Target, chunks: int = CHUNKS) -> schedule.TreeOp:
    """The schedule for a machine; rows make ``chunks`` blocks for threads, if there are enough."""
    return tree(choose(contraction, target, chunks), contraction, target, chunks)


def tree(
    choice: Choice, contraction: Contraction, target: Target, chunks: int = CHUNKS
) -> schedule.TreeOp:
    """The schedule of a choice; where rows may be one, it is that of more rows."""
    ops = choice.ops(target)
    if choice.tile.rows == 1 or chunks == 1 or not _may_be_one_row(contraction):
        return schedule.TreeOp.of(Block(ops))
    # Both versions share the panels of weights.
    shared = [op for op in ops if _is_panel_of_weights(contraction, op)]
    width = choice.tile.columns if shared else None
    alone = choose(replace(contraction, rows=1), target, chunks, width).ops(target)
    several = [op for op in ops if op not in shared]
    alone = [op for op in alone if not _is_panel_of_weights(contraction, op)]
    is_one = 1 - ex.atleast(contraction.extent(contraction.row), 2)
    names = "one row", "more rows"
    return schedule.TreeOp.of(Block([*shared, schedule.IfOp.of(is_one, alone, several, names)]))


def _may_be_one_row(c: Contraction) -> bool:
    """Whether a matrix has an unknown number of rows, possibly one.

    A tile of several rows computes one row several times: a network at batch 1 takes up to twice as
    long.
    """
    rows = c.extent(c.row)
    is_matrix = c.window(c.left) is c.window(c.right) is None and c.row not in c.right.axes
    step = math.gcd(*(factor for _, factor in rows.terms))
    return is_matrix and c.row is not None and rows.constant is None and step == 1


def _is_panel_of_weights(c: Contraction, op: IRDLOperation) -> bool:
    is_right = isinstance(op, schedule.PackOp) and op.operand.data == c.right.name
    return is_right and c.is_constant(c.right)


def choose(
    contraction: Contraction, target: Target, chunks: int, columns: int | None = None
) -> Choice:
    """The choice for one version; ``columns`` fixes the columns of a tile."""
    group = _group(contraction, target)
    # Groups of small integers have the operands as the operator names them.
    c, tile = tiles_for(contraction, target, group == 1, columns)[0]
    packs = packed(c, tile, group, target)
    is_packed = group > 1 or "left" in packs
    return Choice(c, tile, group, packs, *loops_around(c, tile, target, is_packed, chunks))


def packed(c: Contraction, tile: Tile, group: int, target: Target) -> frozenset[str]:
    """The operands that are packed."""
    operands = (c.left,) if tile.is_transposed else (c.left, c.right)
    return frozenset(o.name for o in operands if not _lies_well(c, o, tile, group, target))


def _lies_well(c: Contraction, operand: Operand, tile: Tile, group: int, target: Target) -> bool:
    """Whether an operand is read without a copy; groups are if the first-level cache holds them."""
    if group == 1:
        return is_direct(c, operand, tile, target)
    is_left = operand is c.left
    return is_left and lies_in_groups(c, tile.rows, group) and stay(c, tile.rows, target)


def _group(c: Contraction, target: Target) -> int:
    """The products of a step: as few as make the least number of steps on the target."""
    counts = [n for n in (1, *target.groups) if factor_types(c, n) is not None]
    extent = c.extent(c.reduced[-1]).constant if c.reduced else 1
    return max(counts) if extent is None else min(counts, key=lambda n: (-(-extent // n), n))
