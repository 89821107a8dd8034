"""The loops around the tiles of a contraction: orders of axes, blocks for caches and threads.

===================== ================================ =====================================
operand of tiles      copied                           loops, outermost first
===================== ================================ =====================================
matrix                part by part, in loops           columns, or blocks of rows, or of the
                                                       chain where results are few
window of an image    in front of all loops            filters that a cache holds, images
the same, too large   part by part                     some rows of the image
window of one channel part by part, as much as the     channels, as many as a cache holds, or
                      first-level cache holds          blocks of their rows
===================== ================================ =====================================
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.matrix_ops import PRODUCTS
from opc.dialects.order import BLOCK
from opc.support.target import JOIN, PIECES, Target

from .contraction import Contraction
from .cost import even_part
from .nest_trees import Loop
from .prefetching import prefetched
from .product_groups import type_of
from .register_tiles import Tile
from .rotating import rotation_of
from .stored import stored_parts
from .unpadded import cut, in_tiles, inside
from .window import Window

CHUNKS = PIECES
"""The least number of blocks of rows, if there are enough rows: for threads to share."""

Around = tuple[tuple[Loop, ...], int]
"""Loops, and how many stand in front of the copies of windows."""


def loops_around(
    c: Contraction, tile: Tile, target: Target, group: int, is_packed: bool, chunks: int
) -> Around:
    """The loops around tiles, of which a step takes a ``group`` of products.

    ``is_packed`` says that rows are in panels, and ``chunks`` in how many parts for threads.
    """
    if sees_alone(c, tile, target):
        return _within(c, tile, target)
    if c.window(c.left) is not None or c.window(c.right) is not None:
        return _in_parts(c, tile, target, group) or (_over_window(c, tile, target), 0)
    if chunks > 1 and group == 1 and _shares_blocks(c, tile, target):
        return _over_blocks(c, tile), 0
    return _over_matrix(c, tile, target, group, is_packed, chunks), 0


def _shares_blocks(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether threads share blocks of the chain: tiles and outer axes are too few for them.

    So it is for one query of attention and a long cache.  The sums of all blocks are kept.
    """
    rows, columns, length = (e.constant for e in (c.extent(c.row), c.extent(c.column), c.length))
    is_one = len(c.reduced) == 1 and c.around is None and not tile.is_transposed
    if rows is None or columns is None or not is_one or c.block(1) is None or c.picked:
        return False
    if stored_parts(c, target) is not None or rows * columns * c.type.bytes > target.quarter_l2:
        return False
    # An unknown number of images may be one.
    points = math.prod(sum(abs(n) for _, n in c.extent(axis).terms) for axis in c.outer)
    tiles = max(-(-columns // tile.columns), -(-rows // tile.rows))
    pieces = points if points > 1 else tiles
    blocks = CHUNKS if length is None else -(-length // BLOCK)
    work = rows * columns * points * (length or CHUNKS * BLOCK)
    return pieces < min(CHUNKS, blocks) and work >= JOIN


def _over_blocks(c: Contraction, tile: Tile) -> tuple[Loop, ...]:
    """Blocks of the chain outermost: each is read once, and threads share them and outer axes."""
    loops: list[Loop] = [(c.chain, BLOCK, "parallel"), *((axis, 1, "parallel") for axis in c.outer)]
    if c.rows is not None:
        # Sums are kept of the rows that the version is for, not of all that there may be.
        loops.insert(0, (c.row, -(-c.rows // tile.rows) * tile.rows, "serial"))
    return (*loops, (c.column, tile.columns, "serial"), (c.row, tile.rows, "serial"))


def _over_matrix(
    c: Contraction, tile: Tile, target: Target, group: int, is_packed: bool, chunks: int
) -> tuple[Loop, ...]:
    """Columns outermost: threads share them, and each packs its own.

    Blocks of rows outermost if there are more rows than columns and ``is_packed`` says that rows
    are packed, or if there are few tiles of columns.  An unknown number of rows may be small:
    threads share columns, in even parts unless ``_come_in_time`` says that panels are better.
    """
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    block = _block(c, tile, target, chunks)
    loops: list[Loop] = [
        (axis, 1, "serial" if axis in c.picked else "parallel") for axis in c.outer
    ]
    inner: list[Loop] = [(c.column, tile.columns, "serial"), (c.row, tile.rows, "serial")]
    if _goes_by_rows(c, target) and stored_parts(c, target) is None:
        return (*loops, (c.row, tile.rows, "parallel"), inner[0])
    are_few = _has_few_columns(c, tile)
    panels: tuple[Loop, ...] = (*loops, (c.column, tile.columns, "parallel"), *inner[1:])
    if rows is None and columns is not None and not are_few:
        if _come_in_time(c, tile, target, group, panels):
            return panels
        part = even_part(columns, -(-columns // CHUNKS), tile.columns)
        # Each block reads columns again, and each part, or else each tile, reads rows again.
        is_blocked = columns / block + columns / part < columns / tile.columns
        blocks: list[Loop] = [(c.row, block, "serial")] if is_blocked else []
        return (*loops, (c.column, part, "parallel"), *blocks, *inner)
    if rows is None or (columns is not None and (is_packed or are_few) and rows >= columns):
        return (*loops, (c.row, block, "parallel"), *inner)
    return panels


def _come_in_time(
    c: Contraction, tile: Tile, target: Target, group: int, panels: Sequence[Loop]
) -> bool:
    """Whether loops over panels prefetch or unpack these, and rows come before steps read them.

    Stored panels are unpacked once for all rows then.  Blocks of rows and parts of columns would
    keep rows in a cache, but a part is too far ahead to prefetch.  On an Intel Xeon with AMX (one
    thread), in tiles of 5 by 64, 8 to 128 rows times 1024 by 2816 take 0.74 to 0.9 of the time that
    they take in blocks, and 4000 as long; in tiles of 13 by 32, whose steps read rows twice as
    fast, 6000 times 2816 by 1024 take 1.25 of it.
    """
    is_unpacked = stored_parts(c, target) is not None
    is_prefetched = is_unpacked or prefetched(c, {c.right.name}, panels, tile, group, target)
    if group == PRODUCTS or not is_prefetched:
        return False
    size = group * type_of(c, c.left, group).bytes
    return size * target.starts < tile.columns // tile.lanes * target.memory_rate


def _goes_by_rows(c: Contraction, target: Target) -> bool:
    """Whether all results of a few rows are computed before those of the next rows.

    That pays where no cache holds the results, and half the second level holds all columns: results
    are written nearly in order then, not in pieces of each row.  4000 by 8, 16 and 32 by 4000 take
    0.38, 0.5 and 0.65 of the time, 777 by 64 by 777 0.91.
    """
    rows, columns, length = (e.constant for e in (c.extent(c.row), c.extent(c.column), c.length))
    if rows is None or columns is None or length is None:
        return False
    size = c.type.bytes
    return rows * columns * size > target.l2 and length * columns * size <= target.half_l2


def _over_window(c: Contraction, tile: Tile, target: Target) -> tuple[Loop, ...]:
    """Blocks of filters outermost, as many as a cache holds beside the window of a row of results.

    So filters come from memory once, and the window once for each block.
    """
    window, columns, block = c.window(c.left), c.extent(c.column).constant, tile.columns
    if window is not None and columns is not None and not c.right.axes & {*c.outer}:
        block = _filters(c, window, tile, target)
    rows = c.extent(c.row).constant
    is_long = rows is None or (columns is not None and rows >= columns)
    if not c.outer and window is not None and is_long and _has_few_columns(c, tile):
        # A signal of few channels: threads share blocks of it.
        around: list[Loop] = [(c.row, _block(c, tile, target, CHUNKS), "parallel")]
        inner: list[Loop] = [(c.column, tile.columns, "serial"), (c.row, tile.rows, "serial")]
        return (*around, *inner)
    # Threads share the outermost loop; an unknown number of images may be one.
    *before, last = c.outer or (None,)
    loops: list[Loop] = [
        (axis, 1, "serial" if c.extent(axis).constant is None else "parallel") for axis in before
    ]
    loops += [(last, 1, "parallel")] if last else []
    if window is not None and (columns is None or block < columns or block == tile.columns):
        loops.insert(0, (c.column, block, "parallel"))
    if block > tile.columns or (window is None and c.column not in c.left.axes):
        loops.append((c.column, tile.columns, "serial" if loops else "parallel"))
    return (*loops, _rows(c, tile, "serial" if loops else "parallel"))


def _in_parts(c: Contraction, tile: Tile, target: Target, group: int) -> Around | None:
    """Copy what some points of the last outer axis see; None if the target has room for all.

    Neighbouring parts share rows of the window, so a part has as many points as fit.
    """
    operand = c.left if c.window(c.left) is not None else c.right
    window, most = c.window(operand), target.most_copied
    *outer, last = c.outer or (None,)
    if most is None or last is None or window is None or last not in operand.axes:
        return None
    points, size = c.extent(last).constant or 0, window.elements.constant
    bytes = type_of(c, operand, group).bytes
    if size is None or size * bytes <= 2 * most:
        return None
    left_out = [(axis, c.extent(axis) - 1) for axis in outer]

    def part(count: int) -> int:
        missing = [*left_out, (last, c.extent(last) - count)]
        part = window.part({axis[-1]: (ex.const(0), n) for axis, n in missing})
        return (part.elements.constant or 0) * bytes

    count = max((n for n in range(1, points) if part(n) <= most), default=1)
    count = even_part(points, count)
    around: list[Loop] = [*((axis, 1, "parallel") for axis in outer), (last, count, "parallel")]
    again: list[Loop] = [(last, 1, "serial")] * (count > 1)
    return (*around, *again, (c.column, tile.columns, "serial"), _rows(c, tile)), len(around)


def _within(c: Contraction, tile: Tile, target: Target) -> Around:
    """Copy the window of some points of the outer axes, or of some rows of one, before reading it.

    A quarter of the first-level cache holds the copies of several points, beside what is read and
    written for them, or half of it the copy of one.  The second level holds all rows where
    blocks of them would compute too much again.  A copy is not read right behind the stores: a load
    of what several stores have just written waits until these have retired.
    """
    *outer, last = [(axis, 1, "parallel") for axis in c.outer] or [(None, 1, "parallel")]
    rows, points = c.extent(c.row).constant or 1, c.extent(last[0]).constant or 1
    room = target.half_l1
    inner: list[Loop] = [(c.column, tile.columns, "serial"), _rows(c, tile)]
    if _bytes_within(c, tile, rows) <= room:
        count = max(1, target.quarter_l1 // _bytes_within(c, tile, rows))
        count = even_part(points, count)
        around: list[Loop] = [*outer, (last[0], count, "parallel")]
        again: list[Loop] = [(last[0], 1, "serial")] * (count > 1)
        return (*around, *again, *inner), len(around)
    sizes = [n for n in range(tile.rows, rows, tile.rows) if _bytes_within(c, tile, n) <= room]
    block = even_part(rows, max(sizes, default=tile.rows), tile.rows)
    around = [*outer, last]
    if not _restarts(c, tile, block, target) or _bytes_within(c, tile, rows) > target.quarter_l2:
        around.append((c.row, block, "serial"))
    return (*around, *inner), len(around)


def _restarts(c: Contraction, tile: Tile, block: int, target: Target) -> bool:
    """Whether rows from the second cache take less time than what blocks of rows compute again.

    In each block of a rotating tile, the first rows of the window go to sums that have no result.
    Six layers with filters of 5x5 and 7x7, on planes of 64x64 to 224x224, take 0.86 of the time.
    """
    rotation, length = rotation_of(c), c.length.constant
    if not tile.is_rotating or rotation is None or length is None:
        return False
    again = (rotation.sums - 1) / block * length / target.starts
    return again > target.vector_bytes / target.l2_rate


def _rows(c: Contraction, tile: Tile, kind: str = "serial") -> Loop:
    """The loop over tiles of rows, or a rotating one over the rows of a window."""
    return c.row, tile.rows, schedule.ROTATING if tile.is_rotating else kind


def _bytes_within(c: Contraction, tile: Tile, rows: int) -> int:
    """Bytes of the window of ``rows`` rows at one point of the outer axes; at least 1."""
    window = c.window(c.right)
    assert window is not None
    missing = [(axis, c.extent(axis) - 1) for axis in c.outer]
    missing += [(c.row, c.extent(c.row) - rows)] if c.row else []
    part = window.part({axis[-1]: (ex.const(0), n) for axis, n in missing})
    limits = in_tiles(inside(c), {c.row: tile.rows, c.column: tile.columns})
    part = cut(window, part, limits.values())
    return max(1, (part.elements.constant or 0) * c.type.bytes)


def sees_alone(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether each point of the outer axes has its own part of the columns' window.

    So it is for the channels of a depthwise convolution.  The part of a tile is known, and small.
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
    """Filters of a block: all of them, or even parts for threads to share."""
    columns = c.extent(c.column).constant or 1
    panel = tile.columns * c.type.bytes * (c.length.constant or BLOCK)
    seen = c.type.bytes * (_seen(c, window).constant or 0)
    total = c.type.bytes * (window.elements.constant or 0)
    room, count = target.l2 - target.quarter_l2 - seen, -(-columns // tile.columns)
    if not seen or room < 2 * panel or (count * panel > room and total <= target.half_l2):
        return tile.columns
    blocks = -(-count * panel // room)
    blocks += blocks % 2 if blocks > 1 else 0
    return -(-count // blocks) * tile.columns


def _seen(c: Contraction, window: Window) -> ex.Expr:
    """Elements of a window at one point of the outer axes."""
    outer, reduced = ({axis[-1] for axis in axes} for axes in (c.outer, c.reduced))
    extents = {axis[-1]: c.extent(axis) for axis in c.reduced}
    count = ex.const(1)
    for e, extent in zip(window.index, window.extents, strict=True):
        reach = extent
        if e.dims() & outer:
            inner = [(e.coefficient(d), extents[d]) for d in e.dims() & reduced]
            reach = ex.total_of((step or ex.const(1)) * (n - 1) for step, n in inner) + 1
        count = count * reach
    return count


def _has_few_columns(c: Contraction, tile: Tile) -> bool:
    """Whether tiles of columns are too few for threads to share."""
    columns = c.extent(c.column).constant
    return columns is not None and 2 * columns < CHUNKS * tile.columns


def _block(contraction: Contraction, tile: Tile, target: Target, chunks: int) -> int:
    """Rows of a block: they fit half the second-level cache, and make about ``chunks`` blocks."""
    length, rows = contraction.length.constant, contraction.extent(contraction.row).constant
    fitting = target.half_l2 // (contraction.type.bytes * max(1, length or BLOCK))
    tiles = max(1, fitting // tile.rows)
    if rows is not None:
        tiles = min(tiles, max(1, round(rows / (chunks * tile.rows))))
    return tiles * tile.rows


def orders(c: Contraction, tile: Tile) -> list[Around]:
    """All loops around tiles that may be worth a measurement."""
    outer: list[Loop] = [(axis, 1, "parallel") for axis in c.outer]
    rows, columns = _rows(c, tile), (c.column, tile.columns, "serial")
    is_matrix = c.window(c.left) is c.window(c.right) is None
    around: list[Around] = []
    if is_matrix:
        around = [((*outer, *loops), 0) for loops in _matrix_orders(c, tile)]
        if not outer or not c.right.axes.isdisjoint(c.outer):
            return around
    # All outer points read the same columns.
    for part in _parts(c.extent(c.column).constant, tile.columns):
        inner = (columns, rows) if part > tile.columns else (rows,)
        around.append((((c.column, part, "parallel"), *outer, *inner), 0))
    if is_matrix:
        return around
    around.append(((*outer, columns, rows), 0))
    if c.outer:
        # A part of the window is copied in front of the tiles that read it.
        for part in _parts(c.extent(c.outer[-1]).constant, 1):
            again: list[Loop] = [(c.outer[-1], 1, "serial")] if part > 1 else []
            copied: list[Loop] = [*outer[:-1], (c.outer[-1], part, "parallel")]
            around += [
                ((*copied, columns, *again, rows), len(copied)),
                ((*copied, *again, columns, rows), len(copied)),
            ]
    return around


def _matrix_orders(c: Contraction, tile: Tile) -> list[tuple[Loop, ...]]:
    """Columns outermost, or rows, or blocks of either, of several sizes."""
    row: Loop = (c.row, tile.rows, "serial")
    column: Loop = (c.column, tile.columns, "serial")
    orders: list[tuple[Loop, ...]] = [
        ((c.column, tile.columns, "parallel"), row),
        ((c.row, tile.rows, "parallel"), column),
    ]
    rows = _parts(c.extent(c.row).constant, tile.rows)
    parts = _parts(c.extent(c.column).constant, tile.columns)
    orders += [((c.row, block, "parallel"), column, row) for block in rows[1:]]
    for part in parts[1:]:
        orders.append(((c.column, part, "parallel"), row, column))
        orders += [
            ((c.column, part, "parallel"), (c.row, block, "serial"), column, row)
            for block in rows[1:-1]
        ]
    return orders


def _parts(extent: int | None, size: int) -> list[int]:
    """Sizes of blocks of tiles of ``size``: one tile, and four times as many each time."""
    most, part, parts = extent or size * CHUNKS, size, list[int]()
    while part < most:
        parts.append(part)
        part = even_part(most, 4 * part, size) if 4 * part < most else most
    return [*parts, -(-most // size) * size]
