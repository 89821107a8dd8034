"""Sums down columns that read copies of rows have the bits of those that read the rows."""

from __future__ import annotations

import re

import numpy as np
import pytest

import opc
from opc.passes import copied_rows
from opc.runtime.callable import CompiledFunction

DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}
GRAPHS = {
    "sum": "%r = opc.reduce_sum %x {axes = [AXIS]}",
    "max": "%r = opc.reduce_max %x {axes = [AXIS]}",
    "squares": """%d = opc.sub %x, %y
    %e = opc.mul %d, %d
    %r = opc.reduce_sum %e {axes = [AXIS]}""",
    "row": """%d = opc.sub %x, %b
    %r = opc.reduce_min %d {axes = [AXIS]}""",
}


def text(graph: str, shape: tuple[int, ...], axis: int, type: str) -> str:
    """A function of two arrays and a row."""
    of = f"tensor<{'x'.join(map(str, shape))}x{type}>"
    result = "x".join(str(n) for k, n in enumerate(shape) if k != axis)
    return f"""
  func.func @main(%x: {of}, %y: {of}, %b: tensor<{shape[-1]}x{type}>) -> tensor<{result}x{type}> {{
    {GRAPHS[graph].replace("AXIS", str(axis))}
    func.return %r : tensor<{result}x{type}>
  }}"""


def inputs(shape: tuple[int, ...], type: str) -> list[np.ndarray]:
    """Numbers, of floats with some that are none."""
    rng = np.random.default_rng(shape)
    found = [rng.standard_normal(s) * 100 for s in (shape, shape, shape[-1:])]
    if type != "i32":
        found[0].flat[:: found[0].size // 7] = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1e30, -1e30, 1]
    return [a.astype(DTYPES[type]) for a in found]


def copying(text: str, monkeypatch: pytest.MonkeyPatch, threads: int = 1) -> CompiledFunction:
    """The function with copies, however little it reads."""
    with monkeypatch.context() as patch:
        patch.setattr(copied_rows, "LARGE", 0)
        return opc.compile(text, cache=None, threads=threads)


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize(
    ("shape", "axis", "type"),
    [
        ((400, 100), 0, "f32"),
        ((1000, 300), 0, "f32"),
        ((1003, 257), 0, "f32"),  # rows are left over
        ((77, 72), 0, "f32"),
        ((3000, 150), 0, "f64"),  # as parts
        ((515, 100), 0, "i32"),
        ((6, 130, 96), 1, "f32"),
        ((3, 299, 130), 1, "f64"),
    ],
    ids=str,
)
def test_the_bits_are_the_same(
    shape: tuple[int, ...], axis: int, type: str, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = text(graph, shape, axis, type)
    f, shared = copying(source, monkeypatch), copying(source, monkeypatch, threads=3)
    g = opc.compile(source, cache=None)
    # Eight rows of two arrays may be more than the first-level cache should hold.
    assert (f.c_source != g.c_source) == (graph != "squares" or shape[-1] < 256)
    values = inputs(shape, type)
    wanted = g(*values)
    np.testing.assert_array_equal(f(*values), wanted)
    np.testing.assert_array_equal(shared(*values), wanted)


@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((1000, 1000), 0),  # eight rows are more than the first-level cache should hold
        ((100, 2000), 0),  # blocks of columns
        ((1000, 30), 0),  # rows side by side
        ((20, 100), 1),
    ],
)
def test_other_rows_are_read_where_they_are(
    shape: tuple[int, ...], axis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = text("sum", shape, axis, "f32")
    f, g = copying(graph, monkeypatch), opc.compile(graph, cache=None)
    assert f.c_source == g.c_source


def test_only_of_much_memory() -> None:
    """What the caches hold can be read in any order."""
    sources = [
        opc.compile(text("max", (n, 256), 0, "f32"), cache=None).c_source for n in (24575, 24576)
    ]
    copies = [re.search(r"row\d\[(\w+)\] = in0\[.* \+ \1\]", source) for source in sources]
    assert [copy is not None for copy in copies] == [False, True]
