"""Error bounds of whole graphs: compiled results are within, and wrong ones are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.interpret import bounds
from opc.interpret.bounds import Bounded, difference
from opc.interpret.extents import element_type
from tests.unit.common import samples
from tests.unit.common.ir_runs import TEXTS, after_passes, inputs_for
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.level("-O0")


def evaluate(text: str, *inputs: np.ndarray) -> list[Bounded]:
    *_, (_, function) = after_passes(text, "source", "graph")
    return bounds.evaluate(function, inputs)[0]


def is_within(found: np.ndarray, expected: Bounded) -> bool:
    return bool((difference(found, expected.value) <= expected.error).all())


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", TEXTS)
def test_compiled_results_are_within(name: str) -> None:
    *_, (_, function) = after_passes(TEXTS[name], "source", "graph")
    compiled = opc.compile(TEXTS[name])
    ordinary = inputs_for(name, function)
    types = [element_type(arg) for arg in function.body.block.args]
    for seed in range(3):
        inputs = ordinary
        if seed and "axes" not in name:
            pairs = zip(types, ordinary, strict=True)
            inputs = [
                x if name == "indices" and type.is_integer else samples.values(type, x.shape, seed)
                for type, x in pairs
            ]
        result: Any = compiled(*inputs)
        found = result if isinstance(result, tuple) else () if result is None else (result,)
        expected, _ = bounds.evaluate(function, inputs)
        for k, (a, b) in enumerate(zip(found, expected, strict=True)):
            assert is_within(a, b), f"{name}, result {k}, seed {seed}"


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def one(line: str, result: str = "4xf32", *, argument: str = "4xf32") -> str:
    return f"""func.func @f(%x: tensor<{argument}>) -> tensor<{result}> {{
  {line}
  func.return %r : tensor<{result}>
}}"""


def test_prescribed_bits_have_no_error() -> None:
    (found,) = evaluate(one("%r = opc.neg %x"), f32(1, 2, -0.0, np.nan))
    assert found.is_exact


def test_an_elementary_function_may_be_off_by_two_ulp() -> None:
    (found,) = evaluate(one("%r = opc.exp %x"), f32(0, 1, 2, 3))
    assert np.allclose(found.error.astype(np.float64), 2 * np.spacing(found.value))


def test_a_wave_is_not_small_because_its_operand_moves_by_whole_periods() -> None:
    """A sum of large numbers is off by more than a period, though not by a part of its value."""
    lines = "%a = opc.reduce_sum %x {axes = [1], keepdims = false}\n  %r = opc.NAME %a"
    x = np.full((4, 30), 1e7, np.float32) * np.arange(4, dtype=np.float32)[:, None]
    for name, most in (("sin", 2), ("cos", 2), ("tan", np.inf)):
        (found,) = evaluate(one(lines.replace("NAME", name), argument="4x30xf32"), x)
        assert (found.error[1:] >= most).all() and found.error[0] < 1e-6
        # Elsewhere they are as smooth as others.
        (found,) = evaluate(one(lines.replace("NAME", name), argument="4x30xf32"), x * 1e-8)
        assert (found.error < 1e-3).all()


def test_errors_grow_with_what_uses_them() -> None:
    lines = "%a = opc.exp %x\n  %b = opc.mul %a, %a\n  %r = opc.sub %b, %a"
    (found,) = evaluate(one(lines), f32(0.001, 1, 2, 3))
    assert found.error[0] > 4 * 2.0**-23 > found.error[0] / 10
    assert is_within(found.value + np.float32(1e-7) * f32(1, 0, 0, 0), found)
    assert not is_within(found.value * np.float32(1.0001), found)


def test_what_a_jump_decides_may_be_anything() -> None:
    lines = "%a = opc.exp %x\n  %r = opc.floor %a"
    (found,) = evaluate(one(lines), f32(0, 1, np.log(np.float32(3)), -1))
    assert found.error.tolist() == [2, 0, 2, 0]


def test_what_may_be_equal_may_be_found_to_be_so() -> None:
    """Squares of small numbers are 0 in f32."""
    lines = """%n = opc.reduce_l2 %x {axes = [0], keepdims = true}
  %zero = opc.constant dense<0.0> : tensor<1xf32>
  %is = opc.equal %n, %zero
  %r = opc.cast %is : tensor<1xi1> -> tensor<1xf32>"""
    (tiny,) = evaluate(one(lines, "1xf32"), f32(1e-30, 0, 0, 0))
    assert is_within(f32(1), tiny) and is_within(f32(0), tiny)
    (usual,) = evaluate(one(lines, "1xf32"), f32(1e-10, 0, 0, 0))
    assert usual.is_exact


def test_ties_decide_positions() -> None:
    lines = "%a = opc.exp %x\n  %r = opc.argmax %a {axis = 0} : tensor<4xf32> -> tensor<i64>"
    (tied,) = evaluate(one(lines, "i64"), f32(1, 1, 0, 0))
    assert np.isinf(tied.error)
    (clear,) = evaluate(one(lines, "i64"), f32(1, 2, 0, 0))
    assert clear.is_exact


@pytest.mark.parametrize("type", [el.F64, el.F32, el.F16, el.BF16], ids=str)
@pytest.mark.parametrize("shapes", [((5, 7), (7, 3)), ((2, 3, 64), (2, 64, 33)), ((9, 99), (99,))])
def test_products_of_matrices_have_prescribed_bits(
    type: el.ElementType, shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    a, b = ("x".join([*map(str, shape), str(type)]) for shape in shapes)
    rows = np.matmul(*map(np.zeros, shapes)).shape
    r = "x".join([*map(str, rows), str(type)])
    text = f"""func.func @f(%a: tensor<{a}>, %b: tensor<{b}>) -> tensor<{r}> {{
  %r = opc.matmul %a, %b
  func.return %r : tensor<{r}>
}}"""
    compiled = opc.compile(text)
    for make in (samples.moderate, samples.values):
        inputs = [make(type, shape, k) for k, shape in enumerate(shapes)]
        (expected,) = evaluate(text, *inputs)
        assert expected.is_exact
        assert_same_bits(compiled(*inputs), expected.value)


def test_partial_sums_may_overflow() -> None:
    text = one("%r = opc.reduce_sum %x : tensor<4xf32> -> tensor<f32>", "f32")
    (found,) = evaluate(text, f32(3e38, 3e38, -3e38, -3e38))
    assert is_within(np.asarray(f32(np.nan)[0]), found)
    (nan,) = evaluate(text, f32(3e38, 3e38, -3e38, np.nan))
    assert not is_within(np.asarray(f32(0)[0]), nan)
    (infinite,) = evaluate(text, f32(1, 1, np.inf, 2))
    assert not is_within(np.asarray(f32(0)[0]), infinite)
    text = text.replace("reduce_sum", "reduce_prod")
    (product,) = evaluate(text, f32(1e30, 0, 1e30, 1))
    assert np.isnan(product.value) and is_within(np.asarray(f32(0)[0]), product)
    (nan,) = evaluate(text, f32(1e30, 1e30, 0, np.nan))
    assert not is_within(np.asarray(f32(0)[0]), nan)
