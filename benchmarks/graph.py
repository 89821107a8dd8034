"""A row's Python function as an ONNX model: a namespace whose arrays record nodes.

::

    model(lambda xp, x, b: xp.exp(x - b), inputs)  -->  Sub, Exp

Constants take the element type of the first input, as weak Python scalars do in array libraries.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.inputs import Array, Input

OPSET = 20

TYPES = {
    "f64": TensorProto.DOUBLE,
    "f32": TensorProto.FLOAT,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "i64": TensorProto.INT64,
    "i32": TensorProto.INT32,
    "i8": TensorProto.INT8,
}


class Tensor:
    """A value of the graph under construction; ``shape`` is known for inputs only."""

    def __init__(self, graph: Graph, name: str, shape: tuple[int, ...] = ()) -> None:
        self.graph = graph
        self.name = name
        self.shape = shape

    def __add__(self, other: Any) -> Tensor:
        return self.graph.node("Add", self, other)

    def __radd__(self, other: Any) -> Tensor:
        return self.graph.node("Add", other, self)

    def __sub__(self, other: Any) -> Tensor:
        return self.graph.node("Sub", self, other)

    def __rsub__(self, other: Any) -> Tensor:
        return self.graph.node("Sub", other, self)

    def __mul__(self, other: Any) -> Tensor:
        return self.graph.node("Mul", self, other)

    def __rmul__(self, other: Any) -> Tensor:
        return self.graph.node("Mul", other, self)

    def __truediv__(self, other: Any) -> Tensor:
        return self.graph.node("Div", self, other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return self.graph.node("Div", other, self)

    def __neg__(self) -> Tensor:
        return self.graph.node("Neg", self)


class Graph:
    """The namespace ``xp`` of a trace; :mod:`benchmarks.namespaces` has those of the libraries."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []

    def node(self, operator: str, *operands: Any, **attributes: Any) -> Tensor:
        """The result of one more node."""
        name = f"t{len(self.nodes)}"
        names = [x.name if isinstance(x, Tensor) else self._constant(x) for x in operands]
        self.nodes.append(helper.make_node(operator, names, [name], **attributes))
        return Tensor(self, name)

    def _constant(self, value: Any) -> str:
        name = f"c{len(self.initializers)}"
        if isinstance(value, np.ndarray):
            tensor = numpy_helper.from_array(cast(Array, value), name)
        else:
            tensor = helper.make_tensor(name, TYPES[self.dtype], [], [value])
        self.initializers.append(tensor)
        return name

    def exp(self, x: Any) -> Tensor:
        """Exponential."""
        return self.node("Exp", x)

    def log(self, x: Any) -> Tensor:
        """Natural logarithm."""
        return self.node("Log", x)

    def tanh(self, x: Any) -> Tensor:
        """Hyperbolic tangent."""
        return self.node("Tanh", x)

    def sqrt(self, x: Any) -> Tensor:
        """Square root."""
        return self.node("Sqrt", x)

    def abs(self, x: Any) -> Tensor:
        """Absolute value."""
        return self.node("Abs", x)

    def sigmoid(self, x: Any) -> Tensor:
        """1 / (1 + exp(-x))."""
        return self.node("Sigmoid", x)

    def relu(self, x: Any) -> Tensor:
        """max(x, 0)."""
        return self.node("Relu", x)

    def gelu(self, x: Any) -> Tensor:
        """x / 2 (1 + erf(x / sqrt 2))."""
        return self.node("Gelu", x)

    def elu(self, x: Any) -> Tensor:
        """x, or exp(x) - 1 where that is negative."""
        return self.node("Elu", x)

    def power(self, x: Any, exponent: float) -> Tensor:
        """x to the power of a constant."""
        return self.node("Pow", x, exponent)

    def maximum(self, x: Any, y: Any) -> Tensor:
        """The larger of two."""
        return self.node("Max", x, y)

    def minimum(self, x: Any, y: Any) -> Tensor:
        """The smaller of two."""
        return self.node("Min", x, y)

    def matmul(self, x: Any, y: Any) -> Tensor:
        """The matrix product of the last two axes."""
        return self.node("MatMul", x, y)

    def conv(self, x: Any, w: Any, stride: int, pad: int) -> Tensor:
        """The convolution of [N, C, H, W] with filters [F, C / groups, R, S]."""
        groups = x.shape[1] // w.shape[1]
        return self.node("Conv", x, w, strides=[stride] * 2, pads=[pad] * 4, group=groups)

    def matmul_integer(self, x: Any, y: Any) -> Tensor:
        """The product of two matrices of i8, in i32."""
        return self.node("MatMulInteger", x, y)

    def max_pool(self, x: Any, size: int, stride: int, pad: int) -> Tensor:
        """The greatest value of each window of [N, C, H, W]."""
        windows = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "pads": [pad] * 4}
        return self.node("MaxPool", x, **windows)

    def permute(self, x: Any, order: Sequence[int]) -> Tensor:
        """Axis k of the result is axis ``order[k]`` of ``x``."""
        return self.node("Transpose", x, perm=list(order))

    def reshape(self, x: Any, shape: Sequence[int]) -> Tensor:
        """The same elements in another shape."""
        return self.node("Reshape", x, np.array(shape, np.int64))

    def reduce(self, kind: str, x: Any, axes: Sequence[int], keep: bool = False) -> Tensor:
        """``sum``, ``mean``, ``max``, ``min`` or ``logsumexp`` over axes."""
        operator = {"logsumexp": "ReduceLogSumExp"}.get(kind, f"Reduce{kind.capitalize()}")
        return self.node(operator, x, np.array(axes, np.int64), keepdims=int(keep))

    def argmax(self, x: Any, axis: int) -> Tensor:
        """The position of the first maximum, as int64."""
        return self.node("ArgMax", x, axis=axis, keepdims=0)

    def cumsum(self, x: Any, axis: int, reverse: bool = False) -> Tensor:
        """Sums of all up to each one, or from each one on."""
        return self.node("CumSum", x, np.array(axis, np.int64), reverse=int(reverse))

    def softmax(self, x: Any, axis: int) -> Tensor:
        """exp(x - max) over its sum."""
        return self.node("Softmax", x, axis=axis)

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Tensor:
        """Normalized over the last axis, epsilon 1e-5."""
        return self.node("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-5)

    def batch_norm(self, x: Any, scale: Any, shift: Any, mean: Any, var: Any) -> Tensor:
        """Normalized with given statistics for each channel, epsilon 1e-5."""
        return self.node("BatchNormalization", x, scale, shift, mean, var, epsilon=1e-5)


def each(result: Any) -> Sequence[Any]:
    """The results of a function: alone, in a tuple, or by name."""
    if isinstance(result, dict):
        return list(cast("dict[str, Any]", result).values())
    return cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,)


