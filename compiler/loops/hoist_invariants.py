"""Computes what is the same in each iteration of a vector loop in front of it.

::

    for i = 0 to n { y[i] = cast(x[i] / (s[0] / 255)) }
      -->
    t = s[0] / 255
    for i = 0 to n { y[i] = cast(x[i] / t) }

C compilers do so only where they see that no store of the loop reaches what it reads, and one of
bytes may reach everything.  A loop that may not run at all reads nothing in front of it, unless the
buffer has elements in any case.  Runs behind lower-schedules, which writes the last loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.passes.function_pass import FunctionPass

from .loop_parts import PLAIN


def _has_elements(buffer: SSAValue) -> bool:
    """Whether a buffer certainly has elements."""
    type = buffer.type
    return isinstance(type, MemRefType) and not {0, DYNAMIC_INDEX} & set(type.get_shape())


def hoist(op: loop.ForOp) -> None:
    """Move loads and functions of values from outside in front of a loop."""
    ops = list(op.body.block.ops)
    if not all(isinstance(o, PLAIN) for o in ops):
        return
    lower, upper, _ = op.bounds
    runs = ((upper - lower).constant or 0) > 0
    written = loop.written(ops)

    def is_same(o: Operation) -> bool:
        if any(v is op.variable or v.owner.parent is op.body.block for v in o.operands):
            return False
        if isinstance(o, loop.LoadOp):
            return o.source not in written and (runs or _has_elements(o.source))
        return isinstance(o, body.ApplyOp | body.ConstantOp)

    block = op.parent
    assert block is not None
    for o in ops:
        if is_same(o):
            o.detach()
            block.insert_op_before(o, op)


class HoistInvariantsPass(FunctionPass):
    """for i {y[i] = x[i] / (s[0] / 255)}  -->  t = s[0] / 255; for i {y[i] = x[i] / t}."""

    name = "hoist-invariants"

    def rewrite(self, function: FuncOp) -> None:
        """Hoist from every vector loop of one function."""
        for op in list(function.body.block.walk()):
            if isinstance(op, loop.ForOp) and op.kind.data == "vector":
                hoist(op)
