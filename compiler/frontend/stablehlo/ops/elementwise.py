"""Operations on every element by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.binary import DivOp
from opc.frontend.models import special
from opc.frontend.models.pointwise import (
    atan2,
    cbrt,
    next_after,
    round_away,
    rsqrt,
    signed,
    wide,
)
from opc.frontend.models.quantization import dequantize, limits, quantize
from opc.frontend.models.traced import unified
from opc.frontend.stablehlo.node import Node, enter, operation


def same(x: Any) -> Any:
    """The operand: no number is complex."""
    return x


NUMPY = "abs add ceil floor log maximum minimum multiply power sign sqrt subtract tan tanh"
CHLO = "acos acosh asin asinh atan atanh cosh erf sinh square tan"
"""Operations of both dialects with the names of functions of NumPy."""
PLAIN: dict[str, Callable[..., Any]] = {
    **{name: getattr(onp, name) for name in NUMPY.split()},
    **{f"chlo.{name}": getattr(onp, name) for name in CHLO.split()},
    "and": onp.bitwise_and,
    "cosine": onp.cos,
    "exponential": onp.exp,
    "exponential_minus_one": onp.expm1,
    "is_finite": onp.isfinite,
    "log_plus_one": onp.log1p,
    "logistic": onp.sigmoid,
    "negate": onp.negative,
    "not": onp.invert,
    "or": onp.bitwise_or,
    "real": same,
    "round_nearest_even": onp.rint,
    "select": onp.where,
    "shift_left": onp.left_shift,
    "sine": onp.sin,
    "xor": onp.bitwise_xor,
    "chlo.conj": same,
    "chlo.is_inf": onp.isinf,
}
"""Operations that are functions of NumPy."""


def same_shapes(node: Node, arrays: tuple[Any, ...]) -> list[Any]:
    """Operands whose extents are required to be equal; scalars stay."""
    shape = max((x.extents for x in arrays), key=len)
    if node.is_inside:
        return list(arrays)
    what = "operands differ in shape"
    for x in arrays:
        if len(x.extents) not in (0, len(shape)):
            raise node.error(f"operands have ranks {len(shape)} and {len(x.extents)}")
    return [unified(x, shape, what) if x.extents else x for x in arrays]


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of operands of one shape."""

    def meaning(*arrays: Any, node: Node) -> Any:
        return function(*same_shapes(node, arrays))

    return meaning


def entered(name: str, function: Callable[..., Any]) -> None:
    """Enter a pointwise function under its name, and under that of chlo that broadcasts."""
    enter(name, plain(function), pointwise=True)
    if "." not in name:
        enter(f"chlo.broadcast_{name}", broadcast(function), pointwise=True)


