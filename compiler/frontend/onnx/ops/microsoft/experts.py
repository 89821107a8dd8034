"""MoE: of several dense networks each row goes through the few that a router prefers.

All networks are computed for all rows, and those that are not asked for have a weight of 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result

from ..node import Node
from ..row import add
from ..traced import value
from .fused import MS, SINGLES, Function, halves, tanh_gelu, traced

PLAIN: dict[str, Function] = {
    "relu": onp.relu,
    "gelu": tanh_gelu,
    "silu": onp.silu,
    "identity": onp.positive,
}


def _weights(node: Node, scores: Any) -> Any:
    """The weight of each network for each row [rows, networks], 0 but for the first few."""
    count = scores.extents[1].constant
    if count is None:
        raise node.unsupported("the number of experts is not known when compiling")
    chosen = node.attr("k")
    if not 1 <= chosen <= count:
        raise node.error(f"attribute k is {chosen}, for {count} experts")
    mine, other = onp.expand_dims(scores, 2), onp.expand_dims(scores, 1)
    # Of equal ones the first is preferred.
    earlier = scores.trace.constant(np.tri(count, count, -1), el.I1)
    better = (other > mine) | ((other == mine) & earlier)
    is_chosen = onp.sum(better.astype("int32"), axis=2) < chosen
    power = onp.exp(scores - onp.max(scores, axis=1, keepdims=True))
    kept = onp.where(is_chosen, power, 0.0)
    total = kept if node.attr("normalize_routing_weights") else power
    return kept / onp.sum(total, axis=1, keepdims=True)


def _gated(node: Node, x: Any, other: Any) -> Any:
    """SwiGLU of the parts of one product, or of two products."""
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


def experts(node: Node) -> Result:
    """MoE(x, scores, w1, b1, w2, b2, w3, b3) --> the weighed sum of w2 act(w1 x + b1) + b2."""
    x, scores, w1, b1, w2, b2, w3, b3 = traced(node)
    for name in ("use_sparse_mixer", "swiglu_limit_after_activation"):
        if node.attr(name):
            raise node.unsupported(f"attribute {name} is not supported")
    if x.ndim not in (2, 3) or w1.ndim != 3 or w2.ndim != 3:
        raise node.error(f"{shape_text(node.shape())} for experts {shape_text(node.shape(2))}")
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
    each = product(y, w2, b2) * onp.expand_dims(onp.swapaxes(weights, 0, 1), 2)
    return value(node, onp.sum(each, axis=0).reshape(*x.shape))


add(
    f"{MS}MoE",
    1,
    "input:T router_probs:T fc1_experts_weights:T fc1_experts_bias?:T fc2_experts_weights:T "
    "fc2_experts_bias?:T fc3_experts_weights?:T fc3_experts_bias?:T -> output:T",
    SINGLES,
    experts,
    "activation_alpha:float=1 activation_beta:float=0 activation_type:string=relu k:int=1 "
    "normalize_routing_weights:int=0 swiglu_fusion:int=0 swiglu_limit:float "
    "swiglu_limit_after_activation:int=0 use_sparse_mixer:int=0",
)
