"""Rows of every length: short ones are transposed, rests overlap, positions go in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.samples import between_guards, is_untouched

pytestmark = pytest.mark.sample(32)

Array = np.ndarray[Any, np.dtype[Any]]
TYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i8": np.int8,
    "i32": np.int32,
}
LENGTHS = [1, 2, 3, 5, 7, 8, 12, 15, 16, 17, 23, 31, 32, 33, 47, 63, 65, 100, 127, 255, 1025]
SPREAD = """
  %m = opc.reduce_max %x {axes = [2], keepdims = true}
  %r = opc.sub %x, %m"""
SHARES = """
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [2], keepdims = true}
  %r = opc.div %e, %s"""


def of_rows(body: str, name: str, shape: tuple[int, ...], threads: int = 1) -> opc.Function:
    type = "x".join(map(str, (*shape, name)))
    return opc.compile(
        f"func.func @main(%x: tensor<{type}>) -> tensor<{type}> {{{body}\n"
        f"  func.return %r : tensor<{type}>\n}}",
        threads=threads,
    )


@pytest.mark.sample(80)
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("columns", LENGTHS)
def test_every_value_of_every_row(columns: int, name: str) -> None:
    shape = (2, 37, columns)
    rng = np.random.default_rng(columns)
    x = rng.integers(-60, 60, shape).astype(TYPES[name])
    f = of_rows(SPREAD, name, shape, threads=2)
    out, around = between_guards(shape, TYPES[name])
    f(x, out=out)
    np.testing.assert_array_equal(out, x - x.max(2, keepdims=True))
    assert is_untouched(around)


@pytest.mark.parametrize("columns", LENGTHS)
def test_shares_of_a_row(columns: int) -> None:
    shape = (1, 50, columns)
    x = np.random.default_rng(columns).standard_normal(shape).astype(np.float32)
    wide = np.exp(x.astype(np.float64))
    bound = (16 + 2 * np.ceil(np.log2(columns + 1)) + 8) * 2.0**-24
    found = of_rows(SHARES, "f32", shape)(x)
    np.testing.assert_allclose(found, wide / wide.sum(2, keepdims=True), rtol=bound)


@pytest.mark.parametrize("rows", [17, 24, 25, 32, 64, 500, 2000])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_bound_holds_where_every_addition_rounds_down(rows: int, axis: int) -> None:
    """1 and values just below half a unit in the last place of 1."""
    x = np.full((rows, 8), 2.0**-24 * (1 - 2.0**-20), np.float32)
    x[0] = 1
    x = np.ascontiguousarray(x if axis == 0 else x.T)
    source = "x".join(map(str, x.shape))
    f = opc.compile(f"""
        func.func @main(%x: tensor<{source}xf32>) -> tensor<8xf32> {{
          %r = opc.reduce_sum %x {{axes = [{axis}]}}
          func.return %r : tensor<8xf32>
        }}""")
    exact = x.astype(np.float64).sum(axis)
    bound = (16 + 2 * np.ceil(np.log2(rows))) * 2.0**-24 * exact
    assert (np.abs(f(x).astype(np.float64) - exact) <= bound).all()


@pytest.mark.parametrize("axis", [0, 1])
def test_the_bound_of_unknown_extents_where_every_addition_rounds_down(axis: int) -> None:
    """Of values and of squares, which are just below half a unit, too."""
    f = opc.compile(f"""
        func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {{
          %q = opc.mul %x, %x
          %r = opc.reduce_sum %q {{axes = [{axis}]}}
          %s = opc.reduce_sum %x {{axes = [{axis}]}}
          func.return %r, %s : tensor<?xf32>, tensor<?xf32>
        }}""")
    for columns in (17, 24, 25, 31, 32, 63, 127, 128, 300, 2000):
        for rows in (1, 8, 40):
            x = np.full((columns, rows), 2.0**-24 * (1 - 2.0**-20), np.float32)
            x[0] = 1
            x = np.ascontiguousarray(x if axis == 0 else x.T)
            root = np.sqrt(x)
            bound = (16 + 2 * np.ceil(np.log2(columns))) * 2.0**-24
            for found, terms in ((f(x)[1], x), (f(root)[0], root * root)):
                np.testing.assert_allclose(found, terms.astype(np.float64).sum(axis), rtol=bound)


@pytest.mark.parametrize("op", ["argmax", "argmin"])
@pytest.mark.parametrize("is_last", [False, True])
def test_positions_at_the_borders_of_blocks(op: str, is_last: bool) -> None:
    f = opc.compile(f"""
        func.func @main(%x: tensor<?x?xf32>, %y: tensor<40x1000xf32>)
            -> (tensor<?xi64>, tensor<40xi64>) {{
          %r = opc.{op} %x {{axis = 1, select_last_index = {str(is_last).lower()}}}
          %s = opc.{op} %y {{axis = 1, select_last_index = {str(is_last).lower()}}}
          func.return %r, %s : tensor<?xi64>, tensor<40xi64>
        }}""")
    sign = 1.0 if op == "argmax" else -1.0
    places = [0, 1, 254, 255, 256, 257, 511, 512, 767, 768, 998, 999]
    x = np.zeros((40, 1000), np.float32)
    for row in range(40):
        chosen = np.random.default_rng(row).choice(places, 3)
        value = [sign, np.nan, np.inf * sign, -0.0][row % 4]
        x[row, chosen] = value
    wanted = x if not is_last else x[:, ::-1]
    found = getattr(np, op)(wanted, axis=1)
    expected = found if not is_last else 999 - found
    for result in f(x, x):
        np.testing.assert_array_equal(result, expected)


def test_columns_with_nan_and_zeros() -> None:
    x = np.zeros((50, 300), np.float32)
    x[:, 1], x[3, 2], x[7, 3], x[9, 4] = -0.0, -0.0, np.nan, np.inf
    x[:, 5], x[:, 6] = -np.inf, np.nan
    x[11, 3] = np.array(0xFFC00001, np.uint32).view(np.float32)
    f = opc.compile("""
        func.func @main(%x: tensor<50x300xf32>) -> (tensor<300xf32>, tensor<300xf32>) {
          %r = opc.reduce_max %x {axes = [0]}
          %s = opc.reduce_min %x {axes = [0]}
          func.return %r, %s : tensor<300xf32>, tensor<300xf32>
        }""")
    greatest, least = f(x)
    np.testing.assert_array_equal(greatest, x.max(0))
    np.testing.assert_array_equal(least, x.min(0))
    assert np.signbit(greatest[1]) and not np.signbit(greatest[2])
    assert np.signbit(least[1]) and np.signbit(least[2]) and not np.signbit(least[0])


@pytest.mark.parametrize("kind", ["sum", "prod"])
@pytest.mark.parametrize("name", ["i8", "i16", "i32", "i64", "ui32"])
def test_few_columns_of_integers(name: str, kind: str) -> None:
    """gcc 12 makes a reduction of its own of few columns of signed integers, and ends it wrong."""
    dtype = np.dtype(name.replace("i", "int"))
    reduce = np.add.reduce if kind == "sum" else np.multiply.reduce
    for rows, columns in [(3, 2), (17, 3), (40, 2), (40, 4), (33, 8), (41, 16), (100, 5)]:
        type = f"tensor<{rows}x{columns}x{name}>"
        f = opc.compile(f"""
            func.func @main(%x: {type}) -> {type} {{
              %s = opc.reduce_{kind} %x {{axes = [0], keepdims = true}}
              %r = opc.sub %x, %s
              func.return %r : {type}
            }}""")
        x = np.random.default_rng(rows).integers(0, 100, (rows, columns)).astype(dtype)
        with np.errstate(all="ignore"):
            expected = x - reduce(x, axis=0, keepdims=True, dtype=dtype)
        np.testing.assert_array_equal(f(x), expected, f"{rows}x{columns}")


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("name", ["f32", "f16", "f64", "i8", "i32"])
@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_positions_in_columns_of_several_parts(op: str, name: str, unknown: bool) -> None:
    """Equal values in different parts, NaN in a late one, a column of nothing but the worst."""
    shape, dtype = (4000, 300), np.dtype(TYPES[name])
    rng = np.random.default_rng(4)
    x = rng.integers(-100, 100, shape).astype(dtype)
    worst = {"argmax": -np.inf, "argmin": np.inf}[op]
    if dtype.kind == "f":
        x[3100, 5] = x[3900, 5] = x[20, 6] = x[3500, 7] = np.nan
        x[:, 8] = worst
        x[:, 9] = np.where(rng.random(4000) < 0.5, 0.0, -0.0)
    else:
        x[:, 8] = np.iinfo(dtype).min if op == "argmax" else np.iinfo(dtype).max
    x[:, 10], x[2000, 10] = 1, 1
    type = "?x?x" if unknown else "4000x300x"
    result = "?x" if unknown else "300x"
    dims, kept = (", #opc.dims<N, M>", ", #opc.dims<M>") if unknown else ("", "")
    for last in (False, True):
        f = opc.compile(
            f"func.func @main(%x: tensor<{type}{name}{dims}>) -> tensor<{result}i64{kept}> {{\n"
            f"  %r = opc.{op} %x {{axis = 0, select_last_index = {str(last).lower()}}}\n"
            f"  func.return %r : tensor<{result}i64{kept}>\n}}",
            threads=2,
        )
        whole = getattr(np, op)
        wanted = shape[0] - 1 - whole(x[::-1], axis=0) if last else whole(x, axis=0)
        np.testing.assert_array_equal(f(x), wanted)


@pytest.mark.parametrize("shape", [(5, 0, 0, 2), (0, 5, 2, 0, 2), (31, 0, 3, 1, 0, 3), (0, 0)])
@pytest.mark.parametrize("kind", ["reduce_sum", "reduce_max", "reduce_log_sum_exp"])
def test_no_points_and_no_values(shape: tuple[int, ...], kind: str) -> None:
    """Also where both what is reduced and what is left are empty."""
    for axis in range(len(shape)):
        extents = "x".join(map(str, shape))
        results = "x".join("1" if k == axis else str(n) for k, n in enumerate(shape))
        text = f"""
