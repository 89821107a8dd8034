"""Elementwise operators, with the broadcasting of opsets 1 to 6, and conversions of types."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.element import F32, F64
from opc.dialects.opc import binary, unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import ClipOp, MaxOp, MinOp
from opc.dialects.opc.unary import BitcastOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of, tensor_type
from opc.frontend.models.containers import Nothing

from .node import Node
from .schema import DATA_TYPES, Legalize, Result, element_named, onnx, rows


def plain(op: type[OpcOp]) -> Legalize:
    """Op(x) --> opc.op x, with attributes of the same names."""
    names = {p.name for p in op.params}

    def legalize(node: Node) -> Result:
        shared = [a.name for a in node.schema.signature.attributes if a.name in names]
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
    x, type = node[0], node.element()
    low, high = (node.one(k).astype(type).value if node.has(k) else None for k in (1, 2))
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
    output = node.schema.signature.outputs[0].type
    if name not in (*node.schema.signature.allowed(output), "string"):
        raise node.error(f"a conversion to {name} is not in version {node.since}")
    type = element_named(name)
    if type is None:
        raise node.unsupported(f"element type {name} is not supported")
    return type


def _convert(node: Node, type: el.ElementType) -> Result:
    options: dict[str, Any] = {}
    if not node.attr("saturate"):
        options["saturate"] = False
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


def numpy(op: type[OpcOp]) -> Legalize:
    """Op(a, b) --> opc.op a, b, broadcast as in NumPy; before version 7 by axis and broadcast."""
    return lambda node: node.add(
        op(node[0], broadcast_to_left(node) if node.since < 7 else node[1])
    )


PAIRS = (
    "Add:1,6,7,13,14 And:1,7 BitwiseAnd:18 BitwiseOr:18 BitwiseXor:18 Div:1,6,7,13,14 "
    "Equal:1,7,11,13,19 Greater:1,7,9,13 GreaterOrEqual=GreaterEqual:12,16 Less:1,7,9,13 "
    "LessOrEqual=LessEqual:12,16 Mul:1,6,7,13,14 Or:1,7 Pow:1 Sub:1,6,7,13,14 Xor:1,7"
)
"""Operators of two inputs that mean the same in all versions, and the versions."""
for _name, _op, _since in rows(PAIRS, binary):
    onnx(_name, *_since)(numpy(_op))


@onnx("BitShift", 11, 28)
def bit_shift(node: Node) -> Result:
    """BitShift(x, y) {direction} --> opc.shift_left x, y or opc.shift_right x, y."""
    ops = {"LEFT": binary.ShiftLeftOp, "RIGHT": binary.ShiftRightOp}
    return node.add(ops[node.choice("direction", *ops)](node[0], node[1]))


@onnx("Mod", 10, 13, 28)
def mod(node: Node) -> Result:
    """Mod(a, b) {fmod} --> opc.mod a, b {fmod}; floats need fmod = 1 before version 28."""
    fmod = node.choice("fmod", 0, 1)
    if node.element().is_float and not fmod and node.since < 28:
        raise node.error(f"attribute fmod must be 1 for {node.element()} before version 28")
    return node.add(binary.ModOp(node[0], node[1], fmod=bool(fmod)))


@onnx("PRelu", 7, 9, 16)
def prelu(node: Node) -> Result:
    """PRelu(x, slope) --> opc.prelu x, slope; only the slope broadcasts."""
    x, slope = shape_of(tensor_of(node[0])), shape_of(tensor_of(node[1]))
    if len(slope) > len(x):
        raise node.error(f"slope {shape_text(slope)} has more axes than the input {shape_text(x)}")
    for a, b in zip(slope[::-1], x[::-1], strict=False):
        node.require("stretch", a, b, "extents of the slope do not fit the input")
    return node.add(binary.PReluOp(node[0], node[1]))


@onnx("PRelu", 1, 6)
def prelu_by_channel(node: Node) -> Result:
    """PRelu(x, slope) --> opc.prelu x, reshape slope: one slope for each channel, or for all."""
    is_vector, rank = node.rank(1) == 1, node.rank()
    slope = along(node, min(1, rank - 1) if is_vector and rank else None)
    return node.add(binary.PReluOp(node[0], slope))


@onnx("SwiGLU", 28)
def swiglu(node: Node) -> Result:
    """SwiGLU(a, b) --> (opc.silu a) * b, each rounded."""
    return onp.silu(node.traced(0), alpha=node.attr("alpha")) * node.traced(1)


@onnx("Where", 9, 16)
def where(node: Node) -> Result:
    """Where(condition, x, y) --> opc.where condition, x, y."""
    return node.add(binary.WhereOp(*node.tensors()))


@onnx("Pow", 7, 12, 13, 15)
def power(node: Node) -> Result:
    """Pow(x, y) --> opc.pow x, y, in a type that holds both, cast back to that of x."""
    base, exponent = node.element(0), node.element(1)
    if base is exponent:
        return node.add(binary.PowOp(node[0], node[1]))
    wide = _power_type(base, exponent)
    y = _fold_exponent(node, node[1]) if exponent.name == "ui64" and wide is el.I64 else node[1]
    raised = node.add(binary.PowOp(node.cast(node[0], wide), node.cast(y, wide)))
    return node.cast(raised, base)


def _power_type(base: el.ElementType, exponent: el.ElementType) -> el.ElementType:
    if base.is_integer and exponent.is_integer:
        # Integer powers wrap: their low bits are exact.
        return (
            base
            if exponent.bits < base.bits
            or (exponent.bits == base.bits and exponent.kind == base.kind)
            else el.I64
        )
    small = {type for type in (base, exponent) if type.is_small_float or type is el.F32}
    integers = [type for type in (base, exponent) if type.is_integer]
    exact = all(type.bits <= 16 for type in integers)
    return el.F32 if exact and len(small) + len(integers) == 2 else el.F64


def _fold_exponent(node: Node, y: SSAValue) -> SSAValue:
    """A 64-bit exponent below 2^63 that gives the same power modulo 2^64.

    Powers of an odd number repeat after 2^62; those of an even one are 0 from exponent 64 on.
    """
    x = node.trace.array(y)
    low = x & 2**63 - 1
    return onp.where(x > low, low | 2**62, x).value


def variadic(op: type[OpcOp]) -> Legalize:
    """Op(a, b, c) --> opc.op a, b, c; before version 8 the shapes are equal."""

    def legalize(node: Node) -> Result:
        if node.since < 8:
            for k in range(1, len(node.inputs)):
                _require_equal(node, node.shape(0), node.shape(k), "shapes differ")
        return node.add(op(*node.tensors()))

    return legalize


onnx("Max", 1, 6, 8, 12, 13)(variadic(binary.MaxOp))
onnx("Mean", 1, 6, 8, 13)(variadic(binary.MeanOp))
onnx("Min", 1, 6, 8, 12, 13)(variadic(binary.MinOp))
onnx("Sum", 1, 6, 8, 13)(variadic(binary.SumOp))


def broadcast_to_left(node: Node) -> SSAValue:
    """The second input, reshaped to broadcast to the first as in NumPy.

    With ``broadcast = 1`` it has one element, or its extents match consecutive extents of the first
    input: the last ones, or those from ``axis`` on.  An extent of 1 broadcasts, as in the official
    tests but not in the specification.  Without ``broadcast`` the shapes are equal.
    """
    if not node.attr("broadcast"):
        _require_equal(
            node, node.shape(0), node.shape(1), "shapes differ, and broadcast is not set"
        )
        return node[1]
    return along(node, node.attr("axis"))


def along(node: Node, axis: int | None) -> SSAValue:
    """The second input, reshaped to broadcast to a run of axes of the first, or its last ones."""
    a, b = node.shape(0), node.shape(1)
    if len(b) > len(a):
        raise node.error(f"{shape_text(b)} has more axes than {shape_text(a)} to broadcast to")
    if all(e == 1 for e in b):
        return node.reshape(node[1], ())
    first = len(a) - len(b) if axis is None else axis
    if not 0 <= first <= len(a) - len(b):
        raise node.error(
            f"axis {axis} leaves no room for {len(b)} axes in {shape_text(a)}: "
            f"expected 0 to {len(a) - len(b)}"
        )
    run = a[first : first + len(b)]
    what = f"{shape_text(b)} is not a run of extents of {shape_text(a)}, from axis {first} on"
    for x, y in zip(b, run, strict=True):
        if None not in (x.constant, y.constant) and x not in (1, y):
            raise node.error(what)
        node.require("stretch", x, y, what)
    return node.reshape(node[1], (*b, *[ex.const(1)] * (len(a) - first - len(b))))


def _require_equal(node: Node, a: Shape, b: Shape, what: str) -> None:
    if len(a) != len(b):
        raise node.error(f"{what}: {shape_text(a)} and {shape_text(b)}")
    for x, y in zip(a, b, strict=True):
        if None not in (x.constant, y.constant) and x != y:
            raise node.error(f"{what}: {shape_text(a)} and {shape_text(b)}")
        node.require("equal", x, y, what)
