"""The C helpers on integers and those that convert between types."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.unit.common.helper_build import (
    DTYPES,
    INTEGERS,
    Build,
    from_bits,
    operands,
    same_values,
    samples,
    signatures,
    special,
)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("gcc"), "gcc", "-O1")


def wrap(value: int, kind: str) -> int:
    bits = int(kind[1:])
    value %= 2**bits
    return value - 2**bits if kind[0] == "i" and value >= 2 ** (bits - 1) else value


def truncated_quotient(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def integer_power(a: int, b: int, kind: str) -> int:
    if b >= 0:
        return pow(a, b, 1 << int(kind[1:]))
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


def shift(a: int, b: int, kind: str, left: bool) -> int:
    inside = 0 <= b < int(kind[1:])
    if left:
        return a << b if inside else 0
    return a >> b if inside else (-1 if a < 0 else 0)


INTEGER: dict[str, Callable[[int, int, str], int]] = {
    "add": lambda a, b, kind: a + b,
    "sub": lambda a, b, kind: a - b,
    "mul": lambda a, b, kind: a * b,
    "max": lambda a, b, kind: max(a, b),
    "min": lambda a, b, kind: min(a, b),
    "div": lambda a, b, kind: truncated_quotient(a, b),
    "fmod": lambda a, b, kind: 0 if b == 0 else a - b * truncated_quotient(a, b),
    "mod": lambda a, b, kind: 0 if b == 0 else a % b,
    "pow": integer_power,
    "shl": lambda a, b, kind: shift(a, b, kind, True),
    "shr": lambda a, b, kind: shift(a, b, kind, False),
}


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("name", INTEGER)
def test_integer_binary(build: Build, name: str, kind: str) -> None:
    helper = f"opc_{name}_{kind}"
    a, b = operands(signatures()[helper], 400)
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    expected = [wrap(INTEGER[name](x, y, kind), kind) for x, y in pairs]
    assert build(helper, a, b).tolist() == expected


@pytest.mark.parametrize("kind", INTEGERS)
def test_integer_unary(build: Build, kind: str) -> None:
    (a,) = operands(signatures()[f"opc_neg_{kind}"])
    values: list[int] = a.tolist()
    assert build(f"opc_neg_{kind}", a).tolist() == [wrap(-x, kind) for x in values]
    assert build(f"opc_abs_{kind}", a).tolist() == [wrap(abs(x), kind) for x in values]
    assert build(f"opc_sign_{kind}", a).tolist() == [(x > 0) - (x < 0) for x in values]


def power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << max(exponent, 0), 1 << max(-exponent, 0))


def rounded(value: Fraction, digits: int, least: int, top: int) -> Fraction | None:
    """Nearest multiple of the ULP, ties to even; None beyond the largest number."""
    if value == 0:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= 1 if power_of_two(exponent) > value else 0
    unit = power_of_two(max(exponent - digits + 1, least))
    result = round(value / unit) * unit
    return None if result >= power_of_two(top) else result


def narrow_inputs(source: str) -> list[Any]:
    """Numbers around the midpoints of f16 and bf16, where rounding twice goes wrong."""
    random = np.random.default_rng(2)
    if source[0] in "iu":
        return operands(signatures()[f"opc_neg_{source}"], 300)[0].tolist() + [
            wrap(sign * (half << up) + off, source)
            for half in (257, 259, 385, 2049, 2051)
            for up in range(0, int(source[1:]) - 9)
            for off in (-1, 0, 1)
            for sign in (1, -1)
        ]
    halves = random.integers(256, 512, 3000) * 2.0 ** random.integers(-145, 128, 3000) + 0.0
    halves = np.concatenate([halves, random.integers(1, 4096, 3000) * 2.0**-26])
    off = halves * (1 + random.integers(-1, 2, halves.size) * 2.0**-50)
    values = np.concatenate([off, -off, special(np.float64), [65519.99, 65520.0, 3.4e38, 1e-45]])
    with np.errstate(over="ignore"):
        return values.astype(np.float32 if source == "f32" else np.float64).tolist()


@pytest.mark.parametrize("target", ["f16", "bf16"])
@pytest.mark.parametrize("source", ["f32", "f64", *INTEGERS])
def test_cast_to_narrow_float_rounds_once(build: Build, source: str, target: str) -> None:
    digits, least, top = (11, -24, 16) if target == "f16" else (8, -133, 128)
    dtype = np.float16 if target == "f16" else ml_dtypes.bfloat16
    inputs = narrow_inputs(source)
    helper = f"opc_cast_{source}_{target}"
    array = np.array(inputs, DTYPES[signatures()[helper].parameters[0]])
    outputs = from_bits(build(helper, array), dtype).astype(np.float64)
    for x, y in zip(inputs, outputs.tolist(), strict=True):
        if not np.isfinite(float(x)):
            assert same_values(np.array([y]), np.array([x])), (x, y)
            continue
        exact = rounded(abs(Fraction(x)), digits, least, top)
        expected = np.inf if exact is None else float(exact)
        assert abs(y) == expected and np.signbit(y) == np.signbit(x), (x, y, expected)


@pytest.mark.parametrize("source", ["f16", "bf16"])
def test_cast_from_narrow_float_is_exact(build: Build, source: str) -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    dtype = np.float16 if source == "f16" else ml_dtypes.bfloat16
    expected = from_bits(bits, dtype).astype(np.float32)
    actual = build(f"opc_cast_{source}_f32", bits)
    assert same_values(actual, expected)
    finite = ~np.isnan(actual)
    assert np.array_equal(build(f"opc_cast_f32_{source}", actual)[finite], bits[finite])
    quiet = build(f"opc_cast_f32_{source}", actual)[~finite]
    assert np.all(np.isnan(from_bits(quiet, dtype).astype(np.float32)))


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", ["f32", "f64"])
def test_cast_to_integer_saturates(build: Build, source: str, target: str) -> None:
    info = np.iinfo(DTYPES[signatures()[f"opc_neg_{target}"].result])
    dtype = np.float32 if source == "f32" else np.float64
    steps = (-1.5, -1, -0.5, 0, 0.5, 1, 1.5)
    near = np.array([base + step for base in (info.min, info.max) for step in steps], dtype)
    near = np.concatenate([near, np.nextafter(near, dtype(0)), near * 2])
    random = np.random.default_rng(4).uniform(-1.1, 1.1, 500).astype(dtype) * dtype(info.max)
    anywhere = samples("float" if source == "f32" else "double", 2000)
    values = np.concatenate([near, random, anywhere])
    expected: list[int] = []
    for x in values.tolist():
        # Beyond any integer type an infinity is just one more large number.
        bounded = 0 if np.isnan(x) else int(min(max(x, -1e30), 1e30))
        expected.append(min(max(bounded, int(info.min)), int(info.max)))
    assert build(f"opc_cast_{source}_{target}", values).tolist() == expected
