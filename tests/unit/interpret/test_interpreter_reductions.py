"""The oracle of reductions, axes, movement and symbols, against values written by hand."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from opc.errors import ArgumentError, DTypeError
from opc.interpret.elementwise import divide_by_count
from tests.unit.common.by_hand import INF, NAN, array, reduced, run
from tests.unit.common.graphs import oracle
from tests.unit.common.tolerance import assert_close

pytestmark = pytest.mark.smoke


@pytest.fixture(autouse=True)
def no_warning_leaks() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


EMPTY = {
    "sum": 0, "prod": 1, "l1": 0, "l2": 0, "sum_square": 0, "log_sum": -INF, "log_sum_exp": -INF,
    "max": -INF, "min": INF, "mean": NAN,
}  # fmt: skip


@pytest.mark.parametrize("op", EMPTY)
@pytest.mark.parametrize("type", ["f64", "f32", "f16", "bf16"])
def test_reductions_of_nothing(op: str, type: str) -> None:
    reduced(
        f"opc.reduce_{op} %0 {{axes = [1]}}", np.zeros((2, 0)), type, [EMPTY[op]] * 2, f"2x{type}"
    )


def test_integer_reductions_of_nothing() -> None:
    nothing = np.zeros((0,))
    for op, expected in {
        "sum": 0,
        "prod": 1,
        "max": -128,
        "min": 127,
        "mean": 0,
        "l2": 0,
        "log_sum": -128,
    }.items():
        reduced(f"opc.reduce_{op} %0", nothing, "i8", expected, "i8")
    reduced("opc.reduce_max %0", nothing, "ui8", 0, "ui8")
    reduced("opc.reduce_any %0", nothing, "i1", False, "i1")
    reduced("opc.reduce_all %0", nothing, "i1", True, "i1")


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("sum", [5, -7]), ("prod", [-8, -8]), ("max", [4, -1]), ("min", [-1, -4]),
        ("mean", [5 / 3, -7 / 3]), ("l1", [7, 7]), ("l2", [math.sqrt(21)] * 2),
        ("sum_square", [21, 21]), ("log_sum", [math.log(5), NAN]),
        ("log_sum_exp", [math.log(math.exp(2) + math.exp(-1) + math.exp(4)),
                         math.log(math.exp(-1) + math.exp(-2) + math.exp(-4))]),
    ],
)  # fmt: skip
def test_reductions(op: str, expected: list[float]) -> None:
    rows = [[2, -1, 4], [-1, -2, -4]]
    for type in ("f64", "f32", "f16", "bf16"):
        found = run(f"opc.reduce_{op} %0 {{axes = [-1]}}", f"2x{type}", (rows, type))
        # The terms of log_sum_exp are rounded before they are added, as in compiled code.
        ulp = (type in ("f64", "f32") and op == "log_sum_exp") + (type == "f64")
        assert_close(found, array(expected, type), ulp=ulp, what=op)


def test_integer_reductions() -> None:
    rows = [[100, 100, -3], [3, -4, 0]]
    for op, expected in {
        "sum": [-59, -1], "prod": [-48, 0], "max": [100, 3], "min": [-3, -4],
        "mean": [-19, 0], "l1": [-53, 7], "sum_square": [41, 25], "l2": [127, 5],
    }.items():  # fmt: skip
        reduced(f"opc.reduce_{op} %0 {{axes = [1]}}", rows, "i8", expected, "2xi8")
    reduced("opc.reduce_mean %0", np.full(200, 1), "i8", 0, "i8")
    reduced("opc.reduce_log_sum %0", [100, 200], "i32", 5, "i32")


def test_reductions_of_special_values() -> None:
    rows = [[NAN, 1], [INF, -INF], [-INF, -INF], [-0.0, 0.0], [-0.0, -0.0]]
    for op, expected in {
        "sum": [NAN, NAN, -INF, 0.0, -0.0], "max": [NAN, INF, -INF, 0.0, -0.0],
        "min": [NAN, -INF, -INF, -0.0, -0.0], "l2": [NAN, INF, INF, 0, 0],
        "log_sum_exp": [NAN, INF, -INF, math.log(2), math.log(2)],
    }.items():  # fmt: skip
        found = run(f"opc.reduce_{op} %0 {{axes = [1]}}", "5xf32", (rows, "f32"))
        assert_close(found, array(expected, "f32"), zero_signs=op in ("max", "min"), what=op)


def test_log_sum_exp_does_not_overflow() -> None:
    reduced("opc.reduce_log_sum_exp %0", [1000.0, 1000.0], "f32", 1000 + math.log(2), "f32")
    reduced("opc.reduce_log_sum_exp %0", [-1000.0], "f64", -1000.0, "f64")


CUBE = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("attributes", "result", "expected"),
    [
        ("", "i32", CUBE.sum()),
        ("{keepdims = true}", "1x1x1xi32", CUBE.sum(keepdims=True)),
        ("{axes = [0]}", "3x4xi32", CUBE.sum(0)),
        ("{axes = [-1, 0]}", "3xi32", CUBE.sum((0, 2))),
        ("{axes = [-2], keepdims = true}", "2x1x4xi32", CUBE.sum(1, keepdims=True)),
        ("{axes = []}", "2x3x4xi32", CUBE),
        ('{axes = [], empty_axes = "all"}', "i32", CUBE.sum()),
    ],
)
def test_axes(attributes: str, result: str, expected: Any) -> None:
    reduced(f"opc.reduce_sum %0 {attributes}", CUBE, "i32", expected, result)


def test_no_axes_of_a_list_and_no_axes_of_a_scalar() -> None:
    reduced("opc.reduce_l1 %0 {axes = []}", [-1.0], "f32", [-1.0], "1xf32")
    reduced("opc.reduce_l1 %0", -1.0, "f32", 1.0, "f32")


def test_run_time_axes() -> None:
    for axes, expected in (([0, 2], CUBE.sum((0, 2))), ([-1, -2], CUBE.sum((1, 2)))):
        found = run("opc.reduce_sum %0, %1", "?xi32", (CUBE, "i32"), (axes, "i64"))
        assert found.tolist() == expected.tolist()
    found = run("opc.reduce_sum %0, %1 {keepdims = true}", "?x?x?xi32", (CUBE, "i32"), (1, "i8"))
    assert found.tolist() == CUBE.sum(1, keepdims=True).tolist()
    for wrong in ([0, 3], [1, 1], [1, -2], [-4, 0]):
        with pytest.raises(ArgumentError):
            run("opc.reduce_sum %0, %1", "?xi32", (CUBE, "i32"), (wrong, "i64"))


@pytest.mark.parametrize(
    ("values", "most", "most_last", "least", "least_last"),
    [
        ([1, 3, 3, 0, 0], 1, 2, 3, 4),
        ([1, NAN, 5, NAN, -INF], 1, 3, 1, 3),
        ([-0.0, 0.0, -0.0], 0, 2, 0, 2),
    ],
)
def test_indices(
    values: list[float], most: int, most_last: int, least: int, least_last: int
) -> None:
    for type in ("f64", "f32", "f16", "bf16"):
        for op, first, last in (("max", most, most_last), ("min", least, least_last)):
            reduced(f"opc.arg{op} %0", values, type, first, "i64")
            reduced(
                f"opc.arg{op} %0 {{select_last_index = true, keepdims = true}}",
                values,
                type,
                [last],
                "1xi64",
            )


def test_matmul() -> None:
    a, b = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
    for type in ("i8", "ui64", "bf16", "f64"):
        found = run("opc.matmul %0, %1", f"2x4x{type}", (a, type), (b, type))
        assert_close(found, array(a @ b, type))
    nothing = np.zeros((2, 0))
    found = run("opc.matmul %0, %1", "2x2xf32", (nothing, "f32"), (nothing.T, "f32"))
    assert_close(found, np.zeros((2, 2), np.float32))
    assert run("opc.matmul %0, %1", "i8", ([100, 2], "i8"), ([3, 1], "i8")) == 46


def test_moving() -> None:
    x = np.arange(6).reshape(2, 3)
    found = run("opc.transpose %0 {permutation = [1, 0]}", "3x2xi8", (x, "i8"))
    assert found.tolist() == x.T.tolist()
    found = run("opc.reshape %0 : tensor<2x3xi8> -> tensor<3x?xi8>", "3x?xi8", (x, "i8"))
    assert found.tolist() == x.reshape(3, 2).tolist()
    found = run(
        "opc.broadcast %0 : tensor<2x1xi1> -> tensor<2x2x3xi1>",
        "2x2x3xi1",
        ([[True], [False]], "i1"),
    )
    assert found.tolist() == [[[True] * 3, [False] * 3]] * 2
    found = run("opc.constant dense<[true, false]> : tensor<2xi1>", "2xi1")
    assert found.tolist() == [True, False]


SYMBOLIC = """
func.func @main(%x : tensor<?x4xf32, #opc.dims<N, 4>>, %y : tensor<?xf32, #opc.dims<N>>)
    -> (tensor<i64>, tensor<?x4xf32, #opc.dims<N, 4>>) {
  opc.require divides<N, 2> "N is odd"
  %n = opc.extent <N*4 + 1> : tensor<i64>
  func.return %n, %x : tensor<i64>, tensor<?x4xf32, #opc.dims<N, 4>>
}
"""


def test_symbols_come_from_the_inputs() -> None:
    x = np.zeros((6, 4), np.float32)
    assert oracle(SYMBOLIC, [x, x[:, 0]])[0] == 25


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((5, 4), (5,)), "N is odd: 5 and 2"),
        (((6, 4), (5,)), "input y, axis 0: found extent 5, expected N = 6"),
        (((6, 3), (6,)), "input x, axis 1: found extent 3, expected 4"),
        (((6,), (6,)), "input x: found rank 1, expected 2"),
        (((6, 4),), "expected 2 inputs, found 1"),
    ],
)
def test_inputs_are_checked(shapes: tuple[tuple[int, ...], ...], message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        oracle(SYMBOLIC, [np.zeros(shape, np.float32) for shape in shapes])
    assert str(error.value) == message


def test_element_types_are_checked() -> None:
    with pytest.raises(DTypeError):
        oracle(SYMBOLIC, [np.zeros((2, 4)), np.zeros(2)])


SPLIT = """
func.func @main(%x : tensor<2x3xf32>, %axes : tensor<1xi64>)
    -> tensor<?xf32, #opc.dims<k0>> {
  opc.split_axes %axes of <2, 3> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] : tensor<1xi64>
  %s = opc.reshape %x : tensor<2x3xf32> -> tensor<?x?x?x?xf32, #opc.dims<e0, r0, e1, r1>>
  %r = opc.reduce_sum %s {axes = [1, 3]}
  %k = opc.reshape %r
      : tensor<?x?xf32, #opc.dims<e0, e1>> -> tensor<?xf32, #opc.dims<k0>>
  func.return %k : tensor<?xf32, #opc.dims<k0>>
}
"""


def test_split_axes() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for axis in (0, 1, -1):
        (found,) = oracle(SPLIT, [x, np.array([axis])])
        assert found.tolist() == x.sum(axis).tolist()
    with pytest.raises(ArgumentError):
        oracle(SPLIT, [x, np.array([2])])


@pytest.mark.parametrize("count", [1, 3])
def test_the_least_integer_is_divided_by_a_count(count: int) -> None:
    least = int(np.iinfo(np.int64).min)
    found = divide_by_count(np.asarray(least), count)
    assert found.dtype == np.int64 and found == -(-least // count)
