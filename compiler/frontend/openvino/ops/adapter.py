"""Layers that mean what a node of ONNX does: its row of that registry legalizes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, Block

from opc.dialects.onnx import NodeOp, UnknownType
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.op_builder import Result
from opc.frontend.models.outlined import Tail
from opc.frontend.onnx.ops import SCHEMAS
from opc.frontend.onnx.ops.node import Graphs, Node, Scope

if TYPE_CHECKING:
    from .layer import Layer

Found = TypeVar("Found")


def _attribute(value: int | float | str | Sequence[int]) -> Attribute:
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, float):
        return FloatAttr(value, f32)
    if isinstance(value, int):
        return IntegerAttr(int(value), i64)
    return DenseArrayBase.from_list(i64, list(value))


def _no_graph(*_: object) -> NoReturn:
    raise AssertionError("the node has no graphs")


class NodeAdapter(Node):
    """A layer as a node of ONNX; what is wrong is said of the layer."""

    def __init__(
        self,
        layer: Layer,
        operator: str,
        since: int,
        inputs: Sequence[Result | None],
        attributes: Mapping[str, int | float | str | Sequence[int]] | None = None,
        outputs: int | None = None,
    ) -> None:
        given = {name: _attribute(value) for name, value in (attributes or {}).items()}
        types = [UnknownType()] * (len(layer.op.outputs) if outputs is None else outputs)
        op = NodeOp.of(operator, since, [], given, types)
        op.location = layer.op.location
        graphs = Graphs(_no_graph, _no_graph, _no_graph, _no_graph)
        scope = Scope(
            layer.insert,
            lambda: layer.fresh("v"),
            graphs,
            layer.stream,
            lambda text: None,
            layer.prefers_sort,
            layer.bodies.capacities,
            layer.bodies.ones,
        )
        super().__init__(op, SCHEMAS[operator][since], inputs, 0, layer.insert, scope)
        self.layer = layer

    def legalized(self, legalize: Callable[[Node], Found]) -> Found:
        """What a function makes of the node; bodies of control flow get into the module around."""
        self.layer.insert(self.op)
        found = legalize(self)
        self.op.detach()
        return found

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail:
        """What follows the layer, which its branches may compute."""
        assert branch is not None
        return self.layer.bodies.tail(self.layer.op, branch)

    def error(self, message: str) -> InputError:
        """What is wrong with the layer."""
        return self.layer.error(message)

    def unsupported(self, message: str) -> UnsupportedError:
        """What opc cannot compile about the layer."""
        return self.layer.unsupported(message)


def same_as(
    layer: Layer,
    operator: str,
    since: int,
    inputs: Sequence[Result | None],
    **attributes: int | float | str | Sequence[int],
) -> tuple[Result, ...]:
    """The results of the node of ONNX with these inputs and attributes."""
    node = NodeAdapter(layer, operator, since, inputs, attributes)
    found = node.legalized(node.schema.legalize)
    results = found if isinstance(found, tuple) else (found,)
    return tuple(r for r in results if r is not None)
