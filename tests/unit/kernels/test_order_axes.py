"""Channels of small integers stay innermost through a Concat and a Resize, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.stored_weights import tensor

CHANNELS, SIDE = 24, 10
STEPS = {"p": (0.03, 110), "j": (0.05, 120)}
"""The scale and the zero point of the parts, and of what is joined."""
NEAREST = {
    "mode": "nearest",
    "nearest_mode": "floor",
    "coordinate_transformation_mode": "asymmetric",
}


class _Net:
    """The nodes and constants of a quantized network."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.tensors = [
            tensor("ws", np.array(0.01), "f32"),
            tensor("twice", np.array([1, 1, 2, 2]), "f32"),
        ]
        for name, (scale, zero) in STEPS.items():
            self.tensors.append(tensor(f"{name}s", np.array(scale), "f32"))
            self.tensors.append(tensor(f"{name}z", np.array(zero, np.uint8), "ui8"))

    def dequantized(self, x: str, by: str = "p") -> str:
        self.nodes.append(node("DequantizeLinear", f"{x} {by}s {by}z", f"{x}_f"))
        return f"{x}_f"

    def quantized(self, x: str, by: str = "p") -> str:
        self.nodes.append(node("QuantizeLinear", f"{x} {by}s {by}z", f"{x}_q"))
        return self.dequantized(f"{x}_q", by)

    def resized(self, x: str, out: str) -> str:
        self.nodes.append(node("Resize", f"{x} _ twice", out, **NEAREST))
        return self.quantized(out)

    def conv(self, x: str, out: str, inputs: int, size: int = 1, groups: int = 1) -> str:
        shape = (CHANNELS, inputs // groups, size, size)
        self.tensors.append(tensor(f"{out}w", self.rng.integers(-100, 100, shape), "i8"))
        self.nodes.append(node("DequantizeLinear", f"{out}w ws", f"{out}v"))
        pads = [size // 2] * 4
        self.nodes.append(node("Conv", f"{x} {out}v", out, group=groups, pads=pads))
        return self.quantized(out)

    def parts(self, kind: str) -> list[str]:
        """What is joined, of the inputs x and y."""
        x, y = (self.dequantized(name) for name in "xy")
        if kind == "inputs":
            return [x, y]
        a, b = self.conv(x, "a", CHANNELS, 3), self.conv(y, "b", CHANNELS)
        if kind == "depthwise":
            return [self.conv(a, "d", CHANNELS, 3, CHANNELS), b]
        return [self.resized(a, "ra"), self.resized(b, "rb")] if kind == "resized" else [a, b, x]


def _joined(kind: str, axis: int) -> Any:
    """A convolution of quantized parts that are joined; ``returned`` is a part, too."""
    net = _Net()
    parts = net.parts(kind)
    net.nodes.append(node("Concat", " ".join(parts), "j", axis=axis))
    inputs = CHANNELS * (len(parts) if axis == 1 else 1)
    net.conv(net.quantized("j", "j"), "r", inputs, 3)
    outputs = ["r_q", "a_q"] if kind == "returned" else ["r_q"]
    return model(
        net.nodes,
        [info(name, "ui8", [1, CHANNELS, SIDE, SIDE]) for name in "xy"],
        opset=17,
        outputs=[info(name, "ui8", [1, None, None, None]) for name in outputs],
        initializers=net.tensors,
    )


@pytest.mark.parametrize("axis", [1, 2, 3])
@pytest.mark.parametrize("kind", ["inputs", "convs", "depthwise", "resized", "returned"])
def test_joined_parts_have_the_same_bits(kind: str, axis: int) -> None:
    proto, rng = _joined(kind, axis), np.random.default_rng(1)
    arrays = [rng.integers(0, 256, (1, CHANNELS, SIDE, SIDE)).astype(np.uint8) for _ in "xy"]
    results, plain = (opc.compile(proto, fuse=fuse)(*arrays) for fuse in (True, False))
    if kind != "returned":
        results, plain = (results,), (plain,)
    for result, same in zip(results, plain, strict=True):
        np.testing.assert_array_equal(result, same)
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    expected: Any = session.run(None, dict(zip("xy", arrays, strict=True)))
    for result, other in zip(results, expected, strict=True):
        # Both round what they multiply, and one step more or less goes through two convolutions.
        difference = np.abs(result.astype(int) - other.astype(int))
        assert difference.max() <= 4
        assert difference.mean() < 0.02


@pytest.mark.parametrize("kind", ["convs", "resized"])
def test_channels_stay_innermost(kind: str) -> None:
    kernels = opc.compile(_joined(kind, 1)).ir("kernels")
    count, side = (3, SIDE) if kind == "convs" else (2, 2 * SIDE)
    # With the padding of the convolution that reads it.
    assert f"}} : tensor<1x{side + 2}x{side + 2}x{count * CHANNELS}xui8>" in kernels
    assert f"kernel.sweep [{side}, {side}, {CHANNELS}]" in kernels
    assert f"kernel.sweep [{CHANNELS}, {side}, {side}]" not in kernels
