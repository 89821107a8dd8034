"""Facts of a contraction: its rows, columns and contracted axes, and its two operands.

In a nest ``[4, 128, 512]`` over ``dot(x[d0, d1, d3] * w[d3, d2])`` the rows are d0 and d1 as one
axis, since they are contiguous in memory, the columns are d2, and the contracted axis is d3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import before_narrowing, scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.collapse import neighbours, offsets_of
from opc.dialects.element import ElementType
from opc.dialects.matrix_ops import BESIDE
from opc.dialects.order import BLOCK
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import Axis, ForOp, RunOp, TreeOp
from opc.dialects.walking import walk

from .window import Window, is_window, window_of


@dataclass(frozen=True)
class Operand:
    """A factor of the product: the operations that compute it, and the axes it depends on."""

    name: str
    value: SSAValue
    ops: tuple[Operation, ...]
    axes: frozenset[Axis]

    @property
    def load(self) -> kernel.LoadOp | None:
        """Its load, if it is just a load, perhaps with a cast."""
        match self.ops:
            case [kernel.LoadOp() as load]:
                return load
            case [kernel.LoadOp() as load, body.ApplyOp() as op] if op.function.data == "cast":
                return load
            case _:
                return None


@dataclass(frozen=True)
class Contraction:
    """A nest with a chain: ``left`` has the rows, ``right`` the columns, which fill vectors."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    offsets: dict[Operation, ex.Expr]
    """Offsets of accesses, over the last dimension of each axis."""
    places: dict[int, ex.Expr]
    """Zeros for dimensions of extent 1, and for all but the last dimension of an axis."""
    left: Operand
    right: Operand
    row: Axis | None
    column: Axis | None
    outer: tuple[Axis, ...]
    """The other axes of the nest."""
    reduced: tuple[Axis, ...]
    around: kernel.SweepOp | None = None
    """The sweep that adds up a term for each block of products, whose own sum is exact."""
    picked: tuple[Axis, ...] = ()
    """The outer axes that take one value, which is read: those of ``kernel.pick``."""
    rows: int | None = None
    """The number of rows that a version of the schedule is for, if it is unknown."""
    least: int | None = None
    """The least number of rows that a version is for, if their number is unknown."""
    memo: dict[object, Any] = field(default_factory=dict[object, Any], init=False, compare=False)
    """What was computed of it: windows, extents, parts that are stored."""

    def extent(self, axis: Axis | None) -> ex.Expr:
        """The extent of an axis; 1 for None."""
        if axis not in self.memo:
            sweeps = (self.sweep,) if self.around is None else (self.around, self.sweep)
            extents = [e for op in (self.nest, *sweeps) for e in op.extents.data]
            self.memo[axis] = ex.product(extents[d] for d in axis or ())
        if self.rows is not None and axis is not None and axis == self.row:
            return ex.const(self.rows)
        return self.memo[axis]

    @cached_property
    def length(self) -> ex.Expr:
        """The number of products that are added."""
        return ex.product(map(self.extent, self.reduced))

    @cached_property
    def type(self) -> ElementType:
        """The type of the sum of a chain."""
        return scalar_type(self.sweep.yielded[0])

    @property
    def total(self) -> SSAValue:
        """The sum of all chains."""
        return (self.around or self.sweep).outputs[0]

    @property
    def terms(self) -> body.ApplyOp | None:
        """The product that is added to the total for each block, if that is not its sum."""
        term = None if self.around is None else self.around.yielded[0].owner
        assert term is None or isinstance(term, body.ApplyOp)
        return term

    def block(self, group: int) -> int | None:
        """The products of each of several chains, for steps of ``group``; None if there is one."""
        if self.around is not None:
            return self.sweep.extents.data[0].constant
        length = self.length.constant
        return BLOCK if group == 1 and (length is None or length > BLOCK) else None

    @property
    def combine(self) -> str:
        """The scalar function that adds a product to the sum."""
        return REDUCTIONS[self.sweep.kinds.data[0].data].combine

    @cached_property
    def chain(self) -> Axis:
        """All contracted axes as one, in the order in which products are added."""
        if len(self.reduced) < 2:
            return self.reduced[0] if self.reduced else ()
        return tuple(range(self.reduced[0][0], self.reduced[-1][-1] + 1))

    @cached_property
    def transposed(self) -> Contraction:
        """The same with the rows as columns."""
        left, right = replace(self.right, name="left"), replace(self.left, name="right")
        return replace(self, left=left, right=right, row=self.column, column=self.row)

    def as_in(self, tree: TreeOp) -> Contraction:
        """This contraction, transposed if the vectors of a schedule run along its rows."""
        steps = (op for op in walk(tree) if isinstance(op, RunOp) and op.stage.data == "step")
        loop = next((op.parent_op() for op in steps), None)
        if isinstance(loop, ForOp) and loop.kind.data == "vector" and loop.axis == self.row:
            return self.transposed
        return self

    def operand(self, name: str) -> Operand:
        """An operand by its name."""
        return self.left if name == "left" else self.right

    def own(self, operand: Operand) -> Axis | None:
        """An operand's own axis of a tile: the rows of the left one, the columns of the right."""
        return self.row if operand is self.left else self.column

    def window(self, operand: Operand) -> Window | None:
        """An operand as it lies with its padding; None if it has no window."""
        key = "window", operand.name
        if key not in self.memo:
            self.memo[key] = self._window(operand)
        return self.memo[key]

    def _window(self, operand: Operand) -> Window | None:
        load = operand.load
        if load is None or not is_window(load):
            return None
        index = tuple(e.substitute(self.places) for e in load.index.data)
        axes = (*self.outer, *(a for a in (self.row, self.column) if a), *self.reduced)
        inner = (self.reduced or (None,))[-1] if operand is self.left else self.column
        window = window_of(load, index, {a[-1]: self.extent(a) for a in axes}, inner)
        if window is not None and operand is self.left:
            type = scalar_type(load.result) if self.type.is_integer else self.type
            step = window.at.coefficient(self.row[-1]) if self.row else None
            return window.without_collisions(step or window.pitch, type.bytes)
        if window is None or self.column is None:
            return window
        return window if window.at.coefficient(self.column[-1]) == 1 else None

    @cached_property
    def stores(self) -> tuple[kernel.StoreOp, ...]:
        """The stores of results."""
        return tuple(op for op in self.nest.body.block.ops if isinstance(op, kernel.StoreOp))

    @cached_property
    def epilogue(self) -> tuple[Operation, ...]:
        """The operations after the sum, in order, without the stores."""
        return slice_of([s.value for s in self.stores])

    @cached_property
    def applied(self) -> tuple[SSAValue, ...]:
        """Values of the epilogue that are computed for a whole tile, before the others.

        If results lie in the order of the columns: values that are stored in a narrower type, whose
        vectors have more lanes; or else, with expensive functions, since rows of a tile may not
        fill vectors, the last values that no load along the columns precedes.  For other results:
        the last values that no load along the rows precedes.
        """
        if not self.is_in_order:
            return self._early(self.row)
        is_long = any(isinstance(op, body.ApplyOp) and op.is_expensive for op in self.epilogue)
        return self._narrowed or (self._early(self.column) if is_long else ())

    @cached_property
    def applies_to_all(self) -> bool:
        """Whether these may be computed beyond the last column of the matrix, too."""
        inside = slice_of(self.applied)
        at = [op.expr if isinstance(op, body.IndexOp) else self.offsets.get(op) for op in inside]
        return not any(e is not None and _has(self.column, e) for e in at)

    def _early(self, axis: Axis | None) -> tuple[SSAValue, ...]:
        """The last values that no load along an axis precedes."""
        late: set[SSAValue] = set()
        for op in self.epilogue:
            is_apart = isinstance(op, kernel.LoadOp) and _has(axis, self.offsets[op])
            if is_apart or isinstance(op, body.IndexOp) or late.intersection(op.operands):
                late.update(op.results)
        used = {v for op in self.epilogue if op.results[0] in late for v in op.operands}
        used.update(s.value for s in self.stores)
        early = [op for op in self.epilogue if isinstance(op, body.ApplyOp)]
        return tuple(op.result for op in early if op.result in used and op.result not in late)

    @property
    def _narrowed(self) -> tuple[SSAValue, ...]:
        """The stored values before they are converted to a narrower type; empty if none is."""
        values = [s.value for s in self.stores]
        wide = [before_narrowing(v) for v in values]
        are_computed = all(isinstance(v.owner, body.ApplyOp) for v in wide)
        return tuple(dict.fromkeys(wide)) if are_computed and wide != values else ()

    @cached_property
    def is_in_order(self) -> bool:
        """Whether results are contiguous along the columns, or not along the rows."""
        row, column = self.row, self.column
        along = [self.offsets[s] for s in self.stores]
        if row is None or any(e.coefficient(row[-1]) != 1 for e in along):
            return True
        return all(column is not None and e.coefficient(column[-1]) == 1 for e in along)

    def stride(self, operand: Operand, axis: Axis | None) -> ex.Expr | None:
        """The stride of an operand that is just a load along an axis."""
        if operand.load is None:
            return None
        return self.offsets[operand.load].coefficient(axis[-1]) if axis else ex.const(0)

    def reads_within(self, operand: Operand, size: int) -> bool:
        """Whether tiles of ``size`` values can read an operand without a copy.

        It must be a linear load, have a whole tile or whole tiles alone, and as the right one
        contiguous columns.
        """
        axis = self.own(operand)
        if operand is self.left and axis not in operand.axes:
            return self.is_linear(operand)
        extent = self.extent(axis)
        has_tile = extent.divisor >= size or extent.divisor % size == 0
        is_side_by_side = operand is self.left or axis is None or self.stride(operand, axis) == 1
        is_read = self.is_linear(operand) or (operand is self.right and self.is_widened)
        return is_read and is_side_by_side and has_tile

    @cached_property
    def is_widened(self) -> bool:
        """Whether the right operand is of f16 or bf16, which vectors widen where they read it."""
        load = self.right.load
        if load is None or load.default is not None or self.window(self.right) is not None:
            return False
        is_half = scalar_type(load.result) in (el.F16, el.BF16)
        return is_half and self.type is el.F32 and self.combine == "fma"

    def reads_groups(self, size: int, group: int) -> bool:
        """Whether tiles of ``size`` rows can read the left operand's groups without a copy.

        It must be a load of whole contiguous groups, and have a whole tile or whole tiles alone.
        """
        load, axes = self.left.load, (self.row, *self.reduced)
        rows, inner = self.extent(self.row), self.reduced[-1:]
        return (
            load is not None
            and load.default is None
            and all(self.stride(self.left, a) is not None for a in (*self.left.axes, *axes))
            and [self.stride(self.left, a) for a in inner] == [ex.const(1)]
            and ex.mod(self.extent(inner[0]), min(group, BESIDE)) == 0
            and (rows.divisor >= size or ex.mod(rows, size) == 0)
        )

    def runs_along_chain(self, operand: Operand) -> bool:
        """Whether an operand is a load that is contiguous along the only contracted axis."""
        return (
            self.own(operand) is not None
            and self.is_linear(operand)
            and [self.stride(operand, a) for a in self.reduced] == [ex.const(1)]
        )

    def goes_on(self, operand: Operand) -> bool:
        """Whether an operand is a load without a cast, contiguous along its axis or the chain."""
        load, inner = operand.load, self.reduced[-1:]
        if load is None or len(operand.ops) > 1 or element_in(load.source) is not self.type:
            return False
        axes = (self.own(operand), *inner)
        return any(axis is not None and self.stride(operand, axis) == 1 for axis in axes)

    def is_constant(self, operand: Operand) -> bool:
        """Whether an operand is a load of a constant, or integers that are computed of some."""
        loads = [op for op in operand.ops if isinstance(op, kernel.LoadOp)]
        is_alone = operand.load is not None or (self.type.is_integer and bool(loads))
        return is_alone and all(constant_of(load.source) is not None for load in loads)

    def is_linear(self, operand: Operand) -> bool:
        """Whether an operand is an unguarded load in the type of the sum, with strides."""
        load = operand.load
        return (
            load is not None
            and load.default is None
            and load.result.type == self.type.type
            and all(self.stride(operand, axis) is not None for axis in operand.axes)
        )


