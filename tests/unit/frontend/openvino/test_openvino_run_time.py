"""Layers whose bounds, lengths or sizes only a run knows, and StridedSlice, against OpenVINO."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino")
from openvino import (
    opset1,
    opset12,
)
from openvino import opset15 as ops

import opc
from tests.unit.common.openvino_models import TYPES, by_opc, check, floats, ints, model, save

X = np.arange(120, dtype=np.float32).reshape(2, 5, 4, 3)
STRIDED = {
    "steps": (([0, 1], [2, 4], [1, 2], [0, 0], [0, 0]), X[0:2, 1:4:2]),
    "backwards": (([0, -1], [2, 0], [1, -1], [0, 0], [0, 1]), X[0:2, ::-1]),
    "beyond": (([0, -1, 0], [2, -100, 100], [1, -2, 2], [0] * 3, [0] * 3), X[:, ::-2, ::2]),
    "new": (
        ([0, 0, 1], [0, 0, 2], [1, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]),
        X[:, None, 1],
    ),
    "dots": (
        ([0, 0, -1], [0, 0, 0], [1, 1, 1], [0] * 3, [0] * 3, [0] * 3, [1, 0, 1], [0, 1, 0]),
        X[0, ..., -1],
    ),
    "all": (
        (
            *([0, 0, -1, 3], [0, 0, 0, 4], [1] * 4, [0] * 4, [0] * 4),
            *([0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]),
        ),
        X[0][..., None, 3:4],
    ),
}


@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (-1, 5, -1, 3)], ids=["known", "unknown"])
@pytest.mark.parametrize("name", STRIDED)
def test_strided_slice(name: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    """As NumPy has it: the runtime reads other memory where there is a new axis."""
    (begin, end, stride, *masks), expected = STRIDED[name]
    lists = [ints(*values) for values in (begin, end, stride)]
    made = model([X], lambda p: [ops.strided_slice(p, *lists, *masks)], [shape])
    (found,) = by_opc(save(made, tmp_path), [X])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
def test_pads(mode: str, tmp_path: Path) -> None:
    """Known and given when it runs, in both versions."""
    begin, end = np.array([1, 2, 0, 1]), np.array([0, 3, 2, 2])

    def build(x: Any, b: Any, e: Any) -> dict[str, Any]:
        fill = ops.constant(np.float32(2))
        known = ints(*begin), ints(*end)
        return {
            "known": opset1.pad(x, *known, mode, fill),
            "known 12": opset12.pad(x, *known, mode, fill),
            "given": opset12.pad(x, b, e, mode, fill),
        }

    check(tmp_path, [X, begin, end], build, [(-1, -1, 4, 3), (4,), (4,)])


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
def test_pads_of_both_signs(mode: str, tmp_path: Path) -> None:
    """The whole axis is continued, and cut off after that, where ONNX cuts first."""
    begin, end = np.array([0, -4, 3, -1]), np.array([0, 4, -3, 2])

    def build(x: Any, b: Any, e: Any) -> dict[str, Any]:
        fill = ops.constant(np.float32(2))
        return {
            "known": opset12.pad(x, ints(*begin), ints(*end), mode, fill),
            "given": opset12.pad(x, b, e, mode, fill),
        }

    check(tmp_path, [X, begin, end], build, [(-1, -1, 4, 3), (4,), (4,)])


def test_slices_and_parts(tmp_path: Path) -> None:
    def build(x: Any, start: Any, stop: Any, step: Any, lengths: Any) -> dict[str, Any]:
        parts = ops.variadic_split(x, 1, lengths)
        return {
            "slice": ops.slice(x, start, stop, step, ints(1, -1)).output(0),
            **{f"part {k}": parts.output(k) for k in range(3)},
        }

    given = [np.array(v) for v in ([1, -1], [3, -7], [1, -2], [1, -1, 1])]
    shapes = [(-1, -1, 4, 3), (2,), (2,), (2,), (3,)]
    check(tmp_path, [X, *given], build, shapes)


@pytest.mark.parametrize("type", ["i32", "i64", "f32"])
def test_ranges(type: str, tmp_path: Path) -> None:
    bounds = [np.array(v, TYPES[type]) for v in (11, 2, -3)]
    check(tmp_path, bounds, lambda a, b, c: {"range": ops.range(a, b, c, type)})


def test_what_is_computed_from_shapes(tmp_path: Path) -> None:
    """Comparisons, choices and quotients of extents are extents, and no memory is read for them."""

    def build(x: Any) -> dict[str, Any]:
        shape = ops.shape_of(x)
        rows = ops.gather(shape, ops.constant(0), ops.constant(0))
        half = ops.divide(rows, ops.constant(np.int64(2)))
        kept = ops.select(ops.equal(shape, ints(-1, -1)), ints(1, 1), shape)
        doubled = ops.multiply(kept, ints(2, 1))
        pairs = ops.reshape(x, ops.concat([ops.unsqueeze(half, ints(0)), ints(2, -1)], 0), False)
        return {
            "tile": ops.broadcast(ops.reduce_sum(x, ints(0), True), doubled),
            "pairs": pairs,
            "numbers": ops.range(ops.constant(np.int64(0)), ops.add(rows, rows), 1, "i64"),
        }

    check(tmp_path, [floats("f32", 6, 4)], build, [(-1, -1)])


@pytest.mark.parametrize("shape", [(2, 3, 11), (2, 3, -1)], ids=["known", "unknown"])
def test_padding_that_goes_through_floats(shape: tuple[int, ...], tmp_path: Path) -> None:
    """As torch's audio models have it, each from the length behind the padding before it."""

    def padded(x: Any, window: float, step: int) -> Any:
        length = ops.convert(ops.gather(ops.shape_of(x), ints(2), ops.constant(0)), "f32")
        frames = ops.ceiling(ops.divide(ops.add(length, np.float32(window)), np.float32(step)))
        whole = ops.convert(ops.multiply(frames, np.float32(step)), "i64")
        wanted = ops.subtract(whole, ops.convert(length, "i64"))
        whole = ops.reshape(wanted, ints(1, 1), False)
        behind = ops.squeeze(ops.split(whole, 1, 1).output(0), 0)
        ends = ops.concat([ints(0, 0), behind], 0)
        x = ops.pad(x, ints(0, 0, 1), ends, "constant", ops.constant(np.float32(0.5)))
        return ops.max_pool(x, [step], [1], [0], [0], [step]).output(0)

    def build(x: Any) -> dict[str, Any]:
        first = padded(x, 0.5, 2)
        return {"once": first, "twice": padded(ops.negative(first), -1.5, 3)}

    for length in (11, 12) if -1 in shape else (11,):
        check(tmp_path, [floats("f32", 2, 3, length)], build, [shape])
    if -1 not in shape:
        made = save(model([floats("f32", *shape)], lambda x: list(build(x).values())), tmp_path)
        assert "read_extents" not in str(opc.lower(made).ir("graph"))


@pytest.mark.parametrize("mode", ["nearest", "linear_onnx", "cubic"])
@pytest.mark.parametrize("by", ["sizes", "scales"])
def test_interpolate(mode: str, by: str, tmp_path: Path) -> None:
    """To sizes that an input holds and that are extents, and by scales of unknown extents."""
    x, sizes = floats("f32", 1, 2, 5, 6), np.array([7, 4])

    def build(p: Any, s: Any) -> dict[str, Any]:
        wanted = s if by == "sizes" else ops.constant(np.array([2, 0.5], np.float32))
        how = {"shape_calculation_mode": by, "nearest_mode": "floor"}
        how["coordinate_transformation_mode"] = "half_pixel"
        return {mode: ops.interpolate(p, wanted, mode=mode, axes=ints(2, 3), **how)}

    check(tmp_path, [x, sizes], build, [(1, 2, -1, -1), (2,)], scale=20)
