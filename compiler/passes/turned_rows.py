"""Loops of a nest whose rows are too short to fill vectors, as in a softmax of 7 values.

A block of rows is turned around, goes down as columns do, and what comes out is turned back::

    for rb = 0 to 150001 step 256
      tile = transpose of rows rb to rb + 256 of x          # 7 x 256
      for j = 0 to 7
        for l: acc[l] = max(acc[l], tile[j*256 + l])
      ...
      rows rb to rb + 256 of y = transpose of another tile

Everything else is as in ``column_loops``, the order of a reduction too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.strip import NARROW

from .collapse import Collapsed
from .column_blocks import Columns, Walk, walk_of
from .column_loops import ColumnLowering
from .loop_places import NestValues, Place

SHORT = 16
"""Longest row that is turned around for one sweep, or for values of 8 bytes."""
SHORT_AGAIN = 31
"""Longest row that is turned around for several sweeps, or for extremes of f16 and bf16."""
FEWEST = 16
"""Rows below which there is nothing to gain."""
TILE_BYTES = 1 << 13
MOST_ROWS = 256
"""Most rows of a block."""

Access = kernel.LoadOp | kernel.StoreOp


def has_short_rows(outer: Collapsed, values: NestValues) -> bool:
    """Whether the sweeps of a nest go along short rows of memory."""
    rows, most = lengths(outer, values), longest_row(values)
    return bool(rows) and all(n.constant is not None and n.constant <= most for n in rows)


def longest_row(values: NestValues) -> int:
    """Values of the longest row that is worth to be turned around."""
    loads = [op for s in values.sweeps for op in s.body.block.ops if isinstance(op, kernel.LoadOp)]
    small = all(scalar_type(op.result).bytes <= 4 for op in loads)
    narrow = any(scalar_type(op.result) in NARROW for op in loads)
    extremes = all(k.data in ("max", "min") for s in values.sweeps for k in s.kinds)
    again = len(values.sweeps) > 1 or (narrow and extremes)
    return SHORT_AGAIN if again and small else SHORT


def lengths(outer: Collapsed, values: NestValues) -> set[ex.Expr]:
    """How long the rows of the sweeps are, if it is rows of memory that can be turned around."""
    if not outer.extents or not values.sweeps:
        return set()
    rows = outer.extents[-1].constant
    if rows is not None and rows < FEWEST:
        return set()
    found, turned = set[ex.Expr](), False
    for sweep in values.sweeps:
        walk = walk_of(sweep, values)
        if not walk.space.extents:
            if any(k.data != kernel.KEEP for k in sweep.kinds):
                return set()
            continue
        found.add(walk.space.extents[-1])
        long = any(isinstance(op, body.ApplyOp) and op.is_long for op in sweep.body.block.ops)
        kept = any(k.data == kernel.KEEP for k in sweep.kinds)
        # Of several axes few rows fit into a block, too few for functions: those are computed along
        # the rows, see batch_functions.
        if len(walk.space.extents) > 1 and (long or kept):
            return set()
        turned = turned or any(True for _ in _accesses(walk, values, outer))
    return found if turned else set()


def _accesses(walk: Walk, values: NestValues, outer: Collapsed) -> Iterator[tuple[Access, ex.Expr]]:
    """Accesses of a sweep that run along the rows, and the distance between two rows."""
    if not walk.space.extents:
        return
    inner, last = ex.dim(len(walk.space.extents) - 1), len(outer.extents) - 1
    atoms = [int(a.args[0]) for a, place in walk.space.places.items() if place == inner]
    for op in walk.sweep.body.block.ops:
        if not isinstance(op, Access):
            continue
        if isinstance(op, kernel.LoadOp) and isinstance(op.source.owner, kernel.SweepOp):
            continue
        offset = values.offsets[op]
        stride = offset.substitute(outer.places, {}).coefficient(last)
        if stride is None or stride == 0 or stride == 1:
            continue
        if any(offset.coefficient(atom) == 1 for atom in atoms):
            yield op, stride


class TurnedLowering(ColumnLowering):
    """Lowers one nest in blocks of rows that are turned around."""

    def __init__(self, values: NestValues, outer: Collapsed, place: Place) -> None:
        super().__init__(values, outer, place)
        self.split = self.together = False
        self.loaded: dict[tuple[object, ...], SSAValue] = {}
        """Tiles that hold rows, by what was copied to them."""
        self.current: dict[Access, SSAValue] = {}
        """The tile of each access of the sweep that is being written."""
        self.columns_of: dict[SSAValue, int] = {}
        """How many columns the tile of a value has that is kept."""
        self.kept_at = ex.const(0)
        """Where in its tile a value of this sweep is kept."""
        for sweep in values.sweeps:
            own = walk_of(sweep, values).own
            for kind, result in zip(sweep.kinds, sweep.outputs, strict=True):
                if kind.data == kernel.KEEP:
                    values.kept[result] = result, own

    def _most(self, widest: int) -> int:
        longest = max(self.points_of(s.extents.data) or 1 for s in self.nest.sweeps)
        fitting = TILE_BYTES // (longest * widest) // FEWEST * FEWEST
        return max(FEWEST, min(MOST_ROWS, fitting))

    def _tile(self, here: Place, type: ElementType, count: ex.Expr, columns: Columns) -> SSAValue:
        most = self.points_of((count,))
        assert most is not None
        return here.add(loop.LocalOp.of(type, most * columns.most))

    def _enter(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        self.current = {}
        count = ex.product(walk.space.extents[-1:])
        for op, stride in _accesses(walk, self.nest, self.outer):
            if isinstance(op, kernel.StoreOp):
                self.current[op] = self._tile(here, scalar_type(op.value), count, columns)
                continue
            offset = self._start(op, walk, here, variables, columns)
            key = here.block, op.source, offset
            if key not in self.loaded:
                self.loaded[key] = self._tile(here, scalar_type(op.result), count, columns)
                turn = offset, stride, ex.const(0), ex.const(columns.most), columns.width, count
                _turn(here, op.source, self.loaded[key], turn)
            self.current[op] = self.loaded[key]
        for value, result in zip(walk.sweep.yielded, walk.sweep.outputs, strict=True):
            if result in self.nest.kept:
                self.arrays[result] = self._tile(here, scalar_type(value), count, columns)
                self.columns_of[result] = columns.most

    def _leave(self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns) -> None:
        count = ex.product(walk.space.extents[-1:])
        for op, stride in _accesses(walk, self.nest, self.outer):
            if isinstance(op, kernel.StoreOp):
                offset = self._start(op, walk, here, variables, columns)
                turn = ex.const(0), ex.const(columns.most), offset, stride, count, columns.width
                _turn(here, self.current[op], self.nest.nest.targets[op.number], turn)

    def _start(
        self,
        op: Access,
        walk: Walk,
        here: Place,
        variables: list[ex.Expr],
        columns: Columns,
    ) -> ex.Expr:
        """Where the rows of a block start, over the loop variables."""
        at = dict(here.at) | walk.placed([*variables, ex.const(0)])
        at |= {atom: columns.start for atom in columns.atoms}
        return self.nest.offsets[op].substitute(at, {})

    def _begin_row(
        self, walk: Walk, here: Place, variables: list[ex.Expr], columns: Columns
    ) -> tuple[Place, Columns]:
        """Say where in tiles the values of a row are.  Nothing is read ahead: blocks lie behind one
        another, and processors see by themselves what comes next.
        """
        lane = here.next()
        own = variables[-1] * columns.most + lane if variables else lane
        for op in walk.sweep.body.block.ops:
            if not isinstance(op, Access):
                continue
            if op in self.current:
                self.nest.tiles[op] = self.current[op], own
            elif isinstance(op, kernel.LoadOp) and op.source in self.nest.kept:
                row = self.nest.offsets[op].substitute(walk.placed(variables), {})
                self.nest.tiles[op] = self.arrays[op.source], row * columns.most + lane
        self.kept_at = own
        return here, columns

    def write(self, ops: Sequence[Operation], inside: Place, lane: ex.Expr) -> None:
        """Write operations in a loop over lanes; what is kept is read from tiles there, too."""
        for op in ops:
            if not isinstance(op, kernel.LoadOp) or op in self.nest.tiles:
                continue
            if op.source in self.nest.kept:
                at = self.nest.offsets[op] * self.columns_of[op.source] + lane
                self.nest.tiles[op] = self.arrays[op.source], at
        super().write(ops, inside, lane)

    def _keep(self, inside: Place, lane: ex.Expr, value: SSAValue, result: SSAValue) -> None:
        inside.write(value, self.arrays[result], self.kept_at)


def _turn(here: Place, source: SSAValue, target: SSAValue, index: tuple[ex.Expr, ...]) -> None:
    found, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.TransposeOp.of(source, target, found, dims))