def constant_of(source: SSAValue) -> Attribute | None:
    """The constant that a buffer holds, if it holds one."""
    owner = source.owner
    while isinstance(owner, loop.ViewOp) and owner.offset is None:
        owner = owner.source.owner
    return owner.value if isinstance(owner, loop.ConstantOp) else None


def _has(axis: Axis | None, e: ex.Expr) -> bool:
    return axis is not None and axis[-1] in e.dims()


def slice_of(values: Iterable[SSAValue], stop: Iterable[Operation] = ()) -> tuple[Operation, ...]:
    """The operations that compute values, in order, without ``stop`` and what only these need."""
    ops: dict[Operation, None] = {}
    stopped = set(stop)

    def visit(value: SSAValue) -> None:
        op = value.owner
        inside = isinstance(op, body.ApplyOp | body.ConstantOp | body.IndexOp | kernel.LoadOp)
        if not inside or op in ops or op in stopped:
            return
        for operand in op.operands if isinstance(op, body.ApplyOp) else ():
            visit(operand)
        ops[op] = None

    for value in values:
        visit(value)
    return tuple(ops)


def analyse(nest: kernel.NestOp) -> Contraction | None:
    """The contraction that a nest of buffers is; None for other nests."""
    sweeps = nest.sweeps
    if len(sweeps) != 1 or len(sweeps[0].kinds) != 1 or not nest.has_chain:
        return None
    sweep = sweeps[0]
    inner = next((op for op in sweep.body.block.ops if isinstance(op, kernel.SweepOp)), None)
    around, sweep = (None, sweep) if inner is None else (sweep, inner)
    product = sweep.yielded[0].owner
    assert isinstance(product, body.ApplyOp) and product.function.data == "mul"
    factors = [slice_of([value]) for value in product.args]
    axes, reduced, zeros, offsets = _axes(nest, sweep, factors)

    def operand(value: SSAValue, ops: tuple[Operation, ...]) -> Operand:
        dims = {d for op in ops if op in offsets for d in offsets[op].dims()}
        own = frozenset(a for a in (*axes, *reduced) if a[-1] in dims)
        return Operand("", value, ops, own)

    a, b = (operand(*factor) for factor in zip(product.args, factors, strict=True))
    stores = [offsets[op] for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    # What chooses a matrix is none of its rows, nor is the choice a column.
    apart = {d for op in kernel.picks_of(nest) for e in op.index.data for d in e.dims()}
    picked = tuple(a for a in axes if a[-1] in {op.dim for op in kernel.picks_of(nest)})
    free = [a for a in axes if a not in picked and a[-1] not in apart]
    left, right = _sides(a, b, free, stores)
    rows, columns = _alone(free, left, right), _alone(free, right, left)
    row, column = rows[-1] if rows else None, columns[-1] if columns else None
    contraction = Contraction(
        *(nest, sweep, offsets, zeros, replace(left, name="left"), replace(right, name="right")),
        *(row, column, _without(axes, row, column), reduced, around, picked),
    )
    may_have_rows = row is None and len(columns) > 1
    window = contraction.window(contraction.right) if may_have_rows else None
    if window is not None:
        # Rows of the right operand, which share the filter.  An unknown number of images may be 1.
        row = columns[-2]
        slides = any(row[-1] in e.dims() and e.dim() is None for e in window.index)
        if slides or contraction.extent(row).constant is not None:
            return replace(contraction, row=row, outer=_without(axes, row, column))
    return contraction


def _axes(
    nest: kernel.NestOp, sweep: kernel.SweepOp, factors: Iterable[tuple[Operation, ...]]
) -> tuple[list[Axis], tuple[Axis, ...], dict[int, ex.Expr], dict[Operation, ex.Expr]]:
    """The axes of the nest, and those of the sweep, each of dimensions that are one in memory.

    The last dimension of an axis runs over all of it; the third result makes the others 0, as they
    are in the offsets.
    """
    offsets, rank, around = offsets_of(nest), len(nest.extents.data), sweep.parent_op()
    assert isinstance(around, kernel.NestOp | kernel.SweepOp)
    term = slice_of(around.yielded) if isinstance(around, kernel.SweepOp) else ()
    outer = around.extents.data if term else ()
    extents = (*nest.extents.data, *outer, *sweep.extents.data)
    seen: list[ex.Expr] = []
    for op in (op for ops in factors for op in ops if op in offsets):
        if isinstance(op, kernel.LoadOp) and is_window(op):
            # In a window, each index keeps dimensions apart by itself.
            seen += op.index.data
        else:
            seen.append(offsets[op])
    # A dimension that is read is apart from all others.
    picks = kernel.picks_of(nest)
    seen += (e for op in picks for e in (ex.dim(op.dim), *op.index.data))
    stores = [op for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    others = (*slice_of([s.value for s in stores]), *term, *stores)
    after = [offsets[op] for op in others if op in offsets]
    axes = [tuple(group) for group in neighbours(0, extents[:rank], [*seen, *after])]
    inner = neighbours(rank, extents[rank:], seen)
    reduced = tuple(tuple(rank + k for k in group) for group in inner)
    running = {axis[-1] for axis in (*axes, *reduced)}
    zeros = {d: ex.const(0) for d in range(len(extents)) if d not in running}
    # A term belongs to a block of the axis that both sweeps are.
    block = {rank: ex.floordiv(ex.dim(reduced[-1][-1]), extents[-1])} if term else {}
    places = {op: e.substitute(zeros | block if op in term else zeros) for op, e in offsets.items()}
    return axes, reduced, zeros, places


def _sides(
    left: Operand, right: Operand, axes: Sequence[Axis], stores: Iterable[ex.Expr]
) -> tuple[Operand, Operand]:
    """The factor that has the rows, and the one that has the columns."""
    along = ({a for a in axes if e.coefficient(a[-1]) == 1} for e in stores)
    if set(_alone(axes, left, right)).intersection(*along):
        # Columns are contiguous in the results.
        left, right = right, left
    if (load := right.load) is not None and is_window(load) and _alone(axes, left, right):
        # A tile takes the values of a window one by one: filters are columns.
        left, right = right, left
    if _alone(axes, left, right) and not _alone(axes, right, left):
        left, right = right, left
    return left, right


def _alone(axes: Iterable[Axis], operand: Operand, other: Operand) -> list[Axis]:
    """The axes of the nest that one operand depends on and the other does not."""
    return [a for a in axes if a in operand.axes and a not in other.axes]


def _without(axes: Iterable[Axis], *used: Axis | None) -> tuple[Axis, ...]:
    return tuple(a for a in axes if a not in used)
