"""Loops of a nest whose columns are too few to fill vectors, but would be one with those around.

What keeps ``collapse`` from merging the two dimensions is read once for each group of columns, or
once for each place in a group.  Such values are laid out in an array, for every column, and what
goes down is a block of all of them, in the order of memory::

    for i = 0 to 1000                       # y[i, r, k] = x[i, r, k] - s[i, r], k < 3
      for r = 0 to 1024: for k = 0 to 3: t[r*3 + k] = s[i, r]
      for l = 0 to 3072: acc[l] = max(acc[l], x[i, l] - t[l])

They are laid out outside of the rows where that is possible.

Groups that lie apart in memory, as those of x[i, j, k] reduced over j, go together all the same
where functions are computed: each row of all groups is copied to an array first, and what a row
stores is copied back behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType

from .collapse import Collapsed
from .column_blocks import Columns, Walk, walk_of
from .column_loops import ColumnLowering
from .kept_values import find_outputs
from .loop_parts import has_functions
from .loop_places import VECTOR, NestValues, Place, leaves_over
from .next_rows import read_ahead

LONGEST, LONGEST_BYTES = 32, 128
"""Columns of a group, and their bytes, up to which going through more of them at once is faster
than reading what is laid out."""
FEWEST = 24
"""Columns of all groups below which it is slower: C compilers make scalars of so few."""

APART, APART_STORED = 31, 15
"""Columns of a group that lies apart from others up to which it is faster to copy them: where
sweeps only read, and where they store as well."""
FEWEST_ROWS, MOST_ROWS, MOST_ODD = 3, 12, 24
"""Rows of which it is, the most of their innermost dimension, and the same where sweeps only read
an odd number of columns: more go side by side, and of two C compilers make plain code."""
SEVERAL = 3
"""Sweeps from which on it is where they store."""

Access = kernel.LoadOp | kernel.StoreOp


class Fold(NamedTuple):
    """Two dimensions as one: the space with that, columns of a group, and what is laid out."""

    outer: Collapsed
    group: int
    laid_out: frozenset[Operation]
    kept: frozenset[SSAValue]
    """Results of sweeps that are kept in outputs, where groups of them lie apart."""


def find_fold(outer: Collapsed, values: NestValues) -> Fold | None:
    """How the last two dimensions of a nest with sweeps can be one, if that fills vectors."""
    if len(outer.extents) < 2 or not values.sweeps:
        return None
    *others, groups, group = outer.extents
    ops = [op for op in values.nest.body.walk() if isinstance(op, Access | body.IndexOp)]
    widest = max((scalar_type(v).bytes for s in values.sweeps for v in s.yielded), default=4)
    total = (groups * group).constant
    few = total is not None and total < FEWEST
    if few or group.constant is None or group.constant > min(LONGEST, LONGEST_BYTES // widest):
        return None
    last, laid_out = len(outer.extents) - 1, set[Operation]()
    outputs = find_outputs(values.nest, True)
    may_copy = _may_copy(values, group.constant)

    def steps_of(offset: ex.Expr) -> tuple[ex.Expr | None, ex.Expr | None]:
        """By how much it grows from group to group, and from column to column."""
        offset = offset.substitute(outer.places, {})
        return offset.coefficient(last - 1), offset.coefficient(last)

    for op in ops:
        offset = values.offsets[op]
        if isinstance(op, kernel.LoadOp) and op.source in outputs:
            offset = outputs[op.source][1]
        steps = steps_of(offset)
        if None in steps or isinstance(op, body.IndexOp):
            return None
        if steps[0] != group * (steps[1] or 0):
            is_copied = may_copy and isinstance(op.parent_op(), kernel.SweepOp)
            if not is_copied and (isinstance(op, kernel.StoreOp) or 0 not in steps):
                return None
            laid_out.add(op)
    stepping = {result: steps_of(offset) for result, (_, offset) in outputs.items()}
    kept = {result for result, (g, c) in stepping.items() if g != group * (c or 0)}
    if kept and not may_copy:
        return None
    inner = {ex.dim(last): ex.dim(last - 1), ex.dim(last - 1): ex.const(0)}
    places = {atom: inner.get(place, place) for atom, place in outer.places.items()}
    folded = Collapsed((*others, groups * group), places)
    return Fold(folded, group.constant, frozenset(laid_out), frozenset(kept))


def _may_copy(values: NestValues, group: int) -> bool:
    """Whether it is faster to copy groups of columns that lie apart."""
    ops = [op for s in values.sweeps for op in s.body.block.ops]
    stores = any(isinstance(op, kernel.StoreOp) for op in ops)
    rows = [walk_of(s, values).space.extents or (ex.const(0),) for s in values.sweeps]
    most = MOST_ROWS if stores or group % 2 == 0 else MOST_ODD
    return (
        has_functions(values.sweeps)
        and leaves_over(group)
        and group <= (APART_STORED if stores else APART)
        and all((ex.product(n).constant or 0) >= FEWEST_ROWS for n in rows)
        and all((n[-1].constant or most + 1) <= most for n in rows)
        and (not stores or len(values.sweeps) >= SEVERAL)
    )


class FoldedLowering(ColumnLowering):
    """Lowers one nest in blocks of columns that are several groups."""

    def __init__(self, values: NestValues, outer: Collapsed, fold: Fold, place: Place) -> None:
        super().__init__(values, fold.outer, place)
        self.together = False
        self.fold = fold
        self.apart = fold.laid_out
        self.written: list[tuple[SSAValue, SSAValue, ex.Expr]] = []
        """Arrays that are copied behind a row, each to a buffer, and the place of a value in it."""
        self.arrays_kept: dict[SSAValue, SSAValue] = {}
        self.same: dict[Operation, SSAValue] = {}
        """Arrays of what is the same in all rows of the sweep that is being written."""
        last = len(outer.extents) - 1
        self.groups, self.lanes = (
            [atom for atom, at in outer.places.items() if at == ex.dim(k)] for k in (last - 1, last)
        )

    def _even(self, most: int, total: int) -> int:
        size = math.lcm(VECTOR, self.fold.group)
        blocks = max(1, -(-total // max(size, most // size * size)))
        return -(-total // (blocks * size)) * size

    def _most(self, widest: int) -> int:
        size = math.lcm(VECTOR, self.fold.group)
        return max(size, super()._most(widest) // size * size)

    def _segment(self, ops: list[Operation], columns: Columns) -> None:
        here = columns.place
        self._use(self._laid_out(ops, here, columns, here.at), here)
        super()._segment(ops, columns)

    def _enter(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Lay out what is the same in all rows."""
        at = here.at | walk.placed([*variables, ex.const(0)])
        same = [op for op in walk.sweep.body.block.ops if not self._goes_down(op, walk)]
        self.same = self._laid_out(same, here, columns, at)

    def _begin_row(
        self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
    ) -> tuple[Place, Columns]:
        read_ahead(self, walk, here, variables, columns)
        at = here.at | walk.placed(variables)
        others = [op for op in walk.sweep.body.block.ops if op not in self.same]
        self._use(self.same | self._laid_out(others, here, columns, at), here)
        self.written = []
        for op in others:
            if isinstance(op, kernel.StoreOp) and op in self.fold.laid_out:
                target, offset = self.nest.nest.targets[op.number], self.nest.offsets[op]
                array = self._written(here, columns, scalar_type(op.value), target, offset)
                self._use({op: array}, here)
        for value, result in zip(walk.sweep.yielded, walk.sweep.outputs, strict=True):
            if result in self.fold.kept:
                array = self._written(here, columns, scalar_type(value), *self.nest.kept[result])
                self.arrays_kept[result] = array
        return here, columns

    def _written(
        self, here: Place, columns: Columns, type: ElementType, target: SSAValue, offset: ex.Expr
    ) -> SSAValue:
        """An array that is copied to a buffer behind the row."""
        for array, *place in self.written:
            if place == [target, offset]:
                return array
        array = here.add(loop.LocalOp.of(type, columns.most))
        self.written.append((array, target, offset))
        return array

    def _end_row(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        """Copy what the row stores."""
        at, size = here.at | walk.placed(variables), self.fold.group
        groups = ex.floordiv(columns.start, size), ex.floordiv(columns.width, size)
        for array, target, offset in self.written:
            inside, lane = over_groups(here, ex.const(size), groups, (self.groups, self.lanes), at)
            index, dims = inside.resolve(offset)
            value = inside.read(array, lane)
            inside.block.add_op(loop.StoreOp.of(value, target, index, dims))

    def _keep(self, inside: Place, lane: ex.Expr, value: SSAValue, result: SSAValue) -> None:
        if result not in self.fold.kept:
            super()._keep(inside, lane, value, result)
            return
        inside.write(value, self.arrays_kept[result], lane)

    def _goes_down(self, op: Operation, walk: Walk) -> bool:
        """Whether a load reads something else in the next row."""
        return op in self.fold.laid_out and not self.nest.offsets[op].dims().isdisjoint(
            walk.row_dims
        )

    def _use(self, arrays: dict[Operation, SSAValue], here: Place) -> None:
        """Let loops over columns that are written here read arrays."""
        self.nest.tiles |= {op: (array, here.next()) for op, array in arrays.items()}

    def _laid_out(
        self,
        ops: Iterable[Operation],
        here: Place,
        columns: Columns,
        at: dict[ex.Atom, ex.Expr],
    ) -> dict[Operation, SSAValue]:
        """Arrays with what loads read for each column of a block."""
        size = self.fold.group
        groups = ex.floordiv(columns.start, size), ex.floordiv(columns.width, size)
        apart = (op for op in ops if op in self.fold.laid_out)
        loads = [op for op in apart if isinstance(op, kernel.LoadOp)]
        atoms = self.groups, self.lanes
        return lay_out(self.nest, loads, here, columns.most, size, groups, atoms, at)


def lay_out(
    nest: NestValues,
    loads: Iterable[Operation],
    here: Place,
    most: int,
    size: int | ex.Expr,
    groups: tuple[ex.Expr, ex.Expr],
    atoms: tuple[Iterable[ex.Atom], Iterable[ex.Atom]],
    at: dict[ex.Atom, ex.Expr],
) -> dict[Operation, SSAValue]:
    """Write arrays of ``most`` values with what loads read, for groups of ``size`` lanes each.

    ``groups`` are the first one and how many there are, and ``atoms`` the dimensions that count
    groups, and lanes of one; ``at`` says where the others are.  If ``size`` is unknown, what is the
    same for all lanes is written a vector at a time: what goes beyond a group, the next overwrites.
    """
    size = ex.Expr.of(size)
    found: dict[Operation, SSAValue] = {}
    arrays: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}
    for op in loads:
        assert isinstance(op, kernel.LoadOp)
        source, offset = nest.buffer(op), nest.offsets[op]
        if (source, offset) not in arrays:
            lanes = {int(atom.args[0]) for atom in atoms[1]}
            whole = size.constant is None and offset.dims().isdisjoint(lanes)
            type = scalar_type(op.result)
            array = here.add(loop.LocalOp.of(type, most + (VECTOR if whole else 0)))
            arrays[source, offset] = array
            inside, lane = over_groups(here, size, groups, atoms, at, whole)
            index, dims = inside.resolve(offset)
            value = inside.add(loop.LoadOp.of(source, index, dims))
            inside.write(value, array, lane)
        found[op] = arrays[source, offset]
    return found


def over_groups(
    here: Place,
    size: ex.Expr,
    groups: tuple[ex.Expr, ex.Expr],
    atoms: tuple[Iterable[ex.Atom], Iterable[ex.Atom]],
    at: dict[ex.Atom, ex.Expr],
    whole: bool = False,
) -> tuple[Place, ex.Expr]:
    """Loops over all lanes of some groups, and which of all these lanes is the one.

    The arguments are those of :func:`lay_out`; lanes fill ``whole`` vectors if what is written has
    room for more.
    """
    around = here.loop(ex.const(0), groups[1], "serial")
    group = around.variable()
    if whole:
        vector = around.loop(ex.const(0), size, "serial", VECTOR)
        inside = vector.loop(ex.const(0), ex.const(VECTOR), "serial")
        lane = vector.variable() + inside.variable()
    else:
        inside = around.loop(ex.const(0), size, "serial")
        lane = inside.variable()
    inside.at |= at
    inside.at |= dict.fromkeys(atoms[0], groups[0] + group)
    inside.at |= dict.fromkeys(atoms[1], lane)
    return inside, group * size + lane
