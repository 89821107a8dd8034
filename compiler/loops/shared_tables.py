"""Gathers of rows that read the panels of a product, where both have one constant.

::

    gather %table[%i, d1], and a product whose columns are the rows of %table, in panels of 64
      -->
    gather %panels[(%i / 64) * 64 * K + d1 * 64 + %i % 64]

A language model reads one matrix twice: rows of it by numbers of words, and all of it for its
results.  The matrix is then in memory once.  A gather reads few rows, so it may read them element
by element.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.layout import linearize
from opc.dialects.shape import shape_of
from opc.schedule.contraction import Contraction, constant_of

from .insertion import Insertion
from .packing import Panels
from .stored import PartPanels


@dataclass(frozen=True)
class Table:
    """Panels of a constant whose rows are the columns of a product."""

    buffer: SSAValue
    panels: Panels
    length: int
    """Elements of a row."""

    def read(self, here: Insertion, op: kernel.GatherOp, number: SSAValue) -> SSAValue:
        """Write the load of an element of the row that a value says."""
        e = linearize(op.index.data[1:], shape_of(op.source.type)[1:])
        element, dims = here.resolve(e)
        row, dims = ex.dim(len(dims)), [*dims, number]
        size, own = self.panels.size, ex.mod(row, self.panels.size)
        per, lanes, unit = 1, size, self.panels.type
        if isinstance(self.panels, PartPanels):
            per, lanes, unit = self.panels.per, self.panels.lanes, self.panels.unit
        before = ex.floordiv(own, lanes * per) * lanes + ex.mod(own, lanes) if per > 1 else own
        panel = ex.floordiv(row, size) * (size // per * self.length)
        index = panel + element * (size // per) + before
        value = here.add(loop.GatherOp.of(self.buffer, index, dims))
        if per == 1:
            return value
        bits = ex.mod(ex.floordiv(own, lanes), per) * self.panels.type.bits
        amount = here.cast(here.add(body.IndexOp.of(bits, dims)), unit)
        return here.cast(here.apply("shr", value, amount), self.panels.type)


@dataclass
class Tables:
    """The panels of a function by the constants that are in them."""

    of: dict[Attribute, Table] = field(default_factory=dict[Attribute, Table])

    def add(self, c: Contraction, load: kernel.LoadOp, panels: Panels, buffer: SSAValue) -> None:
        """Note the panels of a constant, if its rows are the columns of the product."""
        value, length, own = constant_of(load.source), panels.length.constant, panels.axis
        is_plain = len(c.reduced) == 1 and not panels.outer and panels.group == 1
        if value is None or length is None or own is None or not is_plain:
            return
        step = panels.step(c.chain)
        element = ex.floordiv(ex.dim(c.chain[-1]), step) if step else ex.const(0)
        is_whole = ex.product(shape_of(load.source.type)) == c.extent(own) * length
        # Gathers stand anywhere in the function.
        is_outermost = isinstance(buffer.owner.parent_op(), FuncOp)
        if is_outermost and is_whole and c.offsets[load] == ex.dim(own[-1]) * length + element:
            self.of[value] = Table(buffer, panels, length)

    def find(self, op: kernel.GatherOp) -> Table | None:
        """The panels that a gather of rows may read; None if its table is in memory in any case."""
        value = constant_of(op.source)
        table = None if value is None else self.of.get(value)
        if table is None or op.valued_axes() != [0] or not _is_gathered(op.source):
            return None
        if ex.product(shape_of(op.source.type)[1:]).constant != table.length:
            return None
        _move_to_front(table.buffer)
        return table


def _move_to_front(constant: SSAValue) -> None:
    """Move a constant in front of all operations of its block."""
    op = constant.owner
    assert isinstance(op, loop.ConstantOp) and op.parent is not None
    block = op.parent
    if (first := block.first_op) is not op and first is not None:
        op.detach()
        block.insert_op_before(op, first)


def _is_gathered(source: SSAValue) -> bool:
    """Whether only gathers read a constant, and views of it."""
    value: SSAValue | None = source
    while value is not None:
        if not all(isinstance(use.operation, kernel.GatherOp | loop.ViewOp) for use in value.uses):
            return False
        value = value.owner.source if isinstance(value.owner, loop.ViewOp) else None
    return True
