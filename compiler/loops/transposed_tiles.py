"""Store tiles of a contraction whose results lie along their rows: they are transposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.buffer import element_in
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction

from .insertion import Insertion
from .packing import values_of


@dataclass(frozen=True)
class Part:
    """What a tile stores along an axis, of ``size`` values from ``base`` on."""

    axis: Axis
    begin: ex.Expr
    end: ex.Expr
    base: ex.Expr
    size: int
    stop: ex.Expr
    """The end as a loop has it that is not the innermost one."""

    def own(self, here: Insertion) -> ex.Expr:
        """The index in the tile."""
        return here.at[self.axis[-1]] - self.base


def transpose_tile(
    c: Contraction,
    behind: Sequence[Operation],
    tiles: Mapping[SSAValue, SSAValue],
    parts: tuple[Part, Part],
    here: Insertion,
) -> None:
    """Store a tile, of which ``tiles`` has values and their arrays; ``behind`` computes the rest.

    ::

        for column { for row vector { y[column, row] = sums[row, column] } }
          -->
        transpose sums to y

        for column { for row vector { y[column, row] = sums[row, column] + x[column, row] } }
          -->
        transpose sums to tile
        for column { for row vector { y[column, row] = tile[column, row] + x[column, row] } }
    """
    row, column = parts
    width, height = ex.const(column.size), ex.const(row.size)
    down, across = row.begin - row.base, column.begin - column.base
    # Compilers see that a part is no larger than its tile.
    sides = tuple(ex.minimum(p.end - p.begin, ex.const(p.size)) for p in parts)
    source = down * width + across
    if all(_is_copied(op, c, tiles, parts) for op in behind):
        at = {**here.at, row.axis[-1]: row.begin, column.axis[-1]: column.begin}
        for store in c.stores:
            offset = c.offsets[store]
            step = offset.coefficient(column.axis[-1]) or ex.const(0)
            index = source, width, offset.substitute(at), step, *sides
            here.transpose(tiles[store.value], c.nest.targets[store.number], index)
        return
    values = values_of(c)
    copies: dict[SSAValue, SSAValue] = {}
    for value, array in tiles.items():
        copies[value] = copy = here.local(element_in(array), row.size * column.size)
        here.transpose(array, copy, (source, width, across * height + down, height, *sides))
    for part, end, kind in ((column, column.stop, "serial"), (row, row.end, "vector")):
        here = here.loop(part.begin, end, kind, along=part.axis)
    at = column.own(here) * height + row.own(here)
    values.values |= {v: here.read(copy, at) for v, copy in copies.items()}
    values.scalars(behind, here)


def _is_copied(
    op: Operation, c: Contraction, tiles: Mapping[SSAValue, SSAValue], parts: tuple[Part, Part]
) -> bool:
    """Whether an operation stores a value of the tile as it is, with rows side by side."""
    if not isinstance(op, kernel.StoreOp) or op.value not in tiles:
        return False
    along, across = (c.offsets[op].coefficient(part.axis[-1]) for part in parts)
    return along == 1 and across is not None
