"""Fused normalizations, which onnxruntime's optimizers write.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.unary import ReciprocalOp, SqrtOp
from opc.dialects.shape import type_text
from opc.frontend.models.op_builder import Result

from ..node import Node
from ..normalization import layer, mean, moments, stage_one
from ..schema import onnx
from .fused import MS, plus, traced


@onnx("SimplifiedLayerNormalization", 1)
def simplified(node: Node) -> tuple[Result | None, ...]:
    """SimplifiedLayerNormalization(x, scale) --> x / sqrt(mean(x * x) + epsilon) * scale."""
    rank, type = len(node.shape()), stage_one(node)
    axes = range(node.axis(node.attr("axis"), rank), rank)
    x = node.cast(node[0], type)
    y, deviation = _without_mean(node, x, axes)
    y = node.binary("mul", y, node.cast(node[1], type))
    inverse = node.add(ReciprocalOp(deviation)) if len(node.op.outputs) > 1 else None
    return node.cast(y, node.element(1)), inverse


def _without_mean(node: Node, x: SSAValue, axes: range) -> tuple[SSAValue, SSAValue]:
    """x divided by its root mean square, and that root."""
    square = mean(node, node.binary("mul", x, x), axes)
    root = node.add(SqrtOp(node.scaled("add", square, node.attr("epsilon"))))
    return node.binary("div", x, root), root


onnx("LayerNormalization", 1)(layer)


def _vector(node: Node, x: Any, extent: ex.Expr) -> Any:
    """A 1-D array that fits the last axis."""
    if x.ndim != 1:
        raise node.error(f"found an input of {x.ndim} axes, expected a list of numbers")
    node.require("equal", x.extents[0], extent, "a number for each of the last axis")
    return x


def _skip(node: Node, parts: Sequence[Any], beta: Any, has_mean: bool) -> tuple[Result | None, ...]:
    """(input + skip + bias) normalized over its last axis, and intermediate results."""
    (x, skip, gamma, bias), rank = parts, len(node.shape())
    if rank not in (2, 3):
        raise node.error(f"expected rank 2 or 3, found {type_text(node[0].type)}")
    total, axes = plus(node, x + skip, bias), range(rank - 1, rank)
    if has_mean:
        centred, middle, deviation = moments(node, total.value, axes, node.attr("epsilon"))
        y = node.binary("div", centred, deviation)
    else:
        middle = None
        y, deviation = _without_mean(node, total.value, axes)
    normalized = plus(node, x.trace.array(y) * _vector(node, gamma, x.extents[-1]), beta)
    count = len(node.op.outputs)
    inverse = node.add(ReciprocalOp(deviation)) if count > 2 else None
    results = (node.cast(normalized.value, node.element()), middle, inverse)
    return (*results, node.cast(total.value, node.element()))[: max(count, 1)]


@onnx(f"{MS}SkipLayerNormalization", 1)
def skip_layer(node: Node) -> tuple[Result | None, ...]:
    """SkipLayerNormalization(x, skip, gamma, beta, bias) --> LayerNormalization of the sum."""
    x, skip, gamma, beta, bias = traced(node)
    return _skip(node, (x, skip, gamma, bias), beta, True)


@onnx(f"{MS}SkipSimplifiedLayerNormalization", 1)
def skip_simplified(node: Node) -> tuple[Result | None, ...]:
    """SkipSimplifiedLayerNormalization(x, skip, gamma, bias) --> RMS norm of the sum."""
    return _skip(node, traced(node), None, False)


def _looked_up(table: Any, numbers: Any) -> Any:
    """Rows of a table by index."""
    return table.trace.emit(GatherOp, table, numbers, axes=(0,), from_end=False)


@onnx(f"{MS}EmbedLayerNormalization", 1)
def embedding(node: Node) -> tuple[Result | None, ...]:
    """EmbedLayerNormalization(ids, ...) --> normalized sum of word, position and segment rows."""
    ids, segments, words, positions, kinds, gamma, beta, mask, numbers = traced(node)
    if ids.ndim != 2:
        raise node.error(f"input_ids is {type_text(node[0].type)}, expected a matrix")
    if numbers is None:
        numbers = ids.trace.given(ids.trace.numbers(ids.extents[1]), el.I64)
    total = _looked_up(words, ids) + _looked_up(positions, numbers)
    if kinds is not None:
        total = total + (kinds[0] if segments is None else _looked_up(kinds, segments))
    centred, _, deviation = moments(node, total.value, range(2, 3), node.attr("epsilon"))
    y = ids.trace.array(node.binary("div", centred, deviation))
    y = plus(node, y * _vector(node, gamma, total.extents[-1]), beta)
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
    if x.ndim != 4 or groups < 1:
        raise node.error(f"groups is {groups}, for {type_text(node[0].type)}")
    channels = x.extents[3 if last else 1]

    def along(v: Any) -> Any:
        """Values per channel, shaped to broadcast."""
        v = _vector(node, v, channels)
        return v if last else v.reshape(*v.shape, 1, 1)

    if more:
        skip, bias = more
        if skip.ndim == 2:
            skip = skip.reshape(*skip.shape[:1], *((1, 1, -1) if last else (-1, 1, 1)))
        x = x + skip
        x = x if bias is None else x + along(bias)
    total = x.value
    node.require("divides", channels, ex.const(groups), "channels do not make whole groups")
    inner = x.trace.size(ex.floordiv(channels, ex.const(groups)))
    lead = (*shape[:3], groups, inner) if last else (shape[0], groups, inner, *shape[2:])
    axes = (1, 2, 4) if last else (2, 3, 4)
    split = x.reshape(*lead)
    centred, _, deviation = moments(node, split.value, axes, node.attr("epsilon"))
    y = x.trace.array(node.binary("div", centred, deviation)).reshape(*shape)
    y = y * along(gamma) + along(beta)
    if node.attr("activation"):
        y = onp.silu(y)
    return node.cast(y.value, type), node.cast(total, type)
