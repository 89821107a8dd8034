"""Modules over images: fully connected, convolutional, and with skip connections."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CONVNEXT_T = (96, 192, 384, 768), (3, 3, 9, 3)
"""Channels and blocks of the stages of ConvNeXt-T."""


def mlp(inside: int, hidden: int, outside: int) -> nn.Module:
    """Three fully connected layers; the input is ``[batch, inside]``."""
    return nn.Sequential(
        nn.Linear(inside, hidden),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(hidden, hidden),
        nn.GELU(),
        nn.Linear(hidden, outside),
        nn.LogSoftmax(-1),
    )


def lenet(divisor: int) -> nn.Module:
    """LeNet-5 (LeCun et al. 1998) for digits of 28 by 28; layers are divided by ``divisor``."""
    wide, last = 120 // divisor, 84 // divisor
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.Tanh(),
        nn.AvgPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.Tanh(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, wide),
        nn.Sigmoid(),
        nn.Linear(wide, last),
        nn.Tanh(),
        nn.Linear(last, 10),
    )


def normalized(
    inside: int, outside: int, kernel: int, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    """A convolution that keeps the size at stride 1, and a batch normalization."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outside),
    )


class BasicBlock(nn.Module):
    """Two convolutions beside a skip connection (He et al. 2015)."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.first = normalized(inside, outside, 3, stride)
        self.second = normalized(outside, outside, 3)
        is_same = stride == 1 and inside == outside
        self.skip = nn.Identity() if is_same else normalized(inside, outside, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, inside, h, w]`` to ``[batch, outside, h / stride, w / stride]``."""
        return F.relu(self.second(F.relu(self.first(x))) + self.skip(x))


class ResNet(nn.Module):
    """ResNet of basic blocks, the width doubled in each stage."""

    def __init__(self, width: int, blocks: tuple[int, ...]) -> None:
        super().__init__()
        self.stem = nn.Sequential(normalized(3, width, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1))
        stages: list[nn.Module] = []
        inside = width
        for stage, count in enumerate(blocks):
            outside = width << stage
            for number in range(count):
                stages.append(BasicBlock(inside, outside, 2 if number == 0 and stage else 1))
                inside = outside
        self.stages = nn.Sequential(*stages)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(inside, 1000 if width > 8 else 10)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, 3, h, w]`` to scores of classes."""
        x = self.pool(self.stages(self.stem(x)))
        return self.head(torch.flatten(x, 1))


class SqueezeExcite(nn.Module):
    """Each channel times a function of the means of all (Hu et al. 2017)."""

    def __init__(self, channels: int, narrow: int) -> None:
        super().__init__()
        self.squeeze, self.excite = nn.Conv2d(channels, narrow, 1), nn.Conv2d(narrow, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """The shape stays."""
        means = F.adaptive_avg_pool2d(x, 1)
        return x * torch.sigmoid(self.excite(F.silu(self.squeeze(means))))


class InvertedResidual(nn.Module):
    """A depthwise convolution between two pointwise ones (Sandler et al. 2018)."""

    def __init__(
        self, inside: int, outside: int, factor: int, kernel: int, stride: int, squeezes: bool
    ) -> None:
        super().__init__()
        act, wide = nn.SiLU if squeezes else nn.ReLU6, factor * inside
        layers: list[nn.Module] = [normalized(inside, wide, 1), act()] if factor > 1 else []
        layers += [normalized(wide, wide, kernel, stride, wide), act()]
        if squeezes:
            layers.append(SqueezeExcite(wide, max(1, inside // 4)))
        self.layers = nn.Sequential(*layers, normalized(wide, outside, 1))
        self.adds = stride == 1 and inside == outside

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, inside, h, w]`` to ``[batch, outside, h / stride, w / stride]``."""
        y = self.layers(x)
        return x + y if self.adds else y


