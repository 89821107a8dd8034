"""A sweep for a block of points: its body, the memory that it reads, and the loops over its values.

What reduces is written with it, for a sum of rows of 1024 by ``run``::

    for g in 0 to 1024 by 512                   # blocks and groups
      for m in 0 to 64 vector                   # over_lanes
        x[g + m], x[g + m + 64], ...            # body, at 8 places
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import collapse
from opc.dialects.layout import linearize
from opc.dialects.order import GROUP, GROUPS, LANES
from opc.dialects.strip import NARROW
from opc.schedule.nest import has_functions
from opc.target import BODY, VECTOR, Target

from .accumulators import Accumulator, Search, Total, accumulator
from .places import Place
from .points import Points

ZERO = ex.const(0)
Beside: TypeAlias = "Callable[[Place, ex.Expr, ex.Expr], None]"
"""Writes what is done in turns with values of a sweep, from one position of the run to another."""
FEWEST_LANES = VECTOR // 2
"""Lanes that one ``loop.combine`` adds up; fewer are no vector, and are added one by one."""
UNROLLED = BODY
"""Operations that may stand in a loop over the lanes, all values of a group together."""


@dataclass(frozen=True)
class Kept:
    """A value that a later sweep reads: where it goes, by position unless at an offset."""

    value: SSAValue
    array: SSAValue
    offset: ex.Expr | None = None


def _total(steps: Iterable[ex.Expr | None]) -> ex.Expr | None:
    """The sum of steps, if all are known."""
    found = list(steps)
    return None if None in found else sum((s for s in found if s is not None), ZERO)


class Sweep:
    """What is known of one sweep where its loops are written.

    ``has_one`` says of lanes whose number only a run knows whether there is one; ``beside`` goes on
    in turns with all values, ``ahead`` asks for what is read later, with those of full groups.
    """

    def __init__(
        self,
        points: Points,
        op: kernel.SweepOp,
        target: Target,
        has_one: bool | None,
        beside: Beside | None = None,
        ahead: Beside | None = None,
    ) -> None:
        self.points, self.op, self.target = points, op, target
        self.beside, self.ahead = beside, ahead
        self.values = values = points.values
        self.ops = [o for o in op.body.block.ops if not isinstance(o, kernel.YieldOp)]
        extents, rank = op.extents.data, len(values.nest.extents.data)
        position = linearize([ex.dim(rank + k) for k in range(len(extents))], extents)
        offsets = [values.offsets[o] for o in self.ops if o in values.offsets]
        offsets += [values.kept[r][1] for r in op.outputs if r in values.kept]
        kinds = [kind.data for kind in op.kinds]
        # The place in the run of a value decides where it goes, if it is reduced or kept.
        self.space = collapse(rank, extents, [*offsets, *([position] if kinds else [])], 0)
        self.length = ex.product(extents)
        self.kept: list[Kept] = []
        self.accumulators: list[Accumulator] = []
        for value, kind, result in zip(op.yielded, kinds, op.outputs, strict=True):
            if kind == kernel.KEEP:
                self.kept.append(self._keep(value, result))
            else:
                self.accumulators.append(accumulator(kind, value, result))
        self.searches = [a for a in self.accumulators if isinstance(a, Search)]
        for a in self.searches:
            a.count, a.position = self.length.constant, position
            a.is_repeatable = not (self.kept or self.has_stores)
        self.lanes = self._lanes(has_one) if self.accumulators else ex.const(1)
        known = self.lanes.constant
        self.stride = points.size if known is None else ex.const(points.most)
        self.cells = max(LANES, points.most) if known is None else points.most * known
        """Cells of an accumulator: lane by lane, in each the points of the block.  Where only a run
        knows how many lanes there are, either there is one, or they are LANES in all at most."""

    def _keep(self, value: SSAValue, result: SSAValue) -> Kept:
        """Keep a value in an output of the nest, or in an array of the block."""
        if result in self.values.kept:
            return Kept(value, *self.values.kept[result])
        if result in self.values.arrays:
            return Kept(value, self.values.arrays[result])
        size = self.length.constant if self.limit is None else self.limit
        assert size is not None
        if self.points.is_one and size > 1:
            size = -(-size // VECTOR) * VECTOR  # with room for full vectors
        local = loop.LocalOp.of(scalar_type(value), max(1, size * self.points.most))
        self.values.arrays[result] = self.points.here.add(local)
        return Kept(value, self.values.arrays[result])

    def _lanes(self, has_one: bool | None) -> ex.Expr:
        """Those of the order; what needs none has as many where C compilers make no vectors."""
        found = self.values.lanes[self.op]
        if found is None and self.points.is_one and any(a.is_in_lanes for a in self.accumulators):
            found = ex.const(LANES)
        n = self.length.constant if self.limit is None else self.limit
        if found is None or (found.constant is None and (has_one or n == 1)):
            return ex.const(1)
        if n is not None and found.constant is not None:
            # What is not there is not added: of a short run, only lanes that have a value matter.
            return ex.const(min(found.constant, 1 << max(0, n - 1).bit_length()))
        return found

    @property
    def used(self) -> ex.Expr:
        """How many cells count, the first ones: a block may have less than the most points."""
        if self.lanes == 1 or self.stride == self.points.size:
            return self.lanes * self.points.size
        return ex.const(self.cells)

    @property
    def limit(self) -> int | None:
        """The most values there are, where only a run knows how many of few."""
        return self.values.most if self.length.constant is None else None

    @property
    def group(self) -> ex.Expr:
        """Values of the run that are a group."""
        return self.lanes * GROUP

    @property
    def block(self) -> ex.Expr:
        """Values of the run that are a block."""
        return self.group * GROUPS

    @property
    def blocks(self) -> ex.Expr:
        """How many blocks there are."""
        return ex.floordiv(self.length + self.block - 1, self.block)

    @property
    def ordered(self) -> list[Accumulator]:
        """Accumulators in which the order of the values shows."""
        return [a for a in self.accumulators if isinstance(a, Total) and a.is_ordered]

    @property
    def is_combined(self) -> bool:
        """Whether one operation adds up the lanes of a point."""
        totals = all(isinstance(a, Total) and a.is_in_lanes for a in self.accumulators)
        known = self.lanes.constant
        return self.points.is_one and totals and known is not None and known >= FEWEST_LANES

    @property
    def is_line(self) -> bool:
        """Whether its values are one axis in memory."""
        return len(self.space.extents) == 1

    @property
    def has_stores(self) -> bool:
        """Whether it writes results of the nest."""
        return any(isinstance(op, kernel.StoreOp) for op in self.ops)

    @property
    def has_functions(self) -> bool:
        """Whether long functions are computed in it."""
        return has_functions([self.op])

    @property
    def is_dear(self) -> bool:
        """Whether a body is better computed once for each value, in the order of memory."""
        computed = [op for op in self.ops if isinstance(op, body.ApplyOp | kernel.LoadOp)]
        loads = [op for op in computed if isinstance(op, kernel.LoadOp)]
        return (
            bool(self.kept)
            or self.has_stores
            or self.has_functions
            or any(scalar_type(op.result) in NARROW for op in loads)
            or len(computed) * GROUP > UNROLLED
        )

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
        return not self.points.turned.is_used(self.ops)

    def steps(self, offset: ex.Expr) -> tuple[ex.Expr | None, ex.Expr | None]:
        """How far an offset goes with each value of a run along one axis, and with each point."""
        return (
            _total(offset.coefficient(d) for d in self._dims()),
            _total(offset.coefficient(int(a.args[0])) for a in self.points.atoms),
        )

    def runs_along(self, op: kernel.LoadOp | kernel.StoreOp) -> bool:
        """Whether an access of a sweep along one axis goes from each element to the next."""
        return any(self.values.offsets[op].coefficient(d) == 1 for d in self._dims())

    def _dims(self) -> list[int]:
        """Dimensions of the nest that are the innermost axis of a sweep along one."""
        return [int(a.args[0]) for a, e in self.space.places.items() if e == ex.dim(0)]

    def body(self, inside: Place, variables: Sequence[ex.Expr], point: ex.Expr) -> None:
        """Write the body at one point of the sweep, given by its collapsed dimensions."""
        self.place(inside, variables)
        self.points.place(inside, point)
        position = linearize(variables, self.space.extents) if variables else ZERO
        wanted = [*(a.taken for a in self.accumulators), *(k.value for k in self.kept)]
        self.points.write(self.ops, inside, point, position, wanted)
        for kept in self.kept:
            at = position * self.points.most + point
            if kept.offset is not None:
                at = kept.offset.substitute(inside.at, {})
            inside.write(self.values.values[kept.value], kept.array, at)

    def value(self, a: Accumulator) -> SSAValue:
        """What an accumulator takes, of the body that was written last."""
        return self.values.values[a.taken]

    def place(self, inside: Place, variables: Sequence[ex.Expr]) -> None:
        """Say which point of the sweep is meant, by its collapsed dimensions."""
        collapsed = {ex.Atom("dim", (k,)): e for k, e in enumerate(variables)}
        for atom, place in self.space.places.items():
            inside.at[atom] = place.substitute(collapsed, {})

    def at(self, position: ex.Expr) -> list[ex.Expr]:
        """The collapsed dimensions of a position; of one value there are none."""
        return [position] if self.space.extents else []

    def strip_from(
        self, here: Place, load: kernel.LoadOp, start: ex.Expr, count: ex.Expr
    ) -> tuple[tuple[ex.Expr, ...], list[SSAValue]]:
        """Where a load reads from a position of the run on, and how many values."""
        there = Place(here.block, here.variables, dict(here.at))
        self.place(there, [start])
        # The count is over loop variables, of which no dimension of the nest is to be made.
        offset = self.values.offsets[load].substitute(there.at, {})
        return Place(here.block, here.variables).resolve_all((offset, count))

    def over_lanes(
        self,
        here: Place,
        lower: ex.Expr,
        upper: ex.Expr,
        part: tuple[ex.Expr, ex.Expr] | None = None,
    ) -> tuple[Place, ex.Expr, ex.Expr, ex.Expr]:
        """A loop over the cells of some lanes: where, the lane, the point and the cell.

        ``part`` is a part of the points, where there is one lane.
        """
        if self.points.is_one:
            inside = here.loop(lower, upper, "vector") if self.lanes != 1 else here
            lane = inside.variable() if self.lanes != 1 else ZERO
            return inside, lane, ZERO, lane
        if self.lanes == 1:
            inside, point = self.points.over(here, part)
            return inside, ZERO, point, point
        if self.is_flat():
            inside = here.loop(lower * self.stride, upper * self.stride, "vector")
            return inside, ZERO, inside.variable(), inside.variable()
        outside = here.loop(lower, upper, "serial")
        inside, point = self.points.over(outside)
        lane = outside.variable()
        return inside, lane, point, lane * self.stride + point

    def in_order(
        self, here: Place, start: ex.Expr, count: ex.Expr
    ) -> tuple[Place, ex.Expr, list[ex.Expr], ex.Expr]:
        """Loops over some values of the run in the order of memory.

        Inside of them: the place, the position, the collapsed dimensions and the point.
        """
        if not self.space.extents:
            inside, point = self.points.over(here)
            return inside, ZERO, [], point
        if self.is_flat():
            inside = here.loop(ZERO, count * self.stride, "vector")
            return inside, start, [start], inside.variable()
        innermost = "vector" if self.points.is_one else "serial"
        if self.is_line:
            here = here.loop(ZERO, count, innermost)
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
        self, here: Place, kind: str, outermost: str | None = None
    ) -> tuple[Place, list[ex.Expr]]:
        """A loop for each collapsed dimension, the last one of some kind, and their variables."""
        first, last = len(here.variables), len(self.space.extents) - 1
        for k, extent in enumerate(self.space.extents):
            found = kind if k == last else "serial"
            here = here.loop(ZERO, extent, (outermost or found) if k == 0 else found)
        return here, [ex.dim(first + k) for k in range(len(self.space.extents))]
