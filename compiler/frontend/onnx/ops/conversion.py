"""Cast, CastLike and BitCast."""

from __future__ import annotations

from typing import Any

from opc.dialects import element as el
from opc.dialects.opc.unary import BitcastOp
from opc.dialects.shape import shape_of, tensor_of, tensor_type
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import DATA_TYPES, element_named, onnx


def target(node: Node) -> el.ElementType:
    """The element type in attribute ``to``: a number, or a name in version 1."""
    to = node.attr("to")
    name = to.lower() if isinstance(to, str) else DATA_TYPES.get(to)
    if name is None or (isinstance(to, str) and name not in DATA_TYPES.values()):
        raise node.error(f"attribute to is {to}, which is not an element type")
    output = node.schema.outputs[0].type
    if name not in (*node.schema.allowed(output), "string"):
        raise node.error(f"a conversion to {name} is not in version {node.since}")
    type = element_named(name)
    if type is None:
        raise node.unsupported(f"element type {name} is not supported")
    return type


def _convert(node: Node, type: el.ElementType) -> Result:
    value = node.wrapped(0)
    if value is not None and type.bits > value.type.bits:
        value = node.exact(value)
    if value is not None and type.is_integer and value.type.is_integer:
        converted = Known(value.array, type)
        if converted.fits():
            return converted
    options: dict[str, Any] = {}
    if node.schema.has("saturate") and not node.attr("saturate"):
        options["saturate"] = False
    if node.schema.has("round_mode"):
        mode = node.choice("round_mode", "up", "down", "nearest")
        if type.name == "f8E8M0FNU":
            options["round_mode"] = mode
    return node.cast(node[0], type, **options)


@onnx("Cast", 1, 6, 9, 13, 19, 21, 23, 24, 25, 28)
def cast(node: Node) -> Result:
    """Cast(x) {to} --> opc.cast x."""
    return _convert(node, target(node))


@onnx("CastLike", 15, 19, 21, 23, 24, 25)
def cast_like(node: Node) -> Result:
    """CastLike(x, y) --> opc.cast x to the element type of y."""
    return _convert(node, node.element(1))


@onnx("BitCast", 26)
def bit_cast(node: Node) -> Result:
    """BitCast(x) {to} --> opc.bitcast x."""
    type, source = target(node), tensor_of(node[0])
    if node.element() is type:
        return node[0]
    if el.I1 in (type, node.element()) and type.bits + node.element().bits == 9:
        # A boolean is stored in a byte that is 0 or 1.
        return node.cast(node[0], type)
    return node.add(BitcastOp(node[0], result_type=tensor_type(type, shape_of(source))))
