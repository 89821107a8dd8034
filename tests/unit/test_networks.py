"""Small forms of networks that people deploy, whole, against the reference of ONNX.

Each is built as exporters write it: a convolutional network with residual blocks, one with
depthwise filters, one that concatenates, and a transformer on patches of an image.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx_models import info, model, node  # noqa: E402

import opc  # noqa: E402


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
        from onnx.reference import ReferenceEvaluator

        made = model(self.nodes, [info("x", shape=shape)], 17, initializers=self.weights)
        compiled, reference = opc.compile(made), ReferenceEvaluator(made)
        for x in arrays:
            (expected,) = reference.run(None, {"x": x})
            error = np.abs(compiled(x) - expected).max()
            assert error <= ulps * np.spacing(np.abs(expected).max()), f"{x.shape}: {error}"


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

    def linear(x: str, inside: int, outside: int) -> str:
        product = net.add("MatMul", x, net.weight(inside, outside))
        return net.add("Add", product, net.weight(outside))

    def normal(x: str) -> str:
        return net.add("LayerNormalization", x, net.weight(width), net.weight(width), axis=-1)

    def integers(*values: int) -> str:
        return net.constant(values, "int64")

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
