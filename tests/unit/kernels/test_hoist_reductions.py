"""What is reduced once for many points has the bits of what each of them reduces by itself."""

from __future__ import annotations

import numpy as np
import pytest

from opc.dialects import kernel
from opc.dialects.registry import context
from opc.passes import pipeline
from tests.unit.common.graphs import compiled, parse

pytestmark = pytest.mark.sample(3)

PRODUCT = """
func.func @main(%x: tensor<3x5000xf32>{argument}) -> tensor<3x70xf32> {{
  {filled}
  %m = opc.matmul %x, %w : tensor<3x5000xf32>, tensor<5000x70xf32> -> tensor<3x70xf32>
  %r = opc.relu %m
  return %r : tensor<3x70xf32>
}}"""
SUM = """
func.func @main(%x: tensor<3x1x200xf32>{argument}) -> tensor<3x70x1xf32> {{
  %t = opc.transpose %x {{permutation = [1, 0, 2]}}
  {filled}
  %p = opc.mul %t, %w : tensor<1x3x200xf32>, tensor<70x3x200xf32> -> tensor<70x3x200xf32>
  %e = opc.exp %p
  %s = opc.reduce_sum %e {{axes = [2], keepdims = true}}
  %r = opc.transpose %s {{permutation = [1, 0, 2]}}
  return %r : tensor<3x70x1xf32>
}}"""
TWO = """
func.func @main(%x: tensor<2x300xf32>{argument}) -> tensor<2x4xf32> {{
  {filled}
  %m = opc.matmul %x, %w : tensor<2x300xf32>, tensor<300x90xf32> -> tensor<2x90xf32>
  %u = opc.constant dense<0.3> : tensor<90x4xf32>
  %n = opc.matmul %m, %u : tensor<2x90xf32>, tensor<90x4xf32> -> tensor<2x4xf32>
  return %n : tensor<2x4xf32>
}}"""
GRAPHS = {
    "product": (PRODUCT, "5000x70", 1),
    "sum": (SUM, "70x3x200", 1),
    "two products": (TWO, "300x90", 2),
}


def reduced(text: str) -> list[int]:
    """How many points each nest has that reduces."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("kernels"))
    sweeps = [op for op in module.walk() if isinstance(op, kernel.SweepOp) and op.kinds]
    nests = [nest for sweep in sweeps if isinstance(nest := sweep.parent_op(), kernel.NestOp)]
    return [int(np.prod([e.constant for e in nest.extents.data])) for nest in nests]


def extents(text: str) -> list[int]:
    """Those of the first input of a graph."""
    return [int(n) for n in text.split("tensor<")[1].split("xf32")[0].split("x")]


@pytest.mark.parametrize("name", GRAPHS)
def test_bits(name: str) -> None:
    """A filled constant, of which nothing is read, beside an input that is filled as well."""
    text, shape, count = GRAPHS[name]
    filled = f"%w = opc.constant dense<0.7> : tensor<{shape}xf32>"
    constant = text.format(filled=filled, argument="")
    variable = text.format(filled="", argument=f", %w: tensor<{shape}xf32>")
    x = np.random.default_rng(7).normal(size=extents(text)).astype(np.float32)
    w = np.full(extents(f"tensor<{shape}xf32>"), 0.7, np.float32)
    (found,), (expected,) = compiled(constant)(x), compiled(variable)(x, w)
    np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))
    assert reduced(constant) == [len(x)] * count
    assert reduced(variable)[0] > len(x)


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_rows_that_only_a_run_knows(rows: int) -> None:
    """None of them reads what is not there, and all of them are there."""
    text = """
func.func @main(%x: tensor<6xf32>, %y: tensor<?x6xf32, #opc.dims<N, 6>>)
    -> (tensor<?x3xf32, #opc.dims<N, 3>>, tensor<?x3xf32, #opc.dims<N, 3>>) {
  %w = opc.constant dense<0.25> : tensor<6x3xf32>
  %b = opc.broadcast %x : tensor<6xf32> -> tensor<?x6xf32, #opc.dims<N, 6>>
  %m = opc.matmul %b, %w
  %n = opc.matmul %y, %w
  return %m, %n : tensor<?x3xf32, #opc.dims<N, 3>>, tensor<?x3xf32, #opc.dims<N, 3>>
}"""
    x = np.arange(6, dtype=np.float32)
    y = np.arange(6 * rows, dtype=np.float32).reshape(rows, 6)
    m, n = compiled(text)(x, y)
    np.testing.assert_array_equal(m, np.full((rows, 3), 15 * 0.25, np.float32))
    np.testing.assert_array_equal(n, np.repeat(y.sum(axis=1) / 4, 3).reshape(rows, 3))
