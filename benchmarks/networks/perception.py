"""Transformers that see and hear: ViT, Swin, and the two halves of a Whisper."""

from __future__ import annotations

import numpy as np

from benchmarks.networks.attention import (
    attention,
    causal,
    extended,
    feed_forward,
    heads,
    joined,
    packed,
)
from benchmarks.networks.net import Array, Extent, Net


def vit(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    patch: int = 16,
    layers: int = 12,
    width: int = 768,
    count: int = 12,
) -> None:
    """ViT (Dosovitskiy et al. 2020): patches of an image with a token in front."""
    tokens = (size // patch) ** 2
    image = net.input("image", batch, 3, size, size)
    x = net("Conv", image, net.weight(width, 3, patch, patch), net.bias(width), strides=[patch] * 2)
    x = net("Transpose", net("Reshape", x, net.integers(0, width, -1)), perm=[0, 2, 1])
    shape = net("Concat", net.shape(x, 0), net.integers(-1), net.integers(-1), axis=0)
    places = net("Equal", shape, net.integers(-1, -1, -1))
    ones = net("ConstantOfShape", net.integers(3), value=_one())
    token = net("Expand", net.weight(1, 1, width, inside=1), net("Where", places, ones, shape))
    x = net("Concat", token, x, axis=1)
    x = net("Add", x, net.weight(1, tokens + 1, width, inside=1))
    for _ in range(layers):
        q, k, v = packed(net, net.layer_norm(x, width, 1e-6), count, width // count)
        y = joined(net, attention(net, q, k, v, width // count), width)
        x = net("Add", x, net.linear(y, width, width))
        x = net("Add", x, feed_forward(net, net.layer_norm(x, width, 1e-6), width))
    first = net("Gather", net.layer_norm(x, width, 1e-6), net.integer(0), axis=1)
    net.output(net.gemm(first, width, 1000), "logits")


def _one() -> object:
    from onnx import numpy_helper

    return numpy_helper.from_array(np.array([1], np.int64))


def _regions(size: int, window: int, shift: int) -> Array:
    """-100 between places of a shifted window that are no neighbours, as [windows, 1, W, W]."""
    sides = np.array([0] * (size - window) + [1] * (window - shift) + [2] * shift)
    kinds = 3 * sides[:, None] + sides
    kinds = kinds.reshape(size // window, window, size // window, window).transpose(0, 2, 1, 3)
    kinds = kinds.reshape(-1, window * window)
    return np.where(kinds[:, None, :] != kinds[:, :, None], -100.0, 0.0)[:, None]


def swin(
    net: Net,
    batch: Extent = 1,
    size: int = 224,
    window: int = 7,
    blocks: tuple[int, ...] = (2, 2, 6, 2),
    width: int = 96,
    head: int = 32,
) -> None:
    """Swin-T (Liu et al. 2021): attention in windows, which every second block shifts."""
    image = net.input("image", batch, 3, size, size)
    x = net("Conv", image, net.weight(width, 3, 4, 4), net.bias(width), strides=[4, 4])
    x = net.layer_norm(net("Transpose", x, perm=[0, 2, 3, 1]), width)
    side = size // 4

    def rolled(y: str, by: int) -> str:
        for axis in (1, 2):
            y = net("Concat", net.slice(y, axis, by), net.slice(y, axis, 0, by), axis=axis)
        return y

    def attended(y: str, channels: int, shift: int) -> str:
        count, n, w = channels // head, side // window, window
        if shift:
            y = rolled(y, shift)
        y = net("Reshape", y, net.integers(-1, n, w, n, w, channels))
        y = net("Transpose", y, perm=[0, 1, 3, 2, 4, 5])
        y = net("Reshape", y, net.integers(-1, w * w, channels))
        q, k, v = packed(net, y, count, head)
        scores = net(
            "MatMul", net("Mul", q, net.scalar(head**-0.5)), net("Transpose", k, perm=[0, 1, 3, 2])
        )
        scores = net("Add", scores, net.weight(1, count, w * w, w * w, inside=1))
        if shift:
            scores = net("Reshape", scores, net.integers(-1, n * n, count, w * w, w * w))
            scores = net("Add", scores, net.constant(_regions(side, w, shift)[None]))
            scores = net("Reshape", scores, net.integers(-1, count, w * w, w * w))
        y = joined(net, net("MatMul", net("Softmax", scores, axis=-1), v), channels)
        y = net.linear(y, channels, channels)
        y = net("Reshape", y, net.integers(-1, n, n, w, w, channels))
        y = net("Transpose", y, perm=[0, 1, 3, 2, 4, 5])
        y = net("Reshape", y, net.integers(-1, side, side, channels))
        return rolled(y, -shift) if shift else y

    channels = width
    for stage, number in enumerate(blocks):
        if stage:
            rows = [net.slice(x, 1, k, step=2) for k in range(2)]
            parts = [net.slice(rows[k], 2, m, step=2) for m in range(2) for k in range(2)]
            x = net.layer_norm(net("Concat", *parts, axis=-1), 4 * channels)
            x = net.linear(x, 4 * channels, 2 * channels, bias=False)
            channels, side = 2 * channels, side // 2
        for block in range(number):
            shift = window // 2 if block % 2 and side > window else 0
            x = net("Add", x, attended(net.layer_norm(x, channels), channels, shift))
            x = net("Add", x, feed_forward(net, net.layer_norm(x, channels), channels))
    mean = net("ReduceMean", net.layer_norm(x, channels), axes=[1, 2], keepdims=0)
    net.output(net.gemm(mean, channels, 1000), "logits")


def whisper_encoder(
    net: Net,
    batch: Extent = 1,
    frames: int = 3000,
    layers: int = 4,
    width: int = 384,
    count: int = 6,
    bands: int = 80,
) -> None:
    """The encoder of Whisper-tiny (Radford et al. 2022): filters along time, then attention."""

    def filtered(x: str, inside: int, stride: int) -> str:
        w = net.weight(width, inside, 3)
        how = {"kernel_shape": [3], "strides": [stride], "pads": [1, 1], "dilations": [1]}
        return net.gelu(net("Conv", x, w, net.bias(width), group=1, **how))

    x = filtered(net.input("mel", batch, bands, frames), bands, 1)
    x = net("Transpose", filtered(x, width, 2), perm=[0, 2, 1])
    x = net("Add", x, net.weight(frames // 2, width, inside=1))
    for _ in range(layers):
        y = net.layer_norm(x, width)
        q, v = (heads(net, net.linear(y, width, width), count, width // count) for _ in range(2))
        k = heads(net, net.linear(y, width, width, False), count, width // count)
        y = joined(net, attention(net, q, k, v, width // count), width)
        x = net("Add", x, net.linear(y, width, width))
        x = net("Add", x, feed_forward(net, net.layer_norm(x, width), width))
    net.output(net.layer_norm(x, width), "states")


def whisper_decoder(
    net: Net,
    batch: Extent = 1,
    length: Extent = 1,
    past: Extent = 31,
    frames: int = 1500,
    layers: int = 4,
    width: int = 384,
    count: int = 6,
    vocabulary: int = 51865,
) -> None:
    """The decoder of Whisper-tiny: a step that looks at its cache and at the encoder's states."""
    ids = net.input("input_ids", batch, length, below=vocabulary)
    places = net.input("position_ids", batch, length, below=448)
    states = net.input("states", batch, frames, width)
    table, size, mask = net.weight(vocabulary, width), width // count, None
    x = net("Gather", table, ids, axis=0)
    x = net("Add", x, net("Gather", net.weight(448, width), places, axis=0))
    for layer in range(layers):
        y = net.layer_norm(x, width)
        q, v = (heads(net, net.linear(y, width, width), count, size) for _ in range(2))
        k = heads(net, net.linear(y, width, width, False), count, size)
        k, v = extended(net, k, v, str(layer), batch, past, count, size)
        mask = mask if mask is not None else causal(net, ids, k)
        y = joined(net, attention(net, q, k, v, size, mask), width)
        x = net("Add", x, net.linear(y, width, width))
        q = heads(net, net.linear(net.layer_norm(x, width), width, width), count, size)
        k = heads(net, net.linear(states, width, width, False), count, size)
        v = heads(net, net.linear(states, width, width), count, size)
        y = joined(net, attention(net, q, k, v, size), width)
        x = net("Add", x, net.linear(y, width, width))
        x = net("Add", x, feed_forward(net, net.layer_norm(x, width), width))
    x = net.layer_norm(x, width)
    net.output(net("MatMul", x, net("Transpose", table, perm=[1, 0])), "logits")
