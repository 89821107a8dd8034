"""Levels of quantized values: what ``torch.ao.quantization`` writes, and its imitation in floats.

A level is ``clamp(round(x * (1 / scale)) + zero, least, most)``; scales and zero points are
numbers, arrays of rank 0, or arrays along an axis of channels, which is an argument then.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.traced import lined
from opc.frontend.torch.node import Node, aten

STORED = "quantized_decomposed"
"""The namespace of what a quantized module is exported with."""
GRANULARITIES = ("per_tensor.default", "per_tensor.tensor", "per_channel.default")


def along(node: Node, x: Any, axes: tuple[Any, ...], *values: Any) -> list[Any]:
    """Scales and zero points in f32, as they broadcast to x; a zero point of None is 0."""
    arrays = [node.as_type(0 if v is None else v, el.F32) for v in values]
    if not axes:
        return [v.reshape(()) for v in arrays]
    return [lined(v, node.axis(axes[0], x.ndim), x.ndim) for v in arrays]


def rounded(x: Any, scale: Any, zero: Any) -> Any:
    """The level of each float before it is clamped, in f32."""
    return onp.round(x.astype(el.F32) * (1.0 / scale)) + zero


@aten(*(f"{STORED}.quantize_{kind}" for kind in GRANULARITIES))
def quantize(x: Any, scale: Any, zero: Any, *rest: Any, node: Node) -> Any:
    """Floats as levels, in the type of the result."""
    *axes, least, most, _ = rest
    scale, zero = along(node, x, (*axes,), scale, zero)
    return onp.clip(rounded(x, scale, zero), float(least), float(most)).astype(node.kind())


@aten(*(f"{STORED}.dequantize_{kind}" for kind in GRANULARITIES))
def dequantize(x: Any, scale: Any, zero: Any, *rest: Any, node: Node, out_dtype: Any = None) -> Any:
    """Levels as the floats that they stand for."""
    scale, zero = along(node, x, rest[:-3], scale, zero)
    return ((x.astype(el.F32) - zero) * scale).astype(node.kind())


@aten(
    "fake_quantize_per_tensor_affine_cachemask",
    "fake_quantize_per_channel_affine_cachemask",
    computes=True,
)
def fake_quantize(x: Any, scale: Any, zero: Any, *rest: Any, node: Node) -> tuple[Any, Any]:
    """The floats that the levels of x stand for, and where no level was clamped."""
    *axes, least, most = rest
    scale, zero = along(node, x, (*axes,), scale, zero)
    level, least, most = rounded(x, scale, zero), float(least), float(most)
    inside = (level >= least) & (level <= most)
    return (onp.clip(level, least, most) - zero) * scale, inside


@aten("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", computes=True)
def fake_quantize_if(
    x: Any, scale: Any, zero: Any, enabled: Any, *limits: int, node: Node
) -> tuple[Any, Any]:
    """The same where that is enabled."""
    y, inside = fake_quantize(x, scale, zero, *limits, node=node)
    does = enabled.reshape(()) != 0
    return onp.where(does, y, x), inside | onp.logical_not(does)
