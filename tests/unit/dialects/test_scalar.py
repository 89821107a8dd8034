"""The NumPy meaning of scalar functions, against exact arithmetic."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from opc.dialects import element as el
from opc.dialects import elementary, scalar
from tests.unit.common import samples
from tests.unit.common.tolerance import assert_close, spacing

pytestmark = pytest.mark.smoke

INTEGERS = [e for e in el.ELEMENTS if e.is_integer]
FLOATS = [e for e in el.ELEMENTS if e.is_float]
SMALL = [el.F16, el.BF16]


@pytest.fixture(autouse=True)
def no_warning_leaks() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def round_exactly(value: Fraction, type: el.ElementType) -> float:
    """The nearest f16 or bf16, ties to even, by rational arithmetic."""
    digits, least_exponent, greatest = (
        (11, -14, 65504.0) if type is el.F16 else (8, -126, 255 * 2.0**120)
    )
    if value == 0:
        return 0.0
    exponent = least_exponent
    while abs(value) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - digits + 1)
    rounded = round(value / unit) * unit
    if abs(rounded) > greatest:
        return float("inf") if value > 0 else float("-inf")
    return float(rounded)


def hard_to_round(type: el.ElementType) -> list[float]:
    """Ties of the type, and doubles so near to them that f32 cannot tell."""
    digits = 11 if type is el.F16 else 8
    ties = [1 + (2 * k + 1) * 2.0**-digits for k in range(4)]
    least = 2.0 ** (-24 if type is el.F16 else -133)
    ties += [least / 2, least * 1.5, least * 2.5, 65520.0, 65519.99, 255.5 * 2.0**120, 65536.0]
    near = [t * f for t in ties for f in (1, 1 + 2.0**-50, 1 - 2.0**-50, 1 + 2.0**-24)]
    return [s * v for v in near for s in (1, -1)] + [1e-300, 1e300, 5e-324]


@pytest.mark.parametrize("type", SMALL, ids=str)
def test_doubles_are_rounded_to_small_floats_once(type: el.ElementType) -> None:
    rng = np.random.default_rng(0)
    scale = 2.0 ** rng.uniform(-30 if type is el.F16 else -140, 20, size=500)
    doubles = np.concatenate([hard_to_round(type), rng.standard_normal(500) * scale])
    expected = np.array([round_exactly(Fraction(d), type) for d in doubles])
    expected = np.copysign(expected, doubles)
    found = scalar.convert(doubles, type.dtype).astype(np.float64)
    assert_close(found, expected)


@pytest.mark.parametrize("type", SMALL, ids=str)
@pytest.mark.parametrize("source", ["i64", "ui64", "i32", "ui32", "i16", "ui16", "i8"])
def test_integers_are_rounded_to_small_floats_once(type: el.ElementType, source: str) -> None:
    given = el.BY_NAME[source]
    base = {2**k for k in range(given.bits)} | {(2**k * 257) for k in range(given.bits - 8)}
    base |= {2**k * 513 // 2 for k in range(given.bits - 8)}
    offsets = {v + d for v in base for d in (-1, 0, 1, 2**10, -(2**10) - 1)}
    signed = {s * v for v in offsets for s in (1, -1)}
    values = sorted(v for v in signed if given.lowest <= v <= given.highest)
    found = scalar.convert(np.array(values, dtype=given.dtype), type.dtype).astype(np.float64)
    assert_close(found, np.array([round_exactly(Fraction(v), type) for v in values]))


@pytest.mark.parametrize("type", SMALL, ids=str)
def test_infinities_and_nan_stay(type: el.ElementType) -> None:
    for source in (np.float32, np.float64):
        given = np.array([np.inf, -np.inf, np.nan, -0.0], dtype=source)
        assert_close(scalar.convert(given, type.dtype).astype(source), given)


@pytest.mark.parametrize("to", INTEGERS, ids=str)
@pytest.mark.parametrize("source", FLOATS, ids=str)
def test_floats_saturate(source: el.ElementType, to: el.ElementType) -> None:
    limits = [float(to.lowest), float(to.highest)]
    steps = (-1, -0.5, 0, 0.5, 1)
    near = [limit * f + d for limit in limits for f in (1, 1 - 2.0**-10) for d in steps]
    given = np.concatenate([samples.special_values(source).astype(np.float64), near])
    with np.errstate(all="ignore"):
        given = given.astype(source.dtype)

    def exact(x: float) -> int:
        if x != x:
            return 0
        if abs(x) == float("inf"):
            return int(to.highest if x > 0 else to.lowest)
        return min(max(int(x), int(to.lowest)), int(to.highest))

    expected = np.array([exact(float(x)) for x in given], dtype=to.dtype)
    assert_close(scalar.convert(given, to.dtype), expected)


def test_everything_but_zero_is_true() -> None:
    for type in el.NUMERIC:
        given = samples.special_values(type)
        expected = [bool(float(x) != 0) for x in given]
        assert scalar.convert(given, el.I1.dtype).tolist() == expected


def truncated(a: int, b: int) -> int:
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def power(a: int, b: int) -> int:
    if b >= 0:
        return pow(a, b, 2**64)
    return 1 if a == 1 else (1 - 2 * (b % 2) if a == -1 else 0)


WRAPPING: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": truncated,
    "mod": lambda a, b: a % b if b else 0,
    "fmod": lambda a, b: a - truncated(a, b) * b if b else 0,
    "pow": power,
    "max": max,
    "min": min,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("name", WRAPPING)
@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_integers_wrap(type: el.ElementType, name: str) -> None:
    a, b = samples.pairs(type)
    span = 2**type.bits
    exact = [WRAPPING[name](int(x), int(y)) % span for x, y in zip(a, b, strict=True)]
    signed = [v - span if v > int(type.highest) else v for v in exact]
    expected = np.array(signed, dtype=type.dtype)
    assert_close(scalar.apply(name, [a, b], type), expected, what=name)
    assert_close(
        scalar.apply(name, [a[:1].reshape(()), b[:1].reshape(())], type),
        expected[:1].reshape(()),
        what=name,
    )


@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_shifts(type: el.ElementType) -> None:
    a, b = samples.pairs(type)
    span = 2**type.bits
    left: list[int] = []
    right: list[int] = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        inside = 0 <= y < type.bits
        shifted = (x << y) % span if inside else 0
        left.append(shifted - span if shifted > int(type.highest) else shifted)
        right.append(x >> y if inside else (-1 if x < 0 else 0))
    assert_close(scalar.apply("shl", [a, b], type), np.array(left, dtype=type.dtype))
    assert_close(scalar.apply("shr", [a, b], type), np.array(right, dtype=type.dtype))


@pytest.mark.parametrize("type", [el.F32, el.F64], ids=str)
def test_extremes_do_not_depend_on_order(type: el.ElementType) -> None:
    a, b = samples.pairs(type)
    for name, zero in (("max", 0.0), ("min", -0.0)):
        result = scalar.apply(name, [a, b], type)
        assert_close(result, scalar.apply(name, [b, a], type))
        assert np.array_equal(np.isnan(result), np.isnan(a) | np.isnan(b))
        mixed = scalar.apply(name, [np.array([0.0, -0.0]), np.array([-0.0, 0.0])], el.F64)
        assert_close(mixed, np.array([zero, zero]))


@pytest.mark.parametrize("type", [el.F32, el.F64], ids=str)
def test_float_mod(type: el.ElementType) -> None:
    a, b = samples.pairs(type)
    finite = np.isfinite(a) & np.isfinite(b) & (b != 0)
    a, b = a[finite], b[finite]
    fmod = [
        Fraction(x) - int(Fraction(x) / Fraction(y)) * Fraction(y)
        for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    assert scalar.apply("fmod", [a, b], type).tolist() == [float(f) for f in fmod]
    mod = scalar.apply("mod", [a, b], type)
    assert np.all((mod == 0) | (np.signbit(mod) == np.signbit(b)))


MPMATH: dict[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    "exp": mpmath.exp, "expm1": mpmath.expm1, "log": mpmath.log, "log1p": mpmath.log1p,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan,
    "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh,
    "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
    "erf": mpmath.erf, "erfc": mpmath.erfc,
    "exp_neg": lambda x: mpmath.exp(-x),
    "exp_softmax_neg": lambda x: mpmath.exp(-max(x, 0)) if x <= 76.25 else mpmath.mpf(0),
    "exp_softmax": lambda x: mpmath.exp(min(x, 0)) if x >= -76.25 else mpmath.mpf(0),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "gelu": lambda x: x / 2 * mpmath.erfc(-x / mpmath.sqrt(2)),
    "gelu_tanh": lambda x: x / (1 + mpmath.exp(
        -2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(44715) / 10**6 * x**3))),
    "mish": lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x))),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
}  # fmt: skip


def inexact_unary() -> list[str]:
    return [row.name for row in scalar.SCALARS.values() if not row.exact and row.arity == 1]


@pytest.mark.parametrize("name", inexact_unary())
@pytest.mark.parametrize("type", [el.F32, el.F64], ids=str)
def test_inexact_functions_are_nearly_rounded(type: el.ElementType, name: str) -> None:
    rng = np.random.default_rng(1)
    sizes = np.concatenate(
        [
            rng.uniform(0, 3, 60),
            np.exp(rng.uniform(-30, 6, 60)),
            rng.uniform(1.9, 2.1, 20),
            rng.uniform(0.99, 1.01, 20),
        ]
    )
    given = np.concatenate([sizes, -sizes]).astype(type.dtype)
    found = scalar.apply(name, [given], type)
    with mpmath.workprec(400):
        for x, y in zip(given, found, strict=True):
            exact = MPMATH[name](mpmath.mpf(float(x)))
            if isinstance(exact, mpmath.mpc) and exact.imag != 0:
                assert np.isnan(y), (name, x)
            elif np.isfinite(y):
                error = abs(mpmath.mpf(float(y)) - mpmath.re(exact))
                gap = float(spacing(np.asarray(y))[()])
                assert error <= 0.51 * gap, (name, x, y)


@pytest.mark.parametrize("name", inexact_unary())
def test_inexact_functions_take_every_shape(name: str) -> None:
    for shape in samples.SHAPES.values():
        given = samples.values(el.F32, shape)
        assert scalar.apply(name, [given], el.F32).shape == shape


def test_error_functions_at_the_ends() -> None:
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0])
    with np.errstate(all="ignore"):
        gelu = elementary.gelu(x)
    assert_close(elementary.erf(x), np.array([1.0, -1.0, np.nan, 0.0, -0.0]))
    assert_close(elementary.erfc(x), np.array([0.0, 2.0, np.nan, 1.0, 1.0]))
    assert_close(gelu, np.array([np.inf, np.nan, np.nan, 0.0, -0.0]))


def test_every_row_has_a_meaning_for_every_type() -> None:
    for row in scalar.SCALARS.values():
        if row.name in scalar.CONVERSIONS:
            continue
        for type in row.types & el.ANY:
            given = [samples.values(type, (9,), k) for k in range(row.arity)]
            if row.name == "choose":
                given[0] = np.arange(9).astype(row.operands[0].dtype)
            if row.name == "select":
                given[0] = samples.values(el.I1, (9,))
            result = row.result or type
            assert scalar.apply(row.name, given, result).dtype == result.dtype
            alone = [x[:1].reshape(()) for x in given]
            assert scalar.apply(row.name, alone, result).shape == ()


def test_identities_are_neutral() -> None:
    for row in scalar.REDUCTIONS.values():
        for type in row.types & el.ANY:
            given = samples.special_values(type)
            if row.combine == "max_number":
                given = given[~np.isnan(given)]
            neutral = np.full_like(given, row.identity(type))
            args = [given, np.ones_like(given), neutral] if row.is_chain else [neutral, given]
            assert_close(
                scalar.apply(row.combine, args, type),
                given,
                zero_signs=row.combine not in ("add", "fma", "mul_add"),
                what=f"{row.name} {type}",
            )


def test_fused_products_that_are_too_large_for_a_float() -> None:
    huge = np.array([1e300, 1e300, 1e300, -1e300])
    added = np.array([0.0, -np.inf, -1e308, np.nan])
    found = scalar.SCALARS["fma"].numpy(huge, np.full(4, 1e300), added)
    assert found[:3].tolist() == [np.inf, -np.inf, np.inf] and np.isnan(found[3])
