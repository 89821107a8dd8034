"""The table of scalar functions: the only place that says what ``max`` is.

Elementwise operators, reductions, both interpreters, constant folding, C emission and the
documentation read it.  A row gives the arity, the element types, the meaning over NumPy arrays
and the C spelling.

Floating-point meaning is stated for f32 and f64; f16 and bf16 never reach a scalar function but
``cast``, because they are computed in f32 (docs/numerics.md).  A function that is not ``exact``
is computed in f64 here and rounded once, so the NumPy result is within an ULP of the true one;
emitted C promises 2 ULP.  Only exact functions are folded, so folding never changes a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from . import element as el

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Meaning: TypeAlias = "Callable[..., Any]"

CORE = el.ANY - {el.F16, el.BF16}
CORE_FLOAT = el.FLOAT & CORE
CORE_NUMERIC = el.NUMERIC & CORE


@dataclass(frozen=True)
class ScalarFunction:
    """One row.

    ``c`` maps an element kind (float, signed, unsigned, bool) to a spelling: an infix or prefix
    operator, or ``call`` for the helper ``opc_<name>_<type>``.  ``result`` is None for the type
    of the last operand, or the fixed result type.
    """

    name: str
    arity: int
    types: frozenset[el.ElementType]
    numpy: Meaning
    c: Mapping[str, str]
    result: el.ElementType | None = None
    exact: bool = True
    cost: int = 1
    commutative: bool = False


def _through_f64(fn: Meaning) -> Meaning:
    """Evaluate in double precision and round once."""

    def meaning(*args: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(fn(*(a.astype(np.float64) for a in args))).astype(args[0].dtype)

    return meaning


def _quiet(fn: Meaning) -> Meaning:
    def meaning(*args: Array) -> Any:
        with np.errstate(all="ignore"):
            return fn(*args)

    return meaning


def _erf(x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def _erfc(x: Array) -> Array:
    return np.vectorize(math.erfc, otypes=[np.float64])(x)


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, e) / (1.0 + e)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))


def _gelu(x: Array) -> Array:
    return np.where(np.isneginf(x), -0.0, 0.5 * x * _erfc(-x / math.sqrt(2.0)))


def _gelu_tanh(x: Array) -> Array:
    # 0.5 (1 + tanh u) is sigmoid(2u); in this form the negative tail keeps its digits.
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
    return np.where(np.isneginf(x), -0.0, x * sigmoid(2.0 * inner))


def _mish(x: Array) -> Array:
    # tanh(log(1 + e)) is (e^2 + 2e) / (e^2 + 2e + 2), which loses nothing for small e = exp(x).
    e = np.exp(np.minimum(x, 40.0))
    n = e * (e + 2.0)
    return np.where(np.isneginf(x), -0.0, x * (n / (n + 2.0)))


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.divide(a, b)
    safe = np.where(b == 0, np.ones_like(b), b)
    if a.dtype.kind == "u":
        return np.where(b == 0, np.zeros_like(a), a // safe)
    minus = safe == -1
    plain = np.where(minus, np.ones_like(b), safe)
    quotient = a // plain + ((a % plain != 0) & ((a < 0) != (plain < 0)))
    quotient = np.where(minus, np.negative(a), quotient)
    return np.where(b == 0, np.zeros_like(a), quotient).astype(a.dtype)


def _mod(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.mod(a, b)
    safe = np.where((b == 0) | (b == np.asarray(-1).astype(b.dtype)), np.ones_like(b), b)
    if a.dtype.kind == "u":
        safe = np.where(b == 0, np.ones_like(b), b)
    return np.mod(a, safe)


def _fmod(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return (a - _divide(a, b) * b * (b != 0) - a * (b == 0)).astype(a.dtype)


def _power(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return _through_f64(np.power)(a, b)
    if a.dtype.kind == "u":
        return np.power(a, b)
    raised = np.power(a, np.maximum(b, 0))
    odd = np.where(b % 2 == 0, 1, -1).astype(a.dtype)
    below = np.where(a == 1, 1, np.where(a == -1, odd, 0)).astype(a.dtype)
    return np.where(b < 0, below, raised)


def _shift_left(a: Array, b: Array) -> Array:
    bits = a.dtype.itemsize * 8
    fits = (b >= 0) & (b < bits)
    return np.where(fits, np.left_shift(a, np.where(fits, b, 0)), 0).astype(a.dtype)


def _shift_right(a: Array, b: Array) -> Array:
    bits = a.dtype.itemsize * 8
    fits = (b >= 0) & (b < bits)
    fill = np.where(a < 0, -1, 0).astype(a.dtype)
    return np.where(fits, np.right_shift(a, np.where(fits, b, 0)), fill).astype(a.dtype)


def _maximum(a: Array, b: Array) -> Array:
    # max(-0, +0) is +0 in either order, so that a reduction's order cannot show.
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    return np.where((a == 0) & (b == 0), a + b, np.maximum(a, b))


def _minimum(a: Array, b: Array) -> Array:
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    return np.where((a == 0) & (b == 0), -(-a + -b), np.minimum(a, b))


def convert(x: Array, to: np.dtype[Any]) -> Array:
    """Cast: floats to integers truncate and saturate, NaN gives 0; to bool, nonzero is true."""
    with np.errstate(all="ignore"):
        if to.kind == "b":
            return np.asarray(x != 0)
        if x.dtype.kind == "f" or x.dtype.name == "bfloat16":
            if to.kind in "iu":
                return _saturate(x.astype(np.float64), to)
            if to.itemsize == 2 and x.dtype.itemsize == 8:
                return round_to_odd_f32(x).astype(to)
        elif to.name == "bfloat16" or to == np.float16:
            return round_to_odd_f32(x).astype(to)
        return x.astype(to)


def _saturate(x: Array, to: np.dtype[Any]) -> Array:
    info = np.iinfo(to)
    low, high = float(info.min), float(info.max) + (1.0 if to.itemsize == 8 else 0.0)
    inside = (x > low - 1.0) & (x < high + (0.0 if to.itemsize == 8 else 1.0))
    result = np.where(inside, x, 0.0).astype(to)
    result = np.where(x >= high, np.asarray(info.max, to), result)
    return np.where(x <= low, np.asarray(info.min, to), result).astype(to)


def round_to_odd_f32(x: Array) -> Array:
    """f64 or integers to f32 rounding to odd, after which rounding to 16 bits is right once."""
    nearest = x.astype(np.float32)
    wide: Array = x
    if x.dtype.kind in "iu":
        # Integers above 2^53 have their own odd rounding into double first.
        small = np.abs(x.astype(np.float64)) < 2.0**53
        sticky = np.where((x & np.asarray(2047, x.dtype)) != 0, 2048, 0).astype(x.dtype) if (
            x.dtype.itemsize == 8
        ) else np.zeros_like(x)
        cut = (x & ~np.asarray(4095, x.dtype)) | (x & np.asarray(2048, x.dtype)) | sticky
        wide = np.where(small, x, cut if x.dtype.itemsize == 8 else x).astype(np.float64)
        nearest = wide.astype(np.float32)
    bits = nearest.view(np.uint32)
    back = nearest.astype(np.float64)
    inexact = (back != wide) & np.isfinite(wide)
    away = np.abs(back) > np.abs(wide)
    truncated = np.where(inexact & away, bits - np.uint32(1), bits)
    return np.where(inexact, truncated | np.uint32(1), bits).astype(np.uint32).view(np.float32)


INFIX = "infix "
CALL = {"float": "call", "signed": "call", "unsigned": "call"}


def _infix(operator: str, *kinds: str) -> dict[str, str]:
    return {kind: INFIX + operator for kind in kinds or ("float", "signed", "unsigned", "bool")}


def _table() -> dict[str, ScalarFunction]:
    rows: list[ScalarFunction] = []

    def exact(name: str, arity: int, types: frozenset[el.ElementType], numpy: Meaning,
              c: Mapping[str, str], result: el.ElementType | None = None,
              commutative: bool = False) -> None:
        rows.append(ScalarFunction(name, arity, types & CORE, _quiet(numpy), c, result,
                                   commutative=commutative))

    def inexact(name: str, numpy: Meaning, cost: int = 20) -> None:
        rows.append(ScalarFunction(name, 1, CORE_FLOAT, _through_f64(numpy), {"float": "call"},
                                   exact=False, cost=cost))

    signed_or_float = el.FLOAT | el.SIGNED
    exact("neg", 1, el.NUMERIC, np.negative, {**CALL, "float": "prefix -"})
    exact("abs", 1, el.NUMERIC, np.abs, CALL)
    exact("sign", 1, el.NUMERIC, np.sign, CALL)
    exact("sqrt", 1, el.FLOAT, np.sqrt, CALL)
    for name, fn in (("ceil", np.ceil), ("floor", np.floor), ("round", np.rint),
                     ("trunc", np.trunc)):
        exact(name, 1, el.FLOAT, fn, CALL)
    exact("not", 1, el.BOOL, np.logical_not, {"bool": "prefix !"})
    exact("bitwise_not", 1, el.INTEGER, np.invert, CALL)
    for name, fn in (("is_nan", np.isnan), ("is_inf", np.isinf), ("is_posinf", np.isposinf),
                     ("is_neginf", np.isneginf)):
        exact(name, 1, el.FLOAT, fn, CALL, el.I1)

    for name, fn in (
        ("exp", np.exp), ("expm1", np.expm1), ("log", np.log), ("log1p", np.log1p),
        ("sin", np.sin), ("cos", np.cos), ("tan", np.tan),
        ("asin", np.arcsin), ("acos", np.arccos), ("atan", np.arctan),
        ("sinh", np.sinh), ("cosh", np.cosh), ("tanh", np.tanh),
        ("asinh", np.arcsinh), ("acosh", np.arccosh), ("atanh", np.arctanh),
        ("erf", _erf), ("erfc", _erfc), ("sigmoid", sigmoid), ("softplus", softplus),
        ("gelu", _gelu), ("gelu_tanh", _gelu_tanh), ("mish", _mish),
    ):
        inexact(name, fn)

    exact("add", 2, el.NUMERIC, np.add, {**CALL, "float": "infix +"}, commutative=True)
    exact("sub", 2, el.NUMERIC, np.subtract, {**CALL, "float": "infix -"})
    exact("mul", 2, el.NUMERIC, np.multiply, {**CALL, "float": "infix *"}, commutative=True)
    exact("div", 2, el.NUMERIC, _divide, {**CALL, "float": "infix /"})
    exact("mod", 2, el.NUMERIC, _mod, CALL)
    exact("fmod", 2, el.NUMERIC, _fmod, CALL)
    rows.append(ScalarFunction("pow", 2, CORE_NUMERIC, _quiet(_power), CALL, exact=False, cost=60))
    exact("max", 2, el.NUMERIC, _maximum, CALL, commutative=True)
    exact("min", 2, el.NUMERIC, _minimum, CALL, commutative=True)
    exact("and", 2, el.BOOL, np.logical_and, _infix("&&", "bool"), commutative=True)
    exact("or", 2, el.BOOL, np.logical_or, _infix("||", "bool"), commutative=True)
    exact("xor", 2, el.BOOL, np.logical_xor, _infix("!=", "bool"), commutative=True)
    for name, fn in (("bitwise_and", np.bitwise_and), ("bitwise_or", np.bitwise_or),
                     ("bitwise_xor", np.bitwise_xor)):
        exact(name, 2, el.INTEGER, fn, CALL, commutative=True)
    exact("shl", 2, el.INTEGER, _shift_left, CALL)
    exact("shr", 2, el.INTEGER, _shift_right, CALL)
    for name, fn, symbol in (
        ("eq", np.equal, "=="), ("ne", np.not_equal, "!="), ("lt", np.less, "<"),
        ("le", np.less_equal, "<="), ("gt", np.greater, ">"), ("ge", np.greater_equal, ">="),
    ):
        exact(name, 2, el.ANY, fn, _infix(symbol), el.I1)
    exact("select", 3, el.ANY, np.where, {k: "select" for k in ("float", "signed", "unsigned", "bool")})
    # The meaning of the next two depends on the result type: see apply().
    exact("cast", 1, el.ANY, convert, {})
    exact("bitcast", 1, el.ANY, convert, {})
    del signed_or_float
    return {row.name: row for row in rows}


SCALARS = _table()


def apply(name: str, args: list[Array], result: el.ElementType) -> Array:
    """Evaluate a scalar function over broadcast arrays; the result has the dtype of ``result``."""
    if name == "cast":
        return convert(args[0], result.dtype)
    if name == "bitcast":
        return np.ascontiguousarray(args[0]).view(result.dtype).reshape(args[0].shape)
    value = SCALARS[name].numpy(*args)
    return np.asarray(value, dtype=result.dtype)


@dataclass(frozen=True)
class Reduction:
    """A way to combine values: ``combine`` is a scalar function, ``identity`` its neutral value.

    argmax and argmin carry a pair (value, index): they prefer NaN, then the greater (smaller)
    value, then the lower index, or the higher one for the ``_last`` forms.
    """

    name: str
    combine: str
    types: frozenset[el.ElementType]

    @property
    def is_arg(self) -> bool:
        """Whether the state is a pair of a value and an index."""
        return self.name.startswith("arg")

    def identity(self, type: el.ElementType) -> int | float | bool:
        """The value that combines with x to x."""
        if self.combine in ("max", "min"):
            return type.lowest if self.combine == "max" else type.highest
        return {"add": 0, "mul": 1, "or": False, "and": True}[self.combine]


REDUCTIONS = {
    row.name: row
    for row in (
        Reduction("sum", "add", CORE_NUMERIC),
        Reduction("prod", "mul", CORE_NUMERIC),
        Reduction("max", "max", CORE_NUMERIC),
        Reduction("min", "min", CORE_NUMERIC),
        Reduction("any", "or", el.BOOL),
        Reduction("all", "and", el.BOOL),
        Reduction("argmax", "max", CORE_NUMERIC),
        Reduction("argmin", "min", CORE_NUMERIC),
        Reduction("argmax_last", "max", CORE_NUMERIC),
        Reduction("argmin_last", "min", CORE_NUMERIC),
    )
}
