"""Images in brightness and differences of colours, against OpenVINO."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset8 as ops

from tests.unit.common.openvino_models import both

LAYERS = ("nv12_to_rgb", "nv12_to_bgr", "i420_to_rgb", "i420_to_bgr")


@pytest.mark.parametrize("type", ["uint8", "float32"])
@pytest.mark.parametrize("is_one", [True, False], ids=["one", "several"])
def test_colours(type: str, is_one: bool, tmp_path: Path) -> None:
    """Few bytes are one off: OpenVINO's reference rounds halves up, its plugin does not."""
    draw = np.random.default_rng(3)
    shapes = [(2, 6, 8, 1)] if is_one else [(2, 4, 8, 1), (2, 2, 4, 2), (2, 2, 4, 1), (2, 2, 4, 1)]
    inputs = [draw.integers(0, 256, shape).astype(type) for shape in shapes]

    def made(*x: Any) -> list[Any]:
        given = [x[:1] if is_one else x[:2]] * 2 + [x[:1] if is_one else (x[0], *x[2:])] * 2
        return [getattr(ops, n)(*v) for n, v in zip(LAYERS, given, strict=True)]

    found = both(tmp_path, inputs, made)
    for ours, theirs in found:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert np.isclose(ours.astype(float), theirs, rtol=1e-5, atol=1e-3).mean() > 0.97
        np.testing.assert_allclose(
            ours.astype(float), theirs.astype(float), rtol=1e-5, atol=1 if type == "uint8" else 1e-3
        )
