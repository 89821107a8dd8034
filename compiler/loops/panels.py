"""Panels of a packed operand: their sizes, and what lies where (see ``loops.contraction``)."""

from __future__ import annotations

from dataclasses import dataclass

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.element import ElementType
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.groups import factor_types


@dataclass(frozen=True)
class Panels:
    """How an operand lies once it is packed."""

    operand: Operand
    axis: Axis | None
    size: int
    """Values of the axis in a panel."""
    outer: tuple[Axis, ...]
    """Axes that it depends on and that are neither its own nor contracted."""
    one: ex.Expr
    """Values of all panels for one point of the outer axes."""
    elements: ex.Expr
    """Values of all panels."""
    type: ElementType
    """What a value lies there as."""
    reduced: tuple[ex.Expr, ...]
    """Values along each contracted axis; along the last one, whole groups."""
    group: int
    """How many neighbours along the last contracted axis lie side by side."""
    ahead: int
    """How many values further on what is prefetched lies; 0: nothing is."""

    @property
    def length(self) -> ex.Expr:
        """Values along the chain."""
        return ex.product(self.reduced)


def panels(c: Contraction, pack: schedule.PackOp) -> Panels:
    """The panels that a pack makes."""
    operand, axis = (c.left, c.row) if pack.operand.data == "left" else (c.right, c.column)
    outer = tuple(a for a in c.outer if a in operand.axes)
    reduced, group = [*map(c.extent, c.reduced)], pack.count
    if group > 1:
        reduced[-1] = ex.floordiv(reduced[-1] + (group - 1), group) * group
    length = ex.product(reduced)
    one = ex.floordiv(c.extent(axis) + (pack.step - 1), pack.step) * pack.step * length
    elements = ex.product(map(c.extent, outer)) * one
    types = factor_types(c, group)
    assert types is not None
    type = types[0 if operand is c.left else 1]
    return Panels(
        *(operand, axis, pack.step, outer, one, elements, type),
        *(tuple(reduced), group, pack.distance),
    )
