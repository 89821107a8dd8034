"""Reductions down few columns: rows side by side, and groups of columns that are one row."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from ml_dtypes import bfloat16
from samples import between_guards, is_untouched
from sums import in_pairs
from tolerance import assert_same_bits

import opc

Array = np.ndarray[Any, np.dtype[Any]]
DTYPES: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": bfloat16, "i8": np.int8,
}  # fmt: skip


@cache
def compiled(text: str, **options: Any) -> Any:
    return opc.compile(text, verify_each=True, **options)


def values(shape: tuple[int, ...], type: str, seed: int = 0) -> Array:
    """Small integers, which every type adds up to exactly, between bytes that are watched."""
    x, _ = between_guards(shape, DTYPES[type])
    x[...] = np.random.default_rng(seed).integers(-3, 4, shape)
    return x


def rows_beside(rows: int, columns: int) -> int:
    """How many rows are side by side, by docs/numerics.md."""
    found = 1
    while 2 * found * columns <= 256 and 2 * found * 4 <= rows:
        found *= 2
    return found


def halved(sums: Array) -> Array:
    while len(sums) > 1:
        half = len(sums) // 2
        sums = sums[:half] + sums[half:]
    return sums[0]


def in_blocks(x: Array, beside: int, steps: int) -> Array:
    """A sum for each row of those side by side, the blocks of them added in pairs."""
    size = (16 if steps > 24 else len(x)) * beside
    blocks: list[Array] = []
    for start in range(0, len(x), size):
        total = np.zeros((beside, *x.shape[1:]), x.dtype)
        block = x[start : start + size]
        for k in range(0, len(block), beside):
            some = block[k : k + beside]
            total[: len(some)] += some
        blocks.append(total)
    return in_pairs(blocks)


@pytest.mark.parametrize("rows", [7, 31, 200, 5003, 90_001])
@pytest.mark.parametrize(("type", "columns"), [("f32", 2), ("f32", 7), ("f64", 4)])
def test_the_order_of_a_sum_is_the_stated_one(type: str, columns: int, rows: int) -> None:
    x = (np.random.default_rng(rows).standard_normal((rows, columns)) * 99).astype(DTYPES[type])
    f = compiled(f"""
func.func @main(%x: tensor<{rows}x{columns}x{type}>) -> tensor<{columns}x{type}> {{
  %s = opc.reduce_sum %x {{axes = [0]}}
  return %s : tensor<{columns}x{type}>
}}""")
    beside, parts = rows_beside(rows, columns), min(8, x.size // 2**18 + 1)
    size, steps = -(-rows // parts), -(-rows // beside)
    sums = [in_blocks(x[k * size : (k + 1) * size], beside, steps) for k in range(parts)]
    sums += [np.zeros_like(sums[0])] * (8 - parts)
    expected = halved(halved(np.stack(sums)))
    assert_same_bits(f(x), expected)


GRAPH = """
func.func @main(%x: tensor<{r}x{c}x{t}>, %y: tensor<{r}x1x{t}>, %b: tensor<{c}x{t}>)
    -> (tensor<{c}x{t}>, tensor<{c}x{t}>, tensor<{c}x{t}>, tensor<{r}x{c}x{t}>) {{
  %d = opc.sub %x, %y
  %m = opc.mul %d, %b
  %top = opc.reduce_max %m {{axes = [0]}}
  %low = opc.reduce_min %m {{axes = [0]}}
  %s = opc.reduce_sum %m {{axes = [0]}}
  %e = opc.sub %m, %top
  return %s, %top, %low, %e : tensor<{c}x{t}>, tensor<{c}x{t}>, tensor<{c}x{t}>, tensor<{r}x{c}x{t}>
}}"""


@pytest.mark.parametrize("rows", [9, 50, 1003])
@pytest.mark.parametrize(
    ("type", "columns"),
    [
        *(("f32", 2), ("f32", 3), ("f32", 7), ("f32", 31), ("f64", 4)),
        *(("f16", 8), ("f16", 17), ("bf16", 5), ("bf16", 31), ("i8", 3)),
    ],
)
def test_rows_side_by_side(type: str, columns: int, rows: int) -> None:
    """What each row has one of, and each column, and a result that the next sweep takes."""
    f = compiled(GRAPH.format(r=rows, c=columns, t=type))
    x, y = values((rows, columns), type), values((rows, 1), type, 1)
    b = values((columns,), type, 2)
    m = (x - y) * b
    outs = [between_guards(s, DTYPES[type]) for s in ((columns,),) * 3 + ((rows, columns),)]
    f(x, y, b, out=tuple(o for o, _ in outs))
    wide = m.astype(np.int64 if type == "i8" else np.float64)
    expected = wide.sum(axis=0).astype(m.dtype), m.max(axis=0), m.min(axis=0), m - m.max(axis=0)
    for (found, around), result in zip(outs, expected, strict=True):
        np.testing.assert_array_equal(found, result)
        assert is_untouched(around)


@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("columns", [3, 12])
def test_nan_comes_out_of_its_column_alone(type: str, columns: int) -> None:
    x, y = values((1000, columns), type), values((1000, 1), type, 1)
    x[997, 1] = np.nan
    f = compiled(GRAPH.format(r=1000, c=columns, t=type))
    for found in f(x, y, np.ones(columns, DTYPES[type])):
        column = np.arange(columns) == 1
        np.testing.assert_array_equal(np.isnan(found).reshape(-1, columns).any(axis=0), column)


@pytest.mark.parametrize("columns", [3, 7])
def test_a_softmax_down_columns_of_unknown_length(columns: int) -> None:
    n = f"tensor<2x?x{columns}xf32, #opc.dims<2, N, {columns}>>"
    f = compiled(f"""
