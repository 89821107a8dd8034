"""Convolutional networks whose results are about places in an image: U-Net and a detector."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from benchmarks.networks.net import Extent, Net, scaled


def unet(net: Net, batch: Extent = 1, size: int = 256, width: float = 1, levels: int = 4) -> None:
    """U-Net (Ronneberger et al. 2015) with padding, batch normalizations and transposed filters."""

    def double(x: str, inside: int, outside: int) -> str:
        for channels in (inside, outside):
            y = net.conv(x, channels, outside, 3, bias=False)
            x = net("Relu", net.batch_norm(y, outside))
        return x

    channels = scaled((64, 128, 256, 512, 1024), width)[: levels + 1]
    x = double(net.input("image", batch, 3, size, size), 3, channels[0])
    skipped: list[str] = []
    for inside, outside in itertools.pairwise(channels):
        skipped.append(x)
        x = net("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4)
        x = double(x, inside, outside)
    for inside, outside in zip(channels[:0:-1], channels[-2::-1], strict=True):
        w = net.weight(inside, outside, 2, 2, inside=inside)
        up = net("ConvTranspose", x, w, net.bias(outside), kernel_shape=[2, 2], strides=[2, 2])
        x = double(net("Concat", skipped.pop(), up, axis=1), 2 * outside, outside)
    net.output(net.conv(x, channels[0], 21), "classes")


def yolo(
    net: Net,
    batch: Extent = 1,
    size: int = 640,
    width: float = 0.25,
    depth: int = 1,
    suppresses: bool = False,
) -> None:
    """A detector as YOLOv8-n (Ultralytics 2023), up to the boxes and scores of all places.

    If it ``suppresses``, up to the boxes that do not overlap better ones of their class.
    """

    def conv(x: str, inside: int, outside: int, kernel: int = 1, stride: int = 1) -> str:
        return net.silu(net.conv(x, inside, outside, kernel, stride=stride))

    def csp(x: str, inside: int, outside: int, count: int, adds: bool) -> str:
        half = outside // 2
        first, y = net.several("Split", conv(x, inside, outside), axis=1, count=2)
        parts = [first, y]
        for _ in range(count):
            inner = conv(conv(y, half, half, 3), half, half, 3)
            y = net("Add", y, inner) if adds else inner
            parts.append(y)
        return conv(net("Concat", *parts, axis=1), (2 + count) * half, outside)

    def doubled(x: str) -> str:
        scales = net.constant([1, 1, 2, 2])
        how = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return net("Resize", x, "", scales, mode="nearest", **how)

    c = scaled((64, 128, 256, 512, 1024), width, 8)
    x = conv(net.input("image", batch, 3, size, size), 3, c[0], 3, 2)
    levels: list[str] = []
    for k, count in enumerate((depth, 2 * depth, 2 * depth, depth)):
        x = csp(conv(x, c[k], c[k + 1], 3, 2), c[k + 1], c[k + 1], count, True)
        levels.append(x)
    half = c[4] // 2
    pools = [conv(x, c[4], half)]
    for _ in range(3):
        pools.append(net("MaxPool", pools[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
    deep = conv(net("Concat", *pools, axis=1), 4 * half, c[4])
    middle = net("Concat", doubled(deep), levels[2], axis=1)
    middle = csp(middle, c[4] + c[3], c[3], depth, False)
    fine = net("Concat", doubled(middle), levels[1], axis=1)
    fine = csp(fine, c[3] + c[2], c[2], depth, False)
    down = net("Concat", conv(fine, c[2], c[2], 3, 2), middle, axis=1)
    middle = csp(down, c[2] + c[3], c[3], depth, False)
    down = net("Concat", conv(middle, c[3], c[3], 3, 2), deep, axis=1)
    deep = csp(down, c[3] + c[4], c[4], depth, False)
    _heads(net, conv, [fine, middle, deep], c[2:], size, suppresses)


def _heads(
    net: Net,
    conv: Callable[..., str],
    features: list[str],
    channels: list[int],
    size: int,
    suppresses: bool,
) -> None:
    """Boxes from the expectation over 16 distances to each side, and scores of 80 classes."""
    classes, steps, places = 80, 16, []
    count, centres, strides = 0, [], []
    for k, (x, inside) in enumerate(zip(features, channels, strict=True)):
        stride = 8 << k
        boxes = net.conv(conv(conv(x, inside, 64, 3), 64, 64, 3), 64, 4 * steps)
        scores = net.conv(conv(conv(x, inside, classes, 3), classes, classes, 3), classes, classes)
        both = net("Concat", boxes, scores, axis=1)
        extent = size // stride
        places.append(net("Reshape", both, net.integers(0, classes + 4 * steps, -1)))
        count += extent * extent
        centres.append((extent, stride))
        strides += [stride] * (extent * extent)
    grid = np.concatenate(
        [np.indices((e, e))[::-1].reshape(2, -1) + 0.5 for e, _ in centres], axis=1
    )
    x = net("Concat", *places, axis=2)
    boxes, scores = net.several("Split", x, net.integers(4 * steps, classes), axis=1, count=2)
    boxes = net("Reshape", boxes, net.integers(0, 4, steps, count))
    boxes = net("Softmax", net("Transpose", boxes, perm=[0, 2, 1, 3]), axis=1)
    w = net.constant(np.arange(steps).reshape(1, steps, 1, 1))
    boxes = net("Reshape", net("Conv", boxes, w), net.integers(0, 4, count))
    first, last = net.several("Split", boxes, axis=1, count=2)
    low = net("Sub", net.constant(grid[None]), first)
    high = net("Add", net.constant(grid[None]), last)
    if suppresses:
        corners = net(
            "Mul", net("Concat", low, high, axis=1), net.constant(np.array(strides)[None])
        )
        # Weights that are drawn say about the same of all places, those that are trained do not.
        likely = net("Mul", net("Sub", scores, net.scalar(0.2)), net.scalar(40))
        likely = net("Sigmoid", likely)
        _suppressed(net, net("Transpose", corners, perm=[0, 2, 1]), likely)
        return
    middle = net("Div", net("Add", low, high), net.scalar(2))
    boxes = net("Concat", middle, net("Sub", high, low), axis=1)
    boxes = net("Mul", boxes, net.constant(np.array(strides)[None]))
    net.output(net("Concat", boxes, net("Sigmoid", scores), axis=1), "boxes")


def _suppressed(net: Net, corners: str, scores: str) -> None:
    """What stays: boxes, their scores, and their images and classes."""
    limits = net.integers(100), net.constant([0.45]), net.constant([0.25])
    chosen = net("NonMaxSuppression", corners, scores, *limits)
    boxes = net("GatherND", corners, net("Gather", chosen, net.integers(0, 2), axis=1))
    net.output(boxes, "boxes")
    net.output(net("GatherND", scores, chosen), "scores")
    net.output(net("Gather", chosen, net.integers(0, 1), axis=1), "labels", "i64")
