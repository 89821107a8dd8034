"""Rows of a nest that may be coalesced: which accesses allow one loop over several rows."""

from __future__ import annotations

from dataclasses import dataclass

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed

from .nest import Access, NestFacts


@dataclass(frozen=True)
class Rows:
    """Rows along the axes of a nest from ``first`` on; the axis before them counts the rows.

    A row has at most ``most`` values.
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
        """The number of rows."""
        return self.outer.extents[self.first - 1]

    def steps(self, op: Access) -> list[ex.Expr | None]:
        """The steps of an access: from row to row, and along each axis of a row."""
        return self.facts.steps(op, self.outer)[self.first - 1 :]

    def is_flat(self, op: Access) -> bool:
        """Whether an access is contiguous in the coalesced loop."""
        step, extents = ex.const(1), self.outer.extents[self.first - 1 :]
        for actual, extent in zip(reversed(self.steps(op)), reversed(extents), strict=True):
            if actual != step:
                return False
            step = step * extent
        return True

    def is_table(self, op: kernel.LoadOp) -> bool:
        """Whether the values of a load must be copied: it is neither contiguous nor constant."""
        return not self.is_flat(op) and any(step != 0 for step in self.steps(op))

    def repeats(self, op: kernel.LoadOp) -> bool:
        """Whether a load reads the same in every row."""
        return self.steps(op)[0] == 0

    def is_simple(self, op: Access) -> bool:
        """Whether an access is contiguous, or a load of one value or of the same row each time."""
        steps = self.steps(op)
        if None in steps:
            return False
        if self.is_flat(op):
            return True
        if not isinstance(op, kernel.LoadOp):
            return False
        # Zeros fill up the copy of a repeated row; small floats have no constant for zero.
        return steps[1] == 0 or (steps == [0, 1] and scalar_type(op.result).small != "float")

    def can_be_laid_out(self, op: Access) -> bool:
        """Whether an access is contiguous, or a load of a buffer that the nest does not write."""
        if isinstance(op, kernel.StoreOp) or op.default is not None:
            return isinstance(op, kernel.StoreOp) and self.is_flat(op)
        is_written = op.source in self.facts.nest.targets
        return self.is_flat(op) or (not is_written and None not in self.steps(op))

    @property
    def are_sound(self) -> bool:
        """Whether a coalesced loop can do all accesses."""
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