def broadcast(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of operands that broadcast, as NumPy's or by ``broadcast_dimensions``."""

    def meaning(*arrays: Any, node: Node, broadcast_dimensions: Any = None) -> Any:
        if broadcast_dimensions is not None and len(arrays) == 2:
            first, second = sorted(arrays, key=lambda x: x.ndim)
            shape = [1] * second.ndim
            for extent, axis in zip(first.extents, broadcast_dimensions, strict=True):
                shape[axis] = extent
            first = first.reshape(shape)
            arrays = (first, second) if arrays[0].ndim <= arrays[1].ndim else (second, first)
        return function(*arrays)

    return meaning


for name, function in PLAIN.items():
    entered(name, function)


def divide(x: Any, y: Any) -> Any:
    """x / y; of integers x / 0 is -1, as in XLA, where StableHLO says nothing."""
    if x.element.is_float:
        return x / y
    minus = x.trace.constant(np.array(-1).astype(x.dtype), x.element)
    return onp.where(y == 0, minus, x.trace.emit(DivOp, x, y))


def remainder(x: Any, y: Any) -> Any:
    """The rest of the truncated quotient; of integers x rem 0 is x, as in XLA."""
    rest = onp.fmod(x, y)
    return rest if x.element.is_float else onp.where(y == 0, x, rest)


def shift_right(kind: str) -> Callable[[Any, Any], Any]:
    """Zeros come in from the left of unsigned integers (``ui``), the sign of signed ones (``i``).

    Nothing else is left beyond the width.
    """
    return lambda x, y: onp.bitcast(signed(x, kind) >> signed(y, kind), x.element)


def popcnt(x: Any) -> Any:
    """The number of ones among the bits."""
    type, bits = x.element, signed(x, "ui")
    total = bits & 1
    for k in range(1, type.bits):
        total = total + ((bits >> k) & 1)
    return onp.bitcast(total, type)


def count_leading_zeros(x: Any) -> Any:
    """The number of zeros before the first one among the bits."""
    bits = signed(x, "ui")
    step = 1
    while step < x.element.bits:
        bits = bits | (bits >> step)
        step *= 2
    return x.element.bits - popcnt(onp.bitcast(bits, x.element))


def clamp(low: Any, x: Any, high: Any) -> Any:
    """min(max(low, x), high)."""
    return onp.minimum(onp.maximum(low, x), high)


def mulhi(x: Any, y: Any) -> Any:
    """The upper half of the product of integers."""
    type, half = x.element, x.element.bits // 2
    if type.bits < 64:
        wide_type = ("ui" if type.kind == "unsigned" else "i") + str(2 * type.bits)
        return ((x.astype(wide_type) * y.astype(wide_type)) >> type.bits).astype(type)
    a, b = (signed(v, "ui") for v in (x, y))
    mask = (1 << half) - 1
    (a1, a0), (b1, b0) = ((v >> half, v & mask) for v in (a, b))
    middle = a1 * b0 + ((a0 * b0) >> half)
    high = a1 * b1 + (middle >> half) + ((a0 * b1 + (middle & mask)) >> half)
    if type.kind == "unsigned":
        return high
    high = onp.bitcast(high, type)
    zero = x.trace.constant(0, type)
    return high - onp.where(x < 0, y, zero) - onp.where(y < 0, x, zero)


def is_infinite(positive: bool) -> Callable[[Any], Any]:
    """Whether a float is the infinity of a sign."""
    return lambda x: x == (math.inf if positive else -math.inf)


for name, function in {
    "divide": divide,
    "remainder": remainder,
    "shift_right_logical": shift_right("ui"),
    "shift_right_arithmetic": shift_right("i"),
    "round_nearest_afz": wide(round_away),
    "rsqrt": wide(rsqrt),
    "cbrt": cbrt,
    "atan2": wide(atan2),
    "popcnt": popcnt,
    "count_leading_zeros": count_leading_zeros,
    "clamp": clamp,
    "chlo.mulhi": mulhi,
    "chlo.next_after": next_after,
    "chlo.is_pos_inf": is_infinite(True),
    "chlo.is_neg_inf": is_infinite(False),
    "chlo.broadcast_next_after": next_after,
}.items():
    entered(name, function)

for name, function in {
    "bessel_i1e": special.bessel_i1e,
    "digamma": special.digamma,
    "erf_inv": special.erf_inv,
    "erfc": special.erfc,
    "lgamma": special.lgamma,
    "polygamma": special.polygamma,
    "broadcast_polygamma": special.polygamma,
    "zeta": special.zeta,
    "broadcast_zeta": special.zeta,
}.items():
    entered(f"chlo.{name}", special.in_f64(function))

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "EQ": onp.equal,
    "NE": onp.not_equal,
    "LT": onp.less,
    "LE": onp.less_equal,
    "GT": onp.greater,
    "GE": onp.greater_equal,
}


def total_order(x: Any) -> Any:
    """Integers in the order of floats: -NaN, -inf, ..., -0, 0, ..., inf, NaN."""
    if x.element.is_small_float:
        x = x.astype("f32")
    bits = signed(x, "i")
    return onp.where(bits < 0, bits ^ x.trace.constant(bits.element.highest, bits.element), bits)


@operation("compare", "chlo.broadcast_compare", pointwise=True)
def compare(
    x: Any, y: Any, *, node: Node, comparison_direction: str, compare_type: str = "FLOAT"
) -> Any:
    """One of six comparisons; ``TOTALORDER`` compares floats by their bits."""
    if node.operator == "stablehlo.compare":
        x, y = same_shapes(node, (x, y))
    if compare_type == "TOTALORDER" and x.element.is_float:
        x, y = total_order(x), total_order(y)
    if x.element is el.I1:
        x, y = x.astype("i8"), y.astype("i8")
    return COMPARE[comparison_direction](x, y)


@operation("convert", pointwise=True)
def convert(x: Any, *, node: Node) -> Any:
    """The values in another element type."""
    return x.astype(node.kind)


