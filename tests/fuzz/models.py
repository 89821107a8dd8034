"""ONNX models of a few nodes whose extents have drawn names: some say something, most do not.

Axes of one name are of one extent, axes whose name means nothing of any: types of inputs, values,
results and of loop bodies have such names.  What comes out is computed with NumPy as it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from opc.api.driver import load, source_of
from opc.dialects.registry import context
from opc.errors import OpcError
from opc.interpret.graph import evaluate
from opc.oracle.subject import function_in
from opc.passes import pipeline

from .graph import Array

NOTHING = ("?", "", "None", "unknown", "-1", "*", "unk__613")
"""Names that say nothing; several axes have them."""
NAMED = ("N", "batch", "DynamicDimension.0", "d0", "seq len")
"""Names of one extent each."""


@dataclass
class Drawn:
    """A model, its inputs, and its results."""

    rng: np.random.Generator
    inputs: dict[str, Array] = field(default_factory=dict[str, Array])
    values: dict[str, Array] = field(default_factory=dict[str, Array])
    extents: dict[str, int] = field(default_factory=dict[str, int])
    nodes: list[Any] = field(default_factory=list[Any])
    types: list[Any] = field(default_factory=list[Any])

    def one(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def dims(self, shape: Sequence[int]) -> list[int | str]:
        """Names or numbers that are true of a shape."""
        named = {self.extents[n]: n for n in self.extents}
        return [self.one([n, self.one(NOTHING), self.one(NOTHING), named.get(n, n)]) for n in shape]

    def info(self, name: str, shape: Sequence[int | str]) -> Any:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    def input(self) -> None:
        """One more input; each name has its extent from here on."""
        dims: list[int | str] = []
        # An exporter has one word for it.
        nothing = self.one(NOTHING)
        for _ in range(int(self.rng.integers(1, 4))):
            extent = int(self.rng.integers(1, 6))
            name = self.one([extent, nothing, nothing, self.one(NAMED)])
            if name in NAMED:
                self.extents.setdefault(name, extent)
            dims.append(name)
        shape = [
            d if isinstance(d, int) else self.extents.get(d, int(self.rng.integers(1, 6)))
            for d in dims
        ]
        name = f"x{len(self.inputs)}"
        array = self.rng.integers(-4, 5, shape).astype(np.float32)
        self.inputs[name] = self.values[name] = array
        self.types.append(self.info(name, dims))

    def node(self) -> None:
        """One more node."""
        name, x = f"v{len(self.nodes)}", self.one(list(self.values))
        array, axis = self.values[x], int(self.rng.integers(self.values[x].ndim))
        match self.one(("Neg", "Transpose", "Concat", "Add", "Loop")):
            case "Transpose":
                order = [int(k) for k in self.rng.permutation(array.ndim)]
                made, value = helper.make_node("Transpose", [x], [name], perm=order), None
                value = array.transpose(order)
            case "Concat":
                made = helper.make_node("Concat", [x, x], [name], axis=axis)
                value = np.concatenate([array, array], axis)
            case "Add":
                fitting = [n for n, v in self.values.items() if v.shape == array.shape]
                other = self.one(fitting)
                made = helper.make_node("Add", [x, other], [name])
                value = array + self.values[other]
            case "Loop":
                made = helper.make_node("Loop", ["two", "", x], [name], body=self.body(array.shape))
                value = 4 * array
            case operator:
                made, value = helper.make_node(operator, [x], [name]), -array
        self.nodes.append(made)
        self.values[name] = np.ascontiguousarray(value)

    def body(self, shape: Sequence[int]) -> Any:
        """A loop that doubles what it carries, with names in its types."""
        flags = [
            helper.make_tensor_value_info(n, t, [])
            for n, t in (("i", TensorProto.INT64), ("c", TensorProto.BOOL))
        ]
        nodes = [
            helper.make_node("Identity", ["c"], ["more"]),
            helper.make_node("Add", ["s", "s"], ["e"]),
        ]
        more = helper.make_tensor_value_info("more", TensorProto.BOOL, [])
        inputs = [*flags, self.info("s", self.dims(shape))]
        return helper.make_graph(nodes, "body", inputs, [more, self.info("e", self.dims(shape))])

    def model(self) -> Any:
        """The model; every value is a result, most of them with a type."""
        outputs = [f"v{k}" for k in range(len(self.nodes))]
        infos = [self.info(n, self.dims(self.values[n].shape)) for n in outputs]
        two = numpy_helper.from_array(np.array(2), "two")
        graph = helper.make_graph(self.nodes, "drawn", self.types, infos, [two])
        graph.value_info.extend(
            self.info(n, self.dims(self.values[n].shape))
            for n in outputs
            if self.rng.random() < 0.5
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=8)


def draw(seed: int, number: int) -> Drawn:
    """The model of this number: the same one every time."""
    drawn = Drawn(np.random.default_rng([seed, number, 2]))
    for _ in range(int(drawn.rng.integers(1, 4))):
        drawn.input()
    for _ in range(int(drawn.rng.integers(1, 6))):
        drawn.node()
    return drawn


def check(seed: int, number: int) -> str:
    """What is wrong with a model as opc reads it; nothing if all is well."""
    drawn = draw(seed, number)
    module = source_of(load(drawn.model()), None)
    try:
        pipeline.run(module, context(), ("legalize-onnx", "infer-shapes"))
        results = evaluate(function_in(module), list(drawn.inputs.values()))
    except OpcError as error:
        return f"model {number}: {error}"
    expected = [drawn.values[f"v{k}"] for k in range(len(drawn.nodes))]
    for k, (found, wanted) in enumerate(zip(results, expected, strict=True)):
        if found.shape != wanted.shape or not np.array_equal(found, wanted):
            return f"model {number}: v{k} is {found.tolist()}, expected {wanted.tolist()}"
    return ""
