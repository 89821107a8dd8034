"""Operations of StableHLO on whole arrays, and control flow, beside NumPy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import opc
from opc.errors import ArgumentError
from tests.unit.common.stablehlo_text import F, X, Y, check, type_of

SHAPING: dict[str, Any] = {
    "reshape": ("%r = stablehlo.reshape %0 : (A) -> R", X.reshape(3, 2)),
    "transpose": ("%r = stablehlo.transpose %0, dims = [1, 0] : (A) -> R", X.T.copy()),
    "broadcast_in_dim": (
        "%r = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (A) -> R",
        np.broadcast_to(X.T[:, None, :], (3, 4, 2)).copy(),
    ),
    "slice": ("%r = stablehlo.slice %0 [0:2, 0:3:2] : (A) -> R", X[:, ::2].copy()),
    "reverse": ("%r = stablehlo.reverse %0, dims = [1] : A", X[:, ::-1].copy()),
    "concatenate": ("%r = stablehlo.concatenate %0, %0, dim = 0 : (A, A) -> R", np.r_[X, X]),
    "iota": ("%r = stablehlo.iota dim = 1 : R", np.broadcast_to(np.arange(3.0), (2, 3)).astype(F)),
    "get_dimension_size": (
        "%r = stablehlo.get_dimension_size %0, dim = 1 : (A) -> R",
        np.array(3, np.int32),
    ),
    "pad": (
        "%c = stablehlo.constant dense<9.0> : tensor<f32>\n"
        "%r = stablehlo.pad %0, %c, low = [1, -1], high = [0, 1], interior = [1, 0]"
        " : (A, tensor<f32>) -> R",
        np.array([[9, 9, 9], [-2, 0.25, 9], [9, 9, 9], [3, -1.25, 9]], F),
    ),
    "dynamic_slice": (
        "%c = stablehlo.constant dense<9> : tensor<i32>\n"
        "%d = stablehlo.constant dense<1> : tensor<i32>\n"
        "%r = stablehlo.dynamic_slice %0, %c, %d, sizes = [1, 2]"
        " : (A, tensor<i32>, tensor<i32>) -> R",
        X[1:, 1:].copy(),
    ),
    "optimization_barrier": ("%r = stablehlo.optimization_barrier %0 : A", X),
    "sharding_constraint": ('%r = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : A', X),
    "tuple": (
        "%a = stablehlo.negate %0 : A\n"
        "%b = stablehlo.tuple %a, %0 : tuple<A, A>\n"
        "%c = stablehlo.tuple %0, %b : tuple<A, tuple<A, A>>\n"
        "%d = stablehlo.get_tuple_element %c[1] : (tuple<A, tuple<A, A>>) -> tuple<A, A>\n"
        "%r = stablehlo.get_tuple_element %d[0] : (tuple<A, A>) -> A",
        -X,
    ),
    "tokens": (
        "%t = stablehlo.create_token : !stablehlo.token\n"
        "%u = stablehlo.after_all %t, %t : !stablehlo.token\n"
        "%n = stablehlo.constant dense<0> : tensor<i32>\n"
        "%w:3 = stablehlo.while(%i = %n, %v = %u, %x = %0)"
        " : tensor<i32>, !stablehlo.token, A\n"
        "cond {\n%most = stablehlo.constant dense<2> : tensor<i32>\n"
        "%g = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %g : tensor<i1>\n} do {\n"
        "%one = stablehlo.constant dense<1> : tensor<i32>\n"
        "%j = stablehlo.add %i, %one : tensor<i32>\n%y = stablehlo.add %x, %x : A\n"
        "stablehlo.return %j, %v, %y : tensor<i32>, !stablehlo.token, A\n}\n"
        "%r = stablehlo.negate %w#2 : A",
        -4 * X,
    ),
    "map": (
        '%r = "stablehlo.map"(%0) <{dimensions = array<i64: 0, 1>}> ({\n^bb0(%a: tensor<f32>):\n'
        "%b = stablehlo.negate %a : tensor<f32>\nstablehlo.return %b : tensor<f32>\n})"
        " : (A) -> R",
        -X,
    ),
    "reduce_window": (
        "%c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
        '%r = "stablehlo.reduce_window"(%0, %c) <{'
        "padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>,"
        " window_dimensions = array<i64: 1, 2>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "%m = stablehlo.maximum %a, %b : tensor<f32>\nstablehlo.return %m : tensor<f32>\n})"
        " : (A, tensor<f32>) -> R",
        np.maximum(X, np.c_[np.full(2, -np.inf), X[:, :-1]]).astype(F),
    ),
}


@pytest.mark.parametrize("name", SHAPING)
def test_shaping(name: str) -> None:
    body, wanted = SHAPING[name]
    body = re.sub(r"\bA\b", type_of(X), body).replace("R", type_of(wanted), 1)
    check(body, [X], wanted)


def test_dynamic_update_slice_moves_inside() -> None:
    wanted = X.copy()
    wanted[1:, 1:] = [[7, 8]]
    types = f"({type_of(X)}, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> {type_of(X)}"
    body = f"%r = stablehlo.dynamic_update_slice %0, %1, %2, %2 : {types}"
    check(body, [X, np.array([[7, 8]], F), np.array(5, np.int32)], wanted)


def reduction(function: str, init: str) -> str:
    return (
        f"%c = stablehlo.constant dense<{init}> : tensor<f32>\n"
        f"%r = stablehlo.reduce(%0 init: %c) applies stablehlo.{function} across dimensions = [1]"
        f" : ({type_of(X)}, tensor<f32>) -> tensor<2xf32>"
    )


def test_reduce() -> None:
    check(reduction("add", "0.0"), [X], X.sum(1), close=1e-6)
    check(reduction("add", "2.0"), [X], 2 + X.sum(1), close=1e-6)
    check(reduction("multiply", "1.0"), [X], X.prod(1), close=1e-6)
    check(reduction("maximum", "0xFF800000"), [X], X.max(1))
    check(reduction("minimum", "-9.0"), [X], np.array([-9, -9], F))


def test_reduce_with_a_body_of_two_results() -> None:
    body = """
    %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %q:2 = stablehlo.reduce(%0 init: %c), (%i init: %z) across dimensions = [1]
        : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>)
        -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
      %g = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %v = stablehlo.select %g, %b, %a : tensor<i1>, tensor<f32>
      %w = stablehlo.select %g, %n, %m : tensor<i1>, tensor<i32>
      stablehlo.return %v, %w : tensor<f32>, tensor<i32>
    }
    %r = stablehlo.convert %q#0 : tensor<2xf32>
    %r1 = stablehlo.convert %q#1 : tensor<2xi32>"""
    check(body, [X], X.max(1), X.argmax(1).astype(np.int32))


