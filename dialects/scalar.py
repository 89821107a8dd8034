"""The table of scalar functions, the only definition of ``max`` and all others.

Elementwise operators, reductions, both interpreters, constant folding, C emission and the
documentation read it.  A row gives the arity, the element types, the meaning over NumPy arrays
and the C spelling.

Floating-point meaning is stated for f32 and f64; f16 and bf16 are computed in f32 and reach no
scalar function but ``cast`` (docs/numerics.md).  A function that is not ``exact`` is computed with
spare digits and rounded once, so the NumPy result is within about half an ULP of the true one;
emitted C promises 2 ULP.  Only exact functions are folded, so folding never changes a bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from . import element as el
from . import elementary, small_types

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Meaning: TypeAlias = "Callable[..., Any]"

CORE = el.STORED - {el.F16, el.BF16}
CORE_FLOAT = el.FLOAT & CORE
CORE_NUMERIC = el.NUMERIC & CORE


@dataclass(frozen=True)
class ScalarFunction:
    """A row of the table.

    ``c`` maps an element kind (float, signed, unsigned, bool) to a spelling: an infix or prefix
    operator, or ``call`` for the helper ``opc_<name>_<type>``.  ``result`` is a fixed result type,
    or None for the type of the last operand.
    """

    name: str
    arity: int
    types: frozenset[el.ElementType]
    numpy: Meaning
    c: Mapping[str, str]
    result: el.ElementType | None = None
    exact: bool = True
    cost: int = 1
    operands: tuple[el.ElementType, ...] = ()  # their types, where these are not the same


def _rounded_once(fn: Meaning) -> Meaning:
    """Evaluate f32 in f64 and f64 in long double, and round."""

    def meaning(*args: Array) -> Array:
        dtype = args[0].dtype
        spare = np.float64 if dtype == np.float32 else np.longdouble
        with np.errstate(all="ignore"):
            return np.asarray(fn(*(a.astype(spare) for a in args))).astype(dtype)

    return meaning


def _quiet(fn: Meaning) -> Meaning:
    def meaning(*args: Array) -> Any:
        with np.errstate(all="ignore"):
            return fn(*args)

    return meaning


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.divide(a, b)
    if a.dtype.kind == "u":
        return np.where(b == 0, np.zeros_like(a), a // np.where(b == 0, np.ones_like(b), b))
    # NumPy rounds down.  Division by -1 is negation, so that the least integer wraps.
    plain = np.where((b == 0) | (b == -1), np.ones_like(b), b)
    down = a // plain
    quotient = down + ((down * plain != a) & ((a < 0) != (plain < 0))).astype(a.dtype)
    quotient = np.where(b == -1, np.negative(a), quotient)
    return np.where(b == 0, np.zeros_like(a), quotient)


def _mod(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.mod(a, b)
    # The remainder by 0 and -1 is 0; in C the first would trap and the second overflow.
    trivial = b == 0 if a.dtype.kind == "u" else (b == 0) | (b == -1)
    return np.mod(a, np.where(trivial, np.ones_like(b), b))


def _fmod(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return np.where(b == 0, np.zeros_like(a), a - _divide(a, b) * b)


def _power(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        # The C library's long double pow errs for (-inf)**(-2**63), so signs are handled here.
        size = _rounded_once(np.power)(np.abs(a), b)
        signed = np.where(np.abs(np.fmod(b, 2)) == 1, np.copysign(size, a), size)
        undefined = (a < 0) & np.isfinite(a) & (np.trunc(b) != b)
        return np.where(undefined, np.full_like(size, np.nan), signed)
    if a.dtype.kind == "u":
        return np.power(a, b)
    raised = np.power(a, np.maximum(b, np.zeros_like(b)))
    odd = np.where(b % 2 == 0, 1, -1)
    below = np.where(a == 1, 1, np.where(a == -1, odd, 0)).astype(a.dtype)
    return np.where(b < 0, below, raised)


def _shift(shift: Meaning, a: Array, b: Array) -> Array:
    fits = (b >= 0) & (b < a.dtype.itemsize * 8)
    # Beyond the width, the sign is left of a shift to the right, and nothing of one to the left.
    beyond = np.where((a < 0) & (shift is np.right_shift), -1, 0).astype(a.dtype)
    return np.where(fits, shift(a, np.where(fits, b, np.zeros_like(b))), beyond)


def _maximum(a: Array, b: Array) -> Array:
    # max(-0, +0) is +0 in either order, so that the order of a reduction does not matter.
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    return np.where((a == 0) & (b == 0), a + b, np.maximum(a, b))


def _above(a: Array, b: Array) -> Array:
    # NaN is not above any number; for two zeros the result is the second one.
    return np.where(a > b, a, b)


def _minimum(a: Array, b: Array) -> Array:
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    return np.where((a == 0) & (b == 0), -(-a + -b), np.minimum(a, b))


ROUND_MODES = ("up", "down", "nearest")
CASTS = {
    (mode, saturate): "cast"
    + (f"_{mode}" if mode != "up" else "")
    + ("" if saturate else "_unsaturated")
    for mode in ROUND_MODES
    for saturate in (True, False)
}
"""The row for each rounding mode to powers of two, saturating or not.

