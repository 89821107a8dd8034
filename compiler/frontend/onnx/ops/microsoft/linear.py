"""LinearAttention: a matrix for each head that every position is added to, and read by queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.movement import TransposeOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.traced import NodeTrace

from ..node import Node
from ..normalization import wide
from ..row import add
from ..traced import value
from .fused import MS, SINGLES, traced

RULES = ("linear", "gated", "delta", "gated_delta")


def _steps(node: Node, position: int, heads: int) -> SSAValue:
    """[batch, positions, heads * size] as [positions, batch, heads, size]."""
    if not node.has(position):
        raise node.error(f"input {position} is missing")
    shape = node.shape(position)
    if len(shape) != 3:
        raise node.error(f"input {position} is {shape_text(shape)}, expected three axes")
    node.require("divides", shape[2], ex.const(heads), "heads do not share the axis equally")
    split = (shape[0], shape[1], ex.const(heads), ex.floordiv(shape[2], heads))
    x = node.reshape(node.cast(node[position], wide(node.element(position))), split)
    return node.add(TransposeOp(x, permutation=(1, 0, 2, 3)))


def attention(node: Node) -> tuple[Result, ...]:
    """LinearAttention(q, k, v, state, decay, beta) --> opc.scan over the positions."""
    rule, heads, groups = (node.attr(n) for n in ("update_rule", "q_num_heads", "kv_num_heads"))
    if rule not in RULES:
        raise node.error(f'update_rule "{rule}", expected one of {", ".join(RULES)}')
    if min(heads, groups) < 1 or max(heads, groups) % min(heads, groups):
        raise node.error(f"q_num_heads is {heads} and kv_num_heads {groups}")
    if node.attr("state_window"):
        raise node.unsupported("attribute state_window is not supported")
    q, k, v = (_steps(node, n, count) for n, count in enumerate((heads, groups, groups)))
    gated, delta = rule.startswith("gated"), rule.endswith("delta")
    steps, batch, _, size = shape_of(tensor_of(k))
    given = [q, k, v]
    if gated:
        given.append(_steps(node, 4, groups))
    if delta:
        # One rate for all heads, or one for each.
        count = node.shape(5)[-1].constant if node.has(5) else None
        given.append(_steps(node, 5, 1 if count == 1 else groups))
    width = shape_of(tensor_of(v))[3]
    type = element(tensor_of(q))
    state: tuple[ex.Expr | int, ...] = (batch, groups, size, width)
    first = (
        node.cast(node.reshape(node[3], state), type)
        if node.has(3)
        else node.broadcast(node.constant(0, type), state)
    )
    scale = node.attr("scale") or None
    if scale is None:
        if size.constant is None:
            raise node.unsupported("the size of a head is not known when compiling")
        scale = size.constant**-0.5

    def step(inner: Builder, arguments: Sequence[SSAValue]) -> tuple[Values, Values]:
        trace = NodeTrace(inner)
        before, query, key, new, *rest = map(trace.array, arguments)
        if gated:
            decay = onp.exp(rest.pop(0))
            before = before * decay.reshape(*decay.shape, 1)
        row = onp.expand_dims(key, 2)
        if delta:
            rate = onp.expand_dims(rest.pop(0), 3)
            update = rate * (onp.expand_dims(new, 2) - row @ before)
        else:
            update = onp.expand_dims(new, 2)
        after = before + onp.expand_dims(key, 3) * update
        if heads >= groups:
            each = query.reshape(query.shape[0], groups, heads // groups, query.shape[2])
        else:
            times = groups // heads
            each = onp.repeat(query, times, axis=1).reshape(
                query.shape[0], groups, 1, query.shape[2]
            )
        return [after.value], [((each * scale) @ after).value]

    (last,), (found,) = scan(node, node.op, steps, ([first], given, []), step)
    # [positions, batch, groups, queries of each, width]
    y = node.add(TransposeOp(found, permutation=(1, 0, 2, 3, 4)))
    y = node.reshape(y, (batch, steps, width * max(heads, groups)))
    kept = node.element(3) if node.has(3) else node.element()
    return node.cast(y, node.element()), node.cast(last, kept)


add(
    f"{MS}LinearAttention",
    1,
    "query:T key:T value:T past_state?:S decay?:T beta?:T -> output:T present_state:S",
    {"T": SINGLES, "S": SINGLES},
    attention,
    "chunk_size:int=64 kv_num_heads:int! q_num_heads:int! scale:float=0 state_window:int=0 "
    "update_rule:string=gated_delta",
)


def gate(node: Node) -> tuple[Result, ...]:
    """LinearAttentionGate(a, bias, scale, b) --> scale * softplus(a + bias), and sigmoid(b)."""
    a, bias, scale, b = traced(node)
    decay: Any = onp.softplus(a + bias) * scale
    if b is None:
        return (value(node, decay),)
    return value(node, decay), value(node, onp.sigmoid(b))


add(
    f"{MS}LinearAttentionGate",
    1,
    "a:T dt_bias:TF decay_scale:TF b?:T -> decay:T beta?:T",
    {"T": SINGLES, "TF": frozenset({"float"})},
    gate,
)