def test_dot_general() -> None:
    x, y = (np.arange(n, dtype=F).reshape(s) for n, s in ((24, (2, 3, 4)), (40, (2, 5, 4))))
    wanted = np.einsum("bij,bkj->bik", x, y)
    types = f"({type_of(x)}, {type_of(y)}) -> {type_of(wanted)}"
    body = (
        "%r = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [2]"
    )
    check(f"{body}, precision = [DEFAULT, DEFAULT] : {types}", [x, y], wanted)


def test_convolution() -> None:
    x = np.arange(16, dtype=F).reshape(1, 4, 4, 1)
    w = np.array([[1, 2], [3, 4]], F).reshape(2, 2, 1, 1)
    wanted = sum(
        w[i, j, 0, 0] * np.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))[:, i : i + 4 : 2, j : j + 4 : 2]
        for i in (0, 1)
        for j in (0, 1)
    )
    body = (
        "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    )
    check(f"{body} : ({type_of(x)}, {type_of(w)}) -> {type_of(wanted)}", [x, w], wanted)


GATHER = """%r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<
    offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>"""


def test_gather_moves_slices_inside() -> None:
    check(GATHER, [X, np.array([[0], [9], [-4]], np.int32)], X[[0, 1, 0], :2].copy())


def scatter(body: str) -> str:
    return f"""%r = "stablehlo.scatter"(%0, %1, %2) <{{
    scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [1], inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      {body}
    }}) : (tensor<2x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<2x3xf32>"""


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", ""])
def test_scatter_leaves_out_what_is_outside(name: str) -> None:
    updates, wanted = np.arange(9, dtype=F).reshape(3, 3), X.copy()
    functions = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum}
    functions |= {"subtract": np.subtract, "": lambda _, u: u}
    for place, update in zip((1, 2, 1), updates, strict=True):
        if place < 2:
            wanted[place] = functions[name](wanted[place], update)
    body = f"%m = stablehlo.{name} %a, %b : tensor<f32>\nstablehlo.return %m : tensor<f32>"
    text = scatter(body if name else "stablehlo.return %b : tensor<f32>")
    check(text, [X, np.array([[1], [2], [1]], np.int32), updates], wanted)


