"""Networks as quantizing tools leave them: layers between QuantizeLinear and DequantizeLinear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.networks.classifiers import MOBILENET_V2
from benchmarks.networks.net import Extent, Net, scaled

REACH = 5
"""How many times the root of its mean square a value may be before it is cut off."""


@dataclass(frozen=True)
class Value:
    """A tensor and its mean square as expected of random weights; the scale if it is quantized."""

    name: str
    power: float
    scale: float = 0

    @property
    def spread(self) -> float:
        """The root of the mean square."""
        return self.power**0.5


class Quantizer:
    """Layers on 8-bit values: activations with one scale, weights with one for each filter."""

    def __init__(self, net: Net) -> None:
        self.net = net
        # The reference of ONNX computes quantization as it is since then.
        net.opset = max(net.opset, 19)

    def values(self, x: Value, signed: bool = False) -> Value:
        """x through unsigned integers of 8 bits and back, in steps that its spread gives."""
        steps, zero = (127, 128) if signed else (255, 0)
        scale = float(np.float32(REACH * x.spread / steps))
        given = self.net.scalar(scale), self.net.constant(zero, "uint8")
        small = self.net("QuantizeLinear", x.name, *given)
        return Value(self.net("DequantizeLinear", small, *given), x.power, scale)

    def weights(self, *shape: int) -> tuple[str, np.ndarray]:
        """Weights of 8 bits, and the scale of each filter."""
        count = int(np.prod(shape[1:]))
        drawn = self.net.rng.standard_normal(shape, np.float32) * np.float32(count**-0.5)
        axes = tuple(range(1, len(shape)))
        scales = np.abs(drawn).max(axes) / np.float32(127)
        small = np.rint(drawn / scales.reshape(-1, *[1] * len(axes)))
        return self._scaled(self.net.constant(small, "int8"), scales, "int8"), scales

    def _scaled(self, x: str, scales: np.ndarray, type: str) -> str:
        zero = self.net.constant(np.zeros(len(scales)), type)
        return self.net("DequantizeLinear", x, self.net.constant(scales), zero, axis=0)

    def bias(self, x: Value, scales: np.ndarray) -> str:
        """A bias of 32 bits, in steps of what products of x and weights have."""
        steps = np.float32(x.scale) * scales
        drawn = self.net.rng.standard_normal(len(scales), np.float32) * np.float32(0.1)
        return self._scaled(self.net.constant(np.rint(drawn / steps), "int32"), steps, "int32")

    def conv(
        self, x: Value, inside: int, outside: int, size: int = 1, stride: int = 1, groups: int = 1
    ) -> Value:
        """A convolution, padded to the same extents for stride 1."""
        w, scales = self.weights(outside, inside // groups, size, size)
        how = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "dilations": [1] * 2}
        pads = [(size - 1) // 2] * 4
        y = self.net("Conv", x.name, w, self.bias(x, scales), pads=pads, group=groups, **how)
        return Value(y, x.power)

    def relu(self, x: Value) -> Value:
        """What is negative becomes 0; quantized from 0 on."""
        y = self.values(Value(self.net("Relu", x.name), x.power))
        return Value(y.name, x.power / 2, y.scale)

    def gemm(self, x: Value, inside: int, outside: int) -> Value:
        """A dense layer of a matrix."""
        w, scales = self.weights(outside, inside)
        return Value(self.net("Gemm", x.name, w, self.bias(x, scales), transB=1), x.power)


def resnet(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    blocks: tuple[int, ...] = (3, 4, 6, 3),
    width: float = 1,
    classes: int = 1000,
) -> None:
    """ResNet-50 with every convolution, sum and pooling on values of 8 bits."""
    q, channels = Quantizer(net), scaled((64, 64, 128, 256, 512), width)
    image = q.values(Value(net.input("image", batch, 3, size, size), 1), signed=True)
    x = q.relu(q.conv(image, 3, channels[0], 7, 2))
    pooled = net("MaxPool", x.name, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    x = q.values(Value(pooled, 3 * x.power))
    inside = channels[0]
    for stage, count in enumerate(blocks):
        narrow = channels[stage + 1]
        outside = 4 * narrow
        for block in range(count):
            stride = 2 if block == 0 and stage > 0 else 1
            y = q.relu(q.conv(x, inside, narrow))
            y = q.relu(q.conv(y, narrow, narrow, 3, stride))
            y = q.values(q.conv(y, narrow, outside), signed=True)
            if stride != 1 or inside != outside:
                x = q.values(q.conv(x, inside, outside, 1, stride), signed=True)
            x = q.relu(Value(net("Add", y.name, x.name), y.power + x.power))
            inside = outside
    _head(q, x, inside, classes)


def mobilenet_v2(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    width: float = 1,
    depth: int = 7,
    classes: int = 1000,
) -> None:
    """MobileNetV2, its first ``depth`` groups of blocks, on values of 8 bits."""
    q, (inside, last) = Quantizer(net), scaled((32, 1280), width)
    image = q.values(Value(net.input("image", batch, 3, size, size), 1), signed=True)
    x = q.relu(q.conv(image, 3, inside, 3, 2))
    for factor, channels, count, first in MOBILENET_V2[:depth]:
        (outside,) = scaled((channels,), width)
        for block in range(count):
            stride, wide = first if block == 0 else 1, factor * inside
            y = q.relu(q.conv(x, inside, wide)) if factor > 1 else x
            y = q.relu(q.conv(y, wide, wide, 3, stride, groups=wide))
            y = q.values(q.conv(y, wide, outside), signed=True)
            if stride == 1 and inside == outside:
                y = q.values(Value(net("Add", x.name, y.name), x.power + y.power), signed=True)
            x, inside = y, outside
    _head(q, q.relu(q.conv(x, inside, last)), last, classes)


def _head(q: Quantizer, x: Value, inside: int, classes: int) -> None:
    """The mean of each channel, and a dense layer."""
    net = q.net
    mean = q.values(Value(net("GlobalAveragePool", x.name), x.power))
    flat = Value(net("Flatten", mean.name, axis=1), mean.power, mean.scale)
    logits = q.values(q.gemm(flat, inside, classes), signed=True)
    net.output(logits.name, "logits")
