"""What a nest with a chain is: rows, columns, and what each side of the product reads.

Of a nest ``[4, 128, 512]`` over ``dot(x[d0, d1, d3] * w[d3, d2])`` the rows are d0 and d1 as one
axis, since memory does not tell them apart, the columns are d2 and the contracted axis is d3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis
from opc.dialects.shape import Shape
from opc.passes.collapse import neighbours
from opc.passes.loop_places import NestValues

from .window import Window, is_window, window_of


def sweep_of(nest: kernel.NestOp) -> kernel.SweepOp | None:
    """The sweep of a nest that is a contraction: one chain, with nothing else in the sweep."""
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    if len(sweeps) != 1 or len(sweeps[0].kinds) != 1:
        return None
    kind = sweeps[0].kinds.data[0].data  # A reduction, or "keep", which is in no table.
    return sweeps[0] if kind in REDUCTIONS and REDUCTIONS[kind].is_chain else None


@dataclass(frozen=True)
class Operand:
    """One factor of the product: the operations that compute it, and the axes it depends on."""

    name: str
    value: SSAValue
    ops: tuple[Operation, ...]
    axes: frozenset[Axis]

    @property
    def load(self) -> kernel.LoadOp | None:
        """The load that it is, if it is no more than that."""
        op = self.ops[0] if len(self.ops) == 1 else None
        return op if isinstance(op, kernel.LoadOp) else None


@dataclass(frozen=True)
class Contraction:
    """A nest with a chain.  ``left`` has the rows, ``right`` the columns, which fill vectors."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    offsets: dict[Operation, ex.Expr]
    """Of each access, with the last dimension of each axis alone."""
    places: dict[ex.Atom, ex.Expr]
    """Dimensions that are always 0: those of extent 1, and all but the last one of an axis."""
    left: Operand
    right: Operand
    row: Axis | None
    column: Axis | None
    outer: tuple[Axis, ...]
    """Axes of the nest that are neither."""
    reduced: tuple[Axis, ...]

    def extent(self, axis: Axis | None) -> ex.Expr:
        """How many values an axis has; 1 where there is none."""
        extents = self._extents
        return ex.product(extents[d] for d in axis or ())

    @property
    def length(self) -> ex.Expr:
        """How many products are added."""
        return ex.product(map(self.extent, self.reduced))

    @property
    def type(self) -> ElementType:
        """The type of the sum."""
        return scalar_type(self.sweep.yielded[0])

    @property
    def chain(self) -> Axis:
        """All contracted axes as one, in the order in which products are added."""
        if len(self.reduced) < 2:
            return self.reduced[0] if self.reduced else ()
        return tuple(range(self.reduced[0][0], self.reduced[-1][-1] + 1))

    def window(self, operand: Operand) -> Window | None:
        """An operand as it lies with its padding; None if it sees no window."""
        load = operand.load
        rank, extents = len(self.nest.extents.data), self._extents
        if load is None or not is_window(load, extents, rank):
            return None
        index = tuple(e.substitute(self.places, {}) for e in load.index.data)
        axes = (*self.outer, *(a for a in (self.row, self.column) if a), *self.reduced)
        inner = (self.reduced or (None,))[-1] if operand is self.left else self.column
        found = window_of(load, index, {a[-1]: self.extent(a) for a in axes}, inner)
        if found is None or operand is self.left or self.column is None:
            return found
        return found if found.at.coefficient(self.column[-1]) == 1 else None

    @property
    def _extents(self) -> Shape:
        return (*self.nest.extents.data, *self.sweep.extents.data)

    def stride(self, operand: Operand, axis: Axis | None) -> ex.Expr | None:
        """How far apart neighbours along an axis are, for an operand that is just a load."""
        if operand.load is None:
            return None
        return self.offsets[operand.load].coefficient(axis[-1]) if axis else ex.const(0)

    def reads_within(self, operand: Operand, size: int) -> bool:
        """Whether tiles of so many values can read an operand where it lies.

        It must be a load, have a whole tile, and if it is the right one, columns side by side.
        """
        axis = self.row if operand is self.left else self.column
        extent = self.extent(axis).constant
        is_side_by_side = operand is self.left or axis is None or self.stride(operand, axis) == 1
        return self.is_linear(operand) and is_side_by_side and extent is not None and extent >= size

    def runs_along_chain(self, operand: Operand) -> bool:
        """Whether an operand is a load, of memory that runs along one contracted axis."""
        axis = self.row if operand is self.left else self.column
        return (
            axis is not None
            and self.is_linear(operand)
            and [self.stride(operand, a) for a in self.reduced] == [ex.const(1)]
        )

    def is_linear(self, operand: Operand) -> bool:
        """Whether an operand is a load in the type of the sum whose offset has no divisions."""
        load = operand.load
        return (
            load is not None
            and load.default is None
            and load.result.type == self.type.type
            and all(self.stride(operand, axis) is not None for axis in operand.axes)
        )


