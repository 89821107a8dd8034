"""Where the greatest or the least value is: argmax and argmin.

Of one point in two passes, both of them plain reductions of integers, which C compilers vectorize:
the best value, then the least (or for the ``_last`` forms the greatest) position that has it.  Of a
block of points, and in sweeps that store as well and cannot be repeated, value and position go
together, one value at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import IndexOp, scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.scalar import REDUCTIONS

from .accumulators import Accumulator, declare_cells
from .insertion import Insertion


class Search(Accumulator):
    """The position of the best of ``count`` values: a value and its position in each cell.

    ``position`` is where the value is that is taken next.
    """

    def __init__(
        self, kind: str, value: SSAValue, result: SSAValue, count: int | None, position: ex.Expr
    ) -> None:
        super().__init__(value, result)
        self.row, self.type = REDUCTIONS[kind], scalar_type(value)
        self.count, self.position = count, position
        self.is_last = self.row.name.endswith("_last")
        """Whether of equal values the last one counts."""
        self.best: SSAValue
        self.found: SSAValue

    @property
    def absent(self) -> float:
        """See the base."""
        return self.row.identity(self.type)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base; two states are combined as a whole, in the order of their positions."""
        return [(self.best, ""), (self.found, "")]

    def combine_cells(self, here: Insertion, cell: ex.Expr, others: Sequence[SSAValue]) -> None:
        """See the base."""
        self._choose(here, others[0], others[1], cell)

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base."""
        small = self.count is not None and self.count < 1 << 31 and self.type.bytes <= 4
        index = el.BY_NAME["i32"] if small else el.I64
        self.best = declare_cells(here, self.type, cells, self.absent)
        self.found = declare_cells(here, index, cells, 0)

    def take(self, here: Insertion, values: Sequence[SSAValue], cell: ex.Expr) -> None:
        """See the base."""
        (value,) = values
        at = here.add(IndexOp.of(*here.resolve(self.position)))
        self._choose(here, value, here.cast(at, element_in(self.found)), cell)

    def _choose(self, here: Insertion, value: SSAValue, at: SSAValue, cell: ex.Expr) -> None:
        """Take a value and its position, which is behind all before, if it is better."""
        best, old = here.read(self.best, cell), here.read(self.found, cell)
        better = self._is_better(here, value, best)
        here.write(here.apply("select", better, value, best), self.best, cell)
        here.write(here.apply("select", better, at, old), self.found, cell)

    def _is_better(self, here: Insertion, value: SSAValue, best: SSAValue) -> SSAValue:
        """Whether a value comes before the best one so far; the first NaN is best of all."""
        is_max = self.row.combine == "max"
        if not self.type.is_float:
            return here.apply(
                ("g" if is_max else "l") + ("e" if self.is_last else "t"), value, best
            )
        if self.is_last:
            better = here.apply("ge" if is_max else "le", value, best)
            return here.apply("or", better, here.apply("ne", value, value))
        # A NaN is not less or equal, either.
        worse = here.apply("le" if is_max else "ge", value, best)
        return here.apply("and", here.apply("not", worse), here.apply("eq", best, best))

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base."""
        return here.cast(here.read(self.found, cell), el.I64)


class Position(Search):
    """The same of one point, in two passes.

    Floats are compared as integers of the same rank: both zeros are equal, and a NaN is the best of
    all.
    """

    def declare(self, here: Insertion, cells: int) -> None:
        """See the base; the state of both passes is that of no value."""
        self.key = el.BY_NAME[f"i{self.type.bits}"] if self.type.is_float else self.type
        self.combine = "max" if self.type.is_float else self.row.combine
        """How the best of the integers is found."""
        bits = 32 if self.count is not None and self.count < 1 << 31 else 64
        self.index = el.BY_NAME[f"{'' if self.is_last else 'u'}i{bits}"]
        self.best = here.add(loop.LocalOp.of(self.key))
        self.found = here.add(loop.LocalOp.of(self.index))
        self.start = here.add(loop.LocalOp.of(el.I64))
        """Where the block with the best value starts."""
        here.write(here.constant(0, el.I64), self.start)
        self._reset(here)
        here.write(self._nowhere(here), self.found)

    @property
    def states(self) -> list[tuple[SSAValue, str]]:
        """See the base; nothing is combined."""
        return []

    def _reset(self, here: Insertion) -> None:
        worst = self.key.lowest if self.combine == "max" else self.key.highest
        here.write(here.constant(worst, self.key), self.best)

    def block(self, here: Insertion) -> Position:
        """A state for the values of one block."""
        found = copy(self)
        found.best = here.add(loop.LocalOp.of(self.key))
        found._reset(here)
        return found

    def end_block(self, here: Insertion, block: Position) -> None:
        """Keep the best value of a block, and the block, if it is better."""
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
        """Second pass: where it is.

        All bits of any other position are set, which makes it -1, or the greatest unsigned one.
        A choice would be turned into a branch, which no C compiler vectorizes.
        """
        differs = here.apply("ne", self._key(here, value), here.read(self.best))
        all_bits = here.apply("neg", here.add(body.ApplyOp.of("cast", [differs], self.index)))
        at = here.add(IndexOp.of(*here.resolve(self.position)))
        at = here.add(body.ApplyOp.of("cast", [at], self.index))
        at = here.apply("bitwise_or", at, all_bits)
        name = "max" if self.is_last else "min"
        here.write(here.apply(name, here.read(self.found), at), self.found)

    def finish(self, here: Insertion, cell: ex.Expr) -> SSAValue:
        """See the base; 0 among no values."""
        found = here.read(self.found)
        if not self.count:
            is_nowhere = here.apply("eq", found, self._nowhere(here))
            found = here.apply("select", is_nowhere, here.constant(0, self.index), found)
        return here.add(body.ApplyOp.of("cast", [found], el.I64))

    def _nowhere(self, here: Insertion) -> SSAValue:
        return here.constant(-1 if self.is_last else self.index.highest, self.index)

    def _key(self, here: Insertion, value: SSAValue) -> SSAValue:
        """An integer in the order of the values, or for argmin of floats of their negatives."""
        if not self.type.is_float:
            return value
        signed = value if self.row.combine == "max" else here.apply("neg", value)
        return here.add(body.ApplyOp.of("rank", [signed], self.key))
