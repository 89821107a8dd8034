"""Reductions down an unknown number of columns: rows go side by side where there are few."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from samples import between_guards, is_untouched
from tolerance import assert_same_bits

import opc

Array = np.ndarray[Any, np.dtype[Any]]
TYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64, "i32": np.int32}
FEW, FEW_OF_FUNCTIONS = 16, 64

SUM = """
func.func @main(%x: tensor<?x?x{type}, #opc.dims<M, N>>) -> tensor<?x{type}, #opc.dims<N>> {{
  %r = opc.reduce_sum %x {{axes = [0]}}
  return %r : tensor<?x{type}, #opc.dims<N>>
}}
"""
FUNCTION = """
func.func @main(%x: tensor<?x?x?x{type}, #opc.dims<L, M, N>>,
                %rows: tensor<?x?x1x{type}, #opc.dims<L, M, 1>>,
                %columns: tensor<?x{type}, #opc.dims<N>>)
    -> tensor<?x?x{type}, #opc.dims<L, N>> {{
  %a = opc.tanh %x
  %b = opc.mul %a, %rows
  %c = opc.sub %b, %columns
  %r = opc.reduce_{kind} %c {{axes = [1]}}
  return %r : tensor<?x?x{type}, #opc.dims<L, N>>
}}
"""


APART = """
func.func @main(%x: tensor<?x?x?x{type}, #opc.dims<L, M, N>>,
                %rows: tensor<?x?x1x{type}, #opc.dims<L, M, 1>>) -> tensor<{kept}> {{
  %a = opc.{name} %x
  %b = opc.mul %a, %rows
  %r = opc.reduce_{kind} %b {{axes = {axes}}}
  return %r : tensor<{kept}>
}}
"""


@cache
def compiled(text: str, **options: Any) -> Any:
    return opc.compile(text, verify_each=True, **options)


def values(shape: tuple[int, ...], type: str, seed: int = 0) -> Array:
    """Values between bytes that are watched."""
    x, _ = between_guards(shape, TYPES[type])
    rng = np.random.default_rng(seed)
    x[...] = rng.integers(-9, 10, shape) if type == "i32" else rng.normal(0, 1, shape)
    return x


def in_order(x: Array) -> Array:
    total = np.zeros(x.shape[1:], x.dtype)
    for row in x:
        total = total + row
    return total


def cascaded(blocks: list[Array]) -> Array:
    """Blocks added in pairs, pairs of pairs, and so on; what is left over from the last one on."""
    levels: list[Array | None] = []
    for block in blocks:
        level, carry = 0, block
        while level < len(levels) and (found := levels[level]) is not None:
            carry, levels[level], level = found + carry, None, level + 1
        if level == len(levels):
            levels.append(None)
        levels[level] = carry
    found = [level for level in levels if level is not None]
    total = found[0]
    for other in found[1:]:
        total = other + total
    return total


@pytest.mark.parametrize("columns", [1, 2, 3, 7, 8, 15, 16])
@pytest.mark.parametrize("rows", [1, 2, 5, 40, 301, 2000])
def test_the_order_of_a_sum_is_the_stated_one(rows: int, columns: int) -> None:
    """A power of two of rows side by side, as docs/numerics.md states it."""
    x = values((rows, columns), "f32")
    beside = 1
    while 2 * beside <= min(256 // columns, rows):
        beside *= 2
    blocks: list[Array] = []
    for start in range(0, rows, 16 * beside):
        block = x[start : start + 16 * beside]
        blocks.append(np.stack([in_order(block[k::beside]) for k in range(beside)]))
    sums = cascaded(blocks)
    while len(sums) > 1:
        half = len(sums) // 2
        sums = sums[:half] + sums[half:]
    assert_same_bits(compiled(SUM.format(type="f32"))(x), sums[0])


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("columns", [FEW, FEW + 1, 40])
def test_few_columns_and_many(columns: int, type: str) -> None:
    x = values((123, columns), type)
    wanted = x.astype(np.float64).sum(axis=0)
    np.testing.assert_allclose(compiled(SUM.format(type=type))(x), wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("kind", ["sum", "max", "min", "mean"])
@pytest.mark.parametrize(
    "shape",
    [
        *[(3, 100, n) for n in (1, 3, 5, 17, 33, FEW_OF_FUNCTIONS, FEW_OF_FUNCTIONS + 1)],
        *[(5, m, 7) for m in (1, 2, 8, 35, 36, 37, 1000)],
    ],
    ids=str,
)
def test_functions(shape: tuple[int, int, int], kind: str, type: str) -> None:
    x, rows, columns = (
        values(shape, type),
        values((*shape[:2], 1), type, 1),
        values(shape[2:], type),
    )
    text = FUNCTION.format(type=type, kind=kind)
    y, memory = between_guards((shape[0], shape[2]), TYPES[type])
    compiled(text)(x, rows, columns, out=y)
    assert is_untouched(memory)
    found = np.tanh(x.astype(np.float64)) * rows - columns
    wanted = getattr(found, kind)(axis=1)
    np.testing.assert_allclose(y, wanted, rtol=1e-5 if type == "f32" else 1e-13, atol=1e-4)
    for options in ({"threads": 3}, {"target": "baseline"}):
        assert_same_bits(compiled(text, **options)(x, rows, columns), y)


def test_nothing_to_reduce_and_no_columns() -> None:
    f = compiled(FUNCTION.format(type="f32", kind="sum"))
    for shape in ((2, 0, 5), (2, 5, 0), (0, 5, 5), (0, 0, 0)):
        x, rows = values(shape, "f32"), values((*shape[:2], 1), "f32")
        y = f(x, rows, values(shape[2:], "f32"))
        assert_same_bits(y, np.zeros((shape[0], shape[2]), np.float32))


def test_nan_comes_out_of_its_column_alone() -> None:
    x = values((2, 50, 6), "f32")
    x[1, 33, 4] = np.nan
    rows, columns = np.ones((2, 50, 1), np.float32), np.zeros(6, np.float32)
    y = compiled(FUNCTION.format(type="f32", kind="max"))(x, rows, columns)
    assert np.argwhere(np.isnan(y)).tolist() == [[1, 4]]


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("kind", ["sum", "max"])
@pytest.mark.parametrize("axes", [(1, 2), (0, 1, 2)], ids=str)
def test_rows_that_a_broadcast_keeps_apart(axes: tuple[int, ...], kind: str, type: str) -> None:
    """They are reduced at last, see ``split_reductions``, if there are floats of unknown number."""
    kept = f"?x{type}, #opc.dims<L>" if axes == (1, 2) else type
    name = "abs" if type == "i32" else "tanh"
    text = APART.format(type=type, kind=kind, axes=list(axes), kept=kept, name=name)
    for shape in ((3, 100, 7), (2, 1, 1), (40, 9, 20), (2, 40, 129), (70, 2, 1000)):
        x, rows = values(shape, type), values((*shape[:2], 1), type, 1)
        y = compiled(text)(x, rows)
        exact = np.abs(x) if type == "i32" else np.tanh(x.astype(np.float64))
        wanted = getattr(exact * rows, kind)(axis=axes)
        np.testing.assert_allclose(y, wanted, rtol=1e-5 if type != "f64" else 1e-12, atol=1e-3)
        for options in ({"threads": 3}, {"target": "baseline"}):
            assert_same_bits(compiled(text, **options)(x, rows), y)
