"""Products that something is added to are rounded, whatever signs neighbouring sums have.

gcc 12 makes one instruction of products and the sums and differences that they are parts of in
turns, also where it is told not to contract.
"""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

import opc

pytestmark = pytest.mark.sample(32)

SHIFTS = [0.25, -2.5, 0.5, -7.0, 0.1, -0.3, 3.0, -1.0]
GRAPHS = {
    "a shift for each column": """
  %c = opc.constant dense<{shifts}> : tensor<{m}x{t}>
  %p = opc.mul %x, %s
  %r = opc.add %p, %c""",
    "a difference": """
  %c = opc.constant dense<{shifts}> : tensor<{m}x{t}>
  %p = opc.mul %x, %s
  %r = opc.sub %p, %c""",
    "a negative product": """
  %c = opc.constant dense<{shifts}> : tensor<{m}x{t}>
  %p = opc.mul %x, %s
  %n = opc.neg %p
  %r = opc.add %n, %c""",
    "a square": """
  %c = opc.constant dense<{shifts}> : tensor<{m}x{t}>
  %p = opc.mul %x, %x
  %u = opc.add %p, %c
  %v = opc.mul %u, %s
  %r = opc.add %v, %c""",
}


def expected(name: str, x: Any, s: Any, c: Any) -> Any:
    """What NumPy computes, each operation rounded."""
    match name:
        case "a shift for each column":
            return x * s + c
        case "a difference":
            return x * s - c
        case "a negative product":
            return -(x * s) + c
        case _:
            return (x * x + c) * s + c


@pytest.mark.parametrize("cc", ["gcc", "clang"])
@pytest.mark.parametrize("rows", ["87", "?"])
@pytest.mark.parametrize("m", [2, 3, 4, 8])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("t", ["f32", "f64"])
def test_each_operation_is_rounded(name: str, t: str, m: int, rows: str, cc: str) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"there is no {cc}")
    body = GRAPHS[name].format(shifts=SHIFTS[:m], m=m, t=t)
    text = (
        f"func.func @f(%x: tensor<{rows}x{m}x{t}>, %s: tensor<{m}x{t}>) -> tensor<{rows}x{m}x{t}> "
        f"{{{body}\n  return %r : tensor<{rows}x{m}x{t}>\n}}"
    )
    dtype = np.dtype({"f32": np.float32, "f64": np.float64}[t])
    rng = np.random.default_rng(0)
    x, s = rng.standard_normal((87, m)).astype(dtype), rng.standard_normal(m).astype(dtype)
    c = np.array(SHIFTS[:m], dtype)
    function = opc.compile(text, cc=cc, cache=None)
    np.testing.assert_array_equal(function(x, s), expected(name, x, s, c))
    for target in ("avx2", "avx512"):
        made = opc.lower(text, target=target).c_source
        assert "opc_rounded_" in made


def test_sums_of_one_sign_stand_as_they_are() -> None:
    """Nothing is written around a product if all sums are alike and no number is known."""
    text = """func.func @f(%x: tensor<9x4xf32>, %s: tensor<4xf32>) -> tensor<9x4xf32> {
  %p = opc.mul %x, %s
  %r = opc.add %p, %s
  return %r : tensor<9x4xf32>
}"""
    assert "opc_rounded" not in opc.lower(text).c_source
    both = text.replace("%r = opc.add %p, %s", "%q = opc.add %p, %s\n %r = opc.sub %p, %q")
    assert "opc_rounded_f32(" in opc.lower(both).c_source