@operation("imag", pointwise=True)
def imag(x: Any) -> Any:
    """0 for real numbers."""
    return x * 0.0


@operation("chlo.constant_like", pointwise=True)
def constant_like(x: Any, *, value: Any, node: Node) -> Any:
    """A number in the shape of x."""
    return node.trace.full(x.extents, value, x.element)


@operation("bitcast_convert")
def bitcast_convert(x: Any, *, node: Node) -> Any:
    """The same bits as another element type; other widths have one more axis, or one less."""
    source, target = x.element, node.kind
    if source is target:
        return x
    if source.is_small or target.is_small:
        raise node.unsupported(f"from {source} to {target}")
    if source.bits == target.bits:
        return onp.bitcast(x, target)
    bits = x.astype("ui8") if source is el.I1 else signed(x, "ui")
    wanted = el.BY_NAME[f"ui{max(8, target.bits)}"]
    if source.bits > target.bits:
        parts = [
            (bits >> (k * target.bits)).astype(wanted)[..., None]
            for k in range(source.bits // target.bits)
        ]
        every = onp.concatenate(parts, axis=-1)
        return (every & 1).astype(target) if target is el.I1 else onp.bitcast(every, target)
    integral = bits[..., 0].astype(wanted)
    for k in range(1, target.bits // source.bits):
        integral = integral | (bits[..., k].astype(wanted) << (k * source.bits))
    return onp.bitcast(integral, target)


@operation("reduce_precision", pointwise=True)
def reduce_precision(x: Any, *, node: Node) -> Any:
    """The nearest number with fewer bits: ``format = e5m10``."""
    text = node.attributes.get("format")
    if text is not None:
        exponent, mantissa = map(int, text[1:].split("m"))
    else:
        exponent, mantissa = node.attr("exponent_bits"), node.attr("mantissa_bits")
    type = x.element
    own = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}[type.name]
    bits = signed(x, "ui")
    unsigned = bits.element
    dropped = own - mantissa
    if dropped > 0:
        last = (bits >> dropped) & 1
        bits = (bits + last + ((1 << (dropped - 1)) - 1)) & ((1 << type.bits) - (1 << dropped))
    bias = (1 << (type.bits - own - 2)) - 1
    if (1 << (exponent - 1)) - 1 < bias:
        least = bias - ((1 << (exponent - 1)) - 1) + 1
        most = bias + ((1 << (exponent - 1)) - 1)
        sign = bits & (1 << (type.bits - 1))
        size = bits & ((1 << (type.bits - 1)) - 1)
        inf = ((1 << (type.bits - own - 1)) - 1) << own
        size = onp.where(size >= ((most + 1) << own), x.trace.constant(inf, unsigned), size)
        size = onp.where(size < (least << own), x.trace.constant(0, unsigned), size)
        bits = size | sign
    nan = x if mantissa else x.trace.constant(math.inf, type)
    return onp.where(onp.isnan(x), nan, onp.bitcast(bits, type))


def parameters(node: Node, x: Any, scales: list[float], zero_points: list[int]) -> list[Any]:
    """Scales and zero points that broadcast to x; None for zero points that are all 0."""
    axis, shape = node.attr("axis"), [1] * x.ndim
    if axis >= 0:
        shape[axis] = len(scales)
    zeros = node.trace.constant(np.reshape(zero_points, shape), el.BY_NAME["i32"])
    own = el.F32 if x.element.is_integer else x.element
    return [
        node.trace.constant(np.reshape(scales, shape), own),
        zeros if any(zero_points) else None,
    ]


@operation("uniform_quantize")
def uniform_quantize(
    x: Any, *, scales: list[float], zero_points: list[int], least: int, most: int, node: Node
) -> Any:
    """round(x / scale) + zero point, between two numbers."""
    scale, zero = parameters(node, x, scales, zero_points)
    y = quantize(x, scale, zero, node.kind, x.element)
    return y if (least, most) == limits(node.kind) else onp.clip(y, least, most)


@operation("uniform_dequantize")
def uniform_dequantize(x: Any, *, scales: list[float], zero_points: list[int], node: Node) -> Any:
    """(x - zero point) * scale."""
    scale, zero = parameters(node, x, scales, zero_points)
    return dequantize(x, scale, zero, node.kind)
