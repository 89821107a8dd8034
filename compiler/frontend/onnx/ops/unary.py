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
from opc.frontend.models.known import Known, Nothing
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import DATA_TYPES, Legalize, element_named, onnx


def plain(op: type[OpcOp]) -> Legalize:
    """Op(x) --> opc.op x, with attributes of the same names."""
    names = {p.name for p in op.params}

    def legalize(node: Node) -> Result:
        shared = [a.name for a in node.schema.attributes if a.name in names]
        return node.add(op(node[0], **{name: node.attr(name) for name in shared}))

    return legalize


PLAIN: dict[str, tuple[type[OpcOp], tuple[int, ...]]] = {
    "Abs": (unary.AbsOp, (1, 6, 13)),
    "Acos": (unary.AcosOp, (7, 22)),
    "Acosh": (unary.AcoshOp, (9, 22)),
    "Asin": (unary.AsinOp, (7, 22)),
    "Asinh": (unary.AsinhOp, (9, 22)),
    "Atan": (unary.AtanOp, (7, 22)),
    "Atanh": (unary.AtanhOp, (9, 22)),
    "BitwiseNot": (unary.BitwiseNotOp, (18,)),
    "Ceil": (unary.CeilOp, (1, 6, 13)),
    "Celu": (unary.CeluOp, (12, 28)),
    "Cos": (unary.CosOp, (7, 22)),
    "Cosh": (unary.CoshOp, (9, 22)),
    "Elu": (unary.EluOp, (1, 6, 22)),
    "Exp": (unary.ExpOp, (1, 6, 13)),
    "Floor": (unary.FloorOp, (1, 6, 13)),
    "HardSigmoid": (unary.HardSigmoidOp, (1, 6, 22)),
    "HardSwish": (unary.HardSwishOp, (14, 22)),
    "LeakyRelu": (unary.LeakyReluOp, (1, 6, 16)),
    "Log": (unary.LogOp, (1, 6, 13)),
    "Mish": (unary.MishOp, (18, 22)),
    "Neg": (unary.NegOp, (1, 6, 13)),
    "Not": (unary.NotOp, (1,)),
    "Reciprocal": (unary.ReciprocalOp, (1, 6, 13)),
    "Relu": (unary.ReluOp, (1, 6, 13, 14)),
    "Round": (unary.RoundOp, (11, 22)),
    "Selu": (unary.SeluOp, (1, 6, 22)),
    "Shrink": (unary.ShrinkOp, (9,)),
    "Sigmoid": (unary.SigmoidOp, (1, 6, 13)),
    "Sign": (unary.SignOp, (9, 13)),
    "Sin": (unary.SinOp, (7, 22)),
    "Sinh": (unary.SinhOp, (9, 22)),
    "Softplus": (unary.SoftplusOp, (1, 22)),
    "Softsign": (unary.SoftsignOp, (1, 22)),
    "Sqrt": (unary.SqrtOp, (1, 6, 13)),
    "Swish": (unary.SiluOp, (24,)),
    "Tan": (unary.TanOp, (7, 22)),
    "Tanh": (unary.TanhOp, (1, 6, 13)),
    "ThresholdedRelu": (unary.ThresholdedReluOp, (10, 22)),
}
"""Operators of one input that mean the same in all versions, and the versions."""
for _name, (_op, _since) in PLAIN.items():
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
    signs = {sign: bool(node.attr(f"detect_{sign}")) for sign in ("positive", "negative")}
    return node.add(unary.IsInfOp(_predicate_operand(node), **signs))


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
