"""Small language models with caches, as the exporter of transformers writes their architectures.

Each is one layer, whose batch, length, cache and mask have extents that only a call knows, in
nodes of ONNX or in the operators of com.microsoft that onnxruntime's optimizer puts in their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import helper

from benchmarks.networks.attention import extended, heads, joined
from benchmarks.networks.net import Net

WIDTH, HEADS, SIZE, INNER, VOCABULARY, ROOM = 64, 4, 16, 48, 29, 16
MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class Decoder:
    """What architectures differ in."""

    groups: int = HEADS
    norm: str = "rms"
    position: str = "rotary"
    """``rotary``, ``interleaved`` pairs, ``learned`` and added, or ``alibi`` at the scores."""
    turned: int = SIZE
    """How many values of a head are rotated."""
    activation: str = "silu"
    is_gated: bool = True
    has_bias: bool = False
    is_packed: bool = False
    """Whether queries, keys and values, and gates with what they let through, are one product."""
    is_parallel: bool = False
    """Whether attention and feed-forward layers have the same input."""
    window: int = 0
    cap: float = 0
    normal_heads: bool = False
    normal_results: bool = False
    is_fused: bool = False

    def normal(self, net: Net, x: str, width: int = WIDTH) -> str:
        """A normalization of the last axis."""
        if self.norm == "layer":
            return net.layer_norm(x, width)
        if self.is_fused:
            return net("SimplifiedLayerNormalization", x, net.around_one(width), epsilon=1e-6)
        mean = net("ReduceMean", net("Pow", x, net.scalar(2)), axes=[-1], keepdims=1)
        root = net("Sqrt", net("Add", mean, net.scalar(1e-6)))
        return net("Mul", net("Mul", x, net("Reciprocal", root)), net.around_one(width))

    def act(self, net: Net, x: str) -> str:
        """The activation of the feed-forward layer."""
        if self.activation == "silu":
            return net.silu(x)
        if self.activation == "relu":
            return net("Relu", x)
        if self.activation == "gelu":
            return net.gelu(x)
        if self.is_fused:
            return net("FastGelu", x, domain=MICROSOFT)
        cube = net("Mul", net("Pow", x, net.scalar(3)), net.scalar(0.044715))
        inner = net("Tanh", net("Mul", net("Add", x, cube), net.scalar(0.7978845608)))
        half = net("Mul", x, net.scalar(0.5))
        return net("Mul", half, net("Add", inner, net.scalar(1)))

    def feed(self, net: Net, x: str) -> str:
        """The feed-forward layer."""
        if not self.is_gated:
            y = self.act(net, net.linear(x, WIDTH, INNER, self.has_bias))
        elif self.is_packed:
            both = net.linear(x, WIDTH, 2 * INNER, False)
            gate, y = net.several("Split", both, axis=2, count=2)
            y = net("Mul", y, self.act(net, gate))
        else:
            gate = self.act(net, net.linear(x, WIDTH, INNER, False))
            y = net("Mul", gate, net.linear(x, WIDTH, INNER, False))
        return net.linear(y, INNER, WIDTH, self.has_bias)

    def projected(self, net: Net, x: str) -> list[str]:
        """Queries, keys and values, [N, S, heads * size] each."""
        widths = [HEADS * SIZE, self.groups * SIZE, self.groups * SIZE]
        if not self.is_packed:
            return [net.linear(x, WIDTH, w, self.has_bias) for w in widths]
        y = net.linear(x, WIDTH, sum(widths), self.has_bias)
        return net.several("Split", y, net.integers(*widths), axis=2, count=3)

    def rotated(self, net: Net, x: str, angles: tuple[str, str]) -> str:
        """Pairs of values of [N, heads, S, size] turned; those behind them stay."""
        pairs = self.turned // 2
        y = x if self.turned == SIZE else net.slice(x, 3, 0, self.turned)
        if self.position == "interleaved":
            a, c = (net.slice(y, 3, k, step=2) for k in (0, 1))
        else:
            a, c = net.slice(y, 3, 0, pairs), net.slice(y, 3, pairs)
        cos, sin = angles
        low = net("Sub", net("Mul", a, cos), net("Mul", c, sin))
        high = net("Add", net("Mul", c, cos), net("Mul", a, sin))
        if self.position == "interleaved":
            parts = (net("Unsqueeze", v, net.integers(-1)) for v in (low, high))
            flat = net.integers(0, 0, 0, self.turned)
            y = net("Reshape", net("Concat", *parts, axis=-1), flat)
        else:
            y = net("Concat", low, high, axis=-1)
        return y if self.turned == SIZE else net("Concat", y, net.slice(x, 3, self.turned), axis=3)

    def shown(self, net: Net, places: str, keys: str, mask: str) -> str:
        """What is added to scores: the least number where a key is not seen."""
        whole = net("Gather", net("Shape", keys), net.integer(2), axis=0)
        columns = net("Range", net.integer(0), whole, net.integer(1))
        rows = net("Unsqueeze", places, net.integers(1, 3))
        seen = net("LessOrEqual", columns, rows)
        if self.window:
            least = net("Sub", rows, net.integer(self.window))
            seen = net("And", seen, net("Greater", columns, least))
        padding = net("Cast", net("Unsqueeze", mask, net.integers(1, 2)), to=9)
        seen = net("And", seen, padding)
        return net("Where", seen, net.scalar(0), net.scalar(-3.4028234663852886e38))

    def attended(self, net: Net, parts: list[str], places: str, mask: str) -> str:
        """The values that queries find, [N, S, heads * size]."""
        q, k, v = (
            heads(net, x, n, SIZE) for x, n in zip(parts, (HEADS, *[self.groups] * 2), strict=True)
        )
        if self.normal_heads:
            q, k = self.normal(net, q, SIZE), self.normal(net, k, SIZE)
        if self.position in ("rotary", "interleaved"):
            tables = (net.constant(t[:, : self.turned // 2]) for t in angles(self.turned))
            rows = (net("Gather", t, places, axis=0) for t in tables)
            cos, sin = (net("Unsqueeze", t, net.integers(1)) for t in rows)
            q, k = (self.rotated(net, x, (cos, sin)) for x in (q, k))
        k, v = extended(net, k, v, "0", "N", "P", self.groups, SIZE)
        shown = self.shown(net, places, k, mask)
        if self.groups != HEADS:
            k, v = (self.repeated(net, x) for x in (k, v))
        scores = net("MatMul", q, net("Transpose", k, perm=[0, 1, 3, 2]))
        scores = net("Mul", scores, net.scalar(SIZE**-0.5))
        if self.cap:
            scores = net("Tanh", net("Div", scores, net.scalar(self.cap)))
            scores = net("Mul", scores, net.scalar(self.cap))
        if self.position == "alibi":
            slopes = net.constant((2.0 ** -np.arange(1, HEADS + 1)).reshape(HEADS, 1, 1))
            count = net("CumSum", net("Cast", mask, to=1), net.integer(1))
            count = net("Unsqueeze", net("Sub", count, net.scalar(1)), net.integers(1, 2))
            scores = net("Add", scores, net("Mul", slopes, count))
        weights = net("Softmax", net("Add", scores, shown), axis=-1)
        return joined(net, net("MatMul", weights, v), WIDTH)

    def repeated(self, net: Net, x: str) -> str:
        """Heads of keys as often as there are queries for each."""
        times = HEADS // self.groups
        batch, keys = net.shape(x, 0), net.shape(x, 2)
        parts = [batch, net.integers(self.groups), net.integers(times), keys, net.integers(SIZE)]
        x = net("Expand", net("Unsqueeze", x, net.integers(2)), net("Concat", *parts, axis=0))
        return net.reshape(x, batch, HEADS, keys, SIZE)

    def fused(self, net: Net, parts: list[str], mask: str) -> str:
        """The same by GroupQueryAttention, which finds the lengths in the mask."""
        past = [net.input(f"past_0_{n}", "N", self.groups, "P", SIZE) for n in ("key", "value")]
        total = net("ReduceSum", mask, net.integers(1), keepdims=1)
        lengths = net("Cast", net("Sub", total, net.integer(1)), to=6)
        whole = net("Cast", net("Gather", net("Shape", mask), net.integer(1), axis=0), to=6)
        tables = [net.constant(t) for t in angles(self.turned)]
        names = ["attended", "present_0_key", "present_0_value"]
        how: dict[str, Any] = {"num_heads": HEADS, "kv_num_heads": self.groups, "do_rotary": 1}
        if self.window:
            how["local_window_size"] = self.window
        inputs = [*parts, *past, lengths, whole, *tables]
        only = helper.make_node("GroupQueryAttention", inputs, names, domain=MICROSOFT, **how)
        net.nodes.append(only)
        net.outputs += [helper.make_tensor_value_info(n, 1, None) for n in names[1:]]
        return names[0]

    def model(self) -> tuple[Any, Net]:
        """The model, and the net that knows its inputs."""
        net = Net(seed=43)
        ids = net.input("input_ids", "N", "S", below=VOCABULARY)
        mask = net.input("attention_mask", "N", "T", below=2)
        places = net.input("position_ids", "N", "S", below=ROOM)
        x = net("Gather", net.weight(VOCABULARY, WIDTH, inside=1), ids, axis=0)
        if self.position == "learned":
            x = net("Add", x, net("Gather", net.weight(ROOM, WIDTH, inside=4), places, axis=0))
        if self.normal_results:
            x = net("Mul", x, net.scalar(WIDTH**0.5))
        first = self.normal(net, x)
        parts = self.projected(net, first)
        found = (
            self.fused(net, parts, mask)
            if self.is_fused
            else self.attended(net, parts, places, mask)
        )
        y = net.linear(found, WIDTH, WIDTH, self.has_bias)
        y = self.normal(net, y) if self.normal_results else y
        if self.is_parallel:
            x = net("Add", net("Add", x, y), self.feed(net, first))
            last = self.normal(net, x)
        elif self.is_fused:
            scale = net.around_one(WIDTH)
            names = [f"skip_{k}" for k in range(4)]
            how = {"domain": MICROSOFT, "epsilon": 1e-6}
            kind = "SkipSimplifiedLayerNormalization"
            both = helper.make_node(kind, [x, y, scale], [names[0], "", "", names[3]], **how)
            net.nodes.append(both)
            last = self.normal(net, net("Add", names[3], self.feed(net, names[0])))
        else:
            x = net("Add", x, y)
            y = self.feed(net, self.normal(net, x))
            x = net("Add", x, self.normal(net, y) if self.normal_results else y)
            last = self.normal(net, x)
        net.output(net.linear(last, WIDTH, VOCABULARY, False), "logits")
        model = net.model()
        model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
        return model, net


def angles(turned: int) -> tuple[Any, Any]:
    """Cosines and sines of places, [places, pairs]."""
    steps = np.arange(ROOM)[:, None] / 10000 ** (np.arange(0, turned, 2) / turned)
    return np.cos(steps), np.sin(steps)


DECODERS = {
    "llama": Decoder(groups=2),
    "llama, fused": Decoder(groups=2, is_fused=True),
    "mistral": Decoder(groups=2, window=3),
    "mistral, fused": Decoder(groups=2, window=3, is_fused=True),
    "qwen2": Decoder(groups=2, has_bias=True),
    "qwen3": Decoder(groups=2, normal_heads=True),
    "gemma2": Decoder(groups=2, cap=5.0, normal_results=True, activation="gelu_tanh", window=4),
    "phi3": Decoder(is_packed=True),
    "phi": Decoder(norm="layer", turned=8, has_bias=True, is_parallel=True, is_gated=False),
    "gpt_neox": Decoder(norm="layer", turned=4, has_bias=True, is_gated=False, activation="gelu"),
    "gptj": Decoder(norm="layer", position="interleaved", turned=8, is_parallel=True),
    "gpt2": Decoder(
        norm="layer",
        position="learned",
        has_bias=True,
        is_packed=True,
        is_gated=False,
        activation="gelu_tanh",
    ),
    "opt": Decoder(
        norm="layer", position="learned", has_bias=True, is_gated=False, activation="relu"
    ),
    "bloom": Decoder(norm="layer", position="alibi", has_bias=True, is_gated=False),
    "falcon": Decoder(groups=1, norm="layer", is_parallel=True, is_gated=False, activation="gelu"),
}
"""By the names that transformers gives them."""
