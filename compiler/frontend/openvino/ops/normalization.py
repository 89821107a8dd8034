"""Normalizations over axes that are an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import reduction as r
from opc.dialects.opc import unary as u

from .reduction import reduced
from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def mvn(layer: Layer) -> SSAValue:
    """MVN-6: x without its mean, divided by its standard deviation if that is asked for."""

    def mean(x: SSAValue) -> SSAValue:
        return reduced(layer, r.ReduceMeanOp, x, keepdims=True)

    return _normalized(layer, mean, layer.attr("eps_mode") == "inside_sqrt")


def mvn_2(layer: Layer) -> SSAValue:
    """MVN-2: as MVN-6, over space, or over channels too."""
    rank, listed = layer.rank(), layer.attr("reduction_axes")
    axes = listed or range(1 if layer.attr("across_channels") else 2, rank)
    axes = layer.axes(axes, rank)

    def mean(x: SSAValue) -> SSAValue:
        return layer.add(r.ReduceMeanOp(x, axes=axes, keepdims=True))

    return _normalized(layer, mean, is_inside=True)


def _normalized(layer: Layer, mean: Callable[[SSAValue], SSAValue], is_inside: bool) -> SSAValue:
    """x without its mean, by its deviation; eps is added to the variance, or to its root."""
    x = layer.widened(layer[0])
    centred = layer.add(b.SubOp(x, mean(x)))
    if not layer.attr("normalize_variance"):
        return layer.cast(centred, layer.element())
    variance = mean(layer.add(b.MulOp(centred, centred)))
    eps = layer.attr("eps")
    if is_inside:
        deviation = layer.add(u.SqrtOp(layer.apply(b.AddOp, variance, eps)))
    else:
        deviation = layer.apply(b.AddOp, layer.add(u.SqrtOp(variance)), eps)
    return layer.cast(layer.add(b.DivOp(centred, deviation)), layer.element())


def grn(layer: Layer) -> SSAValue:
    """GRN-1: x by the root of the sum of its squares over channels, with a bias."""
    x = layer.widened(layer[0])
    squares = layer.add(b.MulOp(x, x))
    total = layer.add(r.ReduceSumOp(squares, axes=(1,), keepdims=True))
    norm = layer.add(u.SqrtOp(layer.apply(b.AddOp, total, layer.attr("bias"))))
    return layer.cast(layer.add(b.DivOp(x, norm)), layer.element())


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
add(
    "MVN",
    2,
    "data:T",
    el.FLOAT,
    mvn_2,
    "eps:float! across_channels:bool=true normalize_variance:bool=true reduction_axes:ints=",
)
add("GRN", 1, "data:T", el.FLOAT, grn, "bias:float!")
