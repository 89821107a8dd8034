"""Lower a scheduled contraction: each loop of the tree becomes a loop.

The sums of a tile are in registers from ``init`` to ``finish``, and in an array of the tile's size
from there to ``out``.  A packed operand lies in panels, one for each tile along its own axis::

    left  [outer axes][rows / 14][k][14]        right  [outer axes][columns / 32][k][32]

Small integers lie in groups of two or four neighbours along the innermost contracted axis, ``[k /
2][14][2]``, and a step takes a group (see ``schedule.groups``).  The last panel is filled up with
its last row or column, whose sums are not stored.  The last tile of an operand that is read in
place begins early instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop, schedule
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.matrix_ops import PRODUCTS
from opc.dialects.order import BLOCK
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis
from opc.dialects.walking import walk
from opc.schedule.contraction import Contraction, Operand, slice_of
from opc.schedule.nest_trees import stages_of
from opc.schedule.product_groups import matrix_chain
from opc.schedule.register_tiles import peeled

from .chains import Blocks, blocks_of, end_of, left_in, parts, picked, products_before
from .insertion import ZERO, Insertion
from .matrix_products import MatrixTile, begins_at, shape_in
from .packing import Packing, Ranges, base_of, computed, flat, values_ahead, values_of
from .padding import Padding
from .parts_of_operands import lay_out_part
from .prefetching import prefetch_panel, prefetch_rows, prefetch_tile
from .stored import Stored, StoredTile
from .transposed_tiles import Part, transpose_tile
from .whole_tiles import has_partial, storing

TERMS = "terms"
"""The name of what the terms of blocks read along the columns, beside those of the operands."""
LEAST = 4
"""The least size in bytes of values for which tiles are transposed."""


class ContractionLowering:
    """Writes the loops of one nest; ``laid_out`` has its packed and padded operands by name."""

    def __init__(
        self,
        c: Contraction,
        tree: schedule.TreeOp,
        laid_out: Mapping[str, Packing | Padding | Stored],
    ) -> None:
        self.c, self.tree, self.before, self.laid_out = c, tree, laid_out, dict(laid_out)
        self.tile = Ranges()
        """The part of each axis that a tile has."""
        self.registers: SSAValue
        self.totals: SSAValue
        """The sums of a tile: ``registers`` inside a block of the order, ``totals`` behind it."""
        self.seen: SSAValue | None = None
        """A view of what a tile reads for one product, if columns lie apart."""
        self.applied: dict[SSAValue, SSAValue] = {}
        """Values that ``apply`` computes for a whole tile, and their arrays."""
        self.stored: StoredTile | None = None
        """What a tile reads of an operand that lies as it is stored."""
        runs = {op.stage.data: op for op in stages_of([tree])}
        self.stages = runs.keys()
        loops = (op for op in walk(tree) if isinstance(op, schedule.ForOp))
        self.lanes = max((op.step for op in loops if op.kind.data == "vector"), default=1)
        self.inside = left_in(c, tree)
        self.matrix: MatrixTile | None = None
        """The sums of a tile in matrix registers."""
        self.shaped_at = begins_at(runs["init"]) if tree.group == PRODUCTS else None

    def run(self, block: Block) -> None:
        """Write all loops into a block, but those that lay operands out before."""
        self._ops(self.tree.body.block.ops, Insertion(block, [], dict(self.c.places)), Ranges())

    def _ops(self, ops: Iterable[Operation], here: Insertion, ranges: Ranges) -> None:
        for op in ops:
            match op:
                case schedule.ForOp() if has_partial(self.c, op.prev_op):
                    pass
                case schedule.ForOp() if loops := storing(self.c, op):
                    self._whole(loops, here, ranges)
                case schedule.ForOp():
                    if op is self.shaped_at:
                        here.block.add_op(loop.MatrixBeginOp.of(shape_in(self.c, self.tree)))
                    self._for(op, here, ranges)
                    if op is self.shaped_at:
                        here.block.add_op(loop.MatrixEndOp.new())
                case schedule.RunOp():
                    self._stage(op.stage.data, here, ranges)
                case schedule.PackOp() | schedule.PadOp() if op.parent_op() is not self.tree:
                    source = self.before.get(op.operand.data)
                    operand = lay_out_part(self.c, self.tree, op, (here, ranges), source)
                    self.laid_out[op.operand.data] = operand
                case schedule.PrefetchPanelOp():
                    panels = self.before[op.operand.data]
                    assert not isinstance(panels, Padding)
                    prefetch_panel(self.c, op, panels, here, self.tile)
                case schedule.PrefetchTileOp():
                    prefetch_tile(self.c, op, here, self.tile)
                case _:
                    pass

    def _whole(self, loops: Sequence[schedule.ForOp], here: Insertion, ranges: Ranges) -> None:
        """Store a known number of columns where a tile is whole.

        ``out`` of a whole tile does what ``apply`` does; a partial one has whole vectors of it.
        """
        column = self.c.column
        assert column is not None
        begin, end, size = ranges.of.get(column, (ZERO, self.c.extent(column), 1))
        complete, partial = here.either(ex.atleast(end - begin, size))
        applied, self.applied = self.applied, {} if loops[1:] else self.applied
        self._for(loops[-1], complete, Ranges({**ranges.of, column: (begin, begin + size, size)}))
        self.applied = applied
        for op in loops:
            self._for(op, partial, ranges)

    def _stage(self, stage: str, here: Insertion, ranges: Ranges) -> None:
        match stage:
            case "start":
                self._begin(here, ranges)
                self._clear(self.totals, scalar_type(self.c.total), here)
            case "init":
                if "start" not in self.stages:
                    self._begin(here, ranges)
                self.tile = ranges
                if self.tree.group == PRODUCTS:
                    is_total = self.c.around is None
                    self.registers = self.totals if is_total else self._array(here, self.c.type)
                    self.matrix = MatrixTile(self.registers, shape_in(self.c, self.tree))
                    self.matrix.clear(here, self.shaped_at is None)
                    return
                self.registers = self._array(here, self.c.type, self.lanes)
                self._clear(self.registers, self.c.type, here)
            case "step":
                self._step(here)
            case "finish":
                self._finish(here)
            case "apply":
                self._apply(here)
            case _:
                # Compute the rest of the epilogue, and store it.
                values, at = values_of(self.c), self._at(here)
                values.values |= {v: here.read(a, at) for v, a in self._arrays.items()}
                values.scalars(self._behind, here)

    def _for(self, op: schedule.ForOp, here: Insertion, ranges: Ranges) -> None:
        axis, step, kind = op.axis, op.step, op.kind.data
        stages = {run.stage.data for run in stages_of([op])}
        is_out = not stages.isdisjoint({"apply", "out"})
        if self._is_transposed(op) and self._transpose_tile(here, ranges):
            return
        is_chain = "init" not in stages and axis in matrix_chain(self.c)[:1]
        if self.matrix is not None and is_chain:
            ahead = [o for o in walk(op) if isinstance(o, schedule.PrefetchPanelOp)]
            self.matrix.add_products(
                *(self.c, here, self.tile, self._bases(), self.laid_out, ranges.begin(axis)),
                lambda inside: self._ops(ahead, inside, ranges),
            )
            return
        is_all = not is_out or (stages == {"apply"} and self.c.applies_to_all)
        if kind == "unroll" or (kind == "vector" and is_all):
            # The whole tile, even if only a part of it is stored.
            inside = here.loop(0, ranges.block(axis), kind)
            inside.at[axis[-1]] = self._base(axis) + inside.variable()
            self._ops(op.body.block.ops, inside, ranges)
            return
        blocks = blocks_of(self.c) if axis == self.c.chain and "init" in stages else None
        if blocks is not None:
            self._blocks(op, blocks, here, ranges)
            return
        if axis in self.c.picked:
            here = picked(self.c, axis, here)
        begin, end, _ = ranges.of.get(axis, (*self._extent(axis, here, ranges), 0))
        if is_out and (kind == "vector" or self.matrix is not None):
            end = end_of(self.c, axis, ranges, self.tile, self.matrix is not None)
        before = products_before(self.c, axis, here.at) if self.c.chain in ranges.of else None
        if before is not None:
            # The products of this block along the last contracted axis.
            begin, end, _ = ranges.of[self.c.chain]
            begin = ex.maximum(begin, before)
            end = ex.minimum(end, before + self.c.extent(axis))
        ahead = ZERO
        if op.peel is not None and (operand := peeled(self.c, op)) is not None:
            here, ahead = values_ahead(
                self.c, operand, here, begin, self._base(self.c.own(operand))
            )
        is_cut = "init" not in stages and axis == self.c.chain
        is_left_in = axis in self.inside
        for lower, upper, is_whole in parts(self.c, op, begin, end, ahead, is_cut, is_left_in):
            inside = here.loop(lower, upper, kind, step)
            inside.at[axis[-1]] = inside.variable() - (before or 0)
            last = inside.variable() + step
            last = last if is_whole else ex.minimum(last, upper)
            left = Ranges({**ranges.of, axis: (inside.variable(), last, step)})
            if (axis,) == self.c.reduced[-1:]:
                self._see(inside)
                if step == self.tree.group:
                    prefetch_rows(self.c, self.tree, self.laid_out, inside, self.tile)
            stored = self.stored
            if stored is not None:
                self.stored = stored.along(inside, axis, step, self.tree.group)
            self._ops(op.body.block.ops, inside, left)
            self.stored = stored

    def _see(self, here: Insertion) -> None:
        """Make a view of what a tile reads if columns lie apart, once for all of its vectors.

        C compilers would compute an offset with divisions for each vector, and keep none of them.
        """
        right, self.seen = self.laid_out.get(self.c.right.name), None
        if not isinstance(right, Padding) or None in right.steps.values():
            return
        if right.window.phases > 1:
            self.seen = here.view(right.buffer, right.offset({**here.at, **self._bases()}))

    def _extent(self, axis: Axis, here: Insertion, ranges: Ranges) -> tuple[ex.Expr, ex.Expr]:
        """The begin and the end of an axis, without what is padding for a whole tile.

        An axis that is read has one value, the last variable.
        """
        if axis in self.c.picked:
            return here.variable(), here.variable() + 1
        inside = self.inside.get(axis)
        if inside is None:
            return ZERO, self.c.extent(axis)
        at = {**here.at, **self._bases(ranges)}
        return inside.begin.substitute(at), inside.end.substitute(at)

    def _blocks(self, op: schedule.ForOp, blocks: Blocks, here: Insertion, ranges: Ranges) -> None:
        """Write blocks of several contracted axes: segments of the last one, or parts of one."""
        *others, last = self.c.reduced
        segment = next(o for o in walk(op) if isinstance(o, schedule.ForOp) and o.axis == last)
        if blocks.segments:
            first, end = (e * blocks.inner for e in self._extent(others[0], here, ranges))
            start = ex.floordiv(first, blocks.segments) * blocks.segments
            block = here.loop(start, end, "serial", blocks.segments)
            self._stage("init", block, ranges)
            at = block.variable()
            part = at, at + blocks.segments
            self._for(segment, self._segments(others, block, ranges, part), ranges)
        else:
            segments = self._segments(others, here, ranges)
            block = segments.loop(0, self.c.extent(last), "serial", BLOCK)
            self._stage("init", block, ranges)
            at = block.variable()
            self._for(segment, block, Ranges({**ranges.of, last: (at, at + BLOCK, BLOCK)}))
        self._finish(block)

    def _segments(
        self,
        axes: Iterable[Axis],
        here: Insertion,
        ranges: Ranges,
        part: tuple[ex.Expr, ex.Expr] | None = None,
    ) -> Insertion:
        """Loops over some axes, over all values in order or a part of them."""
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

    def _base(self, axis: Axis | None, ranges: Ranges | None = None) -> ex.Expr:
        """The begin of a tile along an axis; earlier where it would leave an operand."""
        ranges = ranges or self.tile
        operand = self.c.left if axis == self.c.row else self.c.right
        source = self.laid_out.get(operand.name)
        if source is None or (isinstance(source, Packing) and source.is_full):
            return base_of(self.c, operand, axis, ranges)
        return ranges.begin(axis)

    def _bases(self, ranges: Ranges | None = None) -> dict[int, ex.Expr]:
        """The begins of a tile along its axes, by dimension."""
        axes = (axis for axis in (self.c.row, self.c.column) if axis is not None)
        return {axis[-1]: self._base(axis, ranges) for axis in axes}

    def _own(self, axis: Axis | None, here: Insertion) -> ex.Expr:
        """The index in a tile along an axis."""
        return ZERO if axis is None else here.at[axis[-1]] - self._base(axis)

    def _at(self, here: Insertion) -> ex.Expr:
        """The index of the sum of a point in an array of the tile."""
        axes = (self.c.row, self.c.column)
        return flat((self._own(axis, here), ex.const(self.tile.block(axis))) for axis in axes)

    def _over_tile(self, here: Insertion) -> tuple[Insertion, ex.Expr]:
        """Loops over all sums of a tile, and the index of one in its array."""
        rows, columns = self._shape
        at = here.loop(0, rows, "unroll")
        inside = at.loop(0, columns, "vector")
        return inside, at.variable() * columns + inside.variable()

    @property
    def _shape(self) -> tuple[int, int]:
        """The rows and the columns of a tile."""
        return self.tile.block(self.c.row), self.tile.block(self.c.column)

    def _array(self, here: Insertion, type: ElementType, lanes: int | None = None) -> SSAValue:
        rows, columns = self._shape
        return here.local(type, rows * columns, lanes)

    def _clear(self, sums: SSAValue, type: ElementType, here: Insertion) -> None:
        inside, at = self._over_tile(here)
        inside.write(inside.constant(0, type), sums, at)

    def _begin(self, here: Insertion, ranges: Ranges) -> None:
        """Declare the arrays of a tile that outlive a block of the order."""
        self.tile = ranges
        self.totals = self._array(here, scalar_type(self.c.total))
        right, column = self.laid_out.get(self.c.right.name), self.c.column
        if isinstance(right, Stored):
            tile = right.tile(here, ranges.begin(column), ranges.block(column))
            self.stored = tile.keep(here, None)
        if "apply" in self.stages:
            self.applied = {v: self._array(here, scalar_type(v)) for v in self.c.applied}

    def _step(self, here: Insertion) -> None:
        at = self._at(here)
        value: SSAValue | None = None
        for number in range(self.tree.group):
            left, right = (self._factor(o, here, number) for o in (self.c.left, self.c.right))
            before = value or here.read(self.registers, at)
            value = here.apply(self.c.combine, left, right, before)
        assert value is not None
        here.write(value, self.registers, at)

    def _factor(self, operand: Operand, here: Insertion, number: int) -> SSAValue:
        """One factor, from its buffer or in place; ``number`` is its index in a group."""
        source, axis = self.laid_out.get(operand.name), self.c.own(operand)
        if source is None:
            if number:
                here = Insertion(here.block, here.variables, dict(here.at))
                here.at[self.c.reduced[-1][-1]] += number
            return computed(self.c, operand, here)
        if isinstance(source, Stored):
            assert self.stored is not None
            is_group = self.tree.group > 1
            return self.stored.factor(here, number) if is_group else self.stored.value(here)
        if isinstance(source, Packing):
            at = source.offset(here, self.tile.begin(axis)) + self._own(axis, here) * source.group
        elif self.seen is not None and operand is self.c.right:
            axes = (a for a in (self.c.row, self.c.column) if a is not None)
            at = source.from_first({a: self._own(a, here) for a in axes})
            return here.cast(here.read(self.seen, at + number), self.c.type)
        else:
            at = source.offset(here.at)
        return here.cast(here.read(source.buffer, at + number), self.c.type)

    def _finish(self, here: Insertion) -> None:
        if self.matrix is not None:
            self.matrix.store(here, self.shaped_at is None)
        if self.c.terms is not None:
            self._add_terms(here, self.c.terms)
        if self.c.terms is not None or self.matrix is not None:
            return
        inside, at = self._over_tile(here)
        has_total = "start" in self.stages
        before = inside.read(self.totals, at) if has_total else inside.constant(0, self.c.type)
        value = inside.apply("add", before, inside.read(self.registers, at))
        inside.write(value, self.totals, at)

    def _add_terms(self, here: Insertion, term: body.ApplyOp) -> None:
        """Add the product that is made of each exact sum to the total."""
        assert self.c.around is not None
        sums, combine = self.registers, self.c.around.kinds.data[0].data
        if self.matrix is None:
            sums = self._array(here, self.c.type)
            inside, at = self._over_tile(here)
            inside.write(inside.read(self.registers, at), sums, at)
        beside, columns = self.laid_out.get(TERMS), self.c.column
        part = self.tile.begin(columns), self.tile.block(columns)
        tile = beside.tile(here, *part) if isinstance(beside, Stored) else None
        for axis, kind in ((self.c.row, "serial"), (self.c.column, "vector")):
            if axis is not None:
                begin, end, size = self.tile.of.get(axis, (ZERO, self.c.extent(axis), 0))
                is_whole = kind == "vector" and size and ex.mod(self.c.extent(axis), size) == 0
                here = here.loop(begin, begin + size if is_whole else end, kind, along=axis)
        values, at = values_of(self.c), self._at(here)
        values.values[self.c.sweep.outputs[0]] = here.read(sums, at)
        loads = tuple(tile.views) if tile is not None else ()
        for load in loads:
            assert tile is not None
            values.values[load.results[0]] = tile.read(load, here, self._own(columns, here))
        values.scalars(slice_of(term.args, loads), here)
        factors = (values.values[value] for value in term.args)
        total = here.apply(REDUCTIONS[combine].combine, *factors, here.read(self.totals, at))
        here.write(total, self.totals, at)

    def _apply(self, here: Insertion) -> None:
        """Compute the first part of the epilogue, ``Contraction.applied``, at one point."""
        values, at = values_of(self.c), self._at(here)
        values.values[self.c.total] = here.read(self.totals, at)
        values.scalars(slice_of(self.applied), here)
        for value, array in self.applied.items():
            here.write(values.values[value], array, at)

    @property
    def _arrays(self) -> dict[SSAValue, SSAValue]:
        """The sum and the values of ``apply``, with their arrays."""
        return {self.c.total: self.totals, **self.applied}

    def _is_transposed(self, op: schedule.ForOp) -> bool:
        """Whether a loop over columns around ``out`` stores results that lie along the rows."""
        inner = op.body.block.first_op
        if not isinstance(inner, schedule.ForOp) or self.c.is_in_order:
            return False
        run = inner.body.block.first_op
        is_out = isinstance(run, schedule.RunOp) and run.stage.data == "out"
        return is_out and (op.axis, inner.axis) == (self.c.column, self.c.row)

    @property
    def _behind(self) -> list[Operation]:
        """The operations behind ``apply``, or behind the sum, and the stores."""
        done = [op for value in self.applied if isinstance(op := value.owner, Operation)]
        return [*slice_of([s.value for s in self.c.stores], done), *self.c.stores]

    def _transpose_tile(self, here: Insertion, ranges: Ranges) -> bool:
        """Store a tile whose results lie along its rows; False if values are too narrow."""
        used = {v for op in self._behind for v in op.operands}
        late = {value: array for value, array in self._arrays.items() if value in used}
        if any(scalar_type(value).bytes < LEAST for value in late):
            return False
        row, column = (
            Part(
                *(axis, ranges.begin(axis), end_of(self.c, axis, ranges, self.tile)),
                *(self._base(axis), self.tile.block(axis)),
                ranges.of.get(axis, (ZERO, self.c.extent(axis), 0))[1],
            )
            for axis in (self.c.row, self.c.column)
            if axis is not None
        )
        transpose_tile(self.c, self._behind, late, (row, column), here)
        return True
