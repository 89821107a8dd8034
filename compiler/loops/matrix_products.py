"""Sums of a tile in matrix registers: a step multiplies a block of each factor.

::

    for k by 64 { step of 32 x 32 }   -->   loop.matrix_clear %sums
                                            loop.for %k step 64 { loop.matrix_multiply ... }
                                            loop.matrix_store %sums
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop, schedule
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import path

from .insertion import ZERO, Insertion
from .packing import Packing, Ranges
from .padding import Padding
from .stored import Stored


def begins_at(init: schedule.RunOp) -> schedule.ForOp | None:
    """The outermost loop in front of which one thread's registers get their shapes.

    None if that is in front of each tile.
    """
    around = path(init)
    shared = [k for k, op in enumerate(around) if op.kind.data == "parallel"]
    inner = around[shared[-1] + 1 :] if shared else around
    return inner[0] if inner else None


class MatrixTile:
    """The sums of a tile, ``sums``, which has ``rows`` and ``columns``."""

    def __init__(self, sums: SSAValue, rows: int, columns: int) -> None:
        self.sums, self.shape = sums, (rows, columns)

    def clear(self, here: Insertion, is_first: bool) -> None:
        """Set all sums to 0; registers get their shapes before if ``is_first``."""
        if is_first:
            here.block.add_op(loop.MatrixBeginOp.of(*self.shape))
        here.block.add_op(loop.MatrixClearOp.of(*self.shape, self.sums))

    def store(self, here: Insertion, is_last: bool) -> None:
        """Put the sums into their array; registers are free behind it if ``is_last``."""
        here.block.add_op(loop.MatrixStoreOp.of(*self.shape, self.sums))
        if is_last:
            here.block.add_op(loop.MatrixEndOp.new())

    def multiply(
        self,
        c: Contraction,
        here: Insertion,
        tile: Ranges,
        bases: Mapping[int, ex.Expr],
        laid_out: Mapping[str, Packing | Padding | Stored],
    ) -> None:
        """Add the products of a step; ``bases`` are the begins of a tile along its axes."""
        right, left = laid_out[c.right.name], laid_out.get(c.left.name)
        assert isinstance(right, Packing) and c.row is not None
        behind = right.offset(here, tile.begin(c.column))
        match left:
            case Packing():
                factor, step = left.buffer, ex.const(left.group)
                start = left.offset(here, tile.begin(c.row))
            case Padding():
                factor, steps = left.buffer, left.steps[c.row]
                assert steps is not None
                start, step = left.offset({**here.at, **bases}), steps
            case _:
                load = c.left.load
                assert load is not None
                factor, at = load.source, c.offsets[load].substitute({**here.at, **bases})
                start, step = at, c.stride(c.left, c.row) or ZERO
        index, dims = here.over((start, step, behind))
        factors = factor, right.buffer, self.sums
        here.block.add_op(loop.MatrixMultiplyOp.at(*self.shape, factors, index, dims))
