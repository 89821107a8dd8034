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
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp

from .loop_parts import PlainLoopsPass


class HoistInvariantsPass(PlainLoopsPass):
    """for i {y[i] = x[i] / (s[0] / 255)}  -->  t = s[0] / 255; for i {y[i] = x[i] / t}."""

    name = "hoist-invariants"

    def rewrite_loop(self, op: loop.ForOp) -> None:
        """Move loads, and functions of what is loaded, in front of a loop."""
        block, ops = op.body.block, list(op.body.block.ops)
        # Registers have no address.
        types = [
            scalar_type(o.value)
            for o in ops
            if isinstance(o, loop.StoreOp)
            and not (isinstance(o.target.owner, LocalOp) and o.target.owner.lanes)
        ]
        if not any(type.is_integer and type.bits == 8 for type in types):
            return
        runs = ((op.bounds[1] - op.bounds[0]).constant or 0) > 0
        written = loop.written(ops)
        for o in ops:
            operands = [v for v in o.operands if not isinstance(v.owner, body.ConstantOp)]
            if not operands or any(v is op.variable or v.owner.parent is block for v in operands):
                continue
            if isinstance(o, loop.LoadOp):
                type = o.source.type
                shape = type.get_shape() if isinstance(type, MemRefType) else (0,)
                may_be_empty = not {0, DYNAMIC_INDEX}.isdisjoint(shape)
                if o.source in written or (may_be_empty and not runs):
                    continue
            elif not isinstance(o, body.ApplyOp):
                continue
            constants = [v.owner for v in o.operands if isinstance(v.owner, body.ConstantOp)]
            for moved in (*(c for c in constants if c.parent is block), o):
                moved.detach()
                Rewriter.insert_op(moved, InsertPoint.before(op))
