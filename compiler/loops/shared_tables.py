"""Gathers of rows that read the panels of a product, where both have one constant.

::

    gather %table[%i, d1], and a product whose columns are the rows of %table, in panels of 64
      -->
    gather %panels[(%i / 64) * 64 * K + d1 * 64 + %i % 64]

A language model reads one matrix twice: rows of it by numbers of words, and all of it for its
results.  The matrix is then in memory once.  A gather reads few rows, so it may read them element
by element.  Tables of 4 and 2 bits that only gathers read have several values in a byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.blob import array_of, deferred, flat
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.layout import linearize
from opc.dialects.opc.movement import Array
from opc.dialects.shape import buffer_type, shape_of, tensor_type
from opc.schedule.contraction import Contraction, constant_of

from .insertion import Insertion
from .loop_parts import insert
from .packing import Panels
from .stored import BYTE, PartPanels


@dataclass(frozen=True)
class Table:
    """Panels of a constant whose rows are the columns of a product."""

    buffer: SSAValue
    panels: Panels
    length: int
    """Elements of a row."""
    axis: int
    """The axis of the constant that rows are counted along: 0, or -1 if they lie side by side."""

    def read(self, here: Insertion, op: kernel.GatherOp, number: SSAValue) -> SSAValue:
        """Write the load of an element of the row that a value says."""
        own = slice(1, None) if self.axis == 0 else slice(-1)
        e = linearize(op.index.data[own], shape_of(op.source.type)[own])
        element, dims = here.resolve(e)
        row, dims = ex.dim(len(dims)), [*dims, number]
        size, column = self.panels.size, ex.mod(row, self.panels.size)
        per, lanes, unit = 1, size, self.panels.type
        if isinstance(self.panels, PartPanels):
            per, lanes, unit = self.panels.per, self.panels.lanes, self.panels.unit
        before = column
        if per > 1:
            before = ex.floordiv(column, lanes * per) * lanes + ex.mod(column, lanes)
        panel = ex.floordiv(row, size) * (size // per * self.length)
        index = panel + element * (size // per) + before
        value = here.add(loop.GatherOp.of(self.buffer, index, dims))
        if per == 1:
            return value
        bits = ex.mod(ex.floordiv(column, lanes), per) * self.panels.type.bits
        amount = here.cast(here.add(body.IndexOp.of(bits, dims)), unit)
        return here.cast(here.apply("shr", value, amount), self.panels.type)


@dataclass(frozen=True)
class SmallTable:
    """Values of 4 or 2 bits in order, the first ones of a byte in its lowest bits."""

    buffer: SSAValue
    type: ElementType

    def read(self, here: Insertion, index: ex.Expr, dims: Sequence[SSAValue]) -> SSAValue:
        """Write the load of an element."""
        per = 8 // self.type.bits
        value = here.add(loop.GatherOp.of(self.buffer, ex.floordiv(index, per), dims))
        bits = here.add(body.IndexOp.of(ex.mod(index, per) * self.type.bits, dims))
        return here.cast(here.apply("shr", value, here.cast(bits, BYTE)), self.type)


@dataclass
class Tables:
    """The panels of a function by the constants that are in them."""

    of: dict[tuple[Attribute, int], Table] = field(
        default_factory=dict[tuple[Attribute, int], Table]
    )
    small: dict[Attribute, SmallTable] = field(default_factory=dict[Attribute, SmallTable])

    def add(self, c: Contraction, load: kernel.LoadOp, panels: Panels, buffer: SSAValue) -> None:
        """Note the panels of a constant, if its rows are the columns of the product."""
        value, length, own = constant_of(load.source), panels.length.constant, panels.axis
        is_plain = len(c.reduced) == 1 and not panels.outer and panels.group == 1
        if value is None or length is None or own is None or not is_plain:
            return
        step = panels.step(c.chain)
        element = ex.floordiv(ex.dim(c.chain[-1]), step) if step else ex.const(0)
        row, count = ex.dim(own[-1]), c.extent(own)
        is_whole = ex.product(shape_of(load.source.type)) == count * length
        # Gathers stand anywhere in the function.
        is_outermost = isinstance(buffer.owner.parent_op(), FuncOp)
        for axis, offset in ((0, row * length + element), (-1, row + element * count)):
            if is_outermost and is_whole and c.offsets[load] == offset:
                self.of[flat(value), axis] = Table(buffer, panels, length, axis)

    def find(self, op: kernel.GatherOp) -> Table | None:
        """The panels that a gather of rows may read; None if its table is in memory in any case."""
        value, shape = constant_of(op.source), shape_of(op.source.type)
        axis = next(
            (k for k, own in ((0, 0), (-1, len(shape) - 1)) if op.valued_axes() == [own]), None
        )
        if value is None or axis is None or not _is_gathered(op.source):
            return None
        table = self.of.get((flat(value), axis))
        if table is None or ex.product(shape) != shape[axis] * table.length:
            return None
        _move_to_front(table.buffer)
        return table

    def find_small(self, op: kernel.GatherOp) -> SmallTable | None:
        """The table of a gather with several values in a byte; None of wider types."""
        value, type = constant_of(op.source), scalar_type(op.result)
        if value is None or not type.is_small or type.bits == 8 or not _is_gathered(op.source):
            return None
        if (key := flat(value)) not in self.small:
            size, per = ex.product(shape_of(op.source.type)).constant or 0, 8 // type.bits
            count = -(-size // per)
            shared = deferred(partial(_shared, value, per), BYTE, (count,))
            result = buffer_type(tensor_type(BYTE, (ex.const(count),)))
            new = loop.ConstantOp(properties={"value": shared}, result_types=[result])
            insert(new, root_constant(op.source))
            self.small[key] = SmallTable(new.result, type)
        _move_to_front(self.small[key].buffer)
        return self.small[key]


def _shared(value: Attribute, per: int) -> Array:
    """Values of fewer than 8 bits, ``per`` of them in a byte."""
    codes = array_of(value).reshape(-1).view(np.uint8) & np.uint8((1 << 8 // per) - 1)
    codes = np.pad(codes, (0, -codes.size % per)).reshape(-1, per)
    shifts = (np.arange(per) * (8 // per)).astype(np.uint8)
    return np.bitwise_or.reduce(codes << shifts, axis=1)


def root_constant(source: SSAValue) -> loop.ConstantOp:
    """The operation of the constant that a value is a view of."""
    while isinstance(source.owner, loop.ViewOp):
        source = source.owner.source
    assert isinstance(source.owner, loop.ConstantOp)
    return source.owner


def _move_to_front(constant: SSAValue) -> None:
    """Move a constant in front of all operations of its block."""
    op = constant.owner
    assert isinstance(op, loop.ConstantOp) and op.parent is not None
    block = op.parent
    op.detach()
    Rewriter.insert_op(op, InsertPoint.at_start(block))


def _is_gathered(source: SSAValue) -> bool:
    """Whether only gathers read a constant, and views of it."""
    value: SSAValue | None = source
    while value is not None:
        if not all(isinstance(use.operation, kernel.GatherOp | loop.ViewOp) for use in value.uses):
            return False
        value = value.owner.source if isinstance(value.owner, loop.ViewOp) else None
    return True
