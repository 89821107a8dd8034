"""Networks that read and write tokens, from their published layers."""

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
from benchmarks.networks.net import Extent, Net


def bert(
    net: Net,
    batch: Extent = 1,
    length: Extent = 128,
    layers: int = 12,
    width: int = 768,
    count: int = 12,
    vocabulary: int = 30522,
) -> None:
    """BERT (Devlin et al. 2018) with its mask, up to the states of the last layer and the pooler.

    Shapes are computed as TorchScript's exporter writes them.
    """
    ids = net.input("input_ids", batch, length, below=vocabulary)
    mask = net.input("attention_mask", batch, length, below=2)
    types = net.input("token_type_ids", batch, length, below=2)
    hidden = net("Unsqueeze", mask, net.integers(1, 2))
    hidden = net("Sub", net.scalar(1), net("Cast", hidden, to=1))
    hidden = net("Mul", hidden, net.scalar(-1e4))
    positions = net.constant(np.arange(512)[None], "int64")
    end = net.shape(ids, 1)
    positions = net("Slice", positions, net.integers(0), end, net.integers(1), net.integers(1))
    words = net("Gather", net.weight(vocabulary, width, inside=1), ids, axis=0)
    x = net("Add", words, net("Gather", net.weight(2, width, inside=1), types, axis=0))
    x = net("Add", x, net("Gather", net.weight(512, width, inside=1), positions, axis=0))
    x = net.layer_norm(x, width, 1e-12)
    size = width // count

    def split(y: str) -> str:
        shape = (net.shape(y, 0), net.shape(y, 1), count, size)
        return net("Transpose", net.reshape(y, *shape), perm=[0, 2, 1, 3])

    for _ in range(layers):
        q, k, v = (split(net.linear(x, width, width)) for _ in range(3))
        y = net("Transpose", attention(net, q, k, v, size, hidden), perm=[0, 2, 1, 3])
        y = net.reshape(y, net.shape(y, 0), net.shape(y, 1), width)
        x = net.layer_norm(net("Add", net.linear(y, width, width), x), width, 1e-12)
        x = net.layer_norm(net("Add", feed_forward(net, x, width), x), width, 1e-12)
    net.output(x, "last_hidden_state")
    first = net("Gather", x, net.integer(0), axis=1)
    net.output(net("Tanh", net.gemm(first, width, width)), "pooler_output")


def gpt2(
    net: Net,
    batch: Extent = 1,
    length: Extent = 1,
    past: Extent = 63,
    layers: int = 12,
    width: int = 768,
    count: int = 12,
    vocabulary: int = 50257,
) -> None:
    """GPT-2 (Radford et al. 2019), one step with the keys and values of the tokens before."""
    ids = net.input("input_ids", batch, length, below=vocabulary)
    places = net.input("position_ids", batch, length, below=1024)
    table = net.weight(vocabulary, width, inside=width)
    x = net("Gather", table, ids, axis=0)
    x = net("Add", x, net("Gather", net.weight(1024, width, inside=width), places, axis=0))
    size, mask = width // count, None
    for layer in range(layers):
        q, k, v = packed(net, net.layer_norm(x, width), count, size)
        k, v = extended(net, k, v, str(layer), batch, past, count, size)
        mask = mask if mask is not None else causal(net, ids, k)
        y = joined(net, attention(net, q, k, v, size, mask), width)
        x = net("Add", net.linear(y, width, width), x)
        y = net.linear(net.layer_norm(x, width), width, 4 * width)
        x = net("Add", x, net.linear(_gelu_new(net, y), 4 * width, width))
    x = net.layer_norm(x, width)
    net.output(net("MatMul", x, net("Transpose", table, perm=[1, 0])), "logits")


def _gelu_new(net: Net, x: str) -> str:
    """The gelu of GPT-2, by tanh."""
    cube = net("Mul", net("Pow", x, net.scalar(3)), net.scalar(0.044715))
    inner = net("Mul", net("Add", x, cube), net.scalar((2 / np.pi) ** 0.5))
    y = net("Add", net("Tanh", inner), net.scalar(1))
    return net("Mul", net("Mul", x, net.scalar(0.5)), y)


