"""What ``column_loops`` works with: the nests it takes, blocks of columns, sweeps and cascades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.dialects.strip import NARROW

from .accumulators import MOST_LEVELS, Accumulator
from .collapse import Collapsed, collapse
from .kept_values import find_outputs
from .loop_places import VECTOR, NestValues, Place

BLOCK_BYTES = 4096
"""Size of one array of a block of columns: several fit into the first-level cache."""
FEW_ROWS = 8
"""Rows that C compilers unroll, and as many streams as processors follow."""
UNROLLED_ROWS = 16
"""Rows that they unroll if these are not short: there the sums stay in registers."""
SHORT = 256
"""Columns up to which rows are short."""
FEW_COLUMNS = 512
"""Columns up to which those count that are left over after full vectors."""
UNROLLED = 150
"""Operations up to which they unroll rows: 200, of which extremes take some."""


def runs_along_columns(outer: Collapsed, values: NestValues) -> bool:
    """Whether more accesses of the sweeps jump along the rows than along the last kept dimension.

    What jumps costs a cache line with each step, what stays where it is costs nothing.
    """
    if not outer.extents or not values.sweeps:
        return False
    if len(values.sweeps) == 1 and _is_short(values.sweeps[0], outer.extents[-1]):
        return False
    kept = [
        result
        for s in values.sweeps
        for result, kind in zip(s.outputs, s.kinds, strict=True)
        if kind.data == kernel.KEEP
    ]
    if kept and not find_outputs(values.nest, True).keys() >= set(kept):
        return False
    jumps = contiguous = 0
    last = len(outer.extents) - 1
    for sweep in values.sweeps:
        for op in sweep.body.block.ops:
            if isinstance(op, kernel.LoadOp | kernel.StoreOp):
                if isinstance(op, kernel.LoadOp) and op.source in kept:
                    continue
                depth = len(kernel.scope(op))
                offset = values.offsets[op]
                inner = offset.coefficient(depth - 1)
                along = offset.substitute(outer.places, {}).coefficient(last)
                jumps += _jumps(inner) - _jumps(along)
                contiguous += (along == 1) - (inner == 1)
    return jumps > 0 or (jumps == 0 and contiguous > 0)


def _jumps(step: ex.Expr | None) -> bool:
    return step not in (0, 1)


def are_short(columns: ex.Expr) -> bool:
    """Whether rows of so many columns are short."""
    return columns.constant is not None and columns.constant <= SHORT


def _is_short(sweep: kernel.SweepOp, columns: ex.Expr) -> bool:
    """Whether the rows are so few that C compilers unroll them, with the columns as vectors."""
    rows = ex.product(sweep.extents.data).constant
    most = FEW_ROWS if columns.constant is None or are_short(columns) else UNROLLED_ROWS
    if rows is None or rows > most or any(k.data.startswith("arg") for k in sweep.kinds):
        return False
    loads = [op for op in sweep.body.block.ops if isinstance(op, kernel.LoadOp)]
    if any(scalar_type(op.result) in NARROW for op in loads):
        # Conversions go in strips, which unrolled rows leave no loop for.
        return False
    ops = [op for op in sweep.body.block.ops if isinstance(op, body.ApplyOp)]
    plain = not any(op.is_long for op in ops)
    n = columns.constant
    if n is not None and n <= FEW_COLUMNS and n % VECTOR != 0 and not plain:
        return False
    # They make vectors of sums in any case, but of extremes only where they unroll the rows.
    extremes = any(
        kind.data in ("max", "min") and scalar_type(value).is_float
        for value, kind in zip(sweep.yielded, sweep.kinds, strict=True)
    )
    return not extremes or (plain and rows * len(ops) <= UNROLLED)


@dataclass
class Columns:
    """A block of columns: its loop's place, where it starts, and how many columns it has."""

    place: Place
    start: ex.Expr
    width: ex.Expr
    most: int
    atoms: list[ex.Atom]
    """Dimensions of the nest that are the column."""
    first: ex.Expr = field(default_factory=lambda: ex.const(0))
    """The first one of those that loops go over; ``width`` is behind the last one."""
    has_room: bool = False
    """Whether full vectors may be computed even if it is unknown how many columns there are."""

    @property
    def is_known(self) -> bool:
        """Whether it is known how many columns there are."""
        return not self.width.symbols()

    def lanes(self, here: Place, full: bool = False) -> tuple[Place, ex.Expr]:
        """A loop over the columns (or over more lanes, if that may be faster), and its variable."""
        end = self.width
        if full and self.is_known:
            end = ex.const(self.most)
        elif full and self.has_room:
            end = in_vectors(end)
        inside = here.loop(self.first, end, "vector")
        lane = inside.variable()
        for atom in self.atoms:
            inside.at[atom] = self.start + lane
        return inside, lane

    def pieces(self, here: Place, size: int) -> tuple[Place, Columns]:
        """A loop over pieces of so many columns, and the columns of a piece."""
        if self.most <= size:
            return here, self
        inside = here.loop(ex.const(0), self.width, "serial", size)
        first = inside.variable()
        return inside, replace(self, first=first, width=ex.minimum(first + size, self.width))


