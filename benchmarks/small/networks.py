"""The four networks of MLPerf Tiny at their published sizes, with weights drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.networks.net import Net
from benchmarks.networks.quantized import Quantizer, Value

Pads = tuple[int, int, int, int]


@dataclass
class Layers:
    """Layers in f32, or between values of 8 bits as a quantizing tool leaves them."""

    net: Net
    is_quantized: bool

    def __post_init__(self) -> None:
        self.quantizer = Quantizer(self.net)
        self.net.opset = 13

    def input(self, *shape: int) -> Value:
        """The only argument."""
        x = Value(self.net.input("input", *shape), 1)
        return self.quantizer.values(x, signed=True) if self.is_quantized else x

    def conv(
        self,
        x: Value,
        inside: int,
        outside: int,
        size: tuple[int, int] = (1, 1),
        stride: int = 1,
        pads: Pads = (0, 0, 0, 0),
        groups: int = 1,
        limit: bool = True,
    ) -> Value:
        """A convolution with a bias, and with what is negative as 0 unless ``limit`` is false."""
        shape = (outside, inside // groups, *size)
        how = {"kernel_shape": size, "strides": [stride] * 2, "pads": pads, "group": groups}
        y = Value(self.net("Conv", x.name, *self._factors(x, *shape), **how), x.power)
        return self._limited(y) if limit else self._small(y)

    def dense(self, x: Value, inside: int, outside: int, limit: bool = False) -> Value:
        """A dense layer."""
        factors = self._factors(x, outside, inside)
        y = Value(self.net("Gemm", x.name, *factors, transB=1), x.power)
        return self._limited(y) if limit else self._small(y)

    def sum(self, x: Value, y: Value) -> Value:
        """The sum of two, with what is negative as 0."""
        return self._limited(Value(self.net("Add", x.name, y.name), x.power + y.power))

    def scores(self, x: Value, inside: int, classes: int) -> None:
        """The mean of each channel, a dense layer and a softmax: the only result."""
        x = self._small(Value(self.net("GlobalAveragePool", x.name), x.power))
        flat = Value(self.net("Flatten", x.name, axis=1), x.power, x.scale)
        y = self.dense(flat, inside, classes)
        self.net.output(self.net("Softmax", y.name, axis=1), "output")

    def _factors(self, x: Value, *shape: int) -> tuple[str, str]:
        """Weights and a bias."""
        if not self.is_quantized:
            return self.net.weight(*shape), self.net.bias(shape[0])
        weights, scales = self.quantizer.weights(*shape)
        return weights, self.quantizer.bias(x, scales)

    def _limited(self, x: Value) -> Value:
        if self.is_quantized:
            return self.quantizer.relu(x)
        return Value(self.net("Relu", x.name), x.power / 2)

    def _small(self, x: Value) -> Value:
        return self.quantizer.values(x, signed=True) if self.is_quantized else x


def dscnn(layers: Layers) -> None:
    """DS-CNN for keywords: 49 by 10 coefficients, 64 channels, 12 words."""
    x = layers.conv(layers.input(1, 1, 49, 10), 1, 64, (10, 4), 2, (4, 1, 5, 1))
    for _ in range(4):
        x = layers.conv(x, 64, 64, (3, 3), pads=(1, 1, 1, 1), groups=64)
        x = layers.conv(x, 64, 64)
    layers.scores(x, 64, 12)


def mobilenet(layers: Layers) -> None:
    """MobileNetV1 of a quarter of the width: whether there is a person in an image of 96 by 96."""
    x, inside = layers.conv(layers.input(1, 3, 96, 96), 3, 8, (3, 3), 2, (0, 0, 1, 1)), 8
    for outside, stride in ((16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2),
                            *[(128, 1)] * 5, (256, 2), (256, 1)):  # fmt: skip
        pads: Pads = (1, 1, 1, 1) if stride == 1 else (0, 0, 1, 1)
        x = layers.conv(x, inside, inside, (3, 3), stride, pads, groups=inside)
        x = layers.conv(x, inside, outside)
        inside = outside
    layers.scores(x, inside, 2)


def resnet(layers: Layers) -> None:
    """ResNet-8 for images of 32 by 32 in ten classes."""
    around: Pads = (1, 1, 1, 1)
    x, inside = layers.conv(layers.input(1, 3, 32, 32), 3, 16, (3, 3), pads=around), 16
    for outside, stride in ((16, 1), (32, 2), (64, 2)):
        y = layers.conv(x, inside, outside, (3, 3), stride, around)
        y = layers.conv(y, outside, outside, (3, 3), pads=around, limit=False)
        if stride != 1:
            x = layers.conv(x, inside, outside, stride=stride, limit=False)
        x, inside = layers.sum(x, y), outside
    layers.scores(x, inside, 10)


def autoencoder(layers: Layers) -> None:
    """The autoencoder that hears broken machines: 640 values through eight."""
    x, inside = layers.input(1, 640), 640
    for outside in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        x, inside = layers.dense(x, inside, outside, limit=True), outside
    layers.net.output(layers.dense(x, inside, 640).name, "output")


_BUILDERS: dict[str, Callable[[Layers], None]] = {
    "dscnn": dscnn,
    "mobilenet": mobilenet,
    "resnet": resnet,
    "autoencoder": autoencoder,
}
NETWORKS = tuple(f"{name}{kind}" for name in _BUILDERS for kind in ("", "_i8"))
"""The names: of those with values of 8 bits with ``_i8`` behind."""


def network(name: str) -> Net:
    """A network by its name."""
    stem, _, kind = name.partition("_")
    layers = Layers(Net(), bool(kind))
    _BUILDERS[stem](layers)
    return layers.net
