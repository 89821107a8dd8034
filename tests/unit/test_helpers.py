"""The C helpers: accuracy, special values, and the same bits from every compiler."""

from __future__ import annotations

import ctypes
import importlib
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from opc.emit import library

from tests.exhaustive import unary

Array = NDArray[Any]

# mpmath has no type information.
mpmath: Any = importlib.import_module("mpmath")

DTYPES: dict[str, type[Any]] = {
    "float": np.float32,
    "double": np.float64,
    "bool": np.bool_,
    **{f"{u}int{b}_t": getattr(np, f"{u}int{b}") for u in ("", "u") for b in (8, 16, 32, 64)},
}
INTEGERS = [f"{letter}{bits}" for letter in "iu" for bits in (8, 16, 32, 64)]
INCLUDES = ["stdint.h", "stddef.h", "stdbool.h", "string.h", "math.h"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
SIGNATURE = re.compile(r"static inline (\w+) (opc_\w+)\(([^)]*)\)")
#: Building blocks, whose callers take care of NaN.
INTERNAL = re.compile(r"_wide|scale|power_of_two|mod4|upper|pow_finish|ratio")
FAST = "-O3 -fno-math-errno -fno-trapping-math"


@dataclass(frozen=True)
class Signature:
    """C types of the result and the parameters of a helper."""

    result: str
    parameters: tuple[str, ...]


@cache
def signatures() -> dict[str, Signature]:
    """Helpers whose parameters and result are plain numbers."""
    found: dict[str, Signature] = {}
    for result, name, parameters in SIGNATURE.findall(library.source(library.available())):
        types = tuple(parameter.split()[0] for parameter in parameters.split(", "))
        if all(kind in DTYPES for kind in (result, *types)):
            found[name] = Signature(result, types)
    return found


def with_includes(text: str) -> str:
    return "".join(f"#include <{name}>\n" for name in INCLUDES) + text


class Build:
    """All helpers as loops over arrays in a shared library."""

    def __init__(self, path: Path, compiler: str, flags: str) -> None:
        text = with_includes(library.source(library.available()))
        for name, kind in signatures().items():
            arrays = "".join(f"const {t} *a{i}, " for i, t in enumerate(kind.parameters))
            values = ", ".join(f"a{i}[i]" for i in range(len(kind.parameters)))
            text += f"void loop_{name}({kind.result} *restrict y, {arrays}size_t n) {{\n"
            text += f"    for (size_t i = 0; i < n; i++) y[i] = {name}({values});\n}}\n"
        (path / "all.c").write_text(text, encoding="utf-8")
        command = [compiler, "-std=c99", "-ffp-contract=off", "-fPIC", "-shared", *flags.split()]
        subprocess.run([*command, "all.c", "-o", "all.so", "-lm"], cwd=path, check=True)
        self._library = ctypes.CDLL(str(path / "all.so"))

    def __call__(self, name: str, *arguments: Array) -> Array:
        kind = signatures()[name]
        values = [
            np.ascontiguousarray(argument, DTYPES[t])
            for argument, t in zip(arguments, kind.parameters, strict=True)
        ]
        result = np.empty(values[0].size, DTYPES[kind.result])
        pointers = [ctypes.c_void_p(value.ctypes.data) for value in (result, *values)]
        self._library[f"loop_{name}"](*pointers, ctypes.c_size_t(values[0].size))
        return result


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("gcc"), "gcc", "-O1")


def from_bits(values: Array, dtype: Any) -> Array:
    return np.ascontiguousarray(values).view(dtype)


def special(dtype: Any) -> Array:
    info = np.finfo(dtype)
    tiny, least, top = float(info.tiny), float(info.smallest_subnormal), float(info.max)
    sizes = [0.0, least, 3 * least, tiny - least, tiny, 0.1, 0.5, 1 - float(info.epsneg), 1.0]
    sizes += [1 + float(info.eps), 1.5, 2.0, 2.5, 3.0, 4.5, 7.0, 88.5, 104.0, 710.0, 745.2, 1e6]
    sizes += [2.0**23 - 0.5, 2.0**24, 2.0**24 + 2, 2.0**52 + 1, 2.0**53, 1e22, top, np.inf, np.nan]
    return np.array([*sizes, *(-size for size in sizes)], dtype)


def samples(kind: str, count: int, seed: int = 7) -> Array:
    """Numbers of the C type: special ones, all magnitudes, and those of ordinary size."""
    random = np.random.default_rng(seed)
    dtype = DTYPES[kind]
    if kind in ("float", "double"):
        width = np.dtype(dtype).itemsize
        bits = random.integers(0, 2 ** (8 * width), count, dtype=f"u{width}")
        usual = random.standard_normal(count) * 10.0 ** random.integers(-3, 3, count)
        pieces = (special(dtype), from_bits(bits, dtype), usual.astype(dtype))
        return np.concatenate(pieces)
    info = np.iinfo(dtype)
    small = [n for n in range(-9, 70) if info.min <= n <= info.max]
    edges = [info.min, info.min + 1, info.max - 1, info.max, info.max // 2, *small]
    numbers = random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
    return np.concatenate([np.array(edges, dtype), numbers, numbers % 40])


def operands(kind: Signature, count: int = 1500) -> list[Array]:
    """Arguments for a helper; two operands meet as all pairs of special values, too."""
    if len(kind.parameters) == 1:
        return [samples(kind.parameters[0], count)]
    edge = np.array(list(product(range(80), repeat=2)))
    columns: list[Array] = []
    for number, parameter in enumerate(kind.parameters):
        values = samples(parameter, count, number)
        mixed = np.random.default_rng(number).permutation(values)
        columns.append(np.concatenate([values[edge[:, number % 2]], mixed]))
    return columns


def same_values(actual: Array, expected: Array) -> bool:
    """Equal, signs of zeros included; any NaN equals any other."""
    nan = np.isnan(actual) & np.isnan(expected)
    equal = (actual == expected) & (np.signbit(actual) == np.signbit(expected))
    return bool(np.all(nan | equal))


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
        arguments = operands(kind)
        first, *others = [build(name, *arguments) for build in builds]
        for (compiler, flags), other in zip(wanted[1:], others, strict=True):
            internal = INTERNAL.search(name) is not None and same_values(first, other)
            if not internal and first.tobytes() != other.tobytes():
                differing.append(f"{name}: {compiler} {flags}")
    assert differing == []


def test_no_undefined_behaviour(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build = Build(tmp_path, "gcc", "-O1 -fsanitize=undefined,float-cast-overflow")
    for name, kind in signatures().items():
        build(name, *operands(kind))
    assert capfd.readouterr().err == ""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unary.build(tmp_path_factory.mktemp("unary"))


@pytest.mark.parametrize("name", unary.BOUNDS)
def test_f32_error_on_a_sample_of_all_inputs(driver: Path, name: str) -> None:
    result = unary.check(driver, name, stride=25_013)
    assert result.passed, str(result)


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


def wrap(value: int, kind: str) -> int:
    bits = int(kind[1:])
    value %= 2**bits
    return value - 2**bits if kind[0] == "i" and value >= 2 ** (bits - 1) else value


def truncated_quotient(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def integer_power(a: int, b: int, kind: str) -> int:
    if b >= 0:
        return pow(a, b, 2 ** int(kind[1:]))
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
