"""Outlined graph attributes of nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects.shape import Tensor
from opc.errors import UnsupportedError
from opc.frontend.models.op_builder import Builder

from .containers import Held


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
