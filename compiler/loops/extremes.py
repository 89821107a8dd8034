"""Maxima and minima of floats as reductions of integers, which C compilers vectorize.

``kernels.extreme_keys`` maps floats to these integers.  Values of f16 and bf16 become integers of
16 bits: loaded ones, and computed ones that go to an array first, as conversions have loops of
their own.
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
    """The maximum or the minimum of floats, which needs no order."""

    def __init__(self, kind: str, value: SSAValue, result: SSAValue) -> None:
        super().__init__(value, result)
        self.kind, self.compared = kind, unconverted(value)
        """The value, or the one of 16 bits that it was converted from."""
        self.type = scalar_type(self.compared)
        self.integer = integer_of(self.type)
        self.cells: SSAValue

    @property
    def taken(self) -> SSAValue:
        """See the base."""
        return self.compared

    @property
    def absent(self) -> float:
        """See the base; the infinity of the other end."""
        return -math.inf if self.kind == "max" else math.inf

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base; cells start with the last key, to which no number loses."""
        last = self.integer.lowest if self.kind == "max" else self.integer.highest
        self.cells = declare_cells(here, self.integer, cells, last)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        keys = [key_of(here, self.kind, value, self.type) for value in values]
        key = reduce(partial(here.apply, self.kind), keys)
        here.write(here.apply(self.kind, here.read(self.cells, cell), key), self.cells, cell)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base."""
        return [(self.cells, self.kind)]

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base; NaN if there was one."""
        extreme = float_of(here, self.kind, here.read(self.cells, cell), self.type)
        return here.cast(extreme, scalar_type(self.value))
