"""A network under construction: nodes as exporters write them, weights drawn from a seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array: TypeAlias = "np.ndarray[Any, Any]"
Extent: TypeAlias = "int | str"
"""A number, or the name of an extent that only a run knows."""

IR_VERSION = 10
TYPES = {"f32": TensorProto.FLOAT, "i64": TensorProto.INT64, "i1": TensorProto.BOOL}


@dataclass(frozen=True)
class Input:
    """An argument: floats from a normal distribution, or integers below ``below``."""

    name: str
    shape: tuple[Extent, ...]
    below: int | None = None

    def array(self, rng: np.random.Generator, extents: dict[str, int]) -> Array:
        """One that fits, where the named extents are these."""
        shape = tuple(extents[e] if isinstance(e, str) else e for e in self.shape)
        if self.below is None:
            return rng.standard_normal(shape).astype(np.float32)
        return rng.integers(0, self.below, shape)


@dataclass
class Net:
    """Nodes, weights, inputs and outputs; methods return the name of what they computed."""

    seed: int = 0
    opset: int = 17
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    weights: list[onnx.TensorProto] = field(default_factory=list[onnx.TensorProto])
    inputs: list[Input] = field(default_factory=list[Input])
    outputs: list[onnx.ValueInfoProto] = field(default_factory=list[onnx.ValueInfoProto])

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self._integers: dict[tuple[int, ...] | int, str] = {}

    def input(self, name: str, *shape: Extent, below: int | None = None) -> str:
        """An argument of the network."""
        self.inputs.append(Input(name, shape, below))
        return name

    def output(self, value: str, name: str, type: str = "f32") -> None:
        """Make a value a result, whose shape a reader has to find out."""
        self.nodes.append(helper.make_node("Identity", [value], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, TYPES[type], None))

    def several(self, operator: str, *inputs: str, count: int, **attributes: Any) -> list[str]:
        """The results of one node."""
        names = [f"{operator}_{len(self.nodes)}_{k}" for k in range(count)]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return names

    def __call__(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """The result of one node."""
        return self.several(operator, *inputs, count=1, **attributes)[0]

    def constant(self, array: Any, type: str = "float32") -> str:
        """A constant in the file of the model."""
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array, type), name))
        return name

    def integers(self, *values: int) -> str:
        """A list of integers; equal ones are there once."""
        if values not in self._integers:
            self._integers[values] = self.constant(values, "int64")
        return self._integers[values]

    def integer(self, value: int) -> str:
        """An integer of rank 0."""
        if value not in self._integers:
            self._integers[value] = self.constant(value, "int64")
        return self._integers[value]

    def weight(self, *shape: int, inside: int | None = None) -> str:
        """Weights of a variance of 1 over the values that each result adds up."""
        count = inside if inside is not None else math.prod(shape[1:])
        drawn = self.rng.standard_normal(shape, np.float32)
        return self.constant(drawn * np.float32(max(count, 1) ** -0.5))

    def bias(self, count: int) -> str:
        """A tenth of what weights give."""
        return self.constant(self.rng.standard_normal(count, np.float32) * np.float32(0.1))

    def around_one(self, count: int) -> str:
        """Positive numbers, for scales and variances."""
        return self.constant(1 + self.rng.random(count, np.float32) / 4)

    def shape(self, x: str, axis: int) -> str:
        """An extent as exporters ask for it, in a list of one."""
        one = self("Gather", self("Shape", x), self.integer(axis), axis=0)
        return self("Unsqueeze", one, self.integers(0))

    def reshape(self, x: str, *extents: int | str) -> str:
        """x in a shape of numbers and of lists of one, which shape() gave."""
        parts = [self.integers(e) if isinstance(e, int) else e for e in extents]
        if all(isinstance(e, int) for e in extents):
            return self("Reshape", x, self.integers(*(e for e in extents if isinstance(e, int))))
        return self("Reshape", x, self("Concat", *parts, axis=0))

    def slice(self, x: str, axis: int, start: int, stop: int = 2**63 - 1, step: int = 1) -> str:
        """A range of an axis."""
        bounds = (self.integers(v) for v in (start, stop, axis, step))
        return self("Slice", x, *bounds)

    def conv(self, x: str, inside: int, outside: int, size: int = 1, **how: Any) -> str:
        """A convolution of two axes with a bias, padded to the same extents for stride 1."""
        stride, groups = how.pop("stride", 1), how.pop("groups", 1)
        pads = how.pop("pads", [(size - 1) // 2] * 4)
        w = self.weight(outside, inside // groups, size, size)
        operands = [x, w, self.bias(outside)] if how.pop("bias", True) else [x, w]
        shape = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "dilations": [1] * 2}
        return self("Conv", *operands, pads=pads, group=groups, **shape)

    def batch_norm(self, x: str, channels: int) -> str:
        """A batch normalization that is used and not trained."""
        scale, bias = self.around_one(channels), self.bias(channels)
        mean, variance = self.bias(channels), self.around_one(channels)
        return self("BatchNormalization", x, scale, bias, mean, variance, epsilon=1e-5)

    def layer_norm(self, x: str, width: int, epsilon: float = 1e-5) -> str:
        """A layer normalization of the last axis."""
        scale, bias = self.around_one(width), self.bias(width)
        return self("LayerNormalization", x, scale, bias, axis=-1, epsilon=epsilon)

    def linear(self, x: str, inside: int, outside: int, bias: bool = True) -> str:
        """A dense layer of the last axis, as exporters write it for any rank."""
        y = self("MatMul", x, self.weight(inside, outside, inside=inside))
        return self("Add", self.bias(outside), y) if bias else y

    def gemm(self, x: str, inside: int, outside: int) -> str:
        """A dense layer of a matrix."""
        return self("Gemm", x, self.weight(outside, inside), self.bias(outside), transB=1)

    def scalar(self, value: float) -> str:
        """A float of rank 0."""
        return self.constant(value)

    def gelu(self, x: str) -> str:
        """x * (1 + erf(x / sqrt(2))) / 2, as exporters write it before opset 20."""
        e = self("Erf", self("Div", x, self.scalar(2**0.5)))
        y = self("Mul", x, self("Add", e, self.scalar(1)))
        return self("Mul", y, self.scalar(0.5))

    def silu(self, x: str) -> str:
        """x * sigmoid(x)."""
        return self("Mul", x, self("Sigmoid", x))

    def model(self) -> onnx.ModelProto:
        """The network as a model."""
        inputs = [
            helper.make_tensor_value_info(
                i.name, TYPES["f32" if i.below is None else "i64"], i.shape
            )
            for i in self.inputs
        ]
        graph = helper.make_graph(self.nodes, "network", inputs, self.outputs, self.weights)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def arrays(self, extents: dict[str, int], seed: int = 1) -> dict[str, Array]:
        """Arguments by name, for these values of the named extents."""
        rng = np.random.default_rng(seed)
        return {i.name: i.array(rng, extents) for i in self.inputs}


def scaled(values: Sequence[int], factor: float, least: int = 4) -> list[int]:
    """Numbers of channels for a wider or narrower network, multiples of four."""
    return [max(least, round(v * factor / 4) * 4) for v in values]
