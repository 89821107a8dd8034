"""C functions on the sums of a tile in matrix registers.

Registers are numbered by constants: first those of the sums, row after row, then those of the
factors.  Where there are none, the sums are in their array.
"""

from __future__ import annotations

from opc.dialects import matrix_ops
from opc.dialects.buffer import element_in
from opc.dialects.element import ElementType
from opc.dialects.matrix_ops import (
    COLUMNS,
    REGISTERS,
    ROWS,
    MatrixBeginOp,
    MatrixClearOp,
    MatrixEndOp,
    MatrixMultiplyOp,
    OfMatrix,
)

from .ctext import computed, suffix
from .texts import c_text

UNIT = "matrix_unit"
"""The name of what stands before all of these functions."""


def function(op: OfMatrix | MatrixEndOp) -> tuple[str, dict[str, str]]:
    """The name of what an operation calls, and all texts that it needs, by name."""
    unit = {UNIT: c_text("matrix.unit")}
    if isinstance(op, MatrixEndOp):
        return "opc_matrix_end", unit | {"opc_matrix_end": c_text("matrix.end")}
    rows, columns = op.shape
    tile, action = _Tile(rows, columns), op.name.removeprefix("loop.matrix_")
    shape = f"{rows}x{columns}"
    values: dict[str, object] = {"shape": shape, "rows": rows, "columns": columns}
    name = f"opc_matrix_{action}_{shape}"
    match op:
        case MatrixBeginOp():
            values["heights"] = ", ".join(map(str, tile.heights))
        case MatrixClearOp():
            zeros = "".join(f"    _tile_zero({n});\n" for n in range(tile.sums))
            values |= {"zeros": zeros, "size": rows * columns}
        case MatrixMultiplyOp():
            left, right = (element_in(factor) for factor in (op.left, op.right))
            name = f"opc_matrix_{suffix(left)}_{suffix(right)}_{shape}"
            values |= {"name": name, "a": computed(left), "b": computed(right)}
            values["products"] = tile.products(left, right)
        case _:
            values["stores"] = tile.stores
    return name, unit | {name: c_text(f"matrix.{action}", **values)}


class _Tile:
    """The registers of a tile: ``high`` by ``wide`` of sums, and the rest for factors.

    Some keep all of the factor that takes fewer, the others have parts of the other one in turns.
    """

    def __init__(self, rows: int, columns: int) -> None:
        shape = matrix_ops.registers(rows, columns)
        assert shape is not None
        self.columns, (self.high, self.wide) = columns, shape
        self.sums = self.high * self.wide
        self.height = rows // self.high
        self.keeps_left = self.high <= self.wide

    @property
    def heights(self) -> list[int]:
        """The rows of each register; those of the right factor have four products in each."""
        kept = min(self.high, self.wide)
        factors = [self.height, ROWS] if self.keeps_left else [ROWS, self.height]
        counts = kept, REGISTERS - self.sums - kept
        both = (n for n, count in zip(factors, counts, strict=True) for _ in range(count))
        return [*[self.height] * self.sums, *both]

    @property
    def stores(self) -> str:
        """Statements that store all sums."""
        return "".join(
            f"    _tile_stored({i * self.wide + j}, "
            f"sums + {i * self.height * self.columns + j * COLUMNS}, {4 * self.columns});\n"
            for i in range(self.high)
            for j in range(self.wide)
        )

    def products(self, left: ElementType, right: ElementType) -> str:
        """Statements that load the factors and multiply them."""
        signs = "".join("u" if type.kind == "unsigned" else "s" for type in (left, right))
        rows = [(f"a + {i * self.height} * step", "step") for i in range(self.high)]
        columns = [(f"b + {4 * COLUMNS * j}", str(4 * self.columns)) for j in range(self.wide)]
        kept, others = (rows, columns) if self.keeps_left else (columns, rows)
        free = self.sums + len(kept)
        lines = [f"_tile_loadd({self.sums + n}, {at}, {by});" for n, (at, by) in enumerate(kept)]
        for m, (at, by) in enumerate(others):
            turn = free + m % (REGISTERS - free)
            lines.append(f"_tile_loadd({turn}, {at}, {by});")
            for n in range(len(kept)):
                pair = (self.sums + n, turn) if self.keeps_left else (turn, self.sums + n)
                sums = n * self.wide + m if self.keeps_left else m * self.wide + n
                lines.append(f"_tile_dpb{signs}d({sums}, {pair[0]}, {pair[1]});")
        return "".join(f"    {line}\n" for line in lines)
