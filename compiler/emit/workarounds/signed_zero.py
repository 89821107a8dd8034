"""clang 14 loses the sign of a zero that was compared; here twice the value is compared.

**Fault.**  ``x < 0.0 ? 0.0 : x`` is -0 for -0.  Where x is a widened float of fewer bits, and the
outcome is used elsewhere or the zeros have two signs, clang 14 from ``-O1`` on makes
``x <= 0.0 ? 0.0 : x`` of it, which is +0.

**Reproducer.**  ``tests/unit/emit/workarounds/test_signed_zeros.py``.

**Instead.**  ``2 * x < 0.0``, which has the same outcome and which clang leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import SSAValue

from opc.dialects import body
from opc.emit.ctext import PRODUCT, Text


def comparable(op: body.ApplyOp, args: list[Text]) -> list[Text]:
    """The operands of a scalar function, doubled in a comparison of that kind."""
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
