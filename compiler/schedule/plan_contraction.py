"""Which loops compute a contraction: tiles in registers, panels, blocks for caches and threads."""

from __future__ import annotations

import math
from dataclasses import replace

from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.order import BLOCK
from opc.support.target import FEW_FUNCTIONS, PIECES, Target

from .contraction import Contraction, Operand, slice_of
from .cost import applied, even_part
from .groups import factor_types, lies_in_groups
from .inside import cut, in_tiles, inside
from .nest_trees import Loop, nested
from .tiles import (
    Tile,
    fills_vectors,
    holds_filter,
    is_direct,
    squares_crowd,
    stay,
    tile_for,
)
from .window import Window

CHUNKS = PIECES
"""Blocks of rows that there are at least where there are enough: for threads to share."""


def plan(contraction: Contraction, target: Target, chunks: int = CHUNKS) -> schedule.TreeOp:
    """The schedule for a machine, with so many blocks of rows, for threads, if there are enough.

    ===================== ================================ =====================================
    what tiles read       where it is laid out             loops, outermost first
    ===================== ================================ =====================================
    matrices              in loops that leave it a part    columns, or blocks of rows
    a window of an image  in front of all loops            filters that a cache holds, the images
    one that each channel in loops that leave what the     channels, as many as a cache holds, or
    has for itself        first cache holds                blocks of their rows
    ===================== ================================ =====================================
    """
    tile, ops = _version(contraction, target, chunks)
    if tile.rows == 1 or chunks == 1 or not _may_be_one_row(contraction):
        return schedule.TreeOp.of(Block(ops))
    # Weights that lie in panels do so for both versions.
    shared = [op for op in ops if _is_panel_of_weights(contraction, op)]
    width = tile.columns if shared else None
    _, alone = _version(replace(contraction, rows=1), target, chunks, width)
    rest = [op for op in ops if op not in shared]
    alone = [op for op in alone if not _is_panel_of_weights(contraction, op)]
    is_one = 1 - ex.atleast(contraction.extent(contraction.row), 2)
    names = "one row", "more rows"
    return schedule.TreeOp.of(Block([*shared, schedule.IfOp.of(is_one, alone, rest, names)]))


def _may_be_one_row(c: Contraction) -> bool:
    """Whether only a run knows how many rows of a matrix there are, and there may be one.

    A tile of several computes one several times over: a network at batch 1 takes up to twice as
    long.
    """
    rows = c.extent(c.row)
    is_matrix = c.window(c.left) is c.window(c.right) is None and c.row not in c.right.axes
    step = math.gcd(*(factor for _, factor in rows.terms))
    return is_matrix and c.row is not None and rows.constant is None and step == 1


def _is_panel_of_weights(c: Contraction, op: IRDLOperation) -> bool:
    is_right = isinstance(op, schedule.PackOp) and op.operand.data == c.right.name
    return is_right and c.is_constant(c.right)


def _version(
    contraction: Contraction, target: Target, chunks: int, columns: int | None = None
) -> tuple[Tile, list[IRDLOperation]]:
    """The tile and the loops of one version; ``columns``: how many a tile has if that is given."""
    group = _group(contraction, target)
    # Small integers lie in groups as the operator names them.
    c, tile = tile_for(contraction, target, may_transpose=group == 1, columns=columns)
    ops, packs = _one_tile(c, tile, group, target), _laid_out(c, tile, group, target)
    if sees_alone(c, tile, target):
        ops = _within(c, tile, target, packs, ops)
    elif c.window(c.left) is not None or c.window(c.right) is not None:
        ops = _over_window(c, tile, target, ops)
        ops = [*(op for op in packs if not _place(c, op, ops[0])), *ops]
    else:
        is_packed = group > 1 or not is_direct(c, c.left, tile, target)
        ops = _over_matrix(c, tile, target, ops, is_packed, _block(c, tile, target, chunks))
        ops = [*(op for op in packs if not _place(c, op, ops[0])), *ops]
    return tile, ops


