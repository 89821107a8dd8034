"""Facts of a nest for planners and lowerings: its accesses, its sweeps, its axes in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse, neighbours, offsets_of
from opc.dialects.order import lanes
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis, TreeOp
from opc.dialects.walking import walk
from opc.support.target import LINE

Access = kernel.LoadOp | kernel.StoreOp


def body_of(nest: kernel.NestOp) -> list[Operation]:
    """The operations of a nest without its schedule."""
    return [op for op in nest.body.block.ops if not isinstance(op, TreeOp)]


def applied(ops: Iterable[Operation]) -> list[body.ApplyOp]:
    """The functions in operations, and in sweeps among them."""
    return [o for op in ops for o in walk(op) if isinstance(o, body.ApplyOp)]


def has_functions(ops: Iterable[Operation]) -> bool:
    """Whether there are expensive functions in operations."""
    return any(op.is_expensive for op in applied(ops))


def lanes_of_columns(sweep: kernel.SweepOp, offsets: Mapping[Operation, ex.Expr]) -> ex.Expr | None:
    """The lanes that a sum would have, of a reduction without an order: with few columns, they fill
    vectors.

    None unless memory goes on from the columns of a row to the next row, and for positions.
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
    count = lanes(columns, widest)
    return None if count == 1 else count


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
        """Values materialized in outputs of the nest: the buffer, and the offset of an element."""
        self.most: int | None = None
        """The most values of short rows of unknown length."""
        self.has_one: bool | None = None
        """Whether there is one lane; None if the number of lanes is known."""

    @cached_property
    def axes(self) -> list[Axis]:
        """Its dimensions but those of extent 1; neighbours that are one in memory are merged."""
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
        """The step of an access along each axis; None if it is not linear."""
        space = outer or self.outer
        offset = self.offsets[op].substitute(space.places)
        return [offset.coefficient(k) for k in range(len(space.extents))]

    def broken_lines(self, store: kernel.StoreOp, outer: Collapsed | None = None) -> ex.Expr:
        """0 if a store is contiguous along the last axis, in rows that start at cache lines if the
        result does; otherwise more.  An expression if extents are unknown.
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
        tails = [ex.mod(e, line) for e in (start, *around)] if is_along else [ex.const(1)]
        return sum(tails, ex.const(0))

    def keep(self, outputs: Mapping[SSAValue, tuple[SSAValue, ex.Expr]]) -> None:
        """Materialize the results of sweeps in outputs of the nest rather than in local arrays.

        ``outputs`` has offsets over the dimensions of the sweeps that store them.
        """
        _ = self.outer  # of the offsets before
        self.kept, rank = dict(outputs), len(self.nest.extents.data)
        for result, (_, offset) in outputs.items():
            for use in result.uses:
                if isinstance(op := use.operation, kernel.LoadOp):
                    at = {rank + k: e for k, e in enumerate(op.index.data)}
                    self.offsets[op] = offset.substitute(at)
