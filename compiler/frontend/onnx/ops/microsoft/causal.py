"""CausalConvWithState of ONNX and com.microsoft: a causal depthwise convolution."""

from __future__ import annotations

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import Shape, shape_of, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced
from opc.frontend.models.traced import NodeTrace, taken

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
    seen = taken(trace.array(x), indices, axes=(2,))
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
def microsoft(node: Node) -> tuple[Result, ...]:
    """CausalConvWithState of com.microsoft, with dilations."""
    node.refuse("channels_last", "state_update_capacity", "state_window", "state_length")
    if node.attr("input_channel_offset") or node.attr("input_channels"):
        raise node.unsupported("a choice of channels is not supported")
    if node.attr("ndim") != 1:
        raise node.unsupported(f"attribute ndim is {node.attr('ndim')}, expected 1")
    return causal(node, node.attr("dilation"))
