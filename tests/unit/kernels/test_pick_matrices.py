"""Products with matrices of a constant that indices choose: no copies, and no others are read."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects.registry import context
from opc.frontend.mlir.reader import parse_module
from opc.interpret.function import run as interpret
from opc.oracle.subject import function_in
from opc.passes.pipeline import passes, run

RNG = np.random.default_rng(5)
MATRICES, INNER, COLUMNS = 5, 40, 70
WEIGHTS = RNG.standard_normal((MATRICES, INNER, COLUMNS)).astype(np.float32)


def graph(rows: str, weights: Any = None) -> str:
    """Products of chosen matrices, which are an input if there are no numbers of them."""
    shape = f"{MATRICES}x{INNER}x{COLUMNS}xf32"
    args = "" if weights is not None else f", %w: tensor<{shape}>"
    constant = ""
    if weights is not None:
        numbers = json.dumps(np.asarray(weights, np.float64).tolist()).replace("NaN", "0x7FC00000")
        constant = f"%w = opc.constant dense<{numbers}> : tensor<{shape}>"
    x = f"tensor<?x{rows.replace('r', '?')}x{INNER}xf32, #opc.dims<n, {rows}, {INNER}>>"
    y = f"tensor<?x{rows.replace('r', '?')}x{COLUMNS}xf32, #opc.dims<n, {rows}, {COLUMNS}>>"
    return f"""
func.func @chosen(%x: {x}, %i: tensor<?xi64, #opc.dims<n>>{args}) -> {y} {{
  {constant}
  %g = opc.gather %w, %i {{axes = [0], from_end = true}}
  %y = opc.matmul %x, %g
  return %y : {y}
}}
"""


@pytest.mark.parametrize("rows", ["1", "6", "r"])
def test_chosen_matrices_give_the_bits_of_copies(rows: str) -> None:
    text = graph(rows, WEIGHTS)
    lowered = opc.lower(text, cache=None)
    assert "kernel.pick" in lowered.ir("kernels") and "kernel.gather" not in lowered.ir("kernels")
    f, copied = opc.compile(text), opc.compile(graph(rows))
    for count, own in ((1, 1), (4, 3), (9, 17)):
        x = RNG.standard_normal((count, own if rows == "r" else int(rows), INNER))
        x = x.astype(np.float32)
        i = RNG.integers(-MATRICES, MATRICES, count)
        y = f(x, i)
        np.testing.assert_array_equal(y, copied(x, i, WEIGHTS))
        np.testing.assert_allclose(y, x @ WEIGHTS[i], rtol=1e-4, atol=1e-4)


def test_an_index_without_a_matrix_is_refused() -> None:
    f = opc.compile(graph("1", WEIGHTS))
    with pytest.raises(
        opc.OpcError, match=r"index is outside of axis 0, expected those in \[-5, 4"
    ):
        f(np.zeros((2, 1, INNER), np.float32), np.array([0, MATRICES]))


def test_other_matrices_are_not_read() -> None:
    """NaN beside the chosen matrices changes nothing."""
    weights = WEIGHTS.copy()
    weights[[0, 2, 4]] = np.nan
    x, i = RNG.standard_normal((3, 1, INNER)).astype(np.float32), np.array([3, 1, 3])
    bits = opc.compile(graph("1", WEIGHTS))(x, i)
    np.testing.assert_array_equal(opc.compile(graph("1", weights))(x, i), bits)


def test_a_choice_is_read_inside_of_what_it_depends_on() -> None:
    text = opc.lower(graph("6", WEIGHTS), target="avx512", cache=None).ir("schedule")
    outer, inner = "schedule.for [d0] by 1 parallel {", "schedule.for [d3] by 1 serial {"
    assert text.count(outer) == text.count(inner) == 1
    edited = text.replace(outer, "OUTER").replace(inner, outer).replace("OUTER", inner)
    with pytest.raises(opc.OpcError, match=r"found \[d3\] outside of a loop that it depends on"):
        opc.lower(edited, cache=None)


@pytest.mark.parametrize("stage", ["kernels", "schedule", "loops"])
def test_interpreted(stage: str) -> None:
    module = parse_module(graph("6", WEIGHTS), "chosen.mlir")
    run(module, context(), passes(stage), verify_each=True)
    x, i = RNG.standard_normal((3, 6, INNER)).astype(np.float32), np.array([3, 1, -1])
    (y,) = interpret(function_in(module), [x, i])
    np.testing.assert_array_equal(y, opc.compile(graph("6", WEIGHTS))(x, i))
