"""Normalizations over axes that are an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import reduction as r
from opc.dialects.opc import unary as u

from .reduction import reduced
from .row import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def mvn(layer: Layer) -> SSAValue:
    """MVN-6: x without its mean, divided by its standard deviation if that is asked for."""
    x = layer.widened(layer[0])
    centred = layer.add(b.SubOp(x, reduced(layer, r.ReduceMeanOp, x, keepdims=True)))
    if not layer.attr("normalize_variance"):
        return layer.cast(centred, layer.element())
    squares = layer.add(b.MulOp(centred, centred))
    variance = reduced(layer, r.ReduceMeanOp, squares, keepdims=True)
    eps = layer.attr("eps")
    if layer.attr("eps_mode") == "inside_sqrt":
        deviation = layer.add(u.SqrtOp(layer.apply(b.AddOp, variance, eps)))
    else:
        deviation = layer.apply(b.AddOp, layer.add(u.SqrtOp(variance)), eps)
    return layer.cast(layer.add(b.DivOp(centred, deviation)), layer.element())


def normalize_l2(layer: Layer) -> SSAValue:
    """NormalizeL2-1: x / sqrt(sum of squares, with eps added or as its least value)."""
    x = layer.widened(layer[0])
    squares = layer.add(b.MulOp(x, x))
    total = reduced(layer, r.ReduceSumOp, squares, keepdims=True)
    combine = b.AddOp if layer.attr("eps_mode") == "add" else b.MaxOp
    norm = layer.add(u.SqrtOp(layer.apply(combine, total, layer.attr("eps"))))
    return layer.cast(layer.add(b.DivOp(x, norm)), layer.element())


_TYPES = {"T": el.FLOAT, "I": el.INTEGER}
add(
    "MVN",
    6,
    "data:T axes:I",
    _TYPES,
    mvn,
    "normalize_variance:bool! eps:float! eps_mode:inside_sqrt|outside_sqrt!",
)
add("NormalizeL2", 1, "data:T axes:I", _TYPES, normalize_l2, "eps:float! eps_mode:add|max!")
