"""What planners and lowerings know of a nest: its accesses, its sweeps, its axes in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse, neighbours, offsets_of
from opc.dialects.order import lanes
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis, TreeOp
from opc.support.target import LINE

Access = kernel.LoadOp | kernel.StoreOp


def body_of(nest: kernel.NestOp) -> list[Operation]:
    """The operations of a nest without its schedule."""
    return [op for op in nest.body.block.ops if not isinstance(op, TreeOp)]


def lanes_of_columns(sweep: kernel.SweepOp, offsets: Mapping[Operation, ex.Expr]) -> ex.Expr | None:
    """The lanes that a sum would have, where no order shows: few columns fill vectors with them.

    None where memory does not run along the columns of a row and on to the next row, and where
    positions are looked for.
    """
    nest = sweep.parent_op()
    kinds = [kind.data for kind in sweep.kinds if kind.data != kernel.KEEP]
    if not isinstance(nest, kernel.NestOp) or any(REDUCTIONS[kind].is_arg for kind in kinds):
        return None
    outer = collapse(0, nest.extents.data, list(offsets.values()))
    if not kinds or not outer.extents:
        return None
    innermost, columns = len(kernel.scope(sweep)), outer.extents[-1]
    across = outer.dims(len(outer.extents) - 1)
    for op in sweep.body.block.ops:
        if op in offsets:
            along = offsets[op].coefficient(innermost + len(sweep.extents.data) - 1)
            steps = [offsets[op].coefficient(d) for d in across]
            if len(steps) != 1 or steps[0] is None or along != steps[0] * columns:
                return None
    widest = max((scalar_type(value) for value in sweep.yielded), key=lambda t: t.bytes)
    found = lanes(columns, widest)
    return None if found == 1 else found


class NestFacts:
    """A nest, the offset of each of its accesses, and its points along axes of memory."""

    def __init__(self, nest: kernel.NestOp) -> None:
        self.nest = nest
        self.ops = body_of(nest)
        self.offsets = offsets_of(nest)
        self.sweeps = [op for op in self.ops if isinstance(op, kernel.SweepOp)]
        self.lanes = {s: s.lanes_expr or lanes_of_columns(s, self.offsets) for s in self.sweeps}
        """The lanes of each sweep: those of its order, or what few columns need for vectors."""
        self.kept: dict[SSAValue, tuple[SSAValue, ex.Expr]] = {}
        """Values kept in an output of the nest: its buffer, and the offset of an element."""
        self.most: int | None = None
        """The most values of rows of unknown length, where they are short."""
        self.has_one: bool | None = None
        """Whether there is one lane, of lanes whose number only a run knows."""

    @cached_property
    def axes(self) -> list[Axis]:
        """Its dimensions without those of extent 1, neighbours together that are one in memory."""
        offsets = list(self.offsets.values())
        return [tuple(group) for group in neighbours(0, self.nest.extents.data, offsets)]

    @cached_property
    def outer(self) -> Collapsed:
        """Its points along these axes."""
        return self.space(self.axes)

    def space(self, axes: Sequence[Axis]) -> Collapsed:
        """Its points along axes: the innermost dimension of one runs over all of it."""
        extents = self.nest.extents.data
        places = {k: ex.const(0) for k in range(len(extents))}
        places |= {axis[-1]: ex.dim(k) for k, axis in enumerate(axes)}
        return Collapsed(tuple(ex.product(extents[d] for d in axis) for axis in axes), places)

    @property
    def accesses(self) -> list[Access]:
        """The loads and stores that stand outside of sweeps."""
        return [op for op in self.ops if isinstance(op, Access)]

    @property
    def loads(self) -> list[kernel.LoadOp]:
        """The loads of these."""
        return [op for op in self.ops if isinstance(op, kernel.LoadOp)]

    @property
    def stores(self) -> list[kernel.StoreOp]:
        """The stores of these."""
        return [op for op in self.ops if isinstance(op, kernel.StoreOp)]

    def steps(self, op: Operation, outer: Collapsed | None = None) -> list[ex.Expr | None]:
        """How far an access goes with each axis."""
        space = outer or self.outer
        offset = self.offsets[op].substitute(space.places)
        return [offset.coefficient(k) for k in range(len(space.extents))]

    def broken_lines(self, store: kernel.StoreOp, outer: Collapsed | None = None) -> ex.Expr:
        """0 where a store goes along memory with the last axis, in rows that start at cache lines
        if the result does, and otherwise more.  What only a run knows stays an expression.
        """
        space, steps = outer or self.outer, self.steps(store, outer)
        start = self.offsets[store].substitute(space.places)
        for k, step in enumerate(steps):
            if step is None:
                return ex.const(1)
            start = start - ex.dim(k) * step
        around = [e for e in steps[:-1] if e is not None]
        line = LINE // scalar_type(store.value).bytes
        is_along = bool(steps) and steps[-1] == 1
        rests = [ex.mod(e, line) for e in (start, *around)] if is_along else [ex.const(1)]
        return sum(rests, ex.const(0))

    def keep(self, outputs: Mapping[SSAValue, tuple[SSAValue, ex.Expr]]) -> None:
        """Keep the results of sweeps in outputs of the nest rather than in local arrays.

        ``outputs`` has offsets over the dimensions of the sweeps that keep them.
        """
        _ = self.outer  # of the offsets before
        self.kept, rank = dict(outputs), len(self.nest.extents.data)
        for result, (_, offset) in outputs.items():
            for use in result.uses:
                if isinstance(op := use.operation, kernel.LoadOp):
                    index = enumerate(op.index.data)
                    at = {rank + k: e for k, e in index}
                    self.offsets[op] = offset.substitute(at)
