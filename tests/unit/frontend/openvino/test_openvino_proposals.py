"""Layers that propose regions and what Detectron has of them, and CTCLoss, against OpenVINO."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset4, opset9
from openvino.utils.node_factory import NodeFactory

from opc.errors import UnsupportedError
from tests.unit.common.openvino_models import both, by_opc, by_openvino, model, save

SIX = NodeFactory("opset6")


def alike(found: list[tuple[np.ndarray, np.ndarray]], tolerance: float) -> None:
    for ours, theirs in found:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=tolerance)


def detectron(name: str, inputs: Any, how: dict[str, Any]) -> list[Any]:
    return SIX.create(f"ExperimentalDetectron{name}", [x.output(0) for x in inputs], how).outputs()


def boxes(draw: Any, *shape: int, size: float = 60.0) -> np.ndarray:
    """Boxes in an image of that size."""
    centre, side = draw.random((*shape, 2)), draw.random((*shape, 2)) * 0.4 + 0.02
    return (np.concatenate([centre - side / 2, centre + side / 2], -1) * size).astype(np.float32)


def scores(draw: Any, *shape: int) -> np.ndarray:
    """Scores of which no two are equal: OpenVINO does not say which is the first."""
    count = int(np.prod(shape))
    return ((draw.permutation(count) + 1) / (count + 2)).astype(np.float32).reshape(shape)


@pytest.mark.parametrize("seed", range(8))
def test_generate_proposals(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    images, count = int(draw.integers(1, 4)), int(draw.integers(1, 4))
    height, width = map(int, draw.integers(2, 6, 2))
    how: dict[str, Any] = {
        "min_size": float(draw.choice([1, 8])),
        "nms_threshold": float(draw.choice([0.3, 0.7])),
        "pre_nms_count": int(draw.choice([10, 1000])),
        "post_nms_count": int(draw.choice([3, 40])),
        "normalized": bool(seed % 2),
        "roi_num_type": ("i32", "i64")[seed // 2 % 2],
    }
    numbers = np.tile(np.array([50, 70, 1, 0.8], np.float32), (images, 1))[:, : 3 + seed % 2]
    inputs = [
        numbers,
        boxes(draw, height, width, count),
        (draw.normal(size=(images, 4 * count, height, width)) * 0.3).astype(np.float32),
        scores(draw, images, count, height, width),
    ]
    made = lambda *x: opset9.generate_proposals(*x, **how).outputs()  # noqa: E731
    alike(both(tmp_path, inputs, made), 1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_single_image(seed: int, tmp_path: Path) -> None:
    """Too small boxes all have the score 0, and OpenVINO takes any of them: there are none."""
    draw = np.random.default_rng(seed)
    count, height, width = (int(draw.integers(*ends)) for ends in ((1, 4), (2, 6), (2, 6)))
    how: dict[str, Any] = {
        "min_size": 0.0,
        "nms_threshold": float(draw.choice([0.3, 0.7])),
        "pre_nms_count": int(draw.choice([10, 1000])),
        "post_nms_count": int(draw.choice([3, 40])),
    }
    inputs = [
        np.array([50, 70, 1], np.float32),
        boxes(draw, height * width * count),
        (draw.normal(size=(4 * count, height, width)) * 0.3).astype(np.float32),
        scores(draw, count, height, width),
    ]
    name = "GenerateProposalsSingleImage"
    alike(both(tmp_path, inputs, lambda *x: detectron(name, x, how)), 1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_prior_grid(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    of = np.float32
    inputs = [
        (draw.normal(size=(int(draw.integers(1, 4)), 4)) * 20).astype(np.float32),
        np.zeros((1, 2, *draw.integers(1, 6, 2)), np.float32),
        np.zeros((1, 3, *draw.integers(30, 99, 2)), np.float32),
    ]
    how: dict[str, Any] = {"flatten": bool(seed % 2)}
    if seed % 3:
        how |= {"stride_x": of(8), "stride_y": of(16)}
    if seed == 5:
        how |= {"h": inputs[1].shape[2], "w": inputs[1].shape[3]}
    shapes = [x.shape if seed % 4 else [-1, *x.shape[1:]] for x in inputs[:1]]
    shapes += [x.shape if seed % 4 else [1, x.shape[1], -1, -1] for x in inputs[1:]]
    (pair,) = both(tmp_path, inputs, lambda *x: detectron("PriorGridGenerator", x, how), shapes)
    np.testing.assert_allclose(*pair, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("count", (3, 9, 20))
def test_top_regions(count: int, tmp_path: Path) -> None:
    """With fewer regions than are asked for, OpenVINO reads past its memory."""
    draw = np.random.default_rng(count)
    inputs = [boxes(draw, count), scores(draw, count)]
    made = lambda *x: detectron("TopKROIs", x, {"max_rois": 9})  # noqa: E731
    best = inputs[0][np.argsort(-inputs[1])][:9]
    for shapes in ((), ([-1, 4], [-1])):
        whole = model(inputs, made, shapes)
        (found,) = by_opc(save(whole, tmp_path), inputs)
        assert found.shape == (9, 4) and not found[count:].any()
        np.testing.assert_array_equal(found[:count], best)
        if count >= 9:
            np.testing.assert_array_equal(found, by_openvino(whole, inputs)[0])


@pytest.mark.parametrize("seed", range(6))
def test_region_features(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    count, channels, levels = (int(draw.integers(*ends)) for ends in ((1, 12), (1, 5), (1, 5)))
    scales = [4 << k for k in range(levels)]
    size = 400
    regions = boxes(draw, count, size=size) * draw.random((count, 1)).astype(np.float32) * 1.4
    if seed % 2:
        regions[0] = [20, 20, 20, 40]
    maps = [draw.normal(size=(1, channels, size // s, size // s + 3)) for s in scales]
    inputs = [regions.astype(np.float32), *(m.astype(np.float32) for m in maps)]
    how = {
        "output_size": int(draw.integers(1, 6)),
        "sampling_ratio": int(draw.integers(1, 4)),
        "pyramid_scales": scales,
        "aligned": bool(draw.integers(2)),
    }
    made = lambda *x: detectron("ROIFeatureExtractor", x, how)  # noqa: E731
    alike(both(tmp_path, inputs, made), 1e-4)


def test_samples_that_regions_decide(tmp_path: Path) -> None:
    how = {"output_size": 2, "sampling_ratio": 0, "pyramid_scales": [4], "aligned": False}
    inputs = [np.zeros((2, 4), np.float32), np.zeros((1, 2, 5, 5), np.float32)]
    with pytest.raises(UnsupportedError, match="sampling_ratio"):
        both(tmp_path, inputs, lambda *x: detectron("ROIFeatureExtractor", x, how))


@pytest.mark.parametrize("seed", range(10))
def test_detections(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    count, classes = int(draw.integers(1, 30)), int(draw.integers(2, 5))
    regions = boxes(draw, count)
    regions[: count // 8, 2] = regions[: count // 8, 0]
    inputs = [
        regions,
        draw.normal(size=(count, 4 * classes)).astype(np.float32),
        scores(draw, count, classes),
        np.array([[60, 60, 1]], np.float32),
    ]
    of = np.float32
    how: dict[str, Any] = {
        "score_threshold": of(draw.choice([0, 0.4])),
        "nms_threshold": of(draw.choice([0.2, 0.6])),
        "num_classes": classes,
        "post_nms_count": int(draw.choice([2, 50])),
        "max_detections_per_image": int(draw.choice([4, 100])),
        "class_agnostic_box_regression": False,
        "max_delta_log_wh": of(4.1),
        "deltas_weights": [of(v) for v in (10, 10, 5, 5)],
    }
    alike(both(tmp_path, inputs, lambda *x: detectron("DetectionOutput", x, how)), 1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_ctc_loss(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    count, times, classes = (int(draw.integers(*ends)) for ends in ((1, 4), (2, 9), (2, 5)))
    of = np.int64 if seed % 2 else np.int32
    lengths = draw.integers(1, times + 1, count)
    labels = draw.integers(0, classes, (count, times))
    how = {
        "preprocess_collapse_repeated": bool(seed // 2 % 2),
        "ctc_merge_repeated": bool(seed // 4 % 2 == 0),
        "unique": seed % 5 == 4,
    }
    blank = int(draw.integers(classes)) if seed % 3 else classes - 1
    labels = np.where(labels == blank, (blank + 1) % classes, labels)
    inputs = [
        draw.normal(size=(count, times, classes)).astype(np.float32),
        lengths.astype(of),
        labels.astype(of),
        np.minimum(draw.integers(1, times + 1, count), lengths).astype(of),
    ]
    if seed % 3:
        inputs.append(np.array(blank, of))

    def made(*x: Any) -> list[Any]:
        return [opset4.ctc_loss(*x[:4], *x[4:], **how)]

    shapes = [x.shape if seed % 4 else [-1] * x.ndim for x in inputs]
    (pair,) = both(tmp_path, inputs, made, shapes)
    np.testing.assert_allclose(*pair, rtol=1e-4, atol=1e-4)
