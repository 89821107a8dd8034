"""Rows whose last sweep goes with the first one of the next row have the same bits."""

from __future__ import annotations

import re

import numpy as np
import pytest

import opc
from opc import pipeline
from opc.passes import plan_buffers
from opc.runtime.callable import CompiledFunction

ROWS = """
  func.func @main(%x: tensor<{n}x{w}x{t}>) -> tensor<{n}x{w}x{t}> {{
    {first}
    %d = opc.sub %x, %m
    {between}
    %r = opc.{last} %d, %s
    func.return %r : tensor<{n}x{w}x{t}>
  }}"""
FIRST = {
    "max": "%m = opc.reduce_max %x {axes = [1], keepdims = true}",
    "mean": "%m = opc.reduce_mean %x {axes = [1], keepdims = true}",
    "both": """%g = opc.reduce_max %x {axes = [1], keepdims = true}
    %k = opc.reduce_mean %x {axes = [1], keepdims = true}
    %m = opc.add %g, %k""",
}
BETWEEN = {
    "exp": """%e = opc.exp %d
    %s = opc.reduce_sum %e {axes = [1], keepdims = true}""",
    "square": """%e = opc.mul %d, %d
    %s = opc.reduce_max %e {axes = [1], keepdims = true}""",
}
DTYPES = {"f32": np.float32, "f64": np.float64}


def texts(text: str, monkeypatch: pytest.MonkeyPatch, **options: int) -> list[CompiledFunction]:
    """A graph compiled as it is, and without the pass."""
    function = opc.compile(text, cache=None, **options)
    without = tuple(p for p in pipeline.STAGES["loops"] if p != "rotate-loops")
    monkeypatch.setitem(pipeline.STAGES, "loops", without)
    return [function, opc.compile(text, cache=None)]


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize(
    ("rows", "width", "type"),
    [(32, 512, "f32"), (33, 400, "f64"), (64, 1025, "f32"), (100, 2049, "f32"), (600, 512, "f32")],
)
def test_the_bits_are_the_same(
    rows: int, width: int, type: str, first: str, between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ROWS.format(
        n=rows, w=width, t=type, first=FIRST[first], between=BETWEEN[between], last="div"
    )
    f, g = texts(text, monkeypatch, threads=2)
    assert f.c_source != g.c_source
    x = np.random.default_rng(width).standard_normal((rows, width)).astype(DTYPES[type])
    x[0, 0], x[-1, -1], x[rows // 2] = np.nan, np.inf, 0.0
    np.testing.assert_array_equal(f(x), g(x))


@pytest.mark.parametrize("rows", [0, 1, 2, 4, 5, 64, 255, 256, 260])
def test_rows_and_columns_of_unknown_number(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ROWS.format(
        n="?", w="?", t="f32", first=FIRST["max"], between=BETWEEN["exp"], last="sub"
    )
    f, g = texts(text, monkeypatch)
    assert f.c_source != g.c_source
    for width in (1, 7, 64, 100, 3000):
        x = np.random.default_rng(rows).standard_normal((rows, width)).astype(np.float32)
        np.testing.assert_array_equal(f(x), g(x))


def test_what_is_written_over_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that the last sweep writes lie where the first one reads."""
    text = """
  func.func @main(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
    %a = opc.exp %x
    %c = opc.reduce_sum %a {axes = [0], keepdims = true}
    %b = opc.div %a, %c
    %s = opc.reduce_sum %b {axes = [1], keepdims = true}
    %r = opc.div %b, %s
    func.return %r : tensor<64x1024xf32>
  }"""
    f, g = texts(text, monkeypatch)
    assert "out0[" in f.c_source and f.c_source == g.c_source
    monkeypatch.undo()
    monkeypatch.setattr(plan_buffers, "written_over", lambda nests: {})
    f, g = texts(text, monkeypatch)
    assert f.c_source != g.c_source


def test_rows_of_unknown_number_are_shared_by_threads() -> None:
    """Blocks of a fixed number of rows would all go to one thread where there are few."""
    text = ROWS.format(
        n="?", w=4096, t="f32", first=FIRST["max"], between=BETWEEN["exp"], last="sub"
    )
    source = opc.compile(text).c_source
    assert "e0 = n0 / 256;" in source
    assert re.search(r"opc_share_of\(0, e\d, 1\)", source)
