"""Layers as ONNX nodes, which the ONNX schemas legalize."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

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
from opc.dialects.opc.symbols import RequireOp
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.op_builder import Result, Value
from opc.frontend.onnx.ops import SCHEMAS
from opc.frontend.onnx.ops.node import Node
from opc.frontend.tail_duplication import Tail

from .layer import Layer

T = TypeVar("T")


def _attribute(value: int | float | str | Sequence[int]) -> Attribute:
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, float):
        return FloatAttr(value, f32)
    if isinstance(value, int):
        return IntegerAttr(int(value), i64)
    return DenseArrayBase.from_list(i64, list(value))


class NodeAdapter(Node):
    """A layer as a node of ONNX; errors name the layer."""

    def __init__(
        self,
        layer: Layer,
        operator: str,
        since: int,
        inputs: Sequence[Value | None],
        attributes: Mapping[str, int | float | str | Sequence[int]] | None = None,
        outputs: int | None = None,
    ) -> None:
        encoded = {name: _attribute(value) for name, value in (attributes or {}).items()}
        types = [UnknownType()] * (len(layer.op.outputs) if outputs is None else outputs)
        op = NodeOp.of(operator, since, [], encoded, types)
        op.location = layer.op.location
        super().__init__(op, SCHEMAS[operator][since], inputs, 0, layer.insert, layer.into)
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
        return Tail(self.into, self.layer.op, branch)

    def state(self, need: RequireOp) -> None:
        """Insert a requirement."""
        self.insert(need)

    def note(self, text: str) -> None:
        """Nothing: notes are about nodes of ONNX."""

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
