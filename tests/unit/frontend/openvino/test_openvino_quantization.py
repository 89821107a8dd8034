"""Quantized values in OpenVINO's models, against OpenVINO and against its specification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

import openvino as ov
from openvino import opset15 as ops

from opc.errors import UnsupportedError
from tests.unit.common.openvino_models import (
    TYPES,
    by_opc,
    by_openvino,
    floats,
    model,
    parameter,
    save,
)

RANGES = [
    ((-1.0, 1.5), (0.0, 2.5), 16),
    (([[-1], [-2], [-0.5]], [[1.5], [2], [0.75]]), (-1.0, 1.0), 256),
    ((0.0, 4.0), ([[-1], [2], [0.5]], [[1], [-2], [0.75]]), 2),
    ((1.0, -1.0), (0.0, 1.0), 5),
]
"""Ends of the ranges of inputs and outputs, and levels."""


STEPPED = [
    RANGES[0],
    ((-2.0, 1.984375), (-2.0, 1.984375), 256),
    ((0.0, 6.0), (0.0, 6.0), 256),
    (([[-1.25], [-2.5], [-0.5]], [[1.25], [2.5], [0.5]]),) * 2 + (255,),
    ((-0.5, 13.125), (-0.5, 13.125), 110),
]
"""Those in which 0 is a whole number of steps from the lower end of the range of outputs."""


def stepped(x: Any, ranges: Any) -> Any:
    """Quantized and dequantized: two constants, each rounded to f32 once."""
    (low, high), (first, last), levels = ranges
    low, high, first, last = (np.float32(v).astype("f8") for v in (low, high, first, last))
    most, step = levels - 1, (last - first) / (levels - 1)
    level = np.rint((x - np.float32(low)) * np.float32(most / (high - low)))
    level = np.where(level > 0, np.minimum(level, np.float32(most)), np.float32(0))
    return (level + np.float32(np.rint(first / step))) * np.float32(step)


def levelled(x: Any, ranges: Any, type: Any) -> Any:
    """What the specification of FakeQuantize-1 says, in the precision of f32 or f64."""
    (low, high), (first, last), levels = ranges
    low, high, first, last = (np.asarray(v, type).astype(type) for v in (low, high, first, last))
    n = np.asarray(levels - 1, type)
    y = np.rint((x - low) / (high - low) * n) / n * (last - first) + first
    y = np.where(x > np.maximum(low, high), last, y)
    return np.where(x <= np.minimum(low, high), first, y)


@pytest.mark.parametrize("ranges", [*RANGES, *STEPPED[1:]])
@pytest.mark.parametrize("type", ["f32", "f16", "bf16", "f64"])
def test_fake_quantize(type: str, ranges: Any, tmp_path: Path) -> None:
    x = floats(type, 2, 3, 40, low=-4, high=4)
    element = getattr(ov.Type, type)

    def constants(values: Any) -> Any:
        return [ops.constant(np.float32(v), element) for v in values]

    made = model(
        [x], lambda p: [ops.fake_quantize(p, *constants(ranges[0] + ranges[1]), ranges[2])]
    )
    (found,) = by_opc(save(made, tmp_path), [x])
    wide = np.float64 if type == "f64" else np.float32
    rounded = tuple(
        tuple(np.float32(v).astype(TYPES[type]).astype(wide) for v in ends) for ends in ranges[:2]
    )
    wanted = levelled(x.astype(wide), (*rounded, ranges[2]), wide).astype(TYPES[type])
    if type == "f32" and ranges in STEPPED:
        np.testing.assert_allclose(found, wanted, rtol=3e-7, atol=1e-6)
        wanted = stepped(x, ranges)
    np.testing.assert_array_equal(found, wanted)
    if type == "f32" and ranges[0][0] != 1.0:
        # OpenVINO has the range from the lower to the upper end whichever is named first.
        (theirs,) = by_openvino(made, [x])
        apart = np.abs(found - theirs) > 1e-5
        assert apart.mean() < 0.01


@pytest.mark.parametrize("levels", [8, 9])
def test_fake_quantize_of_what_is_not_finite(levels: int, tmp_path: Path) -> None:
    """NaN is on no level; the lowest one is OpenVINO's, too.  9 levels are whole steps from 0."""
    x = np.float32([np.nan, np.inf, -np.inf])
    ends = [ops.constant(np.float32(v)) for v in (-1, 1, -2, 2)]
    made = model([x], lambda p: [ops.fake_quantize(p, *ends, levels)])
    (found,) = by_opc(save(made, tmp_path), [x])
    np.testing.assert_array_equal(found, np.float32([-2, 2, -2]))
    # OpenVINO's vectors of some processors end one step above the upper end.
    np.testing.assert_allclose(by_openvino(made, [x])[0], found, rtol=2e-7)


