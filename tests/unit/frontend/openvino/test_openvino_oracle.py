"""Arithmetic, activations and reductions against OpenVINO itself.

Models are built through OpenVINO's interface, saved by its writer and compiled by opc.  Where
OpenVINO's results are not those of its specification, or of docs/numerics.md where that is silent,
the test says so and states what must come out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset2
from openvino import opset15 as ops

from opc.frontend.openvino.ops import SCHEMAS
from tests.unit.common.openvino_models import (
    FLOATS,
    INTEGERS,
    TYPES,
    assert_alike,
    by_opc,
    by_openvino,
    check,
    floats,
    integers,
    ints,
    model,
    plain_swish,
    sample,
    save,
    scalar,
)

NAMED = (
    "abs",
    "ceiling",
    "cos",
    "erf",
    "exp",
    "floor",
    "negative",
    "sign",
    "sin",
    "sinh",
    "cosh",
    "tan",
    "tanh",
    "asinh",
    "atan",
    "relu",
    "sigmoid",
    "hswish",
    "hsigmoid",
)
FLOAT_ONLY = ("mish", "softplus", "softsign", "is_nan", "is_inf", "is_finite")


@pytest.mark.parametrize("type", FLOATS)
def test_unary(type: str, tmp_path: Path) -> None:
    def nodes(x: Any, positive: Any, inside: Any) -> dict[str, Any]:
        found = {name: getattr(ops, name)(x) for name in (*NAMED, *FLOAT_ONLY)}
        found |= {name: getattr(ops, name)(positive) for name in ("log", "sqrt", "acosh")}
        found |= {name: getattr(ops, name)(inside) for name in ("acos", "asin", "atanh")}
        return found | {
            "round even": ops.round(x, "half_to_even"),
            "round away": ops.round(x, "half_away_from_zero"),
            "elu": ops.elu(x, 1.5),
            "clamp": ops.clamp(x, -0.5, 0.75),
            "gelu 2": opset2.gelu(x),
            "gelu erf": ops.gelu(x, "erf"),
            "gelu tanh": ops.gelu(x, "tanh"),
            "swish": plain_swish(x),
            "swish beta": ops.swish(x, scalar(1.5, type)),
            "hard_sigmoid": ops.hard_sigmoid(x, scalar(0.25, type), scalar(0.5, type)),
            "selu": ops.selu(x, scalar(1.5, type), scalar(1.25, type)),
            "is_inf positive": ops.is_inf(x, {"detect_negative": False}),
        }

    inputs = [
        floats(type, 3, 5),
        floats(type, 3, 5, low=1.1),
        floats(type, 3, 5, low=-0.9, high=0.9),
    ]
    halves = np.array([-2.5, -1.5, -0.5, 0.5, 1.5], TYPES[type])
    inputs[0][0] = halves
    assert check(tmp_path, inputs, nodes, scale=2) == 43


@pytest.mark.parametrize("type", ("i32", "i64"))
def test_unary_of_integers(type: str, tmp_path: Path) -> None:
    """OpenVINO rounds the result of a function of floats to the nearest integer."""

    def nodes(x: Any, positive: Any) -> dict[str, Any]:
        steep = ("exp", "sinh", "cosh")
        found = {name: getattr(ops, name)(x) for name in NAMED if name not in steep}
        found |= {name: getattr(ops, name)(positive) for name in ("log", "sqrt", "acosh")}
        return found | {"elu": ops.elu(x, 1.5), "round": ops.round(x, "half_to_even")}

    x = np.arange(-7, 9).astype(TYPES[type])
    check(tmp_path, [x, np.arange(1, 17).astype(TYPES[type])], nodes)


@pytest.mark.parametrize("type", INTEGERS)
def test_clamp_of_integers(type: str, tmp_path: Path) -> None:
    """min is rounded up and max down."""
    x = integers(type, 12)
    made = model([x], lambda p: [ops.clamp(p, -1.5, 2.5), ops.clamp(p, -1e30, np.inf)])
    low = 0 if type.startswith("u") else -1
    ours = by_opc(save(made, tmp_path), [x])
    np.testing.assert_array_equal(ours[0], np.clip(x, low, 2))
    np.testing.assert_array_equal(ours[1], x)


BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "squared_difference")
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


@pytest.mark.parametrize("type", FLOATS)
def test_binary_of_floats(type: str, tmp_path: Path) -> None:
    def nodes(x: Any, y: Any, base: Any, scalar: Any) -> dict[str, Any]:
        found = {n: getattr(ops, n)(x, y) for n in (*BINARY, *COMPARISONS, "divide")}
        found |= {f"{n} rows": getattr(ops, n)(base, y) for n in ("add", "divide", "power")}
        found |= {f"{n} scalar": getattr(ops, n)(scalar, y) for n in ("subtract", "less")}
        return found | {"mod": ops.mod(x, base), "floor_mod": ops.floor_mod(x, base)}

    inputs = [
        floats(type, 2, 3, 4),
        floats(type, 4, low=0.5),
        floats(type, 3, 1, low=0.5),
        floats(type),
    ]
    inputs[0][0, 0] = inputs[1]
    # A remainder magnifies the rounding of its operands in f16 and bf16.
    assert check(tmp_path, inputs, nodes, scale=16) == 20


@pytest.mark.parametrize("type", INTEGERS)
def test_binary_of_integers(type: str, tmp_path: Path) -> None:
    """OpenVINO divides integers toward zero whatever m_pythondiv says, as far as it works."""
    x, y = integers(type, 2, 3, 4, low=-20, high=20), integers(type, 3, 1)
    y[y == 0] = 3
    small = np.abs(y) % 4
    wrap = x.astype(np.int64)

    def build(x: Any, y: Any, small: Any) -> list[Any]:
        found = [getattr(ops, n)(x, y) for n in (*BINARY, *COMPARISONS)]
        truncated = ops.divide(x, y)
        truncated.set_attribute("m_pythondiv", False)
        return [
            *found,
            ops.divide(x, y),
            truncated,
            ops.mod(x, y),
            ops.floor_mod(x, y),
            ops.power(x, small),
            ops.bitwise_left_shift(x, small),
            ops.bitwise_right_shift(x, small),
            ops.bitwise_and(x, y),
            ops.bitwise_or(x, y),
            ops.bitwise_xor(x, y),
            ops.bitwise_not(x),
        ]

    ours = by_opc(save(model([x, y, small], build), tmp_path), [x, y, small])
    a, b, c = wrap, y.astype(np.int64), small.astype(np.int64)
    expected = [
        a + b,
        a - b,
        a * b,
        np.maximum(a, b),
        np.minimum(a, b),
        (a - b) ** 2,
        a == b,
        a != b,
        a < b,
        a <= b,
        a > b,
        a >= b,
        a // b,
        np.trunc(a / b).astype(np.int64),
        np.fmod(a, b),
        a % b,
        a**c,
        a << c,
        a >> c,
        a & b,
        a | b,
        a ^ b,
        ~a,
    ]
    assert len(ours) == len(expected) == 23
    for k, (found, wanted) in enumerate(zip(ours, expected, strict=True)):
        dtype = np.dtype(np.bool_) if 6 <= k < 12 else TYPES[type]
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted.astype(dtype), err_msg=str(k))
    if type in ("i32", "i64"):
        agreeing = [k for k in range(23) if k != 12]
        theirs = by_openvino(model([x, y, small], build), [x, y, small])
        for k in agreeing:
            assert_alike(ours[k], theirs[k], f"output {k}")


def test_logic(tmp_path: Path) -> None:
    def nodes(a: Any, b: Any, x: Any, y: Any) -> dict[str, Any]:
        names = (
            "logical_and",
            "logical_or",
            "logical_xor",
            "equal",
            "not_equal",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
        )
        found = {n: getattr(ops, n)(a, b) for n in names}
        return found | {
            "logical_not": ops.logical_not(a),
            "bitwise_not": ops.bitwise_not(a),
            "select": ops.select(b, x, y),
            "select scalar": ops.select(a, y, scalar(1, "f32")),
        }

    inputs = [
        sample("boolean", 3, 4),
        sample("boolean", 4),
        floats("f32", 3, 4),
        floats("f32", 3, 1),
    ]
    assert check(tmp_path, inputs, nodes) == 12


REDUCTIONS = (
    "reduce_sum",
    "reduce_min",
    "reduce_max",
    "reduce_mean",
    "reduce_prod",
    "reduce_l1",
    "reduce_l2",
)
LOGICAL = ("reduce_logical_and", "reduce_logical_or")
AXES: tuple[tuple[int, ...] | int, ...] = ((0,), (-1,), (0, 2), (-1, 0), (0, 1, 2), (), 1)


def reductions(
    names: tuple[str, ...], x: Any, types: tuple[str, ...], empty: bool = True
) -> dict[str, Any]:
    """Every reduction over every list of axes; OpenVINO itself fails on an empty one."""
    found: dict[str, Any] = {}
    for k, (name, axes) in enumerate((n, a) for n in names for a in AXES if a != () or empty):
        type = TYPES[types[k % len(types)]]
        for keep in (False, True):
            constant = ops.constant(np.array(axes, type))
            found[f"{name} {axes} {keep}"] = getattr(ops, name)(x, constant, keep_dims=keep)
    return found


@pytest.mark.parametrize("type", FLOATS)
def test_reductions_of_floats(type: str, tmp_path: Path) -> None:
    x = floats(type, 2, 3, 4)

    def nodes(p: Any) -> dict[str, Any]:
        return reductions(REDUCTIONS, p, ("i64", "i32"), empty=False)

    assert check(tmp_path, [x], nodes, scale=8) == 84


@pytest.mark.parametrize("type", INTEGERS)
def test_reductions_of_integers(type: str, tmp_path: Path) -> None:
    """Axes in every integer type; sums and products wrap, means and roots truncate."""
    x = integers(type, 2, 3, 4, low=-4, high=5)
    signed = tuple(t for t in INTEGERS if not t.startswith("u"))
    made = model([x], lambda p: list(reductions(REDUCTIONS, p, signed).values()))
    ours = by_opc(save(made, tmp_path), [x])
    names = list(reductions(REDUCTIONS, made.inputs[0].get_node(), signed))
    wide = x.astype(np.int64)
    numpy: dict[str, Callable[..., np.ndarray]] = {
        "reduce_sum": np.sum,
        "reduce_prod": np.prod,
        "reduce_min": np.min,
        "reduce_max": np.max,
        "reduce_mean": lambda v, **k: np.trunc(np.mean(v.astype(TYPES[type]), **k)),
        "reduce_l1": lambda v, **k: np.sum(np.abs(v), **k),
        "reduce_l2": lambda v, **k: np.trunc(np.sqrt(np.sum(v**2, **k))),
    }
    for name, found in zip(names, ours, strict=True):
        operator, *axes, keep = name.replace(", ", ",").replace(",)", ")").split(" ")
        chosen = tuple(int(a) for a in axes[0].strip("()").split(",") if a)
        keepdims = keep == "True"
        wanted = wide if not chosen else numpy[operator](wide, axis=chosen, keepdims=keepdims)
        np.testing.assert_array_equal(found, wanted.astype(np.int64).astype(x.dtype), err_msg=name)
    if type == "i32":
        check(tmp_path, [x], lambda p: reductions(REDUCTIONS, p, signed, empty=False))


def test_logical_reductions(tmp_path: Path) -> None:
    def nodes(p: Any) -> dict[str, Any]:
        return reductions(LOGICAL, p, ("i64", "i32"), empty=False)

    assert check(tmp_path, [sample("boolean", 2, 3, 4)], nodes) == 24


@pytest.mark.parametrize("type", (*FLOATS, "i32", "boolean"))
def test_empty_axes(type: str, tmp_path: Path) -> None:
    """An empty list of axes is the identity, of any shape and type; OpenVINO fails on it."""
    x = sample(type, 2, 3)
    names = REDUCTIONS if type != "boolean" else LOGICAL
    made = model(
        [x],
        lambda p: [
            getattr(ops, name)(p, ints(dtype=dtype), keep_dims=keep)
            for name in names
            for keep in (False, True)
            for dtype in ("i64", "i32")
        ],
    )
    for found in by_opc(save(made, tmp_path), [x]):
        np.testing.assert_array_equal(found, x)


class TestWhereOpenVinoIsWrong:
    """What must come out, by docs/numerics.md."""

    def test_nan(self, tmp_path: Path) -> None:
        """OpenVINO's min, max, relu and clamp lose NaN, and so do its reductions."""
        x = np.array([[np.nan, 1.0], [2.0, np.nan], [3.0, 4.0]], np.float32)
        zero = np.zeros_like(x)
        made = model(
            [x, zero],
            lambda p, z: [
                ops.maximum(p, z),
                ops.minimum(p, z),
                ops.maximum(z, p),
                ops.relu(p),
                ops.clamp(p, -1.0, 1.0),
                ops.reduce_max(p, ints(1)),
                ops.reduce_min(p, ints(1)),
                ops.hsigmoid(p),
                ops.sign(p),
            ],
        )
        lost = np.isnan(by_openvino(made, [x, zero])[3])
        assert not lost.any(), "OpenVINO is right now: compare with it instead"
        for found in by_opc(save(made, tmp_path), [x, zero]):
            rows = np.isnan(x) if found.ndim == 2 else np.isnan(x).any(axis=1)
            np.testing.assert_array_equal(np.isnan(found), rows)

    def test_nothing_to_reduce(self, tmp_path: Path) -> None:
        """OpenVINO's max over nothing is the lowest finite number."""
        x = np.zeros((0, 3), np.float32)
        made = model([x], lambda p: [getattr(ops, name)(p, ints(0)) for name in REDUCTIONS])
        ours = by_opc(save(made, tmp_path), [x])
        for found, wanted in zip(ours, (0, np.inf, -np.inf, np.nan, 1, 0, 0), strict=True):
            np.testing.assert_array_equal(found, np.full(3, wanted, np.float32))

    def test_division(self, tmp_path: Path) -> None:
        """Divide of integers rounds down by default; OpenVINO's rounds toward zero."""
        x = np.array([-7, -6, 7, 0], np.int32)
        y = np.array([2, 3, -2, 5], np.int32)
        made = model([x, y], lambda p, q: [ops.divide(p, q)])
        np.testing.assert_array_equal(by_opc(save(made, tmp_path), [x, y])[0], x // y)
        assert (by_openvino(made, [x, y])[0] != x // y).any(), "OpenVINO is right now"


def test_count() -> None:
    """A row needs a model here, or in tests of shapes, windows, parts, control or selection."""
    assert sum(len(versions) for versions in SCHEMAS.values()) == 231
