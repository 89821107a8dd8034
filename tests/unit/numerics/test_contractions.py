"""Contractions have the bits of their order: for every machine, compiler and thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
import opc.numpy as onp
from tests.unit.common.contraction_graphs import (
    CASES,
    DTYPES,
    EPILOGUE,
    bits,
    check_bits_everywhere,
    oracle,
    text_of,
    values,
)

pytestmark = pytest.mark.sample(32)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("type", DTYPES)
def test_bits_of_the_order(name: str, type: str) -> None:
    a, b = CASES[name]
    if type == "f64" and "blocks" in name:
        a, b = "1x4200", "4200x2"  # exact f64 is slow to interpret
    text = text_of(a, b, type, EPILOGUE)
    arrays = [values(a, type, 1), values(b, type, 2)]
    check_bits_everywhere(text, arrays)


@pytest.mark.parametrize("m, k, n", [(1, 1, 1), (7, 5, 3), (30, 65, 100), (2, 4100, 40), (0, 3, 4)])
def test_unknown_extents_have_the_same_bits(m: int, k: int, n: int) -> None:
    text = """
func.func @main(%x: tensor<?x?xf32, #opc.dims<M, K>>, %y: tensor<?x?xf32, #opc.dims<K, N>>)
    -> tensor<?x?xf32, #opc.dims<M, N>> {
  %0 = opc.matmul %x, %y
  %1 = opc.mul %0, %0
  func.return %1 : tensor<?x?xf32, #opc.dims<M, N>>
}"""
    arrays = [values(f"{m}x{k}", "f32", 3), values(f"{k}x{n}", "f32", 4)]
    static = text
    for names, shape in (("M, K", f"{m}x{k}"), ("K, N", f"{k}x{n}"), ("M, N", f"{m}x{n}")):
        static = static.replace(f"?x?xf32, #opc.dims<{names}>", f"{shape}xf32")
    assert bits([opc.compile(text)(*arrays)]) == oracle(static, arrays)
    assert bits([opc.compile(static)(*arrays)]) == oracle(static, arrays)


@pytest.mark.parametrize("rows", [0, 1, 2, 13])
@pytest.mark.parametrize("right", ["600x70", "70x600 turned", "2x600x70", "constant"])
def test_one_row_has_the_bits_of_others(right: str, rows: int) -> None:
    """Where only a run knows how many there are, one has a version of its own."""
    shape, _, is_turned = right.replace("constant", "600x70").partition(" ")
    batch = "2x" if shape.startswith("2x") else ""
    w = values(shape, "f32", 5)
    x = values(f"{batch}{rows}x600", "f32", 6)

    def product(x: Any, y: Any) -> Any:
        return onp.tanh(onp.matmul(x, onp.transpose(y) if is_turned else y)) + x[..., :1]

    def function(m: int | str, **options: Any) -> Any:
        first = f"f32[{'2, ' if batch else ''}{m}, 600]"
        if right == "constant":
            return opc.function(lambda x: product(x, w), first, **options)
        second = f"f32[{', '.join(map(str, w.shape))}]"
        return opc.function(product, first, second, **options)

    arrays = [x] if right == "constant" else [x, w]
    wanted = bits([function(rows, fuse=False)(*arrays)])
    for threads in (1, 3):
        assert bits([function("M", threads=threads)(*arrays)]) == wanted


@pytest.mark.parametrize("queries, keys", [(1, 40), (1, 700), (6, 9), (0, 3)])
def test_queries_over_a_cache_of_unknown_length(queries: int, keys: int) -> None:
    """What a version for one query packs in loops has an unknown size for others."""

    def attend(q: Any, k: Any, v: Any) -> Any:
        s = onp.matmul(q * np.float32(0.25), onp.transpose(k, (0, 2, 1)))
        e = onp.exp(s - s.max(axis=-1, keepdims=True))
        return onp.matmul(e / e.sum(axis=-1, keepdims=True), v)

    def function(s: int | str, t: int | str, **options: Any) -> Any:
        types = (f"f32[3, {n}, 16]" for n in (s, t, t))
        return opc.function(attend, *types, **options)

    arrays = [values(f"3x{n}x16", "f32", k) for k, n in enumerate((queries, keys, keys))]
    wanted = bits([function(queries, keys, fuse=False)(*arrays)])
    for threads in (1, 3):
        assert bits([function("S", "T", threads=threads)(*arrays)]) == wanted


def test_a_product_that_adds_up_nothing_of_unknown_extents() -> None:
    """A column times a row: there is no contracted axis that a panel could run along."""
    text = """
func.func @main(%x: tensor<?x1xf32, #opc.dims<M, 1>>, %y: tensor<1x?xf32, #opc.dims<1, N>>)
    -> tensor<?x?xf32, #opc.dims<M, N>> {
  %0 = opc.matmul %x, %y
  func.return %0 : tensor<?x?xf32, #opc.dims<M, N>>
}"""
    x, y = values("37x1", "f32", 1), values("1x70", "f32", 2)
    np.testing.assert_array_equal(opc.compile(text)(x, y), x * y)


def test_sums_of_nothing_have_no_panels() -> None:
    """C has no empty arrays (what is sliced starts behind its end)."""
    rows = "floordiv(min(7, N) - min(min(5, N), min(7, N)) + 1, 2)"
    text = f"""