@pytest.mark.parametrize("shift", [None, 0.5])
@pytest.mark.parametrize("kind", ["f8e4m3", "f8e5m2"])
@pytest.mark.parametrize("type", ["f32", "f16"])
def test_fake_convert(type: str, kind: str, shift: float | None, tmp_path: Path) -> None:
    x = floats(type, 400, low=-9, high=9) ** 5
    x[:6] = [0, 0.001, 6e4, -6e4, np.inf, -np.inf]
    scale = np.float32([1.5])
    others = [ops.constant(scale, getattr(ov.Type, type))]
    if shift is not None:
        others.append(ops.constant(np.float32([shift]), getattr(ov.Type, type)))
    made = model([x], lambda p: [ops.fake_convert(p, *others, destination_type=kind)])
    (found,) = by_opc(save(made, tmp_path), [x])
    given = {"f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}[kind]
    most = float(ml_dtypes.finfo(given).max)
    y = x.astype("f4") * scale - np.float32(shift or 0)
    y = (np.clip(y, -most, most).astype(given).astype("f4") + np.float32(shift or 0)) / scale
    np.testing.assert_array_equal(found, y.astype(TYPES[type]))
    if type == "f32":
        (theirs,) = by_openvino(made, [x])
        # OpenVINO rounds to f16 first.
        assert (np.abs(found - theirs) > 1e-6 * np.abs(theirs)).mean() < 0.01


@pytest.mark.parametrize("type", ["i4", "u4", "f4e2m1", "f8e4m3", "f8e5m2", "f8e8m0"])
def test_weights_of_few_bits(type: str, tmp_path: Path) -> None:
    """Compressed weights: constants of a small type, converted, shifted and scaled."""
    small = {
        "i4": ml_dtypes.int4,
        "u4": ml_dtypes.uint4,
        "f4e2m1": ml_dtypes.float4_e2m1fn,
        "f8e4m3": ml_dtypes.float8_e4m3fn,
        "f8e5m2": ml_dtypes.float8_e5m2,
        "f8e8m0": ml_dtypes.float8_e8m0fnu,
    }[type]
    values = (np.arange(15) % 8 + (type != "i4")).astype(small)
    bits = 4 if type in ("i4", "u4", "f4e2m1") else 8
    codes = values.view(np.uint8) & ((1 << bits) - 1)
    if bits == 4:
        pairs = np.append(codes, 0).reshape(-1, 2).astype(np.uint8)
        codes = pairs[:, 0] | pairs[:, 1] << 4
    named = getattr(ov.Type, type)
    weights = ops.constant(ov.Tensor(codes, ov.Shape([3, 5]), named))
    x = parameter(np.dtype("f4"), (3, 5), "x")
    made = ov.Model([ops.multiply(x, ops.convert(weights, "f32"))], [x], "model")
    given = floats("f32", 3, 5)
    (found,) = by_opc(save(made, tmp_path), [given])
    np.testing.assert_array_equal(found, given * values.astype("f4").reshape(3, 5))


def test_conversions_to_few_bits_are_refused(tmp_path: Path) -> None:
    x = floats("f32", 3)
    made = model([x], lambda p: [ops.convert(ops.convert(p, "f8e4m3"), "f32")])
    with pytest.raises(UnsupportedError, match="a conversion to f8E4M3FN is not supported"):
        by_opc(save(made, tmp_path), [x])
