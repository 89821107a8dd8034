"""Lower nests whose indices are values.

An operation stands in the outermost loop that has its operands, so an index is loaded once for all
elements that it selects, and the innermost loop copies these::

    for d0 < 512 { i = load ids[d0]; for d1 < 768 { y[d0*768 + d1] = gather x[i*768 + d1] } }

Points of a gather are independent.  A scatter goes over its updates one after the other; they are
independent only in an innermost loop along which no index changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.collapse import collapse
from opc.dialects.indirect import offsets
from opc.dialects.repeat import NextOp, RepeatOp, has_repeat
from opc.dialects.shape import Shape, shape_of
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.support.target import WALK_ROWS, WALKS

from .insertion import Insertion, NestValues
from .shared_tables import Tables


class IndirectLowering:
    """Writes the loops of one nest."""

    def __init__(self, nest: kernel.NestOp, tables: Tables) -> None:
        """``tables`` are the panels of constants, which gathers may read instead of these."""
        self.nest, self.tables = nest, tables
        self.values = NestValues(nest)
        self.steps: dict[Operation, list[ex.Expr]] = {}
        """The factor of each index value in the offset of an access."""
        for op in walk(nest.body):
            if isinstance(op, kernel.GatherOp | kernel.ScatterOp):
                shape = shape_of(self._buffer(op).type)
                self.values.offsets[op], self.steps[op] = offsets(op, shape)

    def _buffer(self, op: kernel.GatherOp | kernel.ScatterOp) -> SSAValue:
        return op.source if isinstance(op, kernel.GatherOp) else self.nest.targets[op.number]

    def run(self, block: Block) -> None:
        """Write the loops into a block."""
        here = Insertion(block, [])
        if self.values.sweeps:
            # The nest of a scatter has one point.
            for sweep in self.values.sweeps:
                self._points(list(sweep.body.block.ops), sweep.extents.data, here)
            return
        ops = list(self.nest.body.block.ops)
        if has_repeat(self.nest):
            RepeatLowering(self.values, self._write, ops).run(self.nest.extents.data, here)
        else:
            self._points(ops, self.nest.extents.data, here)

    def _points(self, ops: Sequence[Operation], extents: Shape, here: Insertion) -> None:
        """Loops over some dimensions, with each operation in the outermost possible one."""
        own = [e for op, e in self.values.offsets.items() if op in ops]
        merged = collapse(0, extents, own)
        here = Insertion(here.block, [], merged.places)
        depths = self._depths(ops, here, len(merged.extents))
        kinds = self._kinds(ops, depths, here, len(merged.extents))
        for depth in range(len(merged.extents) + 1):
            if depth:
                here = here.loop(0, merged.extents[depth - 1], kinds[depth - 1])
            for op in ops:
                if depths[op] == depth:
                    self._write(op, here)

    def _depths(self, ops: Sequence[Operation], here: Insertion, most: int) -> dict[Operation, int]:
        """The number of loops around each operation."""
        depths: dict[Operation, int] = {}
        for op in ops:
            depth = 0
            if (offset := self.values.offsets.get(op)) is not None:
                dims = offset.substitute(here.at).dims()
                depth = max((d + 1 for d in dims), default=0)
            inner = [depths[_owner(v)] for v in op.operands if v.owner in depths]
            is_store = isinstance(op, kernel.StoreOp | kernel.ScatterOp)
            depths[op] = most if is_store else max([depth, *inner])
        return depths

    def _kinds(
        self, ops: Sequence[Operation], depths: dict[Operation, int], here: Insertion, count: int
    ) -> list[str]:
        """The kind of each loop: whether its iterations are independent."""
        kinds = ["serial"] * count
        if not count:
            return kinds
        scattered = [op for op in ops if isinstance(op, kernel.ScatterOp)]
        if not scattered:
            kinds[0] = "parallel"
        last = count - 1
        are_apart = all(
            last in self.values.offsets[op].substitute(here.at).dims()
            and all(depths[_owner(v)] <= last for v in op.at)
            for op in scattered
        )
        kinds[-1] = "vector" if are_apart else "serial"
        return kinds

    def _write(self, op: Operation, here: Insertion) -> None:
        match op:
            case kernel.GatherOp() if (table := self.tables.find(op)) is not None:
                self.values.values[op.result] = table.read(here, op, self.values.values[op.at[0]])
            case kernel.GatherOp():
                index, dims = self._at(op, here)
                small = self.tables.find_small(op)
                self.values.values[op.result] = (
                    here.add(loop.GatherOp.of(op.source, index, dims))
                    if small is None
                    else small.read(here, index, dims)
                )
            case kernel.ScatterOp():
                self._scatter(op, here)
            case _:
                self.values.scalar(op, here)

    def _at(
        self, op: kernel.GatherOp | kernel.ScatterOp, here: Insertion
    ) -> tuple[ex.Expr, list[SSAValue]]:
        """The offset of an access over loop variables and values."""
        index, dims = here.resolve(self.values.offsets[op])
        for value, step in zip(op.at, self.steps[op], strict=True):
            index += ex.dim(len(dims)) * step
            dims = [*dims, self.values.values[value]]
        return index, dims

    def _scatter(self, op: kernel.ScatterOp, here: Insertion) -> None:
        target, value = self._buffer(op), self.values.values[op.value]
        index, dims = self._at(op, here)
        if op.reduction is not None:
            old = here.add(loop.GatherOp.of(target, index, dims))
            value = self._combine(op.reduction.data, old, value, here)
        here.block.add_op(loop.ScatterOp.of(value, target, index, dims))

    def _combine(self, name: str, old: SSAValue, value: SSAValue, here: Insertion) -> SSAValue:
        """Combine the old value and a new one, rounded once to their type."""
        type = body.scalar_type(value)
        if not type.is_small_float:
            return here.apply(name, old, value)
        wide = [here.add(body.ApplyOp.of("cast", [v], el.F32)) for v in (old, value)]
        return here.add(body.ApplyOp.of("cast", [here.apply(name, *wide)], type))


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


Write = Callable[[Operation, Insertion], None]


class RepeatLowering:
    """Writes a nest [rows, roots, ...] with ``kernel.repeat``: interleaved walks, step by step.

    Each step of a walk needs what the step before has loaded.  ``WALKS`` of them, of one row and as
    many roots, hide that; they go on until all have ended::

        for row { for l < 16 { at[l] = start }
                  for k < most { for l < 16 { at[l] = next of at[l] }  break if all have stayed }
                  for l < 16 { store at[l] } }

    Threads share blocks of rows and roots, so small that tables stay in the cache from row to row.
    """

    def __init__(self, values: NestValues, write: Write, ops: Sequence[Operation]) -> None:
        self.values = values
        self.write = write
        self.repeat = next(op for op in ops if isinstance(op, RepeatOp))
        at = ops.index(self.repeat)
        self.before, self.after = ops[:at], ops[at + 1 :]

    def run(self, extents: Shape, here: Insertion) -> None:
        """Write all points: blocks of interleaved roots, and a tail."""
        roots = extents[1].constant
        used = {
            d
            for op in self.before
            if op in self.values.offsets
            for d in self.values.offsets[op].dims()
        }
        if roots is None or not used <= {1}:
            raise UnsupportedError("kernel.repeat: expected a nest [rows, roots, ...] around it")
        full, tail = divmod(roots, WALKS)
        for first, blocks, width in ((0, full, WALKS), (full * WALKS, 1, tail)):
            if blocks and width:
                self._blocks(extents, here, first, blocks, width)

    def _blocks(self, extents: Shape, here: Insertion, first: int, blocks: int, width: int) -> None:
        count = ex.floordiv(extents[0] + (WALK_ROWS - 1), WALK_ROWS)
        shared = here.loop(0, count * blocks, "parallel")
        number = shared.variable()
        start = ex.floordiv(number, blocks) * WALK_ROWS
        row = shared.loop(start, ex.minimum(extents[0], start + WALK_ROWS), "serial")
        row.at[0] = row.variable()
        root = ex.mod(number, blocks) * width + first
        at = row.local(el.I64, width)

        lane = self._lane(row, root, width)
        for op in self.before:
            self.write(op, lane)
        lane.write(self.values.values[self.repeat.start], at, lane.variable())

        step, moved = row, None
        if self.repeat.steps > 1:
            step = row.loop(0, self.repeat.steps, "serial")
            moved = step.local(el.I64)
            step.write(step.constant(0, el.I64), moved)
        lane = self._lane(step, root, width)
        index = lane.read(at, lane.variable())
        self.values.values[self.repeat.index] = index
        for op in self.repeat.body.block.ops:
            if not isinstance(op, NextOp):
                self.write(op, lane)
        following = self.values.values[self.repeat.next]
        if moved is not None:
            change = lane.apply("bitwise_xor", index, following)
            lane.write(lane.apply("bitwise_or", lane.read(moved), change), moved)
        lane.write(following, at, lane.variable())
        if moved is not None:
            has_ended = step.apply("eq", step.read(moved), step.constant(0, el.I64))
            step.block.add_op(loop.BreakOp(operands=[has_ended]))

        lane = self._lane(row, root, width, "serial")
        self.values.values[self.repeat.result] = lane.read(at, lane.variable())
        for k, extent in enumerate(extents[2:], start=2):
            lane = lane.loop(0, extent, "serial", along=(k,))
        for op in self.after:
            self.write(op, lane)

    def _lane(self, here: Insertion, root: ex.Expr, width: int, kind: str = "vector") -> Insertion:
        """A loop over interleaved walks."""
        lane = here.loop(0, width, kind)
        lane.at[1] = root + lane.variable()
        return lane
