"""Contractions of integers whose factors are small: several products in one step.

Processors multiply vectors of 16-bit or 8-bit numbers and add neighbouring products in one
instruction, to sums of 32 bits.  Both operands lie in groups of such neighbours along the innermost
contracted axis: the right one in panels, the left one in panels too, or padded with that axis
innermost.  Where the last group is not full, the panels of the right operand have 0 for the rest.
Sums of integers wrap, so that their order does not show.
"""

from __future__ import annotations

from opc.dialects.body import scalar_type
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.intervals import intervals, is_within

from .contraction import Contraction, Operand

SUM = BY_NAME["i32"]
"""The type of the sum."""
_I16, _I8, _UI8 = (BY_NAME[name] for name in ("i16", "i8", "ui8"))
STEPS: dict[int, tuple[tuple[ElementType, ElementType], ...]] = {
    2: ((_I16, _I16),),
    4: ((_UI8, _I8), (_I8, _UI8)),
}
"""By the number of products in a step: of what types the left factor and the right one may be."""


def factor_types(c: Contraction, count: int) -> tuple[ElementType, ElementType] | None:
    """As what both factors lie if a step takes so many products; None if it cannot.

    A step of one product takes factors in the type of the sum.
    """
    if count == 1:
        return c.type, c.type
    if c.type is not SUM or not c.reduced or c.row in c.right.axes or not _has_neighbours(c):
        return None
    for left, right in STEPS.get(count, ()):
        if _fits(c.left, left) and _fits(c.right, right):
            return left, right
    return None


def type_of(c: Contraction, operand: Operand, count: int) -> ElementType:
    """As what an operand lies where a step takes so many products, which it can."""
    types = factor_types(c, count)
    assert types is not None
    return types[operand is c.right]


def lies_in_groups(c: Contraction, rows: int, count: int) -> bool:
    """Whether tiles of so many rows can read groups of the left operand where they lie.

    A load has to be of the type that a step takes.
    """
    load = c.left.load
    is_of_type = load is not None and scalar_type(load.result) is type_of(c, c.left, count)
    return is_of_type and c.reads_groups(rows, count)


def _has_neighbours(c: Contraction) -> bool:
    """Whether neighbours along the innermost contracted axis are side by side in a window."""
    window = c.window(c.left)
    is_beside = window is None or window.at.coefficient(c.reduced[-1][-1]) == 1
    return is_beside and c.window(c.right) is None


def _fits(operand: Operand, type: ElementType) -> bool:
    """Whether a type has every value of an operand."""
    return is_within(intervals(operand.ops).get(operand.value), type)
