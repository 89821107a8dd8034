"""Transposes through tiles: element sizes, edges of tiles, and several tiles in one nest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import opc

TYPES = {"i8": np.int8, "i16": np.int16, "f32": np.float32, "f64": np.float64}
SHAPES = [(130, 67), (9, 300), (3, 70, 66), (2, 17, 3, 35)]


def permuted(name: str, shape: tuple[int, ...], order: tuple[int, ...], op: str) -> opc.Function:
    source = "x".join(map(str, (*shape, name)))
    target = "x".join(map(str, (*(shape[k] for k in order), name)))
    return opc.compile(f"""
        func.func @main(%x: tensor<{source}>) -> tensor<{target}> {{
          %t = opc.transpose %x {{permutation = {list(order)}}}
          {op}
          func.return %r : tensor<{target}>
        }}""")


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", TYPES)
def test_permutations(name: str, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).integers(-100, 100, shape).astype(TYPES[name])
    for order in itertools.permutations(range(len(shape))):
        f = permuted(name, shape, order, "%r = opc.neg %t")
        np.testing.assert_array_equal(f(x), -x.transpose(order), str(order))


def test_a_matrix_and_its_transpose() -> None:
    f = opc.compile("""
        func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %t = opc.transpose %x {permutation = [1, 0]}
          %u = opc.transpose %y {permutation = [1, 0]}
          %s = opc.sub %t, %u
          func.return %s : tensor<?x?xf32>
        }""")
    rng = np.random.default_rng(1)
    for shape in [(1, 1), (7, 65), (64, 128), (200, 3)]:
        x, y = (rng.standard_normal(shape).astype(np.float32) for _ in range(2))
        np.testing.assert_array_equal(f(x, y), x.T - y.T)
    symmetric = opc.compile("""
        func.func @main(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
          %t = opc.transpose %x {permutation = [1, 0]}
          %s = opc.add %x, %t
          func.return %s : tensor<100x100xf32>
        }""")
    x = rng.standard_normal((100, 100)).astype(np.float32)
    np.testing.assert_array_equal(symmetric(x), x + x.T)
