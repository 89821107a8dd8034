"""Outcomes of comparisons that lead to an element, in numbers that gcc takes for numbers.

Where ``a[(int64_t)(x > y) + k]`` is computed for several x at once, gcc 12 looks behind the
conversion for the offset, finds a mask there, whose bits are all set, and reads ``a[k - 1]`` for
``a[k + 1]``.  The same number by an operation that it does not look behind is ``-(int64_t)(x > y) &
1``.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects.scalar import CASTS
from opc.emit.ctext import BITS, UNARY, Text, computed


def as_number(op: body.ApplyOp, text: Text) -> Text:
    """The C of a scalar function, if it is 0 or 1 by a truth value and an index is made of it."""
    if not _is_truth(op) or not _leads_to_element(op.result, set()):
        return text
    made, type = Text(f"-{text.within(UNARY)} & 1", BITS), body.scalar_type(op.result)
    return made if type.bits >= 32 else Text(f"({computed(type)}){made.within(UNARY)}", UNARY)


def _is_truth(op: body.ApplyOp) -> bool:
    """Whether it is a number that C would make of a truth value by a conversion."""
    type, function = body.scalar_type(op.result), op.function.data
    if not type.is_integer or type.is_small:
        return False
    if function == "select":
        numbers = [v.owner.number for v in op.args[1:] if isinstance(v.owner, body.ConstantOp)]
        return sorted(numbers) == [0, 1]
    return function in CASTS.values() and body.scalar_type(op.args[0]).kind == "bool"


def _leads_to_element(value: SSAValue, seen: set[SSAValue]) -> bool:
    """Whether some place in memory is computed with a value, also by way of a local array."""
    if value in seen:
        return False
    seen.add(value)
    for use in value.uses:
        user = use.operation
        if isinstance(user, loop.GatherOp | loop.ScatterOp) and value in user.dims:
            return True
        if isinstance(user, body.ApplyOp | body.IndexOp):
            if _leads_to_element(user.result, seen):
                return True
        elif isinstance(user, loop.StoreOp) and isinstance(user.target.owner, loop.LocalOp):
            loads = (u.operation for u in user.target.uses)
            for load in loads:
                if isinstance(load, loop.LoadOp) and _leads_to_element(load.result, seen):
                    return True
    return False
