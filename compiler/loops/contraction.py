"""The loops of a scheduled contraction: mechanical, a loop for each loop of the tree.

Sums of a tile are in registers from ``init`` to ``finish``, and in an array of the tile's size from
there to ``out``.  An operand that is packed lies in panels, one for each tile along its own axis::

    left  [outer axes][rows / 14][k][14]        right  [outer axes][columns / 32][k][32]

Of small integers two or four neighbours along the innermost contracted axis lie side by side,
``[k / 2][14][2]``, and a step takes them all (see ``schedule.groups``).  The last panel is filled
up with its last row or column again, and what a tile computes of these is left out.  Of an operand
that is read where it lies, the last tile begins early instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp
from opc.dialects.element import ElementType
from opc.dialects.order import BLOCK
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand, slice_of

from .chains import Blocks, blocks_of, left_in
from .packing import Packing, computed, flat, values_of
from .padding import Padding, pads
from .panels import Ranges, panels
from .places import ZERO, NestValues, Place
from .turned_tile import Side, is_turned, is_wide, late, stored_as_they_are, turned


class ContractionLowering:
    """Writes the loops of one nest into a block; ``laid_out`` are its operands that are."""

    def __init__(
        self, c: Contraction, tree: schedule.TreeOp, laid_out: Mapping[str, Packing | Padding]
    ) -> None:
        self.c = c
        self.tree = tree
        self.laid_out = dict(laid_out)
        self.tile = Ranges()
        self.local: dict[Axis | None, ex.Expr] = {}
        """Within a tile: the loop variable of its axes."""
        self.registers: SSAValue | None = None
        self.totals: SSAValue | None = None
        self.seen: SSAValue | None = None
        """Of columns that lie apart: what a tile sees for one product."""
        self.applied: dict[SSAValue, SSAValue] = {}
        """Values that ``apply`` computes for a whole tile, and the arrays of these."""
        ops = list(tree.walk())
        runs = [op for op in ops if isinstance(op, schedule.RunOp)]
        self.has_start = any(op.stage.data == "start" for op in runs)
        self.has_apply = any(op.stage.data == "apply" for op in runs)
        lanes = [o.step for o in ops if isinstance(o, schedule.ForOp) and o.kind.data == "vector"]
        self.lanes = max(lanes, default=1)
        self.inside = left_in(c, tree)

    def run(self, block: Block) -> None:
        """Write everything but what lays operands out before."""
        self._ops(self.tree.body.block.ops, Place(block, [], dict(self.c.places)), Ranges())

    def _ops(self, ops: Iterable[Operation], here: Place, ranges: Ranges) -> None:
        stages = {
            "start": self._start,
            "init": self._init,
            "step": self._step,
            "finish": self._finish,
            "apply": self._apply,
            "out": self._out,
        }
        for op in ops:
            if isinstance(op, schedule.ForOp):
                self._for(op, here, ranges)
            elif isinstance(op, schedule.RunOp):
                stages[op.stage.data](here, ranges)
            elif isinstance(op, schedule.PackOp) and op.parent_op() is not self.tree:
                self._pack(op, here, ranges)
            elif isinstance(op, schedule.PadOp) and op.parent_op() is not self.tree:
                self._pad(op, here, ranges)

    def _pack(self, op: schedule.PackOp, here: Place, ranges: Ranges) -> None:
        """Make the panels of what the loops around leave, in an array that is theirs."""
        panel = panels(self.c, op, ranges)
        assert panel.elements.constant is not None
        buffer = here.add(LocalOp.of(panel.type, panel.elements.constant))
        self.laid_out[op.operand.data] = packing = Packing(self.c, panel, buffer)
        packing.write(here, self._base(panel.axis, ranges))

    def _pad(self, op: schedule.PadOp, here: Place, ranges: Ranges) -> None:
        """Lay out what the loops around see of a window, in an array that is theirs."""
        padded = pads(self.c, op, self.tree, ranges)
        assert padded.elements.constant is not None
        buffer = here.add(LocalOp.of(padded.type, padded.elements.constant))
        self.laid_out[op.operand.data] = padding = Padding(padded, buffer)
        padding.write(here)

    def _for(self, op: schedule.ForOp, here: Place, ranges: Ranges) -> None:
        axis, step, kind = op.axis, op.step, op.kind.data
        stages = {o.stage.data for o in op.walk() if isinstance(o, schedule.RunOp)}
        is_out = not stages.isdisjoint({"apply", "out"})
        if is_out and is_turned(self.c, op) and self._turn_tile(op, here, ranges):
            return
        is_all = not is_out or (stages == {"apply"} and self.c.applies_to_all)
        if kind == "unroll" or (kind == "vector" and is_all):
            # All of a tile, whatever of it there is.
            inside = here.loop(0, ranges.block(axis), kind)
            self.local[axis] = inside.variable()
            inside.at[axis[-1]] = self._base(axis) + inside.variable()
            self._ops(op.body.block.ops, inside, ranges)
            return
        blocks = blocks_of(self.c) if axis == self.c.chain and "init" in stages else None
        if blocks is not None:
            self._blocks(op, blocks, here, ranges)
            return
        begin, end, _ = ranges.of.get(axis, (*self._extent(axis, here, ranges), 0))
        if is_out and kind == "vector":
            end = self._end(axis, ranges)
        before = self._before(axis, here) if self.c.chain in ranges.of else None
        if before is not None:
            # Along the last axis of several, the products of this block.
            begin, end, _ = ranges.of[self.c.chain]
            begin = ex.maximum(begin, before)
            end = ex.minimum(end, before + self.c.extent(axis))
        for lower, upper, is_whole in self._parts(op, begin, end, "init" in stages):
            inside = here.loop(lower, upper, kind, step)
            inside.at[axis[-1]] = inside.variable() - (before or 0)
            last = inside.variable() + step
            last = last if is_whole else ex.minimum(last, upper)
            left = Ranges({**ranges.of, axis: (inside.variable(), last, step)})
            if (axis,) == self.c.reduced[-1:]:
                self._see(inside)
            self._ops(op.body.block.ops, inside, left)

    def _see(self, here: Place) -> None:
        """Name what a tile sees of columns that lie apart, once for all of its vectors.

        C compilers compute an offset with divisions for each vector, and keep none in registers.
        """
        found, self.seen = self.laid_out.get(self.c.right.name), None
        if isinstance(found, Padding) and found.window.phases > 1:
            tile = {a[-1]: self._base(a) for a in (self.c.row, self.c.column) if a is not None}
            self.seen = here.view(found.buffer, found.offset({**here.at, **tile}))

    def _parts(
        self, op: schedule.ForOp, begin: ex.Expr, end: ex.Expr, is_block: bool
    ) -> list[tuple[ex.Expr, ex.Expr, bool]]:
        """What a loop goes over, and whether its blocks are whole ones.

        Those of a cut chain are, but for one behind them: what is packed in them is turned around
        in registers then.
        """
        axis, step = op.axis, op.step
        inner = (o.axis for o in op.body.walk() if isinstance(o, schedule.ForOp))
        if is_block or axis != self.c.chain or axis not in inner:
            return [(begin, end, step == 1)]
        if ex.mod(self.c.extent(axis), step) == 0:
            return [(begin, end, True)]
        whole = ex.floordiv(end, step) * step
        return [(begin, whole, True), (whole, end, False)]

    def _end(self, axis: Axis, ranges: Ranges) -> ex.Expr:
        """Where the values of a tile end that count; a number that is known is seen as one.

        That is for innermost loops of results that are turned around: elsewhere, compilers that
        know that there are iterations keep constants in registers, and sums in memory.
        """
        begin, end, _ = ranges.of.get(axis, (ZERO, self.c.extent(axis), 0))
        size = self.tile.block(axis)
        is_whole = ex.mod(self.c.extent(axis), size) == 0
        is_row = self.tile.block(self.c.row) == 1
        return begin + size if is_whole and (is_row or not self.c.is_in_order) else end

    def _extent(self, axis: Axis, here: Place, ranges: Ranges) -> tuple[ex.Expr, ex.Expr]:
        """Where an axis begins and ends, without what is padding for a whole tile."""
        found = self.inside.get(axis)
        if found is None:
            return ZERO, self.c.extent(axis)
        tile = {a[-1]: self._base(a, ranges) for a in (self.c.row, self.c.column) if a is not None}
        at = {**here.at, **tile}
        return found.begin.substitute(at), found.end.substitute(at)

    def _blocks(self, op: schedule.ForOp, blocks: Blocks, here: Place, ranges: Ranges) -> None:
        """The blocks of a chain: whole runs of its last axis, or parts of one."""
        *others, last = self.c.reduced
        run = next(o for o in op.walk() if isinstance(o, schedule.ForOp) and o.axis == last)
        if blocks.runs:
            first, end = (e * blocks.inner for e in self._extent(others[0], here, ranges))
            start = ex.floordiv(first, blocks.runs) * blocks.runs
            block = here.loop(start, end, "serial", blocks.runs)
            self._init(block, ranges)
            at = block.variable()
            self._for(run, self._runs(others, block, ranges, (at, at + blocks.runs)), ranges)
        else:
            runs = self._runs(others, here, ranges)
            block = runs.loop(0, self.c.extent(last), "serial", BLOCK)
            self._init(block, ranges)
            at = block.variable()
            self._for(run, block, Ranges({**ranges.of, last: (at, at + BLOCK, BLOCK)}))
        self._finish(block, ranges)

    def _runs(
        self,
        axes: Iterable[Axis],
        here: Place,
        ranges: Ranges,
        part: tuple[ex.Expr, ex.Expr] | None = None,
    ) -> Place:
        """Loops over some axes, of all their values in order or a part."""
        axes = list(axes)
        for k, axis in enumerate(axes):
            begin, end = self._extent(axis, here, ranges)
            inner = ex.product(map(self.c.extent, axes[k + 1 :]))
            if part is not None:
                begin = ex.maximum(begin, ex.floordiv(part[0], inner))
                end = ex.minimum(end, ex.floordiv(part[1] + inner - 1, inner))
            here = here.loop(begin, end, "serial")
            here.at[axis[-1]] = at = here.variable()
            part = part and (part[0] - at * inner, part[1] - at * inner)
        return here

    def _before(self, axis: Axis, here: Place) -> ex.Expr | None:
        """The products before those of a last axis of several, for the others of here."""
        *others, last = self.c.reduced
        if axis != last or not others:
            return None
        at = flat((here.at[a[-1]], self.c.extent(a)) for a in others)
        return at * self.c.extent(last)

    def _base(self, axis: Axis | None, ranges: Ranges | None = None) -> ex.Expr:
        """Where a tile begins along an axis; earlier where it would leave an operand."""
        ranges = ranges or self.tile
        begin, size, extent = ranges.begin(axis), ranges.block(axis), self.c.extent(axis)
        operand = self.c.left if axis == self.c.row else self.c.right
        found = self.laid_out.get(operand.name)
        is_filled = found is not None and not (isinstance(found, Packing) and found.panel.is_full)
        if is_filled or axis not in operand.axes or ex.mod(extent, size) == 0:
            return begin
        return ex.minimum(begin, extent - size)

    def _over_tile(self, here: Place) -> tuple[Place, ex.Expr]:
        """A loop over all sums of a tile, and the place of one of them in its array."""
        rows, columns = self.tile.block(self.c.row), self.tile.block(self.c.column)
        at = here.loop(0, rows, "unroll")
        inside = at.loop(0, columns, "vector")
        return inside, at.variable() * columns + inside.variable()

    def _array(self, here: Place, lanes: int | None, type: ElementType | None = None) -> SSAValue:
        rows, columns = self.tile.block(self.c.row), self.tile.block(self.c.column)
        return here.add(LocalOp.of(type or self.c.type, rows * columns, lanes))

    def _begin(self, here: Place, ranges: Ranges) -> None:
        """Declare what outlives the chains of a tile."""
        self.tile = ranges
        self.totals = self._array(here, None)
        if self.has_apply:
            self.applied = {v: self._array(here, None, scalar_type(v)) for v in self.c.applied}

    def _start(self, here: Place, ranges: Ranges) -> None:
        self._begin(here, ranges)
        assert self.totals is not None
        inside, at = self._over_tile(here)
        inside.write(inside.constant(0, self.c.type), self.totals, at)

    def _init(self, here: Place, ranges: Ranges) -> None:
        if self.has_start:
            self.tile = ranges
        else:
            self._begin(here, ranges)
        self.registers = self._array(here, self.lanes)
        inside, at = self._over_tile(here)
        inside.write(inside.constant(0, self.c.type), self.registers, at)

    def _step(self, here: Place, ranges: Ranges) -> None:
        assert self.registers is not None
        row, column = (self.local.get(axis, ZERO) for axis in (self.c.row, self.c.column))
        at = row * self.tile.block(self.c.column) + column
        value: SSAValue | None = None
        for number in range(self.tree.group):
            left, right = (self._factor(o, here, number) for o in (self.c.left, self.c.right))
            value = here.apply("fma", left, right, value or here.read(self.registers, at))
        assert value is not None
        here.write(value, self.registers, at)

    def _factor(self, operand: Operand, here: Place, number: int) -> SSAValue:
        """One factor, from its panel or from where it lies; the one with that number of a group."""
        found, axis = self.laid_out.get(operand.name), self.c.own(operand)
        if found is None:
            if number:
                here = Place(here.block, here.variables, dict(here.at))
                here.at[self.c.reduced[-1][-1]] += number
            return computed(self.c, operand, here)
        if self.seen is not None and isinstance(found, Padding) and operand is self.c.right:
            at = found.step(self.c.row) * self.local.get(self.c.row, ZERO)
            at += found.step(self.c.column) * self.local.get(self.c.column, ZERO)
            return here.cast(here.read(self.seen, at + number), self.c.type)
        value = found.read(here, self.tile.begin(axis), self.local.get(axis, ZERO), number)
        return here.cast(value, self.c.type)

    def _finish(self, here: Place, ranges: Ranges) -> None:
        assert self.registers is not None and self.totals is not None
        inside, at = self._over_tile(here)
        zero = None if self.has_start else inside.constant(0, self.c.type)
        before = inside.read(self.totals, at) if zero is None else zero
        value = inside.apply("add", before, inside.read(self.registers, at))
        inside.write(value, self.totals, at)

    def _apply(self, here: Place, ranges: Ranges) -> None:
        """What may be computed of the epilogue before the rows matter, at one point."""
        values, at = self._at_a_point(here)
        for op in slice_of(self.applied):
            values.scalar(op, here)
        for value, array in self.applied.items():
            here.write(values.values[value], array, at)

    def _out(self, here: Place, ranges: Ranges) -> None:
        """What follows the sum, and the stores, at one point."""
        values, at = self._at_a_point(here)
        for value, array in self.applied.items():
            values.values[value] = here.read(array, at)
        self._store(values, here)

    def _store(self, values: NestValues, here: Place) -> None:
        """What follows the values of ``apply``, and the stores, at one point."""
        done = [op for value in self.applied if isinstance(op := value.owner, Operation)]
        for op in (*slice_of([s.value for s in self.c.stores], done), *self.c.stores):
            values.scalar(op, here)

    def _turn_tile(self, op: schedule.ForOp, here: Place, ranges: Ranges) -> bool:
        """Store results along the rows by turning blocks around; False if these are too narrow."""
        found = late(self.c, tuple(self.applied))
        row, column = self.c.row, self.c.column
        assert row is not None and column is not None and self.totals is not None
        if not is_wide(found):
            return False
        arrays = {v: self.applied.get(v, self.totals) for v in found}
        rows, columns = (
            Side(a, ranges.begin(a), self._end(a, ranges), self._base(a), self.tile.block(a))
            for a in (row, column)
        )
        if stored_as_they_are(here, self.c, arrays, rows, columns):
            return True
        copies = turned(here, arrays, rows, columns)
        inside, at = here, ZERO
        around = ranges.of[column][1]
        for side, end, kind in ((columns, around, "serial"), (rows, rows.end, "vector")):
            inside = inside.loop(side.begin, end, kind)
            inside.at[side.axis[-1]] = inside.variable()
            at = at * side.size + (inside.variable() - side.base)
        values = values_of(self.c)
        values.values |= {value: inside.read(copy, at) for value, copy in copies.items()}
        self._store(values, inside)
        return True

    def _at_a_point(self, here: Place) -> tuple[NestValues, ex.Expr]:
        """The sum at one point, and where it lies in arrays of the tile."""
        assert self.totals is not None
        at = ZERO
        for axis in (self.c.row, self.c.column):
            if axis is not None:
                inner = here.at[axis[-1]] - self._base(axis)
                at = at * self.tile.block(axis) + inner
        values = values_of(self.c)
        values.values[self.c.sweep.outputs[0]] = here.read(self.totals, at)
        return values, at
