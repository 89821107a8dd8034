"""The greatest and the least of floats by integers, which C compilers reduce in vectors.

The bits of a float, read as a signed integer, order positive floats; with all but the sign bit
flipped they order negative ones.  Zeros come as -0, +0.  NaNs lie beyond both infinities, one sign
at each end, so a reduction keeps the greatest and the least integer and is NaN if either is out of
the range of numbers.  (Comparing floats would take a choice for NaN and one for zeros with every
value, and no C compiler reorders that.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects.element import ElementType

from .loop_places import Place


@dataclass
class Extremes:
    """The running greatest and least of the floats of one value."""

    type: ElementType
    integer: ElementType
    greatest: SSAValue
    least: SSAValue

    @staticmethod
    def of(here: Place, type: ElementType) -> Extremes:
        """Declare the state, set to that of no value."""
        integer = el.BY_NAME[f"i{type.bits}"]
        greatest, least = (here.add(loop.LocalOp.of(integer)) for _ in range(2))
        infinity = _infinity(type)
        here.write(here.constant(-infinity - 1, integer), greatest)
        here.write(here.constant(infinity, integer), least)
        return Extremes(type, integer, greatest, least)

    def take(self, here: Place, value: SSAValue) -> None:
        """Take one more value."""
        key = here.add(body.ApplyOp.of("order", [value], self.integer))
        here.write(here.apply("max", here.read(self.greatest), key), self.greatest)
        here.write(here.apply("min", here.read(self.least), key), self.least)

    def finish(self, here: Place, kind: str) -> SSAValue:
        """The greatest (``max``) or the least (``min``) value; NaN if there was one."""
        infinity = _infinity(self.type)
        greatest, least = here.read(self.greatest), here.read(self.least)
        if kind == "max":
            below = here.apply("lt", least, here.constant(-infinity - 1, self.integer))
            key = here.apply("select", below, least, greatest)
        else:
            above = here.apply("gt", greatest, here.constant(infinity, self.integer))
            key = here.apply("select", above, greatest, least)
        return here.add(body.ApplyOp.of("unorder", [key], self.type))


def _infinity(type: ElementType) -> int:
    """The bits of infinity.  Those of -infinity, in order, are -1 less this."""
    return {32: 0xFF << 23, 64: 0x7FF << 52}[type.bits]
