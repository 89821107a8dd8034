"""Several rows of a nest without sweeps as one loop: which accesses allow it."""

from __future__ import annotations

from dataclasses import dataclass

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed

from .nest import Access, NestFacts


@dataclass(frozen=True)
class Rows:
    """The axes of a nest that are a row, from ``first`` on; the one before them counts the rows.

    ``most`` is the most values of a row.
    """

    facts: NestFacts
    outer: Collapsed
    first: int
    most: int

    @property
    def width(self) -> ex.Expr:
        """Values of a row."""
        return ex.product(self.outer.extents[self.first :])

    @property
    def count(self) -> ex.Expr:
        """How many rows follow one another."""
        return self.outer.extents[self.first - 1]

    def steps(self, op: Access) -> list[ex.Expr | None]:
        """By how much an access moves on from row to row, and with each axis of a row."""
        return self.facts.steps(op, self.outer)[self.first - 1 :]

    def is_flat(self, op: Access) -> bool:
        """Whether an access goes along as the points of the flat loop follow one another."""
        step, extents = ex.const(1), self.outer.extents[self.first - 1 :]
        for found, extent in zip(reversed(self.steps(op)), reversed(extents), strict=True):
            if found != step:
                return False
            step = step * extent
        return True

    def is_table(self, op: kernel.LoadOp) -> bool:
        """Whether what a load reads must be laid out: it neither goes along nor stays."""
        return not self.is_flat(op) and any(step != 0 for step in self.steps(op))

    def repeats(self, op: kernel.LoadOp) -> bool:
        """Whether a load reads the same in every row."""
        return self.steps(op)[0] == 0

    def is_simple(self, op: Access) -> bool:
        """Whether an access goes along, reads one value of each row, or the same row again."""
        steps = self.steps(op)
        if None in steps:
            return False
        if self.is_flat(op):
            return True
        if not isinstance(op, kernel.LoadOp):
            return False
        # Behind a row that repeats itself are zeros, which small floats have no constant for.
        return steps[1] == 0 or (steps == [0, 1] and scalar_type(op.result).small != "float")

    def can_be_laid_out(self, op: Access) -> bool:
        """Whether an access goes along, or reads what is not written meanwhile."""
        if isinstance(op, kernel.StoreOp) or op.default is not None:
            return isinstance(op, kernel.StoreOp) and self.is_flat(op)
        is_written = op.source in self.facts.nest.targets
        return self.is_flat(op) or (not is_written and None not in self.steps(op))

    @property
    def are_sound(self) -> bool:
        """Whether all accesses can be in a flat loop over such rows."""
        if any(isinstance(op, body.IndexOp) for op in self.facts.ops):
            return False
        if self.width.constant is None:
            return self.are_simple
        return all(map(self.can_be_laid_out, self.facts.accesses))

    @property
    def are_simple(self) -> bool:
        """Whether all accesses are simple, in rows of one axis."""
        is_one_axis = self.first == len(self.outer.extents) - 1
        return is_one_axis and all(map(self.is_simple, self.facts.accesses))
