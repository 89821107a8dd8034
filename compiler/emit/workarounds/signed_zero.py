"""Comparisons with zero whose outcome chooses between zero and the value that was compared.

``x < 0.0 ? 0.0 : x`` is -0 for -0.  Where x is a widened float of fewer bits, and the outcome is
used elsewhere or the zeros have two signs, clang 14 makes ``x <= 0.0 ? 0.0 : x`` of it from -O1 on,
which is +0.  Twice a value is as much below or above zero, and that it leaves as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import SSAValue

from opc.dialects import body
from opc.emit.ctext import PRODUCT, Text


def comparable(op: body.ApplyOp, args: list[Text]) -> list[Text]:
    """The operands of a scalar function, in a comparison of that kind twice as large."""
    if op.function.data not in ("lt", "gt", "le", "ge") or not any(map(_is_zero, op.args)):
        return args
    chosen = {v for user in _selects(op.result) for v in user.args[1:]}
    if not any(map(_is_zero, chosen)):
        return args
    return [
        Text(f"2 * {text.within(PRODUCT)}", PRODUCT) if v in chosen and not _is_zero(v) else text
        for v, text in zip(op.args, args, strict=True)
    ]


def _selects(condition: SSAValue) -> Iterator[body.ApplyOp]:
    for use in condition.uses:
        user = use.operation
        if isinstance(user, body.ApplyOp) and user.function.data == "select" and use.index == 0:
            yield user
        elif isinstance(user, body.ApplyOp) and user.function.data == "not":
            yield from _selects(user.result)


def _is_zero(value: SSAValue) -> bool:
    # Integers have one zero.
    is_float = body.scalar_type(value).is_float
    return is_float and isinstance(value.owner, body.ConstantOp) and value.owner.number == 0
