"""C helpers that convert buffers of f16 and bf16 to f32 and back, in hardware where possible.

A C compiler vectorizes the functions of the library, but not with conversion instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from opc.dialects import loop
from opc.dialects.element import F16, ElementType

from .ctext import Text, address, suffix
from .texts import c_text

INTRINSICS = c_text("staging.intrinsics")

_WIDEN_F16 = c_text("staging.widen_f16")

_WIDEN_BF16 = c_text("staging.widen_bf16")

_NARROW_F16 = c_text("staging.narrow_f16")

_NARROW_BF16 = c_text("staging.narrow_bf16")


_ROUND_F16 = c_text("staging.round_f16")

_ROUND_BF16 = c_text("staging.round_bf16")


def widen(type: ElementType) -> str:
    """The helper from f16 or bf16 to f32."""
    return _WIDEN_F16 if type is F16 else _WIDEN_BF16


def narrow(type: ElementType) -> str:
    """The helper from f32 to f16 or bf16."""
    return _NARROW_F16 if type is F16 else _NARROW_BF16


def round_staged(type: ElementType) -> str:
    """The helper that rounds f32 to numbers of f16 or bf16."""
    return _ROUND_F16 if type is F16 else _ROUND_BF16


def staging_call(
    op: loop.WidenOp | loop.NarrowOp | loop.RoundOp,
    names: Mapping[SSAValue, Text],
    indices: Sequence[Text],
    helpers: dict[str, str],
) -> str:
    """The statement for an operation on a staging buffer; adds its helper to the file."""
    *start, count = indices
    wide = names[op.wide].text
    match op:
        case loop.WidenOp():
            name, text = "widen", widen(op.type)
            operands = f"{wide}, {address(names[op.source], start[0])}"
        case loop.NarrowOp():
            name, text = "narrow", narrow(op.type)
            operands = f"{address(names[op.target], start[0])}, {wide}"
        case loop.RoundOp():
            name, text, operands = "round_staged", round_staged(op.type), wide
    name = f"opc_{name}_{suffix(op.type)}"
    helpers.setdefault("intrinsics", INTRINSICS)
    helpers.setdefault(name, text)
    return f"{name}({operands}, {count});"
