"""Narrows floats to integers of 8 bits in loops of their own.

::

    for i = 0 to 56 { y[i] = cast(x[i] : f32) : ui8 }
      -->
    for i = 0 to 56 { a[i] = cast(cast(x[i] : f32) : ui8) : i32 }
    for i = 0 to 56 { y[i] = cast(a[i] : i32) : ui8 }

C compilers take as many points at once as a vector has bytes, and compute the others one by one.
Long loops stay, and those without such a tail.  Runs behind hoist-invariants, which takes loops as
they were written, and behind simplify-loops, which knows their extents.
"""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.element import BY_NAME
from opc.support.target import FILLING, LONG, WIDEST

from .loop_parts import PlainLoopsPass, from_zero, most_points
from .split_loops import Stages, split

WIDE = BY_NAME["i32"]


class Narrowing(Stages):
    """A stage of 32 bits, and one that stores integers of 8 bits."""

    def __init__(self, op: loop.ForOp) -> None:
        for store in list(op.body.block.ops):
            if isinstance(store, loop.StoreOp) and _is_narrowed(store.value):
                wide = body.ApplyOp.of("cast", [store.value], WIDE)
                narrow = body.ApplyOp.of("cast", [wide.result], scalar_type(store.value))
                Rewriter.insert_op([wide, narrow], InsertPoint.before(store))
                store.operands[0] = narrow.result
        super().__init__(op)
        self.stages = {o: 1 for o in self.ops if isinstance(o, body.ApplyOp | loop.StoreOp)}
        for o in self.ops:
            if isinstance(o, loop.StoreOp):
                narrow, users = o.value.owner, [use.operation for use in o.value.uses]
                is_last = all(isinstance(user, loop.StoreOp) for user in users)
                if isinstance(narrow, body.ApplyOp) and _is_byte(o.value) and is_last:
                    self.stages[o] = self.stages[narrow] = 2
        self.settle()


def _is_byte(value: SSAValue) -> bool:
    """Whether a value is an integer of 8 bits that is computed."""
    type = scalar_type(value)
    return isinstance(value.owner, body.ApplyOp) and type.is_integer and type.bits == 8


def _is_narrowed(value: SSAValue) -> bool:
    """Whether a value is a float as an integer of 8 bits."""
    op = value.owner
    return isinstance(op, body.ApplyOp) and _is_byte(value) and scalar_type(op.args[0]).is_float


def _narrows(op: loop.ForOp, most: int) -> bool:
    """Whether a loop stores floats as integers of 8 bits, and has a tail that takes its time."""
    count, ops = (op.bounds[1] - op.bounds[0]).constant, list(op.body.block.ops)
    return (
        FILLING <= most < LONG
        and (count is None or count % WIDEST != 0)
        and any(isinstance(o, body.ApplyOp) and _is_narrowed(o.result) for o in ops)
        and any(isinstance(o, loop.StoreOp) and _is_byte(o.value) for o in ops)
    )


class NarrowStoresPass(PlainLoopsPass):
    """for { y[i] = cast(x[i]) : ui8 }  -->  for { a[i] = cast(cast(x[i])) : i32 }; for { cast }."""

    name = "narrow-stores"

    def rewrite_loop(self, op: loop.ForOp) -> None:
        """Split a loop, if it pays."""
        length = most_points(op) or 0
        if _narrows(op, length) and Narrowing(op).is_safe():
            part = from_zero(op)
            split(part, length, Narrowing(part), {})
            Rewriter.erase_op(op)
