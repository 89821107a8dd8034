"""Computes what is the same in each iteration of a loop that stores bytes in front of it.

::

    for i = 0 to n { y[i] = cast(x[i] / (s[0] / 255)) : ui8 }
      -->
    t = s[0] / 255
    for i = 0 to n { y[i] = cast(x[i] / t) : ui8 }

C compilers do so themselves where no store of the loop may reach what it reads.  But a store of
bytes may reach every buffer (C99 6.5, 7), so that a loop like this one would use no vectors.  A
loop that may not run at all reads nothing in front of it, unless the buffer has elements in any
case.  Runs behind lower-schedules, which writes the last loops.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .loop_parts import PLAIN


def _stores_bytes(ops: Sequence[Operation]) -> bool:
    """Whether bytes are stored to memory: registers have no address."""
    stores = [op for op in ops if isinstance(op, loop.StoreOp) and not _is_register(op.target)]
    types = [scalar_type(op.value) for op in stores]
    return any(type.is_integer and type.bits == 8 for type in types)


def _is_register(buffer: SSAValue) -> bool:
    return isinstance(buffer.owner, LocalOp) and buffer.owner.lanes is not None


def _has_elements(buffer: SSAValue) -> bool:
    """Whether a buffer certainly has elements."""
    type = buffer.type
    return isinstance(type, MemRefType) and not {0, DYNAMIC_INDEX} & set(type.get_shape())


def hoist(op: loop.ForOp) -> None:
    """Move loads, and functions of what is loaded, in front of a loop."""
    block, around = op.body.block, op.parent
    ops = list(block.ops)
    if not all(isinstance(o, PLAIN) for o in ops) or not _stores_bytes(ops):
        return
    lower, upper, _ = op.bounds
    runs = ((upper - lower).constant or 0) > 0
    written = loop.written(ops)
    assert around is not None
    for o in ops:
        operands = [v for v in o.operands if not isinstance(v.owner, body.ConstantOp)]
        if not operands or any(v is op.variable or v.owner.parent is block for v in operands):
            continue
        if isinstance(o, loop.LoadOp):
            if o.source in written or not (runs or _has_elements(o.source)):
                continue
        elif not isinstance(o, body.ApplyOp):
            continue
        for value in o.operands:
            if isinstance(value.owner, body.ConstantOp) and value.owner.parent is block:
                value.owner.detach()
                around.insert_op_before(value.owner, op)
        o.detach()
        around.insert_op_before(o, op)


class HoistInvariantsPass(FunctionPass):
    """for i {y[i] = x[i] / (s[0] / 255)}  -->  t = s[0] / 255; for i {y[i] = x[i] / t}."""

    name = "hoist-invariants"

    def rewrite(self, function: FuncOp) -> None:
        """Hoist from every vector loop of one function."""
        for op in list(walk(function.body.block)):
            if isinstance(op, loop.ForOp) and op.kind.data == "vector":
                hoist(op)
