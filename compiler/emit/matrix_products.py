"""C functions on the sums of a tile in matrix registers.

Registers are numbered by constants: first those of the sums, row after row, then those of the
factors.  Where there are none, the sums are in their array.
"""

from __future__ import annotations

from opc.dialects import matrix_ops
from opc.dialects.buffer import element_in
from opc.dialects.element import ElementType
from opc.dialects.matrix_ops import (
    BESIDE,
    COLUMNS,
    PRODUCTS,
    REGISTERS,
    MatrixBeginOp,
    MatrixClearOp,
    MatrixEndOp,
    MatrixMultiplyOp,
    OfMatrix,
    Shape,
)

from .ctext import computed, suffix
from .texts import Helper, c_text

UNIT = "matrix_unit"
"""The name of what stands before all of these functions."""


def function(op: OfMatrix | MatrixEndOp) -> Helper:
    """The name of what an operation calls, and all texts that it needs, by name."""
    unit = {UNIT: c_text("matrix.unit")}
    if isinstance(op, MatrixEndOp):
        return "opc_matrix_end", unit | {"opc_matrix_end": c_text("matrix.end")}
    rows, columns, rest, step = op.shape
    tile, action = _Tile(op.shape), op.name.removeprefix("loop.matrix_")
    shape = f"{rows}x{columns}"
    values: dict[str, object] = {"shape": shape, "rows": rows, "columns": columns}
    name = f"opc_matrix_{action}_{shape}"
    match op:
        case MatrixBeginOp():
            shape += f"_{rest}" if rest else "" if step == PRODUCTS else f"_by{step}"
            values |= {"shape": shape, "bytes": tile.bytes, "heights": tile.heights}
            name = f"opc_matrix_begin_{shape}"
        case MatrixClearOp():
            zeros = "".join(f"    _tile_zero({n});\n" for n in range(tile.sums))
            values |= {"zeros": zeros, "size": rows * columns}
        case MatrixMultiplyOp():
            left, right = (element_in(factor) for factor in (op.left, op.right))
            kind = f"{suffix(left)}_{suffix(right)}_{shape}"
            # A full step before a rest leaves registers for its factors.
            kind += f"_{rest}" if op.last is not None else "_full" if rest else ""
            kind += "" if step == PRODUCTS else f"_by{step}"
            name = f"opc_matrix_{kind}"
            values |= {"name": name, "a": computed(left), "b": computed(right)}
            values |= {"count": op.products, "products": tile.products(left, right, op.products)}
        case _:
            values["stores"] = tile.stores
    return name, unit | {name: c_text(f"matrix.{action}", **values)}


class _Tile:
    """The registers of a tile: ``high`` by ``wide`` of sums, and the others for factors.

    Some keep all of the factor that takes fewer, the others have parts of the other one in turns.
    The last ones are for a rest of the products.
    """

    def __init__(self, shape: Shape) -> None:
        rows, self.columns, self.rest, self.step = shape
        sums = matrix_ops.registers(rows, self.columns, self.rest)
        assert sums is not None
        self.high, self.wide = sums
        self.sums = self.high * self.wide
        self.height = rows // self.high
        self.keeps_left = self.high <= self.wide
        self.kept = min(self.high, self.wide)
        self.turns = 1 if self.rest else REGISTERS - self.sums - self.kept
        """Registers of the factor that has parts in turns."""

    @property
    def _factors(self) -> list[tuple[int, bool, int]]:
        """Of each register of a factor: the products, whether it is the left one, the rows."""
        return [
            (products, is_left, self.height if is_left else products // BESIDE)
            for products in (self.step, *([self.rest] if self.rest else []))
            for is_left in [self.keeps_left] * self.kept + [not self.keeps_left] * self.turns
        ]

    @property
    def bytes(self) -> str:
        """The bytes in a row of each register; a row of the right factor has four products."""
        factors = [n if is_left else BESIDE * COLUMNS for n, is_left, _ in self._factors]
        return ", ".join(map(str, [BESIDE * COLUMNS] * self.sums + factors))

    @property
    def heights(self) -> str:
        """The rows of each register."""
        heights = [self.height] * self.sums + [rows for _, _, rows in self._factors]
        return ", ".join(map(str, heights))

    @property
    def stores(self) -> str:
        """Statements that store all sums."""
        return "".join(
            f"    _tile_stored({i * self.wide + j}, "
            f"sums + {i * self.height * self.columns + j * COLUMNS}, {4 * self.columns});\n"
            for i in range(self.high)
            for j in range(self.wide)
        )

    def products(self, left: ElementType, right: ElementType, count: int) -> str:
        """Statements that load the factors and multiply them."""
        signs = "".join("u" if type.kind == "unsigned" else "s" for type in (left, right))
        rows = [(f"a + {i * self.height} * step", "step") for i in range(self.high)]
        columns = [(f"b + {4 * COLUMNS * j}", str(4 * self.columns)) for j in range(self.wide)]
        kept, others = (rows, columns) if self.keeps_left else (columns, rows)
        first = self.sums if count == self.step else self.sums + self.kept + self.turns
        lines = [f"_tile_loadd({first + n}, {at}, {by});" for n, (at, by) in enumerate(kept)]
        for m, (at, by) in enumerate(others):
            turn = first + self.kept + m % self.turns
            lines.append(f"_tile_loadd({turn}, {at}, {by});")
            for n in range(self.kept):
                pair = (first + n, turn) if self.keeps_left else (turn, first + n)
                sums = n * self.wide + m if self.keeps_left else m * self.wide + n
                lines.append(f"_tile_dpb{signs}d({sums}, {pair[0]}, {pair[1]});")
        return "".join(f"    {line}\n" for line in lines)
