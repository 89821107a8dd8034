"""Reductions over axes along which a value repeats itself: it is computed once for each point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from tests.unit.common.graphs import oracle
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(4)

REDUCTIONS = ("sum_square", "l2", "max", "prod", "mean")


def graph(times: int, points: int, type: str) -> str:
    """A value for each point, seen so many times, reduced in every way."""
    lines = [
        f"%r{k} = opc.reduce_{name} %b {{axes = [0], keepdims = true}}"
        for k, name in enumerate(REDUCTIONS)
    ]
    results = ", ".join(f"%r{k}" for k in range(len(REDUCTIONS)))
    types = ", ".join([f"tensor<1x{points}x{type}>"] * len(REDUCTIONS))
    return f"""func.func @main(%x: tensor<{points}x{type}>) -> ({types}) {{
  %s = opc.mul %x, %x
  %b = opc.broadcast %s : tensor<{points}x{type}> -> tensor<{times}x{points}x{type}>
  {chr(10).join(lines)}
  func.return {results} : {types}
}}"""


@pytest.mark.parametrize("type", ["f32", "f16", "f64"])
@pytest.mark.parametrize("times", [2, 5, 9, 70])
def test_repeated_values(times: int, type: str) -> None:
    rng = np.random.default_rng(times)
    for points in (1, 3, 4, 8, 16, 31, 33, 100):
        text = graph(times, points, type)
        x = (rng.normal(size=points) / 2).astype(el.BY_NAME[type].dtype)
        found: Any = opc.compile(text)(x)
        for name, a, b in zip(REDUCTIONS, found, oracle(text, [x]), strict=True):
            assert_same_bits(a, b, f"{name} of {points} points")
