"""Interpolate of OpenVINO models against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset1
from openvino import opset15 as ops
from openvino.utils.node_factory import NodeFactory

from opc.errors import UnsupportedError
from tests.unit.common.openvino_models import by_opc, check, floats, ints, model, save

MODES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"]
X = floats("f32", 1, 2, 4, 6)


def scaled(*scales: float) -> Any:
    return ops.constant(np.array(scales, np.float32))


def version_4(x: Any, how: dict[str, Any]) -> Any:
    inputs = [x, ints(8, 18), scaled(1, 1), ints(2, 3)]
    return NodeFactory("opset4").create("Interpolate", [n.output(0) for n in inputs], how)


@pytest.mark.parametrize("mode", ["nearest", "linear_onnx", "linear", "cubic"])
@pytest.mark.parametrize("coordinates", MODES)
def test_against_openvino(mode: str, coordinates: str, tmp_path: Path) -> None:
    how = {"mode": mode, "coordinate_transformation_mode": coordinates}

    def made(x: Any) -> dict[str, Any]:
        sizes = {"shape_calculation_mode": "sizes", **how}
        scales = {"shape_calculation_mode": "scales", **how}
        return {
            "sizes": ops.interpolate(x, ints(8, 12), axes=ints(2, 3), **sizes),
            "scales": ops.interpolate(x, scaled(2, 0.5), axes=ints(2, 3), **scales),
            "uneven": ops.interpolate(x, ints(7, 4), axes=ints(2, 3), **sizes),
            "version 4": version_4(x, sizes),
        }

    assert check(tmp_path, [X], made, scale=16) == 4


@pytest.mark.parametrize("corners", [True, False])
def test_version_1(corners: bool, tmp_path: Path) -> None:
    """Longer, shorter, and one axis of each; nearest ones round up where an axis is shortened."""

    def made(x: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for mode in ("nearest", "linear", "cubic"):
            for sizes in ((9, 13), (3, 4), (7, 5)):
                how = {"axes": [2, 3], "mode": mode, "align_corners": corners}
                how |= {"pads_begin": [0], "pads_end": [0]}
                found[f"{mode} {sizes}"] = opset1.interpolate(x, ints(*sizes), how)
        return found

    assert check(tmp_path, [X], made, scale=16) == 9


@pytest.mark.parametrize("coordinates", MODES)
def test_nearest_ones_of_the_simple_kind(coordinates: str, tmp_path: Path) -> None:
    how = {"mode": "nearest", "nearest_mode": "simple", "shape_calculation_mode": "sizes"}
    how |= {"coordinate_transformation_mode": coordinates}

    def made(x: Any) -> dict[str, Any]:
        return {
            f"{sizes}": ops.interpolate(x, ints(*sizes), axes=ints(2, 3), **how)
            for sizes in ((9, 13), (3, 4), (7, 5))
        }

    assert check(tmp_path, [X], made) == 3
    assert check(tmp_path, [X], made, [(1, 2, -1, -1)]) == 3


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("mode", ["bilinear_pillow", "bicubic_pillow"])
def test_as_pillow(mode: str, known: bool, tmp_path: Path) -> None:
    """Smaller and larger, and where only one axis changes."""
    x = floats("f32", 1, 2, 11, 9)

    def made(x: Any) -> dict[str, Any]:
        how: dict[str, Any] = {"mode": mode, "cube_coeff": -0.75}
        sizes = {"shape_calculation_mode": "sizes", **how}
        scales = {"shape_calculation_mode": "scales", **how}
        return {
            "smaller": ops.interpolate(x, ints(4, 5), axes=ints(2, 3), **sizes),
            "larger": ops.interpolate(x, ints(17, 20), axes=ints(2, 3), **sizes),
            "one axis": ops.interpolate(x, ints(11, 4), axes=ints(2, 3), **sizes),
            **({"scales": ops.interpolate(x, scaled(0.5, 0.4), axes=ints(2, 3), **scales)}
               if known else {}),
        }  # fmt: skip

    shape = x.shape if known else [1, 2, -1, -1]
    assert check(tmp_path, [x], made, [shape], scale=16) == 3 + known


def test_axes_that_are_not_resized_may_be_unknown(tmp_path: Path) -> None:
    def made(x: Any) -> dict[str, Any]:
        how = {"mode": "nearest", "shape_calculation_mode": "scales"}
        return {"y": ops.interpolate(x, scaled(2, 2), axes=ints(2, 3), **how)}

    assert check(tmp_path, [X], made, [(-1, -1, 4, 6)]) == 1


@pytest.mark.parametrize("mode", ["nearest", "linear_onnx", "linear", "cubic"])
def test_pads(mode: str, tmp_path: Path) -> None:
    """Zeros around the image are a part of it."""

    def made(x: Any) -> dict[str, Any]:
        how = {"mode": mode, "pads_begin": [0, 0, 1, 2], "pads_end": [0, 0, 3, 0]}
        sizes = {"shape_calculation_mode": "sizes", **how}
        scales = {"shape_calculation_mode": "scales", **how}
        return {
            "sizes": ops.interpolate(x, ints(8, 12), axes=ints(2, 3), **sizes),
            "scales": ops.interpolate(x, scaled(2, 0.5), axes=ints(2, 3), **scales),
            "version 4": version_4(x, sizes),
        }

    assert check(tmp_path, [X], made, scale=16) == 3


@pytest.mark.parametrize(
    "how", [{"antialias": True}, {"pads_begin": [0, 0, 1], "pads_end": [0]}], ids=str
)
def test_what_is_refused(how: dict[str, Any], tmp_path: Path) -> None:
    def made(x: Any) -> list[Any]:
        sizes = {"mode": "linear", "shape_calculation_mode": "sizes", **how}
        return [ops.interpolate(x, ints(7, 5), axes=ints(2, 3), **sizes)]

    with pytest.raises(UnsupportedError, match=r"antialias is not|pads with extents or numbers"):
        by_opc(save(model([X], made, [(1, 2, -1, 6)]), tmp_path), [X])
