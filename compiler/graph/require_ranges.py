"""Requires the indices of each gather and scatter to be within their axes.

::

    opc.gather %x, %i {axes = [0]}, x of shape [N, 4]
      --> opc.require_range %i from <-N> to <N - 1> "opc.gather: ..."
          opc.gather %x, %i {axes = [0]}

Constant indices are checked at compile time: InputError where one is outside.  In bodies of control
flow this needs a known extent, since infer-shapes has stated the requirements of bodies before.
Runs after fold-constants, which finds constants.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Requirement, element, shape_of, tensor_of
from opc.errors import InputError
from opc.support.locations import location_of

from .infer_shapes import is_body
from .rewriting import functions


class Ranges:
    """States the ranges of indices of one function, each once."""

    def __init__(self, function: FuncOp, block: Block) -> None:
        self.function = function
        self.block = block
        self.stated = set[tuple[SSAValue, ex.Expr, ex.Expr]]()

    def run(self) -> None:
        """Visit the operations in order."""
        for op in list(self.block.ops):
            if isinstance(op, RequireRangeOp):
                self.stated.add((op.values, *op.bounds))
            elif isinstance(op, IndexingOp):
                for axis, indices in op.indexed():
                    self.require(op, axis, indices)

    def require(self, op: IndexingOp, axis: int, indices: SSAValue) -> None:
        """Require the indices of one axis to be within it."""
        extent = shape_of(op.tensor_types[0])[axis]
        from_end = op.values()["from_end"] and element(tensor_of(indices)).kind == "signed"
        low, high = (-extent if from_end else ex.const(0)), extent - 1
        message = f"{op.name}: an index is outside of axis {axis}"
        if (bits := _bits_of_code(indices)) is not None and 1 << bits <= (extent.constant or 0):
            return
        values, known = _behind(indices, ReshapeOp), _behind(indices, ReshapeOp, BroadcastOp).owner
        is_certain = extent.constant is not None or not is_body(self.function)
        if isinstance(known, ConstantOp) and is_certain:
            self._check(op, known, extent, from_end, message)
        elif (values, low, high) not in self.stated:
            self.stated.add((values, low, high))
            check = RequireRangeOp.of(values, low, high, message)
            check.location = op.location
            self.block.insert_op_before(check, op)

    def _check(
        self, op: IndexingOp, known: ConstantOp, extent: ex.Expr, from_end: bool, message: str
    ) -> None:
        """Check constant indices against a known extent, or require an unknown one to suffice."""
        array = known.array()
        if not array.size:
            return
        least, most = int(array.min()), int(array.max())
        if not from_end and least < 0:
            raise InputError(f"{message}: {least} is negative", location_of(op))
        needed = max(most + 1, -least)
        if extent.constant is None:
            message += f", which has fewer than {needed}"
            need = Requirement("equal", ex.minimum(extent, needed), ex.const(needed), message)
            self.block.insert_op_before(RequireOp.of(need), op)
        elif needed > extent.constant:
            worst = most if most >= extent.constant else least
            raise InputError(f"{message}: {worst} of {extent_text(extent)}", location_of(op))


def _bits_of_code(value: SSAValue) -> int | None:
    """The bits of whole numbers of few bits that have no sign, as integers; None for others.

    By way of floats of few bits they might be rounded up.
    """
    while isinstance(owner := value.owner, ReshapeOp | BroadcastOp | CastOp):
        if isinstance(owner, CastOp) and not element(owner.type).is_integer:
            return None
        value = owner.operands[0]
    type = element(tensor_of(value))
    return type.bits if type.small == "unsigned" else None


def _behind(value: SSAValue, *kinds: type[OpcOp]) -> SSAValue:
    """The value behind a chain of operators of some kinds."""
    while isinstance(owner := value.owner, OpcOp) and isinstance(owner, kinds):
        value = owner.operands[0]
    return value


@dataclass(frozen=True)
class RequireRangesPass(ModulePass):
    """gather(x, i)  -->  require_range i; gather(x, i)."""

    name = "require-ranges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function."""
        for function, block in functions(op):
            Ranges(function, block).run()
