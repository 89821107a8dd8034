"""The form of a loop: what it is apart from the buffers that it uses.

Two loops of one form are equal but for their buffers: their operations are equal, where a value
counts as the position at which it first occurs.  Extents and offsets must agree; buffers, values of
large constants, and the numbers by which floats are scaled and shifted, as in the layers of a
quantized network, may differ.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from . import body, loop
from .body import scalar_type
from .buffer import element_in, root
from .shape import IndexAttr

SCALING = frozenset({"mul", "div"})
PLAIN = frozenset({"add", "sub", "fma", "requantize"}) | SCALING
"""Functions that take as long if the C compiler does not know the number."""


class Form:
    """What the C of a loop depends on, but for the names of buffers."""

    def __init__(
        self,
        op: loop.ForOp,
        constant: Collection[SSAValue],
        varying: dict[Operation, bool],
        starts: Mapping[SSAValue, int] | None = None,
    ) -> None:
        """``constant`` are the buffers that nothing writes.

        ``varying`` keeps which constants may differ; all loops of a function may share one.
        Offsets of loads count from the ``starts`` of buffers.
        """
        self.starts = starts or {}
        self.outside: dict[SSAValue, set[SSAValue]] = {}
        """The buffers and scalars from outside, in order of use, with the values that name them."""
        self.numbers: dict[SSAValue, int] = {}
        """The constants that may differ in an equal loop, with their positions in order of use."""
        self.arrays: list[SSAValue] = []
        self.loops: list[loop.ForOp] = []
        self.size = 0
        self._constant = constant
        self._may_differ = varying
        self._inside: dict[SSAValue, int] = {}
        self._positions: dict[SSAValue, int] = {}
        self._items: list[Hashable] = []
        self._visit(op)
        self.key = tuple(self._items)

    def _visit(self, op: Operation) -> None:
        self.size += 1
        first = len(self._items)
        if isinstance(op, body.ConstantOp):
            self._items.append(self._number(op))
        else:
            self._items += (type(op), *op.properties.items(), *op.attributes.items())
            self._items += map(self._operand, op.operands)
            if isinstance(op, loop.LoadOp) and op.source in self.starts:
                index = moved(op, self.starts[op.source])
                self._items[first + 1] = "index", index
        for result in op.results:
            self._items.append(result.type)
            self._inside[result] = len(self._inside)
        if isinstance(op, loop.ForOp):
            self.loops.append(op)
        elif isinstance(op, loop.LocalOp):
            self.arrays.append(op.result)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    self._inside[argument] = len(self._inside)
                for inner in block.ops:
                    self._visit(inner)
                self._items.append(None)

    def _operand(self, value: SSAValue) -> Hashable:
        known = self._inside.get(value)
        if known is not None:
            return known
        if isinstance(value.owner, body.ConstantOp):
            return self._number(value.owner)
        named = _named(value)
        position = self._positions.setdefault(named, len(self._positions))
        self.outside.setdefault(named, set()).add(value)
        return -1 - position, value.type, self._role(named)

    def _number(self, op: body.ConstantOp) -> Hashable:
        if op not in self._may_differ:
            self._may_differ[op] = _may_differ(op)
        if self._may_differ[op]:
            return self.numbers.setdefault(op.result, len(self.numbers)), op.result.type
        return number_text(op), op.result.type

    def _role(self, value: SSAValue) -> Hashable:
        """How C uses a value from outside."""
        if not isinstance(value.type, MemRefType):
            return "scalar"
        if isinstance(value.owner, loop.LocalOp):
            return value.owner.lanes
        is_constant = isinstance(value.owner, loop.ConstantOp) or root(value) in self._constant
        return element_in(value).name, is_constant


def moved(op: loop.LoadOp, start: int) -> IndexAttr:
    """The index of a load that counts from another element of its buffer."""
    return IndexAttr((op.index.data[0] - start,))


def number_text(op: body.ConstantOp) -> str:
    """A number as text, in which 0 and -0 differ."""
    return repr(op.number)


def _may_differ(op: body.ConstantOp) -> bool:
    """Whether a C compiler gains nothing by knowing a number.

    It may drop a sum with zero, and make a product of a quotient by a power of two.
    """
    users = {getattr(use.operation, "function", None) for use in op.result.uses}
    names = {user.data if user is not None else "" for user in users}
    type = scalar_type(op.result)
    if names == {"requantize"} and type.is_integer:
        return True
    if not names <= PLAIN or not type.is_float or type.is_small_float:
        return False
    value = float(op.number)
    is_power_of_two = abs(math.frexp(value)[0]) == 0.5
    is_exact = is_power_of_two and not names.isdisjoint(SCALING)
    return math.isfinite(value) and value != 0 and not is_exact


def _named(value: SSAValue) -> SSAValue:
    """The buffer or view that has a name of its own in C."""
    while isinstance(value.owner, loop.ViewOp) and value.owner.start == 0:
        value = value.owner.source
    return value
