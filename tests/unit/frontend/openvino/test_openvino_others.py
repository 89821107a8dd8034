"""Layers of OpenVINO that stand alone, and older versions of others, against OpenVINO itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

import openvino as ov
from openvino import opset1, opset2, opset3, opset6
from openvino import opset16 as ops
from openvino.utils.node_factory import NodeFactory

import opc
from opc.errors import ArgumentError
from tests.unit.common.openvino_models import (
    TYPES,
    assert_alike,
    by_opc,
    by_openvino,
    check,
    floats,
    ints,
    model,
    save,
    scalar,
)

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


def number(value: int) -> Any:
    return ops.constant(np.int64(value))


@UNKNOWN
def test_normalized(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 4, 5)

    def made(x: Any) -> dict[str, Any]:
        return {
            "grn": ops.grn(x, 0.25),
            "mvn": opset2.mvn(x, False, True, 1e-3),
            "mvn across": opset2.mvn(x, True, True, 1e-3),
            "centred": opset2.mvn(x, False, False),
        }

    assert check(tmp_path, [x], made, [x.shape if known else [-1] * 4], scale=8) == 4


@UNKNOWN
def test_older_and_newer(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 1, 2, 9, 8)

    def made(x: Any) -> dict[str, Any]:
        window = [[1, 2], [1, 0], [0, 1], [3, 2]]
        return {
            "range": opset1.range(scalar(1, "f32"), scalar(6, "f32"), scalar(1.5, "f32")).output(0),
            "pool": ops.avg_pool(x, *window, True, dilations=[2, 1]).output(0),
        }

    assert check(tmp_path, [x], made, [x.shape if known else [-1, -1, -1, -1]]) == 2


@pytest.mark.parametrize("operators", [opset1, opset3], ids=["1", "3"])
def test_older_suppression(operators: Any, tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    corner = draw.uniform(0, 8, (1, 12, 2))
    boxes = np.concatenate([corner, corner + draw.uniform(1, 4, (1, 12, 2))], 2).astype(np.float32)
    scores = draw.permutation(24).reshape(1, 2, 12).astype(np.float32) / 24

    def made(boxes: Any, scores: Any) -> dict[str, Any]:
        thresholds = number(4), ops.constant(np.float32(0.3)), ops.constant(np.float32(0.2))
        return {"y": operators.non_max_suppression(boxes, scores, *thresholds)}

    built = model([boxes, scores], lambda *p: list(made(*p).values()))
    ours = np.asarray(opc.compile(save(built, tmp_path))(boxes, scores))
    (theirs,) = by_openvino(built, [boxes, scores])
    # OpenVINO has -1 behind the last box.
    assert ours.dtype == theirs.dtype and len(ours) and (theirs[len(ours) :] == -1).all()
    assert np.array_equal(ours, theirs[: len(ours)])


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_inverse(type: str, known: bool, tmp_path: Path) -> None:
    x = floats(type, 3, 2, 4, 4)
    x[0, 0, 0, 0] = 0  # a pivot that must be looked for
    made = lambda x: {f"{a}": ops.inverse(x, a) for a in (False, True)}  # noqa: E731
    assert check(tmp_path, [x], made, [x.shape if known else [-1] * 4], scale=100) == 2


@UNKNOWN
def test_spectra(known: bool, tmp_path: Path) -> None:
    x, window = floats("f32", 2, 37), floats("f32", 8, low=0.2, high=1)

    def made(x: Any, window: Any) -> dict[str, Any]:
        given = x, window, number(10), number(3)
        return {f"{turned}": ops.stft(*given, turned) for turned in (True, False)}

    shapes = [x.shape if known else [-1, -1], window.shape]
    assert check(tmp_path, [x, window], made, shapes, scale=16) == 2


@UNKNOWN
def test_spectra_back(known: bool, tmp_path: Path) -> None:
    x, window = floats("f32", 2, 6, 9, 2), floats("f32", 8, low=0.2, high=1)

    def made(x: Any, window: Any) -> dict[str, Any]:
        given = x, window, number(10), number(3)
        return {
            "whole": ops.istft(*given, False, False),
            "centred": ops.istft(*given, True, True),
            "shorter": ops.istft(*given, True, False, number(20)),
            "longer": ops.istft(*given, False, True, number(50)),
        }

    shapes = [x.shape if known else [-1, 6, -1, 2], window.shape]
    assert check(tmp_path, [x, window], made, shapes, scale=32) == 4


@UNKNOWN
@pytest.mark.parametrize("merges", [True, False])
def test_greedy(merges: bool, known: bool, tmp_path: Path) -> None:
    draw = np.random.default_rng(6)
    scores = draw.permutation(9 * 3 * 4).reshape(9, 3, 4).astype(np.float32)
    mask = (np.arange(9)[:, None] < [9, 4, 1]).astype(np.float32)
    made = lambda *p: {"y": opset1.ctc_greedy_decoder(*p, merges)}  # noqa: E731
    shapes = [scores.shape, mask.shape] if known else [[-1] * 3, [-1] * 2]
    assert check(tmp_path, [scores, mask], made, shapes) == 1
    lengths = np.array([9, 4, 1], np.int32)

    def lined(scores: Any, lengths: Any) -> dict[str, Any]:
        decode = opset6.ctc_greedy_decoder_seq_len
        last = decode(scores, lengths, None, merges)
        first = decode(scores, lengths, ops.constant(np.int32(0)), merges, "i64", "i64")
        return {f"{k} {i}": n.output(i) for k, n in enumerate((last, first)) for i in range(2)}

    turned = np.ascontiguousarray(scores.transpose(1, 0, 2))
    shapes = [turned.shape, lengths.shape] if known else [[-1] * 3, [-1]]
    assert check(tmp_path, [turned, lengths], lined, shapes) == 4


def uniform(x: Any, type: str, *seeds: int) -> Any:
    """Numbers of the shape of x."""
    low, high = (-3, 9) if type[0] == "f" else (-100, 1000)
    bounds = [ops.constant(np.array(v, TYPES[type])) for v in (low, high)]
    return ops.random_uniform(ops.shape_of(x), *bounds, type, *seeds)


@pytest.mark.parametrize("type", ["f32", "f16", "f64", "i32", "i64"])
@pytest.mark.parametrize("seeds", [(3, 4), (0, 1), (1 << 40, 1 << 33)])
def test_random_numbers_of_seeds(seeds: tuple[int, int], type: str, tmp_path: Path) -> None:
    """OpenVINO has the same generator, and the same numbers in a first inference.

    Its CPU plugin draws other types than f32 and i32 as one of these; its reference does not.
    """
    x = floats("f32", 7, 3)
    built = model([x], lambda x: [uniform(x, type, *seeds)], [[-1, 3]])
    (ours,) = by_opc(save(built, tmp_path), [x])
    wanted = ov.Tensor(getattr(ov.Type, type), [7, 3])
    assert built.evaluate([wanted], [ov.Tensor(x)])
    assert_alike(ours, np.array(wanted.data), "numbers")
    if type in ("f32", "i32"):
        assert_alike(ours, by_openvino(built, [x])[0], "numbers of the plugin")


@pytest.mark.parametrize("type", ["f32", "i32", "f16"])
def test_random_numbers_of_the_caller(type: str, tmp_path: Path) -> None:
    x = np.zeros((300, 400), np.float32)
    function = opc.compile(save(model([x], lambda x: [uniform(x, type)], [[-1, -1]]), tmp_path))
    assert function.interface.has_seed
    y = function(x, np.uint64(5)).astype(np.float64)
    low, high = (-3, 9) if type[0] == "f" else (-100, 999)
    assert low <= y.min() and y.max() <= high
    assert abs(y.mean() - (low + high) / 2) < 0.01 * (high - low)
    assert abs(y.std() - (high - low) / 12**0.5) < 0.01 * (high - low)


@pytest.mark.parametrize("seeds", [(0, 0), (1, 2)])
def test_multinomial(seeds: tuple[int, int], tmp_path: Path) -> None:
    shares = np.float32([[0.2, 0.3, 0.5], [0.5, 0, 0.5]])
    for log in (False, True):
        with np.errstate(divide="ignore"):
            x = np.log(shares) if log else shares * 4
        build = lambda x: [ops.multinomial(x, ints(20000), "i32", True, log, *seeds)]  # noqa: B023, E731
        function = opc.compile(save(model([x], build, [[-1, 3]]), tmp_path))
        assert function.interface.has_seed == (seeds == (0, 0))
        y = function(x)
        found = np.stack([np.bincount(row, minlength=3) for row in y]) / 20000
        assert y.dtype == np.int32 and np.abs(found - shares).max() < 0.02


@pytest.mark.parametrize("log", [False, True])
def test_multinomial_without_a_return(log: bool, tmp_path: Path) -> None:
    """Each pair of classes as often as one draw after the other has it; none without share."""
    shares = np.float32([[0.6, 0, 0.3, 0.1], [0, 0, 1, 3]])
    with np.errstate(divide="ignore"):
        x = np.log(shares).repeat(10000, 0) - 40 if log else shares.repeat(10000, 0) * 4
    build = lambda x, n: [ops.multinomial(x, n, "i64", False, log)]  # noqa: E731
    made = save(model([x, np.int64([2])], build, [[-1, 4], [1]]), tmp_path)
    function = opc.compile(made)
    y = function(x, np.int64([2]), np.uint64(3))
    for row, found in zip(shares.astype(np.float64), np.split(y, 2), strict=True):
        row /= row.sum()
        pairs = np.bincount(found[:, 0] * 4 + found[:, 1], minlength=16).reshape(4, 4) / 10000
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.nan_to_num(row[:, None] * row / (1 - row[:, None]), posinf=0)
        np.fill_diagonal(expected, 0)
        assert np.abs(pairs - expected).max() < 0.015
    # All classes, in an order; those without a share come last.
    whole = function(x[10000:], np.int64([4]), np.uint64(3))
    assert (whole[:, 2:] == [0, 1]).all() and (whole[:, :2].sum(1) == 5).all()
    with pytest.raises(ArgumentError, match="more classes are drawn than there are"):
        function(x, np.int64([5]), np.uint64(3))


@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
def test_inverse_of_erf(type: str, tmp_path: Path) -> None:
    """What erf gives of the result is x again; OpenVINO itself has only three digits."""
    x = np.concatenate([np.linspace(-1, 1, 41), [0.999, -0.99, 1e-3, 2]]).astype(TYPES[type])
    made = model([x], lambda x: [NodeFactory("opset17").create("ErfInv", [x.output(0)], {})])
    (ours,) = by_opc(save(made, tmp_path), [x])
    if type == "f32":
        assert_alike(ours, by_openvino(made, [x])[0], "erfinv", 2000)
    assert np.isnan(ours[-1]) and ours[0] == -np.inf and ours[40] == np.inf
    inside = np.abs(x) < 1
    back = [math.erf(v) for v in ours[inside]]
    error = {"f16": 1e-3, "f32": 3e-7, "f64": 1e-15}[type]
    np.testing.assert_allclose(back, x[inside].astype(np.float64), rtol=0, atol=error)


def stateful(shape: list[int]) -> Any:
    """A running sum, and what it is times two."""
    x = ops.parameter(ov.PartialShape(shape), ov.Type.f32, name="x")
    factory = NodeFactory("opset3")
    zeros = ops.broadcast(scalar(0, "f32"), ops.shape_of(x))
    read = factory.create("ReadValue", [zeros.output(0)], {"variable_id": "total"})
    total = ops.add(read, x)
    assigned = factory.create("Assign", [total.output(0)], {"variable_id": "total"})
    result = ops.result(ops.multiply(total, scalar(2, "f32")))
    return ov.Model([result], [assigned], [x], "model")


def test_states(tmp_path: Path) -> None:
    """A state goes in as the last input, and comes out as the last output."""
    made = stateful([2, 3])
    x = floats("f32", 2, 3)
    request = ov.Core().compile_model(made, "CPU").create_infer_request()
    function = opc.compile(save(made, tmp_path))
    assert [spec.name for spec in function.inputs][1:] == ["total"]
    assert function.outputs[1].name == "total"
    state = np.zeros((2, 3), np.float32)
    for _ in range(3):
        request.infer([x])
        y, state = function(x, state)
        assert_alike(y, np.array(request.get_output_tensor(0).data), "y")
