"""Products of fake-quantized values: sums of integers, which are scaled by three roundings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, which writes these models, is not installed")

from openvino import opset1
from openvino import opset15 as ops

import opc
from opc.support.targets import target as machine_of
from tests.unit.common.openvino_models import by_openvino, floats, model, save


def quantized(x: Any, low: float, high: float) -> Any:
    """FakeQuantize of one range for inputs and outputs, of 256 levels."""
    ends = [ops.constant(np.full([1] * 4, v, np.float32)) for v in (low, high) * 2]
    return ops.fake_quantize(x, *ends, 256)


def weights(*shape: int) -> tuple[Any, Any]:
    """Numbers of 8 bits, and a scale for each filter."""
    drawn = floats("f32", *shape)
    scales = np.abs(drawn).max((1, 2, 3), keepdims=True) / np.float32(127)
    return np.rint(drawn / scales).astype("i1"), scales


def products(x: Any, w: Any, scales: Any, step: float) -> Any:
    """Sums of integers over windows of 3x3 with zeros around, times the product of the scales."""
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(x[0], ((0, 0), (1, 1), (1, 1))), (3, 3), (1, 2)
    )
    form = "chwkl,ckl->chw" if w.shape[1] == 1 else "chwkl,fckl->fhw"
    total = np.einsum(form, windows.astype("i8"), w.astype("i8").squeeze())
    return (total.astype("f4") * (scales.reshape(-1, 1, 1) * np.float32(step)))[None]


@pytest.mark.parametrize("form", ["stored", "fake"])
@pytest.mark.parametrize("target", ["native", "avx2", "baseline"])
def test_products_of_fake_quantized_values(target: str, form: str, tmp_path: Path) -> None:
    """Filters, a maximum and depthwise filters have the bits of integers."""
    x = floats("f32", 1, 6, 9, 9, low=-2, high=2)
    (dense, wide), (deep, tall) = weights(8, 6, 3, 3), weights(8, 1, 3, 3)
    filters = ops.multiply(ops.convert(ops.constant(dense), "f32"), ops.constant(wide))
    if form == "fake":
        ends = [ops.constant(v) for v in (-127 * wide, 127 * wide) * 2]
        filters = ops.fake_quantize(ops.constant(dense * wide), *ends, 255)
        wide = ((ends[1].data.astype("f8") * 2) / 254).astype("f4")
    apart = ops.constant(deep[:, :, None]), ops.constant(tall[:, :, None])
    own = ops.multiply(ops.convert(apart[0], "f32"), apart[1])

    def network(p: Any) -> Any:
        y = ops.convolution(quantized(p, -1.28, 1.27), filters, [1, 1], [1, 1], [1, 1], [1, 1])
        y = opset1.max_pool(quantized(ops.relu(y), 0, 5.1), [1, 1], [1, 1], [1, 1], [3, 3])
        return [ops.group_convolution(y, own, [1, 1], [1, 1], [1, 1], [1, 1])]

    made = model([x], network)
    path = save(made, tmp_path)
    found = opc.compile(path, target=target)(x)
    first = np.rint(np.clip((x + np.float32(1.28)) * np.float32(100), 0, 255)) - 128
    inner = products(first, dense, wide, 0.01)
    levels = np.rint(np.clip(inner * np.float32(255 / np.float64(np.float32(5.1))), 0, 255))
    levels = np.pad(levels, ((0, 0), (0, 0), (1, 1), (1, 1)))
    pooled = np.lib.stride_tricks.sliding_window_view(levels, (3, 3), (2, 3)).max((4, 5))
    np.testing.assert_array_equal(found, products(pooled, deep, tall, np.float32(5.1) / 255))
    if machine_of("native").multiplies_bytes:
        # On a processor with AVX2 alone OpenVINO is off by a quarter of the largest value.
        (theirs,) = by_openvino(made, [x])
        assert np.abs(found - theirs).max() <= 2e-2 * np.abs(theirs).max()
