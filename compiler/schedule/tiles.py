"""Choose the register tile of a contraction: the one of the least cost.

A step of a tile of ``height`` rows and ``vectors`` vectors of columns takes ``height * vectors``
fused multiply-adds, loads a value of each row and the vectors of columns, and fetches those that
the first-level cache does not hold from the second level.  The slowest of the three is its cost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from opc.dialects import expr as ex
from opc.dialects.matrix_ops import PRODUCTS
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.support.target import FEW_COLUMNS, GUESSED, LINE, VECTOR, Target

from .cache_lines import results_of
from .contraction import Contraction, slice_of
from .cost import cost_of
from .matrix_tiles import matrix_arithmetic, matrix_tiles
from .nest import applied
from .register_tiles import Tile, holds_filter, is_direct, pieces, rows_crowd
from .rotating import Rotation, rotation_of
from .stored import is_known, panel_size, stored_parts
from .unpadded import Inside, in_tiles, inside, share


def tiles_for(
    contraction: Contraction,
    target: Target,
    may_transpose: bool,
    columns: int | None = None,
    group: int = 1,
) -> list[tuple[Contraction, Tile]]:
    """The tiles that fit registers, the one of the least cost first.

    Of equal ones, those with the fewest loads are first.  Loads from the second-level cache count
    before others: filters of 512 channels take 0.74 of the time in tiles of 11 x 32 that they take
    in tiles of 8 x 48, which have fewer loads, but more of columns.

    The contraction may be transposed, if it has a window, or a constant and known extents.
    ``columns`` are the columns of a tile, if existing panels fix them; of stored panels, a tile may
    have a part.
    """
    if group == PRODUCTS:
        return [(contraction, tile) for tile in matrix_tiles(contraction, target, columns)]
    lanes = target.lanes(contraction.type.bytes)
    squares: list[tuple[Contraction, Tile]] = []
    for c in (contraction, contraction.transposed) if may_transpose else ():
        rows = c.extent(c.row).constant
        if (c is contraction or _has_few(c, rows)) and _is_square(c, rows, lanes, target):
            squares.append((c, Tile(rows or 1, lanes, lanes, is_transposed=True)))
    both = columns is None and may_transpose and _is_transposable(contraction)
    tiles = list[_Costs]()
    turned = (contraction, contraction.transposed) if both else (contraction,)
    # Constants stay as they are stored.
    stored = [c for c in turned if stored_parts(c, target) is not None]
    for c in stored or turned:
        # Tiles fill the bytes of stored panels, and are parts of existing ones.
        tiles += [t for t in _tiles(c, target) if t.fills_bytes] or _tiles(c, target)
    if columns is not None:
        is_part = stored_parts(contraction, target) is not None
        tiles = [t for t in tiles if t.width == columns or (is_part and columns % t.width == 0)]
    tiles = [t for t in tiles if t.is_alone] or tiles
    # Rows as columns may fill fewer lanes.
    tiles.sort(key=lambda t: (round(t.cycles * lanes / t.lanes, 4), t.far, t.loads))
    return [*squares, *((t.contraction, t.tile) for t in tiles)]


def arithmetic(
    c: Contraction, tile: Tile, group: int, target: Target, is_aligned: bool, is_packed: bool
) -> float:
    """Cycles for each multiply-add of a vector, if all operands are in the first-level cache.

    A vector of columns is in one cache line if these are aligned, as those of panels are.
    ``is_packed`` says that rows are in panels.
    """
    if group == PRODUCTS:
        return matrix_arithmetic(c, tile, target)
    rotation = rotation_of(c) if tile.is_rotating else None
    length, vectors = c.length.constant or BLOCK, tile.columns // tile.lanes
    fields = c, length, _window_reuse(c), inside(c), tile.lanes, vectors, target
    return _Costs(*fields, tile.rows, rotation, is_aligned, is_packed).arithmetic


def _has_few(c: Contraction, rows: int | None) -> bool:
    """Whether there are so few columns, here as rows, that vectors along them are mostly empty.

    A step of a tile of 30 rows by 5 columns is 30 multiply-adds; a square of 16 rows needs 5 for 16
    of them, and its transpose takes as long as 5 more.  2000 by 1000 by 2, 5 and 8 take 0.24, 0.91
    and 1.15 of the time.
    """
    is_apart = c.row not in c.right.axes and c.column not in c.left.axes
    is_known = c.row is not None and c.extent(c.column).constant is not None
    return is_apart and is_known and rows is not None and rows <= FEW_COLUMNS


def _is_square(c: Contraction, rows: int | None, lanes: int, target: Target) -> bool:
    """Whether registers hold a square of columns beside the sums and values of all rows.

    Each column is read once then, where panels would be written and read in addition.
    """
    columns = c.extent(c.column).constant
    return (
        c.runs_along_chain(c.right)
        and not is_known(c, c.right)
        and c.window(c.left) is c.window(c.right) is None
        and rows is not None
        and 1 < lanes < target.room(c.type.is_integer) - rows
        and (columns is None or columns >= lanes)
    )


def _is_transposable(c: Contraction) -> bool:
    """Whether rows may become columns: of windows, or of constants and known extents."""
    if c.row is None or c.column is None or c.row in c.right.axes or c.column in c.left.axes:
        return False
    if c.rows is not None:
        return False
    if c.window(c.left) is not None or c.window(c.right) is not None:
        return c.transposed.window(c.transposed.right) is not None
    has_extents = None not in (c.extent(c.row).constant, c.extent(c.column).constant)
    return has_extents and any(is_known(t, t.right) for t in (c, c.transposed))


def _tiles(c: Contraction, target: Target) -> list[_Costs]:
    """The tiles whose sums, vectors of columns and one row's value fit registers."""
    if ("tiles", target) in c.memo:
        return c.memo["tiles", target]
    lanes = target.lanes(c.type.bytes)
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    while columns is not None and lanes > 1 and columns <= lanes // 2:
        lanes //= 2
    # Columns that are not packed are better read in long rows, in the order of memory.
    is_panel = c.runs_along_chain(c.right) or is_known(c, c.right)
    most = target.sums_in_flight if is_panel else target.room(c.type.is_integer) - 2
    if columns is not None:
        most = max(1, min(most, -(-columns // lanes)))
    length = c.length.constant or BLOCK
    reuse, parts, rotation = _window_reuse(c), inside(c), rotation_of(c)
    costs: list[_Costs] = []
    for vectors in range(1, most + 1):
        tallest = max(1, (target.room(c.type.is_integer) - 1 - vectors) // vectors)
        # 15 rows make two tiles of 8, not one of 14 and one of 1.  Lower tiles leave out more
        # padding, or stay in the first-level cache.
        full = Tile(tallest, vectors * lanes, lanes)
        is_lower = any(i.moves_along(c.row) for i in parts.values()) or rows_crowd(c, full, target)
        least = 1 if is_lower else tallest
        sizes = range(least, tallest + 1)
        heights = (
            sorted({-(-rows // -(-rows // n)) for n in sizes}) if rows else range(1, tallest + 1)
        )
        fields = c, length, reuse, parts, lanes, vectors, target
        costs += [_Costs(*fields, height) for height in heights]
        if rotation is not None and (rotation.sums + 1) * vectors + 1 <= target.room(
            c.type.is_integer
        ):
            costs.append(_Costs(*fields, 1, rotation))
    c.memo["tiles", target] = costs
    return costs


def _window_reuse(c: Contraction) -> int:
    """The products along the chain that read a value of the columns' window; 0 without a window."""
    window = c.window(c.right)
    if window is None or c.column is None:
        return 0
    along = next(e for e in window.index if c.column[-1] in e.dims())
    shared = [axis for axis in c.reduced if axis[-1] in along.dims()]
    return math.prod(c.extent(axis).constant or 1 for axis in shared)


@dataclass(frozen=True)
class _Costs:
    """The cost of a multiply-add of a vector in a tile of so many rows and vectors of columns."""

    contraction: Contraction
    length: int
    reuse: int
    inside: Mapping[Axis, Inside]
    """Contracted axes along which padding may be left out."""
    lanes: int
    vectors: int
    target: Target
    height: int
    """Rows."""
    rotation: Rotation | None = None
    """How rows rotate, if they do."""
    is_aligned: bool = True
    """Whether no vector of columns is in two cache lines."""
    is_packed: bool | None = None
    """Whether rows are in panels; None: where the planner would put them there."""

    @property
    def width(self) -> int:
        """Columns."""
        return self.vectors * self.lanes

    @property
    def tile(self) -> Tile:
        """The tile."""
        return Tile(self.height, self.width, self.lanes, self.rotation is not None)

    @property
    def fills_bytes(self) -> bool:
        """Whether no vector has a part of what shares bytes."""
        parts = stored_parts(self.contraction, self.target)
        return parts is None or panel_size(parts, self.width, self.lanes) == self.width

    @property
    def is_alone(self) -> bool:
        """Whether it has all rows, so that it may compute columns as they are stored."""
        rows = self.contraction.extent(self.contraction.row).constant
        is_stored = stored_parts(self.contraction, self.target) is not None
        return is_stored and rows is not None and rows <= self.height

    @property
    def far(self) -> float:
        """Bytes of columns from the second-level cache for each multiply-add."""
        columns = self.width * self.target.vector_bytes // self.lanes
        return columns * self._fetching / (self.height * self.vectors)

    @property
    def products(self) -> int:
        """Multiply-adds of a step."""
        return (self.rotation.filters if self.rotation else self.height) * self.vectors

    @property
    def loads(self) -> float:
        """Loads for each multiply-add; a vector of a window may be in two cache lines."""
        c, vectors = self.contraction, self.vectors
        if not self._reads_rows:
            lines = 1 if self.is_aligned else 1 + self.lanes * c.type.bytes / LINE
            return (self._rows_loaded + vectors * lines) / self.products
        lines = 1 + self.lanes * c.type.bytes / LINE if self.reuse > 1 else 1
        if self.rotation is not None:
            filters = 0 if holds_filter(c, self.tile, self.target) else self.rotation.filters
            filters *= self.target.single_load
            return (self.rotation.stride * vectors * lines + filters) / self.products
        return (self.height * vectors * lines + 1) / self.products

    @property
    def _rows_loaded(self) -> float:
        """The loads of a value of each row; those of a panel have one address.

        Beside a window that counts nothing: 24 x 16 floats take up to 2.9 times as long as 9 x 48.
        """
        c, is_packed = self.contraction, self.is_packed
        if is_packed is None:
            is_packed = not is_direct(c, c.left, self.tile, self.target)
        return self.height * (self.target.single_load if is_packed and not self.reuse else 1)

    @cached_property
    def cycles(self) -> float:
        """Cycles for each multiply-add that is needed; a tile may compute more."""
        near, first, other = self._step, *self._far
        if self._reads_rows:
            first, other = near + first, near + other
        share = self._fetching
        step = max(near, first) * share + max(near, other) * (1 - share)
        step = step * self._share + self._results + self._memory * self.products
        return step / self.products * self._needed

    @property
    def arithmetic(self) -> float:
        """The same without what comes from beyond the first-level cache."""
        return (self._step * self._share + self._results) / self.products * self._needed

    @property
    def _step(self) -> float:
        """Cycles of a step if all that it reads is near."""
        products, machine = self.products, self.target
        sums = self.rotation.sums * self.vectors if self.rotation else products
        stall = max(1.0, machine.sums_in_flight / sums)
        loading = self.loads * products / machine.load_starts + 1
        return max(products * stall / machine.starts, loading)

    @property
    def _results(self) -> float:
        """Cycles for what is computed of the sums, and for storing it, by step."""
        c, machine = self.contraction, self.target
        count = self.width if c.is_in_order else self.height
        vectors = pieces(count, self.lanes) / count
        # Transposed results in pieces of at least four values cost no more for each value.
        store = machine.in_order if c.is_in_order else machine.transposed * max(1, 4 * vectors)
        store += self._functions * vectors
        return (store * self.lanes * self.products + self._returning) / self.length

    @property
    def _returning(self) -> float:
        """Cycles of a tile's stores to parts of lines, if the first cache has lost these lines."""
        c, machine = self.contraction, self.target
        sizes = dict.fromkeys(c.outer, 1)
        sizes |= {a: n for a, n in ((c.row, self.height), (c.column, self.width)) if a}
        touched = [access.lines(sizes) for access in results_of(c)]
        lost = (lines for lines in touched if lines.are_parts and lines.room * LINE > machine.l1)
        return machine.line_wait * sum(lines.number for lines in lost)

    @property
    def _needed(self) -> float:
        """Results that are computed for each that is needed."""
        c = self.contraction
        return self._rows * _waste_of_columns(c.extent(c.column), self.width)

    @property
    def _reads_rows(self) -> bool:
        """Whether each row of a tile has columns of its own, each read for one product."""
        c = self.contraction
        return c.row is not None and c.row in c.right.axes

    @property
    def _rows(self) -> float:
        """Rows that are computed for each row of the contraction."""
        rows = self.contraction.extent(self.contraction.row)
        if self.rotation is None or not rows.constant:
            return _waste(rows, self.height)
        leaves_out = self.contraction.reduced[0] in self.inside
        return self.rotation.iterations(rows.constant, leaves_out) / rows.constant

    @property
    def _share(self) -> float:
        """The share of products that remain if padding is left out."""
        c = self.contraction
        parts = in_tiles(self.inside, {c.row: self.height, c.column: self.width})
        rotating = c.reduced[:1] if self.rotation else ()
        return math.prod(share(part) for axis, part in parts.items() if axis not in rotating)

    @property
    def _functions(self) -> int:
        """The cost of expensive functions of the epilogue that are computed after a transpose."""
        c, key = self.contraction, "functions"
        if key not in c.memo:
            before = slice_of(c.applied if c.applies_to_all or not c.is_in_order else [])
            after = applied(op for op in c.epilogue if op not in before)
            c.memo[key] = cost_of(op for op in after if op.is_expensive)
        return c.memo[key]

    @property
    def _memory(self) -> float:
        """Cycles for each multiply-add for reads of columns out of order, or for writing panels.

        Without panels, each row of a tile is a piece, unless half the second-level cache holds all
        columns.
        """
        c, machine = self.contraction, self.target
        columns = c.extent(c.column).constant
        readers = [c.extent(a).constant for a in (*c.outer, c.row) if a not in c.right.axes]
        if None in readers or is_known(c, c.right) or c.window(c.right) is not None:
            return 0
        values = ex.product(map(c.extent, c.right.axes)).constant or machine.l2
        is_near = columns == self.width or values * c.type.bytes <= machine.half_l2
        piece = 0 if is_near else LINE / self.vectors
        more = piece if is_direct(c, c.right, self.tile, machine) else machine.vector_bytes
        return more / machine.l2_piece_rate / max(1, math.prod(n or 1 for n in readers))

    @property
    def _far(self) -> tuple[float, float]:
        """Cycles of a step for what comes from the second-level cache, with columns and without."""
        machine, size = self.target, self.target.vector_bytes // self.lanes
        columns, rate = self.width * size, machine.l2_rate
        if self.reuse:
            # Pieces of rows with one line more than needed, again for other filter columns.
            columns, rate = columns + LINE, machine.l2_piece_rate
        if rows_crowd(self.contraction, self.tile, machine):
            rows = LINE * self.height / machine.l2_piece_rate
        else:
            rows = size * self.height / machine.l2_rate
        return rows + (0 if self.rotation else columns / rate), rows

    @cached_property
    def _fetching(self) -> float:
        """The share of tiles for which the first-level cache does not hold columns.

        It may hold them until the next rows, if any, read them.
        """
        c = self.contraction
        rows, is_outer = c.extent(c.row).constant, c.right.axes.issuperset(c.outer)
        tiles = -(-rows // self.height) if rows and is_outer else 0
        columns = self.width * self.target.vector_bytes // self.lanes
        if self.reuse:
            stay = self.length * (columns + LINE) // self.reuse <= self.target.quarter_l1
            return 0 if stay and tiles != 1 else 1
        if self.length * columns > self.target.half_l1:
            return 1
        return 1 / tiles if tiles else 0


def _waste(extent: ex.Expr, size: int) -> float:
    """Values that tiles of a size compute for each value of the extent."""
    number = extent.constant
    if number is not None:
        return _rounded(number, size) if number else 1.0
    return _mean_waste(extent.divisor, size)


def _waste_of_columns(extent: ex.Expr, size: int) -> float:
    """The same for columns; a product of unknown extents is a height by a width, so it is long.

    Rows may be a batch of one by few positions.
    """
    unknown = max(len(factors) for factors, _ in extent.terms) if extent.terms else 0
    if extent.constant is not None or unknown < 2:
        return _waste(extent, size)
    return _waste_of_product(extent.divisor, size, unknown)


def _rounded(extent: int, size: int) -> float:
    return -(-extent // size) * size / extent


@cache
def _mean_waste(step: int, size: int) -> float:
    """The mean of the same for unknown extents that are multiples of ``step``.

    An extent n has the weight 1 / n.
    """
    counts = _counts(step)
    total = sum(1 / n for n in counts)
    return sum(_rounded(n * step, size) / n for n in counts) / total


@cache
def _waste_of_product(step: int, size: int, unknown: int) -> float:
    """The mean for multiples of ``step`` by several factors: half of the last tile is left over."""
    counts = _counts(step)
    inverse = sum(n**-2 for n in counts) / sum(1 / n for n in counts)
    return 1 + (size - math.gcd(size, step)) / 2 * inverse**unknown / step


def _counts(step: int) -> range:
    """The multiples of ``step`` that an unknown extent may be."""
    least = -(-VECTOR // (2 * step))
    return range(least, max(least, GUESSED // step) + 1)
