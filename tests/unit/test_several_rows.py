"""Several rows of a sum at once: in which order they are added."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sums import in_pairs

import opc

GRAPH = """
func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{n}x1x{t}>)
    -> (tensor<{w}x{t}>, tensor<{w}x{t}>, tensor<{w}x{t}>) {{
  %p = opc.mul %x, %y
  %s = opc.reduce_sum %p {{axes = [0]}}
  %q = opc.reduce_sum %x {{axes = [0]}}
  %m = opc.reduce_max %x {{axes = [0]}}
  func.return %s, %q, %m : tensor<{w}x{t}>, tensor<{w}x{t}>, tensor<{w}x{t}>
}}"""
DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}


def together(rows: np.ndarray) -> np.ndarray:
    """Rows summed in pairs, and pairs of pairs."""
    while len(rows) > 1:
        rows = rows[::2] + rows[1::2]
    return rows[0]


def in_blocks(x: np.ndarray) -> np.ndarray:
    """Rows summed in the order that docs/numerics.md states: blocks of them, added in pairs."""
    some = 4 if 64 < x.shape[1] <= 256 else 8
    chain = 16 * some
    blocks: list[np.ndarray] = []
    for k in range(0, len(x), chain):
        total = np.zeros_like(x[0])
        block = x[k : k + chain]
        whole = len(block) // some * some
        for i in range(0, whole, some):
            total = total + together(block[i : i + some])
        for row in block[whole:]:
            total = total + row
        blocks.append(total)
    return in_pairs(blocks)


def in_parts(x: np.ndarray) -> np.ndarray:
    """One part for every 2^18 values, and these added in pairs."""
    count = min(8, x.size // 2**18 + 1)
    size = -(-len(x) // count)
    parts = [in_blocks(x[k * size : (k + 1) * size]) for k in range(count)]
    parts += [np.zeros_like(parts[0])] * (8 - count)
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [a + b for a, b in zip(parts[:half], parts[half:], strict=True)]
    return parts[0]


@pytest.mark.parametrize("rows", [25, 32, 47, 64, 65, 128, 131, 335, 550])
@pytest.mark.parametrize("width", [8, 19, 65, 256, 300, 1025, 3000])
@pytest.mark.parametrize("type", DTYPES)
def test_the_order_is_the_stated_one(type: str, width: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    x = (rng.standard_normal((rows, width)) * 100).astype(DTYPES[type])
    y = (rng.standard_normal((rows, 1)) * 100).astype(DTYPES[type])
    f = opc.compile(GRAPH.format(n="?" if rows in (335, 550) else rows, w=width, t=type))
    assert f" += {4 if 64 < width <= 256 else 8})" in f.c_source
    products, sums, most = f(x, y)
    np.testing.assert_array_equal(products, in_parts(x * y))
    np.testing.assert_array_equal(sums, in_parts(x))
    np.testing.assert_array_equal(most, x.max(0))


def test_rows_that_are_turned_around_go_one_by_one() -> None:
    """Their tiles hold what a row at a time reads."""
    x = np.random.default_rng(0).standard_normal((1000, 25)).astype(np.float32)
    f = opc.compile("""
func.func @main(%x: tensor<1000x25xf32>) -> tensor<1000x25xf32> {
  %m = opc.reduce_sum %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %s = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %d, %s
  func.return %r : tensor<1000x25xf32>
}""")
    assert "opc_transpose_32" in f.c_source
    assert not re.search(r" \+= [48]\)", f.c_source)
    d = x - x.sum(1, keepdims=True, dtype=np.float64)
    np.testing.assert_allclose(f(x), d / (d * d).sum(1, keepdims=True), rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("kind", ["sum", "max"])
@pytest.mark.parametrize("shape", [(35, 2, 512), (3, 20, 1500), (2, 3, 70_000)], ids=str)
def test_long_rows_apart_are_reduced_first(shape: tuple[int, int, int], kind: str) -> None:
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    reduce = """
func.func @main(%x: tensor<{given}xf32>) -> tensor<{kept}xf32> {{
  %s = opc.reduce_{kind} %x {{axes = {axes}}}
  func.return %s : tensor<{kept}xf32>
}}"""
    given, rows, kept = "x".join(map(str, shape)), f"{shape[0]}x{shape[1]}", shape[1]
    both, last, first = (
        opc.compile(reduce.format(given=a, kept=b, kind=kind, axes=axes))
        for a, b, axes in ((given, kept, [0, 2]), (given, rows, [2]), (rows, kept, [0]))
    )
    np.testing.assert_array_equal(both(x), first(last(x)))


@pytest.mark.parametrize("rows", [35, 62, 63, 64])
@pytest.mark.parametrize("width", [96, 200, 400, 511])
def test_rows_apart_go_in_turns(rows: int, width: int) -> None:
    """Two rows, or three, in the order that docs/numerics.md states."""
    rng = np.random.default_rng(width)
    x = rng.standard_normal((rows, 2, width)).astype(np.float32)
    f = opc.compile(f"""
