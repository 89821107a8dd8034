"""C helpers that convert buffers of f16 and bf16 to f32 and back, in hardware where possible.

A C compiler vectorizes the functions of the library, but not with conversion instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from opc.dialects import loop

from .ctext import Text, address, suffix
from .texts import c_text

INTRINSICS = c_text("staging.intrinsics")


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
            name, operands = "widen", f"{wide}, {address(names[op.source], start[0])}"
        case loop.NarrowOp():
            name, operands = "narrow", f"{address(names[op.target], start[0])}, {wide}"
        case loop.RoundOp():
            name, operands = "round_staged", wide
    name = f"{name}_{suffix(op.type)}"
    helpers.setdefault("intrinsics", INTRINSICS)
    helpers.setdefault(f"opc_{name}", c_text(f"staging.{name}"))
    return f"opc_{name}({operands}, {count});"
