"""Layers of OpenVINO that move blocks of tensors or mark places, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops
from openvino.utils.node_factory import NodeFactory

from tests.unit.common.openvino_models import check, floats, integers, ints, scalar

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


def shapes(x: np.ndarray, known: bool, fixed: Any = ()) -> Any:
    return [x.shape if known else [n if k in fixed else -1 for k, n in enumerate(x.shape)]]


def reverse(x: Any, axes: list[int]) -> Any:
    inputs = [x.output(0), ints(*axes).output(0)]
    return NodeFactory("opset1").create("Reverse", inputs, {"mode": "index"})


@UNKNOWN
def test_blocks(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 8, 4, 6)

    def made(x: Any) -> dict[str, Any]:
        return {
            f"{mode} {kind}": getattr(ops, kind)(x, mode, 2)
            for mode in ("blocks_first", "depth_first")
            for kind in ("depth_to_space", "space_to_depth")
        }

    assert check(tmp_path, [x], made, shapes(x, known, (1,))) == 4


@UNKNOWN
def test_moves(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 6, 5)

    def made(x: Any) -> dict[str, Any]:
        return {
            "tile": ops.tile(x, ints(2, 1, 3)),
            "tile of fewer axes": ops.tile(x, ints(2)),
            "tile of more axes": ops.tile(x, ints(2, 1, 1, 2)),
            "shuffle": ops.shuffle_channels(x, 1, 3),
            "reverse": reverse(x, [0, -1]),
        }

    assert check(tmp_path, [x], made, shapes(x, known, (1,))) == 5


def test_places(tmp_path: Path) -> None:
    x = integers("i64", 3, 4, low=-2, high=7)

    def made(x: Any) -> dict[str, Any]:
        on, off = scalar(2.5, "f32"), scalar(-1, "f32")
        return {
            "last": ops.one_hot(x, ops.constant(np.int64(6)), on, off, -1),
            "first": ops.one_hot(x, ops.constant(np.int64(6)), on, off, 0),
        }

    assert check(tmp_path, [np.maximum(x, 0)], made) == 2


def test_eye(tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 5)

    def made(x: Any) -> dict[str, Any]:
        three, five, one = (ops.constant(np.int64(n)) for n in (3, 5, -1))
        return {"y": ops.add(x, ops.eye(three, five, one, "f32", ints(2)))}

    assert check(tmp_path, [x], made) == 1


@pytest.mark.parametrize("axes", [(1,), (2, 3)])
@pytest.mark.parametrize("size", [1, 3, 5])
def test_lrn(axes: tuple[int, ...], size: int, tmp_path: Path) -> None:
    """With a bias of 1: OpenVINO itself passes over another one."""
    x = floats("f32", 1, 7, 4, 5)

    def made(x: Any) -> dict[str, Any]:
        return {"y": ops.lrn(x, ints(*axes), alpha=0.3, beta=0.75, bias=1.0, size=size)}

    assert check(tmp_path, [x], made, scale=16) == 1
