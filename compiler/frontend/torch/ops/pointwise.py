"""Operators on every element by itself, in the types that PyTorch computes in."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.binary import DivOp
from opc.frontend.models import special
from opc.frontend.models.pointwise import atan2, is_negative, next_after, rsqrt
from opc.frontend.models.special import in_f64
from opc.frontend.torch.node import Node, aten, enter


def same(x: Any) -> Any:
    """The operand."""
    return x


def relu(x: Any) -> Any:
    """max(x, 0)."""
    return onp.maximum(x, 0)


def copysign(x: Any, y: Any) -> Any:
    """|x| with the sign of y."""
    return onp.where(is_negative(y), -onp.abs(x), onp.abs(x))


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two floats where both are numbers, else the one that is."""

    def chosen(x: Any, y: Any) -> Any:
        result = function(x, y)
        if not x.element.is_float:
            return result
        return onp.where(onp.isnan(x), y, onp.where(onp.isnan(y), x, result))

    return chosen


def exp2(x: Any) -> Any:
    """2 to the power of x."""
    return onp.power(2.0, x)


def hypot(x: Any, y: Any) -> Any:
    """The square root of the sum of squares."""
    return onp.sqrt(x * x + y * y)


def signbit(x: Any) -> Any:
    """Whether x is negative; -0 is."""
    return is_negative(x) if x.element.is_float else x < 0


def multiply_add(x: Any, y: Any, z: Any) -> Any:
    """x * y + z."""
    return x * y + z


def digamma(x: Any) -> Any:
    """The derivative of lgamma, with an infinity at 0 whose sign is not that of 0."""
    pole = onp.where(is_negative(x), math.inf, -math.inf)
    return onp.where(x == 0, pole, special.digamma(x))


