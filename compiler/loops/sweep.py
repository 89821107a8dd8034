"""A sweep for a block of points: its body, the memory that it reads, and the loops over its values.

What reduces is written with it, for a sum of rows of 1024 by ``run``::

    for g in 0 to 1024 by 512                   # blocks and groups
      for m in 0 to 64 vector                   # over_lanes
        x[g + m], x[g + m + 64], ...            # body, at 8 places
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.schedule.sweeps import Reduced, SweepFacts, total

from .accumulators import Accumulator, Total
from .extremes import Extreme
from .insertion import ZERO, Insertion, placed
from .points import Points
from .positions import Position, Search


@dataclass(frozen=True)
class Beside:
    """What is done in turns with so many values of a sweep, from one position of the run to
    another.
    """

    turns: int
    write: Callable[[Insertion, ex.Expr, ex.Expr], None]


@dataclass(frozen=True)
class Kept:
    """A value that a later sweep reads: where it goes, by position unless at an offset."""

    value: SSAValue
    array: SSAValue
    offset: ex.Expr | None = None


class Sweep(SweepFacts):
    """What is known of one sweep where its loops are written.

    ``beside`` goes on in turns with all values.
    """

    def __init__(self, points: Points, op: kernel.SweepOp, beside: Beside | None = None) -> None:
        super().__init__(points.values, points, op)
        self.points, self.beside = points, beside
        self.values = points.values
        run = self.values.runs[op]
        self.strategy, self.numbers, self.chunk = run.strategy, run.numbers, run.chunk
        self.kept: list[Kept] = []
        self.accumulators: list[Accumulator] = []
        for value, kind, result in zip(op.yielded, op.kinds, op.outputs, strict=True):
            if kind.data == kernel.KEEP:
                self.kept.append(self._keep(value, result))
            else:
                self.accumulators.append(self._accumulator(kind.data, value, result))
        self.positions = [a for a in self.accumulators if isinstance(a, Position)]
        """Searches in two passes."""

    def _accumulator(self, kind: str, value: SSAValue, result: SSAValue) -> Accumulator:
        reduced = Reduced(kind, value)
        if reduced.is_search:
            found = Position if self.has_passes else Search
            return found(kind, value, result, self.length.constant, self.origin)
        return (Extreme if reduced.is_extreme else Total)(kind, value, result)

    def _keep(self, value: SSAValue, result: SSAValue) -> Kept:
        """Keep a value in an output of the nest, or in an array of the block."""
        if result in self.values.kept:
            return Kept(value, *self.values.kept[result])
        if result in self.values.arrays:
            return Kept(value, self.values.arrays[result])
        size = self.length.constant if self.limit is None else self.limit
        assert size is not None
        local = loop.LocalOp.of(scalar_type(value), max(1, size * self.points.most))
        self.values.arrays[result] = self.points.here.add(local)
        return Kept(value, self.values.arrays[result])

    @property
    def ordered(self) -> list[Accumulator]:
        """Accumulators in which the order of the values shows."""
        return [a for a in self.accumulators if isinstance(a, Total) and a.is_ordered]

    def is_flat(self) -> bool:
        """Whether lanes and points lie in memory as they lie in the cells."""
        if self.points.is_one or len(self.space.extents) > 1 or self.points.size != self.stride:
            return False
        if self.stride != self.points.most and any(k.offset is None for k in self.kept):
            return False  # arrays of the block have room for the most points
        used = [*self.op.yielded, *(v for op in self.ops for v in op.operands)]
        if any(v in self.points.arrays for v in used):
            return False
        accesses = [self.values.offsets[op] for op in self.ops if op in self.values.offsets]
        accesses += [self.values.kept[r][1] for r in self.op.outputs if r in self.values.kept]
        for along, across in map(self.steps, accesses):
            if along is None or across is None or along != across * self.stride:
                return False
        return not self.points.transposed.is_used(self.ops)

    def steps(self, offset: ex.Expr) -> tuple[ex.Expr | None, ex.Expr | None]:
        """How far an offset goes with each value of a run along one axis, and with each point."""
        return self.along(offset), total(offset.coefficient(d) for d in self.points.dims)

    def body(self, inside: Insertion, variables: Sequence[ex.Expr], point: ex.Expr) -> None:
        """Write the body at one point of the sweep, given by its collapsed dimensions."""
        self.place(inside, variables)
        self.points.place(inside, point)
        position = linearize(variables, self.space.extents) if variables else ZERO
        wanted = [*(a.taken for a in self.accumulators), *(k.value for k in self.kept)]
        self.points.write(self.ops, inside, point, position, wanted)
        for kept in self.kept:
            at = position * self.points.most + point
            if kept.offset is not None:
                at = kept.offset.substitute(inside.at)
            inside.write(self.values.values[kept.value], kept.array, at)

    def value(self, a: Accumulator) -> SSAValue:
        """What an accumulator takes, of the body that was written last."""
        return self.values.values[a.taken]

    def place(self, inside: Insertion, variables: Sequence[ex.Expr]) -> None:
        """Say which point of the sweep is meant, by its collapsed dimensions."""
        inside.at |= placed(self.space, dict(enumerate(variables)))

    def at(self, position: ex.Expr) -> list[ex.Expr]:
        """The collapsed dimensions of a position; of one value there are none."""
        return [position] if self.space.extents else []

    def staging_from(
        self, here: Insertion, load: kernel.LoadOp, start: ex.Expr, count: ex.Expr
    ) -> tuple[tuple[ex.Expr, ...], list[SSAValue]]:
        """Where a load reads from a position of the run on, and how many values."""
        there = Insertion(here.block, here.variables, dict(here.at))
        self.place(there, [start])
        # The count is over loop variables, of which no dimension of the nest is to be made.
        offset = self.values.offsets[load].substitute(there.at)
        return here.over((offset, count))

    def over_lanes(
        self, here: Insertion, lower: ex.Expr, upper: ex.Expr
    ) -> tuple[Insertion, ex.Expr, ex.Expr, ex.Expr]:
        """A loop over the cells of some lanes: where, the lane, the point and the cell."""
        if self.points.is_one:
            inside = here.loop(lower, upper, "vector") if self.lanes != 1 else here
            lane = inside.variable() if self.lanes != 1 else ZERO
            return inside, lane, ZERO, lane
        if self.lanes == 1:
            inside, point = self.points.over(here)
            return inside, ZERO, point, point
        if self.is_flat():
            inside = here.loop(lower * self.stride, upper * self.stride, "vector")
            return inside, ZERO, inside.variable(), inside.variable()
        outside = here.loop(lower, upper, "serial")
        inside, point = self.points.over(outside)
        lane = outside.variable()
        return inside, lane, point, lane * self.stride + point

    def in_order(
        self, here: Insertion, start: ex.Expr, count: ex.Expr
    ) -> tuple[Insertion, ex.Expr, list[ex.Expr], ex.Expr]:
        """Loops over some values of the run in the order of memory.

        Inside of them: the place, the position, the collapsed dimensions and the point.
        """
        if not self.space.extents:
            inside, point = self.points.over(here)
            return inside, ZERO, [], point
        if self.is_flat():
            inside = here.loop(0, count * self.stride, "vector")
            return inside, start, [start], inside.variable()
        innermost = "vector" if self.points.is_one else "serial"
        if self.is_line:
            here = here.loop(0, count, innermost)
            variables = [start + here.variable()]
        else:
            variables, before = list[ex.Expr](), ZERO
            for k, extent in enumerate(self.space.extents):
                inner = ex.product(self.space.extents[k + 1 :])
                lower = start - before if k == 0 else ex.maximum(start - before, 0)
                upper = ex.floordiv(start + count - before + inner - 1, inner)
                kind = innermost if inner == 1 else "serial"
                here = here.loop(ex.floordiv(lower, inner), ex.minimum(upper, extent), kind)
                variables.append(here.variable())
                before = before + here.variable() * inner
        inside, point = self.points.over(here)
        return inside, linearize(variables, self.space.extents), variables, point

    def nested(
        self, here: Insertion, kind: str, outermost: str | None = None
    ) -> tuple[Insertion, list[ex.Expr]]:
        """A loop for each collapsed dimension, the last one of some kind, and their variables."""
        first, last = len(here.variables), len(self.space.extents) - 1
        for k, extent in enumerate(self.space.extents):
            found = kind if k == last else "serial"
            here = here.loop(0, extent, (outermost or found) if k == 0 else found)
        return here, [ex.dim(first + k) for k in range(len(self.space.extents))]
