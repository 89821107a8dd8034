"""Operators that the specification defines as functions of others, and opc no other way.

The package ``onnx`` has their bodies, which are inlined before the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opc.dialects.onnx import ORDINAL
from opc.dialects.shape import tensor_type
from opc.errors import UsageError
from opc.frontend.models.op_builder import Result
from opc.frontend.onnx.file import onnx as package

from .node import Node
from .schema import DATA_TYPES, NAMES, onnx

NUMBERS = {name: number for number, name in DATA_TYPES.items()}
KINDS = frozenset({"int", "float", "string", "ints", "floats", "strings", "tensor"})
"""The kinds of attributes that a function supports."""


def _published(node: Node) -> Any:
    """The schema of the package ``onnx``, which has the body."""
    domain, _, name = node.schema.operator.rpartition("::")
    try:
        defs = package().defs
    except UsageError:
        raise node.unsupported("its body is in the package onnx, which is not installed") from None
    if not defs.has(name, node.since, domain):
        raise node.unsupported("the installed package onnx is older than this operator")
    return defs.get_schema(name, node.since, domain)


def _attributes(node: Node) -> dict[str, Any]:
    """The node's attributes and defaults of the others, as protocol buffers."""
    helper, attributes = package().helper, dict[str, Any]()
    for spec in node.schema.attributes:
        value = node.attr(spec.name) if spec.kind in KINDS else None
        if spec.kind not in KINDS and node.given(spec.name):
            raise node.unsupported(f"attribute {spec.name} of kind {spec.kind} is not supported")
        if value is None:
            continue
        kind = package().AttributeProto.AttributeType.Value(spec.kind.upper())
        if spec.kind == "tensor":
            value = package().numpy_helper.from_array(value)
        attributes[spec.name] = helper.make_attribute(spec.name, value, attr_type=kind)
    return attributes


def _function(node: Node, published: Any, attributes: Mapping[str, Any]) -> Any:
    """The function for the types of the node's inputs."""
    if published.has_function:
        return published.function_body
    types = [
        package().TypeProto()
        if value is None
        else package().helper.make_tensor_type_proto(
            NUMBERS[NAMES[node.element(k).name]], [e.constant for e in node.shape(k)]
        )
        for k, value in enumerate(node.inputs)
    ]
    domain, _, name = node.schema.operator.rpartition("::")
    proto = package().helper.make_node(
        name,
        ["" if value is None else f"i{k}" for k, value in enumerate(node.inputs)],
        [f"o{k}" for k in range(len(node.op.outputs))],
        domain=domain,
    )
    written = [a for name, a in attributes.items() if node.given(name)]
    proto.attribute.extend(written)
    version = max(published.context_dependent_function_opset_versions)
    text = published.get_context_dependent_function_with_opset_version(
        version, proto.SerializeToString(), [t.SerializeToString() for t in types]
    )
    function = package().FunctionProto()
    function.ParseFromString(text)
    return function


@onnx("RotaryEmbedding", 23)
@onnx("SwiGLU", 28)
def expand(node: Node) -> tuple[Result | None, ...]:
    """F(x, ...) --> the body of F in the specification."""
    from opc.frontend.onnx.body import read_body

    published = _published(node)
    attributes = _attributes(node)
    function = _function(node, published, attributes)
    if not function.node:
        raise node.unsupported("the specification has no body of it for these inputs")
    types = [
        None if value is None else tensor_type(node.element(k), node.shape(k))
        for k, value in enumerate(node.inputs)
    ]
    ordinal = node.op.attributes.get(ORDINAL)
    block, results = read_body(
        function, types, attributes, node.place, str(getattr(ordinal, "data", node.ordinal))
    )
    for op in block.walk():
        op.location = node.op.location
    arguments = [value for value in node.inputs if value is not None]
    values = iter(node.write(block, arguments))
    return tuple(next(values) if is_there else None for is_there in results)