func.func @main(%x: tensor<?x?xi32, #opc.dims<N, M>>)
    -> tensor<?x?xi32, #opc.dims<{rows}, {rows}>> {{
  %0 = opc.slice %x {{starts = #opc.dims<5, M + 6>, stops = [7, -5], steps = [2, 1]}}
      : tensor<?x?xi32, #opc.dims<N, M>> -> tensor<?x0xi32, #opc.dims<{rows}, 0>>
  %1 = opc.transpose %0 {{permutation = [1, 0]}}
  %2 = opc.matmul %0, %1
  func.return %2 : tensor<?x?xi32, #opc.dims<{rows}, {rows}>>
}}"""
    for threads in (1, 2):
        f = opc.compile(text, threads=threads, verify_each=True)
        np.testing.assert_array_equal(f(np.ones((9, 8), np.int32)), [[0]])


OPERANDS = {
    "transposed left": (
        "15x33", "20x15", "20x33",
        "%t = opc.transpose %x {permutation = [1, 0]}\n %0 = opc.matmul %t, %y",
    ),
    "transposed right": (
        "15x33", "15x20", "33x20",
        "%t = opc.transpose %y {permutation = [1, 0]}\n %0 = opc.matmul %x, %t",
    ),
    "transposed result": (
        "33x15", "15x20", "20x33",
        "%t = opc.matmul %x, %y\n %0 = opc.transpose %t {permutation = [1, 0]}",
    ),
    "computed operands": (
        "15x33", "15x20", "20x33", "%a = opc.tanh %x\n %b = opc.exp %y\n %0 = opc.matmul %a, %b",
    ),
    "the same operand": ("20x20", "20x20", "20x20", "%a = opc.add %x, %y\n %0 = opc.matmul %a, %a"),
    "few rows by transposed": (
        "3x37", "3x600", "37x600",
        "%t = opc.transpose %y {permutation = [1, 0]}\n %0 = opc.matmul %x, %t",
    ),
    "heads": (
        "3x6x6", "6x24", "6x24",
        "%a = opc.reshape %x : tensor<6x24xf32> -> tensor<6x3x8xf32>\n"
        "%b = opc.reshape %y : tensor<6x24xf32> -> tensor<6x3x8xf32>\n"
        "%c = opc.transpose %a {permutation = [1, 0, 2]}\n"
        "%d = opc.transpose %b {permutation = [1, 2, 0]}\n %0 = opc.matmul %c, %d",
    ),
    "chained": (
        "15x20", "15x20", "20x15",
        "%a = opc.matmul %x, %y\n %b = opc.relu %a\n %0 = opc.matmul %b, %x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERANDS)
def test_operands_and_results(name: str) -> None:
    result, a, b, body = OPERANDS[name]
    head = f"func.func @main(%x: tensor<{a}xf32>, %y: tensor<{b}xf32>) -> tensor<{result}xf32>"
    text = f"{head} {{\n{body}\nfunc.return %0 : tensor<{result}xf32>\n}}"
    arrays = [values(a, "f32", 5), values(b, "f32", 6)]
    fused = bits([opc.compile(text)(*arrays)])
    assert fused == bits([opc.compile(text, fuse=False)(*arrays)])
    if "computed" not in name:  # exp and tanh of NumPy have other last bits
        assert fused == oracle(text, arrays)


def test_a_product_that_overflows_is_not_rounded_by_itself() -> None:
    text = text_of("1x2", "2x1", "f32")
    x, y = np.float32([[3e38, 3e38]]), np.float32([[2.0], [-2.0]])
    # 6e38 is beyond f32: the chain stays at infinity, as each step rounds.
    assert opc.compile(text)(x, y)[0] == np.inf
    near = np.float32([[1.0, 1 + 2**-12]])
    square = np.float32([[-(1 + 2**-11)], [1 + 2**-12]])
    assert opc.compile(text)(near, square)[0] == np.float32(2**-24)


@pytest.mark.parametrize("type", DTYPES)
def test_constant_operands_are_packed_when_compiling(type: str) -> None:
    x, w = values("40x20", type, 7), values("20x33", type, 8)
    builder = opc.function(lambda x: onp.matmul(x, w))
    result, (other, _) = builder(x), opc.compile(text_of("40x20", "20x33", type))(x, w)
    assert bits([result]) == bits([other])
    assert "buffer1" not in builder.c_source


@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_few_products_have_the_bits_of_the_order(count: int, type: str) -> None:
    """Up to four are written out where rows are long; signed zeros and infinities included."""
    a, b = f"7x{count}", f"{count}x67"
    arrays = [values(a, type, 1), values(b, type, 2)]
    arrays[0][0], arrays[0][1] = -0.0, np.inf
    arrays[1][:, 0] = 0.0
    check_bits_everywhere(text_of(a, b, type), arrays)
    form = "(dot)" if count > 4 else "fma("
    assert form in opc.lower(text_of(a, b, type)).ir("kernels")
