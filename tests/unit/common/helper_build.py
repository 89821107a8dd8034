"""The C helpers as functions over arrays, and numbers to try them on.

``helpers.sha256`` has the digest of their text of which every test holds.  As long as it is the
digest of the text, tests of all helpers by several compilers and of errors over samples are
``long``.  After a change of the text they are a part of the default; once they pass::

    python -m pytest tests/unit/emit/test_helpers.py tests/unit/emit/test_helpers_integers.py --full
    python -m tests.unit.common.helper_build
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from opc.emit import library

Array = NDArray[Any]
Test = TypeVar("Test", bound=Callable[..., None])
TRIED = Path(__file__).with_name("helpers.sha256")


def digest() -> str:
    """The digest of the text of all helpers."""
    return hashlib.sha256(library.source(library.available()).encode()).hexdigest()


def wide(test: Test) -> Test:
    """Leave a test out of the default as long as the text is one of which it was seen to hold."""
    return pytest.mark.long(test) if TRIED.read_text().split() == [digest()] else test


DTYPES: dict[str, type[Any]] = {
    "float": np.float32,
    "double": np.float64,
    "bool": np.bool_,
    **{f"{u}int{b}_t": getattr(np, f"{u}int{b}") for u in ("", "u") for b in (8, 16, 32, 64)},
}
INTEGERS = [f"{letter}{bits}" for letter in "iu" for bits in (8, 16, 32, 64)]
INCLUDES = ["stdint.h", "stddef.h", "stdbool.h", "string.h", "math.h"]
SIGNATURE = re.compile(r"static inline (\w+) (opc_\w+)\(([^)]*)\)")


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
        types = tuple(parameter.split()[0] for parameter in re.split(r",\s+", parameters))
        if all(kind in DTYPES for kind in (result, *types)):
            found[name] = Signature(result, types)
    return found


def with_includes(text: str) -> str:
    return "".join(f"#include <{name}>\n" for name in INCLUDES) + text


class Build:
    """Helpers as loops over arrays in a shared library: those of some names, or all."""

    def __init__(self, path: Path, compiler: str, flags: str, *names: str) -> None:
        text = with_includes(library.source(names or library.available()))
        for name in names or signatures():
            kind = signatures()[name]
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
    if kind == "bool":
        return random.integers(0, 2, count).astype(dtype)
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


if __name__ == "__main__":
    TRIED.write_text(f"{digest()}\n", encoding="utf-8")