def model(
    function: Callable[..., Any], inputs: Sequence[Input], outputs: Sequence[str]
) -> onnx.ModelProto:
    """The function over inputs of these types as a model; ``outputs`` are element types."""
    graph = Graph(inputs[0].dtype)
    found = function(graph, *(Tensor(graph, i.name, i.shape) for i in inputs))
    infos = [
        helper.make_tensor_value_info(i.name, TYPES[i.dtype], list(i.symbolic)) for i in inputs
    ]
    ends = [
        helper.make_tensor_value_info(r.name, TYPES[dtype], None)
        for r, dtype in zip(each(found), outputs, strict=True)
    ]
    body = helper.make_graph(graph.nodes, "row", infos, ends, graph.initializers)
    opset = helper.make_opsetid("", OPSET)
    proto = helper.make_model(body, opset_imports=[opset], ir_version=10)
    return onnx.shape_inference.infer_shapes(proto, strict_mode=True)


COSTS = {
    **{"Exp": 12, "Log": 14, "Tanh": 18, "Sigmoid": 16, "Gelu": 24},
    **{"Softmax": 16, "ReduceLogSumExp": 14, "LayerNormalization": 8, "BatchNormalization": 2},
    **{"Elu": 14, "Transpose": 0, "Reshape": 0},
}
"""Multiplications and additions for each element, as a short polynomial in f32 needs them."""


def operations(proto: onnx.ModelProto) -> int:
    """How many multiplications and additions a model of static shape needs, about."""
    shapes = {
        v.name: [d.dim_value for d in v.type.tensor_type.shape.dim]
        for v in (*proto.graph.input, *proto.graph.value_info, *proto.graph.output)
    }
    return sum(_operations(node, shapes) for node in proto.graph.node)


def _operations(node: onnx.NodeProto, shapes: Mapping[str, Sequence[int]]) -> int:
    """Those of one operator; of constants there are no shapes."""
    known = [shapes[name] for name in (*node.input[:2], *node.output) if name in shapes]
    results = math.prod(shapes[node.output[0]])
    match node.op_type:
        case "MatMul" | "MatMulInteger":
            return 2 * results * shapes[node.input[0]][-1]
        case "Conv":
            return 2 * results * math.prod(shapes[node.input[1]][1:])
        case "MaxPool":
            return results * math.prod(helper.get_node_attr_value(node, "kernel_shape"))
        case name:
            return COSTS.get(name, 1) * max(map(math.prod, known))
