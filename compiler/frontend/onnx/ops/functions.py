"""Schemas for operators that the specification defines as functions and opc has none for.

The schema comes from the package ``onnx``; legalizing inlines the function body before the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from opc.dialects.onnx import ORDINAL
from opc.dialects.shape import tensor_type
from opc.errors import UsageError
from opc.frontend.models.op_builder import Result
from opc.frontend.onnx.file import onnx

from .node import Node
from .schema import DATA_TYPES, NAMES, SCHEMAS, Attribute, Schema, Value, find

NUMBERS = {name: number for number, name in DATA_TYPES.items()}
OPTIONS = {"Single": "", "Optional": "?", "Variadic": "*"}
KINDS = frozenset({"int", "float", "string", "ints", "floats", "strings", "tensor"})
"""The kinds of attributes that a function supports."""


def schema_in(operator: str, opset: int) -> Schema | None:
    """The schema of the newest version in an opset, opc's own or that of a function."""
    if operator in SCHEMAS:
        return find(operator, opset)
    published = _published(operator, opset)
    return None if published is None else _schema(operator, int(published.since_version))


def schema_since(operator: str, since: int) -> Schema | None:
    """The schema of exactly this version."""
    if operator in SCHEMAS:
        return SCHEMAS[operator].get(since)
    schema = schema_in(operator, since)
    return schema if schema is not None and schema.since == since else None


def _published(operator: str, opset: int) -> Any:
    """The published schema of a function; None without one or without the package."""
    try:
        defs = onnx().defs
    except UsageError:
        return None
    domain, _, name = operator.rpartition("::")
    try:
        published = defs.get_schema(name, opset, domain)
    except defs.SchemaError:
        return None
    return published if published.has_function or published.has_context_dependent_function else None


def _bare(type: str) -> str:
    return type.removeprefix("tensor(").removesuffix(")")


def _default(attribute: Any) -> Any:
    if not attribute.default_value.name:
        return None
    value = onnx().helper.get_attribute_value(attribute.default_value)
    if isinstance(value, bytes):
        return value.decode()
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value


@cache
def _schema(operator: str, since: int) -> Schema:
    published = _published(operator, since)
    values, results = (
        tuple(Value(v.name, _bare(v.type_str), OPTIONS[v.option.name]) for v in formal)
        for formal in (published.inputs, published.outputs)
    )
    attributes = tuple(
        Attribute(a.name, a.type.name.lower(), _default(a), a.required)
        for a in published.attributes.values()
    )
    types = {
        c.type_param_str: frozenset(map(_bare, c.allowed_type_strs))
        for c in published.type_constraints
    }
    return Schema(operator, since, values, results, attributes, types, expand, published.min_input)


def _attributes(node: Node) -> dict[str, Any]:
    """The node's attributes and defaults of the others, as protocol buffers."""
    helper, attributes = onnx().helper, dict[str, Any]()
    for spec in node.schema.attributes:
        value = node.attr(spec.name) if spec.kind in KINDS else None
        if spec.kind not in KINDS and node.given(spec.name):
            raise node.unsupported(f"attribute {spec.name} of kind {spec.kind} is not supported")
        if value is None:
            continue
        kind = onnx().AttributeProto.AttributeType.Value(spec.kind.upper())
        if spec.kind == "tensor":
            value = onnx().numpy_helper.from_array(value)
        attributes[spec.name] = helper.make_attribute(spec.name, value, attr_type=kind)
    return attributes


def _function(node: Node, attributes: Mapping[str, Any]) -> Any:
    """The function for the types of the node's inputs."""
    published = _published(node.schema.operator, node.since)
    if published.has_function:
        return published.function_body
    types = [
        onnx().TypeProto()
        if value is None
        else onnx().helper.make_tensor_type_proto(
            NUMBERS[NAMES[node.element(k).name]], [e.constant for e in node.shape(k)]
        )
        for k, value in enumerate(node.inputs)
    ]
    domain, _, name = node.schema.operator.rpartition("::")
    proto = onnx().helper.make_node(
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
    function = onnx().FunctionProto()
    function.ParseFromString(text)
    return function


def expand(node: Node) -> tuple[Result | None, ...]:
    """F(x, ...) --> the body of F in the specification."""
    from opc.frontend.onnx.body import read_body

    attributes = _attributes(node)
    function = _function(node, attributes)
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
