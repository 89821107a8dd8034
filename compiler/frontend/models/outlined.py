"""What the graphs among the attributes of a node become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects.shape import Tensor
from opc.errors import UnsupportedError

from .known import Held
from .op_builder import Result


@dataclass(frozen=True)
class Outlined:
    """A graph among the attributes of a node that became a body of control flow."""

    name: str
    body: FuncOp
    captured: list[SSAValue]
    """What it takes after the arguments that were asked for."""
    types: list[Tensor]
    """The types of its results where it is called."""
    arguments: list[Tensor]
    """The types of all that it takes, in symbols of its own, as those of its results."""
    results: list[Tensor]
    keeps_condition: bool
    """Whether the first result is true, or the second argument."""
    sequences: list[Held | None]
    """Which values that the graph gives are sequences: the values of one are results each."""


class RankError(UnsupportedError):
    """A body gives a value whose rank only a run knows: its result of number ``result``."""

    def __init__(self, message: str, location: str, result: int) -> None:
        super().__init__(message, location)
        self.result = result


class Tail(Protocol):
    """Branches of a node with what follows it; see ``opc.frontend.tails``."""

    ranks: list[int | None]
    """Those that results must have, as far as something says so."""

    def precede(self) -> bool:
        """Legalize what is behind the node and does not need it: it may say more of extents.

        False where a branch stands in place of the node already.
        """
        ...

    def place(self, name: str, because: str = "") -> None:
        """Put a branch in place of the node, whose results what it gives stands for.

        ``because`` says why the other one cannot be taken.
        """
        ...

    def outline(self, name: str) -> Outlined:
        """Make a branch and the tail a body of control flow.  Raises what their nodes do."""
        ...

    def extend(self, messages: Mapping[int, str], location: str) -> None:
        """Let the branches compute what needs results whose ranks differ, with errors of each."""
        ...

    def replaced(self, results: Sequence[Result]) -> tuple[Result | None, ...]:
        """Use results for the outputs; those that the node itself has."""
        ...
