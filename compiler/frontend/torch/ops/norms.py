"""Normalizations and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.norms import affine, on_axis
from opc.frontend.torch.node import Node, aten


@aten("_softmax", "_log_softmax", computes=True)
def softmax(x: Any, axis: int, half_to_float: bool, *, node: Node) -> Any:
    """e**x divided by its sum along an axis, or the logarithm of that."""
    function = onp.log_softmax if "log" in node.operator else onp.softmax
    lined = x if x.ndim else x.reshape((1,))
    return function(lined, axis=axis).reshape(x.shape)


@aten("native_layer_norm", computes=True)
def layer_norm(
    x: Any, shape: Sequence[Any], scale: Any, bias: Any, epsilon: float, *, node: Node
) -> tuple[Any, ...]:
    """x over its last axes with mean 0 and variance 1; also the mean and 1 / the deviation."""
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    centred, mean, factor = moments(x, axes, epsilon)
    y = scaled(centred * factor, scale, bias)
    return y, mean.astype(node.kind(1)), factor.astype(node.kind(2))


def moments(x: Any, axes: Sequence[int], epsilon: float) -> tuple[Any, Any, Any]:
    """x - mean, the mean, and 1 / sqrt(variance + epsilon)."""
    mean = onp.mean(x, tuple(axes), keepdims=True)
    centred = x - mean
    variance = onp.mean(centred * centred, tuple(axes), keepdims=True)
    return centred, mean, 1.0 / onp.sqrt(variance + epsilon)


def scaled(x: Any, scale: Any, bias: Any) -> Any:
    """x * scale + bias, either of which may be None."""
    if scale is None:
        return x if bias is None else x + bias
    return affine(x, scale, bias)


@aten("_native_batch_norm_legit_no_training", computes=True)
def batch_norm(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    momentum: float,
    epsilon: float,
    *,
    node: Node,
) -> tuple[Any, ...]:
    """x with stored moments of each channel; the moments of the batch are empty."""
    factor = 1.0 / onp.sqrt(variance + epsilon)
    factor = factor if scale is None else factor * scale
    mean, factor = (on_axis(v, 1, x.ndim) for v in (mean, factor))
    y = (x - mean) * factor
    y = y if bias is None else y + on_axis(bias, 1, x.ndim)
    empty = [node.trace.full((0,), 0, node.kind(k)) for k in (1, 2)]
    return y, *empty


__all__ = ["batch_norm", "el", "layer_norm", "softmax"]
