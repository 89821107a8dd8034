"""The loops around a store, by how far it goes with each: whether rows are whole cache lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse
from opc.target import BURST, LINE

from .nest import NestFacts

LEAST = 2 * BURST
"""Fewest bytes of a row that are no whole number of cache lines."""
SHORTEST = BURST // 2
"""Fewest bytes of a row that starts within a cache line."""


@dataclass(frozen=True)
class Axes:
    """The loops around a store, by how far it goes with each: the last one is along memory."""

    start: ex.Expr
    around: list[ex.Expr]
    length: ex.Expr

    def is_even(self, line: int) -> bool:
        """Whether every row starts at a multiple of so many elements."""
        return all(c % line == 0 for e in (self.start, *self.around) for _, c in e.terms)

    @property
    def follow_one_another(self) -> bool:
        """Whether rows do."""
        return bool(self.around) and self.around[-1] == self.length

    def goes_on(self, stores: Sequence[kernel.StoreOp]) -> bool:
        """Whether rows leave the end of a line to the next row: those of no whole lines, and where
        a result may begin within a line, short ones.
        """
        size, n = scalar_type(stores[0].value).bytes, self.length.constant
        if not self.is_even(LINE // size):
            return True
        is_short = n is not None and SHORTEST <= n * size < LEAST
        return is_short and len(stores) == 1 and size >= 4 and self.follow_one_another


def axes_of(values: NestFacts, outer: Collapsed, store: kernel.StoreOp) -> Axes | None:
    """Those of a store in a sweep that reduces nothing, or in a nest without sweeps."""
    offset, extents, sweep = values.offsets[store], list(outer.extents), store.parent_op()
    places = dict(outer.places)
    if isinstance(sweep, kernel.SweepOp):
        if sweep.outputs:
            return None
        inside = [values.offsets[op] for op in sweep.body.block.ops if op in values.offsets]
        space = collapse(len(values.nest.extents.data), sweep.extents.data, inside, len(extents))
        extents += space.extents
        places |= space.places
    elif values.sweeps:
        return None
    offset = offset.substitute(places, {})
    steps = [offset.coefficient(k) for k in range(len(extents))]
    start = offset
    for k, step in enumerate(steps):
        if step is None:
            return None
        start = start - ex.dim(k) * step
    around = [step for step in steps if step is not None]
    along = next((k for k in reversed(range(len(extents))) if around[k] == 1), None)
    if along is None or (not values.sweeps and along != len(extents) - 1):
        return None
    return Axes(start, around[:along] + around[along + 1 :], extents[along])
