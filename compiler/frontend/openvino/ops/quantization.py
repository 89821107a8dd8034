"""Fake quantization: values are rounded to a few levels and stay floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u

from .broadcasting import aligned
from .schema import openvino

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


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
    x, low, high, first, last = (layer.widened(v) for v in values)
    part = layer.apply(b.DivOp, layer.apply(b.SubOp, x, low), layer.apply(b.SubOp, high, low))
    level = layer.add(u.RoundOp(layer.apply(b.MulOp, part, levels - 1)))
    place = layer.apply(b.DivOp, level, levels - 1)
    y = layer.apply(b.MulOp, place, layer.apply(b.SubOp, last, first))
    y = layer.apply(b.AddOp, y, first)
    is_above = layer.apply(b.GreaterOp, x, layer.apply(b.MaxOp, low, high))
    is_below = layer.apply(b.LessEqualOp, x, layer.apply(b.MinOp, low, high))
    y = layer.apply(b.WhereOp, is_below, first, layer.apply(b.WhereOp, is_above, last, y))
    return layer.cast(y, layer.element())


FLOAT8 = {"f8e4m3": el.BY_NAME["f8E4M3FN"], "f8e5m2": el.BY_NAME["f8E5M2"]}


@openvino("FakeConvert", 13)
def fake_convert(layer: Layer) -> SSAValue:
    """FakeConvert-13: x * scale - shift as the nearest float of 8 bits, and back.

    Larger values, also infinities, saturate.
    """
    x, scale = layer.widened(layer[0]), layer.widened(layer[1])
    y = layer.apply(b.MulOp, x, scale)
    if layer.has(2):
        y = layer.apply(b.SubOp, y, layer.widened(layer[2]))
    y = layer.cast(layer.cast(y, FLOAT8[layer.attr("destination_type")]), el.F32)
    if layer.has(2):
        y = layer.apply(b.AddOp, y, layer.widened(layer[2]))
    return layer.cast(layer.apply(b.DivOp, y, scale), layer.element())
