"""The C helpers: accuracy, special values, and the same bits from every compiler."""

from __future__ import annotations

import importlib
import math
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.dialects import element as el
from opc.dialects import scalar
from opc.emit import library
from tests.unit.common import ROOT
from tests.unit.common.helper_build import (
    Array,
    Build,
    Signature,
    operands,
    same_values,
    signatures,
    special,
    wide,
    with_includes,
)

# mpmath has no type information.
mpmath: Any = importlib.import_module("mpmath")

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
#: Building blocks, whose callers take care of NaN.
INTERNAL = re.compile(r"_wide|scale|power_of_two|upper|ratio")
FAST = "-O3 -fno-math-errno -fno-trapping-math"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("gcc"), "gcc", "-O1")


def test_definitions_come_before_use() -> None:
    for name in library.available():
        seen: set[str] = set()
        for block in library.source([name]).strip().split("\n\n"):
            code = "\n".join(line for line in block.split("\n") if not line.startswith("//"))
            names = re.findall(r"\bopc_\w+", code)
            new = [other for other in dict.fromkeys(names) if other not in seen]
            assert len(new) == 1, (name, new)
            seen.update(new)
        assert name in seen


def test_source_is_deterministic() -> None:
    names = ["opc_tanh_f32", "opc_exp_f32", "opc_pow_i8"]
    text = library.source(names)
    assert text == library.source(reversed(names)) == library.source([*names, *names])
    assert text.count("opc_exp_f32(float x) {") == 1
    assert library.source([]) == ""


def test_source_rejects_unknown_names() -> None:
    with pytest.raises(KeyError, match="opc_nothing_f32"):
        library.source(["opc_exp_f32", "opc_nothing_f32"])


