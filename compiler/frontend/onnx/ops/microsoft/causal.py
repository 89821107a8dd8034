"""CausalConvWithState of ONNX and com.microsoft: a causal depthwise convolution."""

from __future__ import annotations

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ConvOp, MatmulOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced
from opc.frontend.models.traced import NodeTrace

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
    positions = node.reshape(node.add(IotaOp.of(shape[2])), (shape[2], 1))
    indices = node.binary("add", positions, node.scaled("mul", node.add(IotaOp.of(taps)), step))
    seen = node.add(GatherOp(x, indices, axes=(2,), from_end=False))
    y = node.add(MatmulOp(seen, node.reshape(w, (channels, taps, 1))))
    return node.reshape(y, shape)


@onnx("CausalConvWithState", 27)
def causal(node: Node, step: int = 1) -> tuple[Result, ...]:
    """CausalConvWithState(x, w, b, past) --> depthwise convolution of [past, x], and the new state.

    The state is the last positions, the past of the next call.
    """
    shape, filters, type = node.shape(), node.shape(1), wide(node.element())
    if len(shape) != 3 or len(filters) != 3:
        raise node.error(f"{shape_text(shape)} with filters {shape_text(filters)}")
    channels = filters[0] if shape[1].constant is None else shape[1]
    shape, taps = (shape[0], channels, shape[2]), filters[2]
    node.require("equal", ex.atleast(taps, 1), ex.const(1), "the filters are empty")
    x = node.unified(node.cast(node[0], type), shape, "the channels are not those of the filters")
    w = node.unified(node.cast(node[1], type), (channels, 1, taps), "no filter for each channel")
    reach = (taps - 1) * step
    if node.has(3):
        if len(node.shape(3)) != 3:
            raise node.error(f"past_state is {shape_text(node.shape(3))}, expected three axes")
        past = node.cast(node[3], type)
        past = node.unified(past, (*shape[:2], reach), "past_state is not what the filters see")
    else:
        past = node.broadcast(node.constant(0, type), (*shape[:2], reach))
    extended = node.add(ConcatOp(past, x, axis=2)) if reach != 0 else x
    y = convolved(node, extended, w, step, shape)
    if node.has(2):
        if len(node.shape(2)) != 1:
            raise node.error(f"the bias is {shape_text(node.shape(2))}, expected a list")
        bias = node.unified(node.cast(node[2], type), (channels,), "no bias for each channel")
        y = node.binary("add", y, node.reshape(bias, (channels, 1)))
    kind = node.attr("activation")
    if kind not in ("none", "silu", "swish"):
        raise node.error(f'activation "{kind}", expected none, silu or swish')
    if kind != "none":
        y = onp.silu(NodeTrace(node).array(y)).value
    state = sliced(node, extended, [2], [(shape[2], shape[2] + reach, 1)])
    return node.cast(y, node.element()), node.cast(state, node.element())


@onnx(f"{MS}CausalConvWithState", 1)
def microsoft(node: Node) -> tuple[Result, ...]:
    """CausalConvWithState of com.microsoft, with dilations."""
    for name in ("channels_last", "state_update_capacity", "state_window", "state_length"):
        if node.attr(name):
            raise node.unsupported(f"attribute {name} is not supported")
    if node.attr("input_channel_offset") or node.attr("input_channels"):
        raise node.unsupported("a choice of channels is not supported")
    if node.attr("ndim") != 1:
        raise node.unsupported(f"attribute ndim is {node.attr('ndim')}, expected 1")
    return causal(node, node.attr("dilation"))
