"""Totals of all elements up to each one have the bits of one value after the other."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.api.driver import load
from opc.interpret.function import run

pytestmark = pytest.mark.sample(6)

TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
}
FLAGS = [(False, False), (True, False), (False, True), (True, True)]
"""Whether totals are exclusive, and whether they come from the end."""

CASES = {
    "rows": ((13, 37), 1, "f32"),
    "rows of halves": ((13, 37), 1, "f16"),
    "rows of bf16": ((13, 37), 1, "bf16"),
    "rows of doubles": ((6, 19), 1, "f64"),
    "rows of integers": ((7, 40), 1, "i64"),
    "fewer rows than chains": ((3, 50), 1, "i32"),
    "one row": ((1, 300), 1, "f32"),
    "no axis but one": ((77,), 0, "f32"),
    "short rows": ((50, 8), 1, "f32"),
    "rows of one": ((9, 1), 1, "f32"),
    "columns": ((9, 1100), 0, "f32"),
    "columns of halves": ((9, 70), 0, "f16"),
    "columns of bf16": ((9, 70), 0, "bf16"),
    "few columns": ((90, 3), 0, "f64"),
    "middle": ((2, 9, 70), 1, "f32"),
    "short middle": ((5, 37, 3), 1, "ui8"),
    "several axes of rows": ((3, 5, 21), 2, "f32"),
    "no values": ((4, 0), 1, "f32"),
    "no rows": ((0, 4), 1, "f32"),
}


def totals(x: np.ndarray[Any, Any], axis: int, function: Any, flags: tuple[bool, bool]) -> Any:
    """What is promised, by NumPy."""
    exclusive, is_reversed = flags
    wide = x.astype(np.float32) if x.dtype in (np.float16, ml_dtypes.bfloat16) else x
    wide = np.flip(wide, axis) if is_reversed else wide
    shape = [1 if k == axis else n for k, n in enumerate(x.shape)]
    first = np.full(shape, function is np.multiply, wide.dtype)
    with np.errstate(all="ignore"):
        every = function.accumulate(np.concatenate([first, wide], axis), axis, dtype=wide.dtype)
        kept = slice(0, -1) if exclusive else slice(1, None)
        found = every[tuple(kept if k == axis else slice(None) for k in range(x.ndim))]
        return (np.flip(found, axis) if is_reversed else found).astype(x.dtype)


def text_of(shape: tuple[int, ...], axis: int, type: str, is_known: bool) -> str:
    """All kinds of totals of one operand."""
    names = ", ".join(f"N{k}" for k in range(len(shape)))
    dims = "x".join(str(n) if is_known else "?" for n in shape)
    tensor = f"tensor<{dims}x{type}{'' if is_known else f', #opc.dims<{names}>'}>"
    lines = [
        f"%{name}{k} = opc.cum_{name} %x {{axis = {axis}, exclusive = {str(e).lower()}, "
        f"reverse = {str(r).lower()}}}"
        for name in ("sum", "prod")
        for k, (e, r) in enumerate(FLAGS)
    ]
    results = [line.split(" =")[0] for line in lines]
    body = "\n".join(lines)
    return (
        f"func.func @main(%x: {tensor}) -> ({', '.join([tensor] * len(results))}) {{\n{body}\n"
        f"return {', '.join(results)} : {', '.join([tensor] * len(results))}\n}}"
    )


def drawn(shape: tuple[int, ...], type: str) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(len(shape) + sum(shape))
    if "f" in type:
        return (rng.standard_normal(shape) * 1.3).astype(TYPES[type])
    info = np.iinfo(TYPES[type])
    return rng.integers(info.min, info.max, shape, TYPES[type])


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_bits(name: str, is_known: bool) -> None:
    shape, axis, type = CASES[name]
    text, x = text_of(shape, axis, type, is_known), drawn(shape, type)
    wanted = [totals(x, axis, f, flags) for f in (np.add, np.multiply) for flags in FLAGS]
    (function,) = load(text).body.block.ops
    for found in (run(function, [x]), opc.compile(text)(x)):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.tobytes() == b.tobytes() or np.isnan(b.astype(np.float64)).any()


AROUND = {
    "rows": ((13, 37), 1),
    "columns": ((37, 90), 0),
    "middle": ((3, 20, 33), 1),
}


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("name", AROUND)
def test_elementwise_operators_around(name: str, type: str, fuse: bool) -> None:
    """Cheap ones, functions, a row operand, totals that are used twice, and a transpose."""
    shape, axis = AROUND[name]
    tensor = f"tensor<{'x'.join(map(str, shape))}x{type}>"
    back = f"tensor<{'x'.join(map(str, reversed(shape)))}x{type}>"
    row = f"tensor<{shape[-1]}x{type}>"
    text = f"""func.func @main(%x: {tensor}, %b: {row}) -> ({tensor}, {tensor}, {back}) {{
      %0 = opc.sub %x, %b
      %1 = opc.cum_sum %0 {{axis = {axis}}}
      %2 = opc.mul %1, %b
      %3 = opc.cum_sum %2 {{axis = {axis}, exclusive = true}}
      %4 = opc.sub %3, %1
      %5 = opc.sqrt %4
      %6 = opc.cum_sum %0 {{axis = {axis}, reverse = true}}
      %7 = opc.transpose %6 {{permutation = {list(reversed(range(len(shape))))}}}
      return %4, %5, %7 : {tensor}, {tensor}, {back}
    }}"""
    x, b = drawn(shape, type), drawn(shape[-1:], type)
    (function,) = load(text).body.block.ops
    wanted = run(function, [x, b])
    for found, expected in zip(opc.compile(text, fuse=fuse)(x, b), wanted, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_result_that_lies_where_its_operand_did() -> None:
    """Each value is read before its total is written over it, in either direction."""
    text = """func.func @main(%x: tensor<10x33xf32>) -> tensor<10x33xf32> {
      %0 = opc.exp %x
      %1 = opc.cum_sum %0 {axis = 1, reverse = true}
      %2 = opc.sin %1
      %3 = opc.cum_sum %2 {axis = 1, exclusive = true}
      return %3 : tensor<10x33xf32>
    }"""
    x = drawn((10, 33), "f32")
    assert opc.compile(text)(x).tobytes() == opc.compile(text, fuse=False)(x).tobytes()