def inverted(
    first: int, groups: tuple[tuple[int, int, int, int, int], ...], last: int, squeezes: bool
) -> nn.Module:
    """A network of inverted residuals; a group is factor, kernel, channels, count and stride."""
    act = nn.SiLU if squeezes else nn.ReLU6
    layers: list[nn.Module] = [normalized(3, first, 3, 2), act()]
    inside = first
    for factor, kernel, outside, count, stride in groups:
        for number in range(count):
            step = stride if number == 0 else 1
            layers.append(InvertedResidual(inside, outside, factor, kernel, step, squeezes))
            inside = outside
    layers += [normalized(inside, last, 1), act(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Dropout(0.2), nn.Linear(last, 1000 if last > 100 else 10))


def mobilenet(small: bool) -> nn.Module:
    """MobileNetV2; the small one has two blocks."""
    if small:
        return inverted(8, ((1, 3, 8, 1, 1), (4, 3, 12, 1, 2)), 16, False)
    groups = ((1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 3, 32, 3, 2), (6, 3, 64, 4, 2))
    return inverted(
        32, (*groups, (6, 3, 96, 3, 1), (6, 3, 160, 3, 2), (6, 3, 320, 1, 1)), 1280, False
    )


def efficientnet(small: bool) -> nn.Module:
    """EfficientNet-B0; the small one has two blocks."""
    if small:
        return inverted(8, ((1, 3, 8, 1, 1), (4, 5, 12, 1, 2)), 16, True)
    groups = ((1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 5, 40, 2, 2), (6, 3, 80, 3, 2))
    return inverted(
        32, (*groups, (6, 5, 112, 3, 1), (6, 5, 192, 4, 2), (6, 3, 320, 1, 1)), 1280, True
    )


class ConvNeXtBlock(nn.Module):
    """A depthwise convolution, and two dense layers over channels (Liu et al. 2022)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        self.wide, self.narrow = (
            nn.Linear(channels, 4 * channels),
            nn.Linear(4 * channels, channels),
        )
        self.scale = nn.Parameter(torch.full((channels,), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        """The shape, ``[batch, channels, h, w]``, stays."""
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        y = self.scale * self.narrow(F.gelu(self.wide(y)))
        return x + y.permute(0, 3, 1, 2)


def convnext(channels: tuple[int, ...], blocks: tuple[int, ...]) -> nn.Module:
    """ConvNeXt: a group normalization of one group stands before each reduction of the size."""
    layers: list[nn.Module] = [nn.Conv2d(3, channels[0], 4, 4)]
    inside = channels[0]
    for outside, count in zip(channels, blocks, strict=True):
        if outside != inside:
            layers += [nn.GroupNorm(1, inside), nn.Conv2d(inside, outside, 2, 2)]
        layers += [ConvNeXtBlock(outside) for _ in range(count)]
        inside = outside
    head = nn.Linear(inside, 1000 if inside > 100 else 10)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(inside), head)


def twice(inside: int, outside: int) -> nn.Sequential:
    """Two convolutions with normalizations."""
    first, second = normalized(inside, outside, 3), normalized(outside, outside, 3)
    return nn.Sequential(first, nn.ReLU(), second, nn.LeakyReLU(0.1))


class UNet(nn.Module):
    """A U-Net (Ronneberger et al. 2015) of three levels.

    One step up is a transposed convolution, the other an interpolation.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.down0, self.down1 = twice(3, width), twice(width, 2 * width)
        self.bottom = twice(2 * width, 4 * width)
        self.up1 = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.after1 = twice(4 * width, 2 * width)
        self.up0 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.after0 = twice(3 * width, width)
        self.head = nn.Conv2d(width, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, 3, h, w]`` to probabilities ``[batch, 2, h, w]``; 4 divides h and w."""
        high = self.down0(x)
        middle = self.down1(F.max_pool2d(high, 2))
        low = self.bottom(F.max_pool2d(middle, 2))
        middle = self.after1(torch.cat([self.up1(low), middle], 1))
        high = self.after0(torch.cat([self.up0(middle), high], 1))
        return torch.softmax(self.head(high), 1)
