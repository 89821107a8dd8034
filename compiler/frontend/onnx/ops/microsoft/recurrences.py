"""Operators of language models that keep a state: CausalConvWithState and LinearAttention.

A causal depthwise convolution keeps its last positions; linear attention has a state matrix per
head that positions update and queries read.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.frontend.models import attention as at
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced
from opc.frontend.models.traced import NodeTrace, gathered, traced, value

from ..node import Node
from ..normalization import wide
from ..schema import onnx
from .fused import MS


def convolved(node: Node, x: SSAValue, w: SSAValue, step: int, shape: Shape) -> SSAValue:
    """x [batch, channels, past + positions] convolved with w [channels, 1, taps], of this shape.

    With unknown channels or taps it is a matrix product of the windows, with the same order.
    """
    channels, _, taps = shape_of(tensor_of(w))
    if channels.constant is not None and taps.constant is not None:
        groups = channels.constant
        return node.add(ConvOp(x, w, strides=(1,), dilations=(step,), pads=(0, 0), groups=groups))
    trace = NodeTrace(node)
    indices = trace.positions(shape[2]).reshape(-1, 1) + trace.positions(taps) * step
    seen = gathered(trace.array(x), (2,), indices)
    y = seen @ trace.array(node.reshape(w, (channels, taps, 1)))
    return node.reshape(y.value, shape)


@onnx("CausalConvWithState", 27)
def causal(node: Node, step: int = 1) -> tuple[Result, ...]:
    """CausalConvWithState(x, w, b, past) --> depthwise convolution of [past, x], and the new state.

    The state is the last positions, the past of the next call.
    """
    shape, filters, type = node.ranked(0, 3), node.ranked(1, 3), wide(node.element())
    channels = filters[0] if shape[1].constant is None else shape[1]
    shape, taps = (shape[0], channels, shape[2]), filters[2]
    node.require("equal", ex.atleast(taps, 1), ex.const(1), "the filters are empty")
    x = node.unified(node.cast(node[0], type), shape, "the channels are not those of the filters")
    w = node.unified(node.cast(node[1], type), (channels, 1, taps), "no filter for each channel")
    reach = (taps - 1) * step
    if node.has(3):
        node.ranked(3, 3)
        past = node.cast(node[3], type)
        past = node.unified(past, (*shape[:2], reach), "past_state is not what the filters see")
    else:
        past = node.broadcast(node.constant(0, type), (*shape[:2], reach))
    extended = node.concat([past, x], 2) if reach != 0 else x
    y = convolved(node, extended, w, step, shape)
    if node.has(2):
        node.ranked(2, 1)
        bias = node.unified(node.cast(node[2], type), (channels,), "no bias for each channel")
        y = node.binary("add", y, node.reshape(bias, (channels, 1)))
    if node.choice("activation", "none", "silu", "swish") != "none":
        y = onp.silu(NodeTrace(node).array(y)).value
    state = sliced(node, extended, [2], [(shape[2], shape[2] + reach, 1)])
    return node.cast(y, node.element()), node.cast(state, node.element())


@onnx(f"{MS}CausalConvWithState", 1)
def causal_of_microsoft(node: Node) -> tuple[Result, ...]:
    """CausalConvWithState of com.microsoft, with dilations."""
    node.refuse("channels_last", "state_update_capacity", "state_window", "state_length")
    if node.attr("input_channel_offset") or node.attr("input_channels"):
        raise node.unsupported("a choice of channels is not supported")
    if node.attr("ndim") != 1:
        raise node.unsupported(f"attribute ndim is {node.attr('ndim')}, expected 1")
    return causal(node, node.attr("dilation"))


def _steps(node: Node, position: int, heads: int | ex.Expr) -> SSAValue:
    """[batch, positions, heads * size] as [positions, batch, heads, size]."""
    if not node.has(position):
        raise node.error(f"input {position} is missing")
    shape = node.ranked(position, 3)
    batch, steps, _ = node.shape()
    count = ex.Expr.of(heads)
    node.require("divides", shape[2], count, "heads do not share the axis equally")
    x = node.cast(node[position], wide(node.element(position)))
    x = node.unified(x, (batch, steps, shape[2]), f"input {position} is not as long as queries")
    x = node.reshape(x, (batch, steps, count, ex.floordiv(shape[2], count)))
    return node.transpose(x, (1, 0, 2, 3))


@onnx("LinearAttention", 27)
def attention(node: Node) -> tuple[Result, ...]:
    """LinearAttention(q, k, v, state, decay, beta) --> opc.scan over the positions."""
    rule = node.choice("update_rule", "linear", "gated", "delta", "gated_delta")
    heads, groups = (node.attr(f"{n}_num_heads") for n in ("q", "kv"))
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
        if heads < groups:
            query = onp.repeat(query, groups // heads, axis=1)
        grouped = query.reshape(query.shape[0], groups, max(heads // groups, 1), query.shape[2])
        return [after], [grouped @ after]

    array = node.trace.array
    (last,), (outputs,) = scan(steps, [array(first)], list(map(array, scanned)), [], step)
    # [positions, batch, groups, queries per group, width]
    y = node.transpose(outputs.value, (1, 0, 2, 3, 4))
    y = node.reshape(y, (batch, steps, width * max(heads, groups)))
    kept = node.element(3) if node.has(3) else node.element()
    return node.cast(y, node.element()), node.cast(last.value, kept)


@onnx(f"{MS}LinearAttention", 1)
def attention_of_microsoft(node: Node) -> tuple[Result, ...]:
    """LinearAttention of com.microsoft; several states are unsupported."""
    node.refuse("state_window")
    return attention(node)


@onnx(f"{MS}LinearAttentionGate", 1)
def gate(node: Node) -> tuple[Result, ...]:
    """LinearAttentionGate(a, bias, scale, b) --> scale * softplus(a + bias), and sigmoid(b)."""
    a, bias, scale, b = traced(node)
    results = [onp.softplus(a + bias) * scale, *([] if b is None else [onp.sigmoid(b)])]
    return tuple(value(node, x) for x in results)