def in_vectors(lanes: ex.Expr) -> ex.Expr:
    """How many lanes full vectors have that hold so many."""
    return ex.floordiv(lanes + VECTOR - 1, VECTOR) * VECTOR


@dataclass
class Walk:
    """A sweep, its dimensions collapsed, and the row-major position in it."""

    sweep: kernel.SweepOp
    space: Collapsed
    own: ex.Expr

    @property
    def row_dims(self) -> set[int]:
        """The dimensions of the sweep that go on from row to row."""
        inner = ex.dim(len(self.space.extents) - 1)
        return {int(atom.args[0]) for atom, place in self.space.places.items() if place == inner}

    def placed(self, variables: Sequence[ex.Expr]) -> dict[ex.Atom, ex.Expr]:
        """Its dimensions in terms of loop variables, one for each collapsed dimension."""
        collapsed = {ex.Atom("dim", (k,)): e for k, e in enumerate(variables)}
        return {atom: e.substitute(collapsed, {}) for atom, e in self.space.places.items()}


def walk_of(sweep: kernel.SweepOp, values: NestValues) -> Walk:
    """A sweep, with its dimensions collapsed as far as its accesses allow."""
    extents, rank = sweep.extents.data, len(values.nest.extents.data)
    own = linearize([ex.dim(rank + k) for k in range(len(extents))], extents)
    offsets = [values.offsets[op] for op in sweep.body.block.ops if op in values.offsets]
    offsets += [values.kept[r][1] for r in sweep.outputs if r in values.kept]
    return Walk(sweep, collapse(rank, extents, [*offsets, own], 0), own)


class Cascade:
    """The cascade of partial sums of a block of columns."""

    def __init__(
        self, here: Place, columns: Columns, accumulators: list[Accumulator], blocks: int | None
    ) -> None:
        self.columns = columns
        self.accumulators = accumulators
        levels = MOST_LEVELS if blocks is None else max(1, blocks.bit_length())
        self.count = here.add(loop.LocalOp.of(el.I64))
        here.write(here.constant(0, el.I64), self.count)
        self.levels = [
            here.add(loop.LocalOp.of(a.type, levels * columns.most)) for a in accumulators
        ]

    def next(self, here: Place) -> None:
        """Begin a block of rows."""
        self._step(here, "next")
        here.write(here.apply("add", here.read(self.count), here.constant(1, el.I64)), self.count)

    def finish(self, here: Place) -> None:
        """Add up what there is."""
        self._step(here, "finish")

    def _step(self, here: Place, step: str) -> None:
        found, dims = Place(here.block, here.variables).resolve(self.columns.width)
        width = () if self.columns.is_known else (found,)
        for a, levels in zip(self.accumulators, self.levels, strict=True):
            here.block.add_op(
                loop.CascadeOp.of(step, a.state, levels, self.count, width, dims if width else ())
            )
