"""Layers of OpenVINO that add up rows of tables, against OpenVINO itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset3
from openvino import opset16 as ops

from tests.unit.common.openvino_models import assert_alike, by_opc, by_openvino, floats, model, save

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


def number(value: int) -> Any:
    return ops.constant(np.int64(value))


def compare(
    folder: Path, inputs: list[np.ndarray], made: Callable[..., dict[str, Any]], known: bool
) -> int:
    """Compare every output; OpenVINO itself must know all extents."""

    def build(*parameters: Any) -> list[Any]:
        return list(made(*parameters).values())

    shapes = [x.shape if known else [-1] * x.ndim for x in inputs]
    ours = by_opc(save(model(inputs, build, shapes), folder), inputs)
    theirs = by_openvino(model(inputs, build), inputs)
    for k, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        assert_alike(mine, other, str(k))
    return len(ours)


@UNKNOWN
def test_offsets(known: bool, tmp_path: Path) -> None:
    """The second bag is empty."""
    table, weights = floats("f32", 9, 3), floats("f32", 7)
    indices, offsets = np.array([1, 0, 8, 2, 2, 5, 7]), np.array([0, 2, 2, 6])
    inputs = [table, indices, offsets, weights]

    def made(table: Any, indices: Any, offsets: Any, weights: Any) -> dict[str, Any]:
        bags, sums = ops.embedding_bag_offsets, opset3.embedding_bag_offsets_sum
        given = table, indices, offsets
        return {
            "zeros": sums(*given),
            "default": sums(*given, number(4)),
            "weights": sums(*given, number(4), weights),
            "sum": bags(*given, number(-1), weights, "sum"),
            "mean": bags(*given, number(4), reduction="mean"),
        }

    assert compare(tmp_path, inputs, made, known) == 5


@UNKNOWN
def test_packed(known: bool, tmp_path: Path) -> None:
    table, weights = floats("f32", 9, 3, 2), floats("f32", 2, 4)
    indices = np.array([[1, 0, 8, 2], [2, 5, 7, 7]])
    inputs = [table, indices, weights]

    def made(table: Any, indices: Any, weights: Any) -> dict[str, Any]:
        return {
            "plain": opset3.embedding_bag_packed_sum(table, indices),
            "weights": opset3.embedding_bag_packed_sum(table, indices, weights),
            "sum": ops.embedding_bag_packed(table, indices, weights, "sum"),
            "mean": ops.embedding_bag_packed(table, indices, reduction="mean"),
        }

    assert compare(tmp_path, inputs, made, known) == 4


@UNKNOWN
def test_segments(known: bool, tmp_path: Path) -> None:
    table, weights = floats("f32", 9, 3), floats("f32", 5)
    indices, ids = np.array([1, 0, 8, 2, 2]), np.array([0, 0, 2, 2, 3])
    inputs = [table, indices, ids, weights]

    def made(table: Any, indices: Any, ids: Any, weights: Any) -> dict[str, Any]:
        sums = opset3.embedding_segments_sum
        return {
            "zeros": sums(table, indices, ids, number(5)),
            "default": sums(table, indices, ids, number(5), number(3)),
            "weights": sums(table, indices, ids, number(5), number(2), weights),
        }

    assert compare(tmp_path, inputs, made, known) == 3


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_greatest(type: str, known: bool, tmp_path: Path) -> None:
    x = (
        np.random.default_rng(1)
        .integers(-9, 9, (6, 3))
        .astype({"f32": "f"}.get(type, type[0] + "4"))
    )
    ids = np.array([0, 0, 2, 2, 2, 3])

    def made(x: Any, ids: Any) -> dict[str, Any]:
        return {
            fill: ops.segment_max(x, ids, number(5), fill) for fill in ("ZERO", "LOWEST")
        }  # fmt: skip

    assert compare(tmp_path, [x, ids], made, known) == 2
