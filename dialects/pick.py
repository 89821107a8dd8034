"""``kernel.pick``: a dimension of a nest that takes one value, which is read.

The products of two rows with matrices that indices choose::

    kernel.nest [2, 8, 1024] {
      kernel.pick d1 = %chosen[d0]
      %y = kernel.sweep [512] (dot) { ... load %x[d0, d3], load %w[d1, d2, d3] ... }
      kernel.store %y to 0[d0, d2]
    }

So a matrix is read like one of a batch, whose elements may lie in panels, and no copy is made.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Block, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .formats import Formatted
from .kernel_nest import NestOp, check_scope, storage
from .shape import IndexAttr, Shape, shape_of


@irdl_op_definition
class PickOp(Formatted):
    """Dimension ``along`` is the element of an i64 tensor or buffer: an index of its extent."""

    name = "kernel.pick"
    source = operand_def()
    along = prop_def(IndexAttr)
    index = prop_def(IndexAttr)
    # Without a result, it stays for what it says about the nest.
    traits = traits_def(MemoryWriteEffect())
    FORMAT: ClassVar[str] = "custom<Expr>($along) `=` $source custom<Index>($index)"

    @staticmethod
    def of(along: int, source: SSAValue, index: Shape) -> PickOp:
        """The operation for a dimension of the nest."""
        return PickOp.new(source, along=ex.dim(along), index=index)

    @property
    def dim(self) -> int:
        """The dimension."""
        dim = self.along.data[0].dim()
        return -1 if dim is None else dim

    def verify_(self) -> None:
        """Check the place, the dimension and the index."""
        nest = self.parent_op()
        # pick_c1: it is in front of all that a nest computes, and names a dimension of it.
        before = self.prev_op
        is_first = before is None or isinstance(before, PickOp)
        if (
            not isinstance(nest, NestOp)
            or not is_first
            or not -1 < self.dim < len(nest.extents.data)
        ):
            axis = self.along.data[0]
            raise VerifyException(f"kernel.pick: {axis}, expected in front of a nest that has it")
        # pick_c2: it reads an i64, at an index that has no picked dimension.
        type = storage(self.source)
        if type is None or type.element_type != el.I64.type:
            raise VerifyException(f"kernel.pick: found {self.source.type}, expected i64")
        index, picked = self.index.data, {op.dim for op in picks_of(nest)}
        if len(index) != len(shape_of(type)) or any(picked & e.dims() for e in index):
            shown = ", ".join(map(str, index))
            raise VerifyException(f"kernel.pick: [{shown}], expected other dimensions than its own")
        check_scope(self, index)


def picks_of(nest: NestOp) -> list[PickOp]:
    """The dimensions of a nest that take one value."""
    return _first(nest.body.block)


def _first(block: Block) -> list[PickOp]:
    picks: list[PickOp] = []
    op = block.first_op
    while isinstance(op, PickOp):
        picks.append(op)
        op = op.next_op
    return picks
