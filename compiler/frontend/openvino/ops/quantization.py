"""Fake quantization: values are rounded to a few levels and stay floats."""

from __future__ import annotations

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.traced import traced, value

from .broadcasting import aligned
from .layer import Layer
from .schema import openvino


@openvino("FakeQuantize", 1)
def fake_quantize(layer: Layer) -> SSAValue:
    """FakeQuantize-1: inputs rounded to the levels of one range, and mapped to another range.

    round((x - low) / (high - low) * (levels - 1)) / (levels - 1) * (out_high - out_low) + out_low,
    halves to even; out_low up to the lower end of the range, out_high beyond the upper one.
    """
    levels = layer.attr("levels")
    if levels < 2:
        raise layer.error(f"attribute levels is {levels}, expected 2 or more")
    values = aligned(layer, 0, 1, 2, 3, 4)
    trace = layer.trace
    x, low, high, first, last = (trace.array(layer.widened(v)) for v in values)
    level = onp.round((x - low) / (high - low) * (levels - 1))
    y = level / (levels - 1) * (last - first) + first
    y = onp.where(x > onp.maximum(low, high), last, y)
    return value(layer, onp.where(x <= onp.minimum(low, high), first, y))


FLOAT8 = {"f8e4m3": el.BY_NAME["f8E4M3FN"], "f8e5m2": el.BY_NAME["f8E5M2"]}


@openvino("FakeConvert", 13)
def fake_convert(layer: Layer) -> SSAValue:
    """FakeConvert-13: x * scale - shift as the nearest float of 8 bits, and back.

    Larger values, also infinities, saturate.
    """
    x, scale, *shift = traced(layer)
    y = x * scale
    y = y - shift[0] if layer.has(2) else y
    y = y.astype(FLOAT8[layer.attr("destination_type")]).astype(el.F32)
    y = y + shift[0] if layer.has(2) else y
    return value(layer, y / scale)
