"""Write the loops of every nest that has a schedule, or indices that are values.

Panels of packed operands lie at the end of the workspace, those of known size of all nests in one
place.  Needs schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.blob import deferred
from opc.dialects.buffer import WORKSPACE
from opc.dialects.indirect import is_indirect
from opc.dialects.opc.movement import Array
from opc.dialects.schedule import PackOp, PadOp, TreeOp
from opc.dialects.shape import IndexAttr, buffer_type, tensor_type
from opc.passes.plan_buffers import ALIGNMENT
from opc.schedule.contraction import Contraction, analyse
from opc.schedule.legality import check

from .constant_panels import constant_panels
from .contraction import ContractionLowering
from .indirect_loops import lower_indirect
from .padding import Padded, pads
from .panels import Panels, panels


def _aligned(size: ex.Expr) -> ex.Expr:
    return ex.floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True)
class Packed:
    """An operand in panels or padded, and what gives the panels if they are known."""

    panels: Panels | Padded
    known: Callable[[], Array] | None = None

    @property
    def size(self) -> ex.Expr:
        """Bytes of the workspace that it needs."""
        size = self.panels.elements * self.panels.type.bytes
        return ex.const(0) if self.known is not None else _aligned(size)


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
        scheduled = [
            (oriented := c.as_in(tree), tree, self._packed(oriented, tree))
            for nest in nests
            if (c := analyse(nest)) is not None
            and isinstance(tree := nest.body.block.last_op, TreeOp)
        ]
        sizes = [[p.size.constant or 0 for p in packed] for _, _, packed in scheduled]
        self.end = self.start + max(map(sum, sizes), default=0)
        for c, tree, packed in scheduled:
            block = Block()
            buffers = self._buffers(c, packed, block)
            ContractionLowering(c, tree, buffers).run(block)
            self._replace(c.nest, block)
        for nest in nests:
            if nest.parent is not None and is_indirect(nest):
                block = Block()
                lower_indirect(nest, block)
                self._replace(nest, block)
        self.function.attributes[WORKSPACE] = IndexAttr((self.end,))

    def _replace(self, nest: kernel.NestOp, block: Block) -> None:
        """Put the operations of a block in place of a nest."""
        for new in list(block.ops):
            new.detach()
            for inner in new.walk():
                inner.location = nest.location
            self.function.body.block.insert_op_before(new, nest)
        nest.detach()
        nest.erase()

    def _packed(self, c: Contraction, tree: TreeOp) -> list[Packed]:
        # Somebody may have written the schedule.
        check(c, tree)
        packs = [panels(c, op) for op in tree.body.block.ops if isinstance(op, PackOp)]
        padded = [pads(c, op, tree) for op in tree.body.block.ops if isinstance(op, PadOp)]
        return [*map(Packed, padded), *(Packed(p, constant_panels(c, p)) for p in packs)]

    def _buffers(
        self, c: Contraction, packed: Sequence[Packed], block: Block
    ) -> dict[str, SSAValue]:
        """Where the panels lie: in the workspace, or among the constants."""
        found: dict[str, SSAValue] = {}
        at = self.start
        for p in packed:
            type = buffer_type(tensor_type(p.panels.type, (p.panels.elements,)))
            if p.known is not None:
                value = deferred(p.known, p.panels.type, (p.panels.elements.constant or 0,))
                new = loop.ConstantOp(properties={"value": value}, result_types=[type])
            else:
                size = p.size
                if size.constant is None:
                    place, self.end = self.end, self.end + size
                else:
                    place, at = at, at + size
                new = loop.SliceOp.of(self.workspace, place, type)
            block.add_op(new)
            found[p.panels.operand.name] = new.result
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
