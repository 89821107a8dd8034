"""How many sums of a contraction stay in registers: the tile of the least cost.

A step of a tile of ``height`` rows and ``vectors`` of columns takes ``height * vectors`` fused
multiply-adds, loads one value of each row and the vectors of the columns, and all of these that the
first cache does not hold come from the second one.  The slowest of the three is what it costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis, ForOp, PackOp
from opc.support.target import FEW_COLUMNS, FEW_TILES, GUESSED, LINE, VECTOR, WAY, Target

from .contraction import Contraction, Operand, slice_of
from .cost import applied, cost_of
from .inside import Inside, in_tiles, inside
from .rotating import Rotation, rotation_of


@dataclass(frozen=True)
class Tile:
    """Sums that stay in registers: ``rows`` times ``columns`` of them, in vectors of ``lanes``."""

    rows: int
    columns: int
    lanes: int
    is_rotating: bool = False
    """Whether each row of a window goes to all results that see it: rows are 1 then."""
    is_transposed: bool = False
    """Whether all rows are in it, and columns, which lie along the chain, are transposed for it:
    a square of values at once, in registers."""


def is_direct(c: Contraction, operand: Operand, tile: Tile, target: Target) -> bool:
    """Whether an operand is read where it lies: laying it out pays once several tiles read it.

    Rows do not pay: a tile takes single values of them, and memory goes on where it was (512 by 512
    by 512 takes 0.97 of the time), unless they push each other out of the cache (1.15 with 13 rows
    4 KiB apart).  Constants are laid out when compiling: panels of them are read in the order of
    memory, which is 2.7 times as fast for one row (weights of 768 by 3072, 34 instead of 13 GB/s).
    What one tile has all columns of is a panel as it lies.
    """
    is_left = operand is c.left
    own, size = (c.row, tile.rows) if is_left else (c.column, tile.columns)
    other, width = (c.column, tile.columns) if is_left else (c.row, tile.rows)
    if own is not None and own not in operand.axes:
        return c.reads_within(operand, size)
    extent = c.extent(own).constant
    if own is not None and c.is_constant(operand) and (extent is None or extent > size):
        return False
    if not is_left and extent == size and not c.is_constant(operand):
        return c.reads_within(operand, size)
    if is_left and own and c.goes_on(operand) and stay(c, size, target):
        return c.reads_within(operand, size)
    readers = c.extent(other).constant
    is_read_often = readers is None or readers > FEW_TILES * width
    return c.reads_within(operand, size) and (own is None or not is_read_often)


def stay(c: Contraction, rows: int, target: Target) -> bool:
    """Whether the first cache holds the lines of so many rows beside those of columns."""
    return -(-rows // _sets(c, c.left, c.row)) + 1 < target.l1 // WAY


def rows_crowd(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether rows that are read where they lie push each other out of the first cache.

    Each step reads a line of each anew then: 1000 by 1024 by 16 takes 5 times as long in tiles of
    29 rows as in tiles of 6.
    """
    has_rows = c.window(c.left) is None and c.row in c.left.axes
    return has_rows and is_direct(c, c.left, tile, target) and not stay(c, tile.rows, target)