def of_both(**functions: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Functions for the overloads with a tensor and with a number."""
    kinds = ("Tensor", "Scalar")
    return {f"{name}.{kind}": fn for name, fn in functions.items() for kind in kinds}


NUMPY = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh erf exp expm1 floor log log1p maximum "
    "minimum reciprocal round sigmoid sin sinh sqrt tan tanh trunc"
)
"""Operators with the names of functions of NumPy."""

PLAIN: dict[str, Callable[..., Any]] = {
    **{name: getattr(onp, name) for name in NUMPY.split()},
    "alias": same,
    "atan2": atan2,
    "bitwise_not": onp.invert,
    "digamma": in_f64(digamma),
    "erfc": in_f64(special.erfc),
    "erfinv": in_f64(special.erf_inv),
    "exp2": exp2,
    "fmax": of_numbers(onp.maximum),
    "fmin": of_numbers(onp.minimum),
    "hypot": in_f64(hypot),
    "lgamma": in_f64(special.lgamma),
    "neg": onp.negative,
    "nextafter": next_after,
    "pow.Scalar": onp.power,
    "prims.fma.default": in_f64(multiply_add),
    "pow.Tensor_Tensor": onp.power,
    "remainder.Scalar_Tensor": onp.mod,
    "rsqrt": rsqrt,
    "true_divide.Tensor": onp.divide,
    "i0": in_f64(partial(special.bessel, 0)),
    "special_i0e": in_f64(partial(special.scaled_bessel, 0)),
    "special_i1": in_f64(partial(special.bessel, 1)),
    "special_i1e": in_f64(special.bessel_i1e),
    "special_zeta": in_f64(special.zeta),
    "special_zeta.other_scalar": in_f64(special.zeta),
    "special_zeta.self_scalar": in_f64(special.zeta),
    **of_both(
        bitwise_and=onp.bitwise_and,
        bitwise_or=onp.bitwise_or,
        bitwise_xor=onp.bitwise_xor,
        copysign=copysign,
        div=onp.divide,
        fmod=onp.fmod,
        mul=onp.multiply,
        remainder=onp.mod,
    ),
    **{
        f"{name}.{kind}": function
        for way, function in (("left", onp.left_shift), ("right", onp.right_shift))
        for name in (f"bitwise_{way}_shift", f"__{way[0]}shift__")
        for kind in ("Tensor", "Scalar", "Tensor_Scalar", "Scalar_Tensor")
    },
}
"""Operators whose operands are in the type of the result."""

COMPARED = of_both(
    eq=onp.equal,
    ge=onp.greater_equal,
    gt=onp.greater,
    le=onp.less_equal,
    lt=onp.less,
    ne=onp.not_equal,
)
"""Operators whose operands are in their common type."""

OF_ANY: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(onp, name)
        for name in ("isinf", "isnan", "logical_and", "logical_not", "logical_or", "logical_xor")
    },
    "signbit": signbit,
}
"""Operators of operands of any type, whose result is i1."""


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of operands in the type of the result."""

    def meaning(*operands: Any, node: Node) -> Any:
        type = node.kind().computed
        return function(*(node.as_type(x, type) for x in operands))

    return meaning


def compared(function: Callable[..., Any]) -> Callable[..., Any]:
    """A comparison of operands in their common type."""

    def meaning(x: Any, y: Any, *, node: Node) -> Any:
        type = node.common
        # Truth values compare as numbers.
        type = el.BY_NAME["i8"] if type is el.I1 else type
        return function(node.as_type(x, type), node.as_type(y, type))

    return meaning


WIDE: dict[str, Callable[..., Any]] = {
    "bmm": onp.matmul,
    "gelu": onp.gelu,
    "leaky_relu": onp.leaky_relu,
    "mm": onp.matmul,
    "relu": relu,
    "round.decimals": onp.round,
}
"""Operators that compute f16 and bf16 in f32."""

for table, kind, computes in (
    (PLAIN, plain, False),
    (COMPARED, compared, False),
    (OF_ANY, same, False),
    (WIDE, same, True),
):
    for name, function in table.items():
        enter(name, kind(function), computes)


aten("clone", "detach", "lift_fresh_copy", "contiguous")(same)  # no memory is shared


@aten("_to_copy", "prims.convert_element_type.default")
def to_copy(x: Any, dtype: Any = None, *, node: Node) -> Any:
    """x in another type."""
    return x.astype(node.kind())


@aten("view.dtype")
def same_bits(x: Any, dtype: Any, *, node: Node) -> Any:
    """The bits of x as elements of another type as wide."""
    if node.kind().bits != x.element.bits:
        raise node.unsupported(f"{x.element.name} and {node.kind().name} are not equally wide")
    return onp.bitcast(x, node.kind())


@aten("copy")
def copied(x: Any, source: Any, *, node: Node) -> Any:
    """The values of ``source`` in the type and shape of x."""
    return node.stretched(source.astype(x.element), x.extents)


@aten("add.Tensor", "add.Scalar")
def add(x: Any, y: Any, scale: Any = 1, *, node: Node, alpha: Any = 1) -> Any:
    """x + alpha * y."""
    return _sum(onp.add, x, y, scale if alpha == 1 else alpha, node)


@aten("sub.Tensor", "sub.Scalar")
def sub(x: Any, y: Any, scale: Any = 1, *, node: Node, alpha: Any = 1) -> Any:
    """x - alpha * y."""
    return _sum(onp.subtract, x, y, scale if alpha == 1 else alpha, node)


def _sum(combine: Any, x: Any, y: Any, alpha: Any, node: Node) -> Any:
    type = node.kind().computed
    x, y = (node.as_type(v, type) for v in (x, y))
    return combine(x, y if alpha == 1 else onp.multiply(node.number(alpha, type), y))


@aten("div.Tensor_mode", "div.Scalar_mode")
def divide(x: Any, y: Any, *, node: Node, rounding_mode: str | None) -> Any:
    """x / y, rounded toward zero (``trunc``), down (``floor``), or not."""
    type = node.kind().computed
    x, y = (node.as_type(v, type) for v in (x, y))
    if rounding_mode == "floor":
        return onp.floor_divide(x, y)
    if rounding_mode is None:
        return onp.divide(x, y)
    return onp.trunc(x / y) if type.is_float else node.emit(DivOp, x, y)


SHORT: dict[Any, Callable[[Any], Any]] = {
    3: lambda x: x * x * x,
    -2: lambda x: 1.0 / (x * x),
    -0.5: lambda x: 1.0 / onp.sqrt(x),
}
"""Powers that PyTorch computes by products and roots, besides 2, 1/2 and -1."""


@aten("pow.Tensor_Scalar", computes=True)
def power(x: Any, exponent: Any, *, node: Node) -> Any:
    """x to the power of a number."""
    type = node.kind().computed
    x = x.astype(type)
    if exponent in SHORT and type.is_float:
        return SHORT[exponent](x)
    return onp.power(x, float(exponent) if type.is_float else int(exponent))


@aten("sign", computes=True)
def sign(x: Any) -> Any:
    """-1, 0 or 1; a truth value stays."""
    return x if x.element is el.I1 else onp.where(onp.isnan(x), 0, onp.sign(x)).astype(x.element)


@aten("polygamma", computes=True)
def polygamma(n: int, x: Any) -> Any:
    """The n-th derivative of digamma."""

    def of_order(v: Any) -> Any:
        return special.polygamma(v.trace.constant(float(n), el.F64), v)

    return in_f64(of_order)(x)


@aten("log2", "log10")
def logarithm(x: Any, *, node: Node) -> Any:
    """The logarithm to the base 2 or 10, by that of f64."""
    base = 2.0 if node.operator.startswith("aten.log2") else 10.0
    return (onp.log(x.astype(el.F64)) / math.log(base)).astype(node.kind())


@aten("where.self")
def where(condition: Any, x: Any, y: Any, *, node: Node) -> Any:
    """x where the condition is true, else y."""
    return onp.where(condition, node.as_type(x, node.kind()), node.as_type(y, node.kind()))


@aten("clamp", "clamp.Tensor", computes=True)
def clamp(x: Any, least: Any = None, most: Any = None, *, node: Node) -> Any:
    """min(max(x, least), most), either bound None."""
    type = node.kind().computed
    x = x.astype(type)
    x = x if least is None else onp.maximum(x, node.as_type(least, type))
    return x if most is None else onp.minimum(x, node.as_type(most, type))


@aten("hardtanh", computes=True)
def hardtanh(x: Any, least: Any = -1.0, most: Any = 1.0, *, node: Node) -> Any:
    """x between two numbers."""
    return clamp(x, least, most, node=node)


@aten("elu", computes=True)
def elu(x: Any, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Any:
    """scale * x where x > 0, else scale * alpha * (e**(input_scale * x) - 1)."""
    return onp.where(x > 0, x * scale, onp.expm1(x * input_scale) * (alpha * scale))