func.func @main(%x: tensor<{rows}x2x{width}xf32>) -> tensor<2xf32> {{
  %s = opc.reduce_sum %x {{axes = [0, 2]}}
  func.return %s : tensor<2xf32>
}}""")
    turns = next((k for k in (2, 3) if rows % k == 0), 1)
    lanes = {96: 16, 200: 32}.get(width, 64)
    blocks: list[np.ndarray] = []
    for i in range(0, rows, turns):
        some = x[i : i + turns]
        full = width // lanes * lanes
        size = 32 // turns * lanes
        for start in range(0, full, size):
            total = np.zeros((2, lanes), np.float32)
            for j in range(start, min(start + size, full), lanes):
                for row in some:
                    total = total + row[:, j : j + lanes]
            blocks.append(total)
        if full < width:
            total = np.zeros((2, lanes), np.float32)
            for row in some:
                total[:, full - width :] += row[:, full:]
            blocks.append(total)
    assert rows * -(-width // lanes) > 32 or len(blocks) == 1
    total = in_pairs(blocks)
    while total.shape[1] > 1:
        half = total.shape[1] // 2
        total = total[:, :half] + total[:, half:]
    np.testing.assert_array_equal(f(x), total[:, 0])


@pytest.mark.parametrize("rows", [2, 8, 9, 13, 16, 17, 23, 24])
@pytest.mark.parametrize("width", [100, 256, 257, 1000, 2300])
@pytest.mark.parametrize("type", DTYPES)
def test_few_rows_are_added_in_order(type: str, width: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    x = (rng.standard_normal((rows, width)) * 100).astype(DTYPES[type])
    y = (rng.standard_normal((rows, 1)) * 100).astype(DTYPES[type])
    text = GRAPH.format(n=rows, w=width, t=type)
    once = re.sub(r"%q = .*|%m = .*", "", text).replace(", %q, %m", ", %s, %s")
    for function in (opc.compile(text), opc.compile(once), opc.compile(text, threads=2)):
        products, sums, most = function(x, y)
        wanted = [np.zeros_like(x[0]), np.zeros_like(x[0])]
        for row, factor in zip(x, y, strict=True):
            wanted = [wanted[0] + row * factor, wanted[1] + row]
        np.testing.assert_array_equal(products, wanted[0])
        if function.c_source.count("max"):
            np.testing.assert_array_equal(sums, wanted[1])
            np.testing.assert_array_equal(most, x.max(0))


@pytest.mark.parametrize(("rows", "at_once"), [(9, 9), (16, 16), (17, 6), (20, 7), (24, 8)])
def test_few_long_rows_go_together(rows: int, at_once: int) -> None:
    """Sums of up to 16 stay in registers; of more, up to eight rows are read at once."""
    text = f"""func.func @main(%x: tensor<{rows}x1000xf32>) -> tensor<1000xf32> {{
      %s = opc.reduce_sum %x {{axes = [0]}}
      func.return %s : tensor<1000xf32>
    }}"""
    source = opc.compile(text, cache=None).c_source
    if at_once == rows:
        assert f"< {rows}; ++i" in source and "column0" not in source and "row0[" not in source
    else:
        assert max(loop.count("in0[") for loop in source.split("for (")) == at_once
