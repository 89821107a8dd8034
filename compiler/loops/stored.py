"""A sweep that reduces nothing: it computes results, or values for later sweeps.

``for j in 0 to n vector { y[j] = x[j] / s }``, past the caches where ``plan_stores`` says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.schedule.nest import stores_past
from opc.target import BURST, LINE

from .past_caches import UnevenRows, blocks_of_rows, write_blocks
from .places import NestValues, Place
from .sweep import ZERO, Sweep
from .versions import only_if


@dataclass(frozen=True)
class SweepRow:
    """The values along the last dimension of a sweep for one point, or those of a block of points
    at one place of the sweep.
    """

    s: Sweep
    variables: list[ex.Expr]
    """Of the dimensions of the sweep that are around."""

    @property
    def values(self) -> NestValues:
        """The scalars of the nest."""
        return self.s.values

    def _split(self, position: ex.Expr) -> tuple[list[ex.Expr], ex.Expr]:
        if self.s.points.is_one:
            return [*self.variables, position], ZERO
        return self.variables, position

    def place(self, here: Place, position: ex.Expr) -> None:
        """Say of a place at which position it is."""
        variables, point = self._split(position)
        self.s.place(here, variables)
        self.s.points.place(here, point)

    def write(self, here: Place, position: ex.Expr) -> None:
        """Write the body at a position."""
        self.s.body(here, *self._split(position))


def write_values(s: Sweep, here: Place) -> None:
    """Write the loops, or those for either case if that is known by an extent only."""
    stores = [op for op in stores_past(s.ops) if _goes_along(s, op)]
    when = stores[0].past_caches if stores else ZERO
    if when != 1:
        before = here.block.last_op
        kind = "vector" if s.points.is_one else "serial"
        inside, variables = s.nested(here, kind, _outermost(s))
        inside, point = s.points.over(inside)
        s.body(inside, variables, point)
        only_if(1 - when, before, here.block)
    if when != 0:
        before = here.block.last_op
        _past_caches(s, here, stores)
        only_if(when, before, here.block)


def _outermost(s: Sweep) -> str | None:
    """The kind of the outermost loop: threads share it where all points are one block."""
    in_arrays = any(k.offset is None for k in s.kept)
    return "parallel" if s.points.blocks == 1 and not (s.points.is_one or in_arrays) else None


def _past_caches(s: Sweep, here: Place, stores: Sequence[kernel.StoreOp]) -> None:
    """All values, along whole cache lines, or rows that follow one another."""
    *around, last = s.space.extents
    *around, length = (*around, last) if s.points.is_one else (*around, last, s.points.size)
    first, line = len(here.variables), LINE // scalar_type(stores[0].value).bytes
    if not s.points.is_one and s.points.most % line:
        variables = [ZERO]
        row = SweepRow(s, variables)
        burst = BURST // scalar_type(stores[0].value).bytes
        rows = UnevenRows(row, stores[0], length, burst)
        lower, upper = ZERO, last
        if not here.variables:
            here, lower, upper = blocks_of_rows(here, last)
        rows.write(here, lower, upper, partial(variables.__setitem__, 0))
        return
    for k, extent in enumerate(around):
        here = here.loop(ZERO, extent, (_outermost(s) or "serial") if k == 0 else "serial")
    variables = [ex.dim(first + k) for k in range(len(around))]
    write_blocks(SweepRow(s, variables), stores, here, length)


def _goes_along(s: Sweep, store: kernel.StoreOp) -> bool:
    """Whether the innermost loop is along whole lines of what is stored."""
    points, line = s.points, LINE // scalar_type(store.value).bytes
    if not s.space.extents or points.turned.is_used([store]):
        return False
    if points.is_one:
        return s.runs_along(store)
    offset = s.values.offsets[store]
    is_apart = not s.points.here.variables and len(s.space.extents) == 1
    return (is_apart or points.most % line == 0) and any(
        offset.coefficient(int(a.args[0])) == 1 for a in points.atoms
    )
