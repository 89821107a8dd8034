"""Operators that the specification defines by other operators: a row for each that has none.

What their schemas in the package ``onnx`` say is the row, and legalizing it writes the body of the
function in front of the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from opc.dialects.onnx import ORDINAL
from opc.dialects.shape import tensor_type
from opc.errors import UsageError
from opc.frontend.models.op_builder import Result
from opc.frontend.onnx.file import onnx

from .node import Node
from .schema import DATA_TYPES, NAMES, SCHEMAS, Attribute, Schema, Value, find

if TYPE_CHECKING:
    from opc.dialects.element import ElementType
    from opc.dialects.shape import Shape

NUMBERS = {name: number for number, name in DATA_TYPES.items()}
OPTIONS = {"Single": "", "Optional": "?", "Variadic": "*"}
KINDS = frozenset({"int", "float", "string", "ints", "floats", "strings", "tensor"})
"""The attributes that a function can be given."""


def schema_in(operator: str, opset: int) -> Schema | None:
    """The row of the newest version in an opset: as it is written, or that of a function."""
    if operator in SCHEMAS:
        return find(operator, opset)
    published = _published(operator, opset)
    return None if published is None else _schema(operator, int(published.since_version))


def schema_since(operator: str, since: int) -> Schema | None:
    """The row of exactly this version."""
    if operator in SCHEMAS:
        return SCHEMAS[operator].get(since)
    found = schema_in(operator, since)
    return found if found is not None and found.since == since else None


def _published(operator: str, opset: int) -> Any:
    """The schema of an operator that is a function, None if there is none or no package."""
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


def _type(element: ElementType, shape: Shape) -> Any:
    extents = [e.constant for e in shape]
    return onnx().helper.make_tensor_type_proto(NUMBERS[NAMES[element.name]], extents)


def _attributes(node: Node) -> dict[str, Any]:
    """What is given at the node, and the defaults of the rest, as protocol buffers."""
    helper, found = onnx().helper, dict[str, Any]()
    for spec in node.schema.attributes:
        value = node.attr(spec.name) if spec.kind in KINDS else None
        if spec.kind not in KINDS and node.given(spec.name):
            raise node.unsupported(f"attribute {spec.name} of kind {spec.kind} is not supported")
        if value is None:
            continue
        kind = onnx().AttributeProto.AttributeType.Value(spec.kind.upper())
        if spec.kind == "tensor":
            value = onnx().numpy_helper.from_array(value)
        found[spec.name] = helper.make_attribute(spec.name, value, attr_type=kind)
    return found


def _function(node: Node, given: Mapping[str, Any]) -> Any:
    """The function that the node calls, for the types of its inputs."""
    published = _published(node.schema.operator, node.since)
    if published.has_function:
        return published.function_body
    types = [
        onnx().TypeProto() if value is None else _type(node.element(k), node.shape(k))
        for k, value in enumerate(node.inputs)
    ]
    domain, _, name = node.schema.operator.rpartition("::")
    proto = onnx().helper.make_node(
        name,
        ["" if value is None else f"i{k}" for k, value in enumerate(node.inputs)],
        [f"o{k}" for k in range(len(node.op.outputs))],
        domain=domain,
    )
    written = [a for name, a in given.items() if node.given(name)]
    proto.attribute.extend(written)
    version = max(published.context_dependent_function_opset_versions)
    text = published.get_context_dependent_function_with_opset_version(
        version, proto.SerializeToString(), [t.SerializeToString() for t in types]
    )
    function = onnx().FunctionProto()
    function.ParseFromString(text)
    return function


def expand(node: Node) -> tuple[Result | None, ...]:
    """F(x, ...) --> the nodes that the specification defines F by."""
    from opc.frontend.onnx.body import read_body

    given = _attributes(node)
    function = _function(node, given)
    if not function.node:
        raise node.unsupported("the specification has no body of it for these inputs")
    types = [
        None if value is None else tensor_type(node.element(k), node.shape(k))
        for k, value in enumerate(node.inputs)
    ]
    ordinal = node.op.attributes.get(ORDINAL)
    block, results = read_body(
        function, types, given, node.place, str(getattr(ordinal, "data", node.ordinal))
    )
    for op in block.walk():
        op.location = node.op.location
    arguments = [value for value in node.inputs if value is not None]
    found = iter(node.write(block, arguments))
    return tuple(next(found) if is_there else None for is_there in results)
