"""Convolutional networks that classify images: their published layers, at any width."""

from __future__ import annotations

from benchmarks.networks.net import Extent, Net, scaled


def _head(net: Net, x: str, channels: int, classes: int) -> None:
    flat = net("Flatten", net("GlobalAveragePool", x), axis=1)
    net.output(net.gemm(flat, channels, classes), "logits")


def resnet(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    blocks: tuple[int, ...] = (2, 2, 2, 2),
    bottleneck: bool = False,
    width: float = 1,
    classes: int = 1000,
) -> None:
    """ResNet (He et al. 2015): 18 with blocks of two, 50 with bottlenecks and (3, 4, 6, 3).

    As exported for inference: batch normalizations are part of the convolutions.
    """
    channels = scaled((64, 64, 128, 256, 512), width)
    x = net("Relu", net.conv(net.input("image", batch, 3, size, size), 3, channels[0], 7, stride=2))
    x = net("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, ceil_mode=0)
    inside = channels[0]
    for stage, count in enumerate(blocks):
        narrow = channels[stage + 1]
        outside = 4 * narrow if bottleneck else narrow
        for block in range(count):
            stride = 2 if block == 0 and stage > 0 else 1
            if bottleneck:
                y = net("Relu", net.conv(x, inside, narrow))
                y = net("Relu", net.conv(y, narrow, narrow, 3, stride=stride))
                y = net.conv(y, narrow, outside)
            else:
                y = net("Relu", net.conv(x, inside, outside, 3, stride=stride))
                y = net.conv(y, outside, outside, 3)
            if stride != 1 or inside != outside:
                x = net.conv(x, inside, outside, stride=stride)
            x = net("Relu", net("Add", y, x))
            inside = outside
    _head(net, x, inside, classes)


def squeezenet(net: Net, batch: Extent = 1, size: int = 224, width: float = 1) -> None:
    """SqueezeNet 1.1 (Iandola et al. 2016): two branches behind each narrow layer."""

    def pool(x: str) -> str:
        how = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [0] * 4}
        return net("MaxPool", x, ceil_mode=1, **how)

    (inside,) = scaled((64,), width)
    image = net.input("image", batch, 3, size, size)
    x = pool(net("Relu", net.conv(image, 3, inside, 3, stride=2, pads=[0] * 4)))
    rows = ((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))
    for number, row in enumerate(rows):
        x = pool(x) if number in (2, 4) else x
        narrow, outside = scaled(row, width)
        y = net("Relu", net.conv(x, inside, narrow))
        branches = [net("Relu", net.conv(y, narrow, outside, kernel)) for kernel in (1, 3)]
        x = net("Concat", *branches, axis=1)
        inside = 2 * outside
    x = net("Relu", net.conv(x, inside, 1000))
    net.output(net("Flatten", net("GlobalAveragePool", x), axis=1), "logits")


MOBILENET_V2 = (
    *((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1)),
    *((6, 160, 3, 2), (6, 320, 1, 1)),
)
"""Groups of blocks: how many times wider they are inside, channels, blocks, first stride."""


def mobilenet_v2(
    net: Net, batch: Extent = 1, size: int = 224, width: float = 1, depth: int = 7
) -> None:
    """MobileNetV2 (Sandler et al. 2018), its first ``depth`` groups of blocks."""

    def relu6(x: str) -> str:
        return net("Clip", x, net.scalar(0), net.scalar(6))

    inside, last = scaled((32, 1280), width)
    x = relu6(net.conv(net.input("image", batch, 3, size, size), 3, inside, 3, stride=2))
    for factor, channels, count, first in MOBILENET_V2[:depth]:
        (outside,) = scaled((channels,), width)
        for block in range(count):
            stride, wide = first if block == 0 else 1, factor * inside
            y = relu6(net.conv(x, inside, wide)) if factor > 1 else x
            y = relu6(net.conv(y, wide, wide, 3, stride=stride, groups=wide))
            y = net.conv(y, wide, outside)
            x = net("Add", x, y) if stride == 1 and inside == outside else y
            inside = outside
    _head(net, relu6(net.conv(x, inside, last)), last, 1000)


def _squeeze(net: Net, x: str, channels: int, narrow: int, act: str, gate: str) -> str:
    """Squeeze and excitation: each channel times a function of the means of all."""
    y = net("ReduceMean", x, axes=[2, 3], keepdims=1)
    y = net.conv(y, channels, narrow)
    y = net.silu(y) if act == "Silu" else net(act, y)
    y = net.conv(y, narrow, channels)
    y = net(gate, y, alpha=1 / 6, beta=0.5) if gate == "HardSigmoid" else net(gate, y)
    return net("Mul", x, y)


