"""Sums of a tile in matrix registers: a step multiplies a block of each factor.

::

    for k by 64 { step of 32 x 32 }   -->   loop.matrix_clear %sums
                                            loop.for %k step 64 { loop.matrix_multiply ... }
                                            loop.matrix_store %sums
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop, schedule
from opc.dialects.matrix_ops import Shape
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import block_of, path
from opc.schedule.product_groups import matrix_chain, matrix_products, matrix_rest, matrix_step

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


def shape_in(c: Contraction, tree: schedule.TreeOp) -> Shape:
    """The shape of the tiles of a schedule."""
    tile = block_of(tree, c.row), block_of(tree, c.column)
    return Shape(*tile, matrix_rest(c), matrix_step(c))


class MatrixTile:
    """The sums of a tile of a shape, in an array."""

    def __init__(self, sums: SSAValue, shape: Shape) -> None:
        self.sums, self.shape = sums, shape

    def clear(self, here: Insertion, is_first: bool) -> None:
        """Set all sums to 0; registers get their shapes before if ``is_first``."""
        if is_first:
            here.block.add_op(loop.MatrixBeginOp.of(self.shape))
        here.block.add_op(loop.MatrixClearOp.of(self.shape, self.sums))

    def store(self, here: Insertion, is_last: bool) -> None:
        """Put the sums into their array; registers are free behind it if ``is_last``."""
        here.block.add_op(loop.MatrixStoreOp.of(self.shape, self.sums))
        if is_last:
            here.block.add_op(loop.MatrixEndOp.new())

    def add_products(
        self,
        c: Contraction,
        here: Insertion,
        tile: Ranges,
        bases: Mapping[int, ex.Expr],
        laid_out: Mapping[str, Packing | Padding | Stored],
        begin: ex.Expr,
        prefetch: Callable[[Insertion], None],
    ) -> None:
        """Add the products along the axes of a step from ``begin`` on, and then the rest.

        ``bases`` are the begins of a tile along its axes; ``prefetch`` writes what goes on by a
        share at each step.
        """
        chain, (_, _, rest, step) = c.reduced[-1][-1], self.shape
        last = matrix_products(c) // step * step
        bases = {**bases, **{axis[-1]: ZERO for axis in matrix_chain(c)}}
        if last:
            inside = here.loop(begin, begin + last, "serial", step)
            inside.at |= {**bases, chain: inside.variable()}
            prefetch(inside)
            self._multiply(c, inside, tile, laid_out, False)
        if rest:
            here = Insertion(here.block, here.variables, {**here.at, **bases, chain: begin + last})
            self._multiply(c, here, tile, laid_out, True)

    def _multiply(
        self,
        c: Contraction,
        here: Insertion,
        tile: Ranges,
        laid_out: Mapping[str, Packing | Padding | Stored],
        is_last: bool,
    ) -> None:
        right, left = laid_out[c.right.name], laid_out.get(c.left.name)
        assert isinstance(right, Packing) and c.row is not None
        match left:
            case Packing():
                step = ex.const(self.shape.rest if is_last else self.shape.step)
                factor, start = left.buffer, left.offset(here, tile.begin(c.row))
            case Padding():
                step = left.steps[c.row] or ZERO
                factor, start = left.buffer, left.offset(here.at)
            case _:
                load, step = c.left.load, c.stride(c.left, c.row) or ZERO
                assert load is not None
                factor, start = load.source, c.offsets[load].substitute(here.at)
        index, dims = here.over((start, step, right.offset(here, tile.begin(c.column))))
        factors = factor, right.buffer, self.sums
        here.block.add_op(loop.MatrixMultiplyOp.at(self.shape, factors, index, dims, is_last))
