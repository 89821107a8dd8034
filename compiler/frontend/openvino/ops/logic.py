"""Comparisons, logic, bits and the choice between two values."""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp

from .arithmetic import binary, plain
from .broadcasting import aligned
from .layer import Layer
from .schema import Legalize, openvino


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
