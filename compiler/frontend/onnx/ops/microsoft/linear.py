"""LinearAttention: a state matrix per head that positions update and queries read."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.movement import TransposeOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models import attention as at
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import traced, value

from ..node import Node
from ..normalization import wide
from ..schema import onnx
from .fused import MS

RULES = ("linear", "gated", "delta", "gated_delta")


def _steps(node: Node, position: int, heads: int | ex.Expr) -> SSAValue:
    """[batch, positions, heads * size] as [positions, batch, heads, size]."""
    if not node.has(position):
        raise node.error(f"input {position} is missing")
    shape = node.shape(position)
    if len(shape) != 3:
        raise node.error(f"input {position} is {shape_text(shape)}, expected three axes")
    batch, steps, _ = node.shape()
    count = ex.Expr.of(heads)
    node.require("divides", shape[2], count, "heads do not share the axis equally")
    x = node.cast(node[position], wide(node.element(position)))
    x = node.unified(x, (batch, steps, shape[2]), f"input {position} is not as long as queries")
    x = node.reshape(x, (batch, steps, count, ex.floordiv(shape[2], count)))
    return node.add(TransposeOp(x, permutation=(1, 0, 2, 3)))


@onnx("LinearAttention", 27)
def attention(node: Node) -> tuple[Result, ...]:
    """LinearAttention(q, k, v, state, decay, beta) --> opc.scan over the positions."""
    rule, heads, groups = (node.attr(n) for n in ("update_rule", "q_num_heads", "kv_num_heads"))
    if rule not in RULES:
        raise node.error(f'update_rule "{rule}", expected one of {", ".join(RULES)}')
    if min(heads, groups) < 1 or max(heads, groups) % min(heads, groups):
        raise node.error(f"q_num_heads is {heads} and kv_num_heads {groups}")
    if not node.schema.operator.startswith(MS) and heads < groups:
        raise node.error(f"q_num_heads is {heads}, no multiple of kv_num_heads, {groups}")
    q, k, v = (_steps(node, n, count) for n, count in enumerate((heads, groups, groups)))
    gated, delta = rule.startswith("gated"), rule.endswith("delta")
    steps, batch, _, size = shape_of(tensor_of(k))
    q = node.unified(q, (steps, batch, heads, size), "queries and keys have different sizes")
    scanned = [at.scaled(node, q, node.attr("scale") or None), k, v]
    if gated:
        scanned.append(_steps(node, 4, groups))
    if delta:
        # One rate for all heads, or one per head.
        scanned.append(_steps(node, 5, node.shape(5)[-1] if node.has(5) else groups))
        rates = shape_of(tensor_of(scanned[-1]))[2]
        node.require("stretch", rates, ex.const(groups), "rates are neither one nor one a head")
    width = shape_of(tensor_of(v))[3]
    type = element(tensor_of(q))
    state: tuple[ex.Expr | int, ...] = (batch, groups, size, width)
    if not node.has(3):
        first = node.broadcast(node.constant(0, type), state)
    elif len(node.shape(3)) == len(state):
        first = node.unified(node.cast(node[3], type), state, "past_state is of other extents")
    else:
        first = node.reshape(node.cast(node[3], type), state)

    def step(before: Any, query: Any, key: Any, new: Any, *more: Any) -> tuple[Arrays, Arrays]:
        rest = list(more)
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
            grouped = query.reshape(query.shape[0], groups, heads // groups, query.shape[2])
        else:
            times = groups // heads
            grouped = onp.repeat(query, times, axis=1).reshape(
                query.shape[0], groups, 1, query.shape[2]
            )
        return [after], [grouped @ after]

    array = node.trace.array
    (last,), (outputs,) = scan(steps, [array(first)], list(map(array, scanned)), [], step)
    # [positions, batch, groups, queries per group, width]
    y = node.transpose(outputs.value, (1, 0, 2, 3, 4))
    y = node.reshape(y, (batch, steps, width * max(heads, groups)))
    kept = node.element(3) if node.has(3) else node.element()
    return node.cast(y, node.element()), node.cast(last.value, kept)


@onnx(f"{MS}LinearAttention", 1)
def microsoft(node: Node) -> tuple[Result, ...]:
    """LinearAttention of com.microsoft; several states are unsupported."""
    if node.attr("state_window"):
        raise node.unsupported("attribute state_window is not supported")
    return attention(node)


@onnx(f"{MS}LinearAttentionGate", 1)
def gate(node: Node) -> tuple[Result, ...]:
    """LinearAttentionGate(a, bias, scale, b) --> scale * softplus(a + bias), and sigmoid(b)."""
    a, bias, scale, b = traced(node)
    decay: Any = onp.softplus(a + bias) * scale
    if b is None:
        return (value(node, decay),)
    return value(node, decay), value(node, onp.sigmoid(b))
