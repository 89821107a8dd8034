"""Softmaxes: maxima that pass NaNs over, where the exponentials of a row show them anyway."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.kernels import max_numbers

pytestmark = pytest.mark.sample(32)

SOFTMAX = """
  func.func @main(%x: tensor<{n}x{w}x{t}>) -> tensor<{n}x{w}x{t}> {{
    %m = opc.reduce_max %x {{axes = [{axis}], keepdims = true}}
    %d = opc.sub %x, %m
    %e = opc.exp %d
    %s = opc.reduce_sum %e {{axes = [{axis}], keepdims = true}}
    %r = opc.div %e, %s
    func.return %r : tensor<{n}x{w}x{t}>
  }}"""
LOGARITHM = SOFTMAX.replace("%r = opc.div %e, %s", "%l = opc.log %s\n    %r = opc.sub %d, %l")
HIDDEN = SOFTMAX.replace(
    "%d = opc.sub %x, %m",
    "%c = opc.constant dense<-1.0e+38> : tensor<1x1x{t}>\n"
    "    %l = opc.max %m, %c\n    %d = opc.sub %x, %l",
).replace(
    "%r = opc.div %e, %s",
    "%o = opc.constant dense<1.0> : tensor<1x1x{t}>\n"
    "    %t = opc.max %s, %o\n    %r = opc.div %e, %t",
)
"""A softmax that gives 0 for rows of -inf, as attention with masks does."""
DTYPES = {"f32": np.float32, "f64": np.float64}


def rows(shape: tuple[int, int], type: str) -> np.ndarray:
    """Rows of numbers, and some of or with what is none, and of zeros."""
    x = np.random.default_rng(shape).standard_normal(shape) * 5
    for k, row in enumerate(
        (np.nan, np.inf, -np.inf, 0.0, -0.0, [0.0, -0.0], [-np.inf, -0.0, 0.0], [np.nan, 1.0])
    ):
        x[k] = np.resize(row, shape[1])
    for k, (place, value) in enumerate(
        ((0, np.nan), (-1, np.nan), (shape[1] // 2, np.inf), (-1, -np.inf), (0, 300.0))
    ):
        x[10 + k, place] = value
    x[-1, -1] = np.nan
    return x.astype(DTYPES[type])


@pytest.mark.parametrize(
    "text", [SOFTMAX, LOGARITHM, HIDDEN], ids=["softmax", "logarithm", "hidden rows"]
)
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((20, 9), 1), ((40, 70), 1), ((40, 100), 1), ((64, 600), 1), ((40, 5), 0), ((33, 700), 0)],
    ids=str,
)
def test_passing_nans_over_does_not_show(
    shape: tuple[int, int], axis: int, type: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in which results are NaN, not in the bits of the others, nor in the signs of zeros."""
    text = text.format(n=shape[0], w=shape[1], t=type, axis=axis)
    f = opc.compile(text, cache=None)
    monkeypatch.setattr(max_numbers, "EXPONENTIALS", ())
    g = opc.compile(text, cache=None)
    assert f.c_source != g.c_source
    assert "opc_exp_neg_" in f.c_source
    x = rows(shape, type) if axis == 1 else rows((40, shape[0]), type)[: shape[1], :].T
    x = np.ascontiguousarray(np.resize(x, shape))
    new, old = f(x), g(x)
    np.testing.assert_array_equal(new, old)
    numbers = ~np.isnan(old)
    assert numbers.any() and not numbers.all()
    np.testing.assert_array_equal(np.signbit(new)[numbers], np.signbit(old)[numbers])


@pytest.mark.parametrize(
    "stored",
    [
        "%e",
        "%m",
        "%d",
        "opc.mul %s, %d",
        "opc.reduce_max %e {axes = [1], keepdims = true}",
        "opc.greater %e, %s",
        "opc.max %e, %m",
    ],
)
def test_maxima_that_show_see_nans(stored: str) -> None:
    """What is stored differs where a row has a NaN, or a zero of the other sign."""
    type = "i1" if "greater" in stored else "f32"
    width = 1 if stored == "%m" or "reduce" in stored else 100
    value, line = (stored, "") if stored[0] == "%" else ("%r", f"%r = {stored}")
    text = f"""
      func.func @main(%x: tensor<40x100xf32>) -> tensor<40x{width}x{type}> {{
        %m = opc.reduce_max %x {{axes = [1], keepdims = true}}
        %d = opc.sub %x, %m
        %e = opc.exp %d
        %s = opc.reduce_sum %e {{axes = [1], keepdims = true}}
        {line}
        func.return {value} : tensor<40x{width}x{type}>
      }}"""
    assert "max_number" not in opc.compile(text).c_source
