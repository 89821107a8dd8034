"""Layers of OpenVINO for detectors, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset1, opset8
from openvino import opset16 as ops

from tests.unit.common.openvino_models import check, floats, ints

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


@UNKNOWN
@pytest.mark.parametrize("softmax", [True, False])
def test_yolo(softmax: bool, known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3 * (4 + 1 + 6), 5, 7)

    def made(x: Any) -> dict[str, Any]:
        return {
            f"to axis {end}": ops.region_yolo(x, 4, 6, 3, softmax, [0, 1, 2], 1, end)
            for end in (1, 3)
        }

    assert check(tmp_path, [x], made, [x.shape if known else [-1, 33, -1, -1]], scale=4) == 2


def rois(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, np.float32)


@UNKNOWN
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_greatest_of_regions(scale: float, known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 9, 12)
    regions = rois((0, 1, 2, 7, 8), (1, 0, 0, 20, 20), (1, 4, 4, 4, 4), (0, 2.5, 3.5, 9, 5))
    made = lambda x, r: {"y": ops.roi_pooling(x, r, [3, 4], scale, "max")}  # noqa: E731
    shapes = [x.shape, regions.shape] if known else [[-1] * 4, [-1, 5]]
    assert check(tmp_path, [x, regions], made, shapes) == 1


@UNKNOWN
@pytest.mark.parametrize("counts", [(3, 4), (1, 1)])
def test_between_elements_of_regions(counts: tuple[int, int], known: bool, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 9, 12)
    regions = rois((0, 0.1, 0.2, 0.7, 0.8), (1, 0, 0, 1, 1), (1, 0.4, 0.4, 0.4, 0.4))
    made = lambda x, r: {"y": ops.roi_pooling(x, r, list(counts), 1.0, "bilinear")}  # noqa: E731
    shapes = [x.shape, regions.shape] if known else [[-1] * 4, [-1, 5]]
    assert check(tmp_path, [x, regions], made, shapes, scale=4) == 1


def test_places_of_regions(tmp_path: Path) -> None:
    """OpenVINO itself must know the extents."""
    x = floats("f32", 2, 2 * 9, 9, 12)
    regions = rois((0, 1, 2, 14, 12), (1, 0, 0, 22, 17), (1, 4, 4, 4, 4))
    made = lambda x, r: {"y": ops.psroi_pooling(x, r, 2, 3, 0.5, 1, 1, "average")}  # noqa: E731
    assert check(tmp_path, [x, regions], made, scale=4) == 1


def extents(x: Any) -> Any:
    """The last two extents."""
    return ops.strided_slice(ops.shape_of(x), ints(2), ints(4), ints(1), [0], [0])


PRIORS: dict[str, dict[str, Any]] = {
    "one size": {"min_size": [8]},
    "ratios": {"min_size": [8, 16], "max_size": [16, 30], "aspect_ratio": [2, 3], "flip": True},
    "order": {
        "min_size": [8], "max_size": [16], "aspect_ratio": [2, 0.5],
        "min_max_aspect_ratios_order": False,
    },
    "clipped": {
        "min_size": [30], "clip": True, "variance": [0.1, 0.1, 0.2, 0.2], "step": np.float32(8),
    },
    "dense": {"fixed_size": [10, 14], "density": [3, 2], "aspect_ratio": [2]},
    "dense in ratios": {
        "fixed_size": [32.5], "fixed_ratio": [0.5], "density": [4], "step": np.float32(8),
    },
}  # fmt: skip


@UNKNOWN
@pytest.mark.parametrize("name", PRIORS)
def test_priors(name: str, known: bool, tmp_path: Path) -> None:
    x, image = floats("f32", 1, 2, 4, 5), floats("f32", 1, 3, 33, 40)
    given = {"offset": 0.5} | {
        key: np.float32(value) if isinstance(value, list) else value
        for key, value in PRIORS[name].items()
    }
    older = {k: v for k, v in given.items() if k != "min_max_aspect_ratios_order"}

    def made(x: Any, image: Any) -> dict[str, Any]:
        sizes = extents(x), extents(image)
        return {
            "8": opset8.prior_box(*sizes, given),
            "1": opset1.prior_box(*sizes, older),
            "sum": ops.add(
                ops.reduce_sum(x, ints(0, 1, 2, 3)), ops.reduce_sum(image, ints(0, 1, 2, 3))
            ),
        }

    # OpenVINO itself does not take this order with unknown extents.
    known = known or name == "order"
    shapes = [x.shape, image.shape] if known else [[-1] * 4, [-1] * 4]
    assert check(tmp_path, [x, image], made, shapes, scale=10) == 3


@UNKNOWN
@pytest.mark.parametrize(
    "steps", [{}, {"step_w": np.float32(8), "step_h": np.float32(9)}, {"step": np.float32(7)}]
)
def test_clustered_priors(steps: dict[str, float], known: bool, tmp_path: Path) -> None:
    x, image = floats("f32", 1, 2, 4, 5), floats("f32", 1, 3, 33, 40)
    given = {"offset": 0.5, "width": np.float32([5, 9]), "height": np.float32([7, 30]), **steps}
    given["variance"] = np.float32([0.1, 0.1, 0.2, 0.2])
    given["clip"] = "step" in steps

    def made(x: Any, image: Any) -> dict[str, Any]:
        total = ops.reduce_sum(image, ints(0, 1, 2, 3))
        clustered = opset1.prior_box_clustered(extents(x), extents(image), given)
        return {"y": clustered, "sum": ops.add(ops.reduce_sum(x, ints(0, 1, 2, 3)), total)}

    shapes = [x.shape, image.shape] if known else [[-1] * 4, [-1] * 4]
    assert check(tmp_path, [x, image], made, shapes, scale=10) == 2
