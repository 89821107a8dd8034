"""A sweep over a block of points: its body, the memory that it reads, and loops over its values.

``run`` writes reductions with these; a sum of rows of 1024::

    for g in 0 to 1024 by 512                   # blocks and groups
      for m in 0 to 64 vector                   # over_lanes
        x[g + m], x[g + m + 64], ...            # body, at 8 positions
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.schedule.sweep_loops import read
from opc.schedule.sweeps import Reduced, SweepFacts, total

from .accumulators import Accumulator, Extreme, Total
from .insertion import ZERO, Insertion, placed
from .points import Points
from .positions import Position, Search


@dataclass(frozen=True)
class Beside:
    """Work that is interleaved with a sweep: ``write`` does it for each ``turns`` positions."""

    turns: int
    write: Callable[[Insertion, ex.Expr, ex.Expr], None]


@dataclass(frozen=True)
class Kept:
    """A value that a later sweep reads, and its array; indexed by position, or at ``offset``."""

    value: SSAValue
    array: SSAValue
    offset: ex.Expr | None = None


class Sweep(SweepFacts):
    """What is known of one sweep where its loops are written; ``beside`` is interleaved with it."""

    def __init__(self, points: Points, op: kernel.SweepOp, beside: Beside | None = None) -> None:
        super().__init__(points.values, points, op)
        self.points, self.beside = points, beside
        self.values = points.values
        self.loops = read(self, points, self.values.sections[op])
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
            search = Position if self.has_passes else Search
            return search(kind, value, result, self.length.constant, self.origin)
        return (Extreme if reduced.is_extreme else Total)(kind, value, result)

    def _keep(self, value: SSAValue, result: SSAValue) -> Kept:
        """Keep a value in an output of the nest, or in an array of the block."""
        if result in self.values.kept:
            return Kept(value, *self.values.kept[result])
        if result in self.values.arrays:
            return Kept(value, self.values.arrays[result])
        size = self.length.constant if self.limit is None else self.limit
        assert size is not None
        array = self.points.here.local(scalar_type(value), size * self.points.most)
        self.values.arrays[result] = array
        return Kept(value, array)

    @property
    def ordered(self) -> list[Accumulator]:
        """Accumulators whose results depend on the order of values."""
        return [a for a in self.accumulators if isinstance(a, Total) and a.is_ordered]

    def is_flat(self) -> bool:
        """Whether lanes and points have the same layout in memory as in the cells."""
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
        """The steps of an offset from value to value of a segment, and from point to point."""
        return self.along(offset), total(offset.coefficient(d) for d in self.points.dims)

    def body(self, inside: Insertion, variables: Sequence[ex.Expr], point: ex.Expr) -> None:
        """Write the body at a point of the sweep, ``variables``, and a point of the block."""
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
        """The value that an accumulator takes, of the body written last."""
        return self.values.values[a.taken]

    def place(self, inside: Insertion, variables: Sequence[ex.Expr]) -> None:
        """Set the dimensions of the sweep from the collapsed ones."""
        inside.at |= placed(self.space, dict(enumerate(variables)))

    def at(self, position: ex.Expr) -> list[ex.Expr]:
        """The collapsed dimensions of a position; a sweep over one value has none."""
        return [position] if self.space.extents else []

    def staging_from(
        self, here: Insertion, load: kernel.LoadOp, start: ex.Expr, count: ex.Expr
    ) -> tuple[tuple[ex.Expr, ...], list[SSAValue]]:
        """The offset of a load at a position of the segment, and the number of values to read."""
        there = Insertion(here.block, here.variables, dict(here.at))
        self.place(there, [start])
        # Dimensions are not substituted in the count: it is over loop variables.
        offset = self.values.offsets[load].substitute(there.at)
        return here.over((offset, count))

    def over_lanes(
        self, here: Insertion, lower: ex.Expr, upper: ex.Expr
    ) -> tuple[Insertion, ex.Expr, ex.Expr, ex.Expr]:
        """Loop over the cells of some lanes; return its body, the lane, the point and the cell."""
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
        """Loop over values of the segment in the order of memory.

        Returns the body, the position, the collapsed dimensions and the point.
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
        """A loop for each collapsed dimension, the innermost one of a kind, and their variables."""
        first, last = len(here.variables), len(self.space.extents) - 1
        for k, extent in enumerate(self.space.extents):
            own = kind if k == last else "serial"
            here = here.loop(0, extent, (outermost or own) if k == 0 else own)
        return here, [ex.dim(first + k) for k in range(len(self.space.extents))]
