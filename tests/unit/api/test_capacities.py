"""Extents that a graph computes and nothing bounds: calls find out how much room they need."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import opc
from opc.api.driver import load
from opc.dialects.registry import context
from opc.errors import ArgumentError, NoMemoryError, OpcError, UnsupportedError
from opc.interpret.function import run as interpret
from opc.oracle.subject import function_in
from opc.passes import pipeline
from opc.support.interface import CAPACITY, too_small
from tests.unit.common.onnx_models import info, model, node

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(4)]

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
SPEECH = """g (float[N,4] x, float[4,1] w) => (float[K] y, float total) {
 each = MatMul(x, w)
 long = Exp(each)
 whole = Ceil(long)
 last = Constant<value_ints=[1]>()
 flat = Squeeze(whole, last)
 counts = Cast<to=7>(flat)
 first = Constant<value_ints=[0]>()
 n = ReduceSum<keepdims=0>(counts, first)
 zero = Constant<value_int=0>()
 one = Constant<value_int=1>()
 places = Range(zero, n, one)
 y = Cast<to=1>(places)
 total = ReduceSum<keepdims=0>(y)
}"""
"""As many places as a network says that speech takes."""
LATE = """g (float[N] x) => (int64[K] y) {
 places = NonZero(x)
 first = Constant<value_ints=[0]>()
 flat = Squeeze(places, first)
 n = ReduceSum<keepdims=0>(flat, first)
 zero = Constant<value_int=0>()
 one = Constant<value_int=1>()
 y = Range(zero, n, one)
}"""
SHAPED = """g (float[N] x, float[3,1] v) => (float[A,B] y, float[C,D] z) {
 places = NonZero(x)
 first = Constant<value_ints=[0]>()
 flat = Squeeze(places, first)
 count = ReduceSum<keepdims=0>(flat, first)
 one = Constant<value_ints=[1]>()
 four = Constant<value_ints=[4]>()
 rest = Constant<value_ints=[-1]>()
 n = Reshape(count, one)
 s = Concat<axis=0>(n, rest)
 s0 = Concat<axis=0>(n, four)
 zeros = ConstantOfShape(s0)
 y = Reshape(zeros, s)
 three = Constant<value_ints=[3]>()
 t = Concat<axis=0>(three, n)
 z = Expand(v, t)
}"""
CHOICE = """g (float[N] x, bool p, int64 n) => (int64[K] y) {
 y = If(p) <then_branch = a () => (int64[A] r) {
   s = ReduceSum<keepdims=0>(x)
   k = Cast<to=7>(s)
   one = Constant<value_int=1>()
   zero = Constant<value_int=0>()
   r = Range(zero, k, one)
 }, else_branch = b () => (int64[B] q) {
   two = Constant<value_int=2>()
   z = Constant<value_int=0>()
   q = Range(z, n, two)
 }>
}"""
INSIDE = """g (int64[B] n) => (float[B] y) {
 t = Constant<value_int=1>()
 c = Cast<to=9>(t)
 b = Size(n)
 y = Loop(b, c) <body = b (int64 i, bool c0) => (bool c1, float s) {
   k = Gather(n, i)
   one = Constant<value_int=1>()
   zero = Constant<value_int=0>()
   r = Range(zero, k, one)
   f = Cast<to=1>(r)
   s = ReduceSum<keepdims=0>(f)
   c1 = Identity(c0)
 }>
}"""
DOUBLED = """g (float[N] x, int64 n) => (float[K] y, float[K] z) {
 t = Constant<value_int=1>()
 c = Cast<to=9>(t)
 h = Neg(x)
 y, z = Loop(n, c, x, h) <body = b (int64 i, bool c0, float[A] a, float[B] b0)
     => (bool c1, float[C] a1, float[D] b1) {
   s = Add(a, b0)
   d = Concat<axis=0>(a, s)
   a1 = Identity(d)
   b1 = Sin(d)
   c1 = Identity(c0)
 }>
}"""
"""Both have the same extent each time."""
APART = DOUBLED.replace("b1 = Sin(d)", "b1 = Concat<axis=0>(b0, b0, b0)").replace(
    "s = Add(a, b0)", "s = Neg(a)"
)
HALVED = """g (float[N] x) => (float[K] y) {
 t = Constant<value_int=1>()
 most = Constant<value_int=20>()
 c = Cast<to=9>(t)
 y = Loop(most, c, x) <body = b (int64 i, bool c0, float[M] a) => (bool c1, float[L] a1) {
   s = Constant<value_ints=[0]>()
   e = Constant<value_ints=[2147483647]>()
   two = Constant<value_ints=[2]>()
   a1 = Slice(a, s, e, s, two)
   n = Size(a1)
   one = Constant<value_int=1>()
   c1 = Greater(n, one)
 }>
}"""
GREEDY = """g (int64[1,L] ids, float[8,16] emb, float[16,8] w) => (int64[1,K] y) {
 t = Constant<value_int=1>()
 most = Constant<value_int=20>()
 c = Cast<to=9>(t)
 y = Loop(most, c, ids) <body = b (int64 i, bool c0, int64[1,M] a) => (bool c1, int64[1,B] a1) {
   e = Gather(emb, a)
   m = ReduceMean<axes=[1],keepdims=0>(e)
   l = MatMul(m, w)
   next = ArgMax<axis=1,keepdims=1>(l)
   a1 = Concat<axis=1>(a, next)
   two = Constant<value_int=2>()
   q = Squeeze(next)
   is_end = Equal(q, two)
   c1 = Not(is_end)
 }>
}"""
REPEATED = """g (float[N,3] x, int64[N] d) => (float[K,3] y) {
 t = Constant<value_int=1>()
 c = Cast<to=9>(t)
 b = Size(d)
 none = Constant<value_ints=[0]>()
 init = Slice(x, none, none)
 y = Loop(b, c, init) <body = b (int64 i, bool c0, float[M,3] acc) => (bool c1, float[L,3] more) {
   k = Gather(d, i)
   at = Constant<value_ints=[0]>()
   k1 = Unsqueeze(k, at)
   three = Constant<value_ints=[3]>()
   s = Concat<axis=0>(k1, three)
   r = Gather(x, i)
   e = Expand(r, s)
   more = Concat<axis=0>(acc, e)
   c1 = Identity(c0)
 }>
}"""
"""Each row as often as a number says."""
STACKED = """g (int64 n, int64 t) => (float[B,K] y, float[C,L] z) {
 w = Constant<value_int=1>()
 c = Cast<to=9>(w)
 y, z = Loop(t, c) <body = b (int64 i, bool c0) => (bool c1, float[A] s, float[D] q) {
   one = Constant<value_int=1>()
   zero = Constant<value_int=0>()
   m = Abs(n)
   r = Range(zero, m, one)
   s = Cast<to=1>(r)
   r2 = Add(r, i)
   f = Cast<to=1>(r2)
   q = Sqrt(f)
   c1 = Identity(c0)
 }>
}"""
CACHED = """g (float[1,2,L,4] k0, float[1,2,L,4] v0, float[1,2,1,4] q0, int64 t)
    => (float[1,2,M,4] k, float[1,2,Q,4] v, float[1,2,1,4] q, float[B,1,2,1,4] all) {
 w = Constant<value_int=1>()
 c = Cast<to=9>(w)
 k, v, q, all = Loop(t, c, k0, v0, q0) <body = b (int64 i, bool c0, float[1,2,A,4] ki,
     float[1,2,D,4] vi, float[1,2,1,4] qi)
     => (bool c1, float[1,2,E,4] ko, float[1,2,F,4] vo, float[1,2,1,4] qo, float[1,2,1,4] h) {
   nk = Tanh(qi)
   nv = Sin(qi)
   ko = Concat<axis=2>(ki, nk)
   vo = Concat<axis=2>(vi, nv)
   kt = Transpose<perm=[0,1,3,2]>(ko)
   sc = MatMul(qi, kt)
   p = Softmax<axis=3>(sc)
   qo = MatMul(p, vo)
   h = Identity(qo)
   c1 = Identity(c0)
 }>
}"""
"""A decoder that keeps keys and values."""


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def i64(value: Any) -> Any:
    return np.array(value, np.int64)


def cached(length: int, times: int) -> list[Any]:
    return [draw(1, 2, length, 4), draw(1, 2, length, 4, seed=1), draw(1, 2, 1, 4), i64(times)]


def sums_of(n: Any) -> list[Any]:
    return [np.array([k * (k - 1) / 2 for k in n], np.float32)]


def ranges_of(n: Any, t: Any) -> list[Any]:
    # Of no iterations nobody knows what they would have given.
    size = abs(int(n)) if t > 0 else 0
    rows = np.arange(size, dtype=np.float32)[None] + np.zeros((int(t), 1), np.float32)
    return [rows, np.sqrt(rows + np.arange(int(t), dtype=np.float32)[:, None])]


def decoded(k: Any, v: Any, q: Any, t: Any) -> list[Any]:
    seen: list[Any] = []
    for _ in range(int(t)):
        k, v = np.concatenate([k, np.tanh(q)], 2), np.concatenate([v, np.sin(q)], 2)
        e = np.exp(q @ k.swapaxes(2, 3))
        q = e / e.sum(axis=3, keepdims=True) @ v
        seen.append(q)
    return [k, v, q, np.array(seen, np.float32).reshape(-1, 1, 2, 1, 4)]


MEANT: dict[str, Any] = {"inside": sums_of, "stacked": ranges_of, "cached": decoded}
"""What the reference of ONNX does not say: it joins what a loop should stack."""
WIDE = np.full((4, 1), 0.5, np.float32)
CASES: dict[str, tuple[str, list[list[Any]]]] = {
    "speech": (SPEECH, [[draw(n, 4) * s, WIDE] for n, s in ((3, 1), (50, 2), (0, 1), (7, 3))]),
    "late": (LATE, [[np.arange(n, dtype=np.float32)] for n in (3, 40, 0)]),
    "shaped": (SHAPED, [[np.ones(n, np.float32), draw(3, 1)] for n in (3, 30, 2)]),
    "choice": (
        CHOICE,
        [
            [np.full(4, v, np.float32), np.array(p), i64(7)]
            for v, p in ((2, True), (200, True), (0, False), (0, True))
        ],
    ),
    "inside": (INSIDE, [[i64(n)] for n in ([1, 2, 3], [0, 300, 2], [5000], [])]),
    "doubled": (DOUBLED, [[draw(n), i64(k)] for n, k in ((3, 2), (5, 0), (4, 8), (0, 2))]),
    "apart": (APART, [[draw(n), i64(k)] for n, k in ((3, 2), (5, 0), (2, 6))]),
    "halved": (HALVED, [[draw(n)] for n in (2, 3, 100, 1000)]),
    "greedy": (GREEDY, [[i64([[1] * n]), draw(8, 16), draw(16, 8)] for n in (1, 3, 300)]),
    "repeated": (
        REPEATED,
        [[draw(len(d), 3), i64(d)] for d in ([1, 2, 3], [0, 0], [300, 1, 500], [])],
    ),
    "stacked": (STACKED, [[i64(n), i64(t)] for n, t in ((3, 2), (-300, 3), (2, 0), (0, 2))]),
    "cached": (CACHED, [cached(n, t) for n, t in ((3, 2), (0, 5), (5, 0), (250, 20))]),
}


def proto(name: str) -> Any:
    return onnx.parser.parse_model(HEAD + CASES[name][0])


def listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def agree(found: Any, wanted: Any) -> None:
    for a, b in zip(listed(found), wanted, strict=True):
        assert np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_compiled(name: str) -> None:
    """Calls of all sizes, of which the later ones begin with the room of the earlier ones."""
    model = proto(name)
    function, reference = opc.compile(model), ReferenceEvaluator(model)
    names = [i.name for i in model.graph.input]
    assert function.interface.capacities
    for arrays in CASES[name][1]:
        if name in MEANT:
            wanted = MEANT[name](*arrays)
        else:
            wanted = reference.run(None, dict(zip(names, arrays, strict=True)))
        agree(function(*arrays), wanted)
        agree(function.bind(*arrays)(), wanted)


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stage", ["graph", "normal", "kernels", "schedule", "loops"])
def test_interpreted(name: str, stage: str) -> None:
    """Every stage means the same; bits are those of the compiled function."""
    model, arrays = proto(name), CASES[name][1][0]
    module = load(model)
    pipeline.run(module, context(), pipeline.passes(stage), verify_each=True)
    found = interpret(function_in(module), arrays)
    agree(opc.compile(model)(*arrays), found)


@pytest.mark.parametrize("name", CASES)
def test_results_do_not_depend_on_room(name: str) -> None:
    model = proto(name)
    function, other = opc.compile(model), opc.compile(model, threads=2)
    other._native.capacities = dict.fromkeys(other._native.capacities, 5000)  # pyright: ignore
    for arrays in CASES[name][1]:
        for a, b in zip(listed(function(*arrays)), listed(other(*arrays)), strict=True):
            assert a.shape == b.shape and a.tobytes() == b.tobytes()


GRAPH = """
func.func @f(%n: tensor<i64>, %x: tensor<?xi64, #opc.dims<N>>) -> tensor<?xi64, #opc.dims<k>> {
  opc.given_extents ["c"]
  opc.data_extent %n most <c> of "c" -> "k" : tensor<i64>
  %i = opc.iota : tensor<?xi64, #opc.dims<k>>
  %s = opc.reduce_sum %x {axes = [0]} : tensor<?xi64, #opc.dims<N>> -> tensor<i64>
  %y = opc.add %i, %s : tensor<?xi64, #opc.dims<k>>, tensor<i64>
  func.return %y : tensor<?xi64, #opc.dims<k>>
}
"""


def test_written(tmp_path: Path) -> None:
    """In a graph that a person writes; what is saved finds out the same."""
    function, x = opc.compile(GRAPH), np.ones(3, np.int64)
    for n in (0, 5, CAPACITY, CAPACITY + 1, 5000):
        np.testing.assert_array_equal(function(n, x), np.arange(n) + 3)
    function.save(tmp_path)
    loaded = opc.load(tmp_path / "f.json")
    assert loaded.interface == function.interface
    np.testing.assert_array_equal(loaded(3000, x), np.arange(3000) + 3)


def test_output_arrays() -> None:
    """Arrays of the caller have the room that there is; the error says how much that must be."""
    function, x = opc.compile(GRAPH), np.ones(3, np.int64)
    assert function.output_shapes(5, x) == ((CAPACITY,),)
    out = np.zeros(CAPACITY, np.int64)
    np.testing.assert_array_equal(function(5, x, out=out), np.arange(5) + 3)
    with pytest.raises(
        ArgumentError, match=rf"found shape \[{CAPACITY}\], expected \[{2 * CAPACITY}\]"
    ):
        function(CAPACITY + 1, x, out=out)
    assert function(400, x).shape == (400,)
    call = function.bind(n := np.array(9, np.int64), x, out=np.zeros(512, np.int64))
    assert call().shape == (9,)
    n[...] = 513
    with pytest.raises(ArgumentError, match=r"found shape \[512\], expected \[1024\]"):
        call()


def test_bound_call_grows() -> None:
    function, n = opc.compile(GRAPH), np.array(3, np.int64)
    call = function.bind(n, np.ones(3, np.int64))
    for value in (3, 300, 5, 3000):
        n[...] = value
        np.testing.assert_array_equal(call(), np.arange(value) + 3)


def test_a_call_that_fails_needs_no_room_later() -> None:
    """What a call asked for that ended in an error, later ones do not."""
    function, x = opc.compile(GRAPH), np.ones(3, np.int64)
    call = function.bind(n := np.array(9, np.int64), x)
    for run in (lambda: function(1 << 44, x), lambda: call()):
        n[...] = 1 << 44
        with pytest.raises(ArgumentError):
            run()
        assert function.output_shapes(5, x) == ((CAPACITY,),)
        n[...] = 5
        assert function(5, x).shape == call().shape == (5,)


@pytest.mark.parametrize("exponent", [40, 45, 62])
def test_lengths_that_no_memory_holds(exponent: int) -> None:
    """Of outputs whose length an input has, or that is counted: an error of opc, in every call."""
    filled = opc.compile(
        model(
            node("ConstantOfShape", "n"), [info("n", "i64", [1])], outputs=[info("y", shape=["K"])]
        )
    )
    counted, x, n = opc.compile(GRAPH), np.ones(3, np.int64), np.array([1 << exponent])
    calls: tuple[Callable[[], Any], ...] = (
        lambda: filled(n),
        lambda: filled.arrays(n=n),
        lambda: filled.bind(n),
        lambda: counted(n[0], x),
        lambda: counted.bind(n.reshape(()), x)(),
    )
    for call in calls:
        with pytest.raises(ArgumentError) as raised:
            call()
        assert isinstance(raised.value, OpcError) and "\n" not in str(raised.value)
        assert isinstance(raised.value, NoMemoryError) or exponent > 40
    assert issubclass(NoMemoryError, MemoryError)


def test_a_small_result_holds_no_large_array() -> None:
    function, x = opc.compile(GRAPH), np.ones(3, np.int64)
    assert function(1 << 20, x).size == 1 << 20
    small = function(5, x)
    assert small.base is None or small.base.nbytes <= 2 * small.nbytes


APPENDED = """g (float[1] x, float[1] h, int64 n) => (float[K] y, float[1] z) {
 c = Constant<value = int64 {1}>()
 going = Cast<to=9>(c)
 TRIPS
 y, z = Loop(NUMBER, going, x, h)
  <body = b(int64 i, bool before, float[P] a, float[1] s) => (bool after, float[Q] b, float[1] t) {
   t = Neg(s)
   b = Concat<axis=0>(a, s)
   AFTER
  }>
}"""
LESS = """k = Constant<value = int64 {4}>()
   after = Less(i, k)"""


@pytest.mark.parametrize("number", ["n", "", "most"])
def test_values_behind_one_that_is_appended_to(number: str) -> None:
    """A loop that stacks what it appends carries the others on; 2^63 - 1 is no number of them."""
    trips = "most = Constant<value = int64 {9223372036854775807}>()" if number == "most" else ""
    text = APPENDED.replace("TRIPS", trips).replace("NUMBER", number)
    text = text.replace("AFTER", "after = Identity(before)" if number == "n" else LESS)
    model = onnx.parser.parse_model(HEAD + text)
    function = opc.compile(model)
    for n in (0, 1, 2, 7):
        count = n if number == "n" else 5
        parts = [10.0 * (-1) ** k for k in range(count + 1)]
        found = function(np.float32([1]), np.float32([10]), i64(n))
        agree(found, [np.float32([1, *parts[:count]]), np.float32(parts[count:])])


def test_no_extent() -> None:
    function = opc.compile(GRAPH)
    with pytest.raises(ArgumentError, match="an extent that is computed is negative"):
        function(-1, np.ones(3, np.int64))
    module = load(GRAPH)
    with pytest.raises(ArgumentError, match="k is -1"):
        interpret(function_in(module), [i64(-1), np.ones(3, np.int64)])


def test_c(tmp_path: Path) -> None:
    """A caller in C chooses the capacity, and is told when it is too small."""
    compiled = opc.compile(GRAPH)
    compiled.save(tmp_path)
    (name,) = compiled.interface.capacities
    assert compiled.interface.dims == ("N", name)
    assert f"capacity {name}" in compiled.header
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    n, x = i64(20), np.ones(2, np.int64)
    shapes, size = (ctypes.c_int64 * 1)(), ctypes.c_size_t()

    def called(capacity: int, out: Any) -> int:
        given = [ctypes.c_int64(v) for v in (2, capacity)]
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (n, x)]
        assert library.f_plan(*given, *arrays, shapes, ctypes.byref(size)) == 0
        assert shapes[0] == capacity
        space = np.empty(size.value + 64, np.uint8)
        start = ctypes.c_void_p(space.ctypes.data + -space.ctypes.data % 64)
        return library.f_run(*given, *arrays, ctypes.c_void_p(out.ctypes.data), start, shapes)

    code = called(19, np.empty(19, np.int64))
    assert code == -(64 + 5) and too_small(code) == (0, 32) and "-(64 + b)" in compiled.header
    out = np.empty(20, np.int64)
    assert called(20, out) == 0 and shapes[0] == 20
    np.testing.assert_array_equal(out, np.arange(20) + 2)


def test_refused() -> None:
    """A carried value keeps its rank."""
    text = DOUBLED.replace("b1 = Sin(d)", "b1 = Unsqueeze(d, r)").replace(
        "s = Add", "r = Constant<value_ints=[0]>()\n   s = Add"
    )
    with pytest.raises(UnsupportedError, match=r"a carried value is .* at first and .* later"):
        opc.compile(onnx.parser.parse_model(HEAD + text))


def test_stacked_parts_differ() -> None:
    """What is stacked has one shape; the call says so where it has not."""
    text = STACKED.replace("m = Abs(n)", "m = Add(n, i)")
    function = opc.compile(onnx.parser.parse_model(HEAD + text))
    assert [x.shape for x in function(i64(4), i64(1))] == [(1, 4)] * 2
    with pytest.raises(ArgumentError, match="negative"):
        function(i64(4), i64(2))
