"""Outlined graph attributes of nodes, and the tails of branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects.shape import Tensor
from opc.errors import UnsupportedError
from opc.frontend.models.op_builder import Builder

from .known import Held
from .op_builder import Result


@dataclass(frozen=True)
class Outlined:
    """A graph attribute of a node that became a body of control flow."""

    name: str
    body: FuncOp
    captured: list[SSAValue]
    """The outer values that it takes after the requested arguments."""
    types: list[Tensor]
    """The types of its results at the call."""
    arguments: list[Tensor]
    """The types of all its arguments in its own symbols; ``results`` are those of its results."""
    results: list[Tensor]
    keeps_condition: bool
    """Whether the first result is true, or is the second argument."""
    sequences: list[Held | None]
    """The results that are sequences; each value of a sequence is one result."""


class RankError(UnsupportedError):
    """The rank of result ``result`` of a body is known at run time only."""

    def __init__(self, message: str, location: str, result: int) -> None:
        super().__init__(message, location)
        self.result = result


class Tail(Protocol):
    """The branches of a node with the operations behind it; see ``opc.frontend.tails``."""

    ranks: list[int | None]
    """The required ranks of results, if known."""

    def precede(self) -> bool:
        """Legalize later nodes that do not need this one: they may add facts about extents.

        False if a branch replaces the node already.
        """
        ...

    def place(self, name: str, because: str = "") -> None:
        """Replace the node by a branch.

        ``because`` says why the other branch cannot be taken.
        """
        ...

    def outline(self, name: str) -> Outlined:
        """Make a branch with the tail a body of control flow.  Raises the errors of their nodes."""
        ...

    def extend(self, messages: Mapping[int, str], location: str) -> None:
        """Move the users of results whose ranks differ into the branches; an error for each."""
        ...

    def replaced(self, results: Sequence[Result]) -> tuple[Result | None, ...]:
        """Replace the outputs; returns the results of the node itself."""
        ...


def change_results(
    body: FuncOp, change: Callable[[Builder, list[SSAValue]], Sequence[SSAValue]]
) -> None:
    """Replace the results of a body by others, which ``change`` computes at its end."""
    block = body.body.block
    back = block.last_op
    assert isinstance(back, ReturnOp)

    def insert(op: Operation) -> None:
        op.location = back.location
        block.insert_op_before(op, back)

    insert(ReturnOp(*change(Builder(insert), list(back.operands))))
    block.erase_op(back)
    body.update_function_type()
