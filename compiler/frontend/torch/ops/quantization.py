"""Levels of quantized values: what ``torch.ao.quantization`` writes, and its imitation in floats.

A level is ``clamp(round(x * (1 / scale)) + zero, least, most)``; scales and zero points are
numbers, arrays of rank 0, or arrays along one axis.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.traced import lined
from opc.frontend.torch.node import Node, aten

PT2E = "quantized_decomposed"
"""The namespace of what a quantized module is exported with."""


def along(values: Any, axis: int | None, x: Any, type: el.ElementType, node: Node) -> Any:
    """Scales or zero points in a type, as they broadcast to x; None is 0."""
    values = node.as_type(0 if values is None else values, type)
    return values.reshape(()) if axis is None else lined(values, node.axis(axis, x.ndim), x.ndim)


def rounded(x: Any, scale: Any, zero: Any) -> Any:
    """The level of each float before it is clamped, in f32."""
    return onp.round(x.astype(el.F32) * (1.0 / scale)) + zero


def quantized(
    x: Any, scale: Any, zero: Any, axis: int | None, least: int, most: int, node: Node
) -> Any:
    """Floats as levels between two of them, in the type of the result."""
    scale, zero = (along(v, axis, x, el.F32, node) for v in (scale, zero))
    return onp.clip(rounded(x, scale, zero), float(least), float(most)).astype(node.kind())


def dequantized(x: Any, scale: Any, zero: Any, axis: int | None, node: Node) -> Any:
    """Levels as the floats that they stand for."""
    scale, zero = (along(v, axis, x, el.F32, node) for v in (scale, zero))
    return ((x.astype(el.F32) - zero) * scale).astype(node.kind())


@aten(f"{PT2E}.quantize_per_tensor.default", f"{PT2E}.quantize_per_tensor.tensor")
def quantize(
    x: Any, scale: Any, zero: Any, least: int, most: int, dtype: Any, *, node: Node
) -> Any:
    """Floats as levels of one scale."""
    return quantized(x, scale, zero, None, least, most, node)


@aten(f"{PT2E}.dequantize_per_tensor.default", f"{PT2E}.dequantize_per_tensor.tensor")
def dequantize(
    x: Any,
    scale: Any,
    zero: Any,
    least: int,
    most: int,
    dtype: Any,
    *,
    node: Node,
    out_dtype: Any = None,
) -> Any:
    """Levels of one scale as floats."""
    return dequantized(x, scale, zero, None, node)


@aten(f"{PT2E}.quantize_per_channel.default")
def quantize_channels(
    x: Any, scale: Any, zero: Any, axis: int, least: int, most: int, dtype: Any, *, node: Node
) -> Any:
    """Floats as levels of a scale for each channel."""
    return quantized(x, scale, zero, axis, least, most, node)


@aten(f"{PT2E}.dequantize_per_channel.default")
def dequantize_channels(
    x: Any,
    scale: Any,
    zero: Any,
    axis: int,
    least: int,
    most: int,
    dtype: Any,
    *,
    node: Node,
    out_dtype: Any = None,
) -> Any:
    """Levels of a scale for each channel as floats."""
    return dequantized(x, scale, zero, axis, node)


def imitated(
    x: Any, scale: Any, zero: Any, axis: int | None, least: int, most: int, node: Node
) -> tuple[Any, Any]:
    """The floats that the levels of x stand for, and where no level was clamped."""
    scale, zero = (along(v, axis, x, el.F32, node) for v in (scale, zero))
    level = rounded(x, scale, zero)
    inside = (level >= float(least)) & (level <= float(most))
    return (onp.clip(level, float(least), float(most)) - zero) * scale, inside


@aten("fake_quantize_per_tensor_affine_cachemask", computes=True)
def fake_quantize(
    x: Any, scale: Any, zero: Any, least: int, most: int, *, node: Node
) -> tuple[Any, Any]:
    """Floats rounded to levels of one scale."""
    return imitated(x, scale, zero, None, least, most, node)


@aten("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", computes=True)
def fake_quantize_if(
    x: Any, scale: Any, zero: Any, enabled: Any, least: int, most: int, *, node: Node
) -> tuple[Any, Any]:
    """Floats rounded to levels of one scale where that is enabled."""
    y, inside = imitated(x, scale, zero, None, least, most, node)
    does = enabled.reshape(()) != 0
    return onp.where(does, y, x), inside | onp.logical_not(does)


@aten("fake_quantize_per_channel_affine_cachemask", computes=True)
def fake_quantize_channels(
    x: Any, scale: Any, zero: Any, axis: int, least: int, most: int, *, node: Node
) -> tuple[Any, Any]:
    """Floats rounded to levels of a scale for each channel."""
    return imitated(x, scale, zero, axis, least, most, node)
