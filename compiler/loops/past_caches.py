"""Points whose results go past the caches: first to an array in the first-level cache.

From there they go to memory, whole cache lines at once::

    for i = 0 to 4194304 step 128
      for k = 0 to 128 { row[k] = x[i + k] - b }
      stream 128 of row to y[i ...]

That is little at a time, as processors read on from several places meanwhile: with 1024 values it
took up to 1.5 times as long.

Part of a line cannot go past the caches, and where lines begin only a call knows.  So the end of a
row waits for the start of the next one, unless rows are long and whole lines::

    for b = 0 to 30000 step 16            # as many rows as whole lines hold, or more
      for i = b to b + 16
        if i > b
          for k = the first points of row i, up to a whole line { edge[...] = x[i, k] - b[k] }
          stream the line that edge is to y[i, 0 ...]
        else { for k = those points { y[i, k] = x[i, k] - b[k] } }
        for j = points of whole lines step 128 { row[...] = x[i, j] - b[j];  stream row to y[i, j] }
        if i is the last of these rows { for k = the last points of row i { y[i, k] = ... } }
        else { for k = those points { edge[...] = x[i, k] - b[k] } }

Which stores these are, ``plan_stores`` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.schedule.plan_pointwise import burst_of, rows_of_block
from opc.target import LINE

from .places import NestValues, Place

ZERO = ex.const(0)


class Row(Protocol):
    """The points of a nest along memory, whatever is around them."""

    @property
    def values(self) -> NestValues:
        """The scalars of the nest."""
        ...

    def place(self, here: Place, position: ex.Expr) -> None:
        """Say of a place at which position it is."""
        ...

    def write(self, here: Place, position: ex.Expr) -> None:
        """Write the body at a position."""
        ...


class Arrays:
    """The arrays that points go to in place of some results, and from there past the caches."""

    def __init__(
        self, values: NestValues, stores: Iterable[kernel.StoreOp], here: Place, size: int
    ) -> None:
        self.values, self.here = values, here
        self.rows = {op: here.add(loop.LocalOp.of(scalar_type(op.value), size)) for op in stores}

    def place(self, at: ex.Expr) -> None:
        """Let the stores write to a place in the arrays."""
        self.values.tiles |= {op: (row, at) for op, row in self.rows.items()}

    def stream(self, start: Mapping[ex.Atom, ex.Expr], count: ex.Expr) -> None:
        """Write so many points to memory from a start on, behind the loop that computes them."""
        for op, row in reversed(self.rows.items()):
            at = self.values.offsets[op].substitute(start, {})
            _stream(self.here, row, self.values.nest.targets[op.number], at, count)


def _stream(here: Place, row: SSAValue, target: SSAValue, at: ex.Expr, count: ex.Expr) -> None:
    index, dims = Place(here.block, here.variables).resolve_all((ZERO, at, count, count))
    here.block.add_op(loop.StreamOp.of(row, target, index, dims))


@dataclass(frozen=True)
class Blocks:
    """How points of a row go past the caches: so many at a time, those of some stores."""

    row: Row
    stores: Sequence[kernel.StoreOp]
    size: int

    def over(self, here: Place, lower: ex.Expr, upper: ex.Expr, kind: str = "parallel") -> None:
        """The points of a span, a block at a time."""
        inside, length = here.loop(lower, upper, kind, self.size), (upper - lower).constant
        is_whole = length is not None and length % self.size == 0
        start, count = inside.variable(), ex.const(self.size)
        if not is_whole:
            count = ex.minimum(count, upper - start)
        self.at(inside, start, count)

    def at(self, here: Place, start: ex.Expr, count: ex.Expr) -> None:
        """The points of a block: where it starts, and how many there are."""
        arrays = Arrays(self.row.values, self.stores, here, self.size)
        inside = here.loop(ZERO, count, "vector")
        arrays.place(inside.variable())
        self.row.write(inside, start + inside.variable())
        self.row.place(here, start)
        arrays.stream(here.at, count)


def write_blocks(row: Row, stores: Sequence[kernel.StoreOp], here: Place, length: ex.Expr) -> None:
    """The points of a row of whole lines, or of the only row."""
    size = burst_of(length, max(scalar_type(op.value).bytes for op in stores))
    blocks = Blocks(row, stores, size)
    if length.constant is None or length.constant > size or not here.variables:
        blocks.over(here, ZERO, length)
    else:
        blocks.at(here, ZERO, length)


class UnevenRows:
    """Rows that start and end within cache lines: the first points up to the end of a line, whole
    lines, and the last points.
    """

    def __init__(
        self, row: Row, store: kernel.StoreOp, length: ex.Expr, burst: int, kind: str = "parallel"
    ) -> None:
        self.row, self.store, self.length = row, store, length
        self.burst, self.kind = burst, kind
        """Points that are written at once, and the kind of the loop over them."""
        self.type = scalar_type(store.value)
        self.line = LINE // self.type.bytes

    def write(
        self, here: Place, lower: ex.Expr, upper: ex.Expr, number: Callable[[ex.Expr], None]
    ) -> None:
        """Write some rows; ``number`` tells which one comes."""
        # One row leaves points to the next, so no other thread may have that.
        edge = here.add(loop.LocalOp.of(self.type, self.line))
        target = self.row.values.nest.targets[self.store.number]
        here = replace(here, variables=[*here.variables, here.add(loop.MisalignedOp.of(target))])
        past = here.variable()
        inside = here.loop(lower, upper, "serial")
        this = inside.variable()
        number(this)
        self.row.place(inside, ZERO)
        start = self.row.values.offsets[self.store].substitute(inside.at, {})
        kept = ex.mod(start + past, self.line)
        head = ex.mod(self.line - kept, self.line)
        tail = ex.mod(start + past + self.length, self.line)
        before, is_last = ex.atleast(this, lower + 1), ex.atleast(this + 1, upper)
        behind, first = inside.either(before)
        self._part(behind, ZERO, head, (edge, kept))
        _stream(behind, edge, target, start - kept, ex.atleast(kept, 1) * self.line)
        self._part(first, ZERO, head, None)
        end = self.length - tail
        blocks = Blocks(self.row, [self.store], self.burst)
        blocks.over(inside, head, end, self.kind)
        last, other = inside.either(is_last)
        self._part(last, end, tail, None)
        self._part(other, end, tail, (edge, ZERO))

    def _part(
        self, here: Place, start: ex.Expr, count: ex.Expr, to: tuple[SSAValue, ex.Expr] | None
    ) -> None:
        """Some points of the row; in another place, if given."""
        if count == 0:
            return
        inside, tiles = here.loop(ZERO, count, "vector"), self.row.values.tiles
        tiles.pop(self.store, None)
        if to is not None:
            tiles[self.store] = to[0], to[1] + inside.variable()
        self.row.write(inside, start + inside.variable())
        tiles.pop(self.store, None)


def blocks_of_rows(here: Place, rows: ex.Expr) -> tuple[Place, ex.Expr, ex.Expr]:
    """A loop over blocks of rows, and the rows of one."""
    size = rows_of_block(rows)
    here, start = here.steps(ZERO, rows, "parallel", size)
    return here, start, ex.minimum(start + size, rows)
