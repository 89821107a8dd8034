"""Loops of a nest whose columns are too few to fill vectors, but would be one with those around.

What keeps ``collapse`` from merging the two dimensions is read once for each group of columns, or
once for each place in a group.  Such values are laid out in an array, for every column, and what
goes down is a block of all of them, in the order of memory::

    for i = 0 to 1000                       # y[i, r, k] = x[i, r, k] - s[i, r], k < 3
      for r = 0 to 1024: for k = 0 to 3: t[r*3 + k] = s[i, r]
      for l = 0 to 3072: acc[l] = max(acc[l], x[i, l] - t[l])

They are laid out outside of the rows where that is possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type

from .collapse import Collapsed
from .column_blocks import Columns, Walk
from .column_loops import ColumnLowering
from .loop_places import VECTOR, NestValues, Place

LONGEST, LONGEST_BYTES = 32, 128
"""Columns of a group, and their bytes, up to which going through more of them at once is faster
than reading what is laid out."""
FEWEST = 24
"""Columns of all groups below which it is slower: C compilers make scalars of so few."""

Access = kernel.LoadOp | kernel.StoreOp


class Fold(NamedTuple):
    """Two dimensions as one: the space with that, columns of a group, and what is laid out."""

    outer: Collapsed
    group: int
    laid_out: frozenset[Operation]


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
    for op in ops:
        offset = values.offsets[op].substitute(outer.places, {})
        steps = offset.coefficient(last - 1), offset.coefficient(last)
        if None in steps or isinstance(op, body.IndexOp):
            return None
        if steps[0] != group * (steps[1] or 0):
            if isinstance(op, kernel.StoreOp) or 0 not in steps:
                return None
            laid_out.add(op)
    inner = {ex.dim(last): ex.dim(last - 1), ex.dim(last - 1): ex.const(0)}
    places = {atom: inner.get(place, place) for atom, place in outer.places.items()}
    folded = Collapsed((*others, groups * group), places)
    return Fold(folded, group.constant, frozenset(laid_out))


class FoldedLowering(ColumnLowering):
    """Lowers one nest in blocks of columns that are several groups."""

    def __init__(self, values: NestValues, outer: Collapsed, fold: Fold, place: Place) -> None:
        super().__init__(values, fold.outer, place)
        self.together = False
        self.fold = fold
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
    ) -> None:
        super()._begin_row(walk, here, variables, columns)
        at = here.at | walk.placed(variables)
        others = [op for op in walk.sweep.body.block.ops if op not in self.same]
        self._use(self.same | self._laid_out(others, here, columns, at), here)

    def _goes_down(self, op: Operation, walk: Walk) -> bool:
        """Whether a load reads something else in the next row."""
        return op in self.fold.laid_out and not self.nest.offsets[op].dims().isdisjoint(
            row_dims(walk)
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
        loads = [op for op in ops if op in self.fold.laid_out]
        atoms = self.groups, self.lanes
        return lay_out(self.nest, loads, here, columns.most, size, groups, atoms, at)


def row_dims(walk: Walk) -> set[int]:
    """The dimensions of a sweep that go on from row to row."""
    inner = ex.dim(len(walk.space.extents) - 1)
    return {int(atom.args[0]) for atom, place in walk.space.places.items() if place == inner}


def lay_out(
    nest: NestValues,
    loads: Iterable[Operation],
    here: Place,
    most: int,
    size: int,
    groups: tuple[ex.Expr, ex.Expr],
    atoms: tuple[Iterable[ex.Atom], Iterable[ex.Atom]],
    at: dict[ex.Atom, ex.Expr],
) -> dict[Operation, SSAValue]:
    """Write arrays of ``most`` values with what loads read, for groups of ``size`` lanes each.

    ``groups`` are the first one and how many there are, and ``atoms`` the dimensions that count
    groups, and lanes of one; ``at`` says where the others are.
    """
    found: dict[Operation, SSAValue] = {}
    arrays: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}
    first, count = groups
    for op in loads:
        assert isinstance(op, kernel.LoadOp)
        source, offset = nest.arrays.get(op.source, op.source), nest.offsets[op]
        if (source, offset) not in arrays:
            array = here.add(loop.LocalOp.of(scalar_type(op.result), most))
            arrays[source, offset] = array
            around = here.loop(ex.const(0), count, "serial")
            inside = around.loop(ex.const(0), ex.const(size), "serial")
            group, lane = around.variable(), inside.variable()
            inside.at |= at
            inside.at |= dict.fromkeys(atoms[0], first + group)
            inside.at |= dict.fromkeys(atoms[1], lane)
            index, dims = inside.resolve(offset)
            value = inside.add(loop.LoadOp.of(source, index, dims))
            inside.write(value, array, group * size + lane)
        found[op] = arrays[source, offset]
    return found
