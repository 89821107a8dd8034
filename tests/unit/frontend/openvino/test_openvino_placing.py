"""Layers of OpenVINO that put elements elsewhere, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset16 as ops

from tests.unit.common.openvino_models import check, floats, integers, ints

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


def unknown(known: bool, *inputs: np.ndarray, fixed: Any = ()) -> Any:
    """The shapes of inputs, or unknown extents but for some axes of the first."""
    if known:
        return [x.shape for x in inputs]
    return [[n if not k and a in fixed else -1 for a, n in enumerate(x.shape)]
            for k, x in enumerate(inputs)]  # fmt: skip


@UNKNOWN
def test_roll(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 3, 4, 5)

    def made(x: Any) -> dict[str, Any]:
        return {
            "one axis": ops.roll(x, ints(2), ints(1)),
            "beyond the end": ops.roll(x, ints(-7), ints(-1)),
            "an axis twice": ops.roll(x, ints(1, 2, 2), ints(0, 1, 0)),
        }

    assert check(tmp_path, [x], made, unknown(known, x)) == 3


def test_roll_by_what_a_run_knows(tmp_path: Path) -> None:
    inputs = [floats("f32", 3, 4), np.array([5, -1], np.int64)]
    made = lambda x, shift: {"y": ops.roll(x, shift, ints(0, 1))}  # noqa: E731
    assert check(tmp_path, inputs, made, [[-1, 4], [2]]) == 1


@UNKNOWN
def test_slice_scatter(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 4, 6, 5)
    parts = [floats("f32", 4, 2, 5) + 9, floats("f32", 2, 6, 3) + 9, floats("f32", 1, 6, 5) - 9]

    def made(x: Any, a: Any, b: Any, c: Any) -> dict[str, Any]:
        scatter = ops.slice_scatter
        return {
            "in steps": scatter(x, a, ints(1), ints(6), ints(3), ints(1)),
            "of the first axes": scatter(x, c, ints(-1), ints(9), ints(1)),
            "of two axes": scatter(x, b, ints(2, 0), ints(4, 5), ints(1, 2), ints(0, -1)),
            "backwards": scatter(x, a, ints(-1), ints(-6), ints(-3), ints(1)),
        }

    assert check(tmp_path, [x, *parts], made, unknown(known, x, *parts)) == 4


@UNKNOWN
@pytest.mark.parametrize("pad", ["valid", "same_upper", "same_lower"])
def test_patches(pad: str, known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 9, 10)

    def made(x: Any) -> dict[str, Any]:
        extract = ops.extract_image_patches
        return {
            "with holes": extract(x, [3, 2], [2, 3], [1, 2], pad),
            "of one": extract(x, [1, 1], [2, 2], [1, 1], pad),
        }

    fixed = (2, 3) if pad != "valid" else ()
    assert check(tmp_path, [x], made, unknown(known, x, fixed=fixed)) == 2


@UNKNOWN
def test_reorganized(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 8, 4, 6)
    made = lambda x: {"y": ops.reorg_yolo(x, [2])}  # noqa: E731
    assert check(tmp_path, [x], made, unknown(known, x, fixed=(1, 2, 3))) == 1


@UNKNOWN
def test_space_and_batch(known: bool, tmp_path: Path) -> None:
    x = floats("f32", 6, 3, 5, 4)

    def made(x: Any) -> dict[str, Any]:
        block = ints(1, 1, 2, 3)
        return {
            "to batch": ops.space_to_batch(x, block, ints(0, 0, 1, 0), ints(0, 0, 2, 2)),
            "to space": ops.batch_to_space(x, block, ints(0, 0, 0, 2), ints(0, 0, 3, 1)),
        }

    assert check(tmp_path, [x], made, unknown(known, x, fixed=(0, 2, 3))) == 2


def test_identity(tmp_path: Path) -> None:
    x = integers("i32", 3, 4)
    assert check(tmp_path, [x], lambda x: {"y": ops.identity(x)}) == 1
