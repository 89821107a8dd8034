"""The greatest and the least of floats by integers, which C compilers reduce in vectors.

They are compared as ``kernels.extreme_keys`` says.

What is of f16 or bf16 is reduced as that, in integers of 16 bits: what is loaded from memory, and
what is computed if it goes to memory before, since conversions have loops of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.kernels.extreme_keys import float_of, integer_of, key_of
from opc.schedule.sweeps import unconverted

from .accumulators import Accumulator, declare_cells
from .insertion import Insertion


class Extreme(Accumulator):
    """The greatest (``max``) or the least (``min``) of floats, which needs no order."""

    def __init__(self, kind: str, value: SSAValue, result: SSAValue) -> None:
        super().__init__(value, result)
        self.kind, self.compared = kind, unconverted(value)
        """What is compared: the value, or that of 16 bits which it was converted from."""
        self.type = scalar_type(self.compared)
        self.integer = integer_of(self.type)
        self.cells: SSAValue

    @property
    def taken(self) -> SSAValue:
        """See the base."""
        return self.compared

    @property
    def absent(self) -> float:
        """See the base; an infinity of the other end, which is no NaN."""
        return -math.inf if self.kind == "max" else math.inf

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base; no number loses to the infinity of the other end, which is the last key."""
        last = self.integer.lowest if self.kind == "max" else self.integer.highest
        self.cells = declare_cells(here, self.integer, cells, last)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        keys = [key_of(here, self.kind, value, self.type) for value in values]
        found = reduce(partial(here.apply, self.kind), keys)
        here.write(here.apply(self.kind, here.read(self.cells, cell), found), self.cells, cell)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base."""
        return [(self.cells, self.kind)]

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base; NaN if there was one."""
        found = float_of(here, self.kind, here.read(self.cells, cell), self.type)
        return here.cast(found, scalar_type(self.value))
