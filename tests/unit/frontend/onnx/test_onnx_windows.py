"""Convolutions of ONNX models against onnxruntime, and what is wrong with some."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

import opc
from opc.errors import InputError, OpcError
from tests.unit.common.onnx_models import info, model, node, run

pytestmark = pytest.mark.sample(8)


def random_case(rng: Random) -> tuple[list[tuple[int, ...]], dict[str, Any]]:
    """Shapes of input, filters and bias, and attributes."""
    rank, groups = rng.choice([1, 2, 2, 3]), rng.choice([1, 1, 2, 3])
    channels, filters = groups * rng.choice([1, 2, 3]), groups * rng.choice([1, 2, 3, 17])
    if rng.random() < 0.2:
        groups, filters = channels, channels * rng.choice([1, 2])
    kernel, strides, dilations, spatial = (
        [rng.choice(options) for _ in range(rank)]
        for options in ((1, 2, 3, 5), (1, 1, 2, 3, 4), (1, 1, 2), (1, 3, 7, 8, 13, 20))
    )
    given: dict[str, Any] = {"strides": strides, "group": groups}
    way = rng.choice(["pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if way in ("pads", "VALID"):
        given["dilations"] = dilations
        pads = [rng.choice([0, 1, 2, 4]) if way == "pads" else 0 for _ in range(2 * rank)]
        for k, (n, size, apart) in enumerate(zip(spatial, kernel, dilations, strict=True)):
            missing = (size - 1) * apart + 1 - n - pads[k] - pads[rank + k]
            if way == "pads":
                pads[k] += max(0, missing)
            else:
                spatial[k] += max(0, missing)
        given |= {"pads": pads} if way == "pads" else {"auto_pad": way}
    else:
        given["auto_pad"] = way
    if rng.random() < 0.5:
        given["kernel_shape"] = kernel
    shapes = [
        (rng.choice([1, 2, 3]), channels, *spatial),
        (filters, channels // groups, *kernel),
        (filters,),
    ]
    return shapes, given


def layer(
    shapes: list[tuple[int, ...]], given: dict[str, Any], opset: int, type: str = "f32"
) -> Any:
    inputs = [info(name, type, shape) for name, shape in zip("xwb", shapes, strict=False)]
    names = " ".join(i.name for i in inputs)
    return model(node("Conv", names, **given), inputs, opset, [info("y", type)])


@pytest.mark.parametrize("seed", range(24))
def test_against_onnxruntime(seed: int) -> None:
    ort = pytest.importorskip("onnxruntime")
    rng = Random(seed)
    shapes, given = random_case(rng)
    if rng.random() < 0.3:
        shapes = shapes[:2]
    proto = layer(shapes, given, rng.choice([9, 11, 21, 22]))
    values = np.random.default_rng(seed)
    arrays = [values.standard_normal(shape).astype(np.float32) for shape in shapes]
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    (wanted,) = session.run(None, dict(zip("xwb", arrays, strict=False)))
    found = run(proto, *arrays)
    assert found.shape == wanted.shape, f"{shapes} {given}"
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4, err_msg=f"{shapes} {given}")


@pytest.mark.parametrize("type", ["f64", "f16", "bf16"])
def test_other_floats(type: str) -> None:
    from opc.dialects.element import BY_NAME

    dtype = BY_NAME[type].dtype
    rng = np.random.default_rng(1)
    shapes = [(1, 3, 6, 6), (4, 3, 3, 3), (4,)]
    arrays = [rng.standard_normal(s).astype(np.float32).astype(dtype) for s in shapes]
    found = run(layer(shapes, {"pads": [1, 1, 1, 1]}, 22, type), *arrays)
    wide = [a.astype(np.float64) for a in arrays]
    wanted = run(layer(shapes, {"pads": [1, 1, 1, 1]}, 22, "f64"), *wide)
    assert found.dtype == dtype
    limit = {"f64": 0.0, "f16": 2e-3, "bf16": 2e-2}[type]
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=limit, atol=limit)


def test_unknown_batch_and_extents() -> None:
    x, w, b = (
        info("x", shape=("N", 3, "H", "W")),
        info("w", shape=(4, 3, 3, 3)),
        info("b", shape=(4,)),
    )
    proto = model(node("Conv", "x w b", auto_pad="SAME_UPPER"), [x, w, b])
    rng = np.random.default_rng(1)
    filters, bias = (
        rng.standard_normal((4, 3, 3, 3)).astype("f"),
        rng.standard_normal(4).astype("f"),
    )
    for shape in ((2, 3, 5, 6), (1, 3, 1, 1), (0, 3, 4, 4)):
        values = rng.standard_normal(shape).astype(np.float32)
        known = layer([shape, (4, 3, 3, 3), (4,)], {"auto_pad": "SAME_UPPER"}, 22)
        np.testing.assert_array_equal(
            run(proto, values, filters, bias), run(known, values, filters, bias)
        )


@pytest.mark.parametrize(
    "shapes, given, message",
    [
        ([(1, 3, 8, 8), (4, 3, 3)], {}, "do not fit"),
        ([(1, 3), (4, 3)], {}, "do not fit"),
        ([(1, 3, 8, 8), (4, 2, 3, 3)], {}, "1 groups of 2 channels see 3 channels"),
        ([(1, 3, 8, 8), (4, 3, 3, 3)], {"strides": [1]}, r"attribute strides is \[1\]"),
        ([(1, 3, 8, 8), (4, 3, 3, 3)], {"pads": [-1, 0, 0, 0]}, "expected 4 integers from 0"),
        ([(1, 3, 8, 8), (4, 3, 3, 3)], {"kernel_shape": [3, 2]}, "kernel_shape does not fit"),
        ([(1, 3, 8, 8), (4, 3, 3, 3)], {"auto_pad": "same"}, "attribute auto_pad is 'same'"),
        ([(1, 3, 8, 8), (4, 3, 3, 3)], {"group": 0}, "4 filters cannot be divided into 0 groups"),
        ([(1, 3, 2, 8), (4, 3, 3, 3)], {}, "a filter covers 3 values of 2"),
        ([(1, 3, 8, 8), (4, 3, 3, 3), (3,)], {}, "a bias for each filter"),
        ([(1, 3, 8, 8), (4, 3, 3, 3), (4, 1)], {}, "input B is tensor<4x1xf32>, expected rank 1"),
        ([(1, 2, *[3] * 4), (4, 2, *[1] * 4)], {}, "of one rank from 3 to 5, found 6 and 6"),
    ],
)
def test_what_does_not_fit(shapes: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(OpcError, match=message):
        opc.compile(layer(shapes, given, 22))


def test_integers_are_refused() -> None:
    with pytest.raises(InputError, match="i8"):
        opc.compile(layer([(1, 1, 3), (1, 1, 1)], {}, 22, "i8"))
