"""Which extents are 1, by requirements of a function or by the branch of a choice."""

from __future__ import annotations

from math import gcd

from xdsl.ir import Block

from opc.dialects import expr as ex
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement


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
