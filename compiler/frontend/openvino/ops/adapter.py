"""Layers as ONNX nodes, which the ONNX schemas legalize."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

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
from opc.frontend.models.call import Scope
from opc.frontend.models.op_builder import Result
from opc.frontend.onnx.ops import SCHEMAS
from opc.frontend.onnx.ops.node import Graphs, Node

from .layer import Layer

if TYPE_CHECKING:
    from opc.frontend.tail_duplication import Tail

T = TypeVar("T")


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
    """A layer as a node of ONNX; errors name the layer."""

    def __init__(
        self,
        layer: Layer,
        operator: str,
        since: int,
        inputs: Sequence[Result | None],
        attributes: Mapping[str, int | float | str | Sequence[int]] | None = None,
        outputs: int | None = None,
    ) -> None:
        encoded = {name: _attribute(value) for name, value in (attributes or {}).items()}
        types = [UnknownType()] * (len(layer.op.outputs) if outputs is None else outputs)
        op = NodeOp.of(operator, since, [], encoded, types)
        op.location = layer.op.location
        shared = {f.name: getattr(layer.bodies, f.name) for f in fields(Scope)}
        graphs = Graphs(
            **shared,
            inline=_no_graph,
            outline=_no_graph,
            tail=_no_graph,
            state=layer.insert,
            note=lambda text: None,
        )
        super().__init__(op, SCHEMAS[operator][since], inputs, 0, layer.insert, graphs)
        self.layer = layer

    def legalized(self, legalize: Callable[[Node], T]) -> T:
        """Legalize the node by a function, while the node is in the module."""
        self.layer.insert(self.op)
        results = legalize(self)
        self.op.detach()
        return results

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail[Any]:
        """The operations behind the layer, which its branches may compute."""
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
    result = node.legalized(node.schema.legalize)
    results = result if isinstance(result, tuple) else (result,)
    return tuple(layer.tensor(r) for r in results if r is not None)
