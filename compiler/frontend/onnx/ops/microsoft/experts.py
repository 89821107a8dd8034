"""Mixtures of experts: each token is multiplied with the weights of the experts that it chooses.

The pairs of a token and an expert that it has chosen are sorted by expert, in blocks of as many
rows as an expert has on average, and each block is a product with the matrices of its expert::

    tokens 0 1 2 with experts 1 3, 3 0, 1 3, blocks of 2
      expert   0      1      3      3
      tokens   1 .    0 2    0 1    2 .

So weights of experts that nothing is routed to are not read.  A token's result is the sum over its
experts, from the greatest score to the least.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.cumulative import CumSumOp
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.activations import Function
from opc.frontend.models.quantization import dequantize, in_blocks
from opc.frontend.models.traced import gathered, quotient, value

from ..node import Node
from ..schema import Result, onnx
from .fused import MS, halves, tanh_gelu
from .packed_weights import unpacked, width, zero_points

ROWS = 32
"""The most rows of a block: more of them take no less time for each."""
MIXING = 14
"""The input of QMoE that has weights of experts beside the scores that choose them."""
PLAIN: dict[str, Function] = {
    "relu": onp.relu,
    "gelu": tanh_gelu,
    "silu": onp.silu,
    "identity": onp.positive,
}
Product: TypeAlias = "Callable[[Any, Any], Any]"
"""Multiplies blocks [blocks, rows, columns] with the matrices of experts, i64 [blocks]."""


@dataclass(frozen=True)
class Route:
    """The experts of each token, and the blocks of rows of each expert."""

    experts: Any
    """The expert of each block, i64 [blocks]."""
    rows: Any
    """The rows of all blocks, [blocks, rows, columns]."""
    places: Any
    """The row of each choice of each token, i64 [tokens, k]; None if they are in this order."""

    def back(self, y: Any, shape: tuple[Any, ...]) -> Any:
        """The results of rows as those of the choices of tokens, [tokens, k, columns]."""
        if self.places is None:
            return y.reshape(*shape, y.shape[-1])
        lines = y.reshape((y.extents[0] * y.extents[1], y.extents[2]))
        return gathered(lines, (0,), self.places)


def _chosen(node: Node, scores: Any, weights: Any) -> tuple[Any, Any]:
    """The ``k`` experts of each token, i64 [tokens, k], best first, and their weights in f32.

    Those are shares of the exponentials of scores, unless there are weights of all experts.
    """
    count = scores.extents[1].constant
    if count is None:
        raise node.unsupported("the number of experts is not known when compiling")
    k = node.attr("k")
    if not 1 <= k <= count:
        raise node.error(f"attribute k is {k}, for {count} experts")
    mine, other = onp.expand_dims(scores, 2), onp.expand_dims(scores, 1)
    # The first of equal scores wins.
    earlier = scores.trace.constant(np.tri(count, count, -1), el.I1)
    better = (other > mine) | ((other == mine) & earlier)
    rank = onp.sum(better.astype("int32"), axis=2)
    place = scores.trace.constant(np.arange(k)[:, None], el.BY_NAME["i32"])
    is_here = onp.expand_dims(rank, 1) == place
    # Scores that are not numbers have no place of their own: a maximum stays an expert.
    experts = onp.max(onp.where(is_here, _numbers(scores, count), 0), axis=2)
    is_normal = node.attr("normalize_routing_weights")
    if weights is not None:
        weights = onp.where(is_here, onp.expand_dims(weights, 1), 0.0)
        kept = onp.sum(weights, axis=2)
        return experts, kept / onp.sum(kept, axis=1, keepdims=True) if is_normal else kept
    power = onp.exp(scores - onp.max(scores, axis=1, keepdims=True))
    kept = onp.max(onp.where(is_here, onp.expand_dims(power, 1), 0.0), axis=2)
    total = kept if is_normal else power
    return experts, kept / onp.sum(total, axis=1, keepdims=True)


def _numbers(x: Any, count: int) -> Any:
    return x.trace.constant(np.arange(count), el.I64)


def _route(node: Node, x: Any, experts: Any, count: int) -> Route:
    """Sort the choices of tokens, experts [tokens, k], into blocks of rows of x [tokens, n]."""
    trace, (tokens, k), (_, columns) = x.trace, experts.extents, x.extents
    every = tokens * k
    average = ex.floordiv(every + (count - 1), count)
    size = ex.maximum(1, ex.minimum(average, ROWS))
    if size == 1:
        copies = onp.broadcast_to(onp.expand_dims(x, 1), (tokens, k, columns))
        return Route(experts.reshape((every,)), copies.reshape((every, 1, columns)), None)
    most = ex.minimum(every, ex.floordiv(every, size) + count)
    if size.constant is None:
        size = node.data_extent(trace.number(size).value, size)
    of_block = trace.number(size)
    is_mine = onp.expand_dims(experts, 2) == _numbers(x, count)
    routed = onp.max(is_mine.astype(el.I64), axis=1)
    blocks = quotient(onp.sum(routed, axis=0) + (of_block - 1), of_block)
    first = trace.emit(CumSumOp, blocks, axis=0, exclusive=True)
    before = trace.emit(CumSumOp, routed, axis=0, exclusive=True)
    lines = onp.expand_dims(first * of_block + before, 1)
    places = onp.sum(onp.where(is_mine, lines, 0), axis=2)
    number = node.data_extent(onp.sum(blocks, axis=0).value, most)
    behind = onp.expand_dims(first + blocks, 0) <= onp.expand_dims(trace.positions(number), 1)
    own = onp.minimum(onp.sum(behind.astype(el.I64), axis=1), count - 1)
    room = trace.full((number * size,), 0, el.I64)
    sources = onp.broadcast_to(onp.expand_dims(trace.positions(tokens), 1), (tokens, k))
    lists = (v.reshape((every,)) for v in (sources, places))
    line = trace.emit(ScatterElementsOp, room, *lists, axis=0, from_end=False)
    return Route(own, gathered(x, (0,), line.reshape((number, size))), places)


def _mixed(node: Node, products: list[Product | None], mixing: Any = None) -> Result:
    """The weighted sums of experts: two products with an activation between, or a gate beside."""
    node.refuse("use_sparse_mixer", "swiglu_limit_after_activation")
    node.ranked(0, 2, 3)
    first, second, third = products
    x, scores = node.traced(0, el.F32), node.traced(1, el.F32)
    tokens = x.reshape(-1, x.shape[-1])
    experts, weights = _chosen(node, scores, mixing)
    count = scores.extents[1].constant
    assert first is not None and second is not None and count is not None
    route = _route(node, tokens, experts, count)
    y = first(route.rows, route.experts)
    beside = None if third is None else third(route.rows, route.experts)
    y = second(_activated(node, y, beside), route.experts)
    weighted = route.back(y, experts.shape) * onp.expand_dims(weights, 2)
    return value(node, onp.sum(weighted, axis=1).reshape(*x.shape))


def _activated(node: Node, y: Any, beside: Any) -> Any:
    kind = node.attr("activation_type")
    if kind == "swiglu":
        return _gated(node, y, beside)
    if kind not in PLAIN:
        raise node.unsupported(f'activation_type "{kind}"')
    y = PLAIN[kind](y)
    return y if beside is None else y * beside


def _gated(node: Node, x: Any, other: Any) -> Any:
    """SwiGLU of the two parts of x, or of x and ``other``."""
    kind = node.attr("swiglu_fusion")
    if other is not None:
        gate, up = x, other
    elif kind == 1:
        split = x.reshape(*x.shape[:-1], x.shape[-1] // 2, 2)
        gate, up = split[..., 0], split[..., 1]
    elif kind == 2:
        gate, up = halves(node, x)
    else:
        raise node.error(f"swiglu_fusion is {kind}, and there is no third product")
    limit = node.attr("swiglu_limit")
    if limit is not None:
        gate, up = onp.minimum(gate, limit), onp.clip(up, -limit, limit)
    return onp.silu(gate, alpha=node.attr("activation_alpha")) * (up + node.attr("activation_beta"))


def _product(node: Node, matrices: Callable[[Any], Any], bias: int) -> Product:
    """A product with matrices of experts [blocks, n, columns], and a bias that may be absent."""

    def product(x: Any, experts: Any) -> Any:
        y = x @ onp.swapaxes(matrices(experts), 1, 2)
        if not node.has(bias):
            return y
        own = gathered(onp.expand_dims(node.traced(bias), 1), (0,), experts)
        return y + own.astype(el.F32)

    return product


@onnx(f"{MS}MoE", 1)
def experts(node: Node) -> Result:
    """MoE(x, scores, w1, b1, w2, b2, w3, b3) --> the weighted sum of w2 act(w1 x + b1) + b2."""

    def product(position: int) -> Product | None:
        if not node.has(position):
            return None
        node.ranked(position, 3)
        weights = node.traced(position)
        return _product(node, lambda at: gathered(weights, (0,), at).astype(el.F32), position + 1)

    return _mixed(node, [product(k) for k in (2, 4, 6)])


def _dequantized(
    node: Node, weights: int, scales: int, zeros: int, bits: int
) -> Callable[[Any], Any]:
    """The matrices of experts, of packed weights with scales of rows or blocks."""
    if not node.has(scales):
        raise node.error(f"input {weights} has no scales")
    packed, scale = unpacked(node.traced(weights), bits), node.traced(scales)
    (_, rows, columns), rank = node.ranked(weights, 3), len(node.ranked(scales, 2, 3))
    if (own := node.shape(scales)[1]).constant != rows.constant:
        shapes = [shape_text(node.shape(k)) for k in (weights, scales)]
        expected = f"expected {own} rows, not the layout of a device"
        raise node.unsupported(f"weights {shapes[0]} with scales {shapes[1]}, {expected}")
    columns = columns * (8 // bits)
    block = node.attr("block_size") or 0
    if rank == 3 and block < 1:
        raise node.error(f"there are scales of blocks, and block_size is {block}")
    zero = node.traced(zeros) if node.has(zeros) else None
    zero = zero_points(node, zero, node.shape(scales)[-1], bits)
    lined = [v if rank == 3 or not v.ndim else onp.expand_dims(v, 2) for v in (scale, zero)]

    def matrices(at: Any) -> Any:
        own = [gathered(v, (0,), at) if v.ndim else v for v in (packed, *lined)]
        if rank == 3:
            own[1:] = [in_blocks(v, 2, block, columns) if v.ndim else v for v in own[1:]]
        return dequantize(own[0], own[1], own[2], el.F32)

    return matrices


@onnx(f"{MS}QMoE", 1)
def quantized_experts(node: Node) -> Result:
    """QMoE(x, scores, w1, s1, b1, ...) --> MoE of dequantized weights."""
    if node.attr("quant_type") != "int":
        raise node.unsupported(f'quant_type "{node.attr("quant_type")}"')
    if any(map(node.has, range(MIXING + 1, len(node.schema.signature.inputs)))):
        raise node.unsupported("scales of experts or activations beside those of weights")
    if node.attr("weights_prepacked") > 0:
        raise node.unsupported("weights in a device-specific layout")
    usual = node.attr("expert_weight_bits")
    products: list[Product | None] = []
    for k in range(3):
        own = node.attr(f"fc{k + 1}_expert_weight_bits")
        bits = width(node, usual if own is None else own)
        if not node.has(2 + 3 * k):
            products.append(None)
            continue
        matrices = _dequantized(node, 2 + 3 * k, 3 + 3 * k, 11 + k, bits)
        products.append(_product(node, matrices, 4 + 3 * k))
    return _mixed(node, products, node.traced(MIXING, el.F32) if node.has(MIXING) else None)
