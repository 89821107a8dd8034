"""Lay an operand out as it is stored, and compute its values where they are read.

Each constant that the operand reads has panels of its own (see ``schedule.stored``)::

    (cast(q[k, j]) - zero[k / 32, j]) * scale[k / 32, j]
      -->
    q      [columns / 64][k][64], of 4 bits: two values a byte
    zero   [columns / 64][k / 32][64]
    scale  [columns / 64][k / 32][64]

Values that do not change in a part of the chain are computed in front of it, for a row of the
panel; a step computes the others in vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop, schedule
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.memory_ops import NARROW
from opc.dialects.opc.movement import Array
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand, slice_of
from opc.schedule.product_groups import type_of
from opc.schedule.stored import Part, chain_part, common, is_common

from .insertion import Insertion
from .packing import Packing, Panels, flat, panels, values_of

BYTE, WORD = el.BY_NAME["ui8"], el.BY_NAME["ui32"]


@dataclass(frozen=True)
class PartPanels(Panels):
    """The panels of one constant of an operand."""

    part: Part
    lanes: int
    per: int
    """Values that share a byte, or a word; those of 8 bits share one of 32."""

    def count(self, axis: Axis) -> ex.Expr:
        """See the base; along the chain, one for each run of equal values."""
        if axis not in self.reduced or self.part.run == 1:
            return self.c.extent(axis)
        run = self.part.run
        return ex.const(1) if run is None else ex.floordiv(self.c.extent(axis) + run - 1, run)

    def step(self, axis: Axis) -> int:
        """See the base."""
        return (self.part.run or 0) if axis in self.reduced else 1

    @property
    def unit(self) -> ElementType:
        """The element type of the buffer."""
        if self.per == 1:
            return self.type
        return BYTE if self.per * self.type.bits == BYTE.bits else WORD

    def loaded(self, known: Callable[[], Array]) -> Callable[[], Array]:
        """What gives the elements of the buffer, from what gives the values of all panels."""
        return known if self.per == 1 else lambda: self._shared(known())

    def _shared(self, values: Array) -> Array:
        """Values ``lanes`` columns apart in a byte or word, the first one in the lowest bits.

        Groups of columns stay together.
        """
        dtype = self.unit.dtype.type
        codes = (values.view(np.uint8) & np.uint8((1 << self.type.bits) - 1)).astype(dtype)
        groups = codes.reshape(-1, self.per, self.lanes * self.group)
        shifts = (np.arange(self.per) * self.type.bits).astype(dtype)[:, None]
        return np.bitwise_or.reduce(groups << shifts, axis=1).reshape(-1)

    def start(self, here: Insertion, begin: ex.Expr, tile: int) -> ex.Expr:
        """The offset in the buffer from which a tile of ``tile`` columns reads."""
        outer = flat((here.at[a[-1]], self.extents[a]) for a in self.outer)
        if self.axis is None:
            return outer * self.length
        number = ex.floordiv(begin, self.size)
        rows = number * self.length * (self.size // self.per)
        if tile != self.size:
            rows += ex.floordiv(begin - number * self.size, self.per)
        elif (length := self.length.constant or 0) % self.per == 0:
            rows = begin * (length // self.per)
        return ex.floordiv(outer * self.point_size, self.per) + rows

    def row(self, here: Insertion) -> ex.Expr:
        """The offset at the contracted indices from the first ones on."""
        k = flat(
            (ex.floordiv(here.at[a[-1]], run) if (run := self.step(a)) else ex.const(0), count)
            for a, count in ((axis, self.extents[axis]) for axis in self.reduced)
        )
        return k * (self.size // self.per)

    def read(
        self, here: Insertion, view: SSAValue, row: ex.Expr, own: ex.Expr, number: int = 0
    ) -> SSAValue:
        """The value in a row of a view, in column ``own`` of a tile, at an index of its group."""
        if self.axis is None or self.per == 1:
            return here.read(view, row if self.axis is None else row + own * self.group + number)
        # Whole vectors that share bytes or words follow one another.
        before = ex.floordiv(own, self.lanes * self.per) * self.lanes + ex.mod(own, self.lanes)
        at = row + before * self.group + number
        shift = ex.mod(ex.floordiv(own, self.lanes), self.per) * self.type.bits
        (shift,), dims = here.over((shift,))
        amount = here.cast(here.add(body.IndexOp.of(shift, dims)), self.unit)
        return here.cast(here.apply("shr", here.read(view, at), amount), self.type)


def part_panels(
    c: Contraction, pack: schedule.PackOp, parts: Iterable[Part], lanes: int
) -> list[PartPanels]:
    """The panels of constants that are read along the columns, as a pack lays these out."""
    operand = c.operand(pack.operand.data)
    layouts: list[PartPanels] = []
    for part in parts:
        dims = c.offsets[part.load].dims()
        axes = frozenset(a for a in operand.axes if a[-1] in dims)
        own = Operand(operand.name, part.load.result, (part.load,), axes)
        base = panels(c if pack.count > 1 else replace_operand(c, own), pack)
        size = pack.step if part.has_columns else 1
        per = part.values_of_unit(size, lanes) if part.has_columns else 1
        fields: dict[str, Any] = vars(base) | {"c": c, "operand": own, "size": size}
        fields["type"] = part.type
        layout = PartPanels(**fields, part=part, lanes=lanes, per=per)
        if layout.group == 1:
            extents = {**layout.extents, **{a: layout.count(a) for a in c.reduced}}
            layout = replace(layout, extents=extents)
        layouts.append(layout)
    return layouts


def replace_operand(c: Contraction, operand: Operand) -> Contraction:
    """The contraction with another operand of the same name."""
    return replace(c, left=operand) if operand.name == "left" else replace(c, right=operand)


@dataclass(frozen=True)
class Stored:
    """What lies as it is stored, in buffers: an operand, or what the terms of blocks read."""

    c: Contraction
    operand: Operand
    parts: Mapping[Operation, tuple[PartPanels, SSAValue]]
    """The panels and the buffer of each load."""
    lanes: int
    distance: int = 0
    """Bytes from a row that is read to one that is prefetched; 0 if none is."""

    def tile(self, here: Insertion, begin: ex.Expr, columns: int) -> StoredTile:
        """What a tile of so many columns reads."""
        views: dict[Operation, SSAValue] = {}
        for load, (layout, buffer) in self.parts.items():
            start = layout.start(here, begin, columns)
            views[load] = buffer if start == 0 else here.view(buffer, start)
        return StoredTile(self, begin, columns, views, {}, frozenset())


@dataclass(frozen=True)
class StoredTile:
    """The columns of a tile of a stored operand."""

    source: Stored
    begin: ex.Expr
    columns: int
    views: Mapping[Operation, SSAValue]
    """A view of each buffer from the tile on, by load."""
    rows: Mapping[SSAValue, SSAValue]
    """Values that some steps have in common, in a row of the tile."""
    fixed: frozenset[Operation]
    """The loads whose views begin with the row that these steps have in common."""

    def value(self, here: Insertion, wanted: SSAValue | None = None) -> SSAValue:
        """Write the value at the contracted indices in one column, or one that it is made of."""
        c, wanted = self.source.c, wanted or self.source.operand.value
        assert c.column is not None
        own, values = here.at[c.column[-1]] - self.begin, values_of(c)
        for value, row in self.rows.items():
            values.values[value] = here.read(row, own)
        done = [op for value in self.rows if isinstance(op := value.owner, Operation)]
        for op in slice_of([wanted], done):
            if op in self.views:
                values.values[op.results[0]] = self.read(op, here, own)
            else:
                values.scalar(op, here)
        return values.values[wanted]

    def factor(self, here: Insertion, number: int) -> SSAValue:
        """Write the integer at an index of a group in one column, in the type that a step takes."""
        c, ((load, (layout, _)),) = self.source.c, self.source.parts.items()
        assert c.column is not None
        own = here.at[c.column[-1]] - self.begin
        value = layout.read(here, self.views[load], layout.row(here), own, number)
        return here.cast(here.cast(value, type_of(c, c.right, layout.group)), c.type)

    def read(self, load: Operation, here: Insertion, own: ex.Expr) -> SSAValue:
        """Read a constant at the contracted indices, in column ``own`` of the tile."""
        layout, _ = self.source.parts[load]
        row = ex.const(0) if load in self.fixed else layout.row(here)
        return layout.read(here, self.views[load], row, own)

    def along(self, here: Insertion, axis: Axis, size: int, group: int) -> StoredTile:
        """What is read in a block of ``size`` values along an axis, in steps of ``group``."""
        c = self.source.c
        if axis == c.reduced[-1] and size == group:
            self.prefetch(here, 1)
            return self
        if axis != c.chain or size == 1:
            return self
        self.prefetch(here, size)
        return self.keep(here, size)

    def prefetch(self, here: Insertion, run: int) -> None:
        """Prefetch what the chain will read of the constants that change in each ``run`` of it.

        Of those that change in each step, it is the row at the distance; of others, the next one.
        """
        for load, (layout, _) in self.source.parts.items():
            part, bytes = layout.part, layout.unit.bytes
            if not self.source.distance or part.run != run or not part.has_columns:
                continue
            count = self.columns * layout.group // layout.per
            ahead = self.source.distance // bytes if run == 1 else layout.size // layout.per
            index, dims = here.over((layout.row(here) + ahead, ex.const(count)))
            here.block.add_op(loop.PrefetchOp.of((self.views[load],), index, dims))

    def keep(self, here: Insertion, count: int | None) -> StoredTile:
        """Compute what ``count`` steps of the chain have in common, None for all, in rows."""
        c, source, views = self.source.c, self.source, dict(self.views)
        assert c.column is not None
        loads = {p.part.load: p for p, _ in source.parts.values() if is_common(p.part.run, count)}
        for load, layout in loads.items():
            if load not in self.fixed and (row := layout.row(here)) != 0:
                views[load] = here.view(views[load], row)
        tile = replace(self, views=views, fixed=self.fixed | loads.keys())
        for value in common(source.operand, [p.part for p, _ in source.parts.values()], count):
            if value in tile.rows:
                continue
            row = here.local(scalar_type(value), self.columns)
            if not tile._widen(here, value, row):
                inside = here.loop(0, self.columns, "vector")
                inside.at[c.column[-1]] = self.begin + inside.variable()
                inside.write(tile.value(inside, value), row, inside.variable())
            tile = replace(tile, rows={**tile.rows, value: row})
        return tile

    def _widen(self, here: Insertion, value: SSAValue, row: SSAValue) -> bool:
        """Convert a row of f16 or bf16 by one operation, if a value is no more than that."""
        load = value.owner.args[0].owner if isinstance(value.owner, body.ApplyOp) else None
        if not isinstance(load, kernel.LoadOp) or scalar_type(load.result) not in NARROW:
            return False
        first = self.read(load, here, ex.const(0)).owner
        assert isinstance(first, loop.LoadOp)
        index = (first.index.data[0], ex.const(self.columns))
        here.block.add_op(loop.WidenOp.of((first.source, row), index, list(first.dims)))
        return True


@dataclass(frozen=True)
class Computed(Packing):
    """Panels of the values of an operand that lies as it is stored."""

    source: Stored

    def write(self, here: Insertion) -> None:
        """Compute the panels inside the loops around, a row of one at a time."""
        begin, end = self.span(self.axis)
        if self.around.block(self.axis) != self.size:
            here = here.loop(begin, end, "serial", self.size)
            begin = here.variable()
        tile = self.source.tile(here, begin, self.size)
        if self.group > 1:
            self._unpack(here, tile)
            return
        tile = tile.keep(here, None)
        *others, chain = self.reduced
        for axis in others:
            here = self._along(axis, here, "serial")
        lower, upper = self.span(chain)
        run = chain_part(self.c, [p.part for p, _ in self.source.parts.values()])
        left = self.around.block(chain) if chain in self.around.of else 0
        if run is not None and left % run == 0:
            here = here.loop(lower, upper, "serial", run)
            here.at[chain[-1]] = lower = here.variable()
            tile.prefetch(here, run)
            tile, upper = tile.keep(here, run), ex.minimum(lower + run, upper)
        here = here.loop(lower, upper, "serial")
        here.at[chain[-1]] = here.variable()
        tile.prefetch(here, 1)
        self._row(here, tile)

    def _unpack(self, here: Insertion, tile: StoredTile) -> None:
        """Write integers of few bits as bytes, a group of each column at a time.

        A unit of the stored panel has a value of each of several vectors of columns.
        """
        ((load, (layout, _)),) = self.source.parts.items()
        *others, chain = self.reduced
        for axis in others:
            here = self._along(axis, here, "serial")
        here = here.loop(*self.span(chain), "serial", self.group)
        here.at[chain[-1]] = here.variable()
        tile.prefetch(here, 1)
        row, at = layout.row(here), self.offset(here, tile.begin)
        width = layout.lanes * self.group if layout.per > 1 else self.size * self.group
        here = here.loop(0, self.size * self.group // layout.per, "serial", width)
        units, inside = here.variable(), here.loop(0, width, "vector")
        shared = inside.read(tile.views[load], row + units + inside.variable())
        for k in range(layout.per):
            value = shared
            if layout.per > 1:
                shift = inside.constant(k * layout.type.bits, layout.unit)
                value = inside.cast(inside.apply("shr", shared, shift), layout.type)
            to = at + units * layout.per + k * width + inside.variable()
            inside.write(inside.cast(value, self.type), self.buffer, to)

    def _row(self, here: Insertion, tile: StoredTile) -> None:
        """Compute a row of a panel in registers, and write it."""
        assert self.axis is not None
        wide = here.local(self.type, self.size, self.source.lanes)
        inside = here.loop(0, self.size, "vector")
        inside.at[self.axis[-1]] = tile.begin + inside.variable()
        inside.write(tile.value(inside), wide, inside.variable())
        at = self.offset(here, tile.begin)
        inside = here.loop(0, self.size, "vector")
        inside.write(inside.read(wide, inside.variable()), self.buffer, at + inside.variable())
