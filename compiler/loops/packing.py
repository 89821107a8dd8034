"""An operand that is copied into panels, and what lies where in them (see ``loops.contraction``).

The last panel is filled up with its last row or column again.  Where memory runs along the chain,
blocks of it are turned around.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand

from .panels import ZERO, Panels
from .places import NestValues, Place


class Packing:
    """Writes panels of the operands of a contraction; ``buffers`` are where they lie."""

    def __init__(self, c: Contraction, buffers: Mapping[str, SSAValue]) -> None:
        self.c = c
        self.buffers = buffers

    def write(self, panel: Panels, here: Place, base: ex.Expr = ZERO) -> None:
        """Copy an operand into its panels: whole ones, then one that is not full.

        A panel for one tile has what that has, which begins at ``base``.
        """
        is_inside, extent = bool(panel.around.of), self.c.extent(panel.axis)
        kind = "serial" if is_inside else "parallel"
        for axis in panel.outer:
            if not is_inside or panel.extents[axis] != 1:
                here = self._along(panel, axis, here, kind)
        if panel.is_full:
            self._fill(panel, here, base, panel.around.begin(panel.axis), True)
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
                self._fill(panel, inside, first, first, is_full)

    def _fill(
        self, panel: Panels, here: Place, first: ex.Expr, begin: ex.Expr, is_full: bool
    ) -> None:
        """Fill the panel of a place, ``begin``, with values from a first one on."""
        if panel.group > 1:
            self._copy_groups(panel, here, first, begin, is_full)
        elif is_full and self.c.runs_along_chain(panel.operand):
            self._turn(panel, here, first, begin)
        else:
            self._copy(panel, here, first, begin, is_full)

    def offset(self, panel: Panels, here: Place, begin: ex.Expr) -> ex.Expr:
        """The offset of what a panel that begins at a value of its axis has for the k of here.

        In groups, k begins one.
        """
        outer, k = (
            flat((_at(axis, here) - panel.around.begin(axis), panel.extents[axis]) for axis in axes)
            for axes in (panel.outer, panel.reduced)
        )
        first = begin - panel.around.begin(panel.axis)
        return outer * panel.one + first * panel.length + k * panel.size

    def computed(self, operand: Operand, here: Place) -> SSAValue:
        """A factor that is computed from where its operands lie."""
        values = NestValues(self.c.nest)
        values.offsets = self.c.offsets
        for op in operand.ops:
            values.scalar(op, here)
        return values.values[operand.value]

    def _along(self, panel: Panels, axis: Axis, here: Place, kind: str) -> Place:
        inside = here.loop(*panel.span(self.c, axis), kind)
        inside.at[_dim(axis)] = inside.variable()
        return inside

    def _copy(
        self, panel: Panels, here: Place, first: ex.Expr, begin: ex.Expr, is_full: bool
    ) -> None:
        """Fill one panel value by value; its last value again and again where it is not full."""
        for axis in self._as_it_lies(panel.operand):
            here = self._along(panel, axis, here, "serial")
        at = self.offset(panel, here, begin)
        here = self._along_panel(panel, here, first, is_full)
        value = self.computed(panel.operand, here)
        here.write(value, self.buffers[panel.operand.name], at + here.variable())

    def _copy_groups(
        self, panel: Panels, outside: Place, first: ex.Expr, begin: ex.Expr, is_full: bool
    ) -> None:
        """Fill one panel a group along the chain at a time; 0 stands for what is not there."""
        *others, chain = self.c.reduced
        group, extent = panel.group, self.c.extent(chain)
        atom, buffer = _dim(chain), self.buffers[panel.operand.name]
        whole = ex.floordiv(extent, group) * group
        for axis in others:
            outside = self._along(panel, axis, outside, "serial")
        here = outside.loop(ZERO, whole, "serial", group)
        k = here.at[atom] = here.variable()
        at = self.offset(panel, here, begin)
        here = self._along_panel(panel, here, first, is_full)
        for number in range(group):
            here.at[atom] = k + number
            value = here.cast(self.computed(panel.operand, here), panel.type)
            here.write(value, buffer, at + here.variable() * group + number)
        if whole == extent:
            return
        here = outside.loop(whole, extent, "serial", group)
        here.at[atom] = here.variable()
        at = self.offset(panel, here, begin)
        here = here.loop(ZERO, ex.const(panel.size * group), "vector")
        here.write(here.constant(0, panel.type), buffer, at + here.variable())
        here = outside.loop(whole, extent, "serial")
        k, here.at[atom] = here.variable(), whole
        at = self.offset(panel, here, begin) + (k - whole)
        here.at[atom] = k
        here = self._along_panel(panel, here, first, is_full)
        value = here.cast(self.computed(panel.operand, here), panel.type)
        here.write(value, buffer, at + here.variable() * group)

    def _along_panel(self, panel: Panels, here: Place, first: ex.Expr, is_full: bool) -> Place:
        """A loop over the values of a panel that begins at one; its last one again and again."""
        here = here.loop(ZERO, ex.const(panel.size), "vector")
        if panel.axis is not None:
            own = first + here.variable()
            here.at[_dim(panel.axis)] = (
                own if is_full else ex.minimum(own, self.c.extent(panel.axis) - 1)
            )
        return here

    def _as_it_lies(self, operand: Operand) -> list[Axis]:
        """The contracted axes, those first along which an operand has the longer steps."""
        steps = [self.c.stride(operand, axis) for axis in self.c.reduced]
        known = [0 if step is None else step.constant or 0 for step in steps]
        order = sorted(range(len(known)), key=lambda k: -known[k])
        return [self.c.reduced[k] for k in order]

    def _turn(self, panel: Panels, here: Place, first: ex.Expr, begin: ex.Expr) -> None:
        """Fill one panel by turning a block around: memory runs along the chain."""
        load, (chain,) = panel.operand.load, self.c.reduced
        stride = self.c.stride(panel.operand, panel.axis)
        assert load is not None and panel.axis is not None and stride is not None
        start, end = panel.span(self.c, chain)
        here.at |= {_dim(panel.axis): first, _dim(chain): start}
        source = self.c.offsets[load].substitute(here.at, {})
        index = (
            *(source, stride),
            *(self.offset(panel, here, begin), ex.const(panel.size)),
            *(ex.const(panel.size), end - start),
        )
        found, dims = Place(here.block, here.variables).resolve_all(index)
        target = self.buffers[panel.operand.name]
        here.block.add_op(loop.TransposeOp.of(load.source, target, found, dims))


def flat(places: Iterable[tuple[ex.Expr, ex.Expr]]) -> ex.Expr:
    """Where some axes are as if they were one, by the place along each and its extent."""
    at = ZERO
    for place, extent in places:
        at = at * extent + place
    return at


def _dim(axis: Axis) -> ex.Atom:
    return ex.Atom("dim", (axis[-1],))


def _at(axis: Axis, here: Place) -> ex.Expr:
    return here.at[_dim(axis)]
