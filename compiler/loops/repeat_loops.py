"""Lower nests with ``kernel.repeat``: several walks are interleaved, step by step.

Each step of a walk needs what the step before has loaded, so one walk waits most of the time.
``WALKS`` of them, of one row and as many roots, hide that; they go on until all have ended::

    for row { for l < 16 { at[l] = start }
              for k < most { for l < 16 { at[l] = next of at[l] }  break if all have stayed }
              for l < 16 { store at[l] } }

Threads share blocks of rows and roots.  A block is small, so its tables stay in the cache from one
row to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import LocalOp
from opc.dialects.repeat import NextOp, RepeatOp
from opc.dialects.shape import Shape
from opc.errors import UnsupportedError
from opc.support.target import WALK_ROWS, WALKS

from .insertion import Insertion, NestValues

Write = Callable[[Operation, Insertion], None]


class RepeatLowering:
    """Writes the loops of a nest [rows, roots, ...] with one repetition."""

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
        at = row.add(LocalOp.of(el.I64, width))

        lane = self._lane(row, root, width)
        for op in self.before:
            self.write(op, lane)
        lane.write(self.values.values[self.repeat.start], at, lane.variable())

        step, moved = row, None
        if self.repeat.steps > 1:
            step = row.loop(0, self.repeat.steps, "serial")
            moved = step.add(LocalOp.of(el.I64))
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
            lane = lane.loop(0, extent, "serial")
            lane.at[k] = lane.variable()
        for op in self.after:
            self.write(op, lane)

    def _lane(self, here: Insertion, root: ex.Expr, width: int, kind: str = "vector") -> Insertion:
        """A loop over interleaved walks."""
        lane = here.loop(0, width, kind)
        lane.at[1] = root + lane.variable()
        return lane
