"""Declarations of local variables and arrays, which are named for their role."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from opc.dialects import loop
from opc.dialects.shape import shape_of

ALIGNED = "OPC_ALIGNED"


def array(type: str, name: str, count: int) -> str:
    """The declaration of a local array in C; the file needs ``ALIGNED``."""
    return f"{ALIGNED} {type} {name}[{count}];"


def role(op: loop.LocalOp) -> str:
    """What a local is for, which is the stem of its name in C."""
    if not shape_of(op.result.type):
        return "acc"
    if op.register_lanes is not None:
        return "sums"
    users = [use.operation for use in op.result.uses]
    if any(_in_parts(user, op.result) for user in users):
        return "part"
    if any(isinstance(user, loop.TransposeOp) for user in users):
        return "tile"
    roles = (loop.WidenOp, "wide"), (loop.NarrowOp, "narrow"), (loop.RoundOp, "wide")
    for kind, role in roles:
        if any(isinstance(user, kind) and user.wide is op.result for user in users):
            return role
    cascades = [user for user in users if isinstance(user, loop.CascadeOp)]
    if not cascades:
        return "row"
    return "levels" if any(user.levels is op.result for user in cascades) else "column"


def _in_parts(user: Operation, array: SSAValue) -> bool:
    """Whether threads that share a loop write an array that is declared outside of it."""
    if not isinstance(user, loop.StoreOp) or user.target is not array:
        return False
    around = user.parent_op()
    while around is not None and around is not array.owner.parent_op():  # pyright: ignore
        if isinstance(around, loop.ForOp) and around.kind.data == "parallel":
            return True
        around = around.parent_op()
    return False


def starts_with_store(op: loop.LocalOp) -> bool:
    """Whether the first use of a variable is a store in its own block, which can declare it."""
    users = {use.operation for use in op.result.uses}
    after = op.next_op
    inner = loop.ForOp | loop.IfOp
    while after is not None and after not in users and not isinstance(after, inner):
        after = after.next_op
    return isinstance(after, loop.StoreOp) and after.target is op.result
