"""MoE and QMoE: a router selects a few of several dense networks (experts) for each row.

All experts are computed for all rows; those not selected have a weight of 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.activations import Function
from opc.frontend.models.op_builder import Result
from opc.frontend.models.quantization import dequantize, in_blocks
from opc.frontend.models.traced import traced, value

from ..node import Node
from ..normalization import wide
from ..schema import onnx
from .fused import MS, halves, tanh_gelu
from .packed_weights import UNSIGNED, unpacked, zero_points

PLAIN: dict[str, Function] = {
    "relu": onp.relu,
    "gelu": tanh_gelu,
    "silu": onp.silu,
    "identity": onp.positive,
}


def _weights(node: Node, scores: Any) -> Any:
    """Weights of experts [rows, experts], 0 except for the k best."""
    count = scores.extents[1].constant
    if count is None:
        raise node.unsupported("the number of experts is not known when compiling")
    chosen = node.attr("k")
    if not 1 <= chosen <= count:
        raise node.error(f"attribute k is {chosen}, for {count} experts")
    mine, other = onp.expand_dims(scores, 2), onp.expand_dims(scores, 1)
    # The first of equal scores wins.
    earlier = scores.trace.constant(np.tri(count, count, -1), el.I1)
    better = (other > mine) | ((other == mine) & earlier)
    is_chosen = onp.sum(better.astype("int32"), axis=2) < chosen
    power = onp.exp(scores - onp.max(scores, axis=1, keepdims=True))
    kept = onp.where(is_chosen, power, 0.0)
    total = kept if node.attr("normalize_routing_weights") else power
    return kept / onp.sum(total, axis=1, keepdims=True)


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


@onnx(f"{MS}MoE", 1)
def experts(node: Node) -> Result:
    """MoE(x, scores, w1, b1, w2, b2, w3, b3) --> the weighted sum of w2 act(w1 x + b1) + b2."""
    x, scores, w1, b1, w2, b2, w3, b3 = traced(node)
    node.refuse("use_sparse_mixer", "swiglu_limit_after_activation")
    for k, ranks in ((0, (2, 3)), (2, (3,)), (4, (3,))):
        node.ranked(k, *ranks)
    rows = x.reshape(1, -1, x.shape[-1])

    def product(x: Any, w: Any, b: Any) -> Any:
        y = x @ onp.swapaxes(w, 1, 2)
        return y if b is None else y + onp.expand_dims(b, 1)

    y = product(rows, w1, b1)
    third = None if w3 is None else product(rows, w3, b3)
    kind = node.attr("activation_type")
    if kind == "swiglu":
        y = _gated(node, y, third)
    elif kind in PLAIN:
        y = PLAIN[kind](y)
        y = y if third is None else y * third
    else:
        raise node.unsupported(f'activation_type "{kind}"')
    weights = _weights(node, scores)
    outputs = product(y, w2, b2) * onp.expand_dims(onp.swapaxes(weights, 0, 1), 2)
    return value(node, onp.sum(outputs, axis=0).reshape(*x.shape))


def _dequantized(node: Node, weights: int, scales: int, zeros: int, bits: int) -> SSAValue | None:
    """Packed weights [experts, rows, columns], dequantized by scales of rows or blocks."""
    if not node.has(weights):
        return None
    if not node.has(scales):
        raise node.error(f"input {weights} has no scales")
    x = unpacked(node, node[weights], bits)
    (*rows, columns), rank = node.ranked(weights, 3), len(node.ranked(scales, 2, 3))
    columns = columns * (8 // bits)
    block = node.attr("block_size") or 0
    if rank == 3 and block < 1:
        raise node.error(f"there are scales of blocks, and block_size is {block}")

    def spread(y: SSAValue) -> SSAValue:
        """Values per block or per row, shaped to broadcast."""
        if rank == 3:
            return in_blocks(node, y, 2, block, columns)
        return node.reshape(y, (*rows, 1))

    packed = node[zeros] if node.has(zeros) else None
    zero = zero_points(node, packed, node.shape(scales)[-1], bits)
    zero = zero if packed is None else spread(zero)
    return dequantize(node, x, spread(node[scales]), zero, wide(node.element()))


@onnx(f"{MS}QMoE", 1)
def quantized_experts(node: Node) -> Result:
    """QMoE(x, scores, w1, s1, b1, ...) --> MoE of dequantized weights."""
    if node.attr("quant_type") != "int":
        raise node.unsupported(f'quant_type "{node.attr("quant_type")}"')
    if any(map(node.has, range(14, len(node.schema.inputs)))):
        raise node.unsupported("separate router weights, or scales of activations")
    if node.attr("weights_prepacked") > 0:
        raise node.unsupported("weights in a device-specific layout")
    usual = node.attr("expert_weight_bits")
    weights: list[SSAValue | None] = []
    for k in range(3):
        own = node.attr(f"fc{k + 1}_expert_weight_bits")
        bits = usual if own is None else own
        if bits not in UNSIGNED:
            raise node.unsupported(f"weights of {bits} bits, expected 2, 4 or 8")
        weights.append(_dequantized(node, 2 + 3 * k, 3 + 3 * k, 11 + k, bits))
    biases = [node[4 + 3 * k] if node.has(4 + 3 * k) else None for k in range(3)]
    parts = [part for pair in zip(weights, biases, strict=True) for part in pair]
    return node.apply(f"{MS}MoE", 1, *node.inputs[:2], *parts)
