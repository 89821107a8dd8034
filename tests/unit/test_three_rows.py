"""Softmaxes: the sweeps of three rows as one, and maxima that pass NaNs over."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import parse

import opc
from opc import pipeline
from opc.frontend.parser import LocatingParser
from opc.passes import max_numbers
from opc.registry import context

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
DTYPES = {"f32": np.float32, "f64": np.float64}
WITHOUT = tuple(p for p in pipeline.STAGES["loops"] if p != "rotate-loops")


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


@pytest.mark.parametrize("text", [SOFTMAX, LOGARITHM], ids=["softmax", "logarithm"])
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(
    "shape",
    [(64, 512), (65, 1000), (71, 897), (127, 385), (128, 1023), (200, 447), (1024, 384)],
    ids=lambda s: f"{s[0]}x{s[1]}",
)
def test_rows_have_the_same_bits(
    shape: tuple[int, int], type: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one sweep for three rows, with threads, and without."""
    text = text.format(n=shape[0], w=shape[1], t=type, axis=1)
    f, shared = opc.compile(text, cache=None), opc.compile(text, cache=None, threads=3)
    monkeypatch.setitem(pipeline.STAGES, "loops", WITHOUT)
    g = opc.compile(text, cache=None)
    once, often = (h.c_source.count(f"= opc_exp_neg_{type}(") for h in (g, f))
    assert once < often
    x = rows(shape, type)
    np.testing.assert_array_equal(f(x), g(x))
    np.testing.assert_array_equal(shared(x), g(x))


TOGETHER = "The last sweep of this row, the middle one of the next, the first one of the third."


@pytest.mark.parametrize("text", [SOFTMAX, LOGARITHM], ids=["softmax", "logarithm"])
@pytest.mark.parametrize(
    ("shape", "type"),
    [
        ((64, 2112), "f32"),  # two blocks of sums
        ((20, 4097), "f32"),  # few rows
        ((17, 16384), "f32"),  # the longest of which exponentials are kept in a local array
        ((64, 16385), "f32"),  # in the result
        ((70, 20000), "f32"),
        ((65, 8200), "f64"),
        ((16, 5000), "f64"),
    ],
    ids=str,
)
def test_rows_summed_in_blocks_have_the_same_bits(
    shape: tuple[int, int], type: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one sweep for three rows, threads, unknown extents, and without."""
    text = text.format(n=shape[0], w=shape[1], t=type, axis=1)
    f, shared = opc.compile(text, cache=None), opc.compile(text, cache=None, threads=3)
    extents = f"{shape[0]}x{shape[1]}x{type}"
    unknown = opc.compile(text.replace(extents, f"?x?x{type}, #opc.dims<N, M>"), cache=None)
    monkeypatch.setitem(pipeline.STAGES, "loops", WITHOUT)
    g = opc.compile(text, cache=None)
    x = rows(shape, type)
    wanted = g(x)
    if "opc.div" in text:
        assert TOGETHER in f.c_source and TOGETHER in unknown.c_source
    assert TOGETHER not in g.c_source
    for other in (f, shared, unknown):
        np.testing.assert_array_equal(other(x), wanted)


def test_any_extents(monkeypatch: pytest.MonkeyPatch) -> None:
    """With blocks of as many rows as there are when the function is called, and without."""
    text = SOFTMAX.replace("{n}x{w}x{t}>", "?x?xf32, #opc.dims<N, M>>").format(axis=1)
    f, shared = opc.compile(text, cache=None), opc.compile(text, cache=None, threads=2)
    monkeypatch.setitem(pipeline.STAGES, "loops", WITHOUT)
    g = opc.compile(text, cache=None)
    assert TOGETHER in f.c_source and TOGETHER not in g.c_source
    for w in (128, 191, 1000, 2047, 2048, 2049, 6000):
        x = rows((48, w), "f32")
        for n in (0, 1, 2, 15, 16, 17, 31, 32, 48):
            some = np.ascontiguousarray(x[48 - n :])
            wanted = g(some)
            np.testing.assert_array_equal(f(some), wanted)
            np.testing.assert_array_equal(shared(some), wanted)


LOOPS = pipeline.passes("loops")
BEFORE = LOOPS[: LOOPS.index("rotate-loops")]


@pytest.mark.parametrize(
    ("old", "new", "together"),
    [
        ("", "", True),
        # A result with more than these rows: where one ends is not known.
        ("%out0: memref<64x20000xf32>", "%out0: memref<65x20000xf32>", False),
        ("%out0: memref<64x20000xf32>", "%out0: memref<64x20001xf32>", False),
        # Rows that overlap.
        ("%out0[d0*20000 + d1](", "%out0[d0*19999 + d1](", False),
        ("%out0[d0*20000 + d1](", "%out0[min(d0, 9)*20000 + d1](", False),
    ],
)
def test_what_is_kept_in_a_result_is_of_one_row(old: str, new: str, together: bool) -> None:
    """Else a row would be written while another one that is there, too, is still needed."""
    module = parse(SOFTMAX.format(n=64, w=20000, t="f32", axis=1))
    pipeline.run(module, context(), BEFORE)
    text = str(module)
    assert old in text
    changed = LocatingParser(context(), text.replace(old, new), "graph.mlir").parse()
    pipeline.run(changed, context(), ["rotate-loops"])
    assert (TOGETHER in str(changed)) == together


@pytest.mark.parametrize("type", DTYPES)
def test_any_number_of_rows(type: str) -> None:
    """One that is known when the function is called gives the bits of one known before."""
    unknown = SOFTMAX.replace("{n}x", "?x").replace("{t}>", "{t}, #opc.dims<N, {w}>>")
    f = opc.compile(unknown.format(w=500, t=type, axis=1), cache=None)
    shared = opc.compile(unknown.format(w=500, t=type, axis=1), cache=None, threads=3)
    assert "The middle sweep of the first row." in f.c_source
    x = rows((600, 500), type)
    g = opc.compile(SOFTMAX.format(n=600, w=500, t=type, axis=1), cache=None)
    wanted = g(x)
    for n in (0, 1, 2, 3, 15, 16, 17, 18, 255, 256, 257, 600):
        some = np.ascontiguousarray(x[600 - n :])
        np.testing.assert_array_equal(f(some), wanted[600 - n :])
        np.testing.assert_array_equal(shared(some), wanted[600 - n :])


@pytest.mark.parametrize("text", [SOFTMAX, LOGARITHM], ids=["softmax", "logarithm"])
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
        "opc.max %e, %s",
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
