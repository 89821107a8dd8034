"""Lay out the part of an operand that loops leave, in an array inside of these loops."""

from __future__ import annotations

from dataclasses import dataclass, replace

from opc.dialects import schedule
from opc.schedule.contraction import Contraction
from opc.schedule.product_groups import widest

from .insertion import ZERO, Insertion
from .packing import Packing, Panels, Ranges, panels
from .padding import Padding, in_buffer, pads
from .stored import Computed, Stored


@dataclass(frozen=True)
class Widened(Packing):
    """A panel in the type of the other factor, made of one in fewer bits."""

    source: Packing

    def write(self, here: Insertion) -> None:
        """Convert the values in the order in which they lie."""
        at = {**here.at, **{axis[-1]: ZERO for axis in self.reduced}}
        first = Insertion(here.block, here.variables, at)
        begin = self.source.offset(first, self.around.begin(self.axis))
        inside = here.loop(0, self.length * self.size, "vector")
        value = inside.read(self.source.buffer, begin + inside.variable())
        inside.write(inside.cast(value, self.type), self.buffer, inside.variable())


def lay_out_part(
    c: Contraction,
    tree: schedule.TreeOp,
    op: schedule.PackOp | schedule.PadOp,
    at: tuple[Insertion, Ranges],
    source: Packing | Padding | Stored | None,
) -> Packing | Padding:
    """The part in its array, and the loops that write it, at a place inside of loops.

    ``source`` is the whole operand where it is laid out in front of them: as it is stored, or in
    bytes beside a factor of 16 bits.
    """
    here, ranges = at
    is_pack = isinstance(op, schedule.PackOp)
    layout = panels(c, op, ranges) if is_pack else pads(c, op, tree, ranges)
    assert layout.elements.constant is not None
    if isinstance(source, Packing | Stored) and isinstance(layout, Panels):
        type = widest(c, op.count) if isinstance(source, Packing) else layout.type
        layout = replace(layout, type=type, is_full=False)
    buffer = here.local(layout.type, layout.elements.constant)
    if isinstance(source, Stored):
        operand = Computed(**vars(layout), buffer=buffer, source=source)
    elif isinstance(source, Packing):
        assert isinstance(layout, Panels)
        operand = Widened(**vars(layout), buffer=buffer, source=source)
    else:
        operand = in_buffer(layout, buffer)
    operand.write(here)
    return operand
