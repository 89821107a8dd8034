"""RGB images from luma and chroma; four pixels share a chroma value (4:2:0)."""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex

from .layer import Layer
from .schema import openvino

WEIGHTS = {"R": (0.0, 1.596), "G": (-0.391, -0.813), "B": (2.018, 0.0)}
"""The weights of the two chroma values in each colour."""


def _planes(layer: Layer) -> tuple[Any, Any]:
    """Luma [N, H, W] and chroma [N, H / 2, W / 2, 2].

    Chroma is in its own inputs, or below the luma: interleaved, or one plane below the other.
    """
    is_420 = layer.schema.type.startswith("I420")
    images, rows, width = layer.dims("N H W 1")
    count = len(layer.inputs)
    if count == 2 and is_420:
        raise layer.error("2 inputs, expected 1 or 3")
    half = ex.floordiv(width, 2)
    layer.require("divides", width, ex.const(2), "the width is odd")
    if count == 1:
        layer.require("divides", rows, ex.const(3), "the rows are not three halves of an image")
        height = ex.floordiv(rows, 3) * 2
        parts = (slice(height), slice(height, None))
        first, others = (layer.traced(0)[:, part] for part in parts)
    else:
        height, first, others = rows, layer.traced(0), layer.traced(1)
    layer.require("divides", height, ex.const(2), "the height is odd")
    low = ex.floordiv(height, 2)
    if is_420 and count == 3:
        pairs = onp.concatenate(
            [layer.traced(k).reshape((images, low, half, 1)) for k in (1, 2)], axis=3
        )
    elif is_420:
        pairs = others.reshape((images, 2, low, half)).transpose([0, 2, 3, 1])
    else:
        pairs = others.reshape((images, low, half, 2))
    return first.reshape((images, height, width)), pairs


@openvino("NV12toRGB", 8)
@openvino("I420toRGB", 8)
@openvino("NV12toBGR", 8)
@openvino("I420toBGR", 8)
def coloured(layer: Layer) -> Any:
    """NV12toRGB-8, NV12toBGR-8, I420toRGB-8 and I420toBGR-8 --> [N, H, W, 3]."""
    first, pairs = _planes(layer)
    bright, chroma = first.astype(el.F32) - 16.0, pairs.astype(el.F32) - 128.0
    images, height, width = bright.extents
    blocks = (images, ex.floordiv(height, 2), 2, ex.floordiv(width, 2), 2)
    spread = [
        onp.broadcast_to(chroma[:, :, None, :, None, k], blocks).reshape(bright.extents)
        for k in range(2)
    ]
    colours: list[Any] = []
    for name in layer.schema.type[-3:]:
        value = bright * np.float32(1.164)
        for weight, part in zip(WEIGHTS[name], spread, strict=True):
            if weight:
                value = value + part * np.float32(weight)
        if layer.element().is_integer:
            # Halves are rounded up; negative values become 0 anyway.
            low = onp.floor(value)
            value = onp.where(value - low >= 0.5, low + 1.0, low)
        colours.append(onp.clip(value, 0.0, 255.0))
    return onp.stack(colours, axis=3).astype(layer.element())
