"""Attention as exporters write it: dense layers, reshapes to heads, two products, a softmax."""

from __future__ import annotations

from benchmarks.networks.net import Extent, Net


def heads(net: Net, x: str, count: int, size: int) -> str:
    """[N, S, count * size] --> [N, count, S, size]."""
    return net("Transpose", net("Reshape", x, net.integers(0, 0, count, size)), perm=[0, 2, 1, 3])


def joined(net: Net, x: str, width: int) -> str:
    """[N, heads, S, size] --> [N, S, width]."""
    return net("Reshape", net("Transpose", x, perm=[0, 2, 1, 3]), net.integers(0, 0, width))


def attention(net: Net, q: str, k: str, v: str, size: int, mask: str | None = None) -> str:
    """softmax(q k^T / sqrt(size) + mask) v, all of [N, heads, S, size]."""
    scores = net("MatMul", q, net("Transpose", k, perm=[0, 1, 3, 2]))
    scores = net("Div", scores, net.scalar(size**0.5))
    if mask is not None:
        scores = net("Add", scores, mask)
    return net("MatMul", net("Softmax", scores, axis=-1), v)


def packed(net: Net, x: str, count: int, size: int) -> tuple[str, str, str]:
    """Queries, keys and values of one dense layer, which is split at its last axis."""
    width = count * size
    parts = net.several("Split", net.linear(x, width, 3 * width), axis=2, count=3)
    q, k, v = (heads(net, part, count, size) for part in parts)
    return q, k, v


def feed_forward(net: Net, x: str, width: int) -> str:
    """Two dense layers with a gelu between them."""
    return net.linear(net.gelu(net.linear(x, width, 4 * width)), 4 * width, width)


def extended(
    net: Net, k: str, v: str, name: str, batch: Extent, past: Extent, count: int, size: int
) -> tuple[str, str]:
    """Keys and values behind those of the cache, which is an input, and becomes an output."""
    found: list[str] = []
    for kind, new in (("key", k), ("value", v)):
        old = net.input(f"past_{name}_{kind}", batch, count, past, size)
        whole = net("Concat", old, new, axis=2)
        net.output(whole, f"present_{name}_{kind}")
        found.append(whole)
    return found[0], found[1]


def causal(net: Net, tokens: str, keys: str) -> str:
    """Zero where a token may look and the least number elsewhere, as [S, P + S].

    ``tokens`` is any tensor with S tokens along axis 1, ``keys`` one with P + S along axis 2.
    """
    zero, one = net.integer(0), net.integer(1)
    count = net("Gather", net("Shape", tokens), one, axis=0)
    whole = net("Gather", net("Shape", keys), net.integer(2), axis=0)
    columns = net("Range", zero, whole, one)
    rows = net("Range", net("Sub", whole, count), whole, one)
    hidden = net("Greater", columns, net("Unsqueeze", rows, net.integers(1)))
    return net("Where", hidden, net.scalar(-3.4028234663852886e38), net.scalar(0))