@wide
@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_compiles_without_diagnostics(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "all.c"
    source.write_text(with_includes(library.source(library.available())), encoding="utf-8")
    language = ["-x", "c++", "-std=c++17"] if compiler.endswith("++") else ["-std=c99"]
    # Emitted files use all they include; here most helpers are unused.
    options = [*language, *STRICT, "-Wno-unused-function", "-ffp-contract=off"]
    command = [compiler, *options, "-c", str(source), "-o", str(tmp_path / "all.o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def has(feature: str) -> bool:
    info = Path("/proc/cpuinfo")
    return info.exists() and feature in info.read_text(encoding="utf-8").split()


@pytest.mark.long
@wide
def test_same_bits_from_every_compiler(tmp_path: Path) -> None:
    wanted = [("gcc", "-O0"), ("gcc", FAST), ("clang", "-O2")]
    if has("avx2") and has("fma"):
        wanted += [("gcc", f"{FAST} -mavx2 -mfma"), ("clang", f"{FAST} -mavx2 -mfma")]
    if has("avx512f") and has("avx512dq"):
        wanted += [("gcc", f"{FAST} -march=skylake-avx512 -mprefer-vector-width=512")]
    builds: list[Build] = []
    for number, (compiler, flags) in enumerate(wanted):
        folder = tmp_path / str(number)
        folder.mkdir()
        builds.append(Build(folder, compiler, flags))
    differing: list[str] = []
    for name, kind in signatures().items():
        arguments = _in_domain(name, operands(kind))
        first, *others = [build(name, *arguments) for build in builds]
        for (compiler, flags), other in zip(wanted[1:], others, strict=True):
            internal = INTERNAL.search(name) is not None and same_values(first, other)
            if not internal and first.tobytes() != other.tobytes():
                differing.append(f"{name}: {compiler} {flags}")
    assert differing == []


def _in_domain(name: str, arguments: list[Any]) -> list[Any]:
    """Of arguments those that a helper is made for."""
    if name == "opc_add_exact_f32":
        return [*map(_factor, arguments[:2]), arguments[2]]
    if name == "opc_product_error_f32":
        a, b = (np.ldexp(*_normal(x)) for x in arguments[:2])
        return [a, b, a * b]
    if name.startswith(("opc_fma", "opc_mul_add", "opc_sum_to_odd")):
        # Which of several NaNs is handed on is nowhere said.
        a, *others = arguments
        return [a, *(np.nan_to_num(x, nan=3.0, posinf=np.inf, neginf=-np.inf) for x in others)]
    if name.startswith(("opc_round", "opc_floor", "opc_ceil", "opc_trunc")):
        # Whether a signalling NaN becomes a quiet one neither.
        (a,) = arguments
        return [np.where(np.isnan(a), np.nan, a).astype(a.dtype)]
    if name in ("opc_exp_neg_f32", "opc_exp_softmax_neg_f32"):
        return [np.abs(arguments[0])]
    if name.startswith(("opc_at_least", "opc_at_most")):
        a, b = arguments
        lesser = np.signbit(b) == name.startswith("opc_at_least")
        return [a, np.where(np.isnan(b) | ((b == 0) & lesser), 3, b).astype(b.dtype)]
    return _defined(name, arguments)


def _defined(name: str, arguments: list[Any]) -> list[Any]:
    """Of arguments those for which the C of a helper is defined: for most of them all."""
    if name.startswith("opc_quotient"):
        a, b = arguments
        return [a, np.where((b == 0) | (b == np.array(-1).astype(b.dtype)), 3, b).astype(b.dtype)]
    if name.startswith("opc_residue"):
        a, b = arguments
        return [a, np.where(b <= 0, 3, b).astype(b.dtype)]
    if name == "opc_requantize_i32":
        *others, held, bits, error = arguments
        held, bits = 1 + held % 30, 4 + bits % 26
        return [*others, held, bits, error % (1 << (bits - 2))]
    return arguments


def _normal(values: Any) -> Any:
    """Fractions and exponents of numbers of moderate size."""
    fraction, exponent = np.frexp(np.where(np.isfinite(values), values, 1.0).astype(values.dtype))
    return fraction, np.clip(exponent, -30, 30)


def _factor(values: Any) -> Any:
    """Numbers of moderate size with half of the digits, so that products of two are exact."""
    digits = np.finfo(values.dtype).nmant // 2
    fraction, exponent = _normal(values)
    return np.ldexp(np.round(np.ldexp(fraction, digits)), exponent - digits)


@wide
@pytest.mark.parametrize("flags", ["-O2", "-O2 -mfma"])
def test_product_error(flags: str, tmp_path: Path) -> None:
    if "fma" in flags and not has("fma"):
        pytest.skip("no fused multiply-add")
    name = "opc_product_error_f32"
    a, b, p = _in_domain(name, operands(signatures()[name]))
    exact = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b, strict=True)]
    rest = [float(e - Fraction(float(q))) for e, q in zip(exact, p, strict=True)]
    assert np.float32(rest).tolist() == rest
    assert Build(tmp_path, "gcc", flags, name)(name, a, b, p).tolist() == rest


@wide
@pytest.mark.parametrize("flags", ["-O2", "-O3 -mfma"])
def test_fma_rounds_once(flags: str, tmp_path: Path) -> None:
    if "fma" in flags and not has("fma"):
        pytest.skip("no fused multiply-add")
    a, b, c = operands(signatures()["opc_fma_f32"])
    # Sums that all but vanish, and products next to a tie between two numbers.
    near, tie = 1 + 2**-12, 2**-24
    with np.errstate(all="ignore"):
        c = np.concatenate([c, -a * b, np.float32([2**-48, -(2**-48), 1, 1, 1])])
    a = np.concatenate([a, a, np.float32([near, near, tie, 3 * tie, np.inf])])
    b = np.concatenate([b, b, np.float32([near, near, near, near, 0])])
    result = Build(tmp_path, "gcc", flags, "opc_fma_f32")("opc_fma_f32", a, b, c)
    assert same_values(result, scalar.apply("fma", [a, b, c], el.F32))
    for x, y, z, r in zip(*(v.tolist() for v in (a, b, c, result)), strict=True):
        if all(map(math.isfinite, (x, y, z))):
            assert r == _nearest_f32(Fraction(x) * Fraction(y) + Fraction(z)), (x, y, z)


def _nearest_f32(exact: Fraction) -> float:
    """The f32 next to a number, ties to even."""
    size = abs(exact)
    if size == 0:
        return 0.0
    # The exponent of the last bit: 24 bits, or as many as stand above the least number.
    last = max(math.floor(size).bit_length(), -149)
    while size < Fraction(2) ** (last - 1) and last > -125:
        last -= 1
    unit = Fraction(2) ** max(last - 24, -149)
    rounded = float(round(size / unit) * unit)
    rounded = math.inf if rounded >= 2.0**128 else rounded
    return math.copysign(rounded, exact)


@wide
def test_no_undefined_behaviour(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build = Build(tmp_path, "gcc", "-O1 -fsanitize=undefined,float-cast-overflow")
    for name, kind in signatures().items():
        build(name, *_defined(name, operands(kind)))
    assert capfd.readouterr().err == ""


@wide
def test_f32_error_on_a_sample_of_all_inputs() -> None:
    command = [sys.executable, "-m", "tests.exhaustive.unary", "--stride", "25013"]
    root = ROOT
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _gate(x: Any, v: Any) -> Any:
    return x / (1 + mpmath.exp(-v))


def _mish(x: Any) -> Any:
    s = mpmath.exp(x)
    return x * (s * (s + 2)) / (s * (s + 2) + 2)


F64: dict[str, Callable[[Any], Any]] = {
    **{name: getattr(mpmath, name) for name in ("exp", "expm1", "log", "log1p", "sin", "cos")},
    **{name: getattr(mpmath, name) for name in ("tan", "asin", "acos", "atan", "sinh", "cosh")},
    **{name: getattr(mpmath, name) for name in ("tanh", "asinh", "acosh", "atanh", "erf", "erfc")},
    "sigmoid": lambda x: _gate(1, x),
    "silu": lambda x: _gate(x, x),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "softsign": lambda x: x / (1 + abs(x)),
    "gelu": lambda x: x / 2 * mpmath.erfc(-x / mpmath.sqrt(2)),
    "gelu_tanh": lambda x: _gate(
        x, 2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)
    ),
    "mish": _mish,
}


def ulp_error(actual: float, exact: Any) -> float:
    """Distance in ULP of f64; an infinity stands for 2^1024 where the exact value overflows."""
    limit = mpmath.ldexp(1, 1024)
    result = mpmath.mpf(actual) if np.isfinite(actual) else limit * float(np.sign(actual))
    exact = max(min(exact, limit), -limit)
    exponent = -1022 if exact == 0 else min(max(int(mpmath.frexp(exact)[1]) - 1, -1022), 1023)
    return float(mpmath.ldexp(abs(result - exact), 52 - exponent))


def f64_inputs(name: str) -> Array:
    random = np.random.default_rng(11)
    scales = 10.0 ** random.uniform(-9, 2.9, 150)
    values = np.concatenate([random.uniform(-1, 1, 150) * scales, random.uniform(-3, 3, 150)])
    if name in ("sin", "cos", "tan"):
        values = np.concatenate([values, random.uniform(1, 2, 60) * 2.0 ** np.arange(0, 1020, 17)])
        values = np.concatenate([values, [6381956970095103 * 2.0**797, np.pi, 2.0**20 - 0.1]])
    if name in ("log", "acosh"):
        values = np.concatenate([values, 2.0 ** random.uniform(-1074, 1023, 100)])
    return values


@wide
@pytest.mark.parametrize("name", F64)
def test_f64_error_on_a_sample(build: Build, name: str) -> None:
    inputs = f64_inputs(name)
    outputs = build(f"opc_{name}_f64", inputs)
    with mpmath.workprec(250):
        for x, y in zip(inputs.tolist(), outputs.tolist(), strict=True):
            argument = mpmath.mpf(x)
            inside = {"log": x >= 0, "log1p": x >= -1, "acosh": x >= 1}.get(name, True)
            inside = abs(x) <= 1 if name in ("asin", "acos", "atanh") else inside
            if not inside:
                assert np.isnan(y), (x, y)
                continue
            exact = F64[name](argument)
            error = ulp_error(y, exact)
            assert error <= 2.0, (x, y, error)


@wide
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_pow_error_on_a_sample(build: Build, kind: str) -> None:
    random = np.random.default_rng(5)
    dtype = np.float32 if kind == "f32" else np.float64
    x = (2.0 ** random.uniform(-20, 20, 400)).astype(dtype)
    x[200:] = (1 + random.uniform(-1, 1, 200) * 2.0 ** random.uniform(-20, -1, 200)).astype(dtype)
    limit = 87 if kind == "f32" else 708
    y = (random.uniform(-limit, limit, 400) / np.log(x.astype(np.float64))).astype(dtype)
    y = np.clip(y, -1e30, 1e30)
    results = build(f"opc_pow_{kind}", x, y)
    with mpmath.workprec(200):
        for a, b, r in zip(x.tolist(), y.tolist(), results.tolist(), strict=True):
            exact = mpmath.power(a, b)
            error = ulp_error(r, exact) / (2.0**29 if kind == "f32" else 1.0)
            assert error <= 2.0, (a, b, r, error)


NUMPY_SPECIAL: dict[str, Callable[..., Array]] = {
    **{name: getattr(np, name) for name in ("sign", "ceil", "floor", "trunc", "sqrt", "exp")},
    **{name: getattr(np, name) for name in ("expm1", "log", "log1p", "sin", "cos", "tan")},
    "round": np.rint,
    "abs": np.abs,
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("sin", "cos", "tan", "sinh", "cosh")},
    **{name: getattr(np, name) for name in ("sinh", "cosh", "tanh")},
    "atanh": np.arctanh,
}


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", NUMPY_SPECIAL)
def test_special_values_match_numpy(build: Build, name: str, kind: str) -> None:
    dtype = np.float32 if kind == "f32" else np.float64
    x = special(dtype)
    with np.errstate(all="ignore"):
        expected = NUMPY_SPECIAL[name](x)
    actual = build(f"opc_{name}_{kind}", x)
    finite = np.isfinite(expected) & (expected != 0) & (np.abs(expected) > np.finfo(dtype).tiny)
    assert same_values(actual[~finite], expected[~finite])
    assert np.allclose(actual[finite], expected[finite], rtol=4 * np.finfo(dtype).eps, atol=0)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", ["silu", "gelu", "gelu_tanh", "mish", "softsign"])
