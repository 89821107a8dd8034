"""ONNX models of trees and of dynamic quantization; what comes out is computed with NumPy.

Weights of trees are small integers, so that their sums are exact in any order.  Splits are often
numbers that there are in x.
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
from opc.interpret.function import run
from opc.oracle.subject import function_in
from opc.passes import pipeline

from .graph import Array

ML = "ai.onnx.ml"
MODES: dict[str, Any] = {
    "BRANCH_LEQ": np.less_equal, "BRANCH_LT": np.less, "BRANCH_GTE": np.greater_equal,
    "BRANCH_GT": np.greater, "BRANCH_EQ": np.equal, "BRANCH_NEQ": np.not_equal,
}  # fmt: skip
NUMBERS = (-2.0, -0.0, 0.0, 0.5, 1.0, 3.0)
NAMES = ("ant", "bee", "cow")


@dataclass
class Learned:
    """A model, its input, and its results."""

    rng: np.random.Generator
    x: Array = field(init=False)
    nodes: list[Any] = field(default_factory=list[Any])
    constants: list[Any] = field(default_factory=list[Any])
    results: dict[str, Array] = field(default_factory=dict[str, Array])

    def one(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def constant(self, name: str, array: Array) -> str:
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def model(self) -> Any:
        """The model; its outputs have no declared shape."""
        dims = ["N", *self.x.shape[1:]]
        kinds = {
            name: 0 if "map" in name else helper.np_dtype_to_tensor_dtype(array.dtype)
            for name, array in self.results.items()
        }
        outputs = [
            helper.make_tensor_value_info(name, kind, None)
            if kind
            else helper.make_empty_tensor_value_info(name)
            for name, kind in kinds.items()
        ]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)]
        graph = helper.make_graph(self.nodes, "drawn", inputs, outputs, self.constants)
        imports = [helper.make_opsetid("", 21), helper.make_opsetid(ML, 3)]
        return helper.make_model(graph, opset_imports=imports, ir_version=9)

    def trees(self) -> None:
        """An ensemble that gives scores, or labels and dictionaries of them."""
        columns, count = int(self.rng.integers(1, 4)), int(self.one((1, 3, 18)))
        self.x = self.rng.choice([*NUMBERS, np.nan, np.inf], (int(self.one((1, 7))), columns))
        self.x = self.x.astype(np.float32)
        kinds = list(MODES) if self.rng.random() < 0.3 else [self.one(list(MODES))]
        targets, is_classifier = int(self.one((1, 3))), self.rng.random() < 0.4
        targets = 3 if is_classifier else targets
        what = "class" if is_classifier else "target"
        lists: dict[str, list[Any]] = {}
        scores = np.zeros((len(self.x), targets), np.float32)

        def put(**values: Any) -> None:
            for name, value in values.items():
                lists.setdefault(name, []).append(value)

        def grow(tree: int, node: int, depth: int, rows: Array) -> int:
            """A node and those below it, for the rows that come to it; the next free number."""
            mode = self.one(kinds) if self.rng.random() < 0.8 and depth < 5 else "LEAF"
            split, feature = self.one(NUMBERS), int(self.rng.integers(columns))
            missing = bool(self.rng.integers(2))
            at = len(lists.get("nodes_nodeids", ()))
            put(nodes_treeids=tree, nodes_nodeids=node, nodes_modes=mode, nodes_values=split,
                nodes_featureids=feature, nodes_missing_value_tracks_true=int(missing),
                nodes_truenodeids=0, nodes_falsenodeids=0)  # fmt: skip
            if mode == "LEAF":
                target, weight = int(self.rng.integers(targets)), float(self.rng.integers(-4, 5))
                put(**{f"{what}_treeids": tree, f"{what}_nodeids": node, f"{what}_ids": target,
                       f"{what}_weights": weight})  # fmt: skip
                scores[rows, target] += np.float32(weight)
                return node + 1
            seen = self.x[:, feature]
            yes = np.where(np.isnan(seen) & missing, True, MODES[mode](seen, np.float32(split)))
            lists["nodes_truenodeids"][at] = node + 1
            behind = grow(tree, node + 1, depth + 1, rows & yes)
            lists["nodes_falsenodeids"][at] = behind
            return grow(tree, behind, depth + 1, rows & ~yes)

        for tree in range(count):
            grow(tree, 0, 0, np.ones(len(self.x), bool))
        if not is_classifier:
            self.nodes = [
                helper.make_node(
                    "TreeEnsembleRegressor", ["x"], ["y"], domain=ML, n_targets=targets, **lists
                )
            ]
            self.results = {"y": scores}
            return
        base = [0.0, 0.0, 0.0]
        self.nodes = [
            helper.make_node(
                "TreeEnsembleClassifier", ["x"], ["label", "y"], domain=ML, base_values=base,
                classlabels_strings=NAMES, **lists,
            ),
            helper.make_node("ZipMap", ["y"], ["map"], domain=ML, classlabels_strings=NAMES),
        ]  # fmt: skip
        # What leaves the graph are places in a table, and the matrix of the dictionaries.
        self.results = {"label": scores.argmax(axis=1), "map": scores}

    def quantized(self) -> None:
        """DynamicQuantizeLinear, and a product or a convolution of what comes out."""
        is_conv = self.rng.random() < 0.5
        shape = (2, 2, 5, 4) if is_conv else (int(self.one((1, 5))), 6)
        self.x = self.rng.normal(self.one((-3, 0, 4)), 2, shape).astype(np.float32)
        low, high = np.minimum(self.x.min(), 0), np.maximum(self.x.max(), 0)
        scale = np.float32((high - low) / np.float32(255))
        zero = np.uint8(np.clip(np.round(-low / scale), 0, 255))
        q = np.clip(np.round(self.x / scale) + np.float32(zero), 0, 255).astype(np.uint8)
        self.nodes = [helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"])]
        dtype: Any = self.one((np.int8, np.uint8))
        w_shape = (3, 2, 3, 2) if is_conv else (6, 4)
        w = self.rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, w_shape, dtype)
        per_column = not is_conv and self.rng.random() < 0.5
        w_zero = self.rng.integers(0, 100, 4 if per_column else (), dtype)
        inputs = ["q", self.constant("w", w), "z", self.constant("wz", np.asarray(w_zero, dtype))]
        a, b = q.astype(np.int32) - np.int32(zero), w.astype(np.int32) - w_zero.astype(np.int32)
        if is_conv:
            pads = [int(p) for p in self.rng.integers(0, 3, 4)]
            self.nodes.append(helper.make_node("ConvInteger", inputs, ["i"], pads=pads))
            a = np.pad(a, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
            windows = np.lib.stride_tricks.sliding_window_view(a, (3, 2), (2, 3))
            product = np.einsum("nchwij,ocij->nohw", windows, b).astype(np.int32)
        else:
            self.nodes.append(helper.make_node("MatMulInteger", inputs, ["i"]))
            product = (a @ b).astype(np.int32)
        self.nodes += [
            helper.make_node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["f", "s"], ["y"]),
        ]
        self.results = {"q": q, "i": product, "y": product.astype(np.float32) * scale}


def draw(seed: int, number: int) -> Learned:
    """The model of this number: the same one every time."""
    drawn = Learned(np.random.default_rng([seed, number, 3]))
    (drawn.trees if drawn.rng.random() < 0.6 else drawn.quantized)()
    return drawn


def check(seed: int, number: int) -> str:
    """What is wrong with what opc computes, as its kernels or loops say; nothing if all is well."""
    drawn, stage = draw(seed, number), "kernels" if number % 4 else "loops"
    try:
        module = source_of(load(drawn.model()), None)
        pipeline.run(module, context(), pipeline.passes(stage))
        results = run(function_in(module), [drawn.x])
    except OpcError as error:
        return f"model {number}: {error}"
    for (name, wanted), array in zip(drawn.results.items(), results, strict=True):
        if array.dtype != wanted.dtype or not np.array_equal(array, wanted):
            return f"model {number}: {name} is {array.tolist()}, expected {wanted.tolist()}"
    return ""
