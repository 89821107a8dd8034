"""Transposes through tiles: element sizes, edges, several tiles, nothing written beside them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import opc
from opc.schedule import plan_transposes

pytestmark = pytest.mark.sample(80)

TYPES = {"i8": np.int8, "i16": np.int16, "f32": np.float32, "f64": np.float64}
SHAPES = [(130, 67), (9, 300), (3, 70, 66), (2, 17, 3, 35)]
GUARD = 128

BLOCKS = [
    ((121, 128), (1, 0)),  # what is left over after full blocks is less than a cache line
    ((96, 1024), (1, 0)),
    ((1029, 300), (1, 0)),
    ((1000, 9), (1, 0)),
    ((9, 1000), (1, 0)),
    ((15, 300), (1, 0)),
    ((300, 17), (1, 0)),
    ((121, 1000), (1, 0)),
    ((3, 121, 128), (0, 2, 1)),
    ((2, 3, 200, 40), (1, 3, 0, 2)),
    ((2, 16, 5, 16, 64), (0, 2, 4, 1, 3)),
]


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


@pytest.mark.parametrize("shape", [(0, 20, 30), (20, 0, 30), (20, 30, 0)], ids=str)
def test_nothing(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    for order in itertools.permutations(range(3)):
        f = permuted("f32", shape, order, "%r = opc.neg %t")
        assert "opc_transpose" not in f.c_source
        assert f(x).shape == tuple(shape[k] for k in order)


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


@pytest.mark.parametrize("loads", [1, 2])
@pytest.mark.parametrize("caches", [0, plan_transposes.CACHES], ids=["far", "near"])
@pytest.mark.parametrize("dtype", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize(("shape", "order"), BLOCKS, ids=str)
def test_blocks(
    shape: tuple[int, ...],
    order: tuple[int, ...],
    dtype: str,
    caches: int,
    loads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Blocks of what caches do not hold ask for the next ones, and have other sizes.
    monkeypatch.setattr(plan_transposes, "CACHES", caches)
    turned = tuple(shape[k] for k in order)
    x, y = (f"tensor<{'x'.join(map(str, s))}x{dtype}>" for s in (shape, turned))
    function = opc.compile(
        f"""func.func @f(%x: {x}, %w: {x}, %y: {y}) -> {y} {{
          %s = opc.transpose %x {{permutation = {list(order)}}}
          %t = opc.transpose %w {{permutation = {list(order)}}}
          %u = opc.sub %s, %y
          %v = opc.sub %u, %t
          return %{"uv"[loads - 1]} : {y}
        }}""",
        cache=None,
    )
    kind: Any = function.outputs[0].dtype
    rng = np.random.default_rng(len(shape))
    first, second = (rng.integers(-20, 20, shape).astype(kind) for _ in range(2))
    third = rng.integers(-20, 20, turned).astype(kind)
    expected = first.transpose(order) - third
    expected = expected if loads == 1 else expected - second.transpose(order)
    space = np.full(first.nbytes + 2 * GUARD, 0x5A, np.uint8)
    out = space[GUARD:-GUARD].view(kind).reshape(turned)
    function(first, second, third, out=out)
    assert np.array_equal(out, expected)
    assert (space[:GUARD] == 0x5A).all()
    assert (space[-GUARD:] == 0x5A).all()
    asks = "opc_prefetch" in function.c_source
    assert not asks if caches else asks or shape != (1029, 300)
