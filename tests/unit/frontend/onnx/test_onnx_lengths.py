"""Extents that data of unknown length gives: the last of running totals, as repeats have it.

Its total is an extent that nothing bounds, and the consumer of it gets a data-dependent dimension.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper, numpy_helper  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

LENGTHS = ([3, 0, 2, 1], [1], [0], [0, 0, 0], [7, 9], [1] * 40)
X = np.random.default_rng(1).normal(size=64).astype(np.float32)
V = np.arange(3, dtype=np.float32)
PLACES = np.array([0, 2, 5])
FIXED = {
    "axis": 0,
    "last": -1,
    "none": 0,
    "one": 1,
    "minus": [-1],
    "zero": [0],
    "first": [1],
    "end": [2**63 - 1],
    "near": [2**31 - 1],
    "i": PLACES,
    "values": np.array([0, 1], np.float32),
    "v": V,
    "fill": np.float32(3),
}
TOTAL: dict[str, list[Any]] = {
    "slice": [
        node("CumSum", "d axis", "cs"),
        node("Slice", "cs minus end zero", "list"),
        node("Squeeze", "list zero", "total"),
    ],
    "slice to a near end": [
        node("CumSum", "d axis", "cs"),
        node("Slice", "cs minus near zero", "list"),
        node("Squeeze", "list zero", "total"),
    ],
    "gather": [
        node("CumSum", "d axis", "cs"),
        node("Gather", "cs last", "total"),
        node("Unsqueeze", "total zero", "list"),
    ],
    "greatest": [
        node("CumSum", "d axis", "cs"),
        node("ReduceMax", "cs", "total", keepdims=0),
        node("Unsqueeze", "total zero", "list"),
    ],
    "sum": [
        node("ReduceSum", "d zero", "total", keepdims=0),
        node("Unsqueeze", "total zero", "list"),
        node("CumSum", "d axis", "cs"),
    ],
}
CONSUMERS: dict[str, tuple[list[Any], Callable[[np.ndarray], np.ndarray]]] = {
    "range": ([node("Range", "none total one", "range")], lambda d: np.arange(d.sum())),
    "expand": ([node("Expand", "fill list", "expand")], lambda d: np.full(d.sum(), 3, np.float32)),
    "fill": ([node("ConstantOfShape", "list", "fill0")], lambda d: np.zeros(d.sum(), np.float32)),
    "head": ([node("Slice", "x zero list", "head")], lambda d: X[: d.sum()]),
    "tail": ([node("Slice", "x list end", "tail")], lambda d: X[d.sum() :]),
    "top": ([node("TopK", "x list", "top _")], lambda d: np.sort(X)[::-1][: d.sum()]),
    "tile": ([node("Tile", "v list", "tile")], lambda d: np.tile(V, d.sum())),
    "pad": (
        [node("Concat", "zero list", "pads", axis=0), node("Pad", "x pads", "pad")],
        lambda d: np.pad(X, (0, d.sum())),
    ),
    "turn": (
        [
            node("Neg", "list", "less"),
            node("Concat", "less list", "both", axis=0),
            node("Pad", "x both", "turn", mode="wrap"),
        ],
        lambda d: np.pad(X[d.sum() :], (0, d.sum()), mode="wrap"),
    ),
    "hot": (
        [node("OneHot", "i total values", "hot")],
        lambda d: (PLACES[:, None] == np.arange(d.sum())).astype(np.float32),
    ),
    "repeat": (
        [
            node("Range", "none total one", "t"),
            node("Unsqueeze", "t first", "column"),
            node("LessOrEqual", "cs column", "passed"),
            node("Cast", "passed", "counted", to=onnx.TensorProto.INT64),
            node("ReduceSum", "counted first", "places", keepdims=0),
            node("Gather", "x places", "repeat"),
        ],
        lambda d: np.repeat(X[: len(d)], d),
    ),
}


def constants(nodes: list[Any]) -> list[Any]:
    used = {name for each in nodes for name in each.input}
    return [numpy_helper.from_array(np.array(v), n) for n, v in FIXED.items() if n in used]


def compiled(nodes: list[Any], outputs: list[str], *more: Any) -> Any:
    inputs = [info("d", "i64", ("N",)), *more]
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    return function(model(nodes, inputs, 21, results, constants(nodes)))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", TOTAL)
def test_every_consumer_of_a_total(name: str) -> None:
    nodes = [*TOTAL[name], *(made for each, _ in CONSUMERS.values() for made in each)]
    outputs = [each[-1].output[0] for each, _ in CONSUMERS.values()]
    run = compiled(nodes, outputs, info("x", shape=("M",)))
    for lengths in LENGTHS:
        d = np.array(lengths, np.int64)
        for consumer, found in zip(CONSUMERS, run(d, X), strict=True):
            expected = CONSUMERS[consumer][1](d)
            np.testing.assert_array_equal(found, expected, err_msg=f"{consumer} {lengths}")
    if "slice" in name:
        with pytest.raises(ArgumentError):
            run(np.zeros(0, np.int64), X)


STORED = {
    "lengths beside each other": [
        node("Concat", "d d", "both", axis=0),
        node("ReduceSum", "both", "total", keepdims=0),
    ],
    "what two reductions read": [
        node("Mul", "d d", "squares"),
        node("ReduceMax", "squares", "most", keepdims=0),
        node("Sub", "squares most", "less"),
        node("Neg", "less", "gaps"),
        node("ReduceSum", "gaps", "total", keepdims=0),
    ],
    "totals of totals": [
        node("CumSum", "d axis", "cs"),
        node("CumSum", "cs axis", "twice"),
        node("Gather", "twice last", "total"),
    ],
}
MEANING: dict[str, Callable[[np.ndarray], int]] = {
    "lengths beside each other": lambda d: 2 * d.sum(),
    "what two reductions read": lambda d: ((d * d).max() - d * d).sum(),
    "totals of totals": lambda d: np.cumsum(np.cumsum(d))[-1],
}


@pytest.mark.parametrize("name", STORED)
def test_what_is_stored_on_the_way(name: str) -> None:
    run = compiled([*STORED[name], node("Range", "none total one", "y")], ["y"])
    for lengths in LENGTHS:
        d = np.array(lengths, np.int64)
        np.testing.assert_array_equal(run(d), np.arange(MEANING[name](d)), err_msg=str(lengths))


def test_lengths_in_a_branch() -> None:
    taken = helper.make_graph(
        [*TOTAL["gather"][:2], node("Range", "none total one", "y1")],
        "taken",
        [],
        [onnx.ValueInfoProto(name="y1")],
    )
    other = helper.make_graph(
        [node("Identity", "d", "y2")], "other", [], [onnx.ValueInfoProto(name="y2")]
    )
    made = node("If", "c", then_branch=taken, else_branch=other)
    fixed = [
        numpy_helper.from_array(np.array(FIXED[n]), n) for n in ("axis", "last", "none", "one")
    ]
    inputs = [info("d", "i64", ("N",)), info("c", "i1", ())]
    run = function(model(made, inputs, 21, initializers=fixed))
    for lengths in LENGTHS:
        d = np.array(lengths, np.int64)
        np.testing.assert_array_equal(run(d, np.array(True)), np.arange(d.sum()))
        np.testing.assert_array_equal(run(d, np.array(False)), d)


def test_lists_whose_length_is_not_known() -> None:
    """One of a wanted length is checked by the call; the rank must have an upper bound."""
    inputs = [info("x", shape=("M",)), info("k", "i64", ("K",))]
    run = function(model(node("TopK", "x k", "y _"), inputs, 21))
    np.testing.assert_array_equal(run(X, np.array([2])), np.sort(X)[::-1][:2])
    with pytest.raises(ArgumentError, match="K has another number of elements"):
        run(X, np.array([2, 2]))
    with pytest.raises(InputError, match="expected"):
        function(model(node("TopK", "x k", "y _"), [inputs[0], info("k", "i64", (2,))], 21))
    with pytest.raises(UnsupportedError, match="or the most that it can be"):
        function(model(node("Expand", "x k"), inputs, 21))