They differ for small floats alone; all other casts are ``cast``.
"""
REINTERPRETED = ("bitcast", "order", "unorder", "rank")
CONVERSIONS = frozenset({*CASTS.values(), *REINTERPRETED})
"""The rows whose meaning depends on the result type."""
PARTIAL = frozenset(
    {
        *("exp_neg", "exp_softmax_neg", "at_least", "at_most", "max_number", "above"),
        *("quotient", "remainder", "residue"),
    }
)
"""The rows defined for some arguments alone, which passes use if arguments are among these."""


def cast_name(to: el.ElementType, round_mode: str, saturate: bool) -> str:
    """The row for a cast to a type; modes without an effect on the type are dropped."""
    mode = round_mode if to.name == "f8E8M0FNU" else "up"
    return CASTS[mode, saturate or to.small != "float" or to.bits < 8]


def convert(x: Array, to: np.dtype[Any], name: str = "cast") -> Array:
    """Cast: floats to integers truncate and saturate, NaN gives 0; to bool, nonzero is true.

    ``small`` converts to small types; ``name`` is one of ``CASTS``.
    """
    x = np.asarray(x)
    source, target = small_types.small_type(x.dtype), small_types.small_type(to)
    if source is not None and target is source:
        return x
    if source is not None:
        x = small_types.widen(x, source)
    if target is not None:
        if target.small != "float" and x.dtype.kind not in "iub":
            x = convert(x, np.dtype(np.int64))
        mode, saturate = next(key for key, row in CASTS.items() if row == name)
        with np.errstate(all="ignore"):
            return small_types.narrow(x, target, mode, saturate)
    is_float = x.dtype.kind == "f" or x.dtype.name == "bfloat16"
    to_small = to == np.float16 or to.name == "bfloat16"
    with np.errstate(all="ignore"):
        if to.kind == "b":
            return np.asarray(x != 0)
        if is_float and to.kind in "iu":
            return _saturate(x.astype(np.float64), to)
        if to_small and x.dtype.itemsize >= 4:
            # NumPy and ml_dtypes round to f32 first, and so twice.
            return round_to_odd_f32(x).astype(to)
        return x.astype(to)


def reinterpret(x: Array, to: np.dtype[Any], name: str) -> Array:
    """The bits of one type as another of the same width.

    ``order`` flips all bits but the sign of negative floats, so that signed integers compare as the
    floats do, -0 below +0 and NaNs beyond the infinities; ``unorder`` is its inverse.  ``rank`` is
    ``order`` with equal zeros, and all NaNs above infinity.
    """
    bits = np.ascontiguousarray(x)
    if name == "rank":
        bits = np.where(np.isnan(bits), np.nan, bits + 0.0).astype(x.dtype)
    if name == "bitcast":
        return bits.view(to).reshape(x.shape)
    keys = bits.view(f"i{x.dtype.itemsize}")
    flipped = np.where(keys < 0, keys ^ np.iinfo(keys.dtype).max, keys)
    return flipped.view(to).reshape(x.shape)


def _saturate(x: Array, to: np.dtype[Any]) -> Array:
    """f64 to an integer type: truncated, the nearest limit outside its range, 0 for NaN."""
    info = np.iinfo(to)
    truncated = np.trunc(x)
    # Both are powers of two or 0, and so exact.
    least, beyond = float(info.min), float(info.max + 1)
    inside = (truncated >= least) & (truncated < beyond)
    result = np.where(inside, truncated, 0.0).astype(to)
    result = np.where(truncated < least, np.asarray(info.min, to), result)
    return np.where(truncated >= beyond, np.asarray(info.max, to), result)


def _rounded_to(small_float: np.dtype[Any]) -> Meaning:
    """f32 rounded to a value of f16 or bf16, as f32."""

    def meaning(x: Array) -> Array:
        return convert(convert(x, small_float), x.dtype)

    return meaning


def round_to_odd_f32(x: Array) -> Array:
    """Numbers of 32 or 64 bits in f32; inexact ones as the neighbour whose last bit is 1.

    Rounding the result to f16 or bf16 rounds ``x`` once: no tie is made, and none is lost.
    """
    if x.dtype.kind in "iu" and x.dtype.itemsize == 8:
        # f64 holds 53 bits: larger integers are rounded to odd at their 12th bit.
        low = x & np.asarray(0x7FF, x.dtype)
        odd = np.where(low != 0, (x - low) | np.asarray(0x800, x.dtype), x)
        large = np.abs(x.astype(np.float64)) >= 2.0**53
        x = np.where(large, odd, x)
    exact = x.astype(np.float64)
    nearest = exact.astype(np.float32)
    bits, back = nearest.view(np.uint32), nearest.astype(np.float64)
    toward_zero = bits - (np.abs(back) > np.abs(exact)).astype(np.uint32)
    inexact = (back != exact) & ~np.isnan(exact)
    return np.where(inexact, toward_zero | np.uint32(1), bits).view(np.float32)


INFIX = "infix "
CALL = {"float": "call", "signed": "call", "unsigned": "call"}


def _infix(operator: str, *kinds: str) -> dict[str, str]:
    return {kind: INFIX + operator for kind in kinds or ("float", "signed", "unsigned", "bool")}


def _table() -> dict[str, ScalarFunction]:
    rows: list[ScalarFunction] = []

    def exact(
        name: str,
        arity: int,
        types: frozenset[el.ElementType],
        numpy: Meaning,
        c: Mapping[str, str],
        result: el.ElementType | None = None,
    ) -> None:
        rows.append(ScalarFunction(name, arity, types & CORE, _quiet(numpy), c, result))

    def inexact(name: str, numpy: Meaning, cost: int = 20) -> None:
        rows.append(
            ScalarFunction(
                name, 1, CORE_FLOAT, _rounded_once(numpy), {"float": "call"}, exact=False, cost=cost
            )
        )

    exact("neg", 1, el.NUMERIC, np.negative, {**CALL, "float": "prefix -"})
    exact("abs", 1, el.NUMERIC, np.abs, CALL)
    exact("sign", 1, el.NUMERIC, np.sign, CALL)
    exact("sqrt", 1, el.FLOAT, np.sqrt, CALL)
    for name, fn in (
        ("ceil", np.ceil),
        ("floor", np.floor),
        ("round", np.rint),
        ("trunc", np.trunc),
    ):
        exact(name, 1, el.FLOAT, fn, CALL)
    exact("not", 1, el.BOOL, np.logical_not, {"bool": "prefix !"})
    exact("bitwise_not", 1, el.INTEGER, np.invert, {"signed": "prefix ~", "unsigned": "prefix ~"})
    for name, fn in (
        ("is_nan", np.isnan),
        ("is_inf", np.isinf),
        ("is_posinf", np.isposinf),
        ("is_neginf", np.isneginf),
    ):
        exact(name, 1, el.FLOAT, fn, CALL, el.I1)

    for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
        inexact(name, getattr(np, name))
        inexact(f"a{name}", getattr(np, f"arc{name}"))
    for name in ("exp", "expm1", "log", "log1p"):
        inexact(name, getattr(np, name))
    for name in (
        *("exp_neg", "exp_softmax", "exp_softmax_neg", "erf", "erfc"),
        *("sigmoid", "softplus", "silu", "gelu", "gelu_tanh", "mish"),
    ):
        inexact(name, getattr(elementary, name))

    exact("add", 2, el.NUMERIC, np.add, {**CALL, "float": "infix +"})
    exact("sub", 2, el.NUMERIC, np.subtract, {**CALL, "float": "infix -"})
    exact("mul", 2, el.NUMERIC, np.multiply, {**CALL, "float": "infix *"})
    exact("div", 2, el.NUMERIC, _divide, {**CALL, "float": "infix /"})
    exact("fma", 3, el.NUMERIC, elementary.fma, CALL)
    exact("mul_add", 3, CORE_FLOAT, elementary.mul_add, CALL)
    exact("mod", 2, el.NUMERIC, _mod, CALL)
    exact("fmod", 2, el.NUMERIC, _fmod, CALL)
    rows.append(ScalarFunction("pow", 2, CORE_NUMERIC, _quiet(_power), CALL, exact=False, cost=60))
    exact("max", 2, el.NUMERIC, _maximum, CALL)
    exact("min", 2, el.NUMERIC, _minimum, CALL)
    exact("at_least", 2, CORE_FLOAT, _maximum, CALL)
    exact("at_most", 2, CORE_FLOAT, _minimum, CALL)
    exact("max_number", 2, CORE_FLOAT, np.fmax, CALL)
    exact("above", 2, CORE_FLOAT, _above, CALL)
    exact("quotient", 2, el.INTEGER, _divide, _infix("/", "signed", "unsigned"))
    exact("remainder", 2, el.INTEGER, _fmod, _infix("%", "signed", "unsigned"))
    exact("residue", 2, el.INTEGER, _mod, {**CALL, "unsigned": "infix %"})
    exact("and", 2, el.BOOL, np.logical_and, _infix("&", "bool"))
    exact("or", 2, el.BOOL, np.logical_or, _infix("|", "bool"))
    exact("xor", 2, el.BOOL, np.logical_xor, _infix("!=", "bool"))
    for name, fn, symbol in (
        ("bitwise_and", np.bitwise_and, "&"),
        ("bitwise_or", np.bitwise_or, "|"),
        ("bitwise_xor", np.bitwise_xor, "^"),
    ):
        exact(name, 2, el.INTEGER, fn, _infix(symbol, "signed", "unsigned"))
    mixed = (*[el.F32] * 3, *[el.BY_NAME["i32"]] * 6)
    types, meaning = frozenset(mixed[3:]), _quiet(elementary.requantized)
    rows.append(ScalarFunction("requantize", len(mixed), types, meaning, CALL, operands=mixed))
    codes, types = (el.BY_NAME["ui4"], *[el.F32] * 16), frozenset({el.F32})
    rows.append(ScalarFunction("choose", 17, types, elementary.chosen, CALL, operands=codes))
    exact("shl", 2, el.INTEGER, partial(_shift, np.left_shift), CALL)
    exact("shr", 2, el.INTEGER, partial(_shift, np.right_shift), CALL)
    for name, fn, symbol in (
        ("lt", np.less, "<"),
        ("le", np.less_equal, "<="),
        ("gt", np.greater, ">"),
        ("ge", np.greater_equal, ">="),
    ):
        # Compilers warn if booleans are compared with a constant.
        exact(name, 2, el.ANY, fn, _infix(symbol) | {"bool": "call"}, el.I1)
    exact("eq", 2, el.ANY, np.equal, _infix("=="), el.I1)
    exact("ne", 2, el.ANY, np.not_equal, _infix("!="), el.I1)
    exact("select", 3, el.STORED, np.where, dict.fromkeys((*CALL, "bool", "small"), "select"))
    # The meaning of conversions depends on the result type: see apply().
    for small_float in (el.F16, el.BF16):
        name = f"round_{small_float}"
        exact(name, 1, frozenset({el.F32}), _rounded_to(small_float.dtype), CALL)
    for name in sorted(CONVERSIONS):
        exact(name, 1, el.STORED, convert, {})
    return {row.name: row for row in rows}


SCALARS = _table()


def apply(name: str, args: list[Array], result: el.ElementType) -> Array:
    """Evaluate a scalar function over broadcast arrays; the result has the dtype of ``result``."""
    if name in CASTS.values():
        return convert(args[0], result.dtype, name)
    if name in REINTERPRETED:
        return reinterpret(args[0], result.dtype, name)
    value = SCALARS[name].numpy(*args)
    return np.asarray(value, dtype=result.dtype)


@dataclass(frozen=True)
class Reduction:
    """A reduction by a scalar function, ``combine``, with ``identity`` as its neutral value.

    argmax and argmin carry a pair (value, index): they prefer NaN, then the greater (smaller)
    value, then the lower index, or the higher one for the ``_last`` forms.
    """

    name: str
    combine: str
    types: frozenset[el.ElementType]

    @property
    def is_chain(self) -> bool:
        """Whether it is a serial accumulation of products, which are rounded or not."""
        return self.combine in ("fma", "mul_add")

    @property
    def rounds_products(self) -> bool:
        """Whether each product is rounded before it is added."""
        return self.combine == "mul_add"

    @property
    def is_arg(self) -> bool:
        """Whether the state is a pair of a value and an index."""
        return self.name.startswith("arg")

    def identity(self, type: el.ElementType) -> int | float | bool:
        """The neutral value: combined with x it gives x."""
        if self.combine in ("max", "max_number", "min"):
            return type.highest if self.combine == "min" else type.lowest
        return {"add": 0, "fma": 0, "mul_add": 0, "mul": 1, "or": False, "and": True}[self.combine]


REDUCTIONS = {
    row.name: row
    for row in (
        Reduction("sum", "add", CORE_NUMERIC),
        Reduction("dot", "fma", CORE_NUMERIC),
        Reduction("rounded_dot", "mul_add", CORE_FLOAT),
        Reduction("prod", "mul", CORE_NUMERIC),
        Reduction("max", "max", CORE_NUMERIC),
        Reduction("min", "min", CORE_NUMERIC),
        Reduction("max_number", "max_number", CORE_FLOAT),
        Reduction("any", "or", el.BOOL),
        Reduction("all", "and", el.BOOL),
        Reduction("argmax", "max", CORE_NUMERIC),
        Reduction("argmin", "min", CORE_NUMERIC),
        Reduction("argmax_last", "max", CORE_NUMERIC),
        Reduction("argmin_last", "min", CORE_NUMERIC),
    )
}
