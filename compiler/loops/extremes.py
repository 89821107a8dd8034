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

import math
from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.schedule.sweeps import unconverted

from .accumulators import Accumulator, set_cells
from .places import Place


class Extreme(Accumulator):
    """The greatest (``max``) or the least (``min``) of floats, which needs no order."""

    def __init__(self, kind: str, value: SSAValue, result: SSAValue) -> None:
        super().__init__(value, result)
        self.kind, self.compared = kind, unconverted(value)
        """What is compared: the value, or that of 16 bits which it was converted from."""
        self.type = scalar_type(self.compared)
        self.integer = el.BY_NAME[f"i{self.type.bits}"]
        self.greatest: SSAValue
        self.least: SSAValue

    @property
    def taken(self) -> SSAValue:
        """See the base."""
        return self.compared

    @property
    def absent(self) -> float:
        """See the base; an infinity of the other end, which is no NaN."""
        return -math.inf if self.kind == "max" else math.inf

    def declare(self, here: Place, cells: int) -> None:
        """See the base."""
        size = cells if cells > 1 else None
        self.greatest, self.least = (
            here.add(loop.LocalOp.of(self.integer, size)) for _ in range(2)
        )
        infinity = _infinity(self.type)
        set_cells(here, self.greatest, cells, -infinity - 1)
        set_cells(here, self.least, cells, infinity)

    def take(self, here: Place, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        keys = [here.add(body.ApplyOp.of("order", [value], self.integer)) for value in values]
        for state, name in self.states:
            found = keys[0]
            for key in keys[1:]:
                found = here.apply(name, found, key)
            here.write(here.apply(name, here.read(state, cell), found), state, cell)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base."""
        return [(self.greatest, "max"), (self.least, "min")]

    def finish(self, here: Place, cell: ex.Expr) -> SSAValue:
        """See the base; NaN if there was one."""
        infinity = _infinity(self.type)
        greatest, least = here.read(self.greatest, cell), here.read(self.least, cell)
        if self.kind == "max":
            below = here.apply("lt", least, here.constant(-infinity - 1, self.integer))
            key = here.apply("select", below, least, greatest)
        else:
            above = here.apply("gt", greatest, here.constant(infinity, self.integer))
            key = here.apply("select", above, greatest, least)
        found = here.add(body.ApplyOp.of("unorder", [key], self.type))
        return here.cast(found, scalar_type(self.value))


def _infinity(type: ElementType) -> int:
    """The bits of infinity.  Those of -infinity, in order, are -1 less this."""
    return {el.F16: 0x1F << 10, el.BF16: 0xFF << 7, el.F32: 0xFF << 23, el.F64: 0x7FF << 52}[type]
