"""Write the loops of every nest that has a schedule.

Panels of packed operands lie at the end of the workspace, those of known size of all nests in one
place.  Needs schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.buffer import WORKSPACE
from opc.dialects.schedule import PackOp, TreeOp
from opc.dialects.shape import IndexAttr, buffer_type, tensor_type
from opc.passes.plan_buffers import ALIGNMENT
from opc.schedule.contraction import Contraction, analyse

from .contraction import ContractionLowering, panels


def _aligned(size: ex.Expr) -> ex.Expr:
    return ex.floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT


class FunctionLowering:
    """Lowers the scheduled nests of one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.workspace = function.body.block.args[-1]
        attr = function.attributes[WORKSPACE]
        assert isinstance(attr, IndexAttr)
        self.start = self.end = attr.data[0]
        """Where panels of known size begin; and the end of the workspace."""

    def run(self) -> None:
        """Lower every nest, and say how large the workspace is."""
        nests = [op for op in self.function.body.block.ops if isinstance(op, kernel.NestOp)]
        found = [(nest, analyse(nest), cast(TreeOp, nest.body.block.last_op)) for nest in nests]
        scheduled = [(nest, c, tree) for nest, c, tree in found if c is not None]
        known = [sum(self._sizes(c, tree)) for _, c, tree in scheduled]
        self.end = self.start + max(known, default=0)
        for nest, c, tree in scheduled:
            block = Block()
            buffers = self._buffers(c, tree, block)
            ContractionLowering(c, tree, buffers).run(block)
            for new in list(block.ops):
                new.detach()
                for inner in new.walk():
                    inner.location = nest.location
                self.function.body.block.insert_op_before(new, nest)
            nest.detach()
            nest.erase()
        self.function.attributes[WORKSPACE] = IndexAttr((self.end,))

    def _sizes(self, c: Contraction, tree: TreeOp) -> list[int]:
        """Bytes of the panels whose size is known."""
        packs = (op for op in tree.body.block.ops if isinstance(op, PackOp))
        sizes = (_aligned(panels(c, op).elements * c.type.bytes).constant for op in packs)
        return [size for size in sizes if size is not None]

    def _buffers(self, c: Contraction, tree: TreeOp, block: Block) -> dict[str, SSAValue]:
        found: dict[str, SSAValue] = {}
        at = self.start
        for op in tree.body.block.ops:
            if not isinstance(op, PackOp):
                continue
            elements = panels(c, op).elements
            size = _aligned(elements * c.type.bytes)
            if size.constant is None:
                place, self.end = self.end, self.end + size
            else:
                place, at = at, at + size
            type = buffer_type(tensor_type(c.type, (elements,)))
            slice_ = loop.SliceOp.of(self.workspace, place, type)
            block.add_op(slice_)
            found[op.operand.data] = slice_.result
        return found


@dataclass(frozen=True)
class LowerSchedulesPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "lower-schedules"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                FunctionLowering(function).run()
