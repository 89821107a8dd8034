"""Choose the tile of a contraction in matrix registers: the one of the least cost.

A step multiplies ``rows`` rows of 64 bytes by as many of ``columns`` columns.  An instruction takes
a cycle for each row of a register, if another one does not wait for the sums; loads of the factors
go on beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from xdsl.ir import SSAValue

from opc.dialects import body
from opc.dialects.matrix_ops import COLUMNS, PRODUCTS, REGISTERS, ROWS, registers
from opc.support.target import GUESSED, Target

from .contraction import Contraction, slice_of
from .product_groups import matrix_chain, matrix_products, matrix_rest
from .register_tiles import Tile


def matrix_tiles(c: Contraction, target: Target, columns: int | None) -> list[Tile]:
    """All tiles, the one of the least cost first; ``columns`` fixes those of a tile."""
    tiles = (Tile(*shape, COLUMNS) for shape in _shapes(c))
    fitting = [tile for tile in tiles if columns in (None, tile.columns)]
    return sorted(fitting, key=lambda tile: matrix_arithmetic(c, tile, target))


def _shapes(c: Contraction) -> Iterator[tuple[int, int]]:
    """The rows and columns of tiles; rows are split evenly."""
    rows, columns = c.extent(c.row).constant, c.extent(c.column).constant
    widest = REGISTERS if columns is None else max(1, -(-columns // COLUMNS))
    for wide in range(1, widest + 1):
        heights = set[int]()
        for high in range(1, REGISTERS):
            most = high * ROWS
            height = most if rows is None else -(-rows // -(-rows // most))
            heights.add(-(-height // high) * high)
        for height in sorted(heights):
            if registers(height, wide * COLUMNS, matrix_rest(c)) is not None:
                yield height, wide * COLUMNS


def matrix_arithmetic(c: Contraction, tile: Tile, target: Target) -> float:
    """Cycles for 64 products of each of 16 sums, if all operands are in the first-level cache."""
    outer = (c.extent(a).constant or GUESSED for a in c.reduced if a not in matrix_chain(c))
    of_chain = -(-matrix_products(c) // PRODUCTS)
    # A step of fewer products takes no less time.
    share, steps = of_chain * PRODUCTS / matrix_products(c), math.prod(outer) * of_chain
    wide = tile.columns // COLUMNS
    loads = (tile.rows + ROWS * wide) / target.load_starts
    step = max(tile.rows * wide, loads, target.matrix_latency)
    store = target.in_order if c.is_in_order else target.transposed
    stored = store * COLUMNS * tile.rows * wide if c.terms is None else _terms(c, tile, target)
    results = (stored + target.matrix_latency) / max(1, steps)
    sizes = (c.row, tile.rows), (c.column, tile.columns)
    computed = math.prod(_rounded(c.extent(axis).constant, size) for axis, size in sizes)
    return share * (step + results) / (tile.rows * wide) * computed


def _terms(c: Contraction, tile: Tile, target: Target) -> float:
    """Cycles for the terms of a block: functions of vectors, and those that a row has for all."""
    along: set[SSAValue] = {c.sweep.outputs[0]}
    rows = columns = 1
    for op in slice_of(c.terms.args if c.terms else ()):
        dims = c.offsets[op].dims() if op in c.offsets else ()
        is_read = c.column is not None and c.column[-1] in dims
        if is_read or not along.isdisjoint(op.operands):
            along.update(op.results)
        if isinstance(op, body.ApplyOp):
            is_along = op.result in along
            rows, columns = rows + (not is_along), columns + is_along
    vectors = tile.rows * tile.columns // COLUMNS
    return vectors * columns / target.starts + tile.rows * rows


def _rounded(extent: int | None, size: int) -> float:
    """Values that tiles compute for each that is needed."""
    number = extent or GUESSED
    return -(-number // size) * size / number
