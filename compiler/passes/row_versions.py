"""Versions of the loops of a nest, of which the extent of its rows chooses one when it runs.

Which way is the best depends on how long a row is, and where that is not known::

    rows of less than 17 values        are turned around, see turned_rows (if there are several
                                       sweeps, rows of less than 25)
    rows of less than 128 values       go to 16 lanes, and no sum is cut into blocks
    others                             go to as many lanes as there can be

Each version is the loops of the whole nest, and all but one of them have no rounds::

    for i = 0 to N * atleast(M, 17) - N * atleast(M, 128) ...
"""

from __future__ import annotations

from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.lanes import LANE_REDUCTIONS

from .collapse import Collapsed
from .column_loops import UNCUT
from .flat_rows import longest_flat_row
from .loop_places import NestValues
from .turned_rows import lengths, longest_row

MIDDLE = 128
"""Values of a row from which on sums take all lanes."""


@dataclass(frozen=True)
class Version:
    """Rows of ``least`` values and more, but not more than ``most`` if there is a limit."""

    least: int
    most: int | None
    condition: ex.Expr
    """1 if they are that long, else 0."""


def versions(outer: Collapsed, values: NestValues) -> list[Version]:
    """The versions that a nest needs, the shortest rows first; none if it needs but one."""
    if most := longest_flat_row(outer, values):
        return _of(outer.extents[-1], [most + 1])
    rows = lengths(outer, values)
    unknown = [n for n in rows if n.constant is None]
    short = min(longest_row(values), UNCUT)
    if len(unknown) != 1 or any(n.constant is not None and n.constant > short for n in rows):
        return []
    return _of(unknown[0], [short + 1, *([MIDDLE] if _has_lanes(values) else [])])


def _of(extent: ex.Expr, limits: list[int]) -> list[Version]:
    """A version up to each limit, and one from the last one on."""
    reached = [ex.const(1), *(ex.atleast(extent, n) for n in limits), ex.const(0)]
    bounds = zip([0, *limits], [*(n - 1 for n in limits), None], strict=True)
    return [
        Version(least, most, reached[k] - reached[k + 1]) for k, (least, most) in enumerate(bounds)
    ]


def _has_lanes(values: NestValues) -> bool:
    """Whether a sweep sums or multiplies floats."""
    return any(
        kind.data in LANE_REDUCTIONS and scalar_type(value).is_float
        for sweep in values.sweeps
        for value, kind in zip(sweep.yielded, sweep.kinds, strict=True)
    )
