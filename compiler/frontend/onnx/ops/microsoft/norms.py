"""Fused normalizations, which onnxruntime's optimizers write.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.norms import by_root_mean_square, groups_of, moments, vector
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import gathered, traced, value

from ..node import Node
from ..normalization import layer, stage_one
from ..schema import onnx
from .fused import MS, plus


@onnx("SimplifiedLayerNormalization", 1)
def simplified(node: Node) -> tuple[Result | None, ...]:
    """SimplifiedLayerNormalization(x, scale) --> x / sqrt(mean(x * x) + epsilon) * scale."""
    rank, (x, scale) = node.rank(), traced(node, stage_one(node))
    axes = range(node.axis(node.attr("axis"), rank), rank)
    y, root = by_root_mean_square(x, axes, node.attr("epsilon"))
    inverse = onp.reciprocal(root).value if len(node.op.outputs) > 1 else None
    return value(node, y * scale, node.element(1)), inverse


def _skip(node: Node, parts: Sequence[Any], beta: Any, has_mean: bool) -> tuple[Result | None, ...]:
    """(input + skip + bias) normalized over its last axis, and intermediate results."""
    x, skip, gamma, bias = parts
    node.ranked(0, 2, 3)
    total, epsilon, middle = plus(node, x + skip, bias), node.attr("epsilon"), None
    if has_mean:
        centred, middle, deviation = moments(total, -1, epsilon)
        y = centred / deviation
    else:
        y, deviation = by_root_mean_square(total, -1, epsilon)
    count, y = len(node.op.outputs), plus(node, y * vector(node, gamma, x.extents[-1]), beta)
    inverse = onp.reciprocal(deviation).value if count > 2 else None
    results = (value(node, y), None if middle is None else middle.value, inverse)
    return (*results, value(node, total))[: max(count, 1)]


@onnx(f"{MS}SkipLayerNormalization", 1)
def skip_layer(node: Node) -> tuple[Result | None, ...]:
    """SkipLayerNormalization(x, skip, gamma, beta, bias) --> LayerNormalization of the sum."""
    x, skip, gamma, beta, bias = traced(node)
    return _skip(node, (x, skip, gamma, bias), beta, True)


@onnx(f"{MS}SkipSimplifiedLayerNormalization", 1)
def skip_simplified(node: Node) -> tuple[Result | None, ...]:
    """SkipSimplifiedLayerNormalization(x, skip, gamma, bias) --> RMS norm of the sum."""
    return _skip(node, traced(node), None, False)


@onnx(f"{MS}EmbedLayerNormalization", 1)
def embedding(node: Node) -> tuple[Result | None, ...]:
    """EmbedLayerNormalization(ids, ...) --> normalized sum of word, position and segment rows."""
    ids, segments, words, positions, kinds, gamma, beta, mask, numbers = traced(node)
    node.ranked(0, 2)
    if numbers is None:
        numbers = ids.trace.given(ids.trace.numbers(ids.extents[1]), el.I64)
    total = gathered(words, (0,), ids) + gathered(positions, (0,), numbers)
    if kinds is not None:
        total = total + (kinds[0] if segments is None else gathered(kinds, (0,), segments))
    centred, _, deviation = moments(total, -1, node.attr("epsilon"))
    y = plus(node, centred / deviation * vector(node, gamma, total.extents[-1]), beta)
    # The number of unmasked words of each row.
    is_word: Any = ids != ids if mask is None else mask == 1
    index = onp.sum(is_word.astype("int64"), axis=1)
    type = node.element(2)
    return (
        node.cast(y.value, type),
        ids.trace.given(index, el.BY_NAME["i32"]).value,
        node.cast(total.value, type),
    )


@onnx(f"{MS}GroupNorm", 1)
@onnx(f"{MS}SkipGroupNorm", 1)
def group(node: Node) -> tuple[Result | None, ...]:
    """GroupNorm(x, gamma, beta) --> GroupNormalization, channels last or second, then SiLU.

    SkipGroupNorm adds ``skip`` and ``bias`` to x first.
    """
    (x, gamma, beta, *more), type = traced(node), node.element()
    last, groups, shape = bool(node.attr("channels_last")), node.attr("groups"), x.shape
    node.ranked(0, 4)
    channels = x.extents[3 if last else 1]

    def along(v: Any) -> Any:
        """Values per channel, shaped to broadcast."""
        v = vector(node, v, channels)
        return v if last else v.reshape(*v.shape, 1, 1)

    if more:
        skip, bias = more
        if skip.ndim == 2:
            skip = skip.reshape(*skip.shape[:1], *((1, 1, -1) if last else (-1, 1, 1)))
        x = x + skip
        x = x if bias is None else x + along(bias)
    inner = x.trace.size(groups_of(node, channels, groups))
    lead = (*shape[:3], groups, inner) if last else (shape[0], groups, inner, *shape[2:])
    axes = (1, 2, 4) if last else (2, 3, 4)
    split = x.reshape(*lead)
    centred, _, deviation = moments(split, axes, node.attr("epsilon"))
    y = (centred / deviation).reshape(*shape)
    y = y * along(gamma) + along(beta)
    if node.attr("activation"):
        y = onp.silu(y)
    return value(node, y, type), value(node, x, type)


onnx("LayerNormalization", 1)(layer)
