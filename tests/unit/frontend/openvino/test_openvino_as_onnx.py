"""Layers of OpenVINO that are legalized as nodes of ONNX, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino")
from openvino import opset1, opset3, opset8, opset9, opset15
from openvino import opset15 as ops

from tests.unit.common.openvino_models import check, floats, integers, ints


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_cum_sum(exclusive: bool, reverse: bool, type: str, tmp_path: Path) -> None:
    x = floats("f32", 3, 5) if type == "f32" else integers("i32", 3, 5)

    def build(p: Any) -> dict[str, Any]:
        how = {"exclusive": exclusive, "reverse": reverse}
        return {f"axis {k}": opset3.cum_sum(p, ops.constant(k), **how) for k in (0, -1)}

    check(tmp_path, [x], build, [[-1, 5]])


@pytest.mark.parametrize(
    "equation",
    [
        "ij,jk->ik",
        "bhqd,bhkd->bhqk",
        "bii->bi",
        "...ij->...",
        "a,b->ab",
        "bij,bkj->bik",
        "bij,bij->b",
    ],
)
def test_einsum(equation: str, tmp_path: Path) -> None:
    shapes = {
        "ij,jk->ik": [(3, 4), (4, 5)],
        "bhqd,bhkd->bhqk": [(2, 3, 4, 5), (2, 3, 6, 5)],
        "bii->bi": [(2, 3, 3)],
        "...ij->...": [(2, 3, 4)],
        "a,b->ab": [(3,), (4,)],
        "bij,bkj->bik": [(2, 3, 4), (2, 5, 4)],
        "bij,bij->b": [(2, 3, 4), (2, 3, 4)],
    }[equation]
    data = [floats("f32", *shape) for shape in shapes]
    check(tmp_path, data, lambda *p: {equation: ops.einsum(list(p), equation)}, scale=10)


@pytest.mark.parametrize("sort", ["value", "index"])
@pytest.mark.parametrize("mode", ["max", "min"])
@pytest.mark.parametrize("operators", [opset1, opset3, ops], ids=["1", "3", "11"])
def test_top_k(operators: Any, mode: str, sort: str, tmp_path: Path) -> None:
    x = np.random.default_rng(5).permutation(60).reshape(3, 4, 5).astype(np.float32)

    def build(p: Any) -> dict[str, Any]:
        found = operators.topk(p, ops.constant(np.int64(3)), -1, mode, sort)
        first = operators.topk(p, ops.constant(np.int64(2)), 0, mode, sort)
        nodes = {"values": found, "first": first}
        return {f"{n} {k}": v.output(k) for n, v in nodes.items() for k in range(2)}

    check(tmp_path, [x], build, [[-1, 4, 5]])


@pytest.mark.sample(4)
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "nearest"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("corners", [False, True])
def test_grid_sample(mode: str, padding: str, corners: bool, tmp_path: Path) -> None:
    x, grid = floats("f32", 2, 3, 5, 6), floats("f32", 2, 4, 7, 2, low=-1.2, high=1.2)
    how = {"mode": mode, "padding_mode": padding, "align_corners": corners}
    check(tmp_path, [x, grid], lambda p, g: {mode: opset9.grid_sample(p, g, how)}, scale=20)


def test_normalizations(tmp_path: Path) -> None:
    x, scale, bias = floats("f32", 2, 6, 4, 5), floats("f32", 6), floats("f32", 6)
    mean, variance = floats("f32", 6), floats("f32", 6, low=0.5)

    def build(p: Any, s: Any, b: Any, m: Any, v: Any) -> dict[str, Any]:
        return {
            "groups": ops.group_normalization(p, s, b, 3, 1e-5),
            "batch": ops.batch_norm_inference(p, s, b, m, v, 1e-5),
            "batch 1": opset1.batch_norm_inference(p, s, b, m, v, 1e-5),
        }

    check(tmp_path, [x, scale, bias, mean, variance], build, scale=20)


@pytest.mark.parametrize("axes", [(0, 1), (1, 0)])
def test_reverse_sequence(axes: tuple[int, int], tmp_path: Path) -> None:
    x = floats("f32", 3, 3, 2)
    lengths = np.array([2, 3, 1], np.int32)
    check(tmp_path, [x, lengths], lambda p, n: {"x": opset1.reverse_sequence(p, n, *axes)})


@pytest.mark.parametrize("aligned", ["asymmetric", "half_pixel", "half_pixel_for_nn"])
@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", (0, 2))
def test_roi_align(ratio: int, mode: str, aligned: str, tmp_path: Path) -> None:
    # Below 0 the runtime gives 0 as the greatest value.
    x = floats("f32", 2, 3, 9, 8, low=0.1)
    regions = np.array([[0, 0, 6, 7], [1.5, 2, 5, 8], [3, 1, 7.5, 3]], np.float32)
    images = np.array([0, 1, 1], np.int32)

    def build(p: Any, r: Any, i: Any) -> dict[str, Any]:
        return {mode: opset9.roi_align(p, r, i, 3, 2, ratio, 0.75, mode, aligned)}

    check(tmp_path, [x, regions, images], build, scale=20)


def test_columns_to_image(tmp_path: Path) -> None:
    x = floats("f32", 2, 12, 12)
    how = {"strides": [1, 2], "dilations": [1, 1], "pads_begin": [0, 1], "pads_end": [0, 1]}
    build = lambda p: {"image": opset15.col2im(p, ints(5, 5), ints(2, 3), **how)}  # noqa: E731
    check(tmp_path, [x], build)


@pytest.mark.parametrize("masked", [False, True])
def test_deformable_convolution(masked: bool, tmp_path: Path) -> None:
    data = [floats("f32", 1, 4, 6, 7), floats("f32", 1, 18, 6, 7), floats("f32", 2, 4, 3, 3)]
    data += [floats("f32", 1, 9, 6, 7, low=0, high=1)] if masked else []

    def build(p: Any, o: Any, f: Any, *mask: Any) -> dict[str, Any]:
        how = ([1, 1], [1, 1], [1, 1], [1, 1])
        made = opset8.deformable_convolution(p, o, f, *how, *mask, bilinear_interpolation_pad=True)
        return {"y": made}

    check(tmp_path, data, build, scale=50)


@pytest.mark.parametrize("version", (1, 8))
def test_deformable_convolution_within_images(version: int, tmp_path: Path) -> None:
    """Places between the last elements and where the next ones would be have their values."""
    data = [floats("f32", 1, 4, 6, 7), floats("f32", 1, 18, 6, 7), floats("f32", 2, 4, 3, 3)]
    how = ([1, 1], [1, 1], [1, 1], [1, 1])
    kind = opset8 if version == 8 else opset1
    made = lambda p, o, f: {"y": kind.deformable_convolution(p, o, f, *how)}  # noqa: E731
    check(tmp_path, data, made, scale=50)


def test_fourier_transforms(tmp_path: Path) -> None:
    """Of one axis and of two, of lengths that are those of the signal or not."""
    x, real = floats("f32", 2, 6, 5, 2), floats("f32", 2, 6, 5)

    def build(p: Any, r: Any) -> dict[str, Any]:
        half = ops.rdft(r, ints(1, 2))
        return {
            "dft": ops.dft(p, ints(1)),
            "dft two": ops.dft(p, ints(-1, 0), ints(4, 2)),
            "idft": ops.idft(p, ints(1, 2)),
            "rdft": half,
            "rdft one": ops.rdft(r, ints(-1), ints(4)),
            "irdft": ops.irdft(half, ints(1, 2), ints(6, 5)),
        }

    check(tmp_path, [x, real], build, scale=20)
