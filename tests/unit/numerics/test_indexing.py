"""Gather and scatter at indices that only a run knows: against NumPy, in every way to run them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.errors import ArgumentError, InputError
from opc.tools.arrays import random_inputs
from tests.unit.common import samples
from tests.unit.common.graphs import RUNNERS, Runner, oracle
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(24)

WAYS = pytest.mark.parametrize("run", RUNNERS.values(), ids=list(RUNNERS))
RNG = np.random.default_rng(5)
GIVEN = {"f32": np.float32, "i64": np.int64, "i32": np.int32, "ui8": np.uint8}


def text(line: str, result: str, **arguments: str) -> str:
    """A function of one operator."""
    listed = ", ".join(f"%{name}: tensor<{type}>" for name, type in arguments.items())
    types = ", ".join(f"tensor<{type}>" for type in arguments.values())
    return f"""func.func @main({listed}) -> tensor<{result}> {{
  %r = opc.{line} : {types} -> tensor<{result}>
  return %r : tensor<{result}>
}}"""


def check(found: np.ndarray, wanted: np.ndarray) -> None:
    assert_same_bits(found, wanted)


def both(graph: str, run: Runner, *inputs: np.ndarray) -> np.ndarray:
    """What the function gives, which is what the interpreter of graphs says."""
    (found,), (wanted,) = run(graph)(*inputs), oracle(graph, inputs)
    check(found, wanted)
    return found


def indices(low: int, high: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


X = RNG.standard_normal((5, 7, 4)).astype(np.float32)


@WAYS
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (1, 1)])
@pytest.mark.parametrize("type", ["i64", "i32"])
def test_gather_along_one_axis(run: Runner, axis: int, shape: tuple[int, ...], type: str) -> None:
    n = X.shape[axis]
    i = indices(-n, n, *shape, dtype=GIVEN[type])
    wanted = np.take(X, i, axis)
    sizes = ["x".join(map(str, s)) + "x" if s else "" for s in (shape, wanted.shape)]
    graph = text(
        f"gather %x, %i {{axes = [{axis}]}}", f"{sizes[1]}f32", x="5x7x4xf32", i=f"{sizes[0]}{type}"
    )
    check(both(graph, run, X, i), wanted)


@WAYS
def test_gather_along_several_axes(run: Runner) -> None:
    i, k = indices(-5, 5, 2, 1), indices(-4, 4, 3)
    graph = text(
        "gather %x, %i, %k {axes = [0, 2]}",
        "2x3x7xf32",
        x="5x7x4xf32",
        i="2x1xi64",
        k="3xi64",
    )
    check(both(graph, run, X, i, k), X[i, :, k])


@WAYS
def test_gather_of_a_scalar(run: Runner) -> None:
    x, i = X[0, 0], np.array(-2, np.int64)
    graph = text("gather %x, %i {axes = [0]}", "f32", x="4xf32", i="i64")
    check(both(graph, run, x, i), x[-2])


@WAYS
def test_gather_of_unknown_extents(run: Runner) -> None:
    graph = """func.func @main(%x: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %r = opc.gather %x, %i {axes = [0]}
  return %r : tensor<?x?xf32>
}"""
    function = run(graph)
    for n, m, count in ((4, 3, 5), (1, 1, 1), (3, 0, 2), (7, 33, 0), (40, 19, 65)):
        x, i = RNG.standard_normal((n, m)).astype(np.float32), indices(-n, n, count)
        check(function(x, i)[0], x[i])


@WAYS
@pytest.mark.parametrize("batch", [1, 2])
def test_gather_in_batches(run: Runner, batch: int) -> None:
    i = indices(0, 4, 5, 7, 6)[:, : 7 if batch == 2 else 1]
    if batch == 1:
        i = i[:, 0]
        wanted = np.stack([X[b][:, i[b]] for b in range(5)])
    else:
        wanted = np.take_along_axis(X, i, 2)
    shown = "5x7x6xi64" if batch == 2 else "5x6xi64"
    graph = text(
        f"gather %x, %i {{axes = [2], batch = {batch}}}", "5x7x6xf32", x="5x7x4xf32", i=shown
    )
    check(both(graph, run, X, i), wanted)


@WAYS
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_gather_elements(run: Runner, axis: int) -> None:
    shape = [5, 7, 4]
    shape[axis] = 9
    i = indices(-X.shape[axis], X.shape[axis], *shape)
    shown = "x".join(map(str, shape))
    line = f"gather_elements %x, %i {{axis = {axis}}}"
    graph = text(line, f"{shown}xf32", x="5x7x4xf32", i=f"{shown}xi64")
    wanted = np.take_along_axis(X, np.where(i < 0, i + X.shape[axis], i), axis)
    check(both(graph, run, X, i), wanted)


@WAYS
def test_fewer_indices_than_elements(run: Runner) -> None:
    i = indices(-7, 7, 3, 2, 1)
    graph = text("gather_elements %x, %i {axis = 1}", "3x2x1xf32", x="5x7x4xf32", i="3x2x1xi64")
    check(both(graph, run, X, i), np.take_along_axis(X[:3, :, :1], i % 7, 1))


@WAYS
@pytest.mark.parametrize("type", list(el.BY_NAME.values()), ids=str)
def test_every_type(run: Runner, type: ElementType) -> None:
    x = samples.special_values(type) if not type.is_small else np.arange(4).astype(type.dtype)
    i = indices(-len(x), len(x), 11)
    graph = text("gather %x, %i {axes = [0]}", f"11x{type}", x=f"{len(x)}x{type}", i="11xi64")
    (found,) = run(graph)(x, i)
    check(found.view(np.uint8), x[i].view(np.uint8))


@WAYS
@pytest.mark.parametrize("type", sorted(el.INTEGER, key=str), ids=str)
def test_every_type_of_indices(run: Runner, type: ElementType) -> None:
    low = -5 if type.kind == "signed" else 0
    i = indices(low, 5, 8, dtype=type.dtype)
    graph = text("gather %x, %i {axes = [0]}", "8x7x4xf32", x="5x7x4xf32", i=f"8x{type}")
    check(both(graph, run, X, i), X[i.astype(np.int64)])
    for bad in (5, type.highest, *([-6, type.lowest] if type.kind == "signed" else [])):
        wrong = i.copy()
        wrong[3] = bad
        with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
            run(graph)(X, wrong)


FUNCTIONS: dict[str, Any] = {
    "none": lambda a, b: b,
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "max": np.maximum,
    "min": np.minimum,
}


def scattered(x: np.ndarray, pairs: Any, reduction: str) -> np.ndarray:
    """Updates, one after the other."""
    found = x.copy()
    with np.errstate(all="ignore"):
        for place, update in pairs:
            found[place] = FUNCTIONS[reduction](found[place], update).astype(x.dtype)
    return found


@WAYS
@pytest.mark.parametrize("reduction", FUNCTIONS)
def test_scatter(run: Runner, reduction: str) -> None:
    i = indices(-7, 7, 2, 6)
    u = RNG.standard_normal((5, 2, 6, 4)).astype(np.float32)
    graph = text(
        f'scatter %x, %u, %i {{axes = [1], reduction = "{reduction}"}}',
        "5x7x4xf32",
        x="5x7x4xf32",
        u="5x2x6x4xf32",
        i="2x6xi64",
    )
    pairs = (((b, i[k], slice(None)), u[b][k]) for b in range(5) for k in np.ndindex(2, 6))
    check(both(graph, run, X, u, i), scattered(X, pairs, reduction))


@WAYS
@pytest.mark.parametrize("reduction", FUNCTIONS)
@pytest.mark.parametrize("type", ["f64", "f16", "bf16", "i8", "ui64"])
def test_scatter_elements(run: Runner, reduction: str, type: str) -> None:
    dtype = el.BY_NAME[type].dtype
    x = RNG.integers(0, 9, (4, 5)).astype(dtype)
    u, i = RNG.integers(1, 9, (3, 7)).astype(dtype), indices(-5, 5, 3, 7)
    graph = text(
        f'scatter_elements %x, %u, %i {{axis = 1, reduction = "{reduction}"}}',
        f"4x5x{type}",
        x=f"4x5x{type}",
        u=f"3x7x{type}",
        i="3x7xi64",
    )
    pairs = (((b, i[b, k]), u[b, k]) for b, k in np.ndindex(3, 7))
    check(both(graph, run, x, u, i), scattered(x, pairs, reduction))


@WAYS
def test_scatter_at_several_axes(run: Runner) -> None:
    i, k = indices(-5, 5, 6), indices(0, 4, 6, dtype=np.uint8)
    u = RNG.standard_normal((6, 7)).astype(np.float32)
    graph = text(
        "scatter %x, %u, %i, %k {axes = [0, 2]}",
        "5x7x4xf32",
        x="5x7x4xf32",
        u="6x7xf32",
        i="6xi64",
        k="6xui8",
    )
    pairs = (((i[n], slice(None), k[n]), u[n]) for n in range(6))
    check(both(graph, run, X, u, i, k), scattered(X, pairs, "none"))


@WAYS
def test_one_index_for_all_updates(run: Runner) -> None:
    """The innermost loop goes over updates of one element: they must not go together."""
    graph = """func.func @main(%x: tensor<4xf32>, %u: tensor<9xf32>) -> tensor<4xf32> {
  %i = opc.constant dense<2> : tensor<9xi64>
  %r = opc.scatter %x, %u, %i {axes = [0], reduction = "add"}
  return %r : tensor<4xf32>
}"""
    x, u = RNG.standard_normal(4).astype(np.float32), RNG.standard_normal(9).astype(np.float32)
    check(both(graph, run, x, u), scattered(x, ((2, v) for v in u), "add"))


@WAYS
def test_scatter_into_what_is_computed(run: Runner) -> None:
    """The result may lie where x does: it is then not copied."""
    graph = """func.func @main(%x: tensor<9x4xf32>, %u: tensor<3x4xf32>, %i: tensor<3xi64>)
    -> tensor<9x4xf32> {
  %y = opc.abs %x
  %z = opc.scatter %y, %u, %i {axes = [0]}
  %v = opc.neg %u
  %r = opc.scatter %z, %v, %i {axes = [0], reduction = "max"}
  return %r : tensor<9x4xf32>
}"""
    x, u = (RNG.standard_normal(s).astype(np.float32) for s in ((9, 4), (3, 4)))
    i = np.int64([3, -5, 8])
    wanted = np.abs(x)
    wanted[i] = np.maximum(u, -u)
    check(both(graph, run, x, u, i), wanted)


@WAYS
def test_indices_that_are_computed(run: Runner) -> None:
    graph = """func.func @main(%x: tensor<5x7x4xf32>, %i: tensor<3xi64>) -> tensor<3x7x4xf32> {
  %j = opc.add %i, %i
  %r = opc.gather %x, %j {axes = [0]}
  %s = opc.neg %r
  return %s : tensor<3x7x4xf32>
}"""
    check(both(graph, run, X, np.int64([0, -1, 2])), -X[[0, -2, 4]])
    with pytest.raises(ArgumentError, match=r"an index is outside of axis 0"):
        run(graph)(X, np.int64([0, -3, 2]))


@pytest.mark.parametrize("way", ["f8E5M2", "i4"])
def test_codes_that_are_converted_on_the_way(way: str) -> None:
    """15 becomes 16 as a float of 8 bits, and -1 as a signed code."""
    graph = f"""func.func @main(%x: tensor<16xf32>, %c: tensor<2xui4>) -> tensor<2xf32> {{
  %f = opc.cast %c : tensor<2xui4> -> tensor<2x{way}>
  %w = opc.cast %f : tensor<2x{way}> -> tensor<2xf32>
  %i = opc.cast %w : tensor<2xf32> -> tensor<2xi64>
  %r = opc.gather %x, %i {{axes = [0], from_end = false}}
  return %r : tensor<2xf32>
}}"""
    function, x = opc.compile(graph, target="baseline"), np.arange(16, dtype=np.float32)
    check(function(x, np.array([0, 7], ml_dtypes.uint4)), x[[0, 7]])
    with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
        function(x, np.array([0, 15], ml_dtypes.uint4))


def test_the_message_names_the_range() -> None:
    graph = """func.func @main(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %r = opc.gather %x, %i {axes = [0]}
  return %r : tensor<?xf32>
}"""
    function = opc.compile(graph, target="baseline")
    with pytest.raises(ArgumentError, match=r"an index is outside of axis 0.*\[-3, 2\]"):
        function(np.zeros(3, np.float32), np.int64([3]))


def test_constants_outside_are_errors_when_compiling() -> None:
    graph = """func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %i = opc.constant dense<[0, 4]> : tensor<2xi64>
  %r = opc.gather %x, %i {axes = [0]}
  return %r : tensor<2xf32>
}"""
    with pytest.raises(InputError, match="an index is outside of axis 0: 4 of 4"):
        opc.compile(graph, target="baseline")


def test_threads_and_one_thread_have_the_same_bits() -> None:
    graph = text(
        'scatter %x, %u, %i {axes = [0], reduction = "add"}',
        "16x65536xf32",
        x="16x65536xf32",
        u="64x65536xf32",
        i="64xi64",
    )
    x, u = (RNG.standard_normal(s).astype(np.float32) for s in ((16, 65536), (64, 65536)))
    i = indices(-16, 16, 64)
    found = [opc.compile(graph, threads=n)(x, u, i) for n in (1, 3)]
    check(found[0], found[1])
    check(found[0], scattered(x, zip(i, u, strict=True), "add"))


@WAYS
def test_indices_in_bodies(run: Runner) -> None:
    """A body returns the number of a check that failed, and so does what calls it."""
    graph = """func.func @main(%i: tensor<3xi64>, %x: tensor<4xf32>) -> tensor<3xf32> {
  %r = opc.scan @body <3> over (%i) with (%x) : (tensor<3xi64>, tensor<4xf32>) -> (tensor<3xf32>)
  return %r : tensor<3xf32>
}
func.func private @body(%i: tensor<i64>, %x: tensor<4xf32>) -> tensor<f32> {
  %r = opc.gather %x, %i {axes = [0]} : tensor<4xf32>, tensor<i64> -> tensor<f32>
  return %r : tensor<f32>
}"""
    x = RNG.standard_normal(4).astype(np.float32)
    (found,) = run(graph)(np.int64([3, -4, 0]), x)
    check(found, x[[3, -4, 0]])
    with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
        run(graph)(np.int64([3, 4, 0]), x)


@WAYS
def test_indices_in_branches(run: Runner) -> None:
    graph = """func.func @main(
    %c: tensor<i1>, %x: tensor<4xf32>, %i: tensor<2xi64>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = opc.if %c then @one (%x, %i) else @other (%y)
      : (tensor<i1>, tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> (tensor<2xf32>)
  return %r : tensor<2xf32>
}
func.func private @one(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %r = opc.gather %x, %i {axes = [0]} : tensor<4xf32>, tensor<2xi64> -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = opc.neg %x : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""
    x, y, yes, no = np.arange(4, dtype=np.float32), np.ones(2, np.float32), *np.array([True, False])
    bad = np.int64([0, 9])
    check(run(graph)(yes, x, np.int64([3, -1]), y)[0], np.float32([3, 3]))
    check(run(graph)(no, x, bad, y)[0], -y)
    with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
        run(graph)(yes, x, bad, y)


@WAYS
@pytest.mark.parametrize("line", ["gather %x, %i {axes = [0]}", "scatter %x, %x, %i {axes = [0]}"])
def test_what_is_not_read_is_not_computed(run: Runner, line: str) -> None:
    """Nor checked: the same call fails where the result is read."""
    graph = f"""func.func @main(%x: tensor<2xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {{
  %g = opc.{line}
  %r = opc.neg %READ
  return %r : tensor<2xf32>
}}"""
    x, far = np.ones(2, np.float32), np.array([0, 9])
    check(both(graph.replace("READ", "x"), run, x, far), -x)
    with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
        run(graph.replace("READ", "g"))(x, far)


def test_random_inputs_are_indices_where_they_are_used_as_such() -> None:
    graph = """func.func @main(%x: tensor<2x4xf32>, %y: tensor<?xf32>, %i: tensor<3x3xi64>,
    %j: tensor<9xi32>) -> (tensor<9x4xf32>, tensor<9xf32>) {
  %k = opc.reshape %i -> tensor<9xi64>
  %r = opc.gather %x, %k {axes = [0]}
  %s = opc.gather %y, %j {axes = [0]}
  return %r, %s : tensor<9x4xf32>, tensor<9xf32>
}"""
    function = opc.compile(graph, target="baseline")
    for seed in range(3):
        inputs = random_inputs(seed, function.interface, {}, {"s0": 5})
        assert set(inputs["i"].flat) == {0, 1} and inputs["j"].max() < 5
        function(*inputs.values())


def test_more_indices_than_there_are_elements() -> None:
    text = """
        func.func @main(%x: tensor<?x1xf32, #opc.dims<N, 1>>, %i: tensor<1x5xi8>)
            -> tensor<1x5xf32> {
          %r = opc.gather_elements %x, %i {axis = 1}
              : tensor<?x1xf32, #opc.dims<N, 1>>, tensor<1x5xi8> -> tensor<1x5xf32>
          return %r : tensor<1x5xf32>
        }"""
    inputs = [np.zeros((0, 1), np.float32), np.zeros((1, 5), np.int8)]
    for run in (opc.compile(text), lambda *arrays: oracle(text, arrays)):
        with pytest.raises(ArgumentError, match=r"opc\.gather_elements: "):
            run(*inputs)
