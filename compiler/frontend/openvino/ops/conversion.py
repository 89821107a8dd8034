"""Conversions between element types, and fake quantization: rounded values stay floats."""

from __future__ import annotations

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.quantization import stepped
from opc.frontend.models.traced import traced, value

from .elementwise import aligned
from .layer import Layer
from .schema import openvino


def _converted(layer: Layer, type: el.ElementType) -> SSAValue:
    if type.is_small:
        raise layer.unsupported(f"a conversion to {type} is not supported")
    return layer.cast(layer[0], type)


@openvino("Convert", 1)
def convert(layer: Layer) -> SSAValue:
    """Convert-1: integers wrap, floats truncate toward zero; nonzero is true."""
    return _converted(layer, layer.attr("destination_type"))


@openvino("ConvertLike", 1)
def convert_like(layer: Layer) -> SSAValue:
    """ConvertLike-1: the element type of the second input, whose values do not matter."""
    return _converted(layer, layer.element(1))


_ROOM = {2 * bits: el.BY_NAME[f"i{2 * bits}"] for bits in (4, 8, 16, 32)}


def _common(layer: Layer) -> el.ElementType:
    """The common element type of the inputs of ConvertPromoteTypes."""
    pair, unsafe = (layer.element(0), layer.element(1)), layer.attr("promote_unsafe")
    wrong = layer.error(f"{pair[0]} and {pair[1]} do not meet")
    if pair[0] is pair[1] or pair[1] is el.I1:
        return pair[0]
    if pair[0] is el.I1:
        return pair[1]
    first, second = sorted(pair, key=lambda t: t.bits)
    if first.is_float != second.is_float:
        real, integer = (first, second) if first.is_float else (second, first)
        if not unsafe and real.bits < 2 * integer.bits:
            raise wrong
        return real
    signs = [t.is_float or t in el.SIGNED for t in pair]
    is_scalar = [layer.rank(k) == 0 for k in range(2)]
    if layer.attr("pytorch_scalar_promotion") and is_scalar[0] != is_scalar[1]:
        scalar, target = pair if is_scalar[0] else pair[::-1]
        fits = target.bits >= scalar.bits if signs[0] == signs[1] else (
            target in el.SIGNED and 2 * target.bits >= scalar.bits
        )  # fmt: skip
        if not unsafe and not fits:
            raise wrong
        return target
    if signs[0] != signs[1]:
        signed, other = pair if signs[0] else pair[::-1]
        room = max(2 * other.bits, signed.bits)
        if room in _ROOM and (unsafe or 2 * other.bits <= signed.bits):
            return _ROOM[room]
        if not unsafe:
            raise wrong
        return layer.attr("u64_integer_promotion_target")
    if first.bits != second.bits:
        return second
    if not unsafe:
        raise wrong
    # They are f16 and bf16.
    return el.F32


@openvino("ConvertPromoteTypes", 14)
def promote(layer: Layer) -> tuple[SSAValue, ...]:
    """ConvertPromoteTypes-14: both inputs in their common element type."""
    type = _common(layer)
    return tuple(layer.cast(layer[k], type) for k in range(2))


@openvino("FakeQuantize", 1)
def fake_quantize(layer: Layer) -> SSAValue:
    """FakeQuantize-1: inputs rounded to the levels of one range, and mapped to another range.

    round((x - low) / (high - low) * (levels - 1)) / (levels - 1) * (out_high - out_low) + out_low,
    halves to even; out_low up to the lower end of the range and for NaN, out_high beyond the upper
    one.  Ranges whose levels are whole steps from 0 quantize and dequantize (``stepped``).
    """
    levels = layer.attr("levels")
    if levels < 2:
        raise layer.error(f"attribute levels is {levels}, expected 2 or more")
    values = aligned(layer, 0, 1, 2, 3, 4)
    steps = stepped(layer, *values, levels=levels)
    if steps is not None:
        return steps
    trace = layer.trace
    x, low, high, first, last = (trace.array(layer.widened(v)) for v in values)
    level = onp.round((x - low) / (high - low) * (levels - 1))
    y = level / (levels - 1) * (last - first) + first
    y = onp.where(x > onp.maximum(low, high), last, y)
    return value(layer, onp.where(x > onp.minimum(low, high), y, first))


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
