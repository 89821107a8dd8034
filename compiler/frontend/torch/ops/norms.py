"""Normalizations and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models import norms
from opc.frontend.models.norms import affine, by_stored_moments, on_axis
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
    centred, mean, deviation = norms.moments(x, axes, epsilon)
    return centred, mean, 1.0 / deviation


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
    channels = (None if v is None else on_axis(v, 1, x.ndim) for v in (scale, bias, mean, variance))
    y = by_stored_moments(x, *channels, epsilon=epsilon)
    empty = [node.trace.full((0,), 0, node.kind(k)) for k in (1, 2)]
    return y, *empty


@aten("_native_batch_norm_legit.no_stats", "_native_batch_norm_legit_functional", computes=True)
def batch_norm_of_batch(x: Any, scale: Any, bias: Any, *more: Any, node: Node) -> tuple[Any, ...]:
    """x with the moments of the batch in each channel; also these, and the stored ones updated."""
    (*stored, is_training, momentum, epsilon) = more
    if not is_training:
        y, *empty = batch_norm(x, scale, bias, *stored, momentum, epsilon, node=node)
        return (y, *empty, *stored)
    axes = [k for k in range(x.ndim) if k != 1]
    centred, mean, factor = moments(x, axes, epsilon)
    scale, bias = (None if v is None else on_axis(v, 1, x.ndim) for v in (scale, bias))
    y = scaled(centred * factor, scale, bias)
    kept = [v.reshape((x.extents[1],)) for v in (mean, factor)]
    updated: list[Any] = []
    if stored:
        variance = onp.var(x, tuple(axes), correction=1)
        updated = [
            new * momentum + old * (1.0 - momentum)
            for old, new in zip(stored, (kept[0], variance), strict=True)
        ]
    return (y, *(v.astype(node.kind(1 + k)) for k, v in enumerate((*kept, *updated))))


@aten("native_group_norm", computes=True)
def group_norm(
    x: Any,
    scale: Any,
    bias: Any,
    batch: Any,
    channels: Any,
    size: Any,
    groups: int,
    epsilon: float,
    *,
    node: Node,
) -> tuple[Any, ...]:
    """x with mean 0 and variance 1 in each group of channels; also the mean and 1 / deviation."""
    grouped = node.shaped(x, [batch, groups, channels // groups * size])
    centred, mean, factor = moments(grouped, (2,), epsilon)
    y = node.shaped(centred * factor, x.extents)
    scale, bias = (None if v is None else on_axis(v, 1, x.ndim) for v in (scale, bias))
    kept = [node.shaped(v, [batch, groups]).astype(node.kind(1)) for v in (mean, factor)]
    return scaled(y, scale, bias), *kept


@aten("native_layer_norm_backward", computes=True)
def layer_norm_gradient(
    gradient: Any,
    x: Any,
    shape: Sequence[Any],
    mean: Any,
    factor: Any,
    scale: Any,
    bias: Any,
    wanted: Sequence[bool],
) -> tuple[Any, ...]:
    """The gradients of x, the scale and the bias; None for those that are not wanted."""
    lead = tuple(range(x.ndim - len(shape)))
    axes = tuple(range(len(lead), x.ndim))
    normal = (x - mean) * factor
    inner = gradient if scale is None else gradient * scale
    first, second = (onp.mean(v, axes, keepdims=True) for v in (inner, inner * normal))
    return (
        (inner - first - normal * second) * factor if wanted[0] else None,
        onp.sum(gradient * normal, lead) if wanted[1] and scale is not None else None,
        onp.sum(gradient, lead) if wanted[2] and bias is not None else None,
    )


@aten("native_group_norm_backward", computes=True)
def group_norm_gradient(
    gradient: Any,
    x: Any,
    mean: Any,
    factor: Any,
    scale: Any,
    batch: Any,
    channels: Any,
    size: Any,
    groups: int,
    wanted: Sequence[bool],
    *,
    node: Node,
) -> tuple[Any, ...]:
    """The gradients of x, the scale and the bias; None for those that are not wanted."""
    parts = [batch, groups, channels // groups, size]
    grouped, outer = (node.shaped(v, parts) for v in (x, gradient))
    mean, factor = (node.shaped(v, [batch, groups, 1, 1]) for v in (mean, factor))
    normal = (grouped - mean) * factor
    inner = outer
    if scale is not None:
        inner = outer * node.shaped(scale, [1, groups, channels // groups, 1])
    first, second = (onp.mean(v, (2, 3), keepdims=True) for v in (inner, inner * normal))
    y = (inner - first - normal * second) * factor
    sums = [onp.sum(v, (0, 3)) for v in (outer * normal, outer)]
    of_scale, of_bias = (node.shaped(v, [channels]) for v in sums)
    return (
        node.shaped(y, x.extents) if wanted[0] else None,
        of_scale if wanted[1] else None,
        of_bias if wanted[2] else None,
    )


@aten("native_dropout")
def dropout(x: Any, share: float, is_training: Any, *, node: Node) -> tuple[Any, ...]:
    """x itself, and that all elements are kept."""
    if is_training is not False:
        raise node.unsupported("in training: random numbers of PyTorch are not those of opc")
    return x, node.trace.full(x.extents, True, el.I1)
