"""Functions computed for several rounds at once, or in loops of their own, give the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc import pipeline
from opc.runtime.callable import CompiledFunction

GRAPHS = {
    "rows": """
  func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{n}x1x{t}>) -> tensor<{n}x{w}x{t}> {{
    %p = opc.mul %x, %y
    %e = opc.exp %p
    func.return %e : tensor<{n}x{w}x{t}>
  }}""",
    "columns": """
  func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{n}x1x{t}>) -> tensor<{w}x{t}> {{
    %e = opc.tanh %x
    %p = opc.mul %e, %y
    %s = opc.reduce_sum %p {{axes = [0]}}
    func.return %s : tensor<{w}x{t}>
  }}""",
    "one after the other": """
  func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{n}x1x{t}>) -> tensor<{n}x{w}x{t}> {{
    %a = opc.exp %x
    %b = opc.sub %a, %y
    %c = opc.erf %b
    %d = opc.mul %c, %x
    %e = opc.sigmoid %d
    %m = opc.reduce_max %e {{axes = [0], keepdims = true}}
    %r = opc.sub %e, %m
    func.return %r : tensor<{n}x{w}x{t}>
  }}""",
}
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def with_and_without(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[CompiledFunction, CompiledFunction]:
    """A graph compiled as it is, and without one pass."""
    function = opc.compile(text)
    without = tuple(p for p in pipeline.STAGES["loops"] if p != name)
    monkeypatch.setitem(pipeline.STAGES, "loops", without)
    return function, opc.compile(text)


@pytest.mark.parametrize("rows", [1, 15, 100, 333])
@pytest.mark.parametrize(("width", "type"), [(3, "f32"), (7, "f64"), (31, "f32"), (9, "f16")])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_bits_are_the_same(
    name: str, width: int, type: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(rows)
    x = rng.standard_normal((rows, width)).astype(DTYPES[type])
    y = rng.standard_normal((rows, 1)).astype(DTYPES[type])
    text = GRAPHS[name].format(n="?" if rows == 333 else rows, w=width, t=type)
    f, g = with_and_without("batch-functions", text, monkeypatch)
    assert rows == 1 or f.c_source != g.c_source
    np.testing.assert_array_equal(f(x, y), g(x, y))


CHAIN = """
  func.func @main(%x: tensor<{n}x{w}x{t}>, %y: tensor<{w}x{t}>) -> tensor<{n}x{r}x{t}> {{
    %a = opc.exp %x
    %b = opc.sub %a, %y
    %c = opc.tanh %b
    %d = opc.mul %c, %x
    %e = opc.sigmoid %d
    %s = opc.{kind} %e {{axes = [1], keepdims = true}}
    %u = opc.erf %s
    %r = opc.div %e, %u
    func.return %{result} : tensor<{n}x{r}x{t}>
  }}"""


@pytest.mark.parametrize("width", [500, 512, 1025])
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(("kind", "result"), [("reduce_sum", "r"), ("reduce_max", "u")])
def test_chains_have_the_same_bits(
    kind: str, result: str, type: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(width)
    x = rng.standard_normal((9, width)).astype(DTYPES[type])
    y = rng.standard_normal(width).astype(DTYPES[type])
    wide = width if result == "r" else 1
    text = CHAIN.format(n="?", w=width, r=wide, t=type, kind=kind, result=result)
    f, g = with_and_without("cut-chains", text, monkeypatch)
    assert f.c_source != g.c_source
    np.testing.assert_array_equal(f(x, y), g(x, y))
