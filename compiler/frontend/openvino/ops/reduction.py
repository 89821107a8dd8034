"""Reductions and normalizations over axes that are an input, constant or not."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects.opc import reduction as r
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.norms import mean
from opc.frontend.models.traced import traced, value

from .layer import Layer
from .schema import Legalize, openvino


def reduced(layer: Layer, kind: type[r.Reduction], x: SSAValue, keepdims: bool) -> SSAValue:
    """A reduction of x over the axes in input 1; over none of them, x itself."""
    axes = layer.known_numbers(1)
    if axes is None:
        return layer.add(kind(x, layer[1], keepdims=keepdims or None))
    axes = layer.axes(axes, len(shape_of(tensor_of(x))))
    return layer.add(kind(x, axes=axes, keepdims=keepdims or None))


def reduction(kind: type[r.Reduction]) -> Legalize:
    """An empty list of axes is the identity; ``keep_dims`` is false by default."""

    def legalize(layer: Layer) -> SSAValue:
        return reduced(layer, kind, layer[0], layer.attr("keep_dims"))

    return legalize


for _name in ["Sum", "Min", "Max", "Mean", "Prod", "L1", "L2"]:
    openvino(f"Reduce{_name}")(reduction(getattr(r, f"Reduce{_name}Op")))
openvino("ReduceLogicalAnd")(reduction(r.ReduceAllOp))
openvino("ReduceLogicalOr")(reduction(r.ReduceAnyOp))


def _axes(layer: Layer, x: Any) -> Any:
    """The axes in input 1, numbers or an array."""
    numbers = layer.known_numbers(1)
    return layer.traced(1) if numbers is None else layer.axes(numbers, x.ndim)


@openvino("MVN", 2, 6)
def mvn(layer: Layer) -> SSAValue:
    """MVN: x minus its mean, with normalize_variance divided by its standard deviation.

    MVN-2 normalizes spatial axes, with across_channels also channels.  eps is added to the
    variance, or to its root.
    """
    x, *_ = traced(layer)
    if layer.schema.since < 6:
        first = 1 if layer.attr("across_channels") else 2
        axes = layer.axes(layer.attr("reduction_axes") or range(first, x.ndim), x.ndim)
        is_inside = True
    else:
        axes, is_inside = _axes(layer, x), layer.attr("eps_mode") == "inside_sqrt"
    centred, eps = x - mean(x, axes), layer.attr("eps")
    if not layer.attr("normalize_variance"):
        return value(layer, centred)
    variance = mean(centred * centred, axes)
    return value(
        layer, centred / (onp.sqrt(variance + eps) if is_inside else onp.sqrt(variance) + eps)
    )


@openvino("GRN", 1)
def grn(layer: Layer) -> SSAValue:
    """GRN-1: x / sqrt(sum of squares over channels + bias)."""
    (x,) = traced(layer)
    total = onp.sum(x * x, 1, keepdims=True)
    return value(layer, x / onp.sqrt(total + layer.attr("bias")))


@openvino("NormalizeL2", 1)
def normalize_l2(layer: Layer) -> SSAValue:
    """NormalizeL2-1: x / sqrt(sum of squares), which eps is added to or bounds from below."""
    x, *_ = traced(layer)
    total = onp.sum(x * x, _axes(layer, x), keepdims=True)
    bounded = onp.add if layer.attr("eps_mode") == "add" else onp.maximum
    return value(layer, x / onp.sqrt(bounded(total, layer.attr("eps"))))
