"""Pads by a rule, and rounding up, over unknown extents: as with known ones, and as onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import numpy_helper

from tests.unit.common.onnx_models import function, info, model, node, run

EXTENTS = ((7, 8), (8, 7), (12, 9), (1, 2))
W = np.random.default_rng(5).standard_normal((4, 3, 3, 3)).astype(np.float32)


def compare(nodes: Any, extents: Any, initializers: Any = (), outputs: int = 1) -> list[Any]:
    """The extents of the first result; its bits are those of the same model of known extents."""
    ort = pytest.importorskip("onnxruntime")
    given: dict[str, Any] = {
        "initializers": [numpy_helper.from_array(W, "w")] if initializers else []
    }
    proto = model(nodes, [info("x", shape=("n", 3, "h", "w"))], **given)
    unknown = function(proto)
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    values = np.random.default_rng(1)
    shapes: list[Any] = []
    for batch, extent in enumerate(extents, 1):
        x = values.standard_normal((batch, 3, *extent)).astype(np.float32)
        found, known = unknown(x), run(model(nodes, [info("x", shape=x.shape)], **given), x)
        if outputs == 1:
            found, known = (found,), (known,)
        for one, other in zip(found, known, strict=True):
            assert one.shape == other.shape
            assert one.tobytes() == other.tobytes(), extent
        for one, other in zip(found, session.run(None, {"x": x}), strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5, err_msg=str(extent))
        shapes.append(found[0].shape[2:])
    return shapes


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("strides", [(2, 3), (1, 4)])
def test_convolutions(auto: str, strides: tuple[int, int]) -> None:
    """A stride of 4 skips elements of filters of 3."""
    made = node("Conv", "x w", auto_pad=auto, strides=strides)
    found = compare(made, EXTENTS, ["w"])
    assert found == [(-(-h // strides[0]), -(-w // strides[1])) for h, w in EXTENTS]


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool", "LpPool"])
def test_pooling(operator: str, auto: str) -> None:
    """Padding is less than all elements, is not counted, and is 0."""
    made = node(operator, "x", kernel_shape=(3, 4), strides=(2, 3), auto_pad=auto)
    compare(made, EXTENTS)


def test_averages_that_count_pads() -> None:
    how = {"kernel_shape": (3, 2), "strides": (2, 2), "count_include_pad": 1}
    compare(node("AveragePool", "x", auto_pad="SAME_UPPER", **how), EXTENTS)


@pytest.mark.parametrize("order", [0, 1])
def test_places_of_the_greatest(order: int) -> None:
    how = {"kernel_shape": (3, 3), "strides": (2, 2), "storage_order": order}
    made = node("MaxPool", "x", "y i", auto_pad="SAME_LOWER", **how)
    compare(made, EXTENTS, outputs=2)


def test_layers_that_follow_each_other_name_no_pads() -> None:
    how = {"auto_pad": "SAME_UPPER", "strides": (2, 2)}
    nodes = [
        node("Conv", "x w", "a", **how),
        node("MaxPool", "a", "b", kernel_shape=(3, 3), **how),
        node("AveragePool", "b", "c", kernel_shape=(3, 3), **how),
    ]
    found = function(
        model(
            nodes,
            [info("x", shape=("n", 3, "h", 31))],
            initializers=[numpy_helper.from_array(W, "w")],
        )
    )
    height = str(found.outputs[0].shape[2])
    assert "mod" not in height
    assert "min" not in height
    compare(nodes, ((31, 40), (8, 9)), ["w"])


@pytest.mark.parametrize(
    "operator, more",
    [
        ("AveragePool", {"count_include_pad": 0}),
        ("AveragePool", {"count_include_pad": 1}),
        ("MaxPool", {}),
        ("LpPool", {}),
    ],
)
@pytest.mark.parametrize(
    "kernel, strides, pads",
    [
        ((3, 3), (2, 2), (1, 1, 1, 1)),
        ((2, 2), (2, 3), (1, 1, 1, 1)),
        ((2, 3), (3, 3), (0, 0, 1, 2)),
    ],
)
def test_rounding_up(operator: str, more: Any, kernel: Any, strides: Any, pads: Any) -> None:
    """A last window that would begin in the pads behind is none, which the extent decides."""
    extents = ((7, 8), (8, 7), (9, 9), (10, 6), (11, 5))
    how = {"kernel_shape": kernel, "strides": strides, "pads": pads, "ceil_mode": 1, **more}
    compare(node(operator, "x", **how), extents)
