"""NonZero, Unique and NonMaxSuppression of OpenVINO models against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

openvino = pytest.importorskip("openvino")
from openvino import opset5, opset9, opset10  # noqa: E402

import opc  # noqa: E402

pytestmark = pytest.mark.sample(3)

RNG = np.random.default_rng(5)


def written(folder: Path, results: Any, *inputs: Any) -> Any:
    model = openvino.Model(results, list(inputs), "selecting")
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
    return model


def check(folder: Path, results: Any, inputs: list[Any], *arrays: Any) -> None:
    model = written(folder, results, *inputs)
    expected = openvino.Core().compile_model(model, "CPU")(list(arrays)).to_tuple()
    found = opc.compile(folder / "model.xml")(*arrays)
    found = found if isinstance(found, tuple) else (found,)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


@pytest.mark.parametrize("type", ["i32", "i64"])
def test_nonzero(type: str, tmp_path: Path) -> None:
    x = RNG.integers(0, 2, (3, 4, 5)).astype(np.float32)
    p = opset9.parameter([3, -1, 5], np.float32)
    check(tmp_path, [opset9.non_zero(p, type)], [p], x)


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_unique(axis: int | None, is_sorted: bool, tmp_path: Path) -> None:
    x = RNG.integers(0, 2, (6, 2, 3)).astype(np.float32)
    p = opset10.parameter([6, 2, 3], np.float32)
    axes = [] if axis is None else [opset10.constant(axis, np.int32)]
    made = opset10.unique(p, *axes, sorted=is_sorted, count_element_type="i32")
    check(tmp_path, made.outputs(), [p], x)


@pytest.mark.parametrize("opset", [opset5, opset9], ids=["5", "9"])
@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("encoding", ["corner", "center"])
@pytest.mark.parametrize("limits", [(3, 0.5, 0.3), (100, 0.3, 0.0)])
def test_suppression(
    opset: Any, is_sorted: bool, encoding: str, limits: tuple[int, float, float], tmp_path: Path
) -> None:
    b, s = (opset.parameter(shape, np.float32) for shape in ([2, 30, 4], [2, 3, 30]))
    types = np.int64, np.float32, np.float32
    made = opset.non_max_suppression(
        b,
        s,
        *(opset.constant(v, t) for v, t in zip(limits, types, strict=True)),
        box_encoding=encoding,
        sort_result_descending=is_sorted,
        output_type="i64",
    )
    scores = RNG.permutation(180).reshape(2, 3, 30).astype(np.float32) / 180
    boxes = RNG.random((2, 30, 4)).astype(np.float32)
    check(tmp_path, made.outputs(), [b, s], boxes, scores)


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("limits", [(3, 0.5, 0.2), (100, 1.0, 0.05)])
def test_softened(is_sorted: bool, limits: tuple[int, float, float], tmp_path: Path) -> None:
    """Scores of boxes that overlap a taken one are lowered, by a number that only a run knows."""
    b, s, sigma = (opset9.parameter(shape, np.float32) for shape in ([2, 30, 4], [2, 3, 30], []))
    numbers = [opset9.constant(v, np.float32) for v in limits[1:]]
    count = opset9.constant(limits[0], np.int64)
    made = opset9.non_max_suppression(
        b, s, count, *numbers, sigma, sort_result_descending=is_sorted, output_type="i64"
    )
    scores = RNG.permutation(180).reshape(2, 3, 30).astype(np.float32) / 180
    boxes = RNG.random((2, 30, 4)).astype(np.float32)
    model = written(tmp_path, made.outputs(), b, s, sigma)
    theirs = openvino.Core().compile_model(model, "CPU")
    ours = opc.compile(tmp_path / "model.xml")
    counts: list[int] = []
    for value in (0.5, 0.1, 0.0):
        arrays = [boxes, scores, np.float32(value)]
        places, found, count = ours(*arrays)
        wanted = theirs(arrays).to_tuple()
        np.testing.assert_array_equal(places, wanted[0])
        np.testing.assert_allclose(found, wanted[1], rtol=1e-5)
        counts += np.asarray(count).tolist()
    assert limits[0] == 3 or len(set(counts)) == 3
