"""The oracle itself, against values written by hand from the definitions of the operators."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc
from opc.api.driver import load
from opc.dialects.opc import OPERATORS
from opc.interpret.graph import MEANINGS, evaluate
from tests.unit.common.by_hand import INF, NAN, array, binary, run, unary
from tests.unit.common.tolerance import assert_close

pytestmark = pytest.mark.smoke

LEAST, MOST = -(2**31), 2**31 - 1


@pytest.fixture(autouse=True)
def no_warning_leaks() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_every_operator_has_a_meaning() -> None:
    assert {op.name for op in OPERATORS} == set(MEANINGS)


@pytest.mark.parametrize(
    ("body", "values", "expected"),
    [
        ("opc.identity %0", [1, -0.0, NAN], [1, -0.0, NAN]),
        ("opc.abs %0", [-1, -0.0, -INF, NAN], [1, 0.0, INF, NAN]),
        ("opc.neg %0", [1, 0.0, -INF, NAN], [-1, -0.0, INF, NAN]),
        ("opc.sign %0", [-3, 0.0, 7, NAN], [-1, 0, 1, NAN]),
        ("opc.ceil %0", [1.2, -1.2, -0.5, INF], [2, -1, -0.0, INF]),
        ("opc.floor %0", [1.8, -1.2, -0.0, NAN], [1, -2, -0.0, NAN]),
        ("opc.round %0", [0.5, 1.5, 2.5, -0.5, -1.5], [0, 2, 2, -0.0, -2]),
        ("opc.trunc %0", [1.8, -1.8, -0.5], [1, -1, -0.0]),
        ("opc.sqrt %0", [4, -0.0, -1, INF], [2, -0.0, NAN, INF]),
        ("opc.reciprocal %0", [4, -0.0, INF, 0.0], [0.25, -INF, 0, INF]),
        ("opc.exp %0", [0, -INF, INF, NAN, 1], [1, 0, INF, NAN, math.e]),
        ("opc.log %0", [1, 0, -0.0, -1, INF], [0, -INF, -INF, NAN, INF]),
        ("opc.expm1 %0", [0, -INF, 1e-20], [0, -1, 1e-20]),
        ("opc.log1p %0", [0, -1, 1e-20, -2], [0, -INF, 1e-20, NAN]),
        ("opc.sin %0", [0, -0.0, INF], [0, -0.0, NAN]),
        ("opc.cos %0", [0, INF], [1, NAN]),
        ("opc.tan %0", [-0.0, 1], [-0.0, math.tan(1)]),
        ("opc.asin %0", [1, 2], [math.pi / 2, NAN]),
        ("opc.acos %0", [1, 0], [0, math.pi / 2]),
        ("opc.atan %0", [INF, 1], [math.pi / 2, math.pi / 4]),
        ("opc.sinh %0", [1, -INF], [math.sinh(1), -INF]),
        ("opc.cosh %0", [0, -INF], [1, INF]),
        ("opc.tanh %0", [-0.0, INF, 1], [-0.0, 1, math.tanh(1)]),
        ("opc.asinh %0", [1, -INF], [math.asinh(1), -INF]),
        ("opc.acosh %0", [1, 0.5], [0, NAN]),
        ("opc.atanh %0", [1, 0.5, 2], [INF, math.atanh(0.5), NAN]),
        ("opc.erf %0", [INF, -INF, 1, -0.0], [1, -1, math.erf(1), -0.0]),
        ("opc.sigmoid %0", [0, INF, -INF, 1], [0.5, 1, 0, 1 / (1 + math.exp(-1))]),
        ("opc.relu %0", [-1, -0.0, 2, NAN], [0, 0.0, 2, NAN]),
        ("opc.softplus %0", [0, INF, -INF, 100], [math.log(2), INF, 0, 100]),
        ("opc.softsign %0", [1, -3, -0.0], [0.5, -0.75, -0.0]),
        ("opc.gelu %0", [1, 0], [0.5 * (1 + math.erf(math.sqrt(0.5))), 0]),
        (
            'opc.gelu %0 {approximate = "tanh"}',
            [1],
            [0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * 1.044715))],
        ),
        ("opc.silu %0", [1, 0, -INF], [1 / (1 + math.exp(-1)), 0, NAN]),
        ("opc.silu %0 {alpha = 2.0}", [1], [1 / (1 + math.exp(-2))]),
        ("opc.mish %0", [1], [math.tanh(math.log1p(math.e))]),
        ("opc.elu %0 {alpha = 2.0}", [3, -1, -INF, NAN], [3, 2 * math.expm1(-1), -2, NAN]),
        ("opc.selu %0 {alpha = 2.0, gamma = 3.0}", [1, -1], [3, 6 * math.expm1(-1)]),
        ("opc.celu %0 {alpha = 2.0}", [1, -1], [1, 2 * math.expm1(-0.5)]),
        ("opc.leaky_relu %0 {alpha = 0.5}", [4, -4, NAN], [4, -2, NAN]),
        ("opc.thresholded_relu %0", [2, 1, NAN], [2, 0, 0]),
        ("opc.hard_sigmoid %0 {alpha = 0.25}", [0, 1, 9, -9, NAN], [0.5, 0.75, 1, 0, NAN]),
        ("opc.hard_swish %0", [3, 0, -3, -1.5, NAN], [3, 0, -0.0, -0.375, NAN]),
        ("opc.shrink %0 {bias = 1.0, lambd = 2.0}", [3, -3, 1, NAN], [2, -2, 0, 0]),
    ],
)
@pytest.mark.parametrize("type", ["f64", "f32", "f16", "bf16"])
def test_float_unary(body: str, values: list[float], expected: list[float], type: str) -> None:
    arrow = f" : tensor<{len(values)}x{type}> -> tensor<{len(values)}x{type}>"
    found = run(f"{body}{arrow}", f"{len(values)}x{type}", (values, type))
    assert_close(found, array(expected, type), ulp=1 if type == "f64" else 0, what=body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("opc.is_nan %0", [False, False, True, False]),
        ("opc.is_inf %0", [True, True, False, False]),
        ("opc.is_inf %0 {positive = false}", [False, True, False, False]),
        ("opc.is_inf %0 {negative = false}", [True, False, False, False]),
    ],
)
def test_predicates(body: str, expected: list[bool]) -> None:
    for type in ("f64", "f32", "f16", "bf16"):
        unary(body, [INF, -INF, NAN, 1], type, expected, "i1")


def test_integer_unary() -> None:
    unary("opc.abs %0", [LEAST, -1], "i32", [LEAST, 1])
    unary("opc.neg %0", [LEAST, 1], "i32", [LEAST, -1])
    unary("opc.neg %0", [1, 0], "ui8", [255, 0])
    unary("opc.sign %0", [LEAST, 0, 9], "i32", [-1, 0, 1])
    unary("opc.bitwise_not %0", [0, 0xF0], "ui8", [255, 0x0F])
    unary("opc.relu %0", [-5, 5], "i8", [0, 5])
    unary("opc.not %0", [True, False], "i1", [False, True])
    unary("opc.shrink %0 {bias = 1.5, lambd = 2.0}", [5, -5, 2], "i8", [3, -3, 0])


def test_integers_wrap() -> None:
    binary("opc.add %0, %1", [127, -128], [1, -1], "i8", [-128, 127])
    binary("opc.sub %0, %1", [0], [1], "ui16", [65535])
    binary("opc.mul %0, %1", [MOST], [2], "i32", [-2])
    binary("opc.pow %0, %1", [2, 3, -2], [31, 2, 3], "i32", [LEAST, 9, -8])
    binary("opc.pow %0, %1", [2, 1, -1, -1, 0], [-1, -5, -3, -2, -1], "i32", [0, 1, -1, 1, 0])


def test_integer_division() -> None:
    a, b = [7, -7, 7, -7, 5, LEAST, 0], [2, 2, -2, -2, 0, -1, 0]
    binary("opc.div %0, %1", a, b, "i32", [3, -3, -3, 3, 0, LEAST, 0])
    binary("opc.mod %0, %1", a, b, "i32", [1, 1, -1, -1, 0, 0, 0])
    binary("opc.mod %0, %1 {fmod = true}", a, b, "i32", [1, -1, 1, -1, 0, 0, 0])
    binary("opc.div %0, %1", [200, 5], [3, 0], "ui8", [66, 0])


def test_float_division() -> None:
    binary("opc.div %0, %1", [1, -1, 0.0, INF], [0.0, 0.0, 0.0, INF], "f32", [INF, -INF, NAN, NAN])
    a, b = [5.5, -5.5, 5.5, 1, -1, INF, 0.0], [2, 2, -2, 0.0, INF, 2, -3]
    binary("opc.mod %0, %1", a, b, "f64", [1.5, 0.5, -0.5, NAN, INF, NAN, -0.0])
    binary("opc.mod %0, %1 {fmod = true}", a, b, "f64", [1.5, -1.5, 1.5, NAN, -1, NAN, 0.0])


def test_float_power() -> None:
    a, b = [2, -8, 0.0, -0.0, NAN, 1, -INF, -2], [10, 1 / 3, 0, -3, 0, NAN, 3, 2]
    binary("opc.pow %0, %1", a, b, "f64", [1024, NAN, 1, -INF, 1, 1, -INF, 4])
    a, b = [-1, -INF, -INF, -INF, -0.0, -2], [INF, -(2.0**63), -3, 0.5, -(2.0**63), -3]
    binary("opc.pow %0, %1", a, b, "f64", [1, 0.0, -0.0, INF, INF, -0.125])


def test_nan_propagates() -> None:
    a, b = [NAN, 1, 0.0, -0.0, -INF], [1, NAN, -0.0, 0.0, NAN]
    binary("opc.max %0, %1", a, b, "f32", [NAN, NAN, 0.0, 0.0, NAN])
    binary("opc.min %0, %1", a, b, "bf16", [NAN, NAN, -0.0, -0.0, NAN])


def test_clip() -> None:
    for x, low, high, expected in [
        ([5, -5, 0, NAN], -1, 1, [1, -1, 0, NAN]),
        ([5, -5, 0, NAN], 3, 2, [2, 2, 2, NAN]),
        ([5, -5, 0, NAN], NAN, 2, [NAN] * 4),
    ]:
        found = run("opc.clip %0, %1, %2", "4xf32", (x, "f32"), (low, "f32"), (high, "f32"))
        assert_close(found, array(expected, "f32"))


def test_several_operands() -> None:
    given = [([1, NAN], "f32"), ([5, 1], "f32"), ([3, 2], "f32")]
    for op, expected in (
        ("max", [5, NAN]),
        ("min", [1, NAN]),
        ("sum", [9, NAN]),
        ("mean", [3, NAN]),
    ):
        assert_close(run(f"opc.{op} %0, %1, %2", "2xf32", *given), array(expected, "f32"))
    assert run("opc.mean %0, %1", "1xi8", ([-3], "i8"), ([0], "i8")).tolist() == [-1]
    assert run("opc.sum %0, %1", "1xi8", ([100], "i8"), ([100], "i8")).tolist() == [-56]


def test_logic_and_bits() -> None:
    a, b = [True, True, False, False], [True, False, True, False]
    binary("opc.and %0, %1", a, b, "i1", [True, False, False, False])
    binary("opc.or %0, %1", a, b, "i1", [True, True, True, False])
    binary("opc.xor %0, %1", a, b, "i1", [False, True, True, False])
    binary("opc.bitwise_and %0, %1", [12], [10], "i8", [8])
    binary("opc.bitwise_or %0, %1", [12], [10], "ui8", [14])
    binary("opc.bitwise_xor %0, %1", [-1], [10], "i64", [-11])


def test_shifts_outside_the_width() -> None:
    amounts = [1, 7, 8, -1, 100]
    binary("opc.shift_left %0, %1", [3] * 5, amounts, "i8", [6, -128, 0, 0, 0])
    binary("opc.shift_right %0, %1", [-3] * 5, amounts, "i8", [-2, -1, -1, -1, -1])
    binary("opc.shift_right %0, %1", [64] * 5, amounts, "i8", [32, 0, 0, 0, 0])
    binary("opc.shift_left %0, %1", [255] * 3, [1, 8, 200], "ui8", [254, 0, 0])


def test_comparisons() -> None:
    a, b = [1, 2, NAN, 0.0, INF], [2, 2, NAN, -0.0, NAN]
    for op, expected in {
        "equal": [0, 1, 0, 1, 0], "not_equal": [1, 0, 1, 0, 1],
        "less": [1, 0, 0, 0, 0], "less_equal": [1, 1, 0, 1, 0],
        "greater": [0, 0, 0, 0, 0], "greater_equal": [0, 1, 0, 1, 0],
    }.items():  # fmt: skip
        for type in ("f64", "bf16"):
            binary(f"opc.{op} %0, %1", a, b, type, expected, "i1")


def test_where_and_prelu() -> None:
    given = (([True, False], "i1"), ([1, 2], "bf16"), (NAN, "bf16"))
    assert_close(run("opc.where %0, %1, %2", "2xbf16", *given), array([1, NAN], "bf16"))
    binary("opc.prelu %0, %1", [-2, 2, NAN, -0.0], [3, 3, 3, 3], "f32", [-6, 2, NAN, -0.0])


def test_casts() -> None:
    unary(
        "opc.cast %0",
        [1.9, -1.9, 300, -300, NAN, INF, -INF],
        "f32",
        [1, -1, 127, -128, 0, 127, -128],
        "i8",
    )
    unary("opc.cast %0", [-1.5, 256, NAN, 255.9], "f64", [0, 255, 0, 255], "ui8")
    unary(
        "opc.cast %0",
        [2.0**63, -(2.0**63), 2.0**64],
        "f64",
        [2**63 - 1, -(2**63), 2**63 - 1],
        "i64",
    )
    unary("opc.cast %0", [300, -1], "i32", [44, -1], "i8")
    unary("opc.cast %0", [-1], "i8", [2**64 - 1], "ui64")
    unary("opc.cast %0", [0.0, -0.0, NAN, 1e-40], "f32", [False, False, True, True], "i1")
    unary("opc.cast %0", [True, False], "i1", [1, 0], "bf16")
    unary(
        "opc.cast %0", [65519, 65520, 1e300, 6e-8, 2e-8], "f64", [65504, INF, INF, 6e-8, 0], "f16"
    )


def test_casts_round_once() -> None:
    # Just above a tie of f16: by way of f32 it would be the tie, and round down to even.
    unary("opc.cast %0", [1 + 2.0**-11 + 2.0**-40], "f64", [1 + 2.0**-10], "f16")
    unary("opc.cast %0", [1 + 2.0**-8 + 2.0**-40], "f64", [1 + 2.0**-7], "bf16")
    unary("opc.cast %0", [2**40 + 2**32 + 1], "i64", [2.0**40 + 2.0**33], "bf16")


def test_bitcast() -> None:
    unary("opc.bitcast %0", [1.0, -0.0], "f32", [0x3F800000, LEAST], "i32")
    unary("opc.bitcast %0", [0x3F80], "ui16", [1.0], "bf16")


def test_a_product_of_other_extents_is_refused() -> None:
    type = "tensor<?x1xf32, #opc.dims<N, 1>>"
    text = f"""
