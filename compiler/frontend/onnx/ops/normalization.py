"""Normalization operators and softmax.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.reduction import ArgMaxOp, ReduceL1Op, ReduceL2Op
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.moving import sums_around
from opc.frontend.models.norms import (
    affine,
    by_groups,
    by_root_mean_square,
    by_stored_moments,
    mean,
    moments,
    on_axis,
    per_channel,
)
from opc.frontend.models.traced import traced, value

from .node import Node
from .schema import Result, onnx


def stage_one(node: Node) -> el.ElementType:
    """The element type of the first stage."""
    return max((node.type_in("stash_type").computed, node.wide()), key=lambda t: t.bits)


@onnx("LayerNormalization", 17)
def layer(node: Node) -> tuple[Result | None, ...]:
    """LayerNormalization(x, scale, b) --> (x - mean) / deviation * scale + b."""
    x, scale, bias = traced(node, stage_one(node))
    axes = range(node.axis(node.attr("axis"), x.ndim), x.ndim)
    centred, middle, deviation = moments(x, axes, node.attr("epsilon"))
    y = affine(centred / deviation, scale, bias)
    type = node.type_in("stash_type")
    return value(node, y), value(node, middle, type), value(node, onp.reciprocal(deviation), type)


@onnx("RMSNormalization", 23)
@onnx("SimplifiedLayerNormalization", 1)
def root_mean_square(node: Node) -> tuple[Result, ...]:
    """RMSNormalization(x, scale) --> x / root * scale, and 1 / root.

    The root is sqrt(mean(x * x) + epsilon).
    """
    x, scale = traced(node, stage_one(node))
    axes = range(node.axis(node.attr("axis"), x.ndim), x.ndim)
    y, root = by_root_mean_square(x, axes, node.attr("epsilon"))
    return value(node, y * scale, node.element(1)), onp.reciprocal(root)


def trained_batch(node: Node) -> tuple[Result | None, ...]:
    """BatchNormalization --> by the moments of x, and updated running moments."""
    rank, trace = node.rank(), node.trace
    type = max((node.wide(k) for k in range(5)), key=lambda t: t.bits)
    x: Any = node.traced(0, type)
    axes = [k for k in range(rank) if k != 1]
    centred, middle, deviation = moments(x, axes, node.attr("epsilon"))
    scale, bias, *before = (per_channel(node, trace, k, rank, type) for k in range(1, 5))
    y = affine(centred / deviation, scale, bias)
    variance = mean(centred * centred, axes)
    momentum, results = node.attr("momentum"), [value(node, y)]
    for old, now, k in zip(before, (middle, variance), (3, 4), strict=True):
        new = (old * momentum + now * (1 - momentum)).reshape(-1)
        results.append(value(node, new, node.element(k)))
    return tuple(results)


@onnx("BatchNormalization", 1, 6, 7, 9, 14, 15)
def batch(node: Node) -> Result | tuple[Result | None, ...]:
    """BatchNormalization(x, scale, b, mean, var) --> (x - mean) * (scale / sqrt(var + eps)) + b."""
    training = not node.attr("is_test") if node.since < 7 else bool(node.attr("training_mode"))
    spatial = bool(node.attr("spatial"))
    rank = len(node.ranked(0, least=2 if spatial else 0))
    if training and node.since >= 14:
        return trained_batch(node)
    if training or len(node.op.outputs) > 1:
        raise node.unsupported(
            "training mode is not supported; export the model for inference"
            + (", with is_test = 1" if node.since < 7 else "")
        )
    x, *moved = traced(node, node.wide())
    if spatial:
        moved = [per_channel(node, x.trace, k, rank, x.element) for k in range(1, 5)]
    return value(node, by_stored_moments(x, *moved, epsilon=node.attr("epsilon")))


@onnx("InstanceNormalization", 1, 6, 22)
def instance(node: Node) -> Result:
    """InstanceNormalization(x, scale, b) --> (x - mean) / deviation * scale + b per channel."""
    (x, *_), rank = traced(node), len(node.ranked(0, least=3))
    centred, _, deviation = moments(x, range(2, rank), node.attr("epsilon"))
    scale, bias = (per_channel(node, x.trace, k, rank, x.element) for k in (1, 2))
    return value(node, affine(centred / deviation, scale, bias))


@onnx("GroupNormalization", 18, 21)
def group(node: Node) -> Result:
    """GroupNormalization(x, scale, bias) --> InstanceNormalization over groups of channels.

    Scale and bias are per group in version 18 and per channel since 21.
    """
    groups, rank = node.attr("num_groups"), len(node.ranked(0, least=2))
    x, scale, bias = traced(node, stage_one(node) if node.since >= 21 else node.wide())
    y = by_groups(node, x, 1, groups, node.attr("epsilon"))
    if node.since < 21:
        y = affine(y, *(on_axis(v, 1, rank + 1) for v in (scale, bias))).reshape(x.shape)
    else:
        y = affine(y.reshape(x.shape), *(on_axis(v, 1, rank) for v in (scale, bias)))
    return value(node, y)


@onnx("MeanVarianceNormalization", 9, 13)
def mean_variance(node: Node) -> Result:
    """MeanVarianceNormalization(x) --> (x - mean) / (sqrt(variance) + 1e-9)."""
    (x,) = traced(node)
    centred, _, deviation = moments(x, node.axes(node.attr("axes"), x.ndim), 0.0)
    return value(node, centred / (deviation + 1e-9))


@onnx("LpNormalization", 1, 22)
def lp(node: Node) -> Result:
    """LpNormalization(x) --> x / norm, and 0 where the norm is 0."""
    p, (x,) = node.choice("p", 1, 2), traced(node)
    axis = node.axis(node.attr("axis"), x.ndim)
    norm = x.trace.emit(ReduceL1Op if p == 1 else ReduceL2Op, x, axes=(axis,), keepdims=True)
    return value(node, onp.where(norm == 0, 0, x / norm))


@onnx("LRN", 1, 13)
def lrn(node: Node) -> Result:
    """LRN(x) --> x / (bias + alpha / size * sum of squares of ``size`` channels around)**beta."""
    node.ranked(0, least=2)
    size, (x,) = node.at_least("size", 1), traced(node)
    squares = sums_around(x * x, [1], (size - 1) // 2, size // 2)
    norm = squares * (node.attr("alpha") / size) + node.attr("bias")
    return value(node, x / norm ** node.attr("beta"))


def matrix(node: Node) -> tuple[SSAValue, int]:
    """The input and the axis; before opset 13 the input is reshaped to a matrix."""
    x, rank = node[0], len(node.shape())
    axis = node.attr("axis")
    if node.since >= 13:
        return x, node.axis(axis, rank)
    # Axis = rank gives one column.  Version 1 has negative axes only in its tests.
    if not -rank <= axis <= rank:
        raise node.error(f"axis {axis} is outside [{-rank}, {rank}]")
    axis += rank if axis < 0 else 0
    shape = node.shape()
    return node.reshape(x, (ex.product(shape[:axis]), ex.product(shape[axis:]))), 1


@onnx("Softmax", 1, 11, 13)
def along(node: Node, log: bool = False) -> Result:
    """Softmax(x) --> exp(x - max) / sum(exp(x - max)); f16 and bf16 in f32, rounded once."""
    x, axis = matrix(node)
    function = onp.log_softmax if log else onp.softmax
    return node.reshape(function(node.trace.array(x), axis).value, node.shape())


@onnx("Hardmax", 1, 11, 13)
def hardmax(node: Node) -> Result:
    """Hardmax(x) --> 1 where argmax is, else 0."""
    x, axis = matrix(node)
    shape = shape_of(tensor_of(x))
    if 0 in shape:
        return node[0]
    trace = node.trace
    first = trace.emit(ArgMaxOp, trace.array(x), axis=axis, keepdims=True)
    hit = on_axis(trace.positions(shape[axis]), axis, len(shape)) == first
    return node.reshape(hit.astype(node.element().name).value, node.shape())


onnx("LogSoftmax", 1, 11, 13)(partial(along, log=True))