def test_select_and_scatter() -> None:
    x, source = np.array([1, 5, 2, 3], F), np.array([10, 20], F)
    body = """%c = stablehlo.constant dense<0.0> : tensor<f32>
    %r = "stablehlo.select_and_scatter"(%0, %1, %c) <{window_dimensions = array<i64: 2>,
        window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>"""
    check(body, [x, source], np.array([0, 10, 0, 20], F))


def test_sort_of_two_by_one() -> None:
    keys, values = np.array([3, 1, 2, 1, 0], np.int32), np.arange(5, dtype=F)
    body = """%s:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
      %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<5xi32>, tensor<5xf32>) -> (tensor<5xi32>, tensor<5xf32>)
    %r = stablehlo.convert %s#0 : tensor<5xi32>
    %r1 = stablehlo.convert %s#1 : tensor<5xf32>"""
    order = np.argsort(keys, kind="stable")
    check(body, [keys, values], keys[order], values[order])


@pytest.mark.parametrize("count", [1, 2, 7, 33])
def test_sort_of_unknown_extent(count: int) -> None:
    """Along the first axis, stably."""
    pair = "tensor<?x3xi32>, tensor<?x3xf32>"
    text = f"""func.func @main(%0: tensor<?x3xi32>, %1: tensor<?x3xf32>) -> ({pair}) {{
    %s:2 = "stablehlo.sort"(%0, %1) <{{dimension = 0 : i64, is_stable = true}}> ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
      %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }}) : ({pair}) -> ({pair})
    return %s#0, %s#1 : {pair}
    }}"""
    random = np.random.default_rng(count)
    keys, values = random.integers(0, 5, (count, 3)).astype(np.int32), random.random((count, 3), F)
    order = np.argsort(keys, axis=0, kind="stable")
    for result, x in zip(opc.compile(text)(keys, values), (keys, values), strict=True):
        np.testing.assert_array_equal(result, np.take_along_axis(x, order, 0))


def test_top_k() -> None:
    body = f"%r, %r1 = chlo.top_k(%0, k = 2) : {type_of(X)} -> (tensor<2x2xf32>, tensor<2x2xi32>)"
    places = np.argsort(-X, axis=1)[:, :2]
    check(body, [X], np.take_along_axis(X, places, 1), places.astype(np.int32))


def test_triangular_solve() -> None:
    a, b = np.array([[2, 9], [3, 4]], F), np.array([[2], [7]], F)
    body = """%r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true,
        transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
        : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>"""
    check(body, [a, b], np.array([[1], [1]], F))


WHILE = """%c = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%i = %c, %x = %0) : tensor<i32>, tensor<2x3xf32>
    cond {
      %l = stablehlo.compare LT, %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    } do {
      %o = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.add %i, %o : tensor<i32>
      %y = func.call @twice(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      stablehlo.return %n, %y : tensor<i32>, tensor<2x3xf32>
    }
    %r = stablehlo.convert %w#1 : tensor<2x3xf32>"""
TWICE = """func.func private @twice(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %b = stablehlo.add %a, %a : tensor<2x3xf32>
    return %b : tensor<2x3xf32>
}"""


@pytest.mark.parametrize("times", [0, 1, 5])
def test_while_and_call(times: int) -> None:
    check(WHILE, [X, np.array(times, np.int32)], X * 2**times, others=TWICE)


def test_if() -> None:
    body = """%r = "stablehlo.if"(%0) ({
      stablehlo.return %1 : tensor<2x3xf32>
    }, {
      %n = stablehlo.negate %1 : tensor<2x3xf32>
      stablehlo.return %n : tensor<2x3xf32>
    }) : (tensor<i1>) -> tensor<2x3xf32>"""
    check(body, [np.array(True), X], X)
    check(body, [np.array(False), X], -X)


