"""Parts of a concatenation lie in the whole, and are there as long as anything needs them."""

from __future__ import annotations

import numpy as np
from graphs import parse
from ir_runs import after_passes

import opc
from opc import pipeline
from opc.dialects import kernel
from opc.interpret import kernel as interpreted
from opc.interpret import loop as loops
from opc.registry import context

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
