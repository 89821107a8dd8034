"""Sums along rows of much memory: gcc is told to read it in order, with the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.emit import rolled

SUM = """func.func @main(%x: tensor<{n}x{m}xf32>) -> tensor<{n}xf32> {{
  %a = opc.{of} %x
  %r = opc.reduce_sum %a {{axes = [1]}}
  func.return %r : tensor<{n}xf32>
}}"""
NORM = """func.func @main(%x: tensor<{n}x{m}xf32>) -> tensor<{n}x{m}xf32> {{
  %s = opc.reduce_sum %x {{axes = [1], keepdims = true}}
  %r = opc.div %x, %s
  func.return %r : tensor<{n}x{m}xf32>
}}"""


@pytest.mark.parametrize(("n", "m"), [(30000, 300), ("?", 300), ("?", "?"), (40000, 64)])
def test_rounds_are_not_mixed(n: int | str, m: int | str) -> None:
    text = opc.compile(SUM.format(n=n, m=m, of="abs"), cache=None).c_source
    assert "  OPC_ROLLED\n  for (int64_t " in text
    assert "    OPC_IN_ORDER\n    for (int64_t " in text


@pytest.mark.parametrize(
    "text",
    [
        SUM.format(n=300, m=300, of="abs"),
        SUM.format(n=30000, m=300, of="exp"),
        NORM.format(n=30000, m=300),
        NORM.format(n="?", m=300),
    ],
)
def test_where_rounds_are_mixed(text: str) -> None:
    """Little memory, functions that take the time, and what is read again to be written."""
    assert "OPC_IN_ORDER" not in opc.compile(text, cache=None).c_source


@pytest.mark.parametrize("m", [64, 128, 300, 768, 5000])
def test_bits_are_the_same(m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(m).standard_normal((37, m)).astype(np.float32)
    mixed = opc.compile(SUM.format(n=37, m=m, of="abs"))
    monkeypatch.setattr(rolled, "LARGE", 0)
    ordered = opc.compile(SUM.format(n=37, m=m, of="abs"), cache=None)
    assert "OPC_IN_ORDER" in ordered.c_source
    assert ordered(x).tobytes() == mixed(x).tobytes()
