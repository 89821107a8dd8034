"""Normalizations over axes that are an input."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.frontend.models.norms import mean
from opc.frontend.models.traced import traced, value

from .layer import Layer
from .schema import openvino


def _axes(layer: Layer, x: Any) -> Any:
    """The axes in input 1, numbers or an array."""
    numbers = layer.known_numbers(1)
    return layer.traced(1) if numbers is None else layer.axes(numbers, x.ndim)


@openvino("MVN", 6)
def mvn(layer: Layer) -> SSAValue:
    """MVN-6: x minus its mean, with normalize_variance divided by its standard deviation."""
    x, *_ = traced(layer)
    return _normalized(layer, x, _axes(layer, x), layer.attr("eps_mode") == "inside_sqrt")


@openvino("MVN", 2)
def mvn_2(layer: Layer) -> SSAValue:
    """MVN-2: as MVN-6, over spatial axes, and over channels with across_channels."""
    x, *_ = traced(layer)
    first = 1 if layer.attr("across_channels") else 2
    axes = layer.axes(layer.attr("reduction_axes") or range(first, x.ndim), x.ndim)
    return _normalized(layer, x, axes, is_inside=True)


def _normalized(layer: Layer, x: Any, axes: Any, is_inside: bool) -> SSAValue:
    """(x - mean) / deviation; eps is added to the variance, or to its root."""
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
