"""Write the loops of every nest that has a schedule, or indices that are values.

Operands that are laid out lie one after the other at the end of the workspace, until place-buffers
gives all buffers their places.  Needs schedule.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.blob import deferred
from opc.dialects.buffer import WORKSPACE, LocalOp
from opc.dialects.indirect import is_indirect
from opc.dialects.opc.movement import Array
from opc.dialects.schedule import PackOp, PadOp, TreeOp
from opc.dialects.shape import IndexAttr, buffer_type, tensor_type
from opc.errors import UnsupportedError
from opc.function_pass import FunctionPass
from opc.kernels.plan_buffers import ALIGNMENT
from opc.schedule.contraction import Operand, analyse
from opc.schedule.legality import check

from .constant_panels import constant_panels
from .contraction import ContractionLowering, in_buffer
from .indirect_loops import IndirectLowering
from .loop_parts import put_block
from .packing import Packing, Panels, panels
from .padding import Padded, Padding, pads
from .places import Place


class FunctionLowering:
    """Lowers the scheduled nests of one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.workspace = function.body.block.args[-1]
        attr = function.attributes[WORKSPACE]
        assert isinstance(attr, IndexAttr)
        self.end = attr.data[0]
        """The end of the workspace."""

    def run(self) -> None:
        """Lower every nest, and say how large the workspace is."""
        nests = [op for op in self.function.walk() if isinstance(op, kernel.NestOp)]
        for nest in nests:
            if nest.has_chain:
                self._contraction(nest)
            elif is_indirect(nest):
                IndirectLowering(nest).run(block := Block())
                put_block(block, nest, nest.location)
                Rewriter.erase_op(nest)
        self.function.attributes[WORKSPACE] = IndexAttr((self.end,))

    def _contraction(self, nest: kernel.NestOp) -> None:
        """Write what lays operands out where all is known that they are made of, and the loops."""
        c, tree = analyse(nest), nest.body.block.last_op
        if c is None or not isinstance(tree, TreeOp):
            raise UnsupportedError("a nest has no schedule; run schedule first")
        c, ops = c.as_in(tree), list(tree.body.block.ops)
        # Somebody may have written the schedule.
        check(c, tree)
        padded = [pads(c, op, tree) for op in ops if isinstance(op, PadOp)]
        packed = [panels(c, op) for op in ops if isinstance(op, PackOp)]
        written, laid_out = list[tuple[Block, Operation]](), dict[str, Packing | Padding]()
        for how in (*padded, *packed):
            known = constant_panels(c, how) if isinstance(how, Panels) else None
            before = self._before(nest, how.operand)
            found = in_buffer(how, self._buffer(how, known, before, nest))
            laid_out[how.operand.name] = found
            if known is None:
                found.write(Place(layout := Block(), [], dict(c.places)))
                written.append((layout, before))
        ContractionLowering(c, tree, laid_out).run(block := Block())
        for layout, before in (*written, (block, nest)):
            put_block(layout, before, nest.location)
        Rewriter.erase_op(nest)

    def _buffer(
        self,
        how: Panels | Padded,
        known: Callable[[], Array] | None,
        before: Operation,
        nest: kernel.NestOp,
    ) -> SSAValue:
        """Among the constants, an array of the loop that ``before`` is in, or in the workspace."""
        count, around = how.elements, before.parent
        type = buffer_type(tensor_type(how.type, (count,)))
        assert around is not None
        if known is not None:
            value = deferred(known, how.type, (count.constant or 0,))
            new = loop.ConstantOp(properties={"value": value}, result_types=[type])
        elif around is not self.function.body.block and count.constant is not None:
            new = LocalOp.of(how.type, count.constant)
        else:
            new = loop.SliceOp.of(self.workspace, self.end, type)
            size = count * how.type.bytes
            self.end += ex.floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT
        new.location = nest.location
        around.insert_op_before(new, before)
        return new.results[0]

    def _before(self, nest: kernel.NestOp, operand: Operand) -> Operation:
        """The outermost operation around a nest before which an operand may be laid out."""
        sources = {op.source for op in operand.ops if isinstance(op, kernel.LoadOp)}
        inside = {v.owner if isinstance(v.owner, Block) else v.owner.parent for v in sources}
        before: Operation = nest
        while (around := before.parent) not in inside and around is not self.function.body.block:
            outer = before.parent_op()
            assert outer is not None
            before = outer
        return before


class LowerSchedulesPass(FunctionPass):
    """See the module's docstring."""

    name = "lower-schedules"

    def rewrite(self, function: FuncOp) -> None:
        """See the base."""
        FunctionLowering(function).run()
