"""The running state of a reduction, and how many lanes it has."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.scalar import REDUCTIONS, Reduction

from .extremes import Extremes
from .loop_places import Place

LANE_BYTES = 256
MOST_LANES = 64
MOST_LEVELS = 40
"""Levels of a cascade over an unknown number of blocks: 2^40 of them take days."""
SERIAL = 16
"""Extent up to which lanes would cost more than they bring, and their least number."""


def lanes_for(n: int | None, widest: int) -> int:
    """The number of lanes for an innermost extent, at most, and the bytes of the widest value."""
    most = min(MOST_LANES, LANE_BYTES // widest)
    if n is None:
        return most
    if n <= SERIAL:
        return 1
    return min(most, max(SERIAL, 1 << ((n // 4).bit_length() - 1)))


@dataclass
class Accumulator:
    """The running state of one reduction."""

    row: Reduction
    type: ElementType
    yielded: SSAValue
    result: SSAValue
    state: SSAValue
    position: SSAValue | None
    lanes: int | None
    """Length of the state if it is an array."""
    extremes: Extremes | None = None
    """What the state is only made from at the end."""
    unsigned: SSAValue | None = None
    """The same, for a sum or product of signed integers."""

    @staticmethod
    def of(
        here: Place,
        kind: str,
        yielded: SSAValue,
        result: SSAValue,
        lanes: int | None,
        index: ElementType = el.I64,
    ) -> Accumulator:
        """Declare the state, as a variable or an array of lanes; it is not set.

        ``index`` is the type of positions.
        """
        row, type = REDUCTIONS[kind], scalar_type(yielded)
        state = here.add(loop.LocalOp.of(type, lanes))
        position = here.add(loop.LocalOp.of(index, lanes)) if row.is_arg else None
        return Accumulator(row, type, yielded, result, state, position, lanes)

    @property
    def cascades(self) -> bool:
        """Whether a long chain of it would lose accuracy."""
        return self.row.name == "sum" and self.type.is_float