func.func @main(%x: tensor<{extents}xf32>) -> tensor<{results}xf32> {{
  %y = opc.{kind} %x {{axes = [{axis}], keepdims = true}}
  func.return %y : tensor<{results}xf32>
}}"""
        found = opc.compile(text, cache=None)(np.zeros(shape, np.float32))
        assert found.shape == tuple(1 if k == axis else n for k, n in enumerate(shape))
        wanted = {"reduce_sum": 0.0}.get(kind, -np.inf)
        np.testing.assert_array_equal(found, np.full(found.shape, wanted, np.float32))


def test_rows_without_values_that_are_stored_too() -> None:
    """The rows of the windows lie apart in memory, and have no values to transpose."""
    found = opc.compile("""
func.func @main(%x: tensor<2xf32>) -> (tensor<2xi1>, tensor<0x2xi1>, tensor<0x2xf32>) {
  %w = opc.windows %x {sizes = [2], strides = [1], dilations = [2]}
      : tensor<2xf32> -> tensor<0x2xf32>
  %b = opc.cast %w : tensor<0x2xf32> -> tensor<0x2xi1>
  %r = opc.reduce_any %b {axes = [0]} : tensor<0x2xi1> -> tensor<2xi1>
  func.return %r, %b, %w : tensor<2xi1>, tensor<0x2xi1>, tensor<0x2xf32>
}""")(np.ones(2, np.float32))
    assert found[0].tolist() == [False, False]
    assert [y.shape for y in found[1:]] == [(0, 2), (0, 2)]
