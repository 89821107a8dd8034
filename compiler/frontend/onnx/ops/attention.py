"""Attention and FlexAttention.  f16 and bf16 are computed in f32 and rounded once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import element, shape_of, shape_text, tensor_of, type_text
from opc.frontend.models import attention as at
from opc.frontend.models import known as kn
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import filled

from .node import Node
from .normalization import wide
from .schema import onnx

MASK, PAST_KEY, PAST_VALUE, LENGTHS = range(3, 7)
"""The optional inputs."""


def precision(node: Node) -> el.ElementType | None:
    """The element type of the softmax; None for that of the scores."""
    return None if node.attr("softmax_precision") is None else node.type_in("softmax_precision")


@dataclass(frozen=True)
class Heads:
    """Queries, keys and values, all [batch, heads, positions, size]."""

    q: SSAValue
    k: SSAValue
    v: SSAValue
    past: ex.Expr
    """The number of past keys."""


def inputs(node: Node, heads: int | None, groups: int | None) -> Heads:
    """Queries, and keys and values with the past ones in front.

    ``heads`` is the number of query heads and ``groups`` that of key and value heads, or None.
    """
    ranks = {len(node.shape(k)) for k in range(3)}
    if ranks not in ({3}, {4}):
        raise node.error(f"Q, K and V must have rank 3 or 4, found {sorted(ranks)}")
    q, k, v = (node[n] for n in range(3))
    is_flat = ranks == {3}
    if is_flat:
        if not heads or not groups or heads < 0 or groups < 0:
            raise node.error(f"q_num_heads is {heads} and kv_num_heads {groups}, for rank 3")
        q = at.heads_first(node, q, heads)
        k, v = (at.heads_first(node, x, groups) for x in (k, v))
    else:
        for name, declared, x in (("q_num_heads", heads, q), ("kv_num_heads", groups, k)):
            if declared is not None:
                actual = shape_of(tensor_of(x))[1]
                node.require("equal", actual, ex.const(declared), f"{name} is another number")
    past = ex.const(0)
    if node.has(PAST_KEY) != node.has(PAST_VALUE):
        raise node.error("past_key and past_value are given together, or neither")
    if node.has(PAST_KEY):
        if node.has(LENGTHS):
            raise node.error("nonpad_kv_seqlen is given beside past_key")
        past, _ = (node.ranked(n, 4)[2] for n in (PAST_KEY, PAST_VALUE))
        k, v = (node.concat([node[n], x], 2) for n, x in ((PAST_KEY, k), (PAST_VALUE, v)))
    shapes = [shape_of(tensor_of(x)) for x in (q, k, v)]
    for other in shapes[1:]:
        node.require("equal", other[0], shapes[0][0], "the batches differ")
    for axis, what in ((1, "heads"), (2, "positions")):
        a, b = shapes[1][axis], shapes[2][axis]
        node.require("equal", a, b, f"keys and values have different {what}")
    node.require("equal", shapes[0][3], shapes[1][3], "queries and keys have different sizes")
    return Heads(q, k, v, past)


def window(node: Node, operands: Heads) -> tuple[at.Window, list[SSAValue]]:
    """The window of keys that a query sees, and the conditions that exclude padding."""
    queries, keys = (shape_of(tensor_of(x))[2] for x in (operands.q, operands.k))
    left, right = -1, -1
    if node.since >= 25:
        left, right = (node.attr(f"{side}_window_size") for side in ("left", "right"))
        if min(left, right) < -1:
            raise node.error(f"a window of {left} and {right}, expected -1 or more")
    if node.attr("is_causal"):
        right = 0
    offset: SSAValue | ex.Expr = operands.past
    conditions: list[SSAValue] = []
    if node.has(LENGTHS):
        batch = shape_of(tensor_of(operands.q))[0]
        (count,) = node.ranked(LENGTHS, 1)
        node.require("equal", count, batch, "nonpad_kv_seqlen is of another batch")
        lengths = node.reshape(node[LENGTHS], (batch, 1, 1, 1))
        before = ex.const(1) - queries
        offset = node.binary("add", lengths, node.tensor(kn.of([before - 1], ())))
        # Keys behind the last of these are padding.
        last = node.binary("add", lengths, node.constant(-1, el.I64))
        conditions = at.Window(last, None, 0).seen(node, ex.const(1), keys)
    bounds = (None if n < 0 else n for n in (left, right))
    return at.Window(offset, *bounds), conditions


def mask(node: Node, operands: Heads, type: el.ElementType) -> SSAValue | None:
    """The boolean or additive mask, with its last axis extended to the number of keys."""
    if not node.has(MASK):
        return None
    mask_type, shape = node.element(MASK), node.ranked(MASK, 0, 1, 2, 3, 4)
    keys = shape_of(tensor_of(operands.k))[2]
    if not mask_type.is_float and mask_type is not el.I1:
        raise node.unsupported(f"a mask of {mask_type}, expected booleans or floats")
    x = node[MASK] if mask_type is el.I1 else node.cast(node[MASK], type)
    if shape and shape[-1] != keys and node.since >= 24:
        longest = ex.maximum(shape[-1], keys)
        what = f"attn_mask is {shape_text(shape)}, for {extent_text(keys)} keys"
        node.require("equal", longest, keys, what)
        out = node.constant(*((False, el.I1) if mask_type is el.I1 else (-np.inf, type)))
        x = filled(node, x, len(shape) - 1, 0, longest - shape[-1], out)
        x = node.reshape(x, (*shape[:-1], keys))
    full = (*(shape_of(tensor_of(operands.q))[:3]), keys)
    for n, extent in zip(reversed(shape_of(tensor_of(x))), reversed(full), strict=False):
        node.require("stretch", n, extent, "attn_mask does not broadcast to the scores")
    return x


@onnx("Attention", 23, 24, 25)
def attention(node: Node) -> tuple[Result | None, ...]:
    """Attention(q, k, v, ...) --> softmax(q k^T * scale + mask) v, and a chosen intermediate."""
    type = wide(node.element())
    mode: int = node.choice("qk_matmul_output_mode", *range(4))
    operands = inputs(node, node.attr("q_num_heads"), node.attr("kv_num_heads"))
    scale, cap = node.attr("scale"), node.at_least("softcap", 0)
    raw = at.scores(node, node.cast(operands.q, type), node.cast(operands.k, type), scale)
    limited = at.capped(node, raw, cap) if cap else raw
    visible, conditions = window(node, operands)
    bias = mask(node, operands, type)
    may_be_hidden = bool(conditions) or bias is not None or visible.left is not None
    conditions += visible.seen(node, *(shape_of(tensor_of(x))[2] for x in (operands.q, operands.k)))
    if bias is not None and element(tensor_of(bias)) is el.I1:
        conditions.append(bias)
        bias = None
    biased = at.masked(node, limited, conditions, bias)
    special = precision(node)
    x = biased if special in (None, node.element()) else node.cast(biased, special)
    rounded = element(tensor_of(x))
    weights = at.softmax(node, node.cast(x, wide(rounded)), may_be_hidden)
    weights = node.cast(node.cast(weights, rounded), type)
    last = max((type, wide(node.element(2))), key=lambda t: t.bits)
    y = at.product(node, node.cast(weights, last), node.cast(operands.v, last))
    y = node.cast(at.heads_last(node, y) if node.rank() == 3 else y, node.element())
    between: list[SSAValue] = [raw, limited, biased, weights]
    return y, operands.k, operands.v, node.cast(between[mode], node.element())


def _changed(node: Node, name: str, x: SSAValue) -> SSAValue:
    """x after the subgraph of that name, or x if it is absent."""
    if not node.given(name):
        return x
    results = node.inline(name, [x])
    if len(results) != 1:
        raise node.error(f"graph {name} gives {len(results)} values, expected 1")
    y = node.tensor(results[0])
    (shape, wanted) = (shape_of(tensor_of(v)) for v in (y, x))
    if element(tensor_of(y)) is not element(tensor_of(x)) or len(shape) != len(wanted):
        raise node.error(f"graph {name} gives {type_text(y.type)}, expected {type_text(x.type)}")
    for a, b in zip(shape, wanted, strict=True):
        node.require("equal", a, b, f"graph {name} gives another shape")
    return y


@onnx("ai.onnx.preview::FlexAttention", 1)
def flexible(node: Node) -> Result:
    """FlexAttention(q, k, v) --> prob_mod(softmax(score_mod(q k^T * scale))) v."""
    for k in range(3):
        node.ranked(k, 4)
    if {node.element(k) for k in range(3)} != {node.element()}:
        raise node.error("Q, K and V differ in element type")
    operands = inputs(node, None, None)
    type = precision(node) or wide(node.element())
    q, k = (node.cast(x, wide(node.element())) for x in (operands.q, operands.k))
    x = node.cast(at.scores(node, q, k, node.attr("scale")), type)
    x = node.cast(_changed(node, "score_mod", x), wide(type))
    weights = _changed(node, "prob_mod", node.cast(at.softmax(node, x, False), type))
    weights, v = (node.cast(value, wide(type)) for value in (weights, operands.v))
    return node.cast(at.product(node, weights, v), node.element())
