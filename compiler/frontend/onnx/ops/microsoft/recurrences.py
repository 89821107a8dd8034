"""Operators of language models that keep a state: CausalConvWithState and LinearAttention.

A causal depthwise convolution keeps its last positions; linear attention has a state matrix per
head that positions update and queries read.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import Shape
from opc.frontend.models import attention as at
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.traced import gathered, part, traced, unified, value

from ..node import Node
from ..schema import onnx
from .fused import MS


def convolved(x: Any, w: Any, step: int, shape: Shape) -> Any:
    """x [batch, channels, past + positions] convolved with w [channels, 1, taps], of this shape.

    With unknown channels or taps it is a matrix product of the windows, with the same order.
    """
    channels, _, taps = w.extents
    trace, groups = x.trace, channels.constant
    if groups is not None and taps.constant is not None:
        how: dict[str, Any] = {"strides": (1,), "dilations": (step,), "pads": (0, 0)}
        return trace.emit(ConvOp, x, w, groups=groups, **how)
    indices = trace.positions(shape[2]).reshape(-1, 1) + trace.positions(taps) * step
    seen = gathered(x, (2,), indices)
    return (seen @ w.reshape((channels, taps, 1))).reshape(shape)


@onnx("CausalConvWithState", 27)
def causal(node: Node, step: int = 1) -> tuple[Any, ...]:
    """CausalConvWithState(x, w, b, past) --> depthwise convolution of [past, x], and the new state.

    The state is the last positions, the past of the next call.
    """
    shape, filters, type = node.ranked(0, 3), node.ranked(1, 3), node.wide()
    channels = filters[0] if shape[1].constant is None else shape[1]
    shape, taps = (shape[0], channels, shape[2]), filters[2]
    node.require("equal", ex.atleast(taps, 1), ex.const(1), "the filters are empty")
    x = unified(node.traced(0, type), shape, "the channels are not those of the filters")
    w = unified(node.traced(1, type), (channels, 1, taps), "no filter for each channel")
    reach = (taps - 1) * step
    if node.has(3):
        node.ranked(3, 3)
        what = "past_state is not what the filters see"
        past = unified(node.traced(3, type), (*shape[:2], reach), what)
    else:
        past = node.trace.full((*shape[:2], reach), 0, type)
    extended = onp.concatenate([past, x], 2) if reach != 0 else x
    y = convolved(extended, w, step, shape)
    if node.has(2):
        node.ranked(2, 1)
        bias = unified(node.traced(2, type), (channels,), "no bias for each channel")
        y = y + bias.reshape((channels, 1))
    if node.choice("activation", "none", "silu", "swish") != "none":
        y = onp.silu(y)
    return value(node, y), value(node, part(extended, 2, shape[2], shape[2] + reach))


@onnx(f"{MS}CausalConvWithState", 1)
def causal_of_microsoft(node: Node) -> tuple[Any, ...]:
    """CausalConvWithState of com.microsoft, with dilations."""
    node.refuse("channels_last", "state_update_capacity", "state_window", "state_length")
    if node.attr("input_channel_offset") or node.attr("input_channels"):
        raise node.unsupported("a choice of channels is not supported")
    if node.attr("ndim") != 1:
        raise node.unsupported(f"attribute ndim is {node.attr('ndim')}, expected 1")
    return causal(node, node.attr("dilation"))


def _steps(node: Node, position: int, heads: int | ex.Expr) -> Any:
    """[batch, positions, heads * size] as [positions, batch, heads, size]."""
    if not node.has(position):
        raise node.error(f"input {position} is missing")
    shape = node.ranked(position, 3)
    batch, steps, _ = node.shape()
    count = ex.Expr.of(heads)
    node.require("divides", shape[2], count, "heads do not share the axis equally")
    x = node.traced(position, node.wide(position))
    x = unified(x, (batch, steps, shape[2]), f"input {position} is not as long as queries")
    return x.reshape((batch, steps, count, ex.floordiv(shape[2], count))).transpose(1, 0, 2, 3)


@onnx("LinearAttention", 27)
def attention(node: Node) -> tuple[Any, ...]:
    """LinearAttention(q, k, v, state, decay, beta) --> opc.scan over the positions."""
    rule = node.choice("update_rule", "linear", "gated", "delta", "gated_delta")
    heads, groups = (node.attr(f"{n}_num_heads") for n in ("q", "kv"))
    if min(heads, groups) < 1 or max(heads, groups) % min(heads, groups):
        raise node.error(f"q_num_heads is {heads} and kv_num_heads {groups}")
    if not node.schema.operator.startswith(MS) and heads < groups:
        raise node.error(f"q_num_heads is {heads}, no multiple of kv_num_heads, {groups}")
    q, k, v = (_steps(node, n, count) for n, count in enumerate((heads, groups, groups)))
    gated, delta = rule.startswith("gated"), rule.endswith("delta")
    steps, batch, _, size = k.extents
    q = unified(q, (steps, batch, heads, size), "queries and keys have different sizes")
    scanned = [at.scaled(q, node.attr("scale") or None), k, v]
    if gated:
        scanned.append(_steps(node, 4, groups))
    if delta:
        # One rate for all heads, or one per head.
        scanned.append(_steps(node, 5, node.shape(5)[-1] if node.has(5) else groups))
        rates = scanned[-1].extents[2]
        node.require("stretch", rates, ex.const(groups), "rates are neither one nor one a head")
    width = v.extents[3]
    state: tuple[ex.Expr | int, ...] = (batch, groups, size, width)
    if not node.has(3):
        first = node.trace.full(state, 0, q.element)
    elif node.rank(3) == len(state):
        first = unified(node.traced(3, q.element), state, "past_state is of other extents")
    else:
        first = node.traced(3, q.element).reshape(state)

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
        if heads < groups:
            query = onp.repeat(query, groups // heads, axis=1)
        grouped = query.reshape(query.shape[0], groups, max(heads // groups, 1), query.shape[2])
        return [after], [grouped @ after]

    (last,), (outputs,) = scan(steps, [first], scanned, [], step)
    # [positions, batch, groups, queries per group, width]
    y = outputs.transpose(1, 0, 2, 3, 4).reshape((batch, steps, width * max(heads, groups)))
    kept = node.element(3) if node.has(3) else node.element()
    return value(node, y), value(node, last, kept)


@onnx(f"{MS}LinearAttention", 1)
def attention_of_microsoft(node: Node) -> tuple[Any, ...]:
    """LinearAttention of com.microsoft; several states are unsupported."""
    node.refuse("state_window")
    return attention(node)


@onnx(f"{MS}LinearAttentionGate", 1)
def gate(node: Node) -> tuple[Any, ...]:
    """LinearAttentionGate(a, bias, scale, b) --> scale * softplus(a + bias), and sigmoid(b)."""
    a, bias, scale, b = traced(node)
    results = [onp.softplus(a + bias) * scale, *([] if b is None else [onp.sigmoid(b)])]
    return tuple(value(node, x) for x in results)
