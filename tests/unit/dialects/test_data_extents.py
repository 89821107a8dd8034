"""Extents that a function finds on its way: opc.data_extent compiled, interpreted and refused."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import expr as ex
from opc.dialects.bounds import at_most
from opc.dialects.registry import context
from opc.errors import ArgumentError, InputError, UnsupportedError
from opc.frontend.mlir.reader import parse_module
from opc.interpret import function as interpret
from opc.oracle.subject import function_in
from opc.passes.pipeline import passes, run

N = "#opc.dims<N>"
K = "#opc.dims<k>"
POSITIVE = f"""
func.func @positive(%x: tensor<?xf32, {N}>) -> (tensor<?xf32, {K}>, tensor<f32>) {{
  %zero = opc.constant dense<0.0> : tensor<f32>
  %marks = opc.greater %x, %zero
  %each = opc.cast %marks : tensor<?xi1, {N}> -> tensor<?xi64, {N}>
  %count = opc.reduce_sum %each {{axes = [0]}} : tensor<?xi64, {N}> -> tensor<i64>
  opc.data_extent %count most <N> -> "k" : tensor<i64>
  %places = opc.iota : tensor<?xi64, {K}>
  %first = opc.gather %x, %places {{axes = [0]}}
  %e = opc.exp %first
  %total = opc.reduce_sum %e {{axes = [0]}}
  %r = opc.div %e, %total
  return %r, %total : tensor<?xf32, {K}>, tensor<f32>
}}
"""
"""A softmax of as many elements, from the first on, as there are positive ones."""


def expected(x: Any) -> tuple[Any, Any]:
    e = np.exp(x[: int((x > 0).sum())].astype(np.float64))
    return e / e.sum() if e.size else e, e.sum()


def sample(n: int) -> Any:
    return np.random.default_rng(n).standard_normal(n).astype(np.float32)


@pytest.mark.parametrize("n", [0, 1, 7, 64, 1000])
@pytest.mark.parametrize("fuse", [True, False])
def test_compiled(n: int, fuse: bool) -> None:
    function, x = opc.compile(POSITIVE, fuse=fuse), sample(n)
    found = function(x)
    for a, b in zip(found, expected(x), strict=True):
        assert a.shape == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-5)


@pytest.mark.parametrize("stage", ["graph", "normal", "kernels", "schedule", "loops"])
def test_interpreted(stage: str) -> None:
    module = parse_module(POSITIVE, "positive.mlir")
    run(module, context(), passes(stage), verify_each=True)
    x = sample(50)
    found = interpret.run(function_in(module), [x])
    for a, b in zip(found, expected(x), strict=True):
        assert a.shape == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_interface() -> None:
    function = opc.compile(POSITIVE)
    assert function.interface.finds_shapes and not function.interface.reads_sizes
    x = sample(100)
    assert function.output_shapes(x) == ((100,), ())
    out = np.full(100, 7, np.float32), np.zeros((), np.float32)
    found = function(x, out=out)
    count = int((x > 0).sum())
    assert found[0].shape == (count,) and found[0].base is not None
    np.testing.assert_array_equal(out[0][:count], found[0])
    assert (out[0][count:] == 7).all()
    with pytest.raises(ArgumentError, match="expected"):
        function(x, out=(out[0][:count], out[1]))


def test_bound_call() -> None:
    function, x = opc.compile(POSITIVE), sample(40)
    call = function.bind(x)
    for sign in (1, -1, 0):
        x[...] = np.where(np.arange(40) % 3 == 0, 1, -1) * sign
        found = call()
        np.testing.assert_allclose(found[0], expected(x)[0], rtol=1e-5)
        assert call.result is found


def test_c(tmp_path: Path) -> None:
    compiled = opc.compile(POSITIVE)
    compiled.save(tmp_path)
    header = compiled.header
    assert "int positive_run(" in header and "int64_t *shapes);" in header
    library = ctypes.CDLL(str(tmp_path / "positive.so"))
    x = sample(20)
    shapes, size = (ctypes.c_int64 * 1)(), ctypes.c_size_t()
    given = ctypes.c_int64(20), ctypes.c_void_p(x.ctypes.data)
    assert library.positive_plan(*given, shapes, ctypes.byref(size)) == 0
    assert shapes[0] == 20
    out, total = np.empty(20, np.float32), np.empty((), np.float32)
    space = np.empty(size.value + 64, np.uint8)
    start = space.ctypes.data + -space.ctypes.data % 64
    arrays = [ctypes.c_void_p(a) for a in (out.ctypes.data, total.ctypes.data, start)]
    assert library.positive_run(*given, *arrays, shapes) == 0
    assert shapes[0] == (x > 0).sum()
    loaded = opc.load(tmp_path / "positive.json")
    np.testing.assert_array_equal(loaded(x)[0], out[: shapes[0]])


GIVEN = f"""
func.func @given(%n: tensor<i64>, %x: tensor<?xf32, {N}>, %y: tensor<?xf32, #opc.dims<M>>)
    -> tensor<?xf32, #opc.dims<bcast(M, k)>> {{
  opc.data_extent %n most <N> -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, {K}>
  %g = opc.gather %x, %i {{axes = [0]}}
  %r = opc.add %g, %y
  return %r : tensor<?xf32, #opc.dims<bcast(M, k)>>
}}
"""


def test_requirements() -> None:
    function, x = opc.compile(GIVEN), sample(9)
    for n, m in ((9, 9), (4, 4), (4, 1), (1, 3), (0, 1)):
        y = sample(m)
        np.testing.assert_array_equal(function(np.array(n), x, y), x[:n] + y)
    for n in (-1, 10):
        with pytest.raises(ArgumentError, match="an extent that is computed is outside of"):
            function(np.array(n), x, sample(1))
    with pytest.raises(ArgumentError, match=r"opc\.add: extents do not broadcast"):
        function(np.array(4), x, sample(3))


def test_shape_arithmetic() -> None:
    """Parts, joints, reshapes and reductions of what has a data-dependent extent."""
    text = f"""
    func.func @f(%n: tensor<i64>, %x: tensor<?x6xf32, #opc.dims<N, 6>>) -> (
        tensor<?xf32, #opc.dims<k*6 + 1>>, tensor<?xf32, #opc.dims<min(k, 2)*3>>, tensor<i64>) {{
      opc.data_extent %n most <N> -> "k" : tensor<i64>
      %i = opc.iota : tensor<?xi64, {K}>
      %g = opc.gather %x, %i {{axes = [0]}}
      %flat = opc.reshape %g -> tensor<?xf32, #opc.dims<k*6>>
      %one = opc.constant dense<1.0> : tensor<1xf32>
      %all = opc.concat %flat, %one {{axis = 0}}
      %part = opc.slice %g {{starts = [0, 0], stops = [2, 6], steps = [1, 2]}}
      %line = opc.reshape %part -> tensor<?xf32, #opc.dims<min(k, 2)*3>>
      %e = opc.extent <k*6 + 1>
      return %all, %line, %e : tensor<?xf32, #opc.dims<k*6 + 1>>,
          tensor<?xf32, #opc.dims<min(k, 2)*3>>, tensor<i64>
    }}
    """
    function, x = opc.compile(text), sample(30).reshape(5, 6)
    for n in range(6):
        whole, part, extent = function(np.array(n), x)
        np.testing.assert_array_equal(whole, [*x[:n].reshape(-1), 1])
        np.testing.assert_array_equal(part, x[: min(n, 2), ::2].reshape(-1))
        assert extent == 6 * n + 1


def test_refused() -> None:
    text = f"""
    func.func @f(%x: tensor<?xi64, {N}>) -> tensor<?xi64, {K}> {{
      %i = opc.iota : tensor<?xi64, {K}>
      %n = opc.reduce_sum %x {{axes = [0]}}
      opc.data_extent %n most <N> -> "k" : tensor<i64>
      return %i : tensor<?xi64, {K}>
    }}
    """
    with pytest.raises(UnsupportedError, match="extent k is needed before it is computed"):
        opc.compile(text)
    twice = GIVEN.replace("%i =", 'opc.data_extent %n most <N> -> "k" : tensor<i64>\n  %i =')
    with pytest.raises(InputError, match="extent k is defined twice"):
        opc.compile(twice)
    with pytest.raises(InputError, match="extent L is not an extent of any argument"):
        opc.compile(GIVEN.replace("most <N>", "most <L>"))


def test_body() -> None:
    """A body may find extents, but not give what has them."""
    text = f"""
    func.func @f(%x: tensor<?x5xi64, #opc.dims<T, 5>>) -> tensor<?xi64, #opc.dims<T>> {{
      %r = opc.scan @sum <T> over (%x)
          : (tensor<?x5xi64, #opc.dims<T, 5>>) -> (tensor<?xi64, #opc.dims<T>>)
      return %r : tensor<?xi64, #opc.dims<T>>
    }}
    func.func private @sum(%x: tensor<5xi64>) -> tensor<i64> {{
      %n = opc.reduce_min %x {{axes = [0]}}
      opc.data_extent %n most <5> -> "k" : tensor<i64>
      %i = opc.iota : tensor<?xi64, {K}>
      %g = opc.gather %x, %i {{axes = [0]}}
      %s = opc.reduce_sum %g {{axes = [0]}}
      return %s : tensor<i64>
    }}
    """
    function = opc.compile(text)
    x = np.random.default_rng(1).integers(0, 6, (8, 5))
    np.testing.assert_array_equal(function(x), [row[: row.min()].sum() for row in x])
    with pytest.raises(ArgumentError, match="an extent that is computed is outside of"):
        function(x - 6)
    given = text.replace("return %s : tensor<i64>", "return %g : tensor<?xi64, #opc.dims<k>>")
    given = given.replace(
        "(%x: tensor<5xi64>) -> tensor<i64>", f"(%x: tensor<5xi64>) -> tensor<?xi64, {K}>"
    )
    with pytest.raises((UnsupportedError, InputError)):
        opc.compile(given)


def test_at_most() -> None:
    k, n, m = ex.sym("k"), ex.sym("n"), ex.sym("m")
    bounds = {"k": n}
    for e, wanted in (
        (m + 4, m + 4),
        (k * 4 + m, n * 4 + m),
        (m - k, m),
        (m - n + k, m),
        (k * k * m, n * n * m),
        (ex.floordiv(k + 3, 4), ex.floordiv(n + 3, 4)),
        (ex.floordiv(m, k), m),
        (ex.minimum(k, 7), ex.minimum(n, 7)),
        (ex.maximum(k, m), ex.maximum(n, m)),
        (ex.broadcast(k, m), ex.maximum(n, m)),
        (ex.nonunit(k) * 8, ex.const(8)),
    ):
        assert at_most(e, bounds) == wanted


def test_rounds_of_a_loop_see_each_other() -> None:
    """gcc 12 took what a round of an inlined body writes for something else than the next reads."""
    text = """
    func.func @f(%x: tensor<6xf32>) -> tensor<6xi64> {
      %true = opc.constant dense<true> : tensor<i1>
      %trip = opc.constant dense<6> : tensor<i64>
      %none = opc.constant dense<-1> : tensor<6xi64>
      %c, %a, %t = opc.scan @step <0> carry (%true, %x, %none) trip (%trip) index while
          : (tensor<i1>, tensor<6xf32>, tensor<6xi64>, tensor<i64>)
          -> (tensor<i1>, tensor<6xf32>, tensor<6xi64>)
      return %t : tensor<6xi64>
    }
    func.func private @step(%k: tensor<i64>, %c: tensor<i1>, %a: tensor<6xf32>, %t: tensor<6xi64>)
        -> (tensor<i1>, tensor<6xf32>, tensor<6xi64>) {
      %best = opc.argmax %a {axis = 0, keepdims = true}
      %i = opc.iota : tensor<6xi64>
      %gone = opc.constant dense<-1.0> : tensor<f32>
      %is = opc.equal %i, %best
      %left = opc.where %is, %gone, %a
      %here = opc.equal %i, %k
      %taken = opc.where %here, %best, %t
      %some = opc.greater %left, %gone
      %any = opc.reduce_any %some {axes = [0]}
      return %any, %left, %taken : tensor<i1>, tensor<6xf32>, tensor<6xi64>
    }
    """
    x = np.array([3, 1, 4, 1.5, 5, 9], np.float32)
    for target in ("native", "baseline"):
        found = opc.compile(text, target=target)(x)
        np.testing.assert_array_equal(found, np.argsort(-x))
