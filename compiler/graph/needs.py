"""The requirements of a function's extents, each stated once before it is needed."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.data_extent import data_extents
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import Requirement
from opc.errors import InputError
from opc.support.locations import location_of

from .run_time_axes import without_definitions


class Needs:
    """The requirements of one function; ``sources`` define symbols at its start."""

    def __init__(self, block: Block, sources: list[SymbolSource]) -> None:
        self.block, self.sources = block, sources
        self.stated = {
            (op.relation.data, *op.sides.data) for op in block.ops if isinstance(op, RequireOp)
        }
        self.new: list[RequireOp] = []

    def require(self, need: Requirement, op: Operation, is_written: bool = False) -> None:
        """State a requirement, unless it is stated or always holds.  InputError if it cannot hold.

        Where the graph itself states that N divides N (``is_written``), it may fail, since N may
        be 0.
        """
        need = _as_division(
            replace(
                need,
                left=without_definitions(need.left, self.sources),
                right=without_definitions(need.right, self.sources),
            )
        )
        if need.decided() is False:
            raise InputError(
                f"{need.message}: {extent_text(need.left)} and {extent_text(need.right)}",
                location_of(op),
            )
        key = (need.relation, need.left, need.right)
        is_certain = need.decided() and not (is_written and need.right.constant is None)
        if is_certain or key in self.stated:
            return
        self.stated.add(key)
        stated = RequireOp.of(need)
        stated.location = op.location
        self.new.append(stated)

    def insert(self) -> None:
        """Move requirements and sources to the start, so that symbols are defined before use."""
        start = [op for op in self.block.ops if isinstance(op, RequireOp)] + self.new
        start = self._insert_data_extents(start)
        # A source may compute with extents that an earlier requirement guarantees.
        behind = {n: k for k, source in enumerate(self.sources, 1) for n in source.defined}
        waits: list[list[Operation]] = [[] for _ in range(len(self.sources) + 1)]
        for need in start:
            names = {n for e in need.sides.data for n in e.symbols()}
            waits[max((behind.get(n, 0) for n in names), default=0)].append(need)
        ordered = waits[0]
        for source, needs in zip(self.sources, waits[1:], strict=True):
            ordered += [source, *needs]
        for op in ordered:
            if op.parent is not None:
                op.detach()
        first = self.block.first_op
        assert first is not None
        self.block.insert_ops_before(ordered, first)

    def _insert_data_extents(self, needs: list[RequireOp]) -> list[RequireOp]:
        """Move requirements of data-dependent symbols behind these; return the others."""
        behind: dict[str, Operation] = {op.defined: op for op in data_extents(self.block)}
        order = {op: k for k, op in enumerate(self.block.ops)}
        rest: list[RequireOp] = []
        for need in needs:
            names = {n for e in need.sides.data for n in e.symbols()} & behind.keys()
            if not names:
                rest.append(need)
                continue
            if need.parent is not None:
                need.detach()
            last = max((behind[n] for n in names), key=order.__getitem__)
            self.block.insert_op_after(need, last)
        return rest


def _as_division(need: Requirement) -> Requirement:
    """``n == floordiv(n, d)*d  -->  d divides n``."""
    rest = need.left - need.right
    for factors, _ in rest.terms:
        for atom in factors:
            if need.relation == "equal" and atom.kind == "floordiv":
                n, d = atom.args
                if rest == n - ex.Expr({(atom,): 1}) * d:
                    return replace(need, relation="divides", right=d)
    return need
