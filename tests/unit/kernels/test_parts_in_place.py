"""Parts of a concatenation lie in the whole, and are there as long as anything needs them."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.api.driver import load
from opc.dialects import kernel
from opc.dialects.registry import context
from opc.interpret import kernel as interpreted
from opc.interpret import loop as loops
from opc.interpret.graph import evaluate
from opc.oracle.subject import function_in
from opc.passes import pipeline
from tests.unit.common.graphs import parse
from tests.unit.common.ir_runs import after_passes

GROWING = """
func.func @main(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %a = opc.exp %x
  %b = opc.concat %x, %a {axis = 1}
  %c = opc.tanh %b
  %d = opc.slice %c {starts = [0, 8, 0, 0], stops = [1, 24, 4, 4], steps = [1, 1, 1, 1]}
  %e = opc.reduce_max %d {axes = [2, 3], keepdims = true}
  %f = opc.mul %d, %e : tensor<1x16x4x4xf32>, tensor<1x16x1x1xf32> -> tensor<1x16x4x4xf32>
  %g = opc.concat %b, %f, %f {axis = 1}
  %h = opc.sqrt %g
  %s = opc.reduce_sum %h {axes = [1], keepdims = true} : tensor<1x64x4x4xf32> -> tensor<1x1x4x4xf32>
  %i = opc.mul %s, %a : tensor<1x1x4x4xf32>, tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  %j = opc.add %i, %f : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  return %j : tensor<1x16x4x4xf32>
}"""
"""Parts of parts, one that is there twice, and some that are needed when the whole no longer is."""


def copies(text: str) -> int:
    """How many sweeps are left that only copy."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("schedule"))
    sweeps = [op for op in module.walk() if isinstance(op, kernel.SweepOp)]
    return sum(not op.kinds and len(op.body.block.ops) == 3 for op in sweeps)


def test_interpreters_and_c_agree() -> None:
    """The interpreters know which memory holds what; C is called twice, over other values."""
    x = np.abs(np.random.default_rng(5).normal(size=(1, 16, 4, 4))).astype(np.float32)
    results: list[np.ndarray] = []
    for name, function in after_passes(GROWING, "source", "loops"):
        if name in ("fuse-kernels", "plan-buffers", "schedule"):
            results += interpreted.run(function, [x])
        if name == "place-buffers":
            results += loops.run(function, [x])
    compiled = opc.compile(GROWING)
    compiled(x[:, ::-1].copy())
    results.append(np.asarray(compiled(x)))
    assert len(results) == 5
    for found in results[1:]:
        np.testing.assert_allclose(found, results[0], rtol=1e-5)


def test_nothing_copies_parts() -> None:
    """An input is copied, and what is there twice the second time."""
    assert copies(GROWING) == 2


def test_what_is_scattered_over_a_copy_is_no_whole() -> None:
    """Of two scatters into one sum, the second one copied what the first one had left."""
    text = """
func.func @main(%x: tensor<3x25xf32>, %i: tensor<3x1xi64>, %v: tensor<3x1xf32>)
    -> (tensor<3x1xf32>, tensor<3x1xf32>) {
  %s = opc.reduce_sum %x {keepdims = true, axes = [1]}
  %u = opc.scatter_elements %s, %v, %i {reduction = "mul", axis = 0}
  %w = opc.scatter_elements %s, %v, %i {reduction = "max", axis = 0}
  func.return %u, %w : tensor<3x1xf32>, tensor<3x1xf32>
}"""
    x = np.arange(1, 76, dtype=np.float32).reshape(3, 25)
    index, factors = np.array([[0], [1], [2]]), np.full((3, 1), 2, np.float32)
    first, second = opc.compile(text, cache=None)(x, index, factors)
    sums = x.sum(1, keepdims=True)
    np.testing.assert_array_equal(first, 2 * sums)
    np.testing.assert_array_equal(second, sums)


def test_no_result_is_written_over_a_part_that_is_needed() -> None:
    """The whole is read for the last time before a part of it is."""

    def softmax(name: str, of: str) -> str:
        return f"""
  %{name}m = opc.reduce_max %{of} {{axes = [1], keepdims = true}}
  %{name}d = opc.sub %{of}, %{name}m
  %{name}e = opc.exp %{name}d
  %{name}s = opc.reduce_sum %{name}e {{axes = [1], keepdims = true}}
  %{name} = opc.div %{name}e, %{name}s"""

    text = f"""
func.func @main(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<32x64xf32> {{
  {softmax("a", "x")}{softmax("b", "y")}
  %c = opc.concat %a, %b {{axis = 0}}{softmax("r", "c")}
  %t = opc.transpose %r {{permutation = [1, 0]}}
  %g = opc.matmul %r, %t
  %h = opc.slice %g {{starts = [0, 0], stops = [32, 16], steps = [1, 1]}}
  %z = opc.matmul %h, %a
  func.return %z : tensor<32x64xf32>
}}"""
    x, y = (np.random.default_rng(k).normal(size=(16, 64)).astype(np.float32) for k in (0, 1))
    found = opc.compile(text, cache=None)(x, y)
    wanted = opc.compile(text, fuse=False, cache=None)(x, y)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "reads, body",
    [
        ("%r = opc.gather %b, %i {axes = [0]}", ""),
        (
            "%z = opc.constant dense<0.0> : tensor<1xf32>\n"
            "%r = opc.scan @step <64> carry (%z) over (%b)"
            " : (tensor<1xf32>, tensor<64x1xf32>) -> (tensor<1xf32>)",
            "func.func private @step(%c: tensor<1xf32>, %e: tensor<1xf32>) -> tensor<1xf32> {\n"
            "  %t = opc.add %c, %e\n  func.return %t : tensor<1xf32>\n}",
        ),
    ],
)
def test_a_part_that_is_read_behind_its_whole(reads: str, body: str) -> None:
    """The whole is not written over as long as something reads a part of it, by index or whole."""
    text = f"""
    func.func @f(%x: tensor<64x8xf32>, %i: tensor<i64>) -> (tensor<128x1xf32>, tensor<1xf32>) {{
      %a = opc.reduce_sum %x {{axes = [1], keepdims = true}}
      %b = opc.reduce_max %x {{axes = [1], keepdims = true}}
      %w = opc.concat %a, %b {{axis = 0}}
      %s = opc.reduce_sum %w {{axes = [0], keepdims = true}}
      %n = opc.sub %w, %s
      {reads}
      func.return %n, %r : tensor<128x1xf32>, tensor<1xf32>
    }}
    {body}
    """
    x, i = np.random.default_rng(0).standard_normal((64, 8)).astype(np.float32), np.array(5)
    found, expected = opc.compile(text)(x, i), evaluate(function_in(load(text)), [x, i])
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
