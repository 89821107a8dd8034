"""Convolutions of OpenVINO models against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset15 as ops

from opc.errors import InputError, UnsupportedError
from tests.unit.common.openvino_models import (
    by_opc,
    check,
    floats,
    has_groups,
    model,
    of_windows,
    save,
)

pytestmark = pytest.mark.sample(8)

CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "one axis": ((2, 3, 20), (4, 3, 5), {"strides": [2], "pads_begin": [1], "pads_end": [3]}),
    "two axes": ((2, 3, 9, 8), (5, 3, 3, 2), {"pads_begin": [1, 0], "pads_end": [0, 1]}),
    "three axes": ((1, 2, 5, 6, 7), (3, 2, 2, 3, 1), {"dilations": [2, 1, 1]}),
    "same_upper": ((1, 3, 9, 8), (4, 3, 4, 3), {"strides": [2, 3], "auto_pad": "same_upper"}),
    "same_lower": ((1, 3, 9, 8), (4, 3, 4, 3), {"strides": [2, 3], "auto_pad": "same_lower"}),
    "valid": ((1, 3, 9, 8), (4, 3, 4, 3), {"pads_begin": [1, 1], "auto_pad": "valid"}),
    "groups": ((2, 6, 7, 7), (2, 4, 3, 3, 3), {"pads_begin": [1, 1], "pads_end": [1, 1]}),
    "each channel": ((1, 5, 7, 9), (5, 1, 1, 3, 3), {"strides": [2, 1]}),
    "groups of one axis": ((1, 4, 9), (2, 3, 2, 3), {}),
}


def layer(rank: int, x: Any, w: Any, **given: Any) -> Any:
    kind = ops.group_convolution if has_groups(w, rank) else ops.convolution
    return kind(x, w, **of_windows(rank, **given))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("type", ["f32", "f16"])
def test_against_openvino(name: str, type: str, tmp_path: Path) -> None:
    shape, filters, given = CASES[name]
    x, w = floats(type, *shape), floats(type, *filters)
    rank = len(shape) - 2
    assert check(tmp_path, [x, w], lambda p, q: {name: layer(rank, p, q, **given)}, scale=100) == 1


def test_unknown_extents(tmp_path: Path) -> None:
    x, w = floats("f32", 2, 3, 9, 8), floats("f32", 4, 3, 3, 3)
    shapes = [(-1, 3, -1, -1), (4, 3, 3, 3)]

    def same(p: Any, q: Any) -> dict[str, Any]:
        return {"y": layer(2, p, q, auto_pad="same_upper")}

    assert check(tmp_path, [x, w], same, shapes, scale=100) == 1


@pytest.mark.parametrize("auto", ["same_upper", "same_lower"])
@pytest.mark.parametrize("extents", [(9, 8), (8, 9)])
def test_pads_of_unknown_extents(auto: str, extents: tuple[int, int], tmp_path: Path) -> None:
    """As OpenVINO does, and with the bits of the same model with known extents."""
    x, w = floats("f32", 2, 3, *extents), floats("f32", 4, 3, 3, 3)

    def made(p: Any, q: Any) -> dict[str, Any]:
        pool = {"strides": [2, 2], "pads_begin": [0, 0], "pads_end": [0, 0], "auto_pad": auto}
        more = {"kernel_shape": [3, 2], "rounding_type": "ceil"}
        every = {
            "convolution": layer(2, p, q, auto_pad=auto, strides=[2, 3]),
            "greatest": ops.max_pool(p, dilations=[1, 1], **pool, **more),
            "average": ops.avg_pool(p, exclude_pad=True, **pool, **more),
            "with pads": ops.avg_pool(p, exclude_pad=False, **pool, **more),
            "patches": ops.extract_image_patches(p, [3, 3], [2, 2], [1, 1], auto),
        }
        cut = {"strides": [2, 3], "pads_begin": [1, 1], "pads_end": [1, 1], "kernel_shape": [2, 2]}
        for excludes in (True, False):
            pooled = ops.avg_pool(p, exclude_pad=excludes, rounding_type="ceil_torch", **cut)
            every[f"rounded up, {excludes}"] = pooled
        return {name: made.output(0) for name, made in every.items()}

    shapes = [(-1, 3, -1, -1), (4, 3, 3, 3)]
    assert check(tmp_path, [x, w], made, shapes, scale=100) == 7
    of = [
        by_opc(save(model([x, w], lambda p, q: list(made(p, q).values()), s), tmp_path), [x, w])
        for s in (shapes, [x.shape, w.shape])
    ]
    for unknown, known in zip(*of, strict=True):
        assert unknown.tobytes() == known.tobytes()


@pytest.mark.parametrize(
    "before, after, message",
    [
        (
            'strides="1, 1"',
            'strides="1"',
            r"strides is \[1\], expected 2 integers from 1",
        ),
        ('strides="1, 1"', 'strides="a"', "attribute strides: expected ints, found 'a'"),
        ('pads_begin="0, 0"', 'pads_begin="-1,0"', "negative ones cut off"),
        ('strides="1, 1" ', "", "attribute strides is missing"),
        ('auto_pad="explicit"', 'auto_pad="full"', "expected explicit or notset or same_upper"),
    ],
)
def test_attributes(before: str, after: str, message: str, tmp_path: Path) -> None:
    x, w = floats("f32", 1, 3, 9, 8), floats("f32", 4, 3, 3, 3)
    path = save(model([x, w], lambda p, q: [layer(2, p, q)]), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert before in text, text
    path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises((InputError, UnsupportedError), match=message):
        by_opc(path, [x, w])


def test_products_of_matrices(tmp_path: Path) -> None:
    def nodes(a: Any, b: Any, c: Any) -> dict[str, Any]:
        return {
            "plain": ops.matmul(a, b, False, False),
            "first": ops.matmul(a, a, True, False),
            "second": ops.matmul(b, b, False, True),
            "both": ops.matmul(b, a, True, True),
            "list": ops.matmul(a, c, False, True),
            "list first": ops.matmul(c, b, True, False),
        }

    given = floats("f32", 2, 3, 4), floats("f32", 2, 4, 3), floats("f32", 4)
    assert check(tmp_path, list(given), nodes, scale=100) == 6


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_places_of_the_greatest(axis: int, known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 9, 8)

    def made(x: Any) -> dict[str, Any]:
        window = [2, 3], [2, 1], [1, 0], [0, 1], [3, 2]
        pooled = ops.max_pool(x, *window, "floor", "explicit", "i64", axis)
        return {"value": pooled.output(0), "place": pooled.output(1)}

    assert check(tmp_path, [x], made, [x.shape if known else [-1] * 4]) == 2