def llama(
    net: Net,
    batch: Extent = 1,
    length: Extent = 1,
    past: Extent = 63,
    layers: int = 16,
    width: int = 1024,
    count: int = 16,
    groups: int = 4,
    inner: int = 2816,
    vocabulary: int = 32000,
) -> None:
    """A decoder as Llama (Touvron et al. 2023): rotated positions, queries that share keys."""
    ids = net.input("input_ids", batch, length, below=vocabulary)
    places = net.input("position_ids", batch, length, below=2048)
    size, shared = width // count, count // groups
    x = net("Gather", net.weight(vocabulary, width, inside=1), ids, axis=0)
    frequencies = 1 / 10000 ** (np.arange(0, size, 2) / size)
    angles = net("Cast", net("Unsqueeze", places, net.integers(2)), to=1)
    angles = net("MatMul", angles, net.constant(frequencies[None]))
    angles = net("Unsqueeze", net("Concat", angles, angles, axis=-1), net.integers(1))
    cos, sin = net("Cos", angles), net("Sin", angles)

    def normal(y: str) -> str:
        mean = net("ReduceMean", net("Pow", y, net.scalar(2)), axes=[-1], keepdims=1)
        root = net("Sqrt", net("Add", mean, net.scalar(1e-5)))
        return net("Mul", net.around_one(width), net("Mul", y, net("Reciprocal", root)))

    def rotated(y: str) -> str:
        low, high = net.slice(y, 3, 0, size // 2), net.slice(y, 3, size // 2)
        turned = net("Concat", net("Neg", high), low, axis=-1)
        return net("Add", net("Mul", y, cos), net("Mul", turned, sin))

    def repeated(y: str) -> str:
        y = net("Unsqueeze", y, net.integers(2))
        one = (net.integers(1), net.integers(1), net.integers(shared), net.integers(1))
        shape = net("Concat", *one, net.integers(1), axis=0)
        y = net("Expand", y, shape)
        return net("Reshape", y, net.integers(0, count, -1, size))

    mask = None
    for layer in range(layers):
        y = normal(x)
        q = heads(net, net.linear(y, width, width, False), count, size)
        k, v = (
            heads(net, net.linear(y, width, groups * size, False), groups, size) for _ in range(2)
        )
        q, k = rotated(q), rotated(k)
        k, v = extended(net, k, v, str(layer), batch, past, groups, size)
        mask = mask if mask is not None else causal(net, ids, k)
        y = attention(net, q, repeated(k), repeated(v), size, mask)
        x = net("Add", x, net.linear(joined(net, y, width), width, width, False))
        y = normal(x)
        gate = net.silu(net.linear(y, width, inner, False))
        y = net("Mul", gate, net.linear(y, width, inner, False))
        x = net("Add", x, net.linear(y, inner, width, False))
    net.output(net.linear(normal(x), width, vocabulary, False), "logits")


def tagger(
    net: Net,
    batch: Extent = 1,
    length: Extent = 64,
    layers: int = 2,
    width: int = 256,
    vocabulary: int = 20000,
    tags: int = 32,
) -> None:
    """A tagger of words: LSTMs in both directions, and scores of the tags of each word."""
    ids = net.input("words", batch, length, below=vocabulary)
    x = net("Gather", net.weight(vocabulary, width, inside=1), ids, axis=0)
    x = net("Transpose", x, perm=[1, 0, 2])
    for layer in range(layers):
        inside = width if layer == 0 else 2 * width
        w = net.weight(2, 4 * width, inside, inside=inside)
        r = net.weight(2, 4 * width, width, inside=width)
        b = net.constant(net.rng.standard_normal((2, 8 * width)) / 10)
        how = {"direction": "bidirectional", "hidden_size": width}
        y = net("LSTM", x, w, r, b, **how)
        y = net("Transpose", y, perm=[0, 2, 1, 3])
        x = net("Reshape", y, net.integers(0, 0, -1))
    scores = net.linear(net("Transpose", x, perm=[1, 0, 2]), 2 * width, tags)
    net.output(net("LogSoftmax", scores, axis=-1), "scores")
