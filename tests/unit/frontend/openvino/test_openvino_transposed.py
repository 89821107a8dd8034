"""Transposed convolutions of OpenVINO models against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops

from opc.errors import UnsupportedError
from tests.unit.common.openvino_models import (
    by_opc,
    check,
    floats,
    has_groups,
    ints,
    model,
    of_windows,
    save,
)

CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "one axis": ((2, 3, 7), (3, 4, 5), {"strides": [2], "pads_begin": [1], "pads_end": [2]}),
    "two axes": ((2, 3, 5, 4), (3, 5, 3, 2), {"strides": [2, 3], "output_padding": [1, 2]}),
    "three axes": ((1, 2, 3, 4, 2), (2, 3, 2, 3, 1), {"strides": [2, 1, 2]}),
    "dilations": ((1, 2, 5, 4), (2, 3, 3, 3), {"strides": [2, 2], "dilations": [2, 1]}),
    "valid": ((1, 2, 5, 4), (2, 3, 4, 4), {"auto_pad": "valid", "pads_begin": [1, 1]}),
    "same upper": ((1, 2, 5, 4), (2, 3, 4, 3), {"auto_pad": "same_upper", "strides": [2, 2]}),
    "same lower": ((1, 2, 5), (2, 3, 4), {"auto_pad": "same_lower", "pads_begin": [1]}),
    "groups": ((2, 6, 5, 4), (2, 3, 4, 3, 3), {"strides": [2, 2], "pads_begin": [1, 1]}),
    "each channel": ((1, 4, 5, 4), (4, 1, 1, 4, 4), {"strides": [2, 2]}),
}


def layer(rank: int, x: Any, w: Any, shape: Any = None, **given: Any) -> Any:
    words = of_windows(rank, **given)
    is_grouped = has_groups(w, rank)
    kind = ops.group_convolution_backprop_data if is_grouped else ops.convolution_backprop_data
    strides = words.pop("strides")
    return kind(x, w, strides, shape, **words)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("type", ["f32", "f16"])
def test_against_openvino(name: str, type: str, tmp_path: Path) -> None:
    shape, filters, given = CASES[name]
    x, w = floats(type, *shape), floats(type, *filters)
    rank = len(shape) - 2
    assert check(tmp_path, [x, w], lambda p, q: {name: layer(rank, p, q, **given)}, scale=100) == 1


def test_unknown_extents(tmp_path: Path) -> None:
    x, w = floats("f32", 2, 3, 5, 4), floats("f32", 3, 4, 4, 3)
    shapes = [(-1, 3, -1, -1), (3, 4, 4, 3)]

    def made(p: Any, q: Any) -> dict[str, Any]:
        return {"y": layer(2, p, q, strides=[2, 3], pads_begin=[1, 0], pads_end=[1, 1])}

    assert check(tmp_path, [x, w], made, shapes, scale=100) == 1


@pytest.mark.parametrize("auto", ["same_upper", "same_lower"])
@pytest.mark.parametrize("wanted", [(10, 8), (9, 10)])
def test_shape_of_the_result(auto: str, wanted: tuple[int, ...], tmp_path: Path) -> None:
    x, w = floats("f32", 1, 2, 5, 4), floats("f32", 2, 3, 3, 4)

    def made(p: Any, q: Any) -> dict[str, Any]:
        return {"y": layer(2, p, q, ints(*wanted), strides=[2, 2], auto_pad=auto)}

    assert check(tmp_path, [x, w], made, scale=100) == 1


@pytest.mark.parametrize("wanted", [(9, 8), (11, 9), (13, 14)])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_shape_of_the_result_and_pads(wanted: tuple[int, ...], known: bool, tmp_path: Path) -> None:
    x, w = floats("f32", 1, 2, 5, 4), floats("f32", 2, 3, 3, 4)
    shapes = [(1, 2, 5, 4) if known else (-1, 2, -1, -1), (2, 3, 3, 4)]

    def made(p: Any, q: Any) -> dict[str, Any]:
        pads = {"pads_begin": [1, 0], "pads_end": [0, 1]}
        return {"y": layer(2, p, q, ints(*wanted), strides=[2, 2], **pads)}

    assert check(tmp_path, [x, w], made, shapes, scale=100) == 1


def test_what_is_refused(tmp_path: Path) -> None:
    x, w, shape = floats("f32", 1, 2, 5), floats("f32", 2, 3, 4), floats("f32", 1).astype("int64")
    made = model([x, w, shape], lambda p, q, s: [layer(1, p, q, s, auto_pad="same_upper")])
    with pytest.raises(UnsupportedError, match="output_shape is not known when compiling"):
        by_opc(save(made, tmp_path), [x, w, shape])
