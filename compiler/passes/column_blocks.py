"""What ``column_loops`` works with: a block of columns, a sweep down its rows, and its cascade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.layout import linearize

from .accumulators import Accumulator
from .collapse import Collapsed, collapse
from .loop_places import NestValues, Place

MOST_LEVELS = 40
"""Levels of a cascade over an unknown number of rows."""


@dataclass
class Columns:
    """A block of columns: its loop's place, where it starts, and how many columns it has."""

    place: Place
    start: ex.Expr
    width: ex.Expr
    most: int
    atoms: list[ex.Atom]
    """Dimensions of the nest that are the column."""

    def lanes(self, here: Place, full: bool = False) -> tuple[Place, ex.Expr]:
        """A loop over the columns (or over all lanes), and its variable."""
        inside = here.loop(ex.const(0), ex.const(self.most) if full else self.width, "vector")
        lane = inside.variable()
        for atom in self.atoms:
            inside.at[atom] = self.start + lane
        return inside, lane


@dataclass
class Walk:
    """A sweep, its dimensions collapsed, and the row-major position in it."""

    sweep: kernel.SweepOp
    space: Collapsed
    own: ex.Expr

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
        self, here: Place, columns: Columns, accumulators: list[Accumulator], count: int | None
    ) -> None:
        self.columns = columns
        self.accumulators = accumulators
        levels = MOST_LEVELS if count is None else max(1, count.bit_length())
        self.count = here.add(loop.LocalOp.of(el.I64))
        here.write(here.constant(0, el.I64), self.count)
        self.levels = [
            here.add(loop.LocalOp.of(a.type, levels * columns.most)) for a in accumulators
        ]

    def next(self, here: Place) -> None:
        """Begin a block of rows."""
        for a, levels in zip(self.accumulators, self.levels, strict=True):
            here.block.add_op(loop.CascadeOp.of("next", a.state, levels, self.count))
        here.write(here.apply("add", here.read(self.count), here.constant(1, el.I64)), self.count)

    def finish(self, here: Place) -> None:
        """Add up what there is."""
        for a, levels in zip(self.accumulators, self.levels, strict=True):
            here.block.add_op(loop.CascadeOp.of("finish", a.state, levels, self.count))
