"""Powers by constants: products, quotients and roots, within the bounds of pow."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from tests.unit.common.tolerance import assert_close

pytestmark = pytest.mark.sample(16)


@pytest.mark.parametrize("type", ["f64", "f32", "f16", "bf16"])
@pytest.mark.parametrize("exponent", [1, 2, 3, -1, 0.5, -0.5, 0.0, 4, -2, 1.5])
def test_constant_powers(type: str, exponent: float) -> None:
    name = f"pow(x, {exponent})"
    kind = el.BY_NAME[type]
    x = (np.random.default_rng(9).standard_normal(400) * 3).astype(kind.dtype)
    x[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, -1.5, 1.0, -1.0]
    text = f"""func.func @main(%x: tensor<400x{type}>) -> tensor<400x{type}> {{
      %e = opc.constant dense<{float(exponent)}> : tensor<{type}>
      %r = opc.pow %x, %e
      return %r : tensor<400x{type}>
    }}"""
    compiled = opc.compile(text)
    is_general = exponent in (0.0, 4, -2, 1.5)
    assert ("opc_pow" in compiled.c_source) == is_general
    wide = x.astype(np.float64 if kind.bits < 64 else np.longdouble)
    with np.errstate(all="ignore"):
        # Of a lone 0.5 NumPy makes a square root, which differs for -infinity.
        expected = np.power(wide, np.full_like(wide, exponent)).astype(x.dtype)
    assert_close(compiled(x), expected, ulp=1 if kind.bits == 16 else 2, what=name)


def test_constant_powers_of_integers_and_shapes() -> None:
    text = """func.func @main(%x: tensor<?x4xi8>, %y: tensor<4xf32>)
        -> (tensor<?x4xi8>, tensor<3x4xf32>) {
      %e = opc.constant dense<3> : tensor<1xi8>
      %r = opc.pow %x, %e
      %f = opc.constant dense<2.0> : tensor<3x1xf32>
      %s = opc.pow %y, %f
      return %r, %s : tensor<?x4xi8>, tensor<3x4xf32>
    }"""
    compiled = opc.compile(text)
    assert "opc_pow_i8" not in compiled.c_source
    x = np.arange(-128, 128, dtype=np.int8).reshape(64, 4)
    y = np.float32([-1, 2, 0, 3])
    cubes, squares = compiled(x, y)
    np.testing.assert_array_equal(cubes, x * x * x)
    np.testing.assert_array_equal(squares, np.tile(y * y, (3, 1)))
