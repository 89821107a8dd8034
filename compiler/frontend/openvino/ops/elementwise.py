"""Elementwise layers: arithmetic, comparisons, logic, bits and activation functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models.known_values import floored
from opc.frontend.models.traced import traced, value

from .layer import Layer
from .schema import Legalize, openvino


def aligned(layer: Layer, target: int, *others: int) -> list[SSAValue]:
    """Inputs that NumPy's rule broadcasts as the layer says, the target first.

    ``numpy`` leaves them as they are, ``none`` demands equal shapes, and ``pdpd`` broadcasts the
    others to the shape of the target, whose axes they match from ``axis`` on.
    """
    rule = layer.attr("auto_broadcast")
    result = [layer[target]]
    for k in others:
        if rule == "numpy":
            result.append(layer[k])
        elif rule == "none":
            _demand_equal(layer, layer.shape(target), layer.shape(k))
            result.append(layer[k])
        else:
            result.append(run_of(layer, layer[k], layer.shape(target), layer.attr("axis")))
    return result


def _demand_equal(layer: Layer, a: Shape, b: Shape) -> None:
    what = f"shapes {shape_text(a)} and {shape_text(b)} differ, and auto_broadcast is none"
    if len(a) != len(b):
        raise layer.error(what)
    for x, y in zip(a, b, strict=True):
        layer.require("equal", x, y, what)


def run_of(layer: Layer, x: SSAValue, target: Shape, axis: int) -> SSAValue:
    """x broadcast to ``target``, whose axes it matches from ``axis`` on; -1 aligns the last axes.

    ``x of shape [3, 1], target [2, 3, 4, 5], axis 1 --> broadcast (reshape x to [3, 1, 1])``
    """
    shape = shape_of(tensor_of(x))
    start = len(target) - len(shape) if axis == -1 else axis
    if start < 0:
        raise layer.error(
            f"{shape_text(shape)} is no run of the axes of {shape_text(target)} from axis {axis}"
        )
    while shape and shape[-1] == 1:
        shape = shape[:-1]
    # Trailing axes of extent 1 do not count, and an empty run fits anywhere.
    missing = len(target) - start - len(shape)
    if missing < 0 and shape:
        raise layer.error(
            f"{shape_text(shape)} is no run of the axes of {shape_text(target)} from axis {start}"
        )
    column = (*shape, *(ex.const(1) for _ in range(missing if shape else 0)))
    return layer.broadcast(layer.reshape(x, column), target)


def on_floats(kind: type[OpcOp], *names: str) -> Legalize:
    """The operator; of integers the nearest integer to its result, which is computed in f64.

    ``names`` are the attributes of the layer that are those of the operator.
    """

    def legalize(layer: Layer) -> Any:
        type = layer.element()
        x = layer.traced(0, el.F64 if type.is_integer else type)
        return rounded(x.trace.emit(kind, x, **{name: layer.attr(name) for name in names}), type)

    return legalize


def precise(x: Any) -> Any:
    """f16 and bf16 as f32, everything else as f64."""
    return x.astype(el.F32 if x.element.is_small_float else el.F64)


def rounded(x: Any, type: el.ElementType) -> Any:
    """A floating-point result in the element type of a layer; integers are rounded."""
    return (onp.round(x) if type.is_integer else x).astype(type)


def plain(kind: type[OpcOp]) -> Legalize:
    """The operator on every element type of the row."""
    return lambda layer: layer.add(kind(layer[0]))


def rounding(kind: type[OpcOp]) -> Legalize:
    """An operator that leaves integers as they are."""
    return lambda layer: layer[0] if layer.element().is_integer else layer.add(kind(layer[0]))


@openvino("Round", 5)
def round_5(layer: Layer) -> Any:
    """Round-5: halves to even, or away from zero."""
    x = layer.traced(0)
    if x.element.is_integer:
        return x
    if layer.attr("mode") == "half_to_even":
        return onp.round(x)
    # The fraction is exact, so nothing is rounded twice; NaN and infinities stay as they are.
    truncated = onp.trunc(x)
    return onp.where(abs(x - truncated) >= 0.5, truncated + onp.sign(x), truncated)


def binary(kind: type[OpcOp], **params: Any) -> Legalize:
    """An operator of two operands that are broadcast as the layer says."""

    def legalize(layer: Layer) -> SSAValue:
        return layer.add(kind(*aligned(layer, 0, 1), **params))

    return legalize


@openvino("Divide", 1)
def divide(layer: Layer) -> Any:
    """Divide-1: of integers rounded down with m_pythondiv, else toward zero."""
    x, y = aligned(layer, 0, 1)
    if not layer.attr("m_pythondiv") or layer.element().kind != "signed":
        return layer.add(b.DivOp(x, y))
    known = floored(*(layer.known_of(v) for v in (x, y)))
    if known is not None:
        return known
    return onp.floor_divide(layer.trace.array(x), layer.trace.array(y))


@openvino("SquaredDifference", 1)
def squared_difference(layer: Layer) -> Any:
    """SquaredDifference-1: (a - b)^2, rounded once for f16 and bf16."""
    x, y = (layer.trace.array(layer.widened(v)) for v in aligned(layer, 0, 1))
    return onp.square(x - y).astype(layer.element())


_ON_FLOATS = "Acos Acosh Asin Asinh Atan Atanh Cos Cosh Erf Exp Log Sin Sinh Sqrt Tan Tanh"
for _name in _ON_FLOATS.split():
    openvino(_name)(on_floats(getattr(u, f"{_name}Op")))
openvino("Abs", 1)(plain(u.AbsOp))
openvino("Negative", 1)(plain(u.NegOp))
openvino("Sign", 1)(plain(u.SignOp))
openvino("Ceiling", 1)(rounding(u.CeilOp))
openvino("Floor", 1)(rounding(u.FloorOp))

for _name, _legalize in (
    ("Add", binary(b.AddOp)),
    ("Subtract", binary(b.SubOp)),
    ("Multiply", binary(b.MulOp)),
    ("Power", binary(b.PowOp)),
    ("Maximum", binary(b.MaxOp)),
    ("Minimum", binary(b.MinOp)),
    ("Mod", binary(b.ModOp, fmod=True)),
    ("FloorMod", binary(b.ModOp)),
):
    openvino(_name, 1)(_legalize)


def bitwise(kind: type[OpcOp], logical: type[OpcOp]) -> Legalize:
    """An operator on bits; booleans are one bit."""
    bits, truth = binary(kind), binary(logical)
    return lambda layer: truth(layer) if layer.element() is el.I1 else bits(layer)


@openvino("BitwiseNot", 13)
def bitwise_not(layer: Layer) -> SSAValue:
    """BitwiseNot-13."""
    return layer.add((u.NotOp if layer.element() is el.I1 else u.BitwiseNotOp)(layer[0]))


@openvino("Select", 1)
def select(layer: Layer) -> SSAValue:
    """Select-1; under pdpd condition and else take the shape of then."""
    if layer.attr("auto_broadcast") == "numpy":
        return layer.add(b.WhereOp(layer[0], layer[1], layer[2]))
    then, condition, other = aligned(layer, 1, 0, 2)
    return layer.add(b.WhereOp(condition, then, other))


@openvino("IsFinite", 10)
def is_finite(layer: Layer) -> Any:
    """IsFinite-10: neither NaN nor infinite."""
    return abs(layer.traced(0)) < math.inf


@openvino("IsInf", 10)
def is_inf(layer: Layer) -> SSAValue:
    """IsInf-10, of the signs that attributes choose."""
    positive, negative = layer.attr("detect_positive"), layer.attr("detect_negative")
    return layer.add(u.IsInfOp(layer[0], positive=positive, negative=negative))


for _name in ["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"]:
    openvino(_name)(binary(getattr(b, f"{_name}Op")))
for _name in ("And", "Or", "Xor"):
    _logical: type[OpcOp] = getattr(b, f"{_name}Op")
    openvino(f"Logical{_name}")(binary(_logical))
    openvino(f"Bitwise{_name}")(bitwise(getattr(b, f"Bitwise{_name}Op"), _logical))
openvino("LogicalNot", 1)(plain(u.NotOp))
openvino("BitwiseLeftShift", 15)(binary(b.ShiftLeftOp))
openvino("BitwiseRightShift", 15)(binary(b.ShiftRightOp))
openvino("IsNaN", 10)(plain(u.IsNanOp))


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
def erf_inv(layer: Layer) -> SSAValue:
    """ErfInv-17: the number whose erf is x, infinite for 1 and -1, NaN beyond them.

    Two polynomials of log(1 - x^2) (M. Giles: Approximating the erfinv function; 2010), and two
    steps of Newton in f64 for what is no float of 32 bits or less.
    """
    (x,) = traced(layer)
    w = -onp.log1p(-(x * x))
    y = x * onp.where(w < 5.0, _horner(w - 2.5, NEAR), _horner(onp.sqrt(w) - 3.0, FAR))
    if x.element is el.F64:
        for _ in range(2):
            y = y - (onp.erf(y) - x) * onp.exp(y * y) * (math.sqrt(math.pi) / 2)
    return value(layer, onp.where(abs(x) == 1.0, x * math.inf, y))


@openvino("ReLU", 1)
def relu(layer: Layer) -> SSAValue:
    """ReLU-1; unsigned integers stay as they are."""
    return layer[0] if layer.element().kind == "unsigned" else layer.add(u.ReluOp(layer[0]))


@openvino("Clamp", 1)
def clamp(layer: Layer) -> SSAValue:
    """Clamp-1: min(max(x, min), max); for integers min is rounded up and max down."""
    type = layer.element()
    low, high = layer.attr("min"), layer.attr("max")
    if math.isnan(low) or math.isnan(high) or low > high:
        raise layer.error(f"min {low} and max {high} are no range")
    if type.is_integer:
        low = _bound(math.ceil(low) if math.isfinite(low) else low, type)
        high = _bound(math.floor(high) if math.isfinite(high) else high, type)
    low, high = (
        layer.constant(np.asarray(v, type.dtype if type.is_integer else np.float64), type)
        for v in (low, high)
    )
    return layer.add(b.ClipOp(layer[0], low, high))


def _bound(value: float, type: el.ElementType) -> int:
    return int(min(max(value, type.lowest), type.highest))


@openvino("Gelu", 2, 7)
def gelu(layer: Layer) -> SSAValue:
    """Gelu-2 and Gelu-7: through erf, or its approximation through tanh."""
    mode = layer.attr("approximation_mode") if layer.schema.has("approximation_mode") else "erf"
    return layer.add(u.GeluOp(layer[0], approximate="tanh" if mode == "tanh" else None))


@openvino("HardSigmoid", 1)
def hard_sigmoid(layer: Layer) -> Any:
    """HardSigmoid-1: max(0, min(1, alpha * x + beta)) with alpha and beta as inputs."""
    alpha, beta, type = layer.number(1), layer.number(2), layer.element()
    if alpha is not None and beta is not None and type.is_float:
        return layer.add(u.HardSigmoidOp(layer[0], alpha=alpha, beta=beta))
    x, slope, offset = map(precise, (layer.traced(0), layer.scalar(1), layer.scalar(2)))
    return rounded(onp.maximum(0, onp.minimum(1, slope * x + offset)), type)


@openvino("HSigmoid", 5)
def hsigmoid(layer: Layer) -> Any:
    """HSigmoid-5: min(max(x + 3, 0), 6) / 6."""
    x = precise(layer.traced(0))
    return rounded(onp.minimum(onp.maximum(x + 3, 0), 6) / 6, layer.element())


@openvino("PReLU", 1)
def prelu(layer: Layer) -> SSAValue:
    """PReLU-1: a 1-D slope of the extent of axis 1 belongs to that axis, any other broadcasts."""
    slope, shape, extents = layer[1], layer.shape(0), layer.shape(1)
    if len(extents) == 1 and len(shape) > 1 and _per_channel(extents[0], shape):
        slope = layer.reshape(slope, (*extents, *([1] * (len(shape) - 2))))
    elif len(extents) > len(shape):
        # The result has the shape of the data: leading extents can only be 1.
        slope = layer.reshape(slope, extents[len(extents) - len(shape) :])
    return layer.add(b.PReluOp(layer[0], layer.broadcast(slope, shape)))


def _per_channel(slopes: ex.Expr, shape: Shape) -> bool:
    if slopes.constant is not None and shape[1].constant is not None:
        return slopes == shape[1]
    # A list of slopes has one for each channel, unless its extent says otherwise.
    return slopes != 1 and slopes != shape[-1]


@openvino("Selu", 1)
def selu(layer: Layer) -> SSAValue:
    """Selu-1: lambda * (x where x > 0, else alpha * (e**x - 1)) with alpha, lambda as inputs."""
    alpha, scale, type = layer.number(1), layer.number(2), layer.element()
    if alpha is not None and scale is not None:
        return layer.add(u.SeluOp(layer[0], alpha=alpha, gamma=scale))
    x, a, s = map(precise, (layer.traced(0), layer.scalar(1), layer.scalar(2)))
    return value(layer, s * onp.where(x > 0, x, a * onp.expm1(x)), type)


@openvino("Swish", 4)
def swish(layer: Layer) -> SSAValue:
    """Swish-4: x * sigmoid(beta * x), beta 1 unless it is an input."""
    beta = layer.number(1) if layer.has(1) else 1.0
    if beta is not None:
        return layer.add(u.SiluOp(layer[0], alpha=beta))
    x = precise(layer.traced(0))
    return value(layer, x * onp.sigmoid(x * precise(layer.scalar(1))))


def softmax(log: bool, negative: bool) -> Legalize:
    """Softmax-1, Softmax-8 and LogSoftmax-5 along one axis, without overflow."""

    def legalize(layer: Layer) -> Any:
        rank, axis = layer.rank(), layer.attr("axis")
        if axis < 0 and not negative:
            raise layer.error(f"axis {axis} is negative, which is allowed from opset8 on")
        function = onp.log_softmax if log else onp.softmax
        return function(layer.traced(0), layer.axis(axis, rank))

    return legalize


for _name, _since, _legalize in (
    # Elu is x where x > 0, else alpha * (e**x - 1).
    ("Elu", 1, on_floats(u.EluOp, "alpha")),
    ("HSwish", 4, on_floats(u.HardSwishOp)),
    ("Sigmoid", 1, on_floats(u.SigmoidOp)),
    ("Mish", 4, plain(u.MishOp)),
    ("SoftPlus", 4, plain(u.SoftplusOp)),
    ("SoftSign", 9, plain(u.SoftsignOp)),
):
    openvino(_name, _since)(_legalize)
openvino("SoftMax", 1)(softmax(log=False, negative=False))
openvino("SoftMax", 8)(softmax(log=False, negative=True))
openvino("LogSoftmax", 5)(softmax(log=True, negative=True))
