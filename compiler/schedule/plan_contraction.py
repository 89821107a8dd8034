"""Plan a contraction: register tiles, panels, blocks for caches and threads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.budgets import TILES
from opc.dialects.matrix_ops import BESIDE, PRODUCTS, ROWS
from opc.dialects.schedule import TreeOp
from opc.errors import InputError
from opc.support.target import CERTAIN, CERTAIN_OF_LOOPS, CERTAIN_OF_WINDOWS, Target

from .contraction import Contraction, Operand
from .contraction_cost import Costs
from .contraction_loops import CHUNKS, loops_around, orders
from .contraction_trees import Choice, stored_pack
from .legality import check
from .matrix_tiles import matrix_tiles
from .product_groups import (
    factor_types,
    is_narrow,
    lies_in_groups,
    matrix_chain,
    matrix_products,
)
from .register_tiles import Tile, is_direct, stay
from .stored import is_known, small_part, stored_parts
from .tiles import tiles_for

FEW_OR_MORE = "few rows", "more rows"
"""The names of two versions."""


def plan(contraction: Contraction, target: Target, chunks: int = CHUNKS) -> schedule.TreeOp:
    """The schedule for a machine; rows make ``chunks`` blocks for threads, if there are enough."""
    return tree(choose(contraction, target, chunks), contraction, target, chunks)


def tree(
    choice: Choice, contraction: Contraction, target: Target, chunks: int = CHUNKS
) -> schedule.TreeOp:
    """The schedule of a choice; where rows may be few, it is that of more rows."""
    fewest = _fewest_rows(contraction) if chunks > 1 else None
    if fewest == 1 and choice.stored is not None:
        return _as_stored(choice, contraction, target, chunks)
    ops = choice.ops(target)
    if fewest is None or choice.tile.rows == 1 or choice.stored is not None:
        return schedule.TreeOp.of(Block(ops))
    # Both versions share the panels of weights.
    shared = [op for op in ops if _is_panel_of_weights(contraction, op)]
    width = choice.tile.columns if shared else None
    few = choose(replace(contraction, rows=fewest), target, chunks, width)
    is_alike = few.tile.rows < fewest or (few.tile, few.packs) == (choice.tile, choice.packs)
    if is_alike and few.blocks_at is None:
        return schedule.TreeOp.of(Block(ops))
    several: list[IRDLOperation] = [op for op in ops if op not in shared]
    many = choose(replace(contraction, least=ROWS), target, chunks, choice.tile.columns)
    if shared and many.group != choice.group:
        more = [op for op in many.ops(target) if not _is_panel_of_weights(contraction, op)]
        are_few, names = 1 - ex.atleast(contraction.extent(contraction.row), ROWS), FEW_OR_MORE
        several = [schedule.IfOp.of(are_few, several, more, names)]
    alone = [op for op in few.ops(target) if not _is_panel_of_weights(contraction, op)]
    return _versions(contraction, fewest, shared, alone, several)


def _versions(
    c: Contraction,
    fewest: int,
    shared: list[IRDLOperation],
    alone: list[IRDLOperation],
    several: list[IRDLOperation],
) -> schedule.TreeOp:
    """The tree with a version for the fewest rows and one for more."""
    are_few = 1 - ex.atleast(c.extent(c.row), fewest + 1)
    names = ("one row", "more rows") if fewest == 1 else FEW_OR_MORE
    return schedule.TreeOp.of(Block([*shared, schedule.IfOp.of(are_few, alone, several, names)]))


def _as_stored(
    choice: Choice, contraction: Contraction, target: Target, chunks: int
) -> schedule.TreeOp:
    """Both versions read the constants of one row's panels, more rows parts of these."""
    one = replace(contraction, rows=1)
    _, tile = tiles_for(one, target, False)[0]
    size = tile.columns
    if size % choice.tile.columns:
        choice = choose(contraction, target, chunks, size)
    versions = [choose(one, target, chunks, size), replace(choice, stored=size)]
    alone, several = (
        [op for op in version.ops(target) if not _is_panel_of_weights(contraction, op)]
        for version in versions
    )
    shared = stored_pack(contraction, size, tile.lanes, target)
    return _versions(contraction, 1, [shared], alone, several)


def _fewest_rows(c: Contraction) -> int | None:
    """The fewest rows of a matrix that has an unknown number of them, such as 4 of 4 * n.

    A tile of more rows computes them several times, and panels of columns pay for many rows only: a
    network at batch 1 takes up to twice as long.
    """
    rows = c.extent(c.row)
    is_matrix = c.window(c.left) is c.window(c.right) is None and c.row not in c.right.axes
    return rows.divisor if is_matrix and c.row is not None and rows.constant is None else None


def _is_panel_of_weights(c: Contraction, op: IRDLOperation) -> bool:
    is_right = isinstance(op, schedule.PackOp) and op.operand.data == c.right.name
    return is_right and is_known(c, c.right)


def choose(
    contraction: Contraction, target: Target, chunks: int, columns: int | None = None
) -> Choice:
    """The choice for one version; ``columns`` fixes the columns of a tile."""
    group = _group(contraction, target, columns)
    # Groups of small integers have the operands as the operator names them.
    c, tile = tiles_for(contraction, target, group == 1, columns, group)[0]
    packs = packed(c, tile, group, target)
    is_packed = group > 1 or "left" in packs
    loops, depth = loops_around(c, tile, target, group, is_packed, chunks)
    if stored_parts(c, target) is not None:
        return Choice(c, tile, 1, packs, loops, depth, columns or tile.columns)
    planned = Choice(c, tile, group, packs, loops, depth).with_widened(target)
    return planned if columns else _unless_slow(planned, contraction, target, chunks)


