"""Formulas of elementwise operators that are not scalar functions themselves.

A formula takes the builder, the attributes, and the operands in the type that it is computed in.
decompose.py chooses that type and rounds the result once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.shape import element, shape_of, tensor_of

from .rewriting import Builder

Formula: TypeAlias = "Callable[[Builder, Mapping[str, Any], Sequence[SSAValue]], SSAValue]"
Params: TypeAlias = "Mapping[str, Any]"
Values: TypeAlias = "Sequence[SSAValue]"


def silu(b: Builder, params: Params, args: Values) -> SSAValue:
    """silu(x) --> scalar function silu, or x * sigmoid(alpha * x)."""
    if params["alpha"] == 1:
        return b.apply("silu", *args)
    (x,), alpha = args, params["alpha"]
    return b.apply("mul", x, b.apply("sigmoid", b.apply("mul", alpha, x)))


def _times(b: Builder, factor: float, x: SSAValue) -> SSAValue:
    """factor * x, or x for a factor of 1, which has the same bits."""
    return x if factor == 1 else b.apply("mul", factor, x)


def elu(b: Builder, params: Params, args: Values) -> SSAValue:
    """elu(x) --> x where x > 0, else alpha * expm1(x)."""
    x = args[0]
    below = _times(b, params["alpha"], b.apply("expm1", x))
    return b.apply("select", b.apply("gt", x, 0), x, below)


def celu(b: Builder, params: Params, args: Values) -> SSAValue:
    """celu(x) --> max(0, x) + min(0, alpha * expm1(x / alpha))."""
    x, alpha = args[0], params["alpha"]
    scaled = x if alpha == 1 else b.apply("div", x, alpha)
    curve = _times(b, alpha, b.apply("expm1", scaled))
    return b.apply("add", b.apply("max", 0, x), b.apply("min", 0, curve))


def hard_sigmoid(b: Builder, params: Params, args: Values) -> SSAValue:
    """hard_sigmoid(x) --> max(0, min(1, alpha * x + beta)), with fma in f32."""
    (x,), alpha, beta = args, params["alpha"], params["beta"]
    if element(tensor_of(x)) is el.F32:
        line = b.apply("fma", x, alpha, beta)
    else:
        line = b.apply("add", b.apply("mul", alpha, x), beta)
    return b.apply("max", 0, b.apply("min", 1, line))


def hard_swish(b: Builder, _: Params, args: Values) -> SSAValue:
    """hard_swish(x) --> x * ((max(-3, min(3, x)) + 3) / 6), within 2 ULP.

    The sum is exact near -3, where x / 6 + 1/2 would lose all digits.
    """
    x = args[0]
    above = b.apply("add", b.apply("max", -3, b.apply("min", 3, x)), 3)
    return b.apply("mul", x, b.apply("div", above, 6))


def shrink(b: Builder, params: Params, args: Values) -> SSAValue:
    """shrink(x) --> x + bias where x < -lambd, x - bias where x > lambd, else 0.

    Integers are computed in f64 and truncated, which is exact up to 2^53.
    """
    x, bias, lambd = args[0], params["bias"], params["lambd"]
    right = b.apply("select", b.apply("gt", x, lambd), b.apply("sub", x, bias), 0)
    return b.apply("select", b.apply("lt", x, -lambd), b.apply("add", x, bias), right)


def is_inf(b: Builder, params: Params, args: Values) -> SSAValue:
    """is_inf(x) --> is_inf, is_posinf, is_neginf or false, by the attributes."""
    row = {
        (True, True): "is_inf",
        (True, False): "is_posinf",
        (False, True): "is_neginf",
    }.get((params["positive"], params["negative"]))
    if row is None:
        return b.broadcast(b.constant(False, el.I1), shape_of(tensor_of(args[0])))
    return b.apply(row, args[0])


def power(b: Builder, x: SSAValue, exponent: float) -> SSAValue | None:
    """pow(x, 2) --> x * x, and so on for exponents that take at most two roundings; else None.

    pow(x, 1/2) is sqrt(x + 0), since pow(-0, 1/2) is +0, and pow(-infinity, 1/2) is +infinity.
    """
    match exponent:
        case 1:
            return x
        case 2:
            return b.apply("mul", x, x)
        case 3:
            return b.apply("mul", b.apply("mul", x, x), x)
        case -1 if element(tensor_of(x)).is_float:
            return b.apply("div", 1, x)
        case 0.5 | -0.5:
            root = b.apply("sqrt", b.apply("add", x, 0))
            root = b.apply("select", b.apply("eq", x, -math.inf), math.inf, root)
            return root if exponent > 0 else b.apply("div", 1, root)
        case _:
            return None


def mean(b: Builder, _: Params, args: Values) -> SSAValue:
    """mean(x, y, z) --> (x + y + z) / 3."""
    total = reduce(partial(b.apply, "add"), args)
    return divide_by_count(b, total, len(args)) if len(args) > 1 else total


def divide_by_count(b: Builder, total: SSAValue, count: int | SSAValue) -> SSAValue:
    """total / count; ``count`` is an i64 value if it is not known at compile time.

    An integer sum is divided in 64 bits, since the count need not fit its type.
    """
    type = element(tensor_of(total))
    fits = isinstance(count, int) and (type.is_float or count <= type.highest)
    wide = type if fits or type.is_float else el.BY_NAME["i64" if type.kind == "signed" else "ui64"]
    divisor = b.cast(count, wide) if isinstance(count, SSAValue) else b.constant(count, wide)
    return b.cast(b.apply("div", b.cast(total, wide), divisor), type)


ELEMENTWISE: dict[str, Formula] = {
    "opc.relu": lambda b, _, x: b.apply("max", x[0], 0),
    "opc.reciprocal": lambda b, _, x: b.apply("div", 1, x[0]),
    "opc.softsign": lambda b, _, x: b.apply("div", x[0], b.apply("add", 1, b.apply("abs", x[0]))),
    "opc.gelu": lambda b, p, x: b.apply(
        "gelu_tanh" if p["approximate"] == "tanh" else "gelu", x[0]
    ),
    "opc.silu": silu,
    "opc.elu": elu,
    "opc.selu": lambda b, p, x: b.apply("mul", p["gamma"], elu(b, p, x)),
    "opc.celu": celu,
    "opc.leaky_relu": lambda b, p, x: b.apply(
        "select", b.apply("ge", x[0], 0), x[0], b.apply("mul", p["alpha"], x[0])
    ),
    "opc.thresholded_relu": lambda b, p, x: b.apply(
        "select", b.apply("gt", x[0], p["alpha"]), x[0], 0
    ),
    "opc.hard_sigmoid": hard_sigmoid,
    "opc.hard_swish": hard_swish,
    "opc.shrink": shrink,
    "opc.prelu": lambda b, _, x: b.apply(
        "select", b.apply("ge", x[0], 0), x[0], b.apply("mul", *x)
    ),
    "opc.is_inf": is_inf,
    "opc.mod": lambda b, p, x: b.apply("fmod" if p["fmod"] else "mod", *x),
    "opc.clip": lambda b, _, x: b.apply("min", b.apply("max", x[0], x[1]), x[2]),
    "opc.max": lambda b, _, x: reduce(partial(b.apply, "max"), x),
    "opc.min": lambda b, _, x: reduce(partial(b.apply, "min"), x),
    "opc.sum": lambda b, _, x: reduce(partial(b.apply, "add"), x),
    "opc.mean": mean,
}
"""Formulas by the name of the operator."""
