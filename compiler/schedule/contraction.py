"""What a nest with a chain is: rows, columns, and what each side of the product reads.

Of a nest ``[4, 128, 512]`` over ``dot(x[d0, d1, d3] * w[d3, d2])`` the rows are d0 and d1 as one
axis, since memory does not tell them apart, the columns are d2 and the contracted axis is d3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.collapse import neighbours, offsets_of
from opc.dialects.element import ElementType
from opc.dialects.schedule import Axis, ForOp, RunOp, TreeOp
from opc.dialects.shape import Shape
from opc.support.target import LINE, WAY

from .window import Window, is_window, window_of


def sweep_of(nest: kernel.NestOp) -> kernel.SweepOp | None:
    """The sweep of a nest that is a contraction: one chain, with nothing else in the sweep."""
    is_one = len(nest.sweeps) == 1 and len(nest.sweeps[0].kinds) == 1
    return nest.sweeps[0] if is_one and nest.has_chain else None


@dataclass(frozen=True)
class Operand:
    """One factor of the product: the operations that compute it, and the axes it depends on."""

    name: str
    value: SSAValue
    ops: tuple[Operation, ...]
    axes: frozenset[Axis]

    @property
    def load(self) -> kernel.LoadOp | None:
        """The load that it is, if it is no more than that, perhaps in another type."""
        match self.ops:
            case [kernel.LoadOp() as load]:
                return load
            case [kernel.LoadOp() as load, body.ApplyOp() as op] if op.function.data == "cast":
                return load
            case _:
                return None


@dataclass(frozen=True)
class Contraction:
    """A nest with a chain.  ``left`` has the rows, ``right`` the columns, which fill vectors."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    offsets: dict[Operation, ex.Expr]
    """Of each access, with the last dimension of each axis alone."""
    places: dict[int, ex.Expr]
    """Dimensions that are always 0: those of extent 1, and all but the last one of an axis."""
    left: Operand
    right: Operand
    row: Axis | None
    column: Axis | None
    outer: tuple[Axis, ...]
    """Axes of the nest that are neither."""
    reduced: tuple[Axis, ...]
    rows: int | None = None
    """How many rows a version of the schedule is planned for, where only a run knows."""

    def extent(self, axis: Axis | None) -> ex.Expr:
        """How many values an axis has; 1 where there is none."""
        if self.rows is not None and axis is not None and axis == self.row:
            return ex.const(self.rows)
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

    @property
    def transposed(self) -> Contraction:
        """The same with the rows as columns."""
        left, right = replace(self.right, name="left"), replace(self.left, name="right")
        return replace(self, left=left, right=right, row=self.column, column=self.row)

    def as_in(self, tree: TreeOp) -> Contraction:
        """This one, or transposed where that is what a schedule's vectors run along."""
        steps = (op for op in tree.walk() if isinstance(op, RunOp) and op.stage.data == "step")
        loop = next((op.parent_op() for op in steps), None)
        if isinstance(loop, ForOp) and loop.kind.data == "vector" and loop.axis == self.row:
            return self.transposed
        return self

    def operand(self, name: str) -> Operand:
        """An operand by its name."""
        return self.left if name == "left" else self.right

    def own(self, operand: Operand) -> Axis | None:
        """The axis of a tile that is an operand's own: the rows of the left one, or the columns."""
        return self.row if operand is self.left else self.column

    def window(self, operand: Operand) -> Window | None:
        """An operand as it lies with its padding; None if it sees no window."""
        load = operand.load
        if load is None or not is_window(load):
            return None
        index = tuple(e.substitute(self.places) for e in load.index.data)
        axes = (*self.outer, *(a for a in (self.row, self.column) if a), *self.reduced)
        inner = (self.reduced or (None,))[-1] if operand is self.left else self.column
        found = window_of(load, index, {a[-1]: self.extent(a) for a in axes}, inner)
        if found is not None and operand is self.left:
            pitch = found.pitch.constant
            collides = pitch and pitch * self.type.bytes % WAY == 0
            return replace(found, gap=LINE // self.type.bytes) if collides else found
        if found is None or self.column is None:
            return found
        return found if found.at.coefficient(self.column[-1]) == 1 else None

    @property
    def stores(self) -> tuple[kernel.StoreOp, ...]:
        """Where results go."""
        return tuple(op for op in self.nest.body.block.ops if isinstance(op, kernel.StoreOp))

    @property
    def epilogue(self) -> tuple[Operation, ...]:
        """What follows the sum, in order, without the stores."""
        return slice_of([s.value for s in self.stores])

    @property
    def applied(self) -> tuple[SSAValue, ...]:
        """Values that are computed for a whole tile, before what else follows the sum.

        Of results that lie in the order of the columns: what is stored in a narrower type, of which
        vectors have more lanes, or the last values that need no memory that the columns tell apart
        where long functions make them, since rows of a tile may not fill vectors.  Of others: the
        last values that need no memory that the rows tell apart.  The rest of the epilogue, or
        stores, take them.
        """
        if not self.is_in_order:
            return self._early(self.row)
        is_long = any(isinstance(op, body.ApplyOp) and op.is_expensive for op in self.epilogue)
        return self._narrowed or (self._early(self.column) if is_long else ())

    @property
    def applies_to_all(self) -> bool:
        """Whether that may be computed of what a tile has beyond the last column, too."""
        inside = slice_of(self.applied)
        at = [op.expr if isinstance(op, body.IndexOp) else self.offsets.get(op) for op in inside]
        return not any(e is not None and _has(self.column, e) for e in at)

    def _early(self, axis: Axis | None) -> tuple[SSAValue, ...]:
        """The last values that need no memory that an axis tells apart, and that others take."""
        late: set[SSAValue] = set()
        for op in self.epilogue:
            is_apart = isinstance(op, kernel.LoadOp) and _has(axis, self.offsets[op])
            if is_apart or isinstance(op, body.IndexOp) or late.intersection(op.operands):
                late.update(op.results)
        taken = {v for op in self.epilogue if op.results[0] in late for v in op.operands}
        taken.update(s.value for s in self.stores)
        early = [op for op in self.epilogue if isinstance(op, body.ApplyOp)]
        return tuple(op.result for op in early if op.result in taken and op.result not in late)

    @property
    def _narrowed(self) -> tuple[SSAValue, ...]:
        """What stores take, before it is converted to a narrower type; empty if nothing is."""
        values = [s.value for s in self.stores]
        wide = [_before_narrowing(v) for v in values]
        computed = all(isinstance(v.owner, body.ApplyOp) for v in wide)
        return tuple(dict.fromkeys(wide)) if computed and wide != values else ()

    @property
    def is_in_order(self) -> bool:
        """Whether results lie one after the other along the columns, at least of what is stored."""
        row, column = self.row, self.column
        along = [self.offsets[s] for s in self.stores]
        if row is None or any(e.coefficient(row[-1]) != 1 for e in along):
            return True
        return all(column is not None and e.coefficient(column[-1]) == 1 for e in along)

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

        It must be a load, and if tiles are parts of it, have a whole one, and if it is the right
        one, columns side by side.
        """
        axis = self.own(operand)
        if operand is self.left and axis not in operand.axes:
            return self.is_linear(operand)
        # What there is of an axis has a tile of one value.
        has_tile = size == 1 or (self.extent(axis).constant or 0) >= size
        is_side_by_side = operand is self.left or axis is None or self.stride(operand, axis) == 1
        return self.is_linear(operand) and is_side_by_side and has_tile

    def reads_groups(self, size: int, group: int) -> bool:
        """Whether tiles of so many rows can read the left operand's groups where they lie.

        It must be a load, with whole groups side by side, and have a whole tile.
        """
        load, axes = self.left.load, (self.row, *self.reduced)
        rows, inner = self.extent(self.row).constant, self.reduced[-1:]
        return (
            load is not None
            and load.default is None
            and all(self.stride(self.left, a) is not None for a in (*self.left.axes, *axes))
            and [self.stride(self.left, a) for a in inner] == [ex.const(1)]
            and ex.mod(self.extent(inner[0]), group) == 0
            and (size == 1 or (rows or 0) >= size)
        )

    def runs_along_chain(self, operand: Operand) -> bool:
        """Whether an operand is a load, of memory that runs along one contracted axis."""
        return (
            self.own(operand) is not None
            and self.is_linear(operand)
            and [self.stride(operand, a) for a in self.reduced] == [ex.const(1)]
        )

    def goes_on(self, operand: Operand) -> bool:
        """Whether an operand is a load of what is multiplied, side by side along rows or chain."""
        load, inner = operand.load, self.reduced[-1:]
        if load is None or len(operand.ops) > 1 or element_in(load.source) is not self.type:
            return False
        axes = (self.own(operand), *inner)
        return any(axis is not None and self.stride(operand, axis) == 1 for axis in axes)

    def is_constant(self, operand: Operand) -> bool:
        """Whether an operand is a load of what is known when compiling."""
        return operand.load is not None and constant_of(operand.load.source) is not None

    def is_linear(self, operand: Operand) -> bool:
        """Whether an operand is a load in the type of the sum whose offset has no divisions."""
        load = operand.load
        return (
            load is not None
            and load.default is None
            and load.result.type == self.type.type
            and all(self.stride(operand, axis) is not None for axis in operand.axes)
        )


def constant_of(source: SSAValue) -> Attribute | None:
    """What a buffer holds that is known when compiling."""
    owner = source.owner
    while isinstance(owner, loop.ViewOp) and owner.offset is None:
        owner = owner.source.owner
    return owner.value if isinstance(owner, loop.ConstantOp) else None


def _has(axis: Axis | None, e: ex.Expr) -> bool:
    return axis is not None and axis[-1] in e.dims()


def _before_narrowing(value: SSAValue) -> SSAValue:
    """What a value is converted from, if that is wider."""
    op = value.owner
    if isinstance(op, body.ApplyOp) and op.function.data == "cast":
        source = op.args[0]
        return source if scalar_type(source).bytes > scalar_type(value).bytes else value
    return value


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
    product = sweep.yielded[0].owner
    assert isinstance(product, body.ApplyOp) and product.function.data == "mul"
    factors = [slice_of([value]) for value in product.args]
    axes, reduced, places, offsets = _axes(nest, sweep, factors)

    def operand(value: SSAValue, ops: tuple[Operation, ...]) -> Operand:
        dims = {d for op in ops if op in offsets for d in offsets[op].dims()}
        own = frozenset(a for a in (*axes, *reduced) if a[-1] in dims)
        return Operand("", value, ops, own)

    a, b = (operand(*factor) for factor in zip(product.args, factors, strict=True))
    stores = [offsets[op] for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    left, right = _sides(a, b, axes, stores)
    rows, columns = _alone(axes, left, right), _alone(axes, right, left)
    row, column = rows[-1] if rows else None, columns[-1] if columns else None
    found = Contraction(
        *(nest, sweep, offsets, places, replace(left, name="left"), replace(right, name="right")),
        *(row, column, _without(axes, row, column), reduced),
    )
    window = found.window(found.right) if row is None and len(columns) > 1 else None
    if window is not None:
        # Rows that no operand has alone: the same filter goes over them.  Of images whose number
        # only a run knows there may be one.
        row = columns[-2]
        slides = any(row[-1] in e.dims() and e.dim() is None for e in window.index)
        if slides or found.extent(row).constant is not None:
            return replace(found, row=row, outer=_without(axes, row, column))
    return found


def _axes(
    nest: kernel.NestOp, sweep: kernel.SweepOp, factors: Iterable[tuple[Operation, ...]]
) -> tuple[list[Axis], tuple[Axis, ...], dict[int, ex.Expr], dict[Operation, ex.Expr]]:
    """Neighbours that memory does not tell apart, as axes: of the nest, and those of the sweep.

    The last dimension of an axis runs over all of it: others are 0, which ``places`` says, in the
    offsets of accesses, too.
    """
    offsets, rank = offsets_of(nest), len(nest.extents.data)
    extents = (*nest.extents.data, *sweep.extents.data)
    seen: list[ex.Expr] = []
    for op in (op for ops in factors for op in ops if op in offsets):
        if isinstance(op, kernel.LoadOp) and is_window(op):
            # In a window, each index tells dimensions apart by itself.
            seen += op.index.data
        else:
            seen.append(offsets[op])
    stores = [op for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    others = (*slice_of([s.value for s in stores]), *stores)
    rest = [offsets[op] for op in others if op in offsets]
    axes = [tuple(group) for group in neighbours(0, extents[:rank], [*seen, *rest])]
    inner = neighbours(rank, extents[rank:], seen)
    reduced = tuple(tuple(rank + k for k in group) for group in inner)
    kept = {axis[-1] for axis in (*axes, *reduced)}
    places = {d: ex.const(0) for d in range(len(extents)) if d not in kept}
    return axes, reduced, places, {op: e.substitute(places) for op, e in offsets.items()}


def _sides(
    left: Operand, right: Operand, axes: Sequence[Axis], stores: Iterable[ex.Expr]
) -> tuple[Operand, Operand]:
    """The factor that has the rows, and the one that has the columns."""
    along = ({a for a in axes if e.coefficient(a[-1]) == 1} for e in stores)
    if set(_alone(axes, left, right)).intersection(*along):
        # Neighbours in memory, where results are written, are columns.
        left, right = right, left
    if (load := right.load) is not None and is_window(load) and _alone(axes, left, right):
        # Of a window a tile takes one value after the other: filters are columns.
        left, right = right, left
    if _alone(axes, left, right) and not _alone(axes, right, left):
        left, right = right, left
    return left, right


def _alone(axes: Iterable[Axis], operand: Operand, other: Operand) -> list[Axis]:
    """The axes of the nest that one factor has and the other one has not."""
    return [a for a in axes if a in operand.axes and a not in other.axes]


def _without(axes: Iterable[Axis], *used: Axis | None) -> tuple[Axis, ...]:
    return tuple(a for a in axes if a not in used)
