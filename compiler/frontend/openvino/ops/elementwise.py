"""Arithmetic, comparisons, logic and bits: operands that broadcast as the layer says."""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of

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
