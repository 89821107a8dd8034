"""What the graphs among the attributes of a node become."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects.shape import Tensor

from .known import Held


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
