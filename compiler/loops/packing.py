"""An operand that is copied into panels, and what lies where in them (see ``loops.contraction``).

The last panel is filled up with its last row or column again.  Where memory runs along the chain,
blocks of it are turned around.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand

from .panels import Panels, base_of
from .places import ZERO, NestValues, Place


@dataclass(frozen=True)
class Packing:
    """Writes and reads the panels of an operand of a contraction, which lie in a buffer."""

    c: Contraction
    panel: Panels
    buffer: SSAValue

    @property
    def group(self) -> int:
        """How many neighbours along the chain lie side by side."""
        return self.panel.group

    def write(self, here: Place) -> None:
        """Copy the operand into its panels: whole ones, then one that is not full.

        A panel for one tile has what that has.
        """
        panel, extent = self.panel, self.c.extent(self.panel.axis)
        is_inside = bool(panel.around.of)
        kind = "serial" if is_inside else "parallel"
        for axis in panel.outer:
            if not is_inside or panel.extents[axis] != 1:
                here = self._along(axis, here, kind)
        if panel.is_full:
            base = base_of(self.c, panel.operand, panel.axis, panel.around)
            self._fill(here, base, panel.around.begin(panel.axis), True)
            return
        begin, end = panel.span(self.c, panel.axis)
        whole = ex.floordiv(extent, panel.size) * panel.size
        parts = [(begin, whole), (whole, end)]
        if end != extent:
            parts = [(begin, ex.minimum(whole, end)), (ex.maximum(begin, whole), end)]
        for (lower, upper), is_full in zip(parts, (True, False), strict=True):
            if lower != upper and (is_full or whole != extent):
                inside = here.loop(lower, upper, kind, panel.size)
                first = inside.variable()
                self._fill(inside, first, first, is_full)

    def offset(self, here: Place, begin: ex.Expr) -> ex.Expr:
        """The offset of what a panel that begins at a value of its axis has for the k of here.

        In groups, k begins one.
        """
        panel = self.panel
        outer, k = (
            flat(
                (here.at[axis[-1]] - panel.around.begin(axis), panel.extents[axis]) for axis in axes
            )
            for axes in (panel.outer, panel.reduced)
        )
        first = begin - panel.around.begin(panel.axis)
        return outer * panel.one + first * panel.length + k * panel.size

    def _fill(self, here: Place, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill the panel of a place, ``begin``, with values from a first one on."""
        if self.panel.group > 1:
            self._copy_groups(here, first, begin, is_full)
        elif is_full and self.c.runs_along_chain(self.panel.operand):
            self._turn(here, first, begin)
        else:
            self._copy(here, first, begin, is_full)

    def _along(self, axis: Axis, here: Place, kind: str) -> Place:
        inside = here.loop(*self.panel.span(self.c, axis), kind)
        inside.at[axis[-1]] = inside.variable()
        return inside

    def _copy(self, here: Place, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel value by value; its last value again and again where it is not full."""
        for axis in self._as_it_lies():
            here = self._along(axis, here, "serial")
        at = self.offset(here, begin)
        here = self._along_panel(here, first, is_full)
        here.write(computed(self.c, self.panel.operand, here), self.buffer, at + here.variable())

    def _copy_groups(self, outside: Place, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel a group along the chain at a time; 0 stands for what is not there."""
        *others, chain = self.c.reduced
        panel, buffer, group = self.panel, self.buffer, self.panel.group
        dim, extent = chain[-1], self.c.extent(chain)
        whole = ex.floordiv(extent, group) * group
        for axis in others:
            outside = self._along(axis, outside, "serial")
        here = outside.loop(0, whole, "serial", group)
        k = here.at[dim] = here.variable()
        at = self.offset(here, begin)
        here = self._along_panel(here, first, is_full)
        for number in range(group):
            here.at[dim] = k + number
            value = here.cast(computed(self.c, panel.operand, here), panel.type)
            here.write(value, buffer, at + here.variable() * group + number)
        if whole == extent:
            return
        here = outside.loop(whole, extent, "serial", group)
        here.at[dim] = here.variable()
        at = self.offset(here, begin)
        here = here.loop(0, panel.size * group, "vector")
        here.write(here.constant(0, panel.type), buffer, at + here.variable())
        here = outside.loop(whole, extent, "serial")
        k, here.at[dim] = here.variable(), whole
        at = self.offset(here, begin) + (k - whole)
        here.at[dim] = k
        here = self._along_panel(here, first, is_full)
        value = here.cast(computed(self.c, panel.operand, here), panel.type)
        here.write(value, buffer, at + here.variable() * group)

    def _along_panel(self, here: Place, first: ex.Expr, is_full: bool) -> Place:
        """A loop over the values of a panel that begins at one; its last one again and again."""
        here = here.loop(0, self.panel.size, "vector")
        if (axis := self.panel.axis) is not None:
            own = first + here.variable()
            here.at[axis[-1]] = own if is_full else ex.minimum(own, self.c.extent(axis) - 1)
        return here

    def _as_it_lies(self) -> list[Axis]:
        """The contracted axes, those first along which the operand has the longer steps."""
        steps = {axis: self.c.stride(self.panel.operand, axis) for axis in self.c.reduced}
        return sorted(steps, key=lambda a: -((s.constant or 0) if (s := steps[a]) else 0))

    def _turn(self, here: Place, first: ex.Expr, begin: ex.Expr) -> None:
        """Fill one panel by turning a block around: memory runs along the chain."""
        panel, load, (chain,) = self.panel, self.panel.operand.load, self.c.reduced
        stride = self.c.stride(panel.operand, panel.axis)
        assert load is not None and panel.axis is not None and stride is not None
        start, end = panel.span(self.c, chain)
        here.at |= {chain[-1]: start, panel.axis[-1]: first}
        source, size = self.c.offsets[load].substitute(here.at), ex.const(panel.size)
        at = self.offset(here, begin)
        here.transpose(load.source, self.buffer, (source, stride, at, size, size, end - start))


def computed(c: Contraction, operand: Operand, here: Place) -> SSAValue:
    """A factor that is computed from where its operands lie."""
    values = values_of(c)
    for op in operand.ops:
        values.scalar(op, here)
    return values.values[operand.value]


def values_of(c: Contraction) -> NestValues:
    """What writes the scalars of a contraction."""
    values = NestValues(c.nest)
    values.offsets = c.offsets
    return values


def flat(places: Iterable[tuple[ex.Expr, ex.Expr]]) -> ex.Expr:
    """Where some axes are as if they were one, by the place along each and its extent."""
    at = ZERO
    for place, extent in places:
        at = at * extent + place
    return at
