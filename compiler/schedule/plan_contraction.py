"""Which loops compute a contraction: tiles in registers, panels, blocks for caches and threads."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import body, schedule
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.target import PIECES, Target

from .contraction import Contraction, Operand, slice_of
from .groups import factor_types

CHUNKS = PIECES
"""Blocks of rows that there are at least where there are enough: for threads to share."""
FEW_TILES = 4
"""Tiles that read an operand at most for it to stay where it lies."""
FEW_FUNCTIONS = 3
"""Functions of a sum that are as fast along the rows of a tile as along its columns.

A bias and a limit are; to quantize a sum, by nine of them, takes 1 instead of 10 ns.
"""


@dataclass(frozen=True)
class Tile:
    """Sums that stay in registers: ``rows`` times ``columns`` of them, in vectors of ``lanes``."""

    rows: int
    columns: int
    lanes: int


def tile_for(contraction: Contraction, target: Target) -> Tile:
    """The tile that needs the fewest loads for each multiply-add, of those that registers hold.

    A step loads one value of each row and the vectors of the columns; the sums, the vectors of the
    columns and one row's value are in registers.
    """
    lanes = target.vector_bytes // contraction.type.bytes
    rows = contraction.extent(contraction.row).constant
    columns = contraction.extent(contraction.column).constant
    while columns is not None and lanes > 1 and columns <= lanes // 2:
        lanes //= 2
    # A row of columns that is read where it lies is better long: memory is read in order.
    right = contraction.right
    is_panel = contraction.runs_along_chain(right) or contraction.is_constant(right)
    most = target.chains if is_panel else target.registers - 2
    if columns is not None:
        most = max(1, min(most, -(-columns // lanes)))
    is_window = contraction.window(contraction.left) is not None
    return min(
        (_tile(rows, columns, lanes, vectors, target, is_window) for vectors in range(1, most + 1)),
        key=lambda found: found[0],
    )[1]


def _tile(
    rows: int | None,
    columns: int | None,
    lanes: int,
    vectors: int,
    target: Target,
    is_window: bool,
) -> tuple[float, Tile]:
    """A tile with so many vectors of columns, and what a multiply-add of it costs."""
    height = max(1, (target.registers - 1 - vectors) // vectors)
    if rows:
        # Of 15 rows two tiles of 8, not one of 14 and one of 1.
        height = -(-rows // -(-rows // height))
    width = vectors * lanes
    wasted = -(-columns // width) * width / columns if columns else 1.0
    loads = (height + vectors) / (height * vectors)
    stall = max(1.0, target.chains / (height * vectors))
    if is_window and rows:
        wasted *= -(-rows // height) * height / rows
    least = target.window_loads if is_window else target.loads
    return max(loads, least) * stall * wasted, Tile(height, width, lanes)


def is_direct(c: Contraction, operand: Operand, tile: Tile) -> bool:
    """Whether an operand is read where it lies: laying it out pays once several tiles read it.

    Constants are laid out when compiling: panels of them are read in the order of memory, which is
    2.7 times as fast for one row (weights of 768 by 3072, 34 instead of 13 GB/s).
    """
    is_left = operand is c.left
    own, size = (c.row, tile.rows) if is_left else (c.column, tile.columns)
    other, width = (c.column, tile.columns) if is_left else (c.row, tile.rows)
    if own is not None and own not in operand.axes:
        return c.reads_within(operand, size)
    extent = c.extent(own).constant
    if own is not None and c.is_constant(operand) and (extent is None or extent > size):
        return False
    readers = c.extent(other).constant
    is_read_often = readers is None or readers > FEW_TILES * width
    return c.reads_within(operand, size) and (own is None or not is_read_often)


def plan(contraction: Contraction, target: Target, is_shared: bool = True) -> schedule.TreeOp:
    """The schedule for a machine; ``is_shared``: threads may share its loops."""
    c, tile = contraction, tile_for(contraction, target)
    group = _group(c, target)
    windows = [operand for operand in (c.left, c.right) if c.window(operand) is not None]
    packs: list[IRDLOperation] = [schedule.PadOp.of(operand.name, group) for operand in windows]
    packs += [
        schedule.PackOp.of(operand.name, size, group)
        for operand, size in ((c.left, tile.rows), (c.right, tile.columns))
        if operand not in windows and (group > 1 or not is_direct(c, operand, tile))
    ]
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    is_tall = rows is None or (columns is not None and rows >= columns)
    ops = _one_tile(c, tile, group)
    if windows:
        return schedule.TreeOp.of(Block([*packs, *_over_window(c, tile, ops)]))
    if c.row is not None:
        ops = [schedule.ForOp.of(c.row, tile.rows, "serial", ops)]
    if c.column is not None:
        ops = [schedule.ForOp.of(c.column, tile.columns, "serial" if is_tall else "parallel", ops)]
    if c.row is not None and is_tall:
        block = _block(c, tile, target, CHUNKS if is_shared else 1)
        ops = [schedule.ForOp.of(c.row, block, "parallel", ops)]
    for axis in reversed(c.outer):
        ops = [schedule.ForOp.of(axis, 1, "parallel", ops)]
    return schedule.TreeOp.of(Block([*packs, *ops]))


def _group(c: Contraction, target: Target) -> int:
    """How many products a step takes: as many as the target can, in as few steps as there are."""
    counts = [n for n in (1, *target.groups) if factor_types(c, n) is not None]
    extent = c.extent(c.reduced[-1]).constant if c.reduced else 1
    return max(counts) if extent is None else min(counts, key=lambda n: (-(-extent // n), n))


def _over_window(c: Contraction, tile: Tile, ops: list[IRDLOperation]) -> list[IRDLOperation]:
    """Filters outermost: those of a tile stay in a cache while it goes over the window."""
    ops = _around(c.row, "serial", ops, tile.rows)
    if c.column not in c.left.axes and c.window(c.left) is None:
        ops = _around(c.column, "serial", ops, tile.columns)
    for axis in reversed(c.outer):
        ops = _around(axis, "parallel", ops)
    if c.window(c.left) is not None:
        ops = _around(c.column, "parallel", ops, tile.columns)
    return ops


def _block(contraction: Contraction, tile: Tile, target: Target, chunks: int) -> int:
    """Rows of a block: half of the second cache holds them, and there are so many blocks."""
    length, rows = contraction.length.constant, contraction.extent(contraction.row).constant
    fitting = target.l2 // 2 // (contraction.type.bytes * max(1, length or BLOCK))
    if rows is not None:
        fitting = min(fitting, max(rows // chunks, 1))
    return max(1, fitting // tile.rows) * tile.rows


def _around(
    axis: Axis | None, kind: str, ops: list[IRDLOperation], by: int = 1
) -> list[IRDLOperation]:
    return ops if axis is None else [schedule.ForOp.of(axis, by, kind, ops)]


def _one_tile(contraction: Contraction, tile: Tile, group: int) -> list[IRDLOperation]:
    """The chain of a tile and what follows it; a long chain of floats is several, added up."""
    c, run = contraction, schedule.RunOp.of
    step = _around(c.row, "unroll", _around(c.column, "vector", [run("step")], tile.lanes))
    for axis in reversed(c.reduced):
        step = _around(axis, "serial", step, group if axis == c.reduced[-1] else 1)
    ops = [run("init"), *step, run("finish")]
    length = c.length.constant
    if group == 1 and (length is None or length > BLOCK):
        ops = [run("start"), schedule.ForOp.of(c.chain, BLOCK, "serial", ops)]
    if _has_functions(c):
        # Results lie along rows, of which a tile has too few for vectors of functions, or are so
        # narrow that a tile has too few columns for vectors of them.
        ops += _around(c.row, "serial", _around(c.column, "vector", [run("apply")]))
    axes = (c.row, c.column) if c.is_in_order else (c.column, c.row)
    return [*ops, *_around(axes[0], "serial", _around(axes[1], "vector", [run("out")]))]


def _has_functions(c: Contraction) -> bool:
    """Whether so much follows the sum that it is worth a loop of its own along the columns."""
    ops = [op for op in slice_of(c.applied) if isinstance(op, body.ApplyOp)]
    return len(ops) > FEW_FUNCTIONS or any(op.is_long for op in ops)
