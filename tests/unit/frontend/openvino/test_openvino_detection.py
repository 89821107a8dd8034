"""Layers that find boxes in images, against OpenVINO: many drawn settings of their attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset1, opset4, opset8, opset9

from tests.unit.common.openvino_models import both

pytestmark = pytest.mark.sample(4)


def alike(found: list[tuple[np.ndarray, np.ndarray]], tolerance: float) -> None:
    for ours, theirs in found:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=tolerance)


def priors(draw: Any, count: int, numbers: int, is_normal: bool, has_variances: bool) -> Any:
    """Boxes in parts of an image or in pixels, then with the number of the image, and variances."""
    centre, side = draw.random((count, numbers, 2)), draw.random((count, numbers, 2)) * 0.4 + 0.05
    boxes = np.concatenate([centre - side / 2, centre + side / 2], axis=2)
    if not is_normal:
        image = np.zeros((count, numbers, 1))
        image[:, numbers - int(draw.integers(3)) :] = -1
        boxes = np.concatenate([image, boxes * [200, 300, 200, 300]], axis=2)
    line = boxes.reshape(count, 1, -1)
    if has_variances:
        others = np.zeros_like(line)
        others[:, 0, : 4 * numbers] = np.tile([0.1, 0.1, 0.2, 0.2], numbers)
        line = np.concatenate([line, others], axis=1)
    return line.astype(np.float32)


MARKS = (
    "variance_encoded_in_target",
    "share_location",
    "clip_after_nms",
    "clip_before_nms",
    "decrease_label_id",
    "normalized",
)


@pytest.mark.parametrize("seed", range(12))
def test_detection_output(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    images, count, classes = (int(draw.integers(*ends)) for ends in ((1, 3), (3, 40), (2, 5)))

    def either() -> bool:
        return bool(draw.integers(2))

    how: dict[str, Any] = {name: either() for name in MARKS}
    how |= {
        "background_label_id": 0 if how["decrease_label_id"] else int(draw.integers(-1, classes)),
        "top_k": int(draw.choice([-1, 5, 20, 100])),
        "keep_top_k": [int(draw.choice([-1, 4, 15, 60]))],
        "code_type": f"caffe.PriorBoxParameter.{('CORNER', 'CENTER_SIZE')[either()]}",
        "nms_threshold": float(draw.choice([0.2, 0.45, 0.7])),
        "confidence_threshold": float(draw.choice([0, 0.3, 0.6])),
        "objectness_score": 0.4,
    }
    if not how["normalized"]:
        how |= {"input_height": 300, "input_width": 200}
    places = (images, 4 * count * (1 if how["share_location"] else classes))
    more = seed % 3 == 2
    has_own = more or either()
    inputs = [
        draw.normal(size=places) * 0.3,
        draw.random((images, count * classes)),
        priors(
            draw,
            images if has_own else 1,
            count,
            how["normalized"],
            not how["variance_encoded_in_target"],
        ),
    ]
    if more:
        inputs += [draw.random((images, 2 * count)), draw.normal(size=places) * 0.3]

    def made(*x: Any) -> list[Any]:
        if seed % 2:
            return [opset8.detection_output(*x[:3], how, *x[3:])]
        return [opset1.detection_output(*x[:3], {**how, "num_classes": classes}, *x[3:])]

    alike(both(tmp_path, [x.astype(np.float32) for x in inputs], made), 1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_proposal(seed: int, tmp_path: Path) -> None:
    """With as many anchors as regions are asked for: with fewer, OpenVINO writes past its memory.

    Small boxes all have the score 0, and OpenVINO takes any of them.
    """
    draw = np.random.default_rng(seed)
    of, number = np.float32, np.uint32
    ratios, scales = [0.5, 1.0, 2.0][: 1 + seed % 3], [2.0, 4.0]
    anchors, height, width = len(ratios) * len(scales), *map(int, draw.integers(4, 7, 2))
    how: dict[str, Any] = {
        "base_size": number(draw.choice([7, 16])),
        "pre_nms_topn": number(draw.choice([25, 1000])),
        "post_nms_topn": number(draw.choice([4, 20])),
        "nms_thresh": of(draw.choice([0.3, 0.7])),
        "feat_stride": number(draw.choice([8, 16])),
        "min_size": number(1),
        "ratio": [of(v) for v in ratios],
        "scale": [of(v) for v in scales],
        "box_size_scale": of(draw.choice([1, 5])),
        "box_coordinate_scale": of(draw.choice([1, 10])),
        "framework": ("", "tensorflow")[seed % 2],
    }
    for name in ("clip_before_nms", "clip_after_nms", "normalize"):
        how[name] = bool(draw.integers(2))
    inputs = [
        draw.random((1, 2 * anchors, height, width)),
        draw.normal(size=(1, 4 * anchors, height, width)) * 0.3,
        np.array([70, 90, 1, 0.8])[: 3 + seed // 2 % 2],
    ]

    def made(*x: Any) -> list[Any]:
        return (opset4 if seed % 4 < 2 else opset1).proposal(*x, how).outputs()

    alike(both(tmp_path, [x.astype(np.float32) for x in inputs], made), 1e-3)


def drawn_boxes(
    draw: np.random.Generator, shape: tuple[int, ...], largest: float
) -> np.ndarray[Any, Any]:
    """Two corners of boxes with centres within 0 and 1, and sides up to the largest."""
    centre, side = draw.random(shape), draw.random(shape) * largest
    return np.concatenate([centre - side / 2, centre + side / 2], axis=-1)


@pytest.mark.parametrize("seed", range(10))
def test_multiclass_nms(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    images, classes, count = (int(draw.integers(*ends)) for ends in ((1, 3), (1, 4), (3, 25)))
    is_normal = bool(seed % 3)
    boxes = drawn_boxes(draw, (images, count, 2), 0.5) * (1 if is_normal else 50)
    how: dict[str, Any] = {
        "sort_result_type": ("none", "score", "classid")[seed // 2 % 3],
        "sort_result_across_batch": bool(draw.integers(2)),
        "output_type": ("i32", "i64")[seed % 2],
        "iou_threshold": float(draw.choice([0.2, 0.5])),
        "score_threshold": float(draw.choice([0, 0.3, 0.7])),
        "nms_top_k": int(draw.choice([-1, 4, 50])),
        "keep_top_k": int(draw.choice([-1, 3, 30])),
        "background_class": int(draw.integers(-1, classes)),
        "normalized": is_normal,
    }
    inputs = [boxes.astype(np.float32), draw.random((images, classes, count)).astype(np.float32)]

    def made(*x: Any) -> list[Any]:
        return (opset8, opset9)[seed % 2].multiclass_nms(*x, **how).outputs()

    alike(both(tmp_path, inputs, made), 1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_matrix_nms(seed: int, tmp_path: Path) -> None:
    """Each image has a box that is found: OpenVINO fails where there is none."""
    draw = np.random.default_rng(seed)
    images, classes, count = (int(draw.integers(*ends)) for ends in ((1, 4), (1, 4), (1, 25)))
    is_normal = bool(seed % 3)
    boxes = drawn_boxes(draw, (images, count, 2), 0.7) * (1 if is_normal else 50)
    how: dict[str, Any] = {
        "sort_result_type": ("none", "score", "classid")[seed // 2 % 3],
        "sort_result_across_batch": bool(draw.integers(2)),
        "output_type": ("i32", "i64")[seed % 2],
        "score_threshold": float(draw.choice([0, 0.3, 0.7])),
        "nms_top_k": int(draw.choice([-1, 4, 50])),
        "keep_top_k": int(draw.choice([-1, 3, 30])),
        "background_class": int(draw.integers(-1, classes)) if classes > 1 else -1,
        "decay_function": ("linear", "gaussian")[seed // 3 % 2],
        "gaussian_sigma": float(draw.choice([0.5, 2])),
        "post_threshold": float(draw.choice([0, 0.2])),
        "normalized": is_normal,
    }
    scores = draw.random((images, classes, count))
    scores[:, :, 0] = 0.99
    inputs = [boxes.astype(np.float32), scores.astype(np.float32)]
    made = lambda *x: opset8.matrix_nms(*x, **how).outputs()  # noqa: E731
    alike(both(tmp_path, inputs, made), 1e-5)
