"""Accumulators of reductions, which take values in the order of ``dialects.order``.

An accumulator has a cell for each lane of each point.  ``take`` reduces the values of one group
into a cell; ``halve`` adds the upper half of the lanes to the lower half.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial, reduce

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.order import at_once, is_ordered, pairwise
from opc.dialects.scalar import REDUCTIONS
from opc.kernels.extreme_keys import float_of, integer_of, key_of
from opc.schedule.sweeps import unconverted

from .insertion import Insertion


class Accumulator(ABC):
    """One reduction of a sweep."""

    def __init__(self, value: SSAValue, result: SSAValue) -> None:
        self.value = value
        self.result = result

    @property
    def taken(self) -> SSAValue:
        """The value that is reduced: that of the body, or the one that it was converted from."""
        return self.value

    @property
    @abstractmethod
    def absent(self) -> float:
        """The value that changes no result."""

    @abstractmethod
    def declare(self, here: Insertion, cells: int) -> None:
        """Declare ``cells`` cells, set to the neutral value."""

    @abstractmethod
    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """Reduce up to 8 consecutive values of a lane into its cell."""

    @property
    @abstractmethod
    def states(self) -> list[tuple[SSAValue, str]]:
        """The arrays of cells, and the function that combines two cells of each."""

    def combine_cells(self, here: Insertion, cell: ex.Expr, others: Sequence[SSAValue]) -> None:
        """Combine a cell with another state, which has a value for each array."""
        for (array, name), other in zip(self.states, others, strict=True):
            here.write(here.apply(name, here.read(array, cell), other), array, cell)

    def halve(self, here: Insertion, cell: ex.Expr, other: ex.Expr) -> None:
        """Reduce one cell into another."""
        self.combine_cells(here, cell, [here.read(array, other) for array, _ in self.states])

    @abstractmethod
    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """The result in a cell."""


def declare_cells(here: Insertion, type: el.ElementType, cells: int, value: float) -> SSAValue:
    """An array of equal values, or a variable for a single cell."""
    array = here.local(type, cells if cells > 1 else None)
    inside, at = here.each(ex.const(cells))
    inside.write(inside.constant(value, element_in(array)), array, at)
    return array


class Total(Accumulator):
    """A sum, a product, or another reduction by one function: values in pairs, pairs of pairs."""

    def __init__(self, kind: str, value: SSAValue, result: SSAValue) -> None:
        super().__init__(value, result)
        self.row = REDUCTIONS[kind]
        self.type = self.stored = scalar_type(value)
        self.is_ordered = is_ordered(kind, self.type)
        """Whether the result depends on the order of values."""
        if self.type.kind == "signed" and kind in ("sum", "prod"):
            # Overflow of signed integers is undefined in C, and wraps here.
            self.stored = el.BY_NAME[f"u{self.type}"]
        self.cells: SSAValue

    @property
    def absent(self) -> float:
        """See the base; -0 for a sum, since +0 would change a sum of -0."""
        is_sum = self.row.name == "sum" and self.type.is_float
        return -0.0 if is_sum else self.row.identity(self.type)

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base."""
        self.cells = declare_cells(here, self.stored, cells, self.row.identity(self.type))

    def combine(self, here: Insertion, values: Sequence[SSAValue]) -> SSAValue:
        """Combine values in pairs, then pairs of pairs; one without a partner moves up."""
        casts = [here.cast(v, self.stored) for v in values]
        return pairwise(casts, partial(here.apply, self.row.combine))

    def at_once(self, here: Insertion, values: Sequence[SSAValue], lanes: int) -> SSAValue:
        """Reduce a whole segment: groups of each lane, lanes by halving, then the neutral value."""
        casts = [here.cast(v, self.stored) for v in values]
        total = at_once(casts, lanes, partial(here.apply, self.row.combine))
        neutral = here.constant(self.row.identity(self.type), self.stored)
        return here.apply(self.row.combine, neutral, total)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        group = self.combine(here, values)
        total = here.apply(self.row.combine, here.read(self.cells, cell), group)
        here.write(total, self.cells, cell)

    def take_group(
        self, here: Insertion, source: SSAValue, index: Sequence[ex.Expr], dims: Sequence[SSAValue]
    ) -> None:
        """Reduce part of a group into the lanes; ``index`` has its start and its length."""
        here.block.add_op(loop.GroupOp.of((source, self.cells), index, dims, self.row.name))

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base."""
        return [(self.cells, self.row.combine)]

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base."""
        return here.cast(here.read(self.cells, cell), self.type)


class Extreme(Accumulator):
    """The maximum or the minimum of floats: a reduction of integers, which C compilers vectorize.

    ``kernels.extreme_keys`` maps floats to these.  Values of f16 and bf16 become integers of 16
    bits: loaded ones, and computed ones that go to an array first.
    """

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
