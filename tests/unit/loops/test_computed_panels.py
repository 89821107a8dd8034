"""Panels of bytes that are computed of what runs along the contracted axis."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import opc
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction

GRAPH = """
func.func @main(%x: tensor<{m}x{k}xui8>, %y: tensor<{m}x{k}xui8>) -> tensor<{n}x{m}xi32> {{
  %w = opc.constant dense<"0x{weights}"> : tensor<{n}x{k}xi8>
  %a = opc.cast %x : tensor<{m}x{k}xui8> -> tensor<{m}x{k}xf32>
  %b = opc.cast %y : tensor<{m}x{k}xui8> -> tensor<{m}x{k}xf32>
  %s = opc.add %a, %b
  %h = opc.constant dense<0.4> : tensor<f32>
  %t = opc.mul %s, %h
  %q = opc.cast %t : tensor<{m}x{k}xf32> -> tensor<{m}x{k}xui8>
  %i = opc.cast %q : tensor<{m}x{k}xui8> -> tensor<{m}x{k}xi32>
  %j = opc.cast %w : tensor<{n}x{k}xi8> -> tensor<{n}x{k}xi32>
  %r = opc.contract %j, %i {{equation = "nk,mk->nm"}}
  func.return %r : tensor<{n}x{m}xi32>
}}
"""


@pytest.mark.parametrize("machine", ["avx512", "amx", "avx2"])
@pytest.mark.parametrize(
    ("m", "k", "n"), [(64, 24, 16), (70, 30, 40), (64, 128, 17), (33, 67, 16), (200, 65, 5)]
)
def test_sums_are_exact(m: int, k: int, n: int, machine: str) -> None:
    """With what is left over of columns, of rows of a panel and of groups of products."""
    rng = np.random.default_rng(k)
    w = rng.integers(-128, 128, (n, k), dtype=np.int8)
    x, y = rng.integers(0, 256, (2, m, k), dtype=np.uint8)
    text = GRAPH.format(m=m, k=k, n=n, weights=w.tobytes().hex())
    lowered = opc.lower(text, target=machine, cache=None).emitted
    built: Any = caching.build(lowered.source, cc=None, target="native", threads=1, cache=None)
    found = CompiledFunction(lowered.interface, built, lowered.weights, 1)(x, y)
    q = ((x.astype(np.float32) + y) * np.float32(0.4)).astype(np.uint8)
    np.testing.assert_array_equal(found, w.astype(np.int32) @ q.T.astype(np.int32))


def test_values_are_computed_in_vectors() -> None:
    """A loop along the contracted axis computes them, and another one moves groups of them."""
    text = GRAPH.format(m=64, k=24, n=16, weights=bytes(range(128)).hex() * 3)
    source = opc.lower(text, target="amx", cache=None).emitted.source
    assert source.count("* 0.4f") == 1
    assert re.search(r"\[(\w+) \* \d+ \+ \w+ \* 4 \+ 3\] = \w+\[\1 \+ \w+ \* 64 \+ 3\];", source)