def _unless_slow(planned: Choice, source: Contraction, target: Target, chunks: int) -> Choice:
    """The choice, or another one of the least cost, if that is far less.

    So it is where what a tile reads falls into few sets of all caches, and comes from the last
    level at each step: 1024 to 256 channels of 64 by 64 take 0.42 of the time.  Of the same tile
    and panels in other loops the costs are more certain, since arithmetic is the same.
    """
    c = planned.contraction
    extents = [c.extent(axis).constant for axis in (*c.outer, c.row, c.column, *c.reduced)]
    # A machine with one level of memory waits for none, and nothing is slow without elements.
    if target.l1 == target.l3 or None in extents or 0 in extents or planned.tile.is_transposed:
        return planned
    costs, ranked = Costs(target, chunks), list[tuple[float, int, Choice]]()
    is_window = any(c.window(operand) is not None for operand in (c.left, c.right))
    most = costs.cycles(planned) / (CERTAIN_OF_WINDOWS if is_window else CERTAIN)
    for first in tiled(planned, source, target):
        if costs.bound(first) <= most:
            # The loops first, and then what to pack.
            own = [(costs.cycles(d), len(ranked) + k, d) for k, d in enumerate(ordered(first))]
            ranked += own
            others = packings(min(own)[2])
            ranked += [(costs.cycles(d), len(ranked) + k, d) for k, d in enumerate(others)]
    likely = [d for cycles, _, d in sorted(ranked) if cycles < most]
    certain = CERTAIN_OF_LOOPS if is_window else CERTAIN
    for d in sorted(ordered(planned), key=costs.cycles):
        # Neither one thread nor several take longer.
        both = [(of(d), of(planned)) for of in (costs.alone, costs.cycles)]
        likely += [d] * all(cycles * certain < before for cycles, before in both)
    # The costs count no widening.
    widened = (d.with_widened(target) for d in likely)
    alike = (d for d in widened if d.widened == planned.widened)
    legal = (d for d in alike if is_legal(source, TreeOp.of(Block(d.ops(target)))))
    return next(legal, planned)


def tiled(planned: Choice, source: Contraction, target: Target) -> Iterator[Choice]:
    """The choices with the best tiles for each number of columns, otherwise as planned."""
    seen = dict[object, int]()
    for c, tile in tiles_for(source, target, planned.group == 1, group=planned.group):
        key = c.row, tile.columns
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= TILES:
            stored = None if stored_parts(c, target) is None else tile.columns
            packs = packed(c, tile, planned.group, target)
            yield replace(planned, contraction=c, tile=tile, packs=packs, stored=stored)


def ordered(choice: Choice) -> Iterator[Choice]:
    """The choices with other loops."""
    for loops, depth in orders(choice.contraction, choice.tile):
        yield replace(choice, loops=loops, depth=depth)


def packings(choice: Choice) -> Iterator[Choice]:
    """The choices with one operand more or less in panels.

    Some are illegal, since no tile can read an operand where it lies.
    """
    c, tile = choice.contraction, choice.tile
    is_free = not tile.is_transposed and choice.stored is None
    for operand in (c.left, c.right) if is_free else (c.left,):
        if c.window(operand) is None:
            yield replace(choice, packs=choice.packs ^ {operand.name})


def is_legal(c: Contraction, tree: TreeOp) -> bool:
    """Whether a schedule is legal for a contraction."""
    try:
        check(c, tree)
    except InputError:
        return False
    return True


def packed(c: Contraction, tile: Tile, group: int, target: Target) -> frozenset[str]:
    """The operands that are packed, as values that are known or computed before."""
    is_free = not tile.is_transposed and stored_parts(c, target) is None
    operands = (c.left, c.right) if is_free else (c.left,)
    return frozenset(o.name for o in operands if not _lies_well(c, o, tile, group, target))


def _lies_well(c: Contraction, operand: Operand, tile: Tile, group: int, target: Target) -> bool:
    """Whether an operand is read without a copy; groups are if the first-level cache holds them."""
    if group == 1:
        return is_direct(c, operand, tile, target)
    if operand is not c.left or is_narrow(c, operand, group):
        return False
    return lies_in_groups(c, tile.rows, group) and stay(c, tile.rows, target)


def _group(c: Contraction, target: Target, columns: int | None) -> int:
    """The products of a step: as few as make the least number of steps on the target.

    Tiles in matrix registers may have none of the given number of ``columns``.
    """
    counts = [1]
    for count in target.groups:
        types = factor_types(c, count)
        if types is None:
            continue
        if count == PRODUCTS and not (_fills_registers(c) and matrix_tiles(c, target, columns)):
            continue
        is_any = count == PRODUCTS or max(t.bytes for t in types) > 1
        if is_any or (types[0] is types[1]) in target.alike:
            counts.append(count)
    extents = [c.extent(axis).constant for axis in matrix_chain(c)] if c.reduced else [1]
    if extents[-1] is None:
        return max(counts)
    *outer, inner = (n or 1 for n in extents)
    # Multiply-adds of vectors; a step of matrix registers takes a cycle for each.
    steps = {n: math.prod(outer) * -(-inner // n) / target.starts for n in counts}
    if PRODUCTS in counts:
        blocks = 1 if c.around is None else inner // matrix_products(c)
        steps[PRODUCTS] = blocks * -(-matrix_products(c) // PRODUCTS)
    return min(counts, key=lambda n: (steps[n], n))


def _fills_registers(c: Contraction) -> bool:
    """Whether rows fill matrix registers, if that matters.

    Whole registers go through memory where a term is made of the sums of each block, and panels of
    4 or 2 bits are unpacked to bytes for the tiles of all rows.
    """
    rows = c.extent(c.row).constant or c.least or 0
    is_any = c.terms is None and small_part(c, BESIDE) is None
    return is_any or rows >= ROWS