def squares_crowd(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether more columns of a tile that are transposed fall into one set than it has places.

    A matrix of 4096 by 1024 that begins 16 bytes behind a line, times a column, takes 1.6 to 2.1
    times as long as one that begins with it: squares of it share lines, which come twice.
    """
    return tile.columns > _sets(c, c.right, c.column) * (target.l1 // WAY)


def _sets(c: Contraction, operand: Operand, axis: Axis | None) -> int:
    """How many sets of the first cache the values of an operand along an axis fall into."""
    pitch = c.stride(operand, axis) if axis is not None else None
    load = operand.load
    size = scalar_type(load.result).bytes if load is not None else c.type.bytes
    apart = (pitch.constant or 0) * size if pitch is not None else LINE
    return max(1, WAY // math.gcd(WAY, apart))


def holds_filter(c: Contraction, tile: Tile, target: Target) -> bool:
    """Whether registers hold a filter beside the sums of a row and what they see of a window.

    It is read once then.  C compilers that see each of 25 products of 5 by 5 keep the filter, too,
    and so have no room for the sums: 56 rows and columns take 1.2 times as long.
    """
    rotation, length = rotation_of(c), c.length.constant
    if rotation is None or length is None:
        return False
    return (rotation.sums + 1) * (tile.columns // tile.lanes) + length <= target.registers


def peeled(c: Contraction, op: ForOp) -> Operand | None:
    """The operand that a loop over the innermost parts of a chain transposes first in each."""
    pack = op.body.block.first_op
    inner = [o.step for o in op.body.walk() if isinstance(o, ForOp) and o.axis == c.chain]
    if not isinstance(pack, PackOp) or op.axis != c.chain or pack.count > 1 or inner != [1]:
        return None
    operand = c.operand(pack.operand.data)
    return operand if c.runs_along_chain(operand) else None


def tile_for(
    contraction: Contraction, target: Target, may_transpose: bool, columns: int | None = None
) -> tuple[Contraction, Tile]:
    """The tile of the least cost of those that registers hold; of several, of the fewest loads.

    Loads from the second cache come first: filters of 512 channels take 0.74 of the time in tiles
    of 11 x 32 that they take in tiles of 8 x 48, which have fewer loads, but more of columns.

    Also with the rows as columns, where an operand is laid out in any case and extents are known.
    ``columns`` are those of a tile where panels that are there already have so many.
    """
    lanes = target.vector_bytes // contraction.type.bytes
    for c in (contraction, contraction.transposed) if may_transpose else ():
        rows = c.extent(c.row).constant
        if (c is contraction or _has_few(c, rows)) and _is_square(c, rows, lanes, target):
            return c, Tile(rows or 1, lanes, lanes, is_transposed=True)
    tiles = _tiles(contraction, target)
    if columns is not None:
        tiles = [t for t in tiles if t.width == columns]
    elif may_transpose and _is_transposable(contraction):
        tiles += _tiles(contraction.transposed, target)
    best = min(tiles, key=lambda t: (round(t.cycles, 4), t.far, t.loads))
    return best.contraction, best.tile


def _has_few(c: Contraction, rows: int | None) -> bool:
    """Whether there are so few columns, as rows here, that vectors along them have few values.

    A step of a tile of 30 rows by 5 columns is 30 multiply-adds; a square of 16 rows takes 5 for 16
    of them, and is transposed for the time of some 5 more.  2000 by 1000 by 2, 5 and 8 take 0.24,
    0.91 and 1.15 of the time.
    """
    is_apart = c.row not in c.right.axes and c.column not in c.left.axes
    is_known = c.row is not None and c.extent(c.column).constant is not None
    return is_apart and is_known and rows is not None and rows <= FEW_COLUMNS


def _is_square(c: Contraction, rows: int | None, lanes: int, target: Target) -> bool:
    """Whether registers hold a square of columns beside the sums and values of all rows.

    Each column is read once then: panels of all of them would be written and read in addition.
    """
    columns = c.extent(c.column).constant
    return (
        c.runs_along_chain(c.right)
        and not c.is_constant(c.right)
        and c.window(c.left) is c.window(c.right) is None
        and rows is not None
        and rows + lanes < target.registers
        and (columns is None or columns >= lanes)
    )


def _is_transposable(c: Contraction) -> bool:
    """Whether rows may be columns: of a window or of constants, where that can be compared."""
    if c.row is None or c.column is None or c.row in c.right.axes or c.column in c.left.axes:
        return False
    if c.rows is not None:
        return False
    is_known = None not in (c.extent(c.row).constant, c.extent(c.column).constant)
    if c.window(c.left) is not None or c.window(c.right) is not None:
        return is_known and c.transposed.window(c.transposed.right) is not None
    return is_known and (c.is_constant(c.left) or c.is_constant(c.right))


def _tiles(c: Contraction, target: Target) -> list[_Costs]:
    """The tiles that registers hold: the sums, the vectors of columns and one row's value."""
    lanes = target.vector_bytes // c.type.bytes
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    while columns is not None and lanes > 1 and columns <= lanes // 2:
        lanes //= 2
    # A row of columns that is read where it lies is better long: memory is read in order.
    is_panel = c.runs_along_chain(c.right) or c.is_constant(c.right)
    most = target.chains if is_panel else target.registers - 2
    if columns is not None:
        most = max(1, min(most, -(-columns // lanes)))
    length = c.length.constant or BLOCK
    again, left, rotation = _seen_again(c), inside(c), rotation_of(c)
    found: list[_Costs] = []
    for vectors in range(1, most + 1):
        tallest = max(1, (target.registers - 1 - vectors) // vectors)
        # Of 15 rows, two tiles have 8, not one 14 and one 1.  Lower ones leave out more padding, or
        # stay in the first cache.
        whole = Tile(tallest, vectors * lanes, lanes)
        is_lower = any(i.moves_along(c.row) for i in left.values()) or rows_crowd(c, whole, target)
        least = 1 if is_lower else tallest
        sizes = range(least, tallest + 1)
        heights = (
            sorted({-(-rows // -(-rows // n)) for n in sizes}) if rows else range(1, tallest + 1)
        )
        given = c, length, again, left, lanes, vectors, target
        found += [_Costs(*given, height) for height in heights]
        if rotation is not None and (rotation.sums + 1) * vectors + 1 <= target.registers:
            found.append(_Costs(*given, 1, rotation))
    return found


def _seen_again(c: Contraction) -> int:
    """How many products along the chain take a value of a window that columns run along, else 0."""
    window = c.window(c.right)
    if window is None or c.column is None:
        return 0
    along = next(e for e in window.index if c.column[-1] in e.dims())
    shared = [axis for axis in c.reduced if axis[-1] in along.dims()]
    return math.prod(c.extent(axis).constant or 1 for axis in shared)


@dataclass(frozen=True)
class _Costs:
    """What a multiply-add of a vector takes in a tile with so many vectors of columns."""

    contraction: Contraction
    length: int
    again: int
    inside: Mapping[Axis, Inside]
    """Contracted axes of which padding may be left out."""
    lanes: int
    vectors: int
    target: Target
    height: int
    """Rows."""
    rotation: Rotation | None = None
    """How rows rotate, if they are."""

    @property
    def width(self) -> int:
        """Columns."""
        return self.vectors * self.lanes

    @property
    def tile(self) -> Tile:
        """What it is."""
        return Tile(self.height, self.width, self.lanes, self.rotation is not None)

    @property
    def far(self) -> float:
        """Bytes of columns from the second cache for each multiply-add."""
        columns = self.width * self.target.vector_bytes // self.lanes
        return 0 if self._stays else columns / (self.height * self.vectors)

    @property
    def products(self) -> int:
        """Multiply-adds of a step."""
        return (self.rotation.filters if self.rotation else self.height) * self.vectors

    @property
    def loads(self) -> float:
        """Loads for each multiply-add, of two if a vector of a window lies in two cache lines."""
        c, vectors = self.contraction, self.vectors
        if not self._reads_rows:
            return (self.height + vectors) / self.products
        lines = 1 + self.lanes * c.type.bytes / LINE if self.again > 1 else 1
        if self.rotation is not None:
            return (self.rotation.stride * vectors * lines + self.rotation.filters) / self.products
        return (self.height * vectors * lines + 1) / self.products

    @property
    def cycles(self) -> float:
        """Cycles for each multiply-add of what is needed, of which a tile may compute more."""
        products, machine = self.products, self.target
        sums = self.rotation.sums * self.vectors if self.rotation else products
        stall = max(1.0, machine.chains / sums)
        step = max(products * stall, self.loads * products + machine.starts) / machine.starts
        step = step + self._far if self._reads_rows else max(step, self._far)
        step *= self._share
        c = self.contraction
        count = self.width if c.is_in_order else self.height
        places = pieces(count, self.lanes) / count
        # Of results that are transposed, pieces of four values or more cost no more by value.
        each = machine.in_order if c.is_in_order else machine.transposed * max(1, 4 * places)
        each += self._functions * places
        step += each * self.lanes * products / self.length
        step += self._memory * products
        needed = self._rows * _waste(c.extent(c.column), self.width)
        return step / products * needed

    @property
    def _reads_rows(self) -> bool:
        """Whether each row of a tile has columns of its own, which are read for one product."""
        c = self.contraction
        return c.row is not None and c.row in c.right.axes

    @property
    def _rows(self) -> float:
        """How many rows are computed for each one that there is."""
        rows = self.contraction.extent(self.contraction.row)
        if self.rotation is None or not rows.constant:
            return _waste(rows, self.height)
        return self.rotation.iterations(rows.constant, self._leaves_rows) / rows.constant

    @property
    def _leaves_rows(self) -> bool:
        """Whether rows of a window that are padding are left out."""
        return self.contraction.reduced[0] in self.inside

    @property
    def _share(self) -> float:
        """How many of the products are left where padding is left out."""
        c = self.contraction
        left = in_tiles(self.inside, {c.row: self.height, c.column: self.width})
        rotating = c.reduced[:1] if self.rotation else ()
        return math.prod(one.share for axis, one in left.items() if axis not in rotating)

    @property
    def _functions(self) -> int:
        """What functions that follow the sum cost, as far as they are computed after a turn."""
        c = self.contraction
        before = slice_of(c.applied if c.applies_to_all or not c.is_in_order else [])
        after = applied(op for op in c.epilogue if op not in before)
        return cost_of(op for op in after if op.is_expensive)

    @property
    def _memory(self) -> float:
        """Cycles for each multiply-add in which columns come from memory other than in order.

        Where a tile reads some of them as they lie, each row is a piece, unless half the second
        cache holds them all; panels are written.
        """
        c, machine = self.contraction, self.target
        columns = c.extent(c.column).constant
        readers = [c.extent(a).constant for a in (*c.outer, c.row) if a not in c.right.axes]
        if None in readers or c.is_constant(c.right) or c.window(c.right) is not None:
            return 0
        values = ex.product(map(c.extent, c.right.axes)).constant or machine.l2
        is_near = columns == self.width or values * c.type.bytes <= machine.half_l2
        piece = 0 if is_near else LINE / self.vectors
        more = piece if is_direct(c, c.right, self.tile, machine) else machine.vector_bytes
        return more / machine.l2_piece_rate / max(1, math.prod(n or 1 for n in readers))

    @property
    def _far(self) -> float:
        """Cycles of a step until all is there that comes from the second cache."""
        machine, size = self.target, self.target.vector_bytes // self.lanes
        columns, rate = self.width * size, machine.l2_rate
        if self.again:
            # Pieces of rows, of one line more than is full, and again for other filter columns.
            columns, rate = columns + LINE, machine.l2_piece_rate
        found = 0 if self._stays or self.rotation else columns / rate
        if rows_crowd(self.contraction, self.tile, machine):
            return LINE * self.height / machine.l2_piece_rate + found
        return size * self.height / machine.l2_rate + found

    @property
    def _stays(self) -> bool:
        """Whether the first cache holds the columns that the next rows, if any, read again."""
        c = self.contraction
        rows = c.extent(c.row).constant
        if rows is not None and rows <= self.height and c.right.axes.issuperset(c.outer):
            return False
        columns = self.width * self.target.vector_bytes // self.lanes
        if self.again:
            return self.length * (columns + LINE) // self.again <= self.target.quarter_l1
        return self.length * columns <= self.target.half_l1


def _waste(extent: ex.Expr, size: int) -> float:
    """How many values tiles of a size compute for each one that there is."""
    number = extent.constant
    if number is not None:
        return _rounded(number, size) if number else 1.0
    return _mean_waste(math.gcd(*(factor for _, factor in extent.terms)), size)


def pieces(count: int, lanes: int) -> int:
    """Vectors that so many values take: of 14, 8 and 4 and 2 go together."""
    return count // lanes + (count % lanes).bit_count()


def fills_vectors(extent: ex.Expr, tile: Tile) -> bool:
    """Whether tiles of so many columns take no more vectors than if all of them were whole."""
    count = extent.constant
    if count is None:
        return False
    whole, rest = divmod(count, tile.columns)
    most = -(-count // tile.columns) * (tile.columns // tile.lanes)
    return whole * (tile.columns // tile.lanes) + pieces(rest, tile.lanes) <= most


def _rounded(extent: int, size: int) -> float:
    return -(-extent // size) * size / extent


@cache
def _mean_waste(step: int, size: int) -> float:
    """The same of extents that only a call knows, all of them multiples of a number.

    Each is as likely as all between it and its double are together.
    """
    least = -(-VECTOR // (2 * step))
    counts = range(least, max(least, GUESSED // step) + 1)
    total = sum(1 / n for n in counts)
    return sum(_rounded(n * step, size) / n for n in counts) / total
