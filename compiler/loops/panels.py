"""Panels of a packed operand: their sizes, and what lies where (see ``loops.contraction``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.element import ElementType
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.groups import type_of

from .places import ZERO


@dataclass(frozen=True)
class Ranges:
    """What the loops around leave of each axis: where it begins and ends, and the block."""

    of: Mapping[Axis, tuple[ex.Expr, ex.Expr, int]] = field(
        default_factory=dict[Axis, tuple[ex.Expr, ex.Expr, int]]
    )

    def begin(self, axis: Axis | None) -> ex.Expr:
        """The first value."""
        return self.of[axis][0] if axis is not None and axis in self.of else ZERO

    def block(self, axis: Axis | None) -> int:
        """Values of the innermost block."""
        return self.of[axis][2] if axis is not None and axis in self.of else 1


@dataclass(frozen=True)
class Panels:
    """How an operand lies once it is packed."""

    operand: Operand
    axis: Axis | None
    size: int
    """Values of the axis in a panel."""
    outer: tuple[Axis, ...]
    """Axes that it depends on and that are neither its own nor contracted."""
    extents: Mapping[Axis, ex.Expr]
    """Values along each axis, at most: whole panels along its own, whole groups along the last
    contracted one."""
    reduced: tuple[Axis, ...]
    type: ElementType
    """What a value lies there as."""
    group: int
    """How many neighbours along the last contracted axis lie side by side."""
    around: Ranges
    """What the loops around leave, where it is made in them."""
    is_full: bool
    """Whether it is one for each tile, with all values of that: the last one begins early."""

    @property
    def length(self) -> ex.Expr:
        """Values along the chain."""
        return ex.product(self.extents[axis] for axis in self.reduced)

    @property
    def one(self) -> ex.Expr:
        """Values of all panels for one point of the outer axes."""
        return (self.extents[self.axis] if self.axis else ex.const(self.size)) * self.length

    @property
    def elements(self) -> ex.Expr:
        """Values of all panels."""
        return ex.product(self.extents[axis] for axis in self.outer) * self.one

    def span(self, c: Contraction, axis: Axis | None) -> tuple[ex.Expr, ex.Expr]:
        """Where the values of an axis begin and end."""
        if axis is not None and axis in self.around.of:
            return self.around.of[axis][:2]
        return ZERO, c.extent(axis)


def left_of(c: Contraction, axis: Axis, around: Ranges) -> ex.Expr:
    """How many values of an axis loops leave, at most."""
    return ex.const(around.block(axis)) if axis in around.of else c.extent(axis)


def panels(c: Contraction, pack: schedule.PackOp, around: Ranges | None = None) -> Panels:
    """The panels that a pack makes of what the loops around it leave."""
    around = around or Ranges()
    operand = c.operand(pack.operand.data)
    axis = c.own(operand)
    outer, group = tuple(a for a in c.outer if a in operand.axes), pack.count
    extents = {a: left_of(c, a, around) for a in (*outer, *c.reduced)}
    if axis is not None:
        count = left_of(c, axis, around)
        extents[axis] = ex.floordiv(count + (pack.step - 1), pack.step) * pack.step
    if group > 1:
        last = c.reduced[-1]
        extents[last] = ex.floordiv(extents[last] + (group - 1), group) * group
    is_one = axis in around.of and around.block(axis) == pack.step
    most = c.extent(axis).constant
    return Panels(
        *(operand, axis, pack.step, outer, extents, c.reduced, type_of(c, operand, group)),
        *(group, around, is_one and most is not None and most >= pack.step),
    )


def base_of(c: Contraction, operand: Operand, axis: Axis | None, around: Ranges) -> ex.Expr:
    """Where a tile begins that reads an operand as it lies: the last one early, to stay in it."""
    begin, size, extent = around.begin(axis), around.block(axis), c.extent(axis)
    is_inside = axis not in operand.axes or ex.mod(extent, size) == 0
    return begin if is_inside else ex.minimum(begin, extent - size)