def test_activations_at_the_ends(build: Build, name: str, kind: str) -> None:
    x = np.array([0.0, -0.0, -1e30, 1e30, np.inf, -np.inf, np.nan])
    expected = np.array([0.0, -0.0, -0.0, 1e30, np.inf, np.nan, np.nan], x.dtype)
    if name == "softsign":
        expected = np.array([0.0, -0.0, -1.0, 1.0, np.nan, np.nan, np.nan])
    expected = expected.astype(np.float32 if kind == "f32" else np.float64)
    assert same_values(build(f"opc_{name}_{kind}", x), expected)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", ["fmod", "mod", "maximum", "minimum"])
def test_binary_matches_numpy(build: Build, name: str, kind: str) -> None:
    dtype = np.float32 if kind == "f32" else np.float64
    helper = f"opc_{name[:3] if name.endswith('imum') else name}_{kind}"
    a, b = operands(Signature(kind, ("float", "float") if kind == "f32" else ("double", "double")))
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(np, name)(a, b), dtype)
    if name.endswith("imum"):
        zeros = (a == 0) & (b == 0)
        either = np.signbit(a) | np.signbit(b)
        both = np.signbit(a) & np.signbit(b)
        negative = both if name == "maximum" else either
        expected[zeros] = np.where(negative, -0.0, 0.0)[zeros]
    assert same_values(build(helper, a, b), expected)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_pow_special_values(build: Build, kind: str) -> None:
    dtype = np.float32 if kind == "f32" else np.float64
    values = special(dtype)
    a, b = (np.ravel(grid) for grid in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        expected = np.power(a, b)
    actual = build(f"opc_pow_{kind}", a, b)
    finite = np.isfinite(expected) & (np.abs(expected) > np.finfo(dtype).tiny)
    assert same_values(actual[~finite & (expected == 0)], expected[~finite & (expected == 0)])
    assert same_values(actual[~np.isfinite(expected)], expected[~np.isfinite(expected)])
    assert np.allclose(actual[finite], expected[finite], rtol=4 * np.finfo(dtype).eps, atol=0)
