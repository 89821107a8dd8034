"""Capacities: upper bounds of data-dependent extents that nothing else bounds.

The caller of a public function gives them (``opc.given_extents``).  A body of control flow only has
the extents of its arguments, so it takes an empty tensor with the extent.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.symbols import GivenExtentsOp
from opc.dialects.shape import tensor_type

from .op_builder import Builder


class Capacities:
    """The capacities of one function."""

    def __init__(self, block: Block, fresh: Callable[[str], str]) -> None:
        self.block = block
        self.fresh = fresh
        self.outer: Capacities | None = None
        """The capacities of the outer function, for a body of control flow."""
        self.captured: list[SSAValue] = []
        """The operands for the last arguments of a body, with capacities as extents."""

    def data_extent(
        self, insert: Callable[[Operation], None], value: SSAValue, most: ex.Expr | None, name: str
    ) -> ex.Expr:
        """A computed number as a named extent with an upper bound, by default a new capacity."""
        capacity = None
        if most is None:
            most, capacity = self.next()
        insert(DataExtentOp.of(value, most, name, capacity))
        return ex.sym(name)

    def next(self) -> tuple[ex.Expr, str]:
        """A new capacity, and its name in the public function."""
        if self.outer is not None:
            value, name = self.outer._room()
            extent = ex.sym(self.fresh("c"))
            self.block.insert_arg(tensor_type(el.I1, (extent, 0)), len(self.block.args))
            self.captured.append(value)
            return extent, name
        name = self.fresh("c")
        self._first(GivenExtentsOp.of([name]))
        return ex.sym(name), name

    def _room(self) -> tuple[SSAValue, str]:
        """A tensor with a new capacity as an extent, and its name."""
        extent, name = self.next()
        if self.outer is not None:
            return self.block.args[-1], name
        ops: list[Operation] = []
        builder = Builder(ops.append)
        value = builder.without_elements([extent])
        for op in reversed(ops):
            self._first(op)
        return value, name

    def _first(self, op: Operation) -> None:
        first = self.block.first_op
        assert first is not None
        op.location = first.location
        self.block.insert_op_before(op, first)