@pytest.mark.parametrize(("index", "factor"), [(0, 1), (1, 2), (2, 3), (7, 3), (-1, 3)])
def test_case_takes_the_last_branch_outside(index: int, factor: int) -> None:
    branch = """{ %k = stablehlo.constant dense<{n}.0> : tensor<2x3xf32>
      %m = stablehlo.multiply %1, %k : tensor<2x3xf32>
      stablehlo.return %m : tensor<2x3xf32> }"""
    branches = ", ".join(branch.replace("{n}", str(n)) for n in (1, 2, 3))
    body = f'%r = "stablehlo.case"(%0) ({branches}) : (tensor<i32>) -> tensor<2x3xf32>'
    check(body, [np.array(index, np.int32), X], X * F(factor))


@pytest.mark.parametrize("is_reverse", [False, True])
def test_scan_along_an_axis(is_reverse: bool) -> None:
    way = "attributes {is_reverse = true}" if is_reverse else ""
    body = f"""%s:2 = chlo.scan(%0) inits(%1) dimension=1 {way} {{
      ^bb0(%x: tensor<2xf32>, %total: tensor<2xf32>):
        %new = stablehlo.add %x, %total : tensor<2xf32>
        %half = stablehlo.multiply %new, %x : tensor<2xf32>
        stablehlo.return %half, %new : tensor<2xf32>, tensor<2xf32>
      }} : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
      %r = stablehlo.abs %s#0 : tensor<2x3xf32>
      %r1 = stablehlo.negate %s#1 : tensor<2xf32>"""
    x = X[:, ::-1] if is_reverse else X
    totals = np.cumsum(x, 1, dtype=F)
    stacked = (totals * x)[:, :: -1 if is_reverse else 1]
    check(body, [X, np.zeros(2, F)], abs(stacked), -totals[:, -1])


def test_groups_of_rows() -> None:
    numbers = {"lhs_ragged": [0], "rhs_group": [0], "lhs_contracting": [1], "rhs_contracting": [1]}
    numbers |= {"lhs_batching": [], "rhs_batching": []}
    listed = ", ".join(f"{name}_dimensions = {axes}" for name, axes in numbers.items())
    body = f"""%r = "chlo.ragged_dot"(%0, %1, %2) {{
      ragged_dot_dimension_numbers = #chlo.ragged_dot<{listed}>}}
      : (tensor<5x3xf32>, tensor<2x3x2xf32>, tensor<2xi64>) -> tensor<5x2xf32>"""
    x, y = np.arange(15, dtype=F).reshape(5, 3), np.arange(12, dtype=F).reshape(2, 3, 2)
    rows = [x[:2] @ y[0], x[2:4] @ y[1], np.zeros((1, 2), F)]
    check(body, [x, y, np.array([2, 2])], np.concatenate(rows))


def test_composite_is_its_body() -> None:
    types = "(tensor<2x3xf32>) -> tensor<2x3xf32>"
    body = '%r = stablehlo.composite "my.twice" %0 {decomposition = @twice} : ' + types
    check(body, [X], X + X, others=TWICE)


def test_comments_behind_constants() -> None:
    body = "%c = stablehlo.constant dense<2.0> : tensor<2x3xf32>\n// a: [b, c] : d\n"
    check(body + "%r = stablehlo.multiply %0, %c : tensor<2x3xf32>", [X], X * 2)


def test_checks_fail_the_call() -> None:
    text = """func.func @main(%0: tensor<2xf32>, %1: tensor<2xf32>) -> tensor<2xf32> {
      stablehlo.custom_call @check.expect_close(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> ()
      return %0 : tensor<2xf32>
    }"""
    f, x = opc.compile(text), np.array([1.0, np.nan], F)
    f(x, np.nextafter(x, F(2)))
    with pytest.raises(ArgumentError, match=r"check.expect_close: elements differ"):
        f(x, x * F(1.001))


def test_unknown_extents() -> None:
    text = """func.func @main(%0: tensor<?x3xf32>, %1: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %a = stablehlo.add %0, %1 : tensor<?x3xf32>
      %n = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
      %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
      %m = chlo.broadcast_multiply %a, %f : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
      return %m : tensor<?x3xf32>
    }"""
    f = opc.compile(text)
    np.testing.assert_array_equal(f(X, Y), (X + Y) * 2)
    with pytest.raises(ArgumentError, match="differ"):
        f(X, Y[:1].copy())