func.func @main(%0: {type}) -> {type} {{
  %1 = opc.matmul %0, %0 : {type}, {type} -> {type}
  func.return %1 : {type}
}}"""
    (function,) = load(text).body.block.ops
    assert isinstance(function, FuncOp)
    assert evaluate(function, [np.full((1, 1), 3, np.float32)])[0].tolist() == [[9]]
    compiled = opc.compile(text)
    for rows in (0, 2):
        x = np.ones((rows, 1), np.float32)
        with pytest.raises(opc.OpcError, match="contracted extents differ"):
            evaluate(function, [x])
        with pytest.raises(opc.OpcError, match=f"axis 0: found {rows}, expected 1"):
            compiled(x)


REST = """
func.func @main(%0: tensor<?x?x5xf32, #opc.dims<M, N, 5>>) -> tensor<?x?xf32, #opc.dims<{shape}>> {{
  %1 = opc.reshape %0 : tensor<?x?x5xf32, #opc.dims<M, N, 5>> -> tensor<?x?xf32, #opc.dims<{shape}>>
  func.return %1 : tensor<?x?xf32, #opc.dims<{shape}>>
}}"""


@pytest.mark.parametrize(
    "shape, extents, expected",
    [
        ("?, N", (2, 0), (10, 0)),
        ("?, N", (0, 3), (0, 3)),
        ("M, ?", (0, 3), (0, 15)),
        ("?, M*N", (0, 3), (5, 0)),
        ("?, M*N", (2, 3), (5, 6)),
        ("?, M + N", (0, 2), (0, 2)),
        ("?, M + N", (0, 0), None),
        ("?, M + N", (1, 1), None),
    ],
)
def test_an_open_extent_beside_one_of_zero_is_that_of_compiled_code(
    shape: str, extents: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    """Equal factors of zero cancel; nothing follows from what is left of them."""
    text = REST.format(shape=shape)
    x = np.zeros((*extents, 5), np.float32)
    (function,) = load(text).body.block.ops
    assert isinstance(function, FuncOp)
    if expected is not None:
        assert evaluate(function, [x])[0].shape == opc.compile(text)(x).shape == expected
        return
    for attempt in (lambda: evaluate(function, [x]), lambda: opc.compile(text)(x)):
        with pytest.raises(opc.OpcError, match="the number of elements differs"):
            attempt()
