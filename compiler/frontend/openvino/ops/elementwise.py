"""Elementwise layers: arithmetic, comparisons, logic, bits, activation functions, conversions.

Values that fake quantization rounds stay floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.frontend.models.known_values import floored
from opc.frontend.models.traced import quotient
from opc.frontend.openvino.net import element_named

from .layer import Data, Layer, Scalar, Wide
from .schema import openvino


def precise(x: Any) -> Any:
    """f16 and bf16 as f32, everything else as f64."""
    return x.astype(el.F32 if x.element.is_small_float else el.F64)


def rounded(x: Any, type: el.ElementType) -> Any:
    """A floating-point result in the element type of a layer; integers are rounded."""
    return (onp.round(x) if type.is_integer else x).astype(type)


def operator(kind: type[OpcOp], logical: type[OpcOp] | None = None, **params: Any) -> Any:
    """An operator on all inputs; of booleans ``logical``, if there is one."""

    def function(layer: Layer) -> Any:
        chosen = logical if logical is not None and layer.element() is el.I1 else kind
        return layer.add(chosen(*layer.tensors(), **params))

    return function


def on_floats(kind: type[OpcOp]) -> Any:
    """An operator; of integers the nearest integer to its result, which is computed in f64."""

    def function(data: Data, **attributes: Any) -> Any:
        x = data.astype(el.F64) if data.element.is_integer else data
        return rounded(x.trace.emit(kind, x, **attributes), data.element)

    return function


def rounding(kind: type[OpcOp]) -> Any:
    """An operator that leaves integers as they are."""

    def function(data: Data) -> Any:
        return data if data.element.is_integer else data.trace.emit(kind, data)

    return function


def _rows(names: str, module: Any) -> list[tuple[str, type[OpcOp]]]:
    """``Mish Negative=Neg``: operators of OpenVINO and those of a module (MishOp, NegOp)."""
    pairs = [name.partition("=") for name in names.split()]
    return [(first, getattr(module, f"{last or first}Op")) for first, _, last in pairs]


_PLAIN = "Abs IsNaN=IsNan LogicalNot=Not Mish Negative=Neg Sign SoftPlus=Softplus SoftSign=Softsign"
_BINARY = (
    "Add Subtract=Sub Multiply=Mul Power=Pow Maximum=Max Minimum=Min FloorMod=Mod Select=Where "
    "Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd=And LogicalOr=Or LogicalXor=Xor "
    "BitwiseLeftShift=ShiftLeft BitwiseRightShift=ShiftRight"
)
_ON_FLOATS = (
    "Acos Acosh Asin Asinh Atan Atanh Cos Cosh Elu Erf Exp HSwish=HardSwish Log Sigmoid Sin Sinh "
    "Sqrt Tan Tanh"
)
for _type, _kind in (*_rows(_PLAIN, u), *_rows(_BINARY, b)):
    openvino(_type)(operator(_kind))
for _type, _kind in _rows(_ON_FLOATS, u):
    openvino(_type)(on_floats(_kind))
for _type, _kind in _rows("Ceiling=Ceil Floor", u):
    openvino(_type)(rounding(_kind))
openvino("Mod")(operator(b.ModOp, fmod=True))
openvino("BitwiseNot")(operator(u.BitwiseNotOp, u.NotOp))
openvino("BitwiseAnd")(operator(b.BitwiseAndOp, b.AndOp))
openvino("BitwiseOr")(operator(b.BitwiseOrOp, b.OrOp))
openvino("BitwiseXor")(operator(b.BitwiseXorOp, b.XorOp))


@openvino("Round", 5)
def round_5(data: Data, *, mode: str) -> Any:
    """Round-5: halves to even, or away from zero."""
    if data.element.is_integer or mode == "half_to_even":
        return data if data.element.is_integer else onp.round(data)
    # The fraction is exact, so nothing is rounded twice; NaN and infinities stay as they are.
    truncated = onp.trunc(data)
    return onp.where(abs(data - truncated) >= 0.5, truncated + onp.sign(data), truncated)


@openvino("Divide", 1)
def divide(layer: Layer, a: Data, b: Data, *, m_pythondiv: bool) -> Any:
    """Divide-1: of integers rounded down with m_pythondiv, else toward zero."""
    if not m_pythondiv or a.element.kind != "signed":
        return quotient(a, b)
    known = floored(*(layer.known_of(x.value) for x in (a, b)))
    return onp.floor_divide(a, b) if known is None else known


@openvino("SquaredDifference", 1)
def squared_difference(a: Wide, b: Wide) -> Any:
    """SquaredDifference-1: (a - b)^2, rounded once for f16 and bf16."""
    return onp.square(a - b)


@openvino("IsFinite", 10)
def is_finite(data: Data) -> Any:
    """IsFinite-10: neither NaN nor infinite."""
    return abs(data) < math.inf


@openvino("IsInf", 10)
def is_inf(data: Data, *, detect_positive: bool, detect_negative: bool) -> Any:
    """IsInf-10, of the signs that attributes choose."""
    return data.trace.emit(u.IsInfOp, data, positive=detect_positive, negative=detect_negative)


NEAR = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
FAR = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip


def _horner(x: Any, factors: Sequence[float]) -> Any:
    """A polynomial; the coefficient of its highest power comes first."""
    return reduce(lambda total, factor: total * x + factor, factors)


@openvino("ErfInv", 17)
def erf_inv(data: Wide) -> Any:
    """ErfInv-17: the number whose erf is x, infinite for 1 and -1, NaN beyond them.

    Two polynomials of log(1 - x^2) (M. Giles: Approximating the erfinv function; 2010), and two
    steps of Newton in f64 for what is no float of 32 bits or less.
    """
    w = -onp.log1p(-(data * data))
    y = data * onp.where(w < 5.0, _horner(w - 2.5, NEAR), _horner(onp.sqrt(w) - 3.0, FAR))
    if data.element is el.F64:
        for _ in range(2):
            y = y - (onp.erf(y) - data) * onp.exp(y * y) * (math.sqrt(math.pi) / 2)
    return onp.where(abs(data) == 1.0, data * math.inf, y)


@openvino("ReLU", 1)
def relu(data: Data) -> Any:
    """ReLU-1; unsigned integers stay as they are."""
    return data if data.element.kind == "unsigned" else data.trace.emit(u.ReluOp, data)


@openvino("Clamp", 1)
def clamp(layer: Layer, data: Data, *, min: float, max: float) -> Any:
    """Clamp-1: min(max(x, min), max); for integers min is rounded up and max down."""
    if math.isnan(min) or math.isnan(max) or min > max:
        raise layer.error(f"min {min} and max {max} are no range")
    bounds = [_bound(min, math.ceil, data.element), _bound(max, math.floor, data.element)]
    trace, type = data.trace, data.element
    return trace.emit(b.ClipOp, data, *(trace.constant(bound, type) for bound in bounds))


def _bound(value: float, inward: Callable[[float], int], type: el.ElementType) -> float:
    """A bound of integers as an integer of their type."""
    if not type.is_integer:
        return value
    value = inward(value) if math.isfinite(value) else value
    return int(min(max(value, type.lowest), type.highest))


@openvino("Gelu", 2, 7)
def gelu(data: Data, *, approximation_mode: str = "erf") -> Any:
    """Gelu-2 and Gelu-7: through erf, or its approximation through tanh."""
    approximate = "tanh" if approximation_mode == "tanh" else None
    return data.trace.emit(u.GeluOp, data, approximate=approximate)


@openvino("HardSigmoid", 1)
def hard_sigmoid(layer: Layer, data: Data, alpha: Scalar, beta: Scalar) -> Any:
    """HardSigmoid-1: max(0, min(1, alpha * x + beta)) with alpha and beta as inputs."""
    numbers = layer.number(1), layer.number(2)
    if None not in numbers and data.element.is_float:
        return data.trace.emit(u.HardSigmoidOp, data, alpha=numbers[0], beta=numbers[1])
    x, slope, offset = map(precise, (data, alpha, beta))
    return rounded(onp.maximum(0, onp.minimum(1, slope * x + offset)), data.element)


@openvino("HSigmoid", 5)
def hsigmoid(data: Data) -> Any:
    """HSigmoid-5: min(max(x + 3, 0), 6) / 6."""
    return rounded(onp.minimum(onp.maximum(precise(data) + 3, 0), 6) / 6, data.element)


@openvino("PReLU", 1)
def prelu(layer: Layer, data: Data, slope: Data) -> Any:
    """PReLU-1: a 1-D slope of the extent of axis 1 belongs to that axis, any other broadcasts."""
    shape, extents = data.extents, slope.extents
    if len(extents) == 1 and len(shape) > 1:
        channels, (slopes,) = shape[1], extents
        is_known = None not in (channels.constant, slopes.constant)
        # A list of slopes has one for each channel, unless its extent says otherwise.
        if slopes == channels if is_known else slopes not in (1, shape[-1]):
            slope = slope.reshape((slopes, *[1] * (len(shape) - 2)))
    # The result has the shape of the data: leading extents can only be 1.
    slope = layer.reshape(slope.value, slope.extents[max(len(extents) - len(shape), 0) :])
    return layer.add(b.PReluOp(data.value, layer.broadcast(slope, shape)))


@openvino("Selu", 1)
def selu(layer: Layer, data: Data, alpha: Scalar, lambda_: Scalar) -> Any:
    """Selu-1: lambda * (x where x > 0, else alpha * (e**x - 1)) with alpha, lambda as inputs."""
    numbers = layer.number(1), layer.number(2)
    if None not in numbers:
        return data.trace.emit(u.SeluOp, data, alpha=numbers[0], gamma=numbers[1])
    x, a, s = map(precise, (data, alpha, lambda_))
    return s * onp.where(x > 0, x, a * onp.expm1(x))


@openvino("Swish", 4)
def swish(layer: Layer, data: Data, beta: Scalar) -> Any:
    """Swish-4: x * sigmoid(beta * x), beta 1 unless it is an input."""
    number = layer.number(1) if layer.has(1) else 1.0
    if number is not None:
        return data.trace.emit(u.SiluOp, data, alpha=number)
    x = precise(data)
    return x * onp.sigmoid(x * precise(beta))


@openvino("SoftMax", 1, 8, function=onp.softmax)
@openvino("LogSoftmax", 5, function=onp.log_softmax)
def softmax(layer: Layer, data: Data, *, axis: int, function: Callable[..., Any]) -> Any:
    """Softmax-1, Softmax-8 and LogSoftmax-5 along one axis, without overflow."""
    if axis < 0 and layer.schema.since == 1:
        raise layer.error(f"axis {axis} is negative, which is allowed from opset8 on")
    return function(data, layer.axis(axis, data.ndim))


@openvino("Convert", 1)
@openvino("ConvertLike", 1)
def convert(layer: Layer, data: Data, like: Data, *, destination_type: Any = None) -> Any:
    """Convert-1 and ConvertLike-1: integers wrap, floats truncate toward zero; nonzero is true."""
    type = destination_type or like.element
    if type.is_small:
        raise layer.unsupported(f"a conversion to {type} is not supported")
    return data


def _common(layer: Layer, unsafe: bool) -> el.ElementType:
    """The common element type of the inputs of ConvertPromoteTypes."""
    pair = layer.element(0), layer.element(1)
    wrong = layer.error(f"{pair[0]} and {pair[1]} do not meet")
    if pair[0] is pair[1] or pair[1] is el.I1:
        return pair[0]
    if pair[0] is el.I1:
        return pair[1]
    first, second = sorted(pair, key=lambda t: t.bits)
    if first.is_float != second.is_float:
        real, integer = (first, second) if first.is_float else (second, first)
        if not unsafe and real.bits < 2 * integer.bits:
            raise wrong
        return real
    signs = [t.is_float or t in el.SIGNED for t in pair]
    is_scalar = [layer.rank(k) == 0 for k in range(2)]
    if layer.attr("pytorch_scalar_promotion") and is_scalar[0] != is_scalar[1]:
        scalar, target = pair if is_scalar[0] else pair[::-1]
        fits = target.bits >= scalar.bits if signs[0] == signs[1] else (
            target in el.SIGNED and 2 * target.bits >= scalar.bits
        )  # fmt: skip
        if not unsafe and not fits:
            raise wrong
        return target
    if signs[0] != signs[1]:
        signed, other = pair if signs[0] else pair[::-1]
        room = max(2 * other.bits, signed.bits)
        if room <= 64 and (unsafe or 2 * other.bits <= signed.bits):
            return el.BY_NAME[f"i{room}"]
        if not unsafe:
            raise wrong
        return layer.attr("u64_integer_promotion_target")
    if first.bits != second.bits:
        return second
    if not unsafe:
        raise wrong
    # They are f16 and bf16.
    return el.F32


@openvino("ConvertPromoteTypes", 14)
def promote(layer: Layer, input_0: Data, input_1: Data, *, promote_unsafe: bool) -> tuple[Any, ...]:
    """ConvertPromoteTypes-14: both inputs in their common element type."""
    type = _common(layer, promote_unsafe)
    return input_0.astype(type), input_1.astype(type)


@openvino("FakeQuantize", 1)
def fake_quantize(layer: Layer, *inputs: Wide, levels: int) -> Any:
    """FakeQuantize-1: inputs rounded to the levels of one range, and mapped to another range.

    round((x - low) / (high - low) * (levels - 1)) / (levels - 1) * (out_high - out_low) + out_low,
    halves to even; out_low up to the lower end of the range, out_high beyond the upper one.
    """
    if levels < 2:
        raise layer.error(f"attribute levels is {levels}, expected 2 or more")
    x, low, high, first, last = inputs
    level = onp.round((x - low) / (high - low) * (levels - 1))
    y = level / (levels - 1) * (last - first) + first
    y = onp.where(x > onp.maximum(low, high), last, y)
    return onp.where(x <= onp.minimum(low, high), first, y)


@openvino("FakeConvert", 13)
def fake_convert(data: Wide, scale: Wide, shift: Wide, *, destination_type: str) -> Any:
    """FakeConvert-13: x * scale - shift as the nearest float of 8 bits, and back.

    Larger values, also infinities, saturate.
    """
    y = data * scale
    y = y if shift is None else y - shift
    y = y.astype(element_named(destination_type, "")).astype(el.F32)
    return (y if shift is None else y + shift) / scale
