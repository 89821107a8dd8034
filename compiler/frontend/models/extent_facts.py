"""What a function states of extents: which are 1, and upper bounds that nothing else gives.

The caller of a public function gives capacities (``opc.given_extents``).  A body of control flow
only has the extents of its arguments, so it takes an empty tensor with the extent.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.symbols import GivenExtentsOp, RequireOp
from opc.dialects.shape import Requirement, tensor_type

from .op_builder import Builder


class Ones:
    """The extents of one function that are certainly 1, or certainly not."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.chosen: dict[ex.Expr, bool] = {}
        """Whether extents are 1 where the function runs."""

    def is_one(self, e: ex.Expr) -> bool | None:
        """True or False if it is certain when compiling, else None."""
        if e.constant is not None:
            return e == 1
        if e in self.chosen:
            return self.chosen[e]
        if gcd(*(c for _, c in e.terms)) > 1 or ex.is_nonnegative(e - 2):
            return False
        required = [
            op.sides.data
            for op in self.block.ops
            if isinstance(op, RequireOp) and op.relation.data == "equal"
        ]
        same, size = {e}, 0
        while len(same) > size:
            size = len(same)
            same.update(s for sides in required if same & set(sides) for s in sides)
        numbers = {s.constant for s in same} - {None}
        return numbers == {1} if numbers else None

    def refutes(self, need: Requirement) -> bool:
        """Whether facts about extents of 1 contradict a requirement."""
        if need.relation != "equal":
            return False
        for e, other in ((need.left, need.right), (need.right, need.left)):
            if other.constant is not None and self.chosen.get(e) is (other != 1):
                return True
        return False


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
