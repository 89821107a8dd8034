"""Positions of the maximum or the minimum: argmax and argmin.

For one point there are two passes, both plain reductions of integers, which C compilers vectorize:
the best value, then the first position that has it (the last one for the ``_last`` forms).  For a
block of points, and in sweeps that also store and cannot be repeated, value and position go
together, one value at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from xdsl.ir import SSAValue

from opc.dialects import body
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import IndexOp, scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.scalar import REDUCTIONS

from .accumulators import Accumulator, declare_cells
from .insertion import Insertion


class Search(Accumulator):
    """The position of the best of ``count`` values: a value and its position in each cell.

    ``position`` is that of the next value.
    """

    def __init__(
        self, kind: str, value: SSAValue, result: SSAValue, count: int | None, position: ex.Expr
    ) -> None:
        super().__init__(value, result)
        self.row, self.type = REDUCTIONS[kind], scalar_type(value)
        self.count, self.position = count, position
        self.is_last = self.row.name.endswith("_last")
        """Whether the last of equal values counts."""
        self.best: SSAValue
        self.best_at: SSAValue

    @property
    def absent(self) -> float:
        """See the base."""
        return self.row.identity(self.type)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base; both arrays are combined together, in the order of positions."""
        return [(self.best, ""), (self.best_at, "")]

    def combine_cells(self, here: Insertion, cell: ex.Expr, others: Sequence[SSAValue]) -> None:
        """See the base."""
        self._choose(here, others[0], others[1], cell)

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base."""
        small = self.count is not None and self.count < 1 << 31 and self.type.bytes <= 4
        index = el.BY_NAME["i32"] if small else el.I64
        self.best = declare_cells(here, self.type, cells, self.absent)
        self.best_at = declare_cells(here, index, cells, 0)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        (value,) = values
        at = here.add(IndexOp.of(*here.resolve(self.position)))
        self._choose(here, value, here.cast(at, element_in(self.best_at)), cell)

    def _choose(self, here: Insertion, value: SSAValue, at: SSAValue, cell: ex.Expr) -> None:
        """Keep a value and its position, which is behind all earlier ones, if it is better."""
        best, old = here.read(self.best, cell), here.read(self.best_at, cell)
        better = self._is_better(here, value, best)
        here.write(here.apply("select", better, value, best), self.best, cell)
        here.write(here.apply("select", better, at, old), self.best_at, cell)

    def _is_better(self, here: Insertion, value: SSAValue, best: SSAValue) -> SSAValue:
        """Whether a value is better than the best one so far; the first NaN is the best of all."""
        is_max = self.row.combine == "max"
        if not self.type.is_float:
            return here.apply(
                ("g" if is_max else "l") + ("e" if self.is_last else "t"), value, best
            )
        if self.is_last:
            better = here.apply("ge" if is_max else "le", value, best)
            return here.apply("or", better, here.apply("ne", value, value))
        # A NaN compares neither less nor equal.
        worse = here.apply("le" if is_max else "ge", value, best)
        return here.apply("and", here.apply("not", worse), here.apply("eq", best, best))

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base."""
        return here.cast(here.read(self.best_at, cell), el.I64)


class Position(Search):
    """The same for one point, in two passes.

    Floats are compared as integers of the same rank: both zeros are equal, a NaN is the best.
    """

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base; both passes start in the state of no values."""
        self.key = el.BY_NAME[f"i{self.type.bits}"] if self.type.is_float else self.type
        self.combine = "max" if self.type.is_float else self.row.combine
        """The function that finds the best of the integers."""
        bits = 32 if self.count is not None and self.count < 1 << 31 else 64
        self.index = el.BY_NAME[f"{'' if self.is_last else 'u'}i{bits}"]
        self.best = here.local(self.key)
        self.best_at = here.local(self.index)
        self.start = here.local(el.I64)
        """The start of the block with the best value."""
        here.write(here.constant(0, el.I64), self.start)
        self._reset(here)
        here.write(self._nowhere(here), self.best_at)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base; nothing is combined."""
        return []

    def _reset(self, here: Insertion) -> None:
        worst = self.key.lowest if self.combine == "max" else self.key.highest
        here.write(here.constant(worst, self.key), self.best)

    def block(self, here: Insertion) -> Position:
        """A state for the values of one block."""
        state = copy(self)
        state.best = here.local(self.key)
        state._reset(here)
        return state

    def end_block(self, here: Insertion, block: Position) -> None:
        """Keep the best value of a block, and the start of the block, if it is better."""
        value, best = here.read(block.best), here.read(self.best)
        name = {"max": "g", "min": "l"}[self.combine] + ("e" if self.is_last else "t")
        better = here.apply(name, value, best)
        at = here.add(IndexOp.of(ex.dim(0), here.variables[-1:]))
        here.write(here.apply("select", better, at, here.read(self.start)), self.start)
        here.write(here.apply(self.combine, value, best), self.best)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """First pass: the best value."""
        best = here.apply(self.combine, here.read(self.best), self._key(here, values[0]))
        here.write(best, self.best)

    def locate(self, here: Insertion, value: SSAValue) -> None:
        """Second pass: the position of the best value.

        Any other position gets all bits set: it becomes -1, or the greatest unsigned number.
        C compilers would turn a choice into a branch, which they do not vectorize.
        """
        differs = here.apply("ne", self._key(here, value), here.read(self.best))
        all_bits = here.apply("neg", here.add(body.ApplyOp.of("cast", [differs], self.index)))
        at = here.add(IndexOp.of(*here.resolve(self.position)))
        at = here.add(body.ApplyOp.of("cast", [at], self.index))
        at = here.apply("bitwise_or", at, all_bits)
        name = "max" if self.is_last else "min"
        here.write(here.apply(name, here.read(self.best_at), at), self.best_at)

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base; 0 if there are no values."""
        at = here.read(self.best_at)
        if not self.count:
            is_nowhere = here.apply("eq", at, self._nowhere(here))
            at = here.apply("select", is_nowhere, here.constant(0, self.index), at)
        return here.add(body.ApplyOp.of("cast", [at], el.I64))

    def _nowhere(self, here: Insertion) -> SSAValue:
        return here.constant(-1 if self.is_last else self.index.highest, self.index)

    def _key(self, here: Insertion, value: SSAValue) -> SSAValue:
        """An integer in the order of the values; for argmin of floats, of their negatives."""
        if not self.type.is_float:
            return value
        signed = value if self.row.combine == "max" else here.apply("neg", value)
        return here.add(body.ApplyOp.of("rank", [signed], self.key))
