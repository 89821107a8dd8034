"""The greatest and the least of floats by integers, which C compilers reduce in vectors.

The bits of a float, read as a signed integer, order positive floats; with all but the sign bit
flipped they order negative ones.  Zeros come as -0, +0.  NaNs lie beyond both infinities, one sign
at each end, so a reduction keeps the greatest and the least integer and is NaN if either is out of
the range of numbers.  (Comparing floats would take a choice for NaN and one for zeros with every
value, and no C compiler reorders that.)

What is of f16 or bf16 is reduced as that, in integers of 16 bits: what is loaded from memory, and
what is computed if it goes to memory before, since conversions have loops of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.schedule.sweeps import unconverted

from .places import Place


@dataclass
class Extremes:
    """The running greatest and least of the floats of one value of a sweep."""

    taken: SSAValue
    """What is compared: the value, or that of 16 bits which it was converted from."""
    type: ElementType
    result: ElementType
    integer: ElementType
    greatest: SSAValue
    least: SSAValue

    @staticmethod
    def of(here: Place, value: SSAValue, cells: int | None = None) -> Extremes:
        """Declare the state, of one or of several reductions, set to that of no value."""
        taken, result = unconverted(value), scalar_type(value)
        type = scalar_type(taken)
        integer = el.BY_NAME[f"i{type.bits}"]
        greatest, least = (here.add(loop.LocalOp.of(integer, cells)) for _ in range(2))
        infinity = _infinity(type)
        for state, neutral in ((greatest, -infinity - 1), (least, infinity)):
            if cells is None:
                here.write(here.constant(neutral, integer), state)
            else:
                here.block.add_op(loop.FillOp.of(here.constant(neutral, integer), state))
        return Extremes(taken, type, result, integer, greatest, least)

    def take(self, here: Place, *values: SSAValue, lane: ex.Expr | int = 0) -> None:
        """Take one more value, or several."""
        keys = [here.add(body.ApplyOp.of("order", [value], self.integer)) for value in values]
        for state, name in ((self.greatest, "max"), (self.least, "min")):
            found = keys[0]
            for key in keys[1:]:
                found = here.apply(name, found, key)
            here.write(here.apply(name, here.read(state, lane), found), state, lane)

    def finish(self, here: Place, kind: str, lane: ex.Expr | int = 0) -> SSAValue:
        """The greatest (``max``) or the least (``min``) value; NaN if there was one."""
        infinity = _infinity(self.type)
        greatest, least = here.read(self.greatest, lane), here.read(self.least, lane)
        if kind == "max":
            below = here.apply("lt", least, here.constant(-infinity - 1, self.integer))
            key = here.apply("select", below, least, greatest)
        else:
            above = here.apply("gt", greatest, here.constant(infinity, self.integer))
            key = here.apply("select", above, greatest, least)
        found = here.add(body.ApplyOp.of("unorder", [key], self.type))
        if self.type is self.result:
            return found
        return here.add(body.ApplyOp.of("cast", [found], self.result))


def _infinity(type: ElementType) -> int:
    """The bits of infinity.  Those of -infinity, in order, are -1 less this."""
    return {el.F16: 0x1F << 10, el.BF16: 0xFF << 7, el.F32: 0xFF << 23, el.F64: 0x7FF << 52}[type]
