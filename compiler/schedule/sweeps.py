"""Facts of a sweep for a block of points, for planners and lowerings: lanes, accumulators."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, order
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.cascade import LANE_REDUCTIONS
from opc.dialects.collapse import collapse
from opc.dialects.layout import linearize
from opc.dialects.memory_ops import NARROW
from opc.dialects.order import GROUP, GROUPS, LANES
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis
from opc.support.target import BODY, FILLING

from .nest import NestFacts, has_functions

UNROLLED = BODY
"""Operations in a loop over the lanes, at most, of all values of a group together."""


class Block:
    """The points that are computed together: in loops over ``extents``, in blocks of ``sizes``.

    ``has_one`` says whether there is one lane, if the number of lanes is unknown.
    """

    def __init__(
        self, extents: Sequence[ex.Expr], sizes: Sequence[int], has_one: bool | None
    ) -> None:
        self.most = math.prod(sizes)
        """The most points of a block."""
        self.is_whole = has_one is False and self.most > 1
        """Whether a block has all points of the last axis: more lanes are for few points only."""
        self.narrow = sizes[-1] if len(sizes) > 1 and sizes[-2] > 1 else 1
        """The extent of the innermost axis if a block goes along two axes, else 1."""
        *self.others, self.last = (extents[:-1] if self.narrow > 1 else extents) or [ex.const(1)]
        """The extents of the axes around, and of the axis along which blocks go."""

    @property
    def is_one(self) -> bool:
        """Whether points are computed one by one."""
        return self.most == 1

    @property
    def each(self) -> int:
        """Values of a block along its axis."""
        return self.most // self.narrow

    @property
    def size(self) -> ex.Expr:
        """The points of a full block."""
        return (self.last if self.is_whole else ex.const(self.each)) * self.narrow

    @property
    def blocks(self) -> ex.Expr:
        """The number of blocks, for threads to share."""
        count = 1 if self.is_whole else ex.floordiv(self.last + self.each - 1, self.each)
        return ex.product(self.others) * count


@dataclass(frozen=True)
class Reduced:
    """A value that a sweep reduces, and the kind of reduction."""

    kind: str
    value: SSAValue

    @property
    def is_search(self) -> bool:
        """Whether the result is the position of the best value."""
        return REDUCTIONS[self.kind].is_arg

    @property
    def is_extreme(self) -> bool:
        """Whether it is a maximum or minimum of floats that the sweep computes."""
        owner = self.value.owner
        is_inside = isinstance(owner, Operation) and isinstance(owner.parent_op(), kernel.SweepOp)
        return self.kind in ("max", "min") and scalar_type(self.value).is_float and is_inside

    @property
    def is_ordered(self) -> bool:
        """Whether the result depends on the order of the values."""
        return order.is_ordered(self.kind, scalar_type(self.value))

    @property
    def is_in_lanes(self) -> bool:
        """Whether C compilers keep its order, so that vectors must be written out."""
        is_total = not (self.is_search or self.is_extreme)
        return is_total and self.kind in LANE_REDUCTIONS and scalar_type(self.value).is_float

    @property
    def is_apart(self) -> bool:
        """Whether it is an extreme of computed 16-bit values, which go to memory first."""
        source = unconverted(self.value)
        is_narrow = scalar_type(source) != scalar_type(self.value)
        return self.is_extreme and is_narrow and not isinstance(source.owner, kernel.LoadOp)


def total(steps: Iterable[ex.Expr | None]) -> ex.Expr | None:
    """The sum of steps; None if one of them is."""
    steps = list(steps)
    return None if None in steps else ex.total_of(s for s in steps if s is not None)


def unconverted(value: SSAValue) -> SSAValue:
    """The 16-bit value that a value is converted from, else the value itself."""
    op = value.owner
    if not isinstance(op, body.ApplyOp) or op.function.data != "cast":
        return value
    return op.args[0] if scalar_type(op.args[0]) in NARROW else value


def axis_of_sweep(op: kernel.SweepOp) -> Axis:
    """The dimensions of a sweep, as the axis of its loops; they follow those of the nest."""
    scope = kernel.scope(op)
    return tuple(range(len(scope), len(scope) + len(op.extents.data)))


class SweepFacts:
    """Facts of one sweep for a block of points.

    Its values are a segment: ``length`` values along the extents of the sweep.
    """

    def __init__(self, facts: NestFacts, block: Block, op: kernel.SweepOp) -> None:
        self.op, self._facts, self._block = op, facts, block
        self.ops = [o for o in op.body.block.ops if not isinstance(o, kernel.YieldOp)]
        kinds = [kind.data for kind in op.kinds]
        pairs = zip(kinds, op.yielded, strict=True)
        self.reduced = [Reduced(kind, value) for kind, value in pairs if kind != kernel.KEEP]
        self.prefixes = kernel.prefixes_of(op)
        """The scans of the sweep."""
        extents, rank = op.extents.data, len(facts.nest.extents.data)
        self.axis = axis_of_sweep(op)
        self.origin = linearize([ex.dim(rank + k) for k in range(len(extents))], extents)
        """The position of a value in the segment."""
        offsets = [facts.offsets[o] for o in self.ops if o in facts.offsets]
        offsets += [facts.kept[r][1] for r in op.outputs if r in facts.kept]
        # The position decides where a value goes that is reduced or materialized.
        self.space = collapse(rank, extents, [*offsets, *([self.origin] if kinds else [])])
        self.length = ex.product(extents)
        self.lanes = self._lanes() if self.reduced else ex.const(1)
        known = self.lanes.constant
        self.stride = block.size if known is None else ex.const(block.most)
        self.cells = max(LANES, block.most) if known is None else block.most * known
        """Cells of an accumulator: for each lane the points of the block.  An unknown number of
        lanes is one, or points times lanes are at most LANES."""

    def _lanes(self) -> ex.Expr:
        """The lanes of the order; LANES without one, if C compilers do not vectorize."""
        lanes = self._facts.lanes[self.op]
        if lanes is None and self._block.is_one and any(r.is_in_lanes for r in self.reduced):
            lanes = ex.const(LANES)
        n = self.length.constant if self.limit is None else self.limit
        if lanes is None or (lanes.constant is None and (self._facts.has_one or n == 1)):
            return ex.const(1)
        if n is not None and lanes.constant is not None:
            # Of a short segment, only lanes that have a value matter.
            return ex.const(min(lanes.constant, 1 << max(0, n - 1).bit_length()))
        return lanes

    @property
    def used(self) -> ex.Expr:
        """The number of first cells in use: a block may have less than the most points."""
        if self.lanes == 1 or self.stride == self._block.size:
            return self.lanes * self._block.size
        return ex.const(self.cells)

    @property
    def limit(self) -> int | None:
        """The most values of a short segment of unknown length; None for others."""
        return self._facts.most if self.length.constant is None else None

    @property
    def group(self) -> ex.Expr:
        """Values of a group."""
        return self.lanes * GROUP

    @property
    def block(self) -> ex.Expr:
        """Values of a block of the order."""
        return self.group * GROUPS

    @property
    def blocks(self) -> ex.Expr:
        """The number of blocks of the order."""
        return ex.floordiv(self.length + self.block - 1, self.block)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether a result depends on the order of the values."""
        return any(r.is_ordered for r in self.reduced)

    @cached_property
    def is_combined(self) -> bool:
        """Whether one operation adds up the lanes of a point."""
        known = self.lanes.constant
        is_wide = known is not None and known >= FILLING
        return self._block.is_one and all(r.is_in_lanes for r in self.reduced) and is_wide

    @property
    def is_line(self) -> bool:
        """Whether its values lie along one axis in memory."""
        return len(self.space.extents) == 1

    @property
    def is_multiple(self) -> bool:
        """Whether its values lie along several axes in memory."""
        return len(self.space.extents) > 1

    @property
    def loads(self) -> list[kernel.LoadOp]:
        """The loads of its body."""
        return [op for op in self.ops if isinstance(op, kernel.LoadOp)]

    def along(self, offset: ex.Expr) -> ex.Expr | None:
        """The step of an offset from value to value, along one axis."""
        return total(offset.coefficient(d) for d in self.space.dims(0))

    def step(self, op: Operation) -> ex.Expr | None:
        """The step of an access."""
        return self.along(self._facts.offsets[op])

    def plain_load(self, value: SSAValue) -> kernel.LoadOp | None:
        """The contiguous load that a value of a sweep along one axis is, if it is one."""
        load = value.owner
        if not isinstance(load, kernel.LoadOp) or load not in self.ops or not self.is_line:
            return None
        return load if self.step(load) == 1 else None

    @property
    def is_only(self) -> bool:
        """Whether the nest has no other sweep."""
        return len(self._facts.sweeps) == 1

    @property
    def has_searches(self) -> bool:
        """Whether it finds positions."""
        return any(r.is_search for r in self.reduced)

    @property
    def has_passes(self) -> bool:
        """Whether these take two passes: with one cell, and nothing stored."""
        return self.cells == 1 and not (self.has_kept or self.has_stores)

    @property
    def has_kept(self) -> bool:
        """Whether it materializes values for later sweeps."""
        return any(kind.data == kernel.KEEP for kind in self.op.kinds)

    @property
    def keeps_arrays(self) -> bool:
        """Whether it materializes values in an array of the block."""
        return any(result not in self._facts.kept for _, result, _ in self.op.kept())

    @property
    def has_stores(self) -> bool:
        """Whether it writes results of the nest."""
        return any(isinstance(op, kernel.StoreOp) for op in self.ops)

    @property
    def has_functions(self) -> bool:
        """Whether it computes expensive functions."""
        return has_functions([self.op])

    @cached_property
    def is_expensive(self) -> bool:
        """Whether its body is better computed once for each value, in the order of memory."""
        computed = [op for op in self.ops if isinstance(op, body.ApplyOp | kernel.LoadOp)]
        return (
            self.has_kept
            or self.has_stores
            or self.has_functions
            or len(computed) * GROUP > UNROLLED
        )