def slice_of(values: Iterable[SSAValue], stop: Iterable[Operation] = ()) -> tuple[Operation, ...]:
    """The operations that compute values, in order, up to some that are left out."""
    found: dict[Operation, None] = {}
    stopped = set(stop)

    def visit(value: SSAValue) -> None:
        op = value.owner
        inside = isinstance(op, body.ApplyOp | body.ConstantOp | body.IndexOp | kernel.LoadOp)
        if not inside or op in found or op in stopped:
            return
        for operand in op.operands if isinstance(op, body.ApplyOp) else ():
            visit(operand)
        found[op] = None

    for value in values:
        visit(value)
    return tuple(found)


def analyse(nest: kernel.NestOp) -> Contraction | None:
    """The contraction that a nest of buffers is, None for another nest."""
    sweep = sweep_of(nest)
    if sweep is None:
        return None
    offsets = NestValues(nest).offsets
    rank, inner = len(nest.extents.data), sweep.extents.data
    stores = [op for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    product = sweep.yielded[0].owner
    assert isinstance(product, body.ApplyOp) and product.function.data == "mul"
    factors = [(value, slice_of([value])) for value in product.args]
    accesses = [op for _, ops in factors for op in ops if op in offsets]
    rest = [op for op in slice_of([s.value for s in stores]) if op in offsets]
    extents = (*nest.extents.data, *inner)

    def places_of(op: Operation) -> tuple[ex.Expr, ...]:
        """What tells the dimensions of an access apart; in a window, each index by itself."""
        if isinstance(op, kernel.LoadOp) and is_window(op, extents, rank):
            return op.index.data
        return (offsets[op],)

    seen = [e for op in accesses for e in places_of(op)]
    relevant = [*seen, *(offsets[op] for op in (*rest, *stores))]
    axes = [tuple(g) for g in neighbours(0, nest.extents.data, relevant)]
    reduced = [tuple(rank + k for k in g) for g in neighbours(rank, inner, seen)]
    kept = {axis[-1] for axis in (*axes, *reduced)}
    places = {ex.Atom("dim", (d,)): ex.const(0) for d in range(rank + len(inner)) if d not in kept}
    merged = {op: e.substitute(places, {}) for op, e in offsets.items()}

    def operand(name: str, value: SSAValue, ops: tuple[Operation, ...]) -> Operand:
        dims = {d for op in ops if op in merged for d in merged[op].dims()}
        return Operand(name, value, ops, frozenset(a for a in (*axes, *reduced) if a[-1] in dims))

    left, right = (operand(n, *f) for n, f in zip(("left", "right"), factors, strict=True))
    own = [a for a in axes if a in left.axes and a not in right.axes]
    if any(all(merged[s].coefficient(a[-1]) == 1 for s in stores) for a in own):
        # Neighbours in memory, where results are written, are columns.
        left, right = operand("left", *factors[1]), operand("right", *factors[0])
    filters = [a for a in axes if a in left.axes and a not in right.axes]
    load = right.load
    if load is not None and is_window(load, extents, rank) and filters:
        # Of a window a tile takes one value after the other: filters are columns.
        left, right = (
            operand("left", right.value, right.ops),
            operand("right", left.value, left.ops),
        )
    rows = [a for a in axes if a in left.axes and a not in right.axes]
    columns = [a for a in axes if a in right.axes and a not in left.axes]
    if not columns and rows:
        left, right = (
            operand("left", right.value, right.ops),
            operand("right", left.value, left.ops),
        )
        rows, columns = columns, rows
    row, column = rows[-1] if rows else None, columns[-1] if columns else None
    found = Contraction(
        nest,
        sweep,
        merged,
        places,
        left,
        right,
        row,
        column,
        _without(axes, row, column),
        tuple(reduced),
    )
    if row is None and len(columns) > 1 and found.window(right) is not None:
        # Rows that no operand has alone: the same filter goes over them.
        row = columns[-2]
        found = replace(found, row=row, outer=_without(axes, row, column))
    return found


def _without(axes: Iterable[Axis], *used: Axis | None) -> tuple[Axis, ...]:
    return tuple(a for a in axes if a not in used)
