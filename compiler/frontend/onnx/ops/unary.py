"""Elementwise operators of one input, and conversions of element types."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import F32, F64
from opc.dialects.opc import unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import ClipOp, MaxOp, MinOp
from opc.dialects.opc.unary import BitcastOp
from opc.dialects.shape import shape_of, tensor_of, tensor_type
from opc.frontend.models.containers import Nothing
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import DATA_TYPES, Legalize, element_named, onnx, rows


def plain(op: type[OpcOp]) -> Legalize:
    """Op(x) --> opc.op x, with attributes of the same names."""
    names = {p.name for p in op.params}

    def legalize(node: Node) -> Result:
        shared = [a.name for a in node.schema.attributes if a.name in names]
        return node.add(op(node[0], **{name: node.attr(name) for name in shared}))

    return legalize


PLAIN = (
    "Abs:1,6,13 Acos:7,22 Acosh:9,22 Asin:7,22 Asinh:9,22 Atan:7,22 Atanh:9,22 BitwiseNot:18 "
    "Ceil:1,6,13 Celu:12,28 Cos:7,22 Cosh:9,22 Elu:1,6,22 Exp:1,6,13 Floor:1,6,13 "
    "HardSigmoid:1,6,22 HardSwish:14,22 LeakyRelu:1,6,16 Log:1,6,13 Mish:18,22 Neg:1,6,13 Not:1 "
    "Reciprocal:1,6,13 Relu:1,6,13,14 Round:11,22 Selu:1,6,22 Shrink:9 Sigmoid:1,6,13 Sign:9,13 "
    "Sin:7,22 Sinh:9,22 Softplus:1,22 Softsign:1,22 Sqrt:1,6,13 Swish=Silu:24 Tan:7,22 "
    "Tanh:1,6,13 ThresholdedRelu:10,22"
)
"""Operators of one input that mean the same in all versions, and the versions."""
for _name, _op, _since in rows(PLAIN, unary):
    onnx(_name, *_since)(plain(_op))


@onnx("Erf", 9, 13)
def erf(node: Node) -> Result:
    """Erf(x) --> opc.erf x; integers are computed in f64."""
    x = node[0] if node.element().is_float else node.cast(node[0], F64)
    return node.cast(node.add(unary.ErfOp(x)), node.element())


@onnx("Gelu", 20)
def gelu(node: Node) -> Result:
    """Gelu(x) --> opc.gelu x."""
    return node.add(unary.GeluOp(node[0], approximate=node.choice("approximate", "none", "tanh")))


@onnx("Identity", 1, 13, 14, 16, 19, 21, 23, 24, 25)
def identity(node: Node) -> Result:
    """Identity(x) --> x, which may be an empty optional."""
    return node.value(0) if node.has(0) else Nothing()


def _predicate_operand(node: Node) -> SSAValue:
    # Types without arithmetic are exact in f32.
    return node.cast(node[0], F32) if node.element().bits < 16 else node[0]


@onnx("IsNaN", 9, 13, 20)
def is_nan(node: Node) -> Result:
    """IsNaN(x) --> opc.is_nan x."""
    return node.add(unary.IsNanOp(_predicate_operand(node)))


@onnx("IsInf", 10, 20)
def is_inf(node: Node) -> Result:
    """IsInf(x) --> opc.is_inf x, for the chosen signs."""
    positive, negative = (bool(node.attr(f"detect_{sign}")) for sign in ("positive", "negative"))
    x = _predicate_operand(node)
    return node.add(unary.IsInfOp(x, positive=positive, negative=negative))


@onnx("Clip", 1, 6, 11, 12, 13)
def clip(node: Node) -> Result:
    """Clip(x, min, max) --> opc.clip x, min, max; either may be absent."""
    bounds: list[SSAValue | None] = []
    for k, name in enumerate(("min", "max"), 1):
        if node.since < 11:
            number = node.attr(name)
            bounds.append(None if number is None else node.constant(number, node.element()))
        else:
            bounds.append(node.one(k) if node.has(k) else None)
    x, (low, high) = node[0], bounds
    if low is not None and high is not None:
        return node.add(ClipOp(x, low, high))
    if low is not None:
        return node.add(MaxOp(x, low))
    return x if high is None else node.add(MinOp(x, high))


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
