"""Outlined graph attributes of nodes."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects.shape import Tensor
from opc.errors import UnsupportedError

from .known import Held


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
