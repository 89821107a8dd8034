"""Draws ONNX graphs whose choices give results of different rank, with what follows them.

Graphs of the ``opc`` dialect, which the other generator draws, have no such choices: the legalizer
makes them of one rank.  Conditions are inputs or extents that are 1; branches squeeze, reduce, put
in axes or choose again; what follows takes any rank, or only one, before or behind other choices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Generator = np.random.Generator
OPSETS = (13, 16, 18, 21)


@dataclass
class Choices:
    """One graph, and inputs for it."""

    seed: int
    inputs: list[Any] = field(default_factory=list[Any])
    arrays: dict[str, Any] = field(default_factory=dict[str, Any])
    count: int = 0

    def __post_init__(self) -> None:
        self.rng: Generator = np.random.default_rng(self.seed)

    def model(self) -> Any:
        """The model, whose outputs are of no declared shape but for a sum and a rank."""
        self.extent = int(self.rng.integers(1, 4))
        lengths = [1, self.extent, 3]
        x = self.rng.normal(size=lengths).astype(np.float32)
        self.is_symbolic = self.chance(0.7)
        shape = [1, "n", 3] if self.is_symbolic else lengths
        self.inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
        self.arrays = {"x": x}
        nodes: list[Any] = []
        values = [("x", {3})]
        for _ in range(int(self.rng.integers(1, 4))):
            values.append(self.choice(nodes, values, 0))
            for _ in range(int(self.rng.integers(0, 3))):
                values.append(self.follow(nodes, *values[int(self.rng.integers(len(values)))]))
        last = values[-1][0]
        sums = [self.add(nodes, "ReduceSum", v, keepdims=0) for v, _ in values[-3:]]
        total = self.add(nodes, "Sum", *sums)
        rank = self.add(nodes, "Size", self.add(nodes, "Shape", last))
        outputs = [
            helper.make_tensor_value_info(total, TensorProto.FLOAT, []),
            helper.make_tensor_value_info(rank, TensorProto.INT64, []),
        ]
        graph = helper.make_graph(nodes, "g", self.inputs, outputs)
        opset = helper.make_opsetid("", int(self.rng.choice(OPSETS)))
        made = helper.make_model(graph, opset_imports=[opset], ir_version=8)
        onnx.checker.check_model(made)
        return made

    def chance(self, p: float) -> bool:
        """True with this probability."""
        return bool(self.rng.random() < p)

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"v{self.count}"

    def add(self, nodes: list[Any], operator: str, *inputs: str, **attributes: Any) -> str:
        """One more node; its result."""
        out = self.name()
        nodes.append(helper.make_node(operator, inputs, [out], **attributes))
        return out

    def number(self, nodes: list[Any], *values: int, rank: int = 1) -> str:
        """A constant of integers."""
        array = np.array(values).reshape((len(values),) * rank)
        return self.add(nodes, "Constant", value=numpy_helper.from_array(array))

    def condition(self, nodes: list[Any], value: str, ranks: set[int]) -> str:
        """An input, or whether an axis of a value or the whole of it has one element."""
        if self.chance(0.5):
            name = f"c{len(self.inputs)}"
            self.inputs.append(helper.make_tensor_value_info(name, TensorProto.BOOL, []))
            self.arrays[name] = np.array(self.chance(0.5))
            return name
        shape = self.add(nodes, "Shape", value)
        if min(ranks) and self.chance(0.5):
            at = self.number(nodes, int(self.rng.choice([0, -1])), rank=0)
            extent = self.add(nodes, "Gather", shape, at)
        else:
            extent = self.add(nodes, "Size", shape)
        return self.add(nodes, "Equal", extent, self.number(nodes, 1, rank=0))

    def choice(self, nodes: list[Any], values: list[Any], depth: int) -> tuple[str, set[int]]:
        """A choice between two branches of some value; the ranks that it may have."""
        value, ranks = values[int(self.rng.integers(len(values)))]
        if self.chance(0.15):
            return self.add(nodes, "Squeeze", value), set(range(max(ranks) + 1))
        if self.chance(0.15):
            return self.squeeze(nodes), {2, 3}
        condition = self.condition(nodes, value, ranks)
        arms, found = {}, set[int]()
        for name in ("then_branch", "else_branch"):
            inner: list[Any] = []
            result, given = self.branch(inner, value, ranks, depth)
            info = helper.make_tensor_value_info(result, TensorProto.FLOAT, None)
            arms[name] = helper.make_graph(inner, name, [], [info])
            found |= given
        return self.add(nodes, "If", condition, **arms), found

    def squeeze(self, nodes: list[Any]) -> str:
        """An axis of x goes if it has one element: the branch for that requires it."""
        axis = 1 if self.is_symbolic else 0
        shape = self.add(nodes, "Shape", "x")
        extent = self.add(nodes, "Gather", shape, self.number(nodes, axis))
        condition = self.add(nodes, "Equal", extent, self.number(nodes, 1))
        one, same = [], []
        squeezed = self.add(one, "Squeeze", "x", self.number(one, axis))
        kept = self.add(same, "Identity", "x")
        arms = {
            name: helper.make_graph(
                inner, name, [], [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)]
            )
            for name, inner, result in (("then_branch", one, squeezed), ("else_branch", same, kept))
        }
        return self.add(nodes, "If", condition, **arms)

    def branch(
        self, nodes: list[Any], value: str, ranks: set[int], depth: int
    ) -> tuple[str, set[int]]:
        """What a branch makes of a value."""
        kind = self.rng.integers(5)
        if kind == 0 and depth < 2:
            return self.choice(nodes, [(value, ranks)], depth + 1)
        if kind == 1 and max(ranks) < 5:
            return self.add(nodes, "Unsqueeze", value, self.number(nodes, 0)), {
                r + 1 for r in ranks
            }
        if kind == 2 and min(ranks) > 1:
            result = self.add(nodes, "ReduceMax", value, keepdims=0)
            return result, {0}
        if kind == 3 and min(ranks) > 1:
            # Of an axis that has one element, or has it in this call.
            index = self.number(nodes, 0, rank=0)
            return self.add(nodes, "Gather", value, index, axis=0), {r - 1 for r in ranks}
        return self.add(nodes, str(self.rng.choice(["Neg", "Identity", "Abs"])), value), ranks

    def follow(self, nodes: list[Any], value: str, ranks: set[int]) -> tuple[str, set[int]]:
        """What takes a value of any of its ranks, and may give one."""
        kind = self.rng.integers(4)
        if kind == 0:
            return self.add(nodes, "Flatten", value, axis=0), {2}
        if kind == 1:
            return self.add(nodes, "Reshape", value, self.number(nodes, -1)), {1}
        if kind == 2:
            return self.add(
                nodes, "Mul", value, self.add(nodes, "ReduceMax", "x", keepdims=0)
            ), ranks
        return self.add(nodes, "Tanh", value), ranks