def mobilenet_v3(
    net: Net, batch: Extent = 1, size: int = 224, width: float = 1, depth: int = 15
) -> None:
    """MobileNetV3-Large (Howard et al. 2019), its first ``depth`` blocks."""
    rows = (
        "3 16 16 - Relu 1|3 64 24 - Relu 2|3 72 24 - Relu 1|5 72 40 s Relu 2|5 120 40 s Relu 1|"
        "5 120 40 s Relu 1|3 240 80 - HardSwish 2|3 200 80 - HardSwish 1|3 184 80 - HardSwish 1|"
        "3 184 80 - HardSwish 1|3 480 112 s HardSwish 1|3 672 112 s HardSwish 1|"
        "5 672 160 s HardSwish 2|5 960 160 s HardSwish 1|5 960 160 s HardSwish 1"
    )
    (inside,) = scaled((16,), width)
    x = net.conv(net.input("image", batch, 3, size, size), 3, inside, 3, stride=2)
    x = net("HardSwish", x)
    wide = inside
    for row in rows.split("|")[:depth]:
        kernel, expanded, channels, squeezes, act, step = row.split()
        wide, outside = scaled((int(expanded), int(channels)), width)
        stride = int(step)
        y = net(act, net.conv(x, inside, wide)) if wide != inside else x
        y = net(act, net.conv(y, wide, wide, int(kernel), stride=stride, groups=wide))
        if squeezes == "s":
            y = _squeeze(net, y, wide, max(4, wide // 16 * 4), "Relu", "HardSigmoid")
        y = net.conv(y, wide, outside)
        x = net("Add", x, y) if stride == 1 and inside == outside else y
        inside = outside
    last, hidden = scaled((960, 1280), width)
    x = net("HardSwish", net.conv(x, inside, last))
    flat = net("Flatten", net("GlobalAveragePool", x), axis=1)
    hidden_values = net("HardSwish", net.gemm(flat, last, hidden))
    net.output(net.gemm(hidden_values, hidden, 1000), "logits")


def efficientnet(
    net: Net, batch: Extent = 1, size: int = 224, width: float = 1, depth: int = 7
) -> None:
    """EfficientNet-B0 (Tan and Le 2019), its first ``depth`` groups of blocks."""
    groups = ((1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3))
    groups += ((6, 5, 1, 112, 3), (6, 5, 2, 192, 4), (6, 3, 1, 320, 1))
    inside, last = scaled((32, 1280), width)
    x = net.silu(net.conv(net.input("image", batch, 3, size, size), 3, inside, 3, stride=2))
    for factor, kernel, first, channels, count in groups[:depth]:
        (outside,) = scaled((channels,), width)
        for block in range(count):
            stride, wide = first if block == 0 else 1, factor * inside
            y = net.silu(net.conv(x, inside, wide)) if factor > 1 else x
            y = net.silu(net.conv(y, wide, wide, kernel, stride=stride, groups=wide))
            y = _squeeze(net, y, wide, max(1, inside // 4), "Silu", "Sigmoid")
            y = net.conv(y, wide, outside)
            x = net("Add", y, x) if stride == 1 and inside == outside else y
            inside = outside
    _head(net, net.silu(net.conv(x, inside, last)), last, 1000)


def convnext(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    blocks: tuple[int, ...] = (3, 3, 9, 3),
    width: float = 1,
) -> None:
    """ConvNeXt-T (Liu et al. 2022): channels are last for normalizations and dense layers."""

    def normalized(x: str, channels: int) -> str:
        y = net("Transpose", x, perm=[0, 2, 3, 1])
        y = net.layer_norm(y, channels, 1e-6)
        return net("Transpose", y, perm=[0, 3, 1, 2])

    stages = scaled((96, 192, 384, 768), width)
    image = net.input("image", batch, 3, size, size)
    x = net.conv(image, 3, stages[0], 4, stride=4, pads=[0] * 4)
    x, inside = normalized(x, stages[0]), stages[0]
    for channels, count in zip(stages, blocks, strict=True):
        if channels != inside:
            x = normalized(x, inside)
            x = net.conv(x, inside, channels, 2, stride=2, pads=[0] * 4)
        for _ in range(count):
            y = net.conv(x, channels, channels, 7, groups=channels)
            y = net("Transpose", y, perm=[0, 2, 3, 1])
            y = net.linear(net.layer_norm(y, channels, 1e-6), channels, 4 * channels)
            y = net.linear(net.gelu(y), 4 * channels, channels)
            y = net("Transpose", y, perm=[0, 3, 1, 2])
            scale = net.constant(net.rng.random((channels, 1, 1)) / 2)
            x = net("Add", net("Mul", scale, y), x)
        inside = channels
    mean = net("GlobalAveragePool", x)
    flat = net("Flatten", normalized(mean, inside), axis=1)
    net.output(net.gemm(flat, inside, 1000), "logits")