def _over_matrix(
    c: Contraction,
    tile: Tile,
    target: Target,
    ops: list[IRDLOperation],
    is_packed: bool,
    block: int,
) -> list[IRDLOperation]:
    """Columns outermost, which threads share, so that each packs its own.

    Rows are, in blocks, if they are more and ``is_packed`` says that they are packed, too, or if
    there are few tiles of columns.  Of rows that only a run knows there may be few: threads share
    columns, in even parts.
    """
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    loops: list[Loop] = [(axis, 1, "parallel") for axis in c.outer]
    inner: list[Loop] = [(c.column, tile.columns, "serial"), (c.row, tile.rows, "serial")]
    if _goes_by_rows(c, target):
        return nested([*loops, (c.row, tile.rows, "parallel"), inner[0]], ops)
    are_few = _has_few_columns(c, tile)
    if rows is None and columns is not None and not are_few:
        part = even_part(columns, -(-columns // CHUNKS), tile.columns)
        # Columns are read again by each block, and rows by each part, or else by each tile.
        is_blocked = columns / block + columns / part < columns / tile.columns
        blocks: list[Loop] = [(c.row, block, "serial")] if is_blocked else []
        return nested([*loops, (c.column, part, "parallel"), *blocks, *inner], ops)
    if rows is None or (columns is not None and (is_packed or are_few) and rows >= columns):
        return nested([*loops, (c.row, block, "parallel"), *inner], ops)
    return nested([*loops, (c.column, tile.columns, "parallel"), *inner[1:]], ops)


def _goes_by_rows(c: Contraction, target: Target) -> bool:
    """Whether all results of a few rows are computed before those of the next ones.

    That is where no cache holds the results, but half the second one all columns: results are
    written nearly as they lie then, not by pieces of each row.  4000 by 8, 16 and 32 by 4000 take
    0.38, 0.5 and 0.65 of the time, 777 by 64 by 777 0.91.
    """
    rows, columns, length = (e.constant for e in (c.extent(c.row), c.extent(c.column), c.length))
    if rows is None or columns is None or length is None:
        return False
    size = c.type.bytes
    return rows * columns * size > target.l2 and length * columns * size <= target.half_l2


def _place(c: Contraction, pack: IRDLOperation, around: IRDLOperation) -> bool:
    """Put a pack into loops that leave it a part of its operand each; False if that cannot be.

    Threads share the packing then, and that part is in a cache when it is read.  Constants are
    packed when compiling.
    """
    if not isinstance(pack, schedule.PackOp):
        return False
    operand, block = c.operand(pack.operand.data), None
    left = {axis for axis in (*operand.axes, c.own(operand), *c.reduced) if axis}
    while isinstance(around, schedule.ForOp) and around.kind.data == "parallel":
        if around.axis not in operand.axes:
            break
        block = around.body.block
        left.discard(around.axis)
        around = next(op for op in block.ops if isinstance(op, schedule.ForOp | schedule.RunOp))
    # A version for one row is as legal for any number of them.
    extents = [replace(c, rows=None).extent(axis).constant for axis in left]
    # Without a loop behind it, what is packed would be read by none.
    is_read = isinstance(around, schedule.ForOp)
    if block is None or not is_read or c.is_constant(operand) or None in extents:
        return False
    assert block.first_op is not None
    block.insert_op_before(pack, block.first_op)
    return True


def _laid_out(c: Contraction, tile: Tile, group: int, target: Target) -> list[IRDLOperation]:
    """How the operands lie for the loops that read them."""
    found: list[IRDLOperation] = []
    for operand, size in ((c.left, tile.rows), (c.right, tile.columns)):
        if c.window(operand) is not None:
            found.insert(0, schedule.PadOp.of(operand.name, group))
        elif operand is c.right and tile.is_transposed:
            continue
        elif not _lies_well(c, operand, tile, group, target):
            found.append(schedule.PackOp.of(operand.name, size, group))
    return found


def _lies_well(c: Contraction, operand: Operand, tile: Tile, group: int, target: Target) -> bool:
    """Whether an operand is read where it lies: groups are if the first cache holds their lines."""
    if group == 1:
        return is_direct(c, operand, tile, target)
    is_left = operand is c.left
    return is_left and lies_in_groups(c, tile.rows, group) and stay(c, tile.rows, target)


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
    window, columns, block = c.window(c.left), c.extent(c.column).constant, tile.columns
    if window is not None and columns is not None and not c.right.axes & {*c.outer}:
        block = _filters(c, window, tile, target)
    rows = c.extent(c.row).constant
    is_long = rows is None or (columns is not None and rows >= columns)
    if not c.outer and window is not None and is_long and _has_few_columns(c, tile):
        # A signal of few channels: threads share its blocks.
        around: list[Loop] = [(c.row, _block(c, tile, target, CHUNKS), "parallel")]
        inner: list[Loop] = [(c.column, tile.columns, "serial"), (c.row, tile.rows, "serial")]
        return nested([*around, *inner], ops)
    # Threads share the outermost loop that is: images whose number only a run knows may be one.
    *before, last = c.outer or (None,)
    loops: list[Loop] = [
        (axis, 1, "serial" if c.extent(axis).constant is None else "parallel") for axis in before
    ]
    loops += [(last, 1, "parallel")] if last else []
    if window is not None and (columns is None or block < columns or block == tile.columns):
        loops.insert(0, (c.column, block, "parallel"))
    if block > tile.columns or (window is None and c.column not in c.left.axes):
        loops.append((c.column, tile.columns, "serial" if loops else "parallel"))
    return nested([*loops, _rows(c, tile, "serial" if loops else "parallel")], ops)


def _within(
    c: Contraction, tile: Tile, target: Target, pads: list[IRDLOperation], ops: list[IRDLOperation]
) -> list[IRDLOperation]:
    """Points of the outer axes lay out what they see, as much as half the first cache holds.

    That is what some of them see, or some rows of one.  It is read while it is there, but not right
    behind: loads that take what several stores have just written wait until these are through.
    """
    *outer, last = [(axis, 1, "parallel") for axis in c.outer] or [(None, 1, "parallel")]
    rows, points = c.extent(c.row).constant or 1, c.extent(last[0]).constant or 1
    room = target.half_l1
    inner: list[Loop] = [(c.column, tile.columns, "serial"), _rows(c, tile)]
    if _bytes_within(c, tile, rows) <= room:
        count = even_part(points, max(1, room // _bytes_within(c, tile, rows)))
        around: list[Loop] = [*outer, (last[0], count, "parallel")]
        return nested(around, [*pads, *nested([(last[0], 1, "serial")] * (count > 1) + inner, ops)])
    sizes = [n for n in range(tile.rows, rows, tile.rows) if _bytes_within(c, tile, n) <= room]
    block = even_part(rows, max(sizes, default=tile.rows), tile.rows)
    return nested([*outer, last, (c.row, block, "serial")], [*pads, *nested(inner, ops)])


def _rows(c: Contraction, tile: Tile, kind: str = "serial") -> Loop:
    """The loop over tiles of rows, or over the rows of a window if each goes on with several."""
    return c.row, tile.rows, schedule.ROTATING if tile.is_rotating else kind


def _bytes_within(c: Contraction, tile: Tile, rows: int) -> int:
    """Bytes of what so many rows see at one point of the outer axes; 1 where there is nothing."""
    window = c.window(c.right)
    assert window is not None
    left_out = [(axis, c.extent(axis) - 1) for axis in c.outer]
    left_out += [(c.row, c.extent(c.row) - rows)] if c.row else []
    part = window.part({axis[-1]: (ex.const(0), n) for axis, n in left_out})
    part = cut(
        window, part, in_tiles(inside(c), {c.row: tile.rows, c.column: tile.columns}).values()
    )
    return max(1, (part.elements.constant or 0) * c.type.bytes)


def sees_alone(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether columns are along a window of which each point of the outer axes sees its own part.

    So are the channels of a depthwise convolution.  How much a tile sees is known, and little.
    """
    window, outer = c.window(c.right), {axis[-1] for axis in c.outer}
    if window is None or c.column is None or None in (e.constant for e in window.extents):
        return False
    inner = {axis[-1] for axis in c.reduced}
    is_apart = not any(e.dims() & outer and e.dims() & inner for e in window.index)
    axes = {axis for axis in (*c.outer, c.row, c.column) if axis is not None}
    return (
        is_apart and axes <= c.right.axes and _bytes_within(c, tile, tile.rows) <= target.quarter_l2
    )


def _filters(c: Contraction, window: Window, tile: Tile, target: Target) -> int:
    """Filters of a block: all of them, or even parts, since threads share these."""
    columns = c.extent(c.column).constant or 1
    panel = tile.columns * c.type.bytes * (c.length.constant or BLOCK)
    seen = c.type.bytes * (_seen(c, window).constant or 0)
    whole = c.type.bytes * (window.elements.constant or 0)
    room, count = target.l2 - target.quarter_l2 - seen, -(-columns // tile.columns)
    if not seen or room < 2 * panel or (count * panel > room and whole <= target.half_l2):
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


def _has_few_columns(c: Contraction, tile: Tile) -> bool:
    """Whether tiles of columns are too few for threads to share."""
    columns = c.extent(c.column).constant
    return columns is not None and 2 * columns < CHUNKS * tile.columns


def _block(contraction: Contraction, tile: Tile, target: Target, chunks: int) -> int:
    """Rows of a block: half of the second cache holds them, and there are about so many blocks."""
    length, rows = contraction.length.constant, contraction.extent(contraction.row).constant
    fitting = target.half_l2 // (contraction.type.bytes * max(1, length or BLOCK))
    tiles = max(1, fitting // tile.rows)
    if rows is not None:
        tiles = min(tiles, max(1, round(rows / (chunks * tile.rows))))
    return tiles * tile.rows


def _one_tile(
    contraction: Contraction, tile: Tile, group: int, target: Target
) -> list[IRDLOperation]:
    """The chain of a tile and what follows it; a long chain of floats is several, added up."""
    c, run = contraction, schedule.RunOp.of
    chain: list[Loop] = [
        (axis, group if axis == c.reduced[-1] else 1, "serial") for axis in c.reduced
    ]
    registers: list[Loop] = [(c.row, 1, "unroll"), (c.column, tile.lanes, "vector")]
    if tile.is_rotating:
        kind = "unroll" if holds_filter(c, tile, target) else "serial"
        chain = [(axis, 1, kind) for axis in c.reduced[1:]]
        registers[0] = (c.reduced[0], 1, "unroll")
    step = nested([*chain, *registers], [run("step")])
    if tile.is_transposed:
        pack = schedule.PackOp.of(c.right.name, tile.columns)
        is_peeled = squares_crowd(c, tile, target)
        step = [schedule.ForOp.of(c.chain, tile.lanes, "serial", [pack, *step], is_peeled)]
    ops = [run("init"), *step, run("finish")]
    length = c.length.constant
    if group == 1 and (length is None or length > BLOCK):
        ops = [run("start"), schedule.ForOp.of(c.chain, BLOCK, "serial", ops)]
    if _has_functions(c, tile):
        # Results lie along rows, of which a tile has too few for vectors of functions, or are so
        # narrow that a tile has too few columns for vectors of them.
        row = None if tile.is_rotating else c.row
        ops += nested([(row, 1, "serial"), (c.column, 1, "vector")], [run("apply")])
    row = None if tile.is_rotating else c.row
    axes = (row, c.column) if c.is_in_order else (c.column, row)
    return [*ops, *nested([(axes[0], 1, "serial"), (axes[1], 1, "vector")], [run("out")])]


def _has_functions(c: Contraction, tile: Tile) -> bool:
    """Whether so much follows the sum that it is worth a loop of its own along the columns."""
    ops = applied(slice_of(c.applied))
    if not c.is_in_order:
        return bool(ops)
    is_whole = c.applies_to_all and fills_vectors(c.extent(c.column), tile)
    return not is_whole and (len(ops) > FEW_FUNCTIONS or any(op.is_expensive for op in ops))
