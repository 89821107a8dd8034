"""Activation functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.shape import Shape
from opc.frontend.models.traced import traced, value

from .elementwise import on_floats, plain, precise, rounded
from .layer import Layer
from .schema import Legalize, openvino

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
    total: Any = factors[0]
    for factor in factors[1:]:
        total = total * x + factor
    return total


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
