"""Functions down few columns of groups that lie apart, which are copied in and out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from samples import between_guards, is_untouched

import opc
from opc.passes import folded_columns

DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
TOLERANCE = {"f32": 3e-6, "f64": 1e-14, "f16": 4e-3}
SOFTMAX = """
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s"""
LOG_SUM_EXP = """
  %r = opc.reduce_log_sum_exp %x {axes = [1], keepdims = true}"""
BOTH = """
  %t = opc.tanh %x
  %m = opc.reduce_max %t {axes = [1], keepdims = true}
  %s = opc.reduce_sum %t {axes = [1], keepdims = true}
  %q = opc.reduce_sum %x {axes = [1], keepdims = true}
  %a = opc.sub %t, %m
  %b = opc.mul %a, %s
  %r = opc.add %b, %q"""


def reference(lines: str, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x = x.astype(np.float64)
    e = np.exp(x - x.max(1, keepdims=True))
    if lines == SOFTMAX:
        return e / e.sum(1, keepdims=True)
    if lines == LOG_SUM_EXP:
        return np.log(e.sum(1, keepdims=True)) + x.max(1, keepdims=True)
    t = np.tanh(x)
    return (t - t.max(1, keepdims=True)) * t.sum(1, keepdims=True) + x.sum(1, keepdims=True)


def text(lines: str, shape: tuple[int, ...], type: str, known: bool = True) -> str:
    result = (shape[0], 1, shape[2]) if lines == LOG_SUM_EXP else shape
    of, to = ("x".join([*map(str, s if known else ("?", *s[1:])), type]) for s in (shape, result))
    dims = "" if known else ", #opc.dims<N, {}, {}>"
    of, to = (t + dims.format(s[1], s[2]) for t, s in ((of, shape), (to, result)))
    return (
        f"func.func @main(%x: tensor<{of}>) -> tensor<{to}> {{{lines}\n"
        f"  return %r : tensor<{to}>\n}}"
    )


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
@pytest.mark.parametrize("lines", [SOFTMAX, LOG_SUM_EXP, BOTH], ids=["softmax", "lse", "both"])
@pytest.mark.parametrize(
    "shape", [(1500, 3, 7), (431, 12, 5), (9, 5, 3), (77, 4, 12), (2, 3, 31), (50, 24, 5)]
)
def test_results(shape: tuple[int, ...], lines: str, type: str, known: bool) -> None:
    x, guards = between_guards(shape, DTYPES[type])
    x[...] = np.random.default_rng(0).standard_normal(shape)
    options: dict[str, Any] = {"verify_each": True, "cache": None}
    f = opc.compile(text(lines, shape, type, known), **options)
    wanted = reference(lines, x)
    out, around = between_guards(wanted.shape, DTYPES[type])
    f(x, out=out)
    assert is_untouched(guards)
    assert is_untouched(around)
    limit = TOLERANCE[type] * np.abs(wanted).max()
    assert np.abs(out - wanted).max() <= limit
    if shape[0] > 1000:
        shared = opc.compile(text(lines, shape, type, known), threads=3, **options)
        assert shared(x).tobytes() == out.tobytes()


@pytest.mark.parametrize("lines", [SOFTMAX, LOG_SUM_EXP], ids=["softmax", "lse"])
def test_bits_are_those_of_groups_one_by_one(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(1).standard_normal((333, 5, 7)).astype(np.float32)
    x[3, 2, 1], x[4, :, 0], x[5, 1:, 2], x[6, 0] = np.nan, -np.inf, np.inf, -0.0
    found = opc.compile(text(lines, x.shape, "f32"), cache=None)
    monkeypatch.setattr(folded_columns, "FEWEST_ROWS", 1000)
    other = opc.compile(text(lines, x.shape, "f32"), cache=None)
    assert "% 7" in found.c_source or "/ 7" in found.c_source
    assert found.c_source != other.c_source
    a, b = found(x), other(x)
    assert (np.isnan(a) == np.isnan(b)).all()
    assert np.nan_to_num(a, nan=1.0).tobytes() == np.nan_to_num(b, nan=1.0).tobytes()
