"""Rows whose extent is not known: one of several versions of their loops runs, for any length."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil, log2
from typing import Any

import numpy as np
import pytest
from samples import between_guards, is_untouched

import opc
from opc.dialects import loop
from opc.driver import load
from opc.pipeline import passes, run
from opc.registry import context

Array = np.ndarray[Any, np.dtype[Any]]
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 18, 31, 32, 33, 40, 63, 64, 65, 100, 127, 128, 129]
LONG = [191, 255, 256, 1025, 2100]
ROWS = [1, 15, 16, 37, 300]
TYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32}
UNIT = {"f32": 2.0**-24, "f64": 2.0**-53, "f16": 2.0**-11, "i32": 0.0}

WHOLE = "NxM"
GRAPHS: dict[str, tuple[str, str, bool]] = {
    "sum": ("%r = opc.reduce_sum %x {axes = [1]}", "N", True),
    "largest": ("%r = opc.reduce_max %x {axes = [1]}", "N", True),
    "squares": ("%q = opc.mul %x, %x\n%r = opc.reduce_sum %q {axes = [1]}", "N", True),
    "spread": (
        "%m = opc.reduce_max %x {axes = [1], keepdims = true}\n%r = opc.sub %x, %m",
        WHOLE,
        True,
    ),
    "centre": (
        "%m = opc.reduce_mean %x {axes = [1], keepdims = true}\n%r = opc.sub %x, %m",
        WHOLE,
        False,
    ),
    "shares": (
        "%m = opc.reduce_max %x {axes = [1], keepdims = true}\n"
        "%d = opc.sub %x, %m\n"
        "%e = opc.exp %d\n"
        "%s = opc.reduce_sum %e {axes = [1], keepdims = true}\n"
        "%r = opc.div %e, %s",
        WHOLE,
        False,
    ),
}
"""What is computed, the shape of the result, and whether integers will do."""


def text(graph: str, name: str) -> str:
    body, result, _ = GRAPHS[graph]

    def tensor(dims: str) -> str:
        names = dims.split("x")
        return f"tensor<{'?x' * len(names)}{name}, #opc.dims<{', '.join(names)}>>"

    return (
        f"func.func @main(%x: {tensor(WHOLE)}) -> {tensor(result)} "
        f"{{\n{body}\nfunc.return %r : {tensor(result)}\n}}"
    )


@cache
def compiled(graph: str, name: str) -> opc.Function:
    return opc.compile(text(graph, name), threads=2)


CASES = [(graph, name) for graph in GRAPHS for name in TYPES if name != "i32" or GRAPHS[graph][2]]
"""Of integers there is no mean and no exponential."""


def exact(graph: str, x: Array) -> Array:
    """The result in a wider type, or for integers in their own one."""
    wide = x if x.dtype.kind == "i" else x.astype(np.longdouble)
    greatest = wide.max(1, keepdims=True)
    calls: dict[str, Callable[[], Array]] = {
        "sum": lambda: wide.sum(1, dtype=wide.dtype),
        "largest": lambda: wide.max(1),
        "squares": lambda: (wide * wide).sum(1, dtype=wide.dtype),
        "spread": lambda: x - x.max(1, keepdims=True),
        "centre": lambda: wide - wide.mean(1, keepdims=True),
        "shares": lambda: np.exp(wide - greatest) / np.exp(wide - greatest).sum(1, keepdims=True),
    }
    return calls[graph]()


def allowed(graph: str, name: str, x: Array, wanted: Array) -> Array | float:
    """How far a result may be from the exact one, by the bound of sums and by roundings."""
    if name == "i32" or graph in ("largest", "spread"):
        return 0.0
    wide, unit, columns = np.abs(x.astype(np.longdouble)), UNIT[name], x.shape[1]
    sums = bound(columns) * UNIT["f32" if name == "f16" else name]
    rounded = 2 * UNIT["f16"] * np.abs(wanted) if name == "f16" else 0.0
    if graph == "sum":
        return sums * wide.sum(1) + rounded
    if graph == "squares":  # each of which is rounded, too
        return (sums + 2 * unit) * (wide * wide).sum(1) + rounded
    if graph == "centre":
        means = wide.mean(1, keepdims=True)
        return sums * means + 4 * unit * (means + np.abs(wanted))
    # An exponential has the error of its argument, which is rounded; f16 may be subnormal.
    spread = (x.max(1) - x.min(1)).astype(np.longdouble).max()
    return wanted * (sums + unit * (2 * spread + 8)) + (2.0**-23 if name == "f16" else 0.0)


def bound(values: int) -> int:
    """Of the error of a sum, in units of the last place of the sum of magnitudes."""
    return 16 + 2 * ceil(log2(values))


@pytest.mark.parametrize(("graph", "name"), CASES)
def test_every_length(graph: str, name: str) -> None:
    f = compiled(graph, name)
    rng = np.random.default_rng(7)
    for columns in (*LENGTHS, *LONG):
        for rows in ROWS if columns in LENGTHS else ROWS[:3]:
            # Small enough for sums of squares in f16.
            x = (rng.standard_normal((rows, columns)) * 3 + 1).astype(TYPES[name])
            wanted = exact(graph, x)
            out, around = between_guards(wanted.shape, TYPES[name])
            f(x, out=out)
            assert (np.abs(out - wanted) <= allowed(graph, name, x, wanted)).all(), x.shape
            assert is_untouched(around), x.shape


@pytest.mark.parametrize("rows", [0, 1, 40])
def test_rows_of_nothing(rows: int) -> None:
    """A sum of nothing is 0, the greatest of nothing -inf, and what has no values none."""
    x = np.empty((rows, 0), np.float32)
    np.testing.assert_array_equal(compiled("sum", "f32")(x), np.zeros(rows, np.float32))
    np.testing.assert_array_equal(compiled("largest", "f32")(x), np.full(rows, -np.inf))
    assert compiled("shares", "f32")(x).shape == (rows, 0)


@pytest.mark.parametrize("columns", [17, 24, 25, 31, 32, 63, 127, 128, 300, 2000])
def test_the_bound_holds_where_every_addition_rounds_down(columns: int) -> None:
    """1 and values just below half a unit in the last place of 1."""
    x = np.full((40, columns), 2.0**-24 * (1 - 2.0**-20), np.float32)
    x[:, 0] = 1
    for graph, given in (("sum", x), ("squares", np.sqrt(x))):
        terms = (x if graph == "sum" else given * given).astype(np.float64)
        found = compiled(graph, "f32")(given)
        np.testing.assert_allclose(found, terms.sum(1), rtol=bound(columns) * 2.0**-24)


@pytest.mark.parametrize("graph", GRAPHS)
def test_the_same_bits_with_any_number_of_threads(graph: str) -> None:
    """Rows enough for threads, of a length in each version."""
    f = compiled(graph, "f32")
    for columns in (3, 16, 17, 31, 32, 100, 127, 128, 300):
        x = np.random.default_rng(columns).standard_normal((30_000, columns)).astype(np.float32)
        alone = opc.compile(text(graph, "f32"))(x)
        np.testing.assert_array_equal(f(x).view(np.uint32), alone.view(np.uint32))


@pytest.mark.parametrize("graph", GRAPHS)
def test_one_version_runs(graph: str) -> None:
    """The loops of all versions but one have no rounds, whatever the length."""
    module = load(text(graph, "f32"))
    names = passes("loops")
    run(module, context(), names[: names.index("lower-to-loops") + 1])
    bounds = [op.bounds[1] for op in module.walk() if isinstance(op, loop.ForOp)]
    outer = [bound for bound in bounds if "N" in bound.symbols() and not bound.dims()]
    assert 2 <= len(outer) <= 3
    for length in (*range(300), 5000):
        rounds = [bound.evaluate({}, {"N": 7, "M": length}) for bound in outer]
        assert sorted(rounds) == [0] * (len(outer) - 1) + [7], (length, rounds)


FLAT = {
    "row": ("%r = opc.sub %x, %y", (1, 1, 0)),
    "column": ("%r = opc.sub %x, %y", (1, 0, 1)),
    "first": ("%r = opc.sub %x, %y", (0, 1, 1)),
    "between": ("%r = opc.sub %x, %y", (0, 1, 0)),
    "weighted": ("%s = opc.sigmoid %x\n%p = opc.mul %s, %x\n%r = opc.mul %p, %y", (0, 0, 1)),
    "of a row": ("%s = opc.exp %y\n%r = opc.mul %s, %x", (1, 0, 0)),
}
"""Graphs over L x M x N, and which axes of their second input have one value only."""


@cache
def flat(name: str, type: str, extents: tuple[int, ...] | None = None) -> opc.Function:
    body, single = FLAT[name]
    names = "LMN" if extents is None else [str(e) for e in extents]

    def tensor(dims: list[str]) -> str:
        marks = "x".join("?" if d.isalpha() else d for d in dims)
        return f"tensor<{marks}x{type}, #opc.dims<{', '.join(dims)}>>"

    x = tensor(list(names))
    y = tensor(["1" if one else n for n, one in zip(names, single, strict=True)])
    return opc.compile(
        f"func.func @main(%x: {x}, %y: {y}) -> {x} {{\n{body}\nfunc.return %r : {x}\n}}", threads=2
    )


def operands(name: str, shape: tuple[int, ...], dtype: Any) -> tuple[Array, Array]:
    rng = np.random.default_rng(sum(shape))
    wide = tuple(1 if one else n for n, one in zip(shape, FLAT[name][1], strict=True))
    x, y = (rng.standard_normal(s) * 20 for s in (shape, wide))
    return x.astype(dtype), y.astype(dtype)


@pytest.mark.parametrize("type", ["f32", "f64", "f16", "i8"])
@pytest.mark.parametrize("name", ["row", "column", "first", "between"])
def test_every_value_of_flat_rows(name: str, type: str) -> None:
    dtype = np.dtype(TYPES.get(type, np.int8))
    shapes = [(3, 5, n) for n in (1, 2, 3, 7, 12, 15, 16, 17, 31, 100, 256, 257, 300)]
    shapes += [(1, 1, 3), (2, 700, 5), (700, 2, 16), (40, 130, 13), (1, 4, 255), (2, 3, 1024)]
    for shape in shapes:
        x, y = operands(name, shape, dtype)
        out, around = between_guards(shape, dtype)
        flat(name, type)(x, y, out=out)
        np.testing.assert_array_equal(out, x - y)
        assert is_untouched(around), shape


@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("name", ["weighted", "of a row"])
def test_flat_rows_have_the_bits_of_known_extents(name: str, type: str) -> None:
    dtype, bits = np.dtype(TYPES[type]), "u4" if type == "f32" else "u2"
    for shape in [(3, 5, 7), (2, 70, 16), (2, 9, 129), (1, 300, 3), (2, 5, 256), (2, 5, 257)]:
        x, y = operands(name, shape, dtype)
        found, wanted = flat(name, type)(x, y), flat(name, type, shape)(x, y)
        np.testing.assert_array_equal(found.view(bits), wanted.view(bits))


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", FLAT)
def test_flat_rows_of_nothing(name: str, shape: tuple[int, ...]) -> None:
    x, y = operands(name, shape, np.float32)
    assert flat(name, "f32")(x, y).shape == shape