func.func @main(%x: {n}) -> {n} {{
  %m = opc.reduce_max %x {{axes = [1], keepdims = true}}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [1], keepdims = true}}
  %r = opc.div %e, %s
  return %r : {n}
}}""")
    for rows in (1, 2, 31, 36, 64, 85, 86, 1000):
        x = np.random.default_rng(rows).standard_normal((2, rows, columns)).astype(np.float32)
        e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(f(x), e / e.sum(axis=1, keepdims=True), rtol=1e-6)


SHAPES = {
    "each row and group": ("{r}x{g}x1", "{r}x{g}x{c}"),
    "each group": ("{g}x1", "{r}x{g}x{c}"),
    "each row and column": ("{r}x1x{c}", "{r}x{g}x{c}"),
    "each column": ("{c}", "{r}x{g}x{c}"),
    "each row": ("{r}x1x1", "{r}x{g}x{c}"),
}


@pytest.mark.parametrize(
    ("type", "columns"), [("f32", 3), ("f32", 32), ("i8", 8), ("f64", 16), ("bf16", 2)]
)
@pytest.mark.parametrize("broadcast", SHAPES)
def test_groups_of_columns(broadcast: str, type: str, columns: int) -> None:
    """What is laid out for a row of several groups, in every sweep and between them."""
    for rows, groups in ((3, 5), (300, 1400 // columns)):
        small, whole = (s.format(r=rows, g=groups, c=columns) for s in SHAPES[broadcast])
        x = values((rows, groups, columns), type)
        y = values(tuple(map(int, small.split("x"))), type, 1)
        t, result = f"tensor<{whole}x{type}>", f"tensor<1x{groups}x{columns}x{type}>"
        f = compiled(f"""
func.func @main(%x: {t}, %y: tensor<{small}x{type}>, %z: tensor<{groups}x1x{type}>)
    -> ({t}, {result}) {{
  %d = opc.sub %x, %y
  %m = opc.reduce_max %d {{axes = [0], keepdims = true}}
  %k = opc.mul %m, %z
  %e = opc.sub %d, %k
  %s = opc.reduce_min %e {{axes = [0], keepdims = true}}
  return %e, %s : {t}, {result}
}}""")
        z = values((groups, 1), type, 2)
        d = x - y
        e = d - d.max(axis=0, keepdims=True) * z
        (found, around), (least, about) = (
            between_guards(shape, DTYPES[type]) for shape in (x.shape, (1, groups, columns))
        )
        f(x, y, z, out=(found, least))
        np.testing.assert_array_equal(found, e)
        np.testing.assert_array_equal(least, e.min(axis=0, keepdims=True))
        assert is_untouched(around)
        assert is_untouched(about)


@pytest.mark.parametrize("type", ["f16", "bf16"])
@pytest.mark.parametrize("shape", [(1, 5), (5, 17), (3, 31), (40, 33), (9, 600), (2, 70_000)])
def test_extremes_of_what_is_computed(type: str, shape: tuple[int, int]) -> None:
    """Along rows, down columns and over all: rounded to the type before they are compared."""
    rows, columns = shape
    rng = np.random.default_rng(columns)
    x, y = (rng.standard_normal(shape).astype(DTYPES[type]) for _ in range(2))
    t = f"tensor<{rows}x{columns}x{type}>"
    results = [f"tensor<{n}x{type}>" for n in (rows, columns)] + [f"tensor<{type}>"]
    f = compiled(f"""
func.func @main(%x: {t}, %y: {t}) -> ({", ".join(results)}) {{
  %p = opc.mul %x, %y
  %a = opc.reduce_max %p {{axes = [1]}}
  %b = opc.reduce_min %p {{axes = [0]}}
  %c = opc.reduce_max %p
  return %a, %b, %c : {", ".join(results)}
}}""")
    for nan in (False, True):
        if nan:
            x[-1, -1] = np.nan
        with np.errstate(invalid="ignore"):
            p = (x.astype(np.float32) * y.astype(np.float32)).astype(x.dtype)
            expected = p.max(axis=1), p.min(axis=0), p.max()
        for found, result in zip(f(x, y), expected, strict=True):
            # NumPy does not know a NaN of bf16.
            np.testing.assert_array_equal(found.astype("f4"), np.asarray(result, "f4"))


@pytest.mark.parametrize("shape", [(300, 1024), (260, 1100), (270, 3001), (40, 1100)])
@pytest.mark.parametrize("kind", ["sum", "max"])
def test_several_large_operands_go_in_pieces(kind: str, shape: tuple[int, int]) -> None:
    columns = shape[1]
    whole = f"tensor<{shape[0]}x{columns}xf32>"
    text = f"""
      func.func @main(%x: {whole}, %y: {whole}) -> tensor<{columns}xf32> {{
        %t = opc.exp %x
        %p = opc.mul %t, %y
        %r = opc.reduce_{kind} %p {{axes = [0]}}
        return %r : tensor<{columns}xf32>
      }}"""
    is_large = shape[0] * columns >= 1 << 18
    assert (" + 64 < " in compiled(text).c_source) == is_large
    x, y = values(shape, "f32"), values(shape, "f32", 1)
    out, memory = between_guards((columns,), np.float32)
    compiled(text)(x, y, out=out)
    assert is_untouched(memory)
    product = np.exp(x.astype(np.float64)) * y
    expected = getattr(product, kind)(0)
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-5 * np.abs(product).sum(0).max())
    assert_same_bits(compiled(text, threads=3)(x, y), out)
