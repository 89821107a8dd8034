"""Shapes that inputs hold: opc.read_extents compiled, interpreted and refused."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pytest

import opc
from opc.dialects.element import BY_NAME
from opc.errors import ArgumentError, InputError, UnsupportedError
from opc.frontend.mlir.reader import parse_module
from tests.unit.common.graphs import oracle

pytestmark = pytest.mark.sample(24)

Shape: TypeAlias = "tuple[int, ...]"
Values: TypeAlias = "Sequence[int]"

INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
MOVES = {
    "reshape": "opc.reshape",
    "reshape_allowzero": "opc.reshape",
    "expand": "opc.broadcast",
    "squeeze": "opc.reshape",
    "unsqueeze": "opc.reshape",
}


def dims(extents: Sequence[str]) -> str:
    if not any(e.isidentifier() for e in extents):
        return f"tensor<{''.join(f'{e}x' for e in extents)}f32>"
    marks = "".join("?x" if e.isidentifier() else f"{e}x" for e in extents)
    return f"tensor<{marks}f32, #opc.dims<{', '.join(extents)}>>"


def moved(rule: str, extents: Sequence[str], count: int, rank: int, type: str = "i64") -> str:
    """A function that moves x of the given extents to the shape that the rule reads."""
    symbols = [f"s{k}" for k in range(rank)]
    of = f"of <{', '.join(extents)}> " if extents else ""
    names = ", ".join(f'"{s}"' for s in symbols)
    source, target, values = dims(extents), dims(symbols), f"tensor<{count}x{type}>"
    return f"""
    func.func @f(%x: {source}, %v: {values}) -> {target} {{
      opc.read_extents {rule} %v {of}-> [{names}] : {values}
      %m = {MOVES[rule]} %x : {source} -> {target}
      %y = opc.neg %m
      return %y : {target}
    }}
    """


@cache
def function(text: str) -> Callable[..., Any]:
    return opc.compile(text, verify_each=True)


def numbers(shape: Shape) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


ALL = ("A", "B", "C")
GOOD: list[tuple[str, Shape, Values, Shape]] = [
    ("reshape", (2, 3, 4), (4, 6), (4, 6)),
    ("reshape", (2, 3, 4), (-1, 2), (12, 2)),
    ("reshape", (2, 3, 4), (0, -1), (2, 12)),
    ("reshape", (2, 3, 4), (0, 0, 0), (2, 3, 4)),
    ("reshape", (2, 3, 4), (24,), (24,)),
    ("reshape", (2, 3, 4), (1, 0, 2, 4), (1, 3, 2, 4)),
    ("reshape", (0, 3, 4), (0, 5), (0, 5)),
    ("reshape", (3, 4, 0), (7, 2, 0), (7, 2, 0)),
    ("reshape", (1, 1, 1), (), ()),
    ("reshape_allowzero", (0, 3, 4), (5, 0), (5, 0)),
    ("reshape_allowzero", (2, 3, 4), (-1, 3), (8, 3)),
    ("expand", (1, 3, 1), (2, 1, 5), (2, 3, 5)),
    ("expand", (1, 3, 1), (4,), (1, 3, 4)),
    ("expand", (2, 3, 4), (5, 1, 1, 1), (5, 2, 3, 4)),
    ("expand", (2, 1, 4), (0, 1), (2, 0, 4)),
    ("expand", (2, 3, 4), (), (2, 3, 4)),
    ("squeeze", (1, 3, 1), (0, 2), (3,)),
    ("squeeze", (1, 3, 1), (-1,), (1, 3)),
    ("squeeze", (1, 3, 1), (), (1, 3, 1)),
    ("unsqueeze", (2, 3, 4), (0, 2), (1, 2, 1, 3, 4)),
    ("unsqueeze", (2, 3, 4), (-1,), (2, 3, 4, 1)),
    ("unsqueeze", (2, 3, 4), (4, -6, 1), (1, 1, 2, 3, 1, 4)),
]


@pytest.mark.parametrize("rule, shape, values, wanted", GOOD, ids=str)
@pytest.mark.parametrize("static", [False, True])
def test_shapes(rule: str, shape: Shape, values: Values, wanted: Shape, static: bool) -> None:
    extents = [str(e) for e in shape] if static else ALL
    text = moved(rule, extents, len(values), len(wanted))
    x = numbers(shape)
    expected = -(np.broadcast_to(x, wanted) if rule == "expand" else x.reshape(wanted))
    given = np.array(values, np.int64)
    np.testing.assert_array_equal(function(text)(x, given), expected, strict=True)
    np.testing.assert_array_equal(oracle(text, [x, given])[0], expected, strict=True)


BAD: list[tuple[str, Shape, Values, int]] = [
    ("reshape", (2, 3, 4), (5, -1), 2),
    ("reshape", (2, 3, 4), (-1, -1), 2),
    ("reshape", (2, 3, 4), (-2, 12), 2),
    ("reshape", (2, 3, 4), (4, 5), 2),
    ("reshape", (2, 3, 4), (2, 3, 4, 0), 4),
    ("reshape", (0, 3, 4), (0, -1), 2),
    ("reshape", (2, 3, 4), (1 << 62, 4), 2),
    ("reshape", (0, 3, 4), (1 << 62, 0), 2),
    ("reshape_allowzero", (0, 3, 4), (0, -1), 2),
    ("reshape_allowzero", (2, 3, 4), (0, 12), 2),
    ("expand", (2, 3, 4), (2, 2, 4), 3),
    ("expand", (2, 1, 4), (-1, 4), 3),
    ("expand", (2, 1, 4), (1 << 47, 4), 3),
    ("squeeze", (1, 3, 1), (1,), 2),
    ("squeeze", (1, 3, 1), (3,), 2),
    ("squeeze", (1, 3, 1), (0, -3), 1),
    ("unsqueeze", (2, 3, 4), (4,), 4),
    ("unsqueeze", (2, 3, 4), (0, -5), 5),
]


@pytest.mark.parametrize("rule, shape, values, rank", BAD, ids=str)
def test_values_that_do_not_fit(rule: str, shape: Shape, values: Values, rank: int) -> None:
    text = moved(rule, ALL, len(values), rank)
    given = np.array(values, np.int64)
    extents = ", ".join(map(str, shape))
    with pytest.raises(ArgumentError) as raised:
        function(text)(numbers(shape), given)
    assert f"{rule}: values of an input do not fit extents [{extents}]" in str(raised.value)
    assert f"A = {shape[0]}, from input 'x' axis 0" in str(raised.value)
    with pytest.raises(ArgumentError, match=rule):
        oracle(text, [numbers(shape), given])


def test_scalar_of_several_elements() -> None:
    with pytest.raises(ArgumentError, match="the number of elements differs"):
        function(moved("reshape", ALL, 0, 0))(numbers((2, 3, 4)), np.zeros(0, np.int64))


@pytest.mark.parametrize("type", INTEGERS)
def test_every_integer_type(type: str) -> None:
    text = moved("reshape", ALL, 2, 2, type)
    x = numbers((2, 3, 4))
    given = np.array([0, 12]).astype(BY_NAME[type].dtype)
    assert function(text)(x, given).shape == (2, 12)
    top = np.array([0, np.iinfo(given.dtype).max], given.dtype)
    with pytest.raises(ArgumentError, match="do not fit"):
        function(text)(x, top)


def filled(type: str) -> str:
    return f"""
    func.func @f(%v: tensor<2x{type}>) -> tensor<?x?xf32, #opc.dims<s0, s1>> {{
      opc.read_extents plain %v -> ["s0", "s1"] : tensor<2x{type}>
      %c = opc.constant dense<2.5> : tensor<f32>
      %y = opc.broadcast %c -> tensor<?x?xf32, #opc.dims<s0, s1>>
      return %y : tensor<?x?xf32, #opc.dims<s0, s1>>
    }}
    """


@pytest.mark.parametrize("type", INTEGERS)
def test_axes_of_every_integer_type(type: str) -> None:
    """What is outside of the rank is refused, also where it is no value of int64."""
    dtype = np.dtype(type.replace("i", "int"))
    f = function(
        f"""func.func @f(%x: tensor<2x3xf32>, %a: tensor<1x{type}>) -> tensor<?x?xf32> {{
          %r = opc.reduce_sum %x, %a {{keepdims = true}}
              : tensor<2x3xf32>, tensor<1x{type}> -> tensor<?x?xf32>
          return %r : tensor<?x?xf32>
        }}"""
    )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for axis in (0, 1):
        np.testing.assert_array_equal(f(x, np.array([axis], dtype)), x.sum(axis, keepdims=True))
    limits = np.iinfo(dtype)
    middle = limits.max // 2 + 1
    for axis in (2, limits.max, middle, middle + 1, limits.max - 33):
        with pytest.raises(ArgumentError, match=r"must be within \[-2, 1\]"):
            f(x, np.array([axis], dtype))
    if limits.min < 0:
        np.testing.assert_array_equal(f(x, np.array([-1], dtype)), x.sum(-1, keepdims=True))
        with pytest.raises(ArgumentError, match=r"must be within \[-2, 1\]"):
            f(x, np.array([limits.min], dtype))


@pytest.mark.parametrize("shape", [(2, 3), (0, 4), (1, 1)])
def test_plain(shape: Shape) -> None:
    result = function(filled("i64"))(np.array(shape))
    np.testing.assert_array_equal(result, np.full(shape, 2.5, np.float32), strict=True)


@pytest.mark.parametrize("shape", [(2, -3), (-1, 0), (1 << 40, 1 << 40), (0, 1 << 62)])
def test_plain_refused(shape: Shape) -> None:
    with pytest.raises(ArgumentError, match="values of an input are no extents"):
        function(filled("i64"))(np.array(shape))


def test_scalar_operand() -> None:
    text = """
    func.func @f(%n: tensor<i32>) -> tensor<?xi64, #opc.dims<s0>> {
      opc.read_extents plain %n -> ["s0"] : tensor<i32>
      %e = opc.extent <s0 * 2>
      %y = opc.broadcast %e -> tensor<?xi64, #opc.dims<s0>>
      return %y : tensor<?xi64, #opc.dims<s0>>
    }
    """
    assert function(text)(np.array(3, np.int32)).tolist() == [6, 6, 6]


CHAIN = """
func.func @f(%x: tensor<?x?xf32, #opc.dims<N, M>>, %v: tensor<1x2xi32>, %axes: tensor<1xi64>)
    -> tensor<?x?xf32> {
  %e = opc.exp %x
  %w = opc.reshape %v -> tensor<2xi32>
  %l = opc.cast %w -> tensor<2xi64>
  opc.read_extents reshape %l of <N, M> -> ["s0", "s1"] : tensor<2xi64>
  %r = opc.reshape %e -> tensor<?x?xf32, #opc.dims<s0, s1>>
  %t = opc.transpose %r {permutation = [1, 0]}
  %sum = opc.reduce_sum %t, %axes {keepdims = true}
  %y = opc.sub %t, %sum
  return %y : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("fuse", [True, False])
def test_among_other_operators(fuse: bool) -> None:
    """Behind a cast and a reshape, with run-time axes over the extents that were read."""
    compiled = opc.compile(CHAIN, verify_each=True, fuse=fuse)
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    for values, axis in (((2, -1), 0), ((0, 4), -1), ((12, 1), 1)):
        arguments = [x, np.array([values], np.int32), np.array([axis])]
        (expected,) = oracle(CHAIN, arguments)
        np.testing.assert_allclose(compiled(*arguments), expected, rtol=1e-6, strict=True)
    assert "opc.require equal" not in compiled.ir("graph")


def test_of_extents_that_were_read() -> None:
    text = """
    func.func @f(%x: tensor<?xf32, #opc.dims<N>>, %v: tensor<2xi64>, %w: tensor<1xi64>)
        -> tensor<?x?x?xf32, #opc.dims<t0, t1, t2>> {
      opc.read_extents reshape %v of <N> -> ["s0", "s1"] : tensor<2xi64>
      %r = opc.reshape %x -> tensor<?x?xf32, #opc.dims<s0, s1>>
      opc.read_extents unsqueeze %w of <s0, s1> -> ["t0", "t1", "t2"] : tensor<1xi64>
      %u = opc.reshape %r -> tensor<?x?x?xf32, #opc.dims<t0, t1, t2>>
      return %u : tensor<?x?x?xf32, #opc.dims<t0, t1, t2>>
    }
    """
    result = function(text)(numbers((6,)), np.array([3, -1]), np.array([1]))
    np.testing.assert_array_equal(result, numbers((3, 1, 2)))


RULES = {
    "reshape": "%y = opc.reshape %x -> tensor<?x?xf32, #opc.dims<a, b>>",
    "reshape_allowzero": "%y = opc.reshape %x -> tensor<?x?xf32, #opc.dims<a, b>>",
    "expand": "%y = opc.broadcast %x -> tensor<?x?xf32, #opc.dims<a, b>>",
}


@pytest.mark.parametrize("rule", RULES)
def test_on_the_way_as_at_the_start(rule: str) -> None:
    """Values that indices are looked up for are read where they are computed, by the same rules."""
    text = f"""
    func.func @f(%x: tensor<?x?xf32, #opc.dims<N, M>>, %v: tensor<2xi64>, %i: tensor<2xi64>)
        -> tensor<?x?xf32, #opc.dims<a, b>> {{
      %w = opc.gather %v, %i {{axes = [0]}}
      opc.read_extents {rule} %w of <N, M> -> ["a", "b"] : tensor<2xi64>
      {RULES[rule]}
      return %y : tensor<?x?xf32, #opc.dims<a, b>>
    }}
    """
    late = function(text)
    early = function(text.replace("%w of", "%v of"))
    assert late.interface.capacities and not early.interface.capacities

    def outcome(f: Any, x: Any, values: Any) -> Any:
        try:
            return f(x, values, np.arange(2)).tolist()
        except ArgumentError:
            return None

    taken = 0
    for shape in ((2, 3), (1, 3), (1, 1), (0, 2)):
        x = numbers(shape)
        for pair in itertools.product(range(-1, 4), repeat=2):
            found, wanted = (outcome(f, x, np.array(pair)) for f in (late, early))
            assert found == wanted, (shape, pair)
            taken += found is not None
    assert taken > 10


def one(body: str, arguments: str = "%x: tensor<?xf32, #opc.dims<N>>, %v: tensor<1xi64>") -> str:
    return f"func.func @f({arguments}) {{\n{body}\n  return\n}}\n"


@pytest.mark.parametrize(
    "body, error, message",
    [
        (
            "%n = opc.reshape %v -> tensor<i64>\n"
            'opc.data_extent %n most <N> -> "s" : tensor<i64>\n'
            "%e = opc.extent <s>\n %w = opc.reshape %e -> tensor<1xi64>\n"
            'opc.read_extents squeeze %w of <N, 1> -> ["t"] : tensor<1xi64>',
            UnsupportedError,
            "axes are data-dependent",
        ),
        (
            'opc.read_extents reshape %v of <?> -> ["s"] : tensor<1xi64>',
            InputError,
            "an extent after `of` is unknown",
        ),
        (
            'opc.read_extents reshape %v of <K> -> ["s"] : tensor<1xi64>',
            InputError,
            "extent K is not an extent of any argument",
        ),
        (
            'opc.read_extents plain %v -> ["N"] : tensor<1xi64>',
            InputError,
            "extent N is defined twice",
        ),
    ],
)
def test_refused_when_compiling(body: str, error: type[opc.OpcError], message: str) -> None:
    with pytest.raises(error, match=message):
        opc.lower(parse_module(one(body)))


def test_argument_of_unknown_length() -> None:
    text = """func.func @f(%v: tensor<?xi64>) -> tensor<?xi64, #opc.dims<s>> {
      %w = opc.reshape %v -> tensor<1xi64>
      opc.read_extents plain %w -> ["s"] : tensor<1xi64>
      %y = opc.iota : tensor<?xi64, #opc.dims<s>>
      return %y : tensor<?xi64, #opc.dims<s>>
    }"""
    compiled = opc.compile(text, verify_each=True)
    assert compiled(np.array([4])).tolist() == [0, 1, 2, 3]
    with pytest.raises(ArgumentError, match="the number of elements differs: 2 and 1"):
        compiled(np.array([4, 5]))


COMPUTED = """
func.func @f(%x: tensor<?xf32, #opc.dims<N>>, %v: tensor<3xi32>)
    -> tensor<?x?xf32, #opc.dims<s0, s1>> {
  %two = opc.constant dense<2> : tensor<i32>
  %a = opc.slice %v {starts = [1], stops = [3], steps = [1]}
  %b = opc.mul %a, %two
  %m = opc.reduce_max %v {axes = [0], keepdims = true}
  %c = opc.add %b, %m
  %l = opc.cast %c -> tensor<2xi64>
  %n = opc.extent <N>
  %d = opc.sub %l, %n
  opc.read_extents plain %d -> ["s0", "s1"] : tensor<2xi64>
  %z = opc.reduce_sum %x {axes = [0]}
  %y = opc.broadcast %z -> tensor<?x?xf32, #opc.dims<s0, s1>>
  return %y : tensor<?x?xf32, #opc.dims<s0, s1>>
}
"""


@pytest.mark.parametrize("fuse", [True, False])
def test_computed_values(fuse: bool) -> None:
    """Another function computes them before the one around it has a place for its results."""
    compiled = opc.compile(COMPUTED, verify_each=True, fuse=fuse)
    for values in ((1, 2, 3), (9, 0, -1)):
        arguments = [np.ones(4, np.float32), np.array(values, np.int32)]
        (expected,) = oracle(COMPUTED, arguments)
        np.testing.assert_array_equal(compiled(*arguments), expected, strict=True)
    text = compiled.ir("graph")
    assert "opc.read_extents plain @extents0 gives 2" in text
    assert "opc.mul" not in text.partition("func.func private")[0]
    with pytest.raises(ArgumentError, match="values of an input are no extents"):
        compiled(np.ones(9, np.float32), np.array([0, 1, 2], np.int32))


TWICE = """
func.func @f(%x: tensor<3xi64>, %v: tensor<1xi64>) -> tensor<?xi64, #opc.dims<b*a + d>> {
  opc.read_extents plain %v -> ["a"] : tensor<1xi64>
  %e = opc.extent <a*2 + 1>
  %f = opc.cast %e -> tensor<f32>
  %two = opc.constant dense<2.0> : tensor<f32>
  %g = opc.div %f, %two
  %h = opc.ceil %g
  %i = opc.cast %h -> tensor<i64>
  opc.read_extents plain %i -> ["b"] : tensor<i64>
  %s = opc.reshape %x : tensor<3xi64> -> tensor<?xi64, #opc.dims<a>>
  %m = opc.reduce_max %s {axes = [0], keepdims = true}
  opc.read_extents plain %m -> ["d"] : tensor<1xi64>
  %y = opc.iota : tensor<?xi64, #opc.dims<b*a + d>>
  return %y : tensor<?xi64, #opc.dims<b*a + d>>
}
"""


@pytest.mark.parametrize("fuse", [True, False])
def test_computed_values_of_extents_that_are_read(fuse: bool) -> None:
    """Each function is given what was read before it, of which it is known to fit."""
    compiled = opc.compile(TWICE, verify_each=True, fuse=fuse)
    x = np.int64([5, 1, 8])
    arguments, expected = [x, np.int64([3])], np.arange(4 * 3 + 8)
    np.testing.assert_array_equal(compiled(*arguments), expected, strict=True)
    np.testing.assert_array_equal(oracle(TWICE, arguments)[0], expected, strict=True)
    with pytest.raises(ArgumentError, match=r"opc\.reshape"):
        compiled(x, np.int64([4]))


def test_computed_values_of_every_rule() -> None:
    text = """
    func.func @f(%x: tensor<?x?xf32, #opc.dims<N, M>>, %v: tensor<2xi64>)
        -> tensor<?x?xf32, #opc.dims<s0, s1>> {
      %w = opc.neg %v
      opc.read_extents reshape %w of <N, M> -> ["s0", "s1"] : tensor<2xi64>
      %y = opc.reshape %x -> tensor<?x?xf32, #opc.dims<s0, s1>>
      return %y : tensor<?x?xf32, #opc.dims<s0, s1>>
    }
    """
    x = numbers((2, 6))
    result = function(text)(x, np.array([1, -4]))
    np.testing.assert_array_equal(result, x.reshape(3, 4))
    np.testing.assert_array_equal(oracle(text, [x, np.array([1, -4])])[0], x.reshape(3, 4))


PLACES = """
func.func @main(%v: tensor<1xi64>) -> tensor<?xi64, #opc.dims<n>> {
  %w = opc.add %v, %v
  opc.read_extents plain %w -> ["n"] : tensor<1xi64>
  %y = opc.iota : tensor<?xi64, #opc.dims<n>>
  func.return %y : tensor<?xi64, #opc.dims<n>>
}
"""


def test_computed_extents_need_no_model() -> None:
    """In a process that has loaded no frontend of models, as ``opc-opt -p infer-shapes`` is one."""
    code = (
        "import sys; from opc.passes import pipeline; from opc.api.driver import load; "
        "from opc.dialects.registry import context; module = load(sys.argv[1]); "
        "pipeline.run(module, context(), ['infer-shapes']); print(module); "
        "print([m for m in sys.modules if 'frontend.onnx' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, PLACES], capture_output=True, text=True, check=False
    )
    assert "plain @extents0 gives 1 %v" in done.stdout, done.stderr
    assert done.stdout.endswith("[]\n")
    assert function(PLACES)(np.int64([3])).tolist() == [0, 1, 2, 3, 4, 5]


def test_what_a_body_requires_of_an_extent_of_0() -> None:
    text = """
        func.func @main(%c: tensor<i1>, %x: tensor<?xf32, #opc.dims<N>>)
            -> tensor<?xf32, #opc.dims<N>> {
          %r = opc.if %c then @same(%x) else @same(%x)
              : (tensor<i1>, tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<N>>)
              -> (tensor<?xf32, #opc.dims<N>>)
          return %r : tensor<?xf32, #opc.dims<N>>
        }
        func.func private @same(%x: tensor<?xf32, #opc.dims<N>>) -> tensor<?xf32, #opc.dims<N>> {
          opc.require divides<N, N> "N shares nothing"
          return %x : tensor<?xf32, #opc.dims<N>>
        }"""
    function = opc.compile(text)
    assert function(np.array(True), np.float32([1, 2])).tolist() == [1, 2]
    with pytest.raises(ArgumentError, match="N shares nothing: 0 and 0"):
        function(np.array(True), np.zeros(0, np.float32))
