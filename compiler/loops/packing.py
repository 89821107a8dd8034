"""An operand that is copied into panels, and what lies where in them (see ``loops.contraction``).

The last panel is filled up with its last row or column again.  Where memory runs along the chain,
blocks of it are turned around.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import Block, SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand

from .panels import Panels
from .places import NestValues, Place

ZERO = ex.const(0)


class Packing:
    """Writes panels of the operands of a contraction; ``buffers`` are where they lie."""

    def __init__(self, c: Contraction, buffers: Mapping[str, SSAValue]) -> None:
        self.c = c
        self.buffers = buffers

    def write(self, panel: Panels, block: Block) -> None:
        """Copy an operand into its panels: whole ones, then one that is not full."""
        extent = self.c.extent(panel.axis)
        whole = ex.floordiv(extent, panel.size) * panel.size
        for begin, end in ((ZERO, whole), (whole, extent)):
            if begin == end:
                continue
            here = Place(block, [], dict(self.c.places))
            for axis in panel.outer:
                here = self._along(axis, here, "parallel")
            here = here.loop(begin, end, "parallel", panel.size)
            if panel.group > 1:
                self._copy_groups(panel, here, is_full=end == whole)
            elif end == whole and self.c.runs_along_chain(panel.operand):
                self._turn(panel, here)
            else:
                self._copy(panel, here, is_full=end == whole)

    def offset(self, panel: Panels, here: Place, begin: ex.Expr) -> ex.Expr:
        """The offset of what a panel that begins at a value of its axis has for the k of here.

        In groups, k begins one.
        """
        outer, k = self.flat(panel.outer, here) * panel.one, ZERO
        for axis, extent in zip(self.c.reduced, panel.reduced, strict=True):
            k = k * extent + here.at[ex.Atom("dim", (axis[-1],))]
        return outer + begin * panel.length + k * panel.size

    def flat(self, axes: Iterable[Axis], here: Place) -> ex.Expr:
        """Where some axes are, as if they were one."""
        at = ZERO
        for axis in axes:
            at = at * self.c.extent(axis) + here.at[ex.Atom("dim", (axis[-1],))]
        return at

    def computed(self, operand: Operand, here: Place) -> SSAValue:
        """A factor that is computed from where its operands lie."""
        values = NestValues(self.c.nest)
        values.offsets = self.c.offsets
        for op in operand.ops:
            values.scalar(op, here)
        return values.values[operand.value]

    def _along(self, axis: Axis, here: Place, kind: str) -> Place:
        inside = here.loop(ZERO, self.c.extent(axis), kind)
        inside.at[ex.Atom("dim", (axis[-1],))] = inside.variable()
        return inside

    def _copy(self, panel: Panels, here: Place, is_full: bool) -> None:
        """Fill one panel value by value; its last value again and again where it is not full."""
        first = here.variable()
        for axis in self._as_it_lies(panel.operand):
            here = self._along(axis, here, "serial")
        at = self.offset(panel, here, first)
        here = self._along_panel(panel, here, first, is_full)
        value = self.computed(panel.operand, here)
        here.write(value, self.buffers[panel.operand.name], at + here.variable())

    def _copy_groups(self, panel: Panels, outside: Place, is_full: bool) -> None:
        """Fill one panel a group along the chain at a time; 0 stands for what is not there."""
        *others, chain = self.c.reduced
        group, extent, first = panel.group, self.c.extent(chain), outside.variable()
        atom, buffer = ex.Atom("dim", (chain[-1],)), self.buffers[panel.operand.name]
        whole = ex.floordiv(extent, group) * group
        for axis in others:
            outside = self._along(axis, outside, "serial")
        here = outside.loop(ZERO, whole, "serial", group)
        k = here.at[atom] = here.variable()
        at = self.offset(panel, here, first)
        here = self._along_panel(panel, here, first, is_full)
        for number in range(group):
            here.at[atom] = k + number
            value = here.cast(self.computed(panel.operand, here), panel.type)
            here.write(value, buffer, at + here.variable() * group + number)
        if whole == extent:
            return
        here = outside.loop(whole, extent, "serial", group)
        here.at[atom] = here.variable()
        at = self.offset(panel, here, first)
        here = here.loop(ZERO, ex.const(panel.size * group), "vector")
        here.write(here.constant(0, panel.type), buffer, at + here.variable())
        here = outside.loop(whole, extent, "serial")
        k, here.at[atom] = here.variable(), whole
        at = self.offset(panel, here, first) + (k - whole)
        here.at[atom] = k
        here = self._along_panel(panel, here, first, is_full)
        value = here.cast(self.computed(panel.operand, here), panel.type)
        here.write(value, buffer, at + here.variable() * group)

    def _along_panel(self, panel: Panels, here: Place, first: ex.Expr, is_full: bool) -> Place:
        """A loop over the values of a panel that begins at one; its last one again and again."""
        here = here.loop(ZERO, ex.const(panel.size), "vector")
        if panel.axis is not None:
            own = first + here.variable()
            place = own if is_full else ex.minimum(own, self.c.extent(panel.axis) - 1)
            here.at[ex.Atom("dim", (panel.axis[-1],))] = place
        return here

    def _as_it_lies(self, operand: Operand) -> list[Axis]:
        """The contracted axes, those first along which an operand has the longer steps."""
        steps = [self.c.stride(operand, axis) for axis in self.c.reduced]
        known = [0 if step is None else step.constant or 0 for step in steps]
        order = sorted(range(len(known)), key=lambda k: -known[k])
        return [self.c.reduced[k] for k in order]

    def _turn(self, panel: Panels, here: Place) -> None:
        """Fill one panel by turning a block around: memory runs along the chain."""
        load, (chain,) = panel.operand.load, self.c.reduced
        stride = self.c.stride(panel.operand, panel.axis)
        assert load is not None and panel.axis is not None and stride is not None
        first = here.variable()
        here.at |= {ex.Atom("dim", (a[-1],)): at for a, at in ((panel.axis, first), (chain, ZERO))}
        source = self.c.offsets[load].substitute(here.at, {})
        index = (
            *(source, stride),
            *(self.offset(panel, here, first), ex.const(panel.size)),
            *(ex.const(panel.size), self.c.length),
        )
        found, dims = Place(here.block, here.variables).resolve_all(index)
        target = self.buffers[panel.operand.name]
        here.block.add_op(loop.TransposeOp.of(load.source, target, found, dims))
