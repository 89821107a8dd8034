"""Where the greatest or the least value is: argmax and argmin.

Of one point in two passes, both of them plain reductions of integers, which C compilers vectorize:
the best value, then the least (or for the ``_last`` forms the greatest) position that has it.  Of a
block of points, and in sweeps that store as well and cannot be repeated, value and position go
together, one value at a time.
"""

from __future__ import annotations

from copy import copy

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import IndexOp, scalar_type
from opc.dialects.element import ElementType
from opc.dialects.scalar import Reduction

from .places import Place


class Position:
    """The state of the two passes over ``count`` values, set to that of no value.

    Floats are compared as integers of the same rank: both zeros are equal, and a NaN is the best of
    all.
    """

    def __init__(self, here: Place, row: Reduction, type: ElementType, count: int | None) -> None:
        self.row, self.type, self.count = row, type, count
        self.key = el.BY_NAME[f"i{type.bits}"] if type.is_float else type
        bits = 32 if count is not None and count < 1 << 31 else 64
        self.index = el.BY_NAME[f"{'' if self.is_last else 'u'}i{bits}"]
        self.best = here.add(loop.LocalOp.of(self.key))
        self.found = here.add(loop.LocalOp.of(self.index))
        self.start = here.add(loop.LocalOp.of(el.I64))
        """Where the block with the best value starts."""
        here.write(here.constant(0, el.I64), self.start)
        self._reset(here)
        here.write(self._nowhere(here), self.found)

    def _reset(self, here: Place) -> None:
        worst = self.key.lowest if self.combine == "max" else self.key.highest
        here.write(here.constant(worst, self.key), self.best)

    @property
    def combine(self) -> str:
        """How the best of the integers is found."""
        return "max" if self.type.is_float else self.row.combine

    @property
    def is_last(self) -> bool:
        """Whether of equal values the last one counts."""
        return self.row.name.endswith("_last")

    def block(self, here: Place) -> Position:
        """A state for the values of one block."""
        found = copy(self)
        found.best = here.add(loop.LocalOp.of(self.key))
        found._reset(here)
        return found

    def end_block(self, here: Place, block: Position) -> None:
        """Keep the best value of a block, and the block, if it is better."""
        value, best = here.read(block.best), here.read(self.best)
        name = {"max": "g", "min": "l"}[self.combine] + ("e" if self.is_last else "t")
        better = here.apply(name, value, best)
        at = here.add(IndexOp.of(ex.dim(0), here.variables[-1:]))
        here.write(here.apply("select", better, at, here.read(self.start)), self.start)
        here.write(here.apply(self.combine, value, best), self.best)

    def take(self, here: Place, value: SSAValue) -> None:
        """First pass: the best value."""
        best = here.apply(self.combine, here.read(self.best), self._key(here, value))
        here.write(best, self.best)

    def locate(self, here: Place, value: SSAValue, position: ex.Expr) -> None:
        """Second pass: where it is.

        All bits of any other position are set, which makes it -1, or the greatest unsigned one.
        A choice would be turned into a branch, which no C compiler vectorizes.
        """
        differs = here.apply("ne", self._key(here, value), here.read(self.best))
        all_bits = here.apply("neg", here.add(body.ApplyOp.of("cast", [differs], self.index)))
        at = here.add(IndexOp.of(*here.resolve(position)))
        at = here.add(body.ApplyOp.of("cast", [at], self.index))
        at = here.apply("bitwise_or", at, all_bits)
        name = "max" if self.is_last else "min"
        here.write(here.apply(name, here.read(self.found), at), self.found)

    def finish(self, here: Place) -> SSAValue:
        """The position; 0 among no values."""
        found = here.read(self.found)
        if not self.count:
            is_nowhere = here.apply("eq", found, self._nowhere(here))
            found = here.apply("select", is_nowhere, here.constant(0, self.index), found)
        return here.add(body.ApplyOp.of("cast", [found], el.I64))

    def _nowhere(self, here: Place) -> SSAValue:
        return here.constant(-1 if self.is_last else self.index.highest, self.index)

    def _key(self, here: Place, value: SSAValue) -> SSAValue:
        """An integer in the order of the values, or for argmin of floats of their negatives."""
        if not self.type.is_float:
            return value
        signed = value if self.row.combine == "max" else here.apply("neg", value)
        return here.add(body.ApplyOp.of("rank", [signed], self.key))


def is_better(here: Place, row: Reduction, value: SSAValue, best: SSAValue) -> SSAValue:
    """Whether a value comes before the best one so far; the first NaN is best of all."""
    is_max, last = row.combine == "max", row.name.endswith("_last")
    if not scalar_type(value).is_float:
        return here.apply(("g" if is_max else "l") + ("e" if last else "t"), value, best)
    if last:
        better = here.apply("ge" if is_max else "le", value, best)
        return here.apply("or", better, here.apply("ne", value, value))
    # A NaN is not less or equal, either.
    worse = here.apply("le" if is_max else "ge", value, best)
    return here.apply("and", here.apply("not", worse), here.apply("eq", best, best))
