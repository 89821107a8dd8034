"""Subnormal weights of contractions count as zeros, unless the function keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.errors import OpcError
from opc.oracle.subject import Subject
from opc.tools.cli import main
from tests.unit.common.graphs import parse

LEAST = {"f32": np.finfo(np.float32).smallest_normal, "f64": np.finfo(np.float64).smallest_normal}
DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


def dense(array: Any) -> str:
    """The elements of an array in text."""
    digits = 17 if array.dtype == np.float64 else 9
    return np.array2string(
        array,
        separator=", ",
        threshold=10**6,
        formatter={"float_kind": lambda v: f"{v:.{digits}e}"},
    )


def product(weights: Any, type: str, rows: int = 3) -> str:
    """A matrix product with weights."""
    k, n = weights.shape
    return f"""
func.func @product(%x: tensor<{rows}x{k}x{type}>) -> tensor<{rows}x{n}x{type}> {{
  %w = opc.constant dense<{dense(weights)}> : tensor<{k}x{n}x{type}>
  %y = opc.matmul %x, %w
  func.return %y : tensor<{rows}x{n}x{type}>
}}"""


def mixed(type: str, shape: tuple[int, ...]) -> Any:
    """Weights, a third of which are subnormal, with the least normal numbers and zeros."""
    rng, least = np.random.default_rng(7), LEAST[type]
    values = rng.standard_normal(shape).astype(DTYPES[type])
    kinds = rng.integers(0, 6, shape)
    values = np.where(kinds < 2, values * least / 4, values)
    values = np.where(kinds == 2, np.copysign(least, values), values)
    return np.where(kinds == 3, 0, values).astype(DTYPES[type])


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_subnormal_weights_are_zeros_in_the_bits_of_the_result(type: str) -> None:
    weights = mixed(type, (40, 24))
    weights[:, 0] = LEAST[type] / 4
    zeroed = np.where(np.abs(weights) < LEAST[type], 0, weights)
    assert (zeroed != weights).any() and (np.abs(zeroed) == LEAST[type]).any()
    x = np.full((3, 40), 1 / LEAST[type] / 64, DTYPES[type])
    x[1] = np.random.default_rng(1).standard_normal(40)
    result = opc.compile(product(weights, type))(x)
    assert result.tobytes() == opc.compile(product(zeroed, type), subnormals="kept")(x).tobytes()
    kept = opc.compile(product(weights, type), subnormals="kept")(x)
    assert result[0, 0] == 0 and kept[0, 0] == 40 / 256
    exact = np.sum(np.abs(x[:, :, None] * (weights - zeroed)), axis=1, dtype=np.longdouble)
    rounding = 8 * np.finfo(DTYPES[type]).eps * (np.abs(x) @ np.abs(weights))
    assert (np.abs(kept - result) <= exact + rounding).all()


def test_weights_behind_movement_are_flushed_and_other_uses_keep_their_values() -> None:
    graph = """
func.func @both(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %w = opc.constant dense<[[1.0, 1.0e-40, 2.0, -1.0e-40], [1.0e-39, 3.0, 0.0, 1.0]]>
      : tensor<2x4xf32>
  %t = opc.transpose %w {permutation = [1, 0]}
  %y = opc.matmul %x, %t
  %kept = opc.add %w, %x
  %both = opc.matmul %kept, %t
  func.return %y, %kept, %both : tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}"""
    x = np.zeros((2, 4), np.float32)
    y, kept, both = opc.compile(graph)(np.full_like(x, 1e38))
    assert y.tolist() == [[np.float32(3e38), np.inf], [np.float32(3e38), np.inf]]
    _, kept, both = opc.compile(graph)(x)
    assert kept[0, 1] == np.float32(1e-40) and kept[0, 3] == np.float32(-1e-40)
    # A sum is no weight, and so keeps them.
    np.testing.assert_allclose(both, [[5, 2e-40], [1e-39, 10]], rtol=1e-4)


def test_an_argument_keeps_its_subnormal_elements() -> None:
    graph = """
