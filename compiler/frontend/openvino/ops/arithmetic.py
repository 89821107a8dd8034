"""Arithmetic of one and of two operands."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.frontend.models.known_values import floored

from .broadcasting import aligned
from .layer import Layer
from .schema import Legalize, openvino


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
