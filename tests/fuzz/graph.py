"""A graph, its inputs, and its values with what the interpreter computes for them."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.expr import Expr
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.shape import shape_of, tensor_of
from opc.interpret.precision import Array

Extent = tuple[int, Expr]
"""An extent in this run, and what the type says of it."""


@dataclass(frozen=True, eq=False)
class Value:
    """A value of the graph: its place there, and what the interpreter computes for it."""

    ssa: SSAValue
    array: Array

    @property
    def type(self) -> ElementType:
        found = el.element_of(tensor_of(self.ssa).element_type)
        assert found is not None
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def extents(self) -> list[Extent]:
        return list(zip(self.array.shape, shape_of(self.ssa.type), strict=True))


@dataclass
class Graph:
    """A finished graph and its inputs."""

    name: str
    module: ModuleOp
    inputs: list[Array]
    symbols: dict[str, int] = field(default_factory=dict[str, int])
    """The values of symbols for these inputs."""
    others: list[list[Array]] = field(default_factory=list[list[Array]])
    """Inputs of other extents for the same graph."""

    @property
    def function(self) -> func.FuncOp:
        found = self.module.body.block.first_op
        assert isinstance(found, func.FuncOp)
        return found

    @property
    def returned(self) -> list[SSAValue]:
        """The results."""
        end = self.function.body.block.last_op
        assert end is not None
        return list(end.operands)

    @property
    def operators(self) -> int:
        return sum(isinstance(op, OpcOp | ControlOp) for op in self.module.walk())
