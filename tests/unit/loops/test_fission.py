"""Functions of several rows at once, of full vectors, or in loops of their own: the same bits."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.passes import pipeline
from opc.runtime.callable import CompiledFunction
from opc.schedule import plan_nest

pytestmark = pytest.mark.sample(32)

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
@pytest.mark.parametrize(("width", "type"), [(5, "f32"), (7, "f64"), (31, "f32"), (9, "f16")])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_bits_are_the_same(
    name: str, width: int, type: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Fewer columns go side by side.
    width += 0 if name == "rows" else 64
    rng = np.random.default_rng(rows)
    x = rng.standard_normal((rows, width)).astype(DTYPES[type])
    y = rng.standard_normal((rows, 1)).astype(DTYPES[type])
    text = GRAPHS[name].format(n="?" if rows == 333 else rows, w=width, t=type)
    f = opc.compile(text)
    monkeypatch.setattr(plan_nest, "find_rows", lambda *_: None)
    g = opc.compile(text, cache=None)
    assert (f.c_source != g.c_source) == (rows != 1 and name == "rows")
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


@pytest.mark.parametrize("width", [17, 31, 33, 64, 100, 500, 512, 1025])
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
    f, g = with_and_without("fission", text, monkeypatch)
    assert kind == "reduce_max" or f.c_source != g.c_source
    np.testing.assert_array_equal(f(x, y), g(x, y))


CHOICES = {
    "where": (
        "%c = opc.constant dense<0.0> : tensor<f32>\n %g = opc.greater %d, %c\n"
        " %r = opc.where %g, %d, %z",
        lambda d, z: np.where(d > 0, d, z),
    ),
    "elu": ("%r = opc.elu %d", lambda d, z: np.where(d > 0, d, np.expm1(d))),
}


@pytest.mark.parametrize("width", [2, 7, 16, 17])
@pytest.mark.parametrize("name", CHOICES)
def test_choices_in_narrow_loops(name: str, width: int) -> None:
    """gcc 12 gets memory that is read on one side of a choice wrong there."""
    text, meaning = CHOICES[name]
    type = f"tensor<?x{width}xf32, #opc.dims<N, {width}>>"
    f = opc.compile(f"""
  func.func @main(%x: {type}, %y: tensor<{width}xf32>, %z: {type}) -> {type} {{
    %d = opc.sub %x, %y
    {text}
    func.return %r : {type}
  }}""")
    rng = np.random.default_rng(width)
    x, z = (rng.standard_normal((3000, width)).astype(np.float32) for _ in range(2))
    y = rng.standard_normal(width).astype(np.float32)
    np.testing.assert_allclose(f(x, y, z), meaning(x - y, z), rtol=1e-6)


def test_extremes_of_one_value_in_two_types() -> None:
    x = np.random.default_rng(0).standard_normal((4, 600)).astype(np.float16)
    f = opc.compile("""
  func.func @main(%x: tensor<4x600xf16>) -> (tensor<4xf16>, tensor<4xf64>, tensor<4xf16>) {
    %c = opc.cast %x : tensor<4x600xf16> -> tensor<4x600xf64>
    %m = opc.reduce_max %x {axes = [1]}
    %l = opc.reduce_max %c {axes = [1]}
    %e = opc.exp %x
    %k = opc.reduce_max %e {axes = [1]}
    func.return %m, %l, %k : tensor<4xf16>, tensor<4xf64>, tensor<4xf16>
  }""")
    m, n, k = f(x)
    np.testing.assert_array_equal(m, x.max(1))
    np.testing.assert_array_equal(n, x.max(1).astype(np.float64))
    np.testing.assert_array_equal(k, np.exp(x.max(1).astype(np.float64)).astype(np.float16))


def test_long_chains_share_arrays() -> None:
    lines = "\n".join(f"%v{k + 1} = opc.tanh %v{k}" for k in range(100))
    text = f"""
  func.func @main(%v0: tensor<5000xf64>) -> tensor<5000xf64> {{
    {lines}
    func.return %v100 : tensor<5000xf64>
  }}"""
    c = opc.lower(opc.api.driver.load(text)).c_source
    assert c.count("opc_tanh_f64(") > 100
    assert len(re.findall(r"double row\d+\[512\]", c)) == 2


def test_what_goes_together_is_used(tmp_path: Path) -> None:
    """No operation is left behind that C compilers would warn about."""
    text = """
  func.func @main(%x: tensor<3x7xf16>, %y: tensor<3x7xf16>) -> tensor<3x7xf16> {
    %s = opc.reduce_l1 %x {axes = [0], keepdims = true}
    %r = opc.max %y, %s
    func.return %r : tensor<3x7xf16>
  }"""
    path = tmp_path / "main.c"
    path.write_text(opc.lower(opc.api.driver.load(text)).c_source, encoding="utf-8")
    subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "-fsyntax-only", str(path)], check=True)


@pytest.mark.parametrize("shape", [(8, 5, 31), (32, 3, 17), (3, 2, 7)])
def test_extremes_of_kept_rows_are_taken_from_all_of_them(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    f = opc.compile(f"""
  func.func @main(%x: tensor<{m}x{n}x{k}xf32>) -> (tensor<1x{n}x1xf32>, tensor<{m}x{n}x{k}xf32>) {{
    %e = opc.exp %x
    %m = opc.reduce_max %e {{axes = [0, 2], keepdims = true}}
    %r = opc.div %e, %m
    func.return %m, %r : tensor<1x{n}x1xf32>, tensor<{m}x{n}x{k}xf32>
  }}""")
    x = np.random.default_rng(k).standard_normal(shape).astype(np.float32)
    x[-1, 1, -1] = np.nan
    greatest, ratio = f(x)
    e = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(greatest, e.max((0, 2), keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(ratio, e / e.max((0, 2), keepdims=True), rtol=1e-6)


def arrays(found: object) -> list[np.ndarray]:
    """One result or several."""
    return list(found) if isinstance(found, tuple) else [np.asarray(found)]


@pytest.mark.parametrize("width", [17, 32, 40, 64, 65])
@pytest.mark.parametrize("names", ["ab", "ad", "bc", "acd"])
def test_every_function_of_a_chain_may_be_wanted(names: str, width: int) -> None:
    """An array of the chain is used again; what it held before has been rounded and stored."""
    values = ", ".join(f"%{n}" for n in names)
    types = ", ".join([f"tensor<3x{width}xf16>"] * len(names))
    f = opc.compile(f"""
  func.func @main(%x: tensor<3x{width}xf16>) -> ({types}) {{
    %a = opc.tanh %x
    %b = opc.exp %a
    %c = opc.tanh %b
    %d = opc.exp %c
    func.return {values} : {types}
  }}""")
    x = value = np.linspace(-2, 2, 3 * width).reshape(3, width).astype(np.float16)
    known = dict[str, np.ndarray]()
    for name, function in zip("abcd", (np.tanh, np.exp, np.tanh, np.exp), strict=True):
        value = known[name] = function(value.astype(np.float64)).astype(np.float16)
    for name, found in zip(names, f(x), strict=True):
        np.testing.assert_allclose(found, known[name], rtol=2e-3)


@pytest.mark.parametrize(
    ("length", "sides", "depth", "is_cut"),
    [(40, 1, 1, False), (64, 1, 1, True), (64, 9, 1, True), (64, 3, 2, True), (64, 9, 2, True)],
)
def test_chains_of_simple_operations(length: int, sides: int, depth: int, is_cut: bool) -> None:
    """A chain to whose end are added ``sides`` values of so many operations; each rounds."""
    tensor = "tensor<1000xf32>"
    lines, side, name = [], [], "%x"
    for k in range(sides):
        lines.append(f"  %c{k} = opc.constant dense<{1.5 + k}> : tensor<f32>")
        lines.append(f"  %p{k} = opc.mul %y, %c{k}")
        lines.append(f"  %q{k} = opc.add %p{k}, %x")
        side.append(f"%{'pq'[depth - 1]}{k}")
    for step in range(length):
        last = length - step <= sides
        function, other = ("add", side[step - length]) if last else (("mul", "sub")[step % 2], "%y")
        lines.append(f"  %v{step} = opc.{function} {name}, {other}")
        name = f"%v{step}"
    head = f"func.func @main(%x: {tensor}, %y: {tensor}) -> {tensor} {{"
    function = opc.compile("\n".join([head, *lines, f"  func.return {name} : {tensor}", "}"]))
    assert ("row0[" in function.c_source) == is_cut
    rng = np.random.default_rng(0)
    x, y = (rng.random(1000, np.float32) for _ in range(2))
    expected = x
    for step in range(length - sides):
        expected = (np.multiply, np.subtract)[step % 2](expected, y)
    for k in range(sides):
        product = y * np.float32(1.5 + k)
        expected = expected + (product if depth == 1 else product + x)
    np.testing.assert_array_equal(function(x, y), expected)
