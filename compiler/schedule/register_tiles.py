"""Register tiles of contractions: what fits where, and which operands they read where they lie."""

from __future__ import annotations

from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import Axis, ForOp, PackOp
from opc.dialects.walking import walk
from opc.support.target import FEW_TILES, LINE, WAY, Target

from .contraction import Contraction, Operand
from .rotating import rotation_of
from .stored import is_known
from .window import sets_between


@dataclass(frozen=True)
class Tile:
    """Accumulators in registers: ``rows`` times ``columns``, in vectors of ``lanes``."""

    rows: int
    columns: int
    lanes: int
    is_rotating: bool = False
    """Whether accumulators rotate: each row of a window goes to all its results; rows are 1."""
    is_transposed: bool = False
    """Whether it has all rows, and transposes columns, which are contiguous along the chain, in
    registers: a square of values at once."""


def is_direct(c: Contraction, operand: Operand, tile: Tile, target: Target) -> bool:
    """Whether an operand is read without a copy: packing pays once several tiles read it.

    Packing rows does not pay: a tile takes single values of them, each contiguous with the last
    (512 by 512 by 512 takes 0.97 of the time without), unless rows evict each other from the cache
    (1.15 with 13 rows 4 KiB apart).  Constants are packed at compile time: panels of them are read
    in the order of memory, which is 2.7 times as fast for one row (weights of 768 by 3072, 34
    instead of 13 GB/s), and 24 rows of 1568 in one tile take 0.45 of the time.  Columns that fit
    one tile are a panel as they are.
    """
    is_left = operand is c.left
    own, size = (c.row, tile.rows) if is_left else (c.column, tile.columns)
    other, width = (c.column, tile.columns) if is_left else (c.row, tile.rows)
    if own is not None and own not in operand.axes:
        return c.reads_within(operand, size)
    extent, readers = c.extent(own).constant, c.extent(other).constant
    is_read_often = readers is None or readers > FEW_TILES * width
    if not is_left and c.is_widened and (readers is None or readers > width):
        # Each tile would widen the columns again.
        return False
    is_several = extent is None or extent > size or (is_left and size > 1)
    if own is not None and is_known(c, operand) and is_several:
        return False
    if not is_left and extent == size and not is_known(c, operand):
        return c.reads_within(operand, size)
    if is_left and own and c.goes_on(operand) and stay(c, size, target):
        return c.reads_within(operand, size)
    return c.reads_within(operand, size) and (own is None or not is_read_often)


def stay(c: Contraction, rows: int, target: Target) -> bool:
    """Whether the first-level cache holds the lines of ``rows`` rows beside those of columns."""
    return -(-rows // _sets(c, c.left, c.row)) + 1 < target.l1 // WAY


def rows_crowd(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether rows that are read without a copy evict each other from the first-level cache.

    Each step fetches a line of each row again then: 1000 by 1024 by 16 takes 5 times as long in
    tiles of 29 rows as in tiles of 6.
    """
    has_rows = c.window(c.left) is None and c.row in c.left.axes
    return has_rows and is_direct(c, c.left, tile, target) and not stay(c, tile.rows, target)


def squares_crowd(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether more transposed columns of a tile fall into one set of the cache than fit into it.

    A matrix of 4096 by 1024 that begins 16 bytes behind a line, times a column, takes 1.6 to 2.1
    times as long as an aligned one: its squares share lines, which are fetched twice.
    """
    return tile.columns > _sets(c, c.right, c.column) * (target.l1 // WAY)


def _sets(c: Contraction, operand: Operand, axis: Axis | None) -> int:
    """The number of sets of the first-level cache that an operand uses along an axis."""
    stride = c.stride(operand, axis) if axis is not None else None
    load = operand.load
    size = scalar_type(load.result).bytes if load is not None else c.type.bytes
    distance = (stride.constant or 0) * size if stride is not None else LINE
    return sets_between(distance)


def holds_filter(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether registers hold a filter beside the sums of a row and a part of the window.

    The filter is loaded once then.  One that takes more than three quarters of them leaves too few
    for the sums: with filters of 5 by 5 in 25 of 32, eight layers with a stride of 2 take 1.23
    times as long in the median, 0.85 to 1.29.
    """
    rotation, length = rotation_of(c), c.length.constant
    if rotation is None or length is None:
        return False
    room = target.room(c.type.is_integer)
    sums = (rotation.sums + 1) * (tile.columns // tile.lanes)
    return sums + length <= room and length <= room - room // 4


def pieces(count: int, lanes: int) -> int:
    """Vectors for ``count`` values: 14 values are 8, 4 and 2."""
    return count // lanes + (count % lanes).bit_count()


def fills_vectors(extent: ex.Expr, tile: Tile) -> bool:
    """Whether the partial tile at the end takes no more vectors than a whole tile."""
    count = extent.constant
    if count is None:
        return False
    return pieces(count % tile.columns, tile.lanes) <= tile.columns // tile.lanes


def peeled(c: Contraction, op: ForOp) -> Operand | None:
    """The operand that a loop over the smallest parts of a chain transposes in each of them."""
    pack = op.body.block.first_op
    inner = [o.step for o in walk(op.body) if isinstance(o, ForOp) and o.axis == c.chain]
    if not isinstance(pack, PackOp) or op.axis != c.chain or pack.count > 1 or inner != [1]:
        return None
    operand = c.operand(pack.operand.data)
    return operand if c.runs_along_chain(operand) else None
