"""Which loops compute a contraction: tiles in registers, panels, blocks for caches and threads."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import body, schedule
from opc.dialects import expr as ex
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.target import PIECES, Target

from .contraction import Contraction, Operand, slice_of
from .groups import factor_types
from .tiles import Tile, is_direct, tile_for
from .window import Window

CHUNKS = PIECES
"""Blocks of rows that there are at least where there are enough: for threads to share."""
FEW_FUNCTIONS = 3
"""Functions of a sum that are as fast along the rows of a tile as along its columns.

A bias and a limit are; to quantize a sum, by nine of them, takes 1 instead of 10 ns.
"""


def plan(contraction: Contraction, target: Target, is_shared: bool = True) -> schedule.TreeOp:
    """The schedule for a machine; ``is_shared``: threads may share its loops."""
    group = _group(contraction, target)
    # Small integers lie in groups as the operator names them.
    c, tile = tile_for(contraction, target, may_turn=group == 1)
    windows = [operand for operand in (c.left, c.right) if c.window(operand) is not None]
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    is_tall = rows is None or (columns is not None and rows >= columns)
    ops = _one_tile(c, tile, group)
    if windows:
        ops = _over_window(c, tile, target, ops)
        return schedule.TreeOp.of(Block([*_laid_out(c, tile, group, target, ops), *ops]))
    if c.row is not None:
        ops = [schedule.ForOp.of(c.row, tile.rows, "serial", ops)]
    if c.column is not None:
        ops = [schedule.ForOp.of(c.column, tile.columns, "serial" if is_tall else "parallel", ops)]
    if c.row is not None and is_tall:
        block = _block(c, tile, target, CHUNKS if is_shared else 1)
        ops = [schedule.ForOp.of(c.row, block, "parallel", ops)]
    blocks = ops[0]
    for axis in reversed(c.outer):
        ops = [schedule.ForOp.of(axis, 1, "parallel", ops)]
    packs = _laid_out(c, tile, group, target, ops)
    if isinstance(blocks, schedule.ForOp) and blocks.kind.data == "parallel":
        packs = _shared(c, packs, blocks)
    return schedule.TreeOp.of(Block([*packs, *ops]))


def _shared(
    c: Contraction, packs: list[schedule.PackOp | schedule.PadOp], blocks: schedule.ForOp
) -> list[schedule.PackOp | schedule.PadOp]:
    """Let blocks that threads share make their own panels; the packs of what else they read.

    That are not constants, which are packed when compiling, nor what several blocks read.
    """
    own = c.left if blocks.axis == c.row else c.right
    if c.is_constant(own) or not own.axes.issuperset(c.outer) or not c.length.constant:
        return packs
    body = blocks.body.block
    assert body.first_op is not None
    body.insert_ops_before([op for op in packs if op.operand.data == own.name], body.first_op)
    return [op for op in packs if op.operand.data != own.name]


def _laid_out(
    c: Contraction, tile: Tile, group: int, target: Target, ops: Sequence[IRDLOperation]
) -> list[schedule.PackOp | schedule.PadOp]:
    """How the operands lie for the loops that read them.

    Constants that the second cache does not hold come from memory while tiles compute: each of the
    tiles that read a panel asks for the one that the next block of the outermost loop needs.
    """
    found: list[schedule.PackOp | schedule.PadOp] = []
    for operand, axis, size in ((c.left, c.row, tile.rows), (c.right, c.column, tile.columns)):
        if c.window(operand) is not None:
            found.insert(0, schedule.PadOp.of(operand.name, group))
        elif operand is c.right and tile.is_turned:
            continue
        elif group > 1 or not is_direct(c, operand, tile):
            loops = [op for o in ops for op in o.walk() if isinstance(op, schedule.ForOp)]
            if c.window(c.left) is not None:
                # Between two rows of results, filters stay in a cache.
                del loops[1:]
            block = next((op.step for op in loops if op.axis == axis), 0)
            ahead = block if _is_prefetched(c, operand, tile, block, target) else 0
            found.append(schedule.PackOp.of(operand.name, size, group, ahead))
    return found


def _is_prefetched(
    c: Contraction, operand: Operand, tile: Tile, block: int, target: Target
) -> bool:
    """Whether an operand comes from memory, in blocks that a cache holds, for several tiles each.

    ResNet-50 takes 0.95 of the time then, ResNet-18 0.97.
    """
    other, size = (c.column, tile.columns) if operand is c.left else (c.row, tile.rows)
    again = [axis for axis in c.outer if axis not in operand.axes]
    readers = ex.product(map(c.extent, (other, *again))).constant or 0
    length, values = c.length.constant or 0, ex.product(map(c.extent, operand.axes)).constant or 0
    fits = 2 * block * length * c.type.bytes <= target.l2
    is_large = 2 * values * c.type.bytes > target.l2
    return c.is_constant(operand) and is_large and fits and readers > size


def _group(c: Contraction, target: Target) -> int:
    """How many products a step takes: as many as the target can, in as few steps as there are."""
    counts = [n for n in (1, *target.groups) if factor_types(c, n) is not None]
    extent = c.extent(c.reduced[-1]).constant if c.reduced else 1
    return max(counts) if extent is None else min(counts, key=lambda n: (-(-extent // n), n))


def _over_window(
    c: Contraction, tile: Tile, target: Target, ops: list[IRDLOperation]
) -> list[IRDLOperation]:
    """Filters outermost, as many as a cache holds beside what a row of results sees of the window.

    So filters come from memory once, and the window once for each block of them.
    """
    ops = _around(c.row, "serial", ops, tile.rows)
    if c.column not in c.left.axes and c.window(c.left) is None:
        ops = _around(c.column, "serial", ops, tile.columns)
    window, columns = c.window(c.left), c.extent(c.column).constant
    block = tile.columns
    if window is not None and columns is not None and not c.right.axes & {*c.outer}:
        block = _filters(c, window, tile, target)
    if block > tile.columns:
        ops = _around(c.column, "serial", ops, tile.columns)
    for axis in reversed(c.outer):
        ops = _around(axis, "parallel", ops)
    if window is not None and (columns is None or block < columns or block == tile.columns):
        ops = _around(c.column, "parallel", ops, block)
    return ops


def _filters(c: Contraction, window: Window, tile: Tile, target: Target) -> int:
    """Filters of a block: all of them, or even parts, since threads share these."""
    columns = c.extent(c.column).constant or 1
    panel = tile.columns * c.type.bytes * (c.length.constant or BLOCK)
    seen = c.type.bytes * (_seen(c, window).constant or 0)
    whole = c.type.bytes * (window.elements.constant or 0)
    room, count = target.l2 // 4 * 3 - seen, -(-columns // tile.columns)
    if not seen or room < 2 * panel or (count * panel > room and whole <= target.l2 // 2):
        return tile.columns
    blocks = -(-count * panel // room)
    blocks += blocks % 2 if blocks > 1 else 0
    return -(-count // blocks) * tile.columns


def _seen(c: Contraction, window: Window) -> ex.Expr:
    """Elements of a window that are seen at one point of the outer axes."""
    outer, reduced = ({axis[-1] for axis in axes} for axes in (c.outer, c.reduced))
    extents = {axis[-1]: c.extent(axis) for axis in c.reduced}
    found = ex.const(1)
    for e, extent in zip(window.index, window.extents, strict=True):
        reach = extent
        if e.dims() & outer:
            inner = [(e.coefficient(d), extents[d]) for d in e.dims() & reduced]
            reach = ex.total_of((step or ex.const(1)) * (n - 1) for step, n in inner) + 1
        found = found * reach
    return found


def _block(contraction: Contraction, tile: Tile, target: Target, chunks: int) -> int:
    """Rows of a block: half of the second cache holds them, and there are about so many blocks."""
    length, rows = contraction.length.constant, contraction.extent(contraction.row).constant
    fitting = target.l2 // 2 // (contraction.type.bytes * max(1, length or BLOCK))
    tiles = max(1, fitting // tile.rows)
    if rows is not None:
        tiles = min(tiles, max(1, round(rows / (chunks * tile.rows))))
    return tiles * tile.rows


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
    if tile.is_turned:
        pack = schedule.PackOp.of(c.right.name, tile.columns)
        step = [schedule.ForOp.of(c.chain, tile.lanes, "serial", [pack, *step])]
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
    if not c.is_in_order:
        return bool(ops)
    return len(ops) > FEW_FUNCTIONS or any(op.is_long for op in ops)
