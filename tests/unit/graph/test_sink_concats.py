"""Parts of quantized concatenations are joined as bytes, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.stored_weights import tensor

Array = np.ndarray[Any, Any]
SCALES = {"a": 0.02, "b": 0.035, "y": 0.035}
"""The second part has the scale and the zero point of the result."""
ZEROS = {"a": 37, "b": 100, "y": 100}
SHAPE = (2, 4, 6, 5)


def _padding(axis: int) -> Array:
    """The constant between the two parts: values beyond the bytes of the result, too."""
    shape = [*SHAPE[:axis], 3, *SHAPE[axis + 1 :]]
    return np.linspace(-9, 9, int(np.prod(shape))).reshape(shape).astype(np.float32)


def _joined(axis: int, readers: int) -> Any:
    """Dequantized parts and a constant that are joined, and quantized by each reader."""
    tensors = [tensor("c", _padding(axis), "f32")]
    for name, scale in SCALES.items():
        tensors.append(tensor(f"{name}s", np.array(scale), "f32"))
        zero = np.array(ZEROS[name], np.uint8)
        tensors.append(tensor(f"{name}z", zero, "ui8"))
    nodes = [node("DequantizeLinear", f"{name} {name}s {name}z", f"{name}f") for name in "ab"]
    nodes.append(node("Concat", "af c bf", "j", axis=axis))
    outputs = [f"y{k}" for k in range(readers)]
    nodes += [node("QuantizeLinear", "j ys yz", y) for y in outputs]
    return model(
        nodes,
        [info(name, "ui8", SHAPE) for name in "ab"],
        outputs=[info(y, "ui8") for y in outputs],
        initializers=tensors,
    )


def _expected(a: Array, b: Array, axis: int) -> Array:
    scales = {name: np.float32(scale) for name, scale in SCALES.items()}
    parts = [
        (x.astype(np.float32) - ZEROS[name]) * scales[name] for name, x in (("a", a), ("b", b))
    ]
    values = np.concatenate([parts[0], _padding(axis), parts[1]], axis)
    return np.clip(np.rint(values / scales["y"]) + ZEROS["y"], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("readers", [1, 2])
@pytest.mark.parametrize("axis", range(4))
def test_parts_are_joined_as_bytes(axis: int, readers: int) -> None:
    proto, rng = _joined(axis, readers), np.random.default_rng(axis)
    a, b = (rng.integers(0, 256, SHAPE).astype(np.uint8) for _ in range(2))
    f, plain = (opc.compile(proto, target="baseline", fuse=fuse) for fuse in (True, False))
    normal = f.ir("normal")
    (line,) = (line for line in normal.splitlines() if "opc.concat" in line)
    assert "xui8>" in line
    assert "xf32>" not in line
    assert "%b" in line  # its integers, as they are
    for g in (f, plain):
        results = g(a, b) if readers > 1 else (g(a, b),)
        for result in results:
            np.testing.assert_array_equal(result, _expected(a, b, axis))
