"""Small forms of networks that people deploy, whole, against the reference of ONNX.

Each is built as exporters write it: a convolutional network with residual blocks, one with
depthwise filters, one that concatenates, a transformer on patches of an image, one on words, and
one that looks up what users and items are.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
import opc  # noqa: E402
from tests.unit.common.onnx_models import info, model, node  # noqa: E402

pytestmark = [pytest.mark.level("-O1"), pytest.mark.sample(4)]


class Net:
    """Nodes and weights under construction; ``x`` is the input."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(node(operator, " ".join(inputs), name, **attributes))
        return name

    def constant(self, array: Any, type: str = "float32") -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(onnx.numpy_helper.from_array(np.asarray(array, type), name))
        return name

    def weight(self, *shape: int) -> str:
        scale = (2 / max(1, np.prod(shape[1:]))) ** 0.5
        return self.constant(self.rng.standard_normal(shape) * scale)

    def conv(
        self, x: str, inside: int, outside: int, size: int, stride: int = 1, **how: Any
    ) -> str:
        shape = (outside, inside // how.get("group", 1), size, size)
        pads = [size // 2] * 4
        inputs = x, self.weight(*shape), self.weight(outside)
        return self.add("Conv", *inputs, strides=[stride] * 2, pads=pads, **how)

    def relu(self, x: str) -> str:
        return self.add("Relu", x)

    def head(self, x: str, channels: int) -> str:
        flat = self.add("Flatten", self.add("GlobalAveragePool", x))
        return self.add("Gemm", flat, self.weight(10, channels), self.weight(10), transB=1)

    def check(self, shape: tuple[Any, ...], *arrays: Any, ulps: int = 4096) -> None:
        self.check_all([info("x", shape=shape)], *([x] for x in arrays), ulps=ulps)

    def check_all(self, inputs: list[Any], *runs: list[Any], ulps: int = 4096) -> None:
        """Compare for several inputs, each time all of them."""
        from onnx.reference import ReferenceEvaluator

        made = model(self.nodes, inputs, 17, initializers=self.weights)
        compiled, reference = opc.compile(made), ReferenceEvaluator(made)
        for arrays in runs:
            named = {spec.name: x for spec, x in zip(inputs, arrays, strict=True)}
            (expected,) = reference.run(None, named)
            error = np.abs(compiled(*arrays) - expected).max()
            assert error <= ulps * np.spacing(np.abs(expected).max()), f"{arrays[0].shape}: {error}"

    def integers(self, *values: int) -> str:
        return self.constant(values, "int64")

    def linear(self, x: str, inside: int, outside: int) -> str:
        product = self.add("MatMul", x, self.weight(inside, outside))
        return self.add("Add", product, self.weight(outside))

    def normal(self, x: str, width: int) -> str:
        scale, bias = self.weight(width), self.weight(width)
        return self.add("LayerNormalization", x, scale, bias, axis=-1)


def image(*shape: int) -> Any:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def residual(net: Net, x: str, inside: int, outside: int, stride: int) -> str:
    y = net.relu(net.conv(x, inside, outside, 3, stride))
    y = net.conv(y, outside, outside, 3)
    if stride != 1 or inside != outside:
        x = net.conv(x, inside, outside, 1, stride)
    return net.relu(net.add("Add", y, x))


@pytest.mark.parametrize("batch", [1, "N"])
def test_residual_blocks(batch: Any) -> None:
    """As ResNet-18, with fewer channels."""
    net = Net()
    x = net.relu(net.conv("x", 3, 16, 7, 2))
    x = net.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for inside, outside, stride in ((16, 16, 1), (16, 24, 2), (24, 40, 2)):
        x = residual(net, x, inside, outside, stride)
    net.head(x, 40)
    arrays = [image(1, 3, 33, 33)] if batch == 1 else [image(n, 3, 33, 33) for n in (1, 3)]
    net.check((batch, 3, 33, 33), *arrays)


def test_depthwise_filters() -> None:
    """As MobileNetV2."""
    net = Net()

    def relu6(x: str) -> str:
        return net.add("Clip", x, net.constant(0), net.constant(6))

    x, channels = relu6(net.conv("x", 3, 8, 3, 2)), 8
    for outside, stride in ((8, 1), (12, 2), (12, 1), (20, 2)):
        wide = 6 * channels
        y = relu6(net.conv(x, channels, wide, 1))
        y = relu6(net.conv(y, wide, wide, 3, stride, group=wide))
        y = net.conv(y, wide, outside, 1)
        x = net.add("Add", x, y) if stride == 1 and channels == outside else y
        channels = outside
    net.head(x, channels)
    net.check((1, 3, 32, 32), image(1, 3, 32, 32))


def test_concatenated_branches() -> None:
    """As SqueezeNet: two branches after a narrow layer, pooled with ceil_mode, averaged."""
    net = Net()
    x = net.relu(net.conv("x", 3, 16, 3, 2))
    for inside, narrow, outside in ((16, 4, 12), (24, 6, 16)):
        x = net.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
        y = net.relu(net.conv(x, inside, narrow, 1))
        branches = [net.relu(net.conv(y, narrow, outside, size)) for size in (1, 3)]
        x = net.add("Concat", *branches, axis=1)
    x = net.add("AveragePool", x, kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=0)
    net.head(x, 32)
    net.check((1, 3, 30, 30), image(1, 3, 30, 30))


def test_transformer_on_patches() -> None:
    """As ViT: patches, a token in front, attention and a gelu of primitives, the first token."""
    net, width, heads, tokens = Net(), 48, 3, 17
    integers, linear = net.integers, net.linear

    def normal(x: str) -> str:
        return net.normal(x, width)

    x = net.add("Conv", "x", net.weight(width, 3, 8, 8), net.weight(width), strides=[8, 8])
    x = net.add("Reshape", x, integers(1, width, tokens - 1))
    x = net.add("Transpose", x, perm=[0, 2, 1])
    x = net.add("Concat", net.weight(1, 1, width), x, axis=1)
    x = net.add("Add", x, net.weight(1, tokens, width))
    for _ in range(2):
        y = linear(normal(x), width, 3 * width)
        y = net.add("Reshape", y, integers(1, tokens, 3, heads, width // heads))
        y = net.add("Transpose", y, perm=[2, 0, 3, 1, 4])
        parts = [net.add("Slice", y, integers(k), integers(k + 1), integers(0)) for k in range(3)]
        q, k, v = (net.add("Squeeze", part, integers(0)) for part in parts)
        q = net.add("Mul", q, net.constant(0.25))
        scores = net.add("MatMul", q, net.add("Transpose", k, perm=[0, 1, 3, 2]))
        mixed = net.add("MatMul", net.add("Softmax", scores, axis=-1), v)
        mixed = net.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = net.add("Reshape", mixed, integers(1, tokens, width))
        x = net.add("Add", x, linear(mixed, width, width))
        y = linear(normal(x), width, 4 * width)
        e = net.add("Erf", net.add("Mul", y, net.constant(0.5**0.5)))
        y = net.add("Mul", y, net.add("Add", e, net.constant(1)))
        x = net.add("Add", x, linear(y, 4 * width, width))
    first = net.add("Gather", normal(x), net.constant(0, "int64"), axis=1)
    net.add("Gemm", first, net.weight(10, width), net.weight(10), transB=1)
    net.check((1, 3, 32, 32), image(1, 3, 32, 32))


class Quantized(Net):
    """A network whose weights are of 8 bits, and whose values are rounded to 8 between layers."""

    def __init__(self, powers: bool, seed: int = 0) -> None:
        super().__init__(seed)
        self.powers = powers

    def scale(self, *shape: int) -> Any:
        """Scales: powers of two, so that sums are exact in any order, or any numbers."""
        powers = 2.0 ** self.rng.integers(-8, -5, shape)
        return powers if self.powers else powers * (1 + self.rng.random(shape))

    def values(self, x: str, zero: int = 0) -> str:
        """x through 8 bits and back."""
        given = self.constant(0.0625 if self.powers else 0.055), self.constant(zero, "uint8")
        return self.add("DequantizeLinear", self.add("QuantizeLinear", x, *given), *given)

    def small(self, *shape: int) -> str:
        """Weights of 8 bits with a scale for each filter."""
        own = self.constant(self.scale(shape[0])), self.constant(np.zeros(shape[0]), "int8")
        weights = self.constant(self.rng.integers(-127, 128, shape), "int8")
        return self.add("DequantizeLinear", weights, *own, axis=0)

    def layer(self, x: str, inside: int, outside: int, size: int, stride: int = 1) -> str:
        bias = self.constant(self.rng.integers(-999, 999, outside), "int32")
        own = self.constant(self.scale(outside))
        biases = self.add("DequantizeLinear", bias, own, axis=0)
        weights = self.small(outside, inside, size, size)
        how = {"strides": [stride] * 2, "pads": [size // 2] * 4}
        return self.add("Conv", x, weights, biases, **how)


@pytest.mark.parametrize("batch", [1, "N"])
@pytest.mark.parametrize("powers", [True, False])
def test_quantized_residual_blocks(powers: bool, batch: Any) -> None:
    """As a ResNet that a tool has quantized: (De)QuantizeLinear around every layer."""
    from onnx.reference import ReferenceEvaluator

    net = Quantized(powers)
    x = net.values(net.relu(net.layer(net.values("x", 128), 3, 8, 7, 2)))
    x = net.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for inside, outside, stride in ((8, 8, 1), (8, 12, 2)):
        y = net.values(net.relu(net.layer(x, inside, outside, 3, stride)))
        y = net.values(net.layer(y, outside, outside, 3), 120)
        if stride != 1 or inside != outside:
            x = net.values(net.layer(x, inside, outside, 1, stride), 131)
        x = net.values(net.relu(net.add("Add", y, x)))
    x = net.values(net.add("Flatten", net.add("GlobalAveragePool", x)))
    scores = net.add("Gemm", x, net.small(10, 12), transB=1)
    net.values(scores, 128)
    made = model(net.nodes, [info("x", shape=(batch, 3, 33, 33))], 19, initializers=net.weights)
    compiled, reference = opc.compile(made), ReferenceEvaluator(made)
    for n in [1] if batch == 1 else [1, 3]:
        x = image(n, 3, 33, 33)
        (expected,) = reference.run(None, {"x": x})
        found = compiled(x)
        assert len(np.unique(expected)) > 4
        if powers:
            assert np.array_equal(found, expected)
        else:
            # What is summed in another order may be on the other side of a half.
            assert np.abs(found - expected).max() <= 2 * 0.055


def words(rng: Any, batch: int, length: int, count: int) -> list[Any]:
    """Tokens, their kinds, and which of them are there: the last ones of the last text are not."""
    tokens, kinds = (rng.integers(0, n, (batch, length)) for n in (count, 2))
    mask = np.ones((batch, length), np.int64)
    mask[-1, length // 2 :] = 0
    return [tokens, kinds, mask]


@pytest.mark.parametrize("extents", [(2, 9), ("B", "S")], ids=["known", "unknown"])
def test_transformer_on_words(extents: tuple[Any, Any]) -> None:
    """As BERT: three embeddings, a mask for each text, attention, the first token."""
    net, count, width, heads = Net(), 97, 32, 4
    integers = net.integers

    def embedding(rows: int, places: str) -> str:
        return net.add("Gather", net.weight(rows, width), places)

    length = net.add("Slice", net.add("Shape", "x"), integers(1), integers(2))
    every = net.add("Slice", net.constant([range(64)], "int64"), integers(0), length, integers(1))
    x = net.add("Add", embedding(count, "x"), embedding(2, "kinds"))
    x = net.normal(net.add("Add", x, embedding(64, every)), width)
    mask = net.add("Cast", net.add("Unsqueeze", "mask", integers(1, 2)), to=1)
    mask = net.add("Mul", net.add("Sub", net.constant(1), mask), net.constant(-10000))
    split, merged = integers(0, 0, heads, width // heads), integers(0, 0, width)
    for _ in range(2):
        q, k, v = (
            net.add("Transpose", net.add("Reshape", net.linear(x, width, width), split), perm=order)
            for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        )
        scores = net.add("Div", net.add("MatMul", q, k), net.constant((width // heads) ** 0.5))
        scores = net.add("Softmax", net.add("Add", scores, mask), axis=-1)
        y = net.add("Transpose", net.add("MatMul", scores, v), perm=[0, 2, 1, 3])
        y = net.linear(net.add("Reshape", y, merged), width, width)
        x = net.normal(net.add("Add", x, y), width)
        y = net.linear(x, width, 4 * width)
        e = net.add("Erf", net.add("Div", y, net.constant(2**0.5)))
        y = net.add("Mul", net.add("Mul", y, net.add("Add", e, net.constant(1))), net.constant(0.5))
        x = net.normal(net.add("Add", x, net.linear(y, 4 * width, width)), width)
    first = net.add("Gather", x, net.constant(0, "int64"), axis=1)
    net.add("Tanh", net.linear(first, width, width))
    rng = np.random.default_rng(4)
    sizes = [(2, 9)] if extents == (2, 9) else [(2, 9), (1, 33), (3, 1)]
    inputs = [info(name, "i64", extents) for name in ("x", "kinds", "mask")]
    net.check_all(inputs, *(words(rng, *size, count) for size in sizes))


@pytest.mark.parametrize("batch", [5, "N"])
def test_embeddings_of_users_and_items(batch: Any) -> None:
    """As DLRM: a table for each kind, products of all pairs, and two networks of layers."""
    net, width, tables = Net(), 8, (50, 7, 300)

    def layers(x: str, *widths: int) -> str:
        for inside, outside in itertools.pairwise(widths):
            x = net.relu(net.linear(x, inside, outside))
        return x

    dense = layers("x", 6, 16, width)
    found = [dense]
    for k, rows in enumerate(tables):
        column = net.add("Gather", "ids", net.constant(k, "int64"), axis=1)
        found.append(net.add("Gather", net.weight(rows, width), column))
    ones = net.integers(1)
    stacked = net.add("Concat", *(net.add("Unsqueeze", v, ones) for v in found), axis=1)
    pairs = net.add("MatMul", stacked, net.add("Transpose", stacked, perm=[0, 2, 1]))
    flat = net.add("Reshape", pairs, net.integers(-1, 16))
    below = net.add("Gather", flat, net.integers(4, 8, 9, 12, 13, 14), axis=1)
    x = net.add("Concat", dense, below, axis=1)
    net.add("Sigmoid", net.linear(layers(x, width + 6, 16), 16, 1))
    rng = np.random.default_rng(5)

    def run(n: int) -> list[Any]:
        ids = np.stack([rng.integers(0, rows, n) for rows in tables], 1)
        return [rng.standard_normal((n, 6)).astype(np.float32), ids]

    inputs = [info("x", shape=(batch, 6)), info("ids", "i64", (batch, len(tables)))]
    net.check_all(inputs, *(run(n) for n in ([5] if batch == 5 else [1, 5, 17])))


@pytest.mark.parametrize("zero", [0, 131])
@pytest.mark.parametrize("layer", ["conv", "grouped", "matmul", "gemm"])
def test_dequantized_contractions_are_exact(layer: str, zero: int) -> None:
    """Sums of integers are exact: the result is that of real numbers, rounded three times."""
    rng = np.random.default_rng(6)
    shapes = {
        "conv": ((2, 6, 9, 8), (5, 6, 3, 3)),
        "grouped": ((2, 6, 9, 8), (4, 3, 3, 3)),
        "matmul": ((2, 7, 300), (300, 5)),
        "gemm": ((7, 300), (5, 300)),
    }
    given, filters = shapes[layer]
    axis = 1 if layer == "matmul" else 0
    net = Net()
    scales = 0.01 * (1 + rng.random(filters[axis])).astype(np.float32)
    weights = rng.integers(-128, 128, filters).astype(np.int8)
    own = net.constant(scales), net.constant(np.zeros(len(scales)), "int8")
    w = net.add("DequantizeLinear", net.constant(weights, "int8"), *own, axis=axis)
    x = net.add("DequantizeLinear", "x", net.constant(0.0371), net.constant(zero, "uint8"))
    how = {"conv": {"pads": [1] * 4}, "grouped": {"group": 2}, "gemm": {"transB": 1}}
    operator = {"conv": "Conv", "grouped": "Conv", "matmul": "MatMul", "gemm": "Gemm"}[layer]
    net.add(operator, x, w, **how.get(layer, {}))
    made = model(net.nodes, [info("x", "ui8", given)], 19, initializers=net.weights)
    array = rng.integers(0, 256, given).astype(np.uint8)
    found = opc.compile(made)(array)

    # The same graph over numbers of 64 bits has every product and every sum exactly.
    exact, names = Net(), list("xw")
    exact.nodes = [node(operator, "x w", "y", **how.get(layer, {}))]
    inputs = [info(n, "f64", s) for n, s in zip(names, (given, filters), strict=True)]
    sums = opc.compile(model(exact.nodes, inputs, 19))(
        array.astype(np.float64) - zero, weights.astype(np.float64)
    )
    spread = scales.reshape(-1, 1, 1) if operator == "Conv" else scales
    expected = sums * (spread.astype(np.float64) * np.float32(0.0371))
    assert (np.abs(found - expected) <= 1.5 * np.spacing(np.abs(expected).astype(np.float32))).all()
