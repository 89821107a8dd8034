"""Comparisons, logic, bits and the choice between two values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp

from .arithmetic import binary, plain
from .broadcasting import AUTO_BROADCAST, aligned
from .schema import Legalize, add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def bitwise(kind: type[OpcOp], logical: type[OpcOp]) -> Legalize:
    """An operator on bits; booleans are one bit."""
    bits, truth = binary(kind), binary(logical)
    return lambda layer: truth(layer) if layer.element() is el.I1 else bits(layer)


def bitwise_not(layer: Layer) -> SSAValue:
    """BitwiseNot-13."""
    return layer.add((u.NotOp if layer.element() is el.I1 else u.BitwiseNotOp)(layer[0]))


def select(layer: Layer) -> SSAValue:
    """Select-1; under pdpd condition and else take the shape of then."""
    if layer.attr("auto_broadcast") == "numpy":
        return layer.add(b.WhereOp(layer[0], layer[1], layer[2]))
    then, condition, other = aligned(layer, 1, 0, 2)
    return layer.add(b.WhereOp(condition, then, other))


def is_finite(layer: Layer) -> SSAValue:
    """IsFinite-10: neither NaN nor infinite."""
    return layer.apply(b.LessOp, layer.add(u.AbsOp(layer[0])), math.inf)


def is_inf(layer: Layer) -> SSAValue:
    """IsInf-10, of the signs that are asked for."""
    positive, negative = layer.attr("detect_positive"), layer.attr("detect_negative")
    return layer.add(u.IsInfOp(layer[0], positive=positive, negative=negative))


for _name, _kind in (
    ("Equal", b.EqualOp),
    ("NotEqual", b.NotEqualOp),
    ("Less", b.LessOp),
    ("LessEqual", b.LessEqualOp),
    ("Greater", b.GreaterOp),
    ("GreaterEqual", b.GreaterEqualOp),
):
    add(_name, 1, "a:T b:T", el.ANY, binary(_kind), AUTO_BROADCAST)
for _name, _kind in (("LogicalAnd", b.AndOp), ("LogicalOr", b.OrOp), ("LogicalXor", b.XorOp)):
    add(_name, 1, "a:T b:T", el.BOOL, binary(_kind), AUTO_BROADCAST)
add("LogicalNot", 1, "data:T", el.BOOL, plain(u.NotOp))
for _name, _kind, _logical in (
    ("BitwiseAnd", b.BitwiseAndOp, b.AndOp),
    ("BitwiseOr", b.BitwiseOrOp, b.OrOp),
    ("BitwiseXor", b.BitwiseXorOp, b.XorOp),
):
    add(_name, 13, "a:T b:T", el.INTEGER | el.BOOL, bitwise(_kind, _logical), AUTO_BROADCAST)
add("BitwiseNot", 13, "data:T", el.INTEGER | el.BOOL, bitwise_not)
add("BitwiseLeftShift", 15, "a:T b:T", el.INTEGER, binary(b.ShiftLeftOp), AUTO_BROADCAST)
add("BitwiseRightShift", 15, "a:T b:T", el.INTEGER, binary(b.ShiftRightOp), AUTO_BROADCAST)
add("Select", 1, "condition:B then:T else:T", {"B": el.BOOL, "T": el.ANY}, select, AUTO_BROADCAST)
add("IsFinite", 10, "data:T", el.FLOAT, is_finite)
add("IsInf", 10, "data:T", el.FLOAT, is_inf, "detect_negative:bool=true detect_positive:bool=true")
add("IsNaN", 10, "data:T", el.FLOAT, plain(u.IsNanOp))