func.func @argument(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = opc.matmul %x, %w
  func.return %y : tensor<2x3xf32>
}"""
    w = np.full((4, 3), 1.0e-40, np.float32)
    assert (opc.compile(graph)(np.full((2, 4), 1e30, np.float32), w) > 3e-10).all()


def test_convolutions_and_bodies_of_scans_have_flushed_weights() -> None:
    graph = """
func.func @main(%x: tensor<5x2x4xf32>, %i: tensor<1x1x3x3xf32>)
    -> (tensor<2x4xf32>, tensor<1x1x3x3xf32>) {
  %w = opc.constant dense<1.0e-40> : tensor<4x4xf32>
  %h = opc.constant dense<1.0e38> : tensor<2x4xf32>
  %y = opc.scan @step <5> carry (%h) over (%x) with (%w)
      : (tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>)
  %f = opc.constant dense<1.0e-40> : tensor<1x1x3x3xf32>
  %c = opc.conv %i, %f {pads = [1, 1, 1, 1]}
  func.return %y, %c : tensor<2x4xf32>, tensor<1x1x3x3xf32>
}
func.func private @step(%h: tensor<2x4xf32>, %x: tensor<2x4xf32>, %w: tensor<4x4xf32>)
    -> tensor<2x4xf32> {
  %p = opc.matmul %h, %w
  %y = opc.add %p, %x
  func.return %y : tensor<2x4xf32>
}"""
    x, image = np.zeros((5, 2, 4), np.float32), np.full((1, 1, 3, 3), 1e38, np.float32)
    state, conv = opc.compile(graph)(x, image)
    assert not state.any() and not conv.any()
    state, conv = opc.compile(graph, subnormals="kept")(x, image)
    assert (conv > 0).all()


def test_the_interpreter_of_the_graph_allows_zeros_and_says_where_they_are_kept() -> None:
    weights = np.full((8, 8), 1.0e-40, np.float32)
    x = [np.ones((3, 8), np.float32)]
    for word in ("flushed", "kept"):
        options = opc.Options(subnormals=word)
        subject = Subject.of(parse(product(weights, "f32")), None, options)
        assert subject.try_on(x).agrees


def test_an_option_that_is_no_such_word_is_refused() -> None:
    with pytest.raises(OpcError, match="subnormals: found 'yes', expected 'flushed' or 'kept'"):
        opc.Options(subnormals="yes")


def test_a_function_says_what_its_subnormal_weights_are(tmp_path: Path) -> None:
    graph = product(np.full((4, 3), 1.0e-40, np.float32), "f32")
    kept, usual = opc.compile(graph, subnormals="kept"), opc.compile(graph)
    assert (kept.subnormals, usual.subnormals) == ("kept", "flushed")
    assert "#define PRODUCT_SUBNORMALS_KEPT 1" in kept.header
    assert "SUBNORMALS" not in usual.header
    saved = opc.load(kept.save(tmp_path))
    assert saved.subnormals == "kept"
    assert json.loads((tmp_path / "product.json").read_text("utf-8"))["subnormals"] == "kept"
    x = np.full((3, 4), 1e38, np.float32)
    assert saved(x).tobytes() == kept(x).tobytes() != usual(x).tobytes()


def test_a_printed_stage_keeps_what_the_function_says(tmp_path: Path) -> None:
    weights = np.full((4, 3), 1.0e-40, np.float32)
    graph = tmp_path / "product.mlir"
    graph.write_text(product(weights, "f32"))
    x = np.full((3, 4), 1e38, np.float32)
    printed = {}
    for option in ([], ["--subnormals", "kept"]):
        folder = tmp_path / str(len(option))
        assert main(["compile", str(graph), "--emit", "graph", "-o", str(folder), *option]) == 0
        printed[len(option)] = opc.compile(folder / "product.graph.mlir")(x)
    assert not printed[0].any() and (printed[2] > 0).all()
