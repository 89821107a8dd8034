"""Converts whole floats to signed bytes by way of unsigned ones, where 32 bits follow.

::

    cast(cast(%x : f32) : i8) : i32
      -->
    %y = select(ge(abs(%x), 1.0), %x, 0.0) + 128.0
    cast(cast(%y) : ui8) : i32 - 128

C compilers see that 32 bits hold an unsigned byte, and compute in these.  Of signed ones they make
vectors of bytes, so that loops over less than 64 points go one by one.  NaN stays 0.  For machines
with vectors.  Runs behind shift-factors: what tells signs apart comes before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import body
from opc.dialects.body import scalar_type
from opc.dialects.element import BY_NAME, F32, ElementType
from opc.dialects.walking import walk
from opc.passes.function_pass import MachinePass

from .kernel_forms import before
from .narrow_domains import is_whole, replace_cast

I8, UI8, I32 = (BY_NAME[name] for name in ("i8", "ui8", "i32"))


@dataclass(frozen=True)
class UnsignedCastsPass(MachinePass):
    """cast(cast(x) : i8) : i32  -->  cast(cast(x + 128.0) : ui8) : i32 - 128."""

    name: ClassVar[str] = "unsigned-casts"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        if self.machine.has_vectors:
            for op in list(walk(function)):
                if isinstance(op, body.ApplyOp) and op.function.data == "cast":
                    _rewrite(op)


def _rewrite(wide: body.ApplyOp) -> None:
    narrow = wide.args[0].owner
    if (scalar_type(wide.args[0]), scalar_type(wide.result)) != (I8, I32):
        return
    if not isinstance(narrow, body.ApplyOp) or narrow.function.data != "cast":
        return
    x = narrow.args[0]
    if scalar_type(x) is not F32 or not is_whole(x):
        return

    def constant(number: float, type: ElementType = F32) -> SSAValue:
        return before(wide, body.ConstantOp.of(number, type))

    def apply(name: str, *args: SSAValue, type: ElementType | None = None) -> SSAValue:
        return before(wide, body.ApplyOp.of(name, args, type))

    is_number = apply("ge", apply("abs", x), constant(1.0))
    shifted = apply("add", apply("select", is_number, x, constant(0.0)), constant(128.0))
    integer = apply("cast", apply("cast", shifted, type=UI8), type=I32)
    replace_cast(wide, apply("sub", integer, constant(128, I32)))
