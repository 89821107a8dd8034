"""gcc 12 takes the mask of a comparison for an index; here the comparison becomes a number.

**Fault.**  In vector code for ``a[(int64_t)(x > y) + k]``, gcc 12 looks through the conversion to
the mask of the comparison, whose bits are all set, and reads ``a[k - 1]`` for ``a[k + 1]``.

**Reproducer.**  ``tests/unit/emit/workarounds/test_bool_indices.py``.

**Instead.**  ``-(int64_t)(x > y) & 1``, the same number, through which gcc does not look.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects.scalar import CASTS
from opc.emit.ctext import BITS, UNARY, Text, computed


def as_number(op: body.ApplyOp, text: Text) -> Text:
    """The C of a scalar function, as above if it converts a truth value for an index."""
    if not _is_truth(op) or not _leads_to_element(op.result, set()):
        return text
    bit, type = Text(f"-{text.within(UNARY)} & 1", BITS), body.scalar_type(op.result)
    return bit if type.bits >= 32 else Text(f"({computed(type)}){bit.within(UNARY)}", UNARY)


def _is_truth(op: body.ApplyOp) -> bool:
    """Whether C would convert a truth value to a number."""
    type, function = body.scalar_type(op.result), op.function.data
    if not type.is_integer or type.is_small:
        return False
    if function == "select":
        numbers = [v.owner.number for v in op.args[1:] if isinstance(v.owner, body.ConstantOp)]
        return sorted(numbers) == [0, 1]
    return function in CASTS.values() and body.scalar_type(op.args[0]).kind == "bool"


def _leads_to_element(value: SSAValue, seen: set[SSAValue]) -> bool:
    """Whether an index depends on a value, also through a local array."""
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
            for load in (u.operation for u in user.target.uses):
                if isinstance(load, loop.LoadOp) and _leads_to_element(load.result, seen):
                    return True
    return False
