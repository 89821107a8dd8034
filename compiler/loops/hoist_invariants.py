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

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .loop_parts import PLAIN


def hoist(op: loop.ForOp) -> None:
    """Move loads, and functions of what is loaded, in front of a loop."""
    block, around = op.body.block, op.parent
    ops = list(block.ops)
    stores = [o for o in ops if isinstance(o, loop.StoreOp)]
    # Registers have no address.
    registers = [o for o in stores if isinstance(o.target.owner, LocalOp) and o.target.owner.lanes]
    types = [scalar_type(o.value) for o in stores if o not in registers]
    stores_bytes = any(type.is_integer and type.bits == 8 for type in types)
    if not all(isinstance(o, PLAIN) for o in ops) or not stores_bytes:
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
            type = o.source.type
            sizes = (
                {0, DYNAMIC_INDEX} & {*type.get_shape()} if isinstance(type, MemRefType) else {0}
            )
            if o.source in written or (sizes and not runs):
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
