"""If whose branches give results of different extents, against onnxruntime and at every stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from opc.errors import ArgumentError, InputError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_control_flow import check, constant, graph  # noqa: E402

X = np.arange(10, dtype=np.float32).reshape(5, 2)
INPUTS = [info("c", "i1", ()), info("x", shape=("n", 2))]
BOTH = (np.array(True), np.array(False))


def branch(*nodes: Any, type: str = "f32") -> Any:
    return graph(list(nodes), (), [info("t", type)])


def twice_or_once() -> dict[str, Any]:
    """[n * 2, 2] or [n, 2]."""
    return {
        "then_branch": branch(node("Concat", "x x", "t", axis=0)),
        "else_branch": branch(node("Identity", "x", "t")),
    }


def outputs(*names: str) -> Any:
    return [onnx.ValueInfoProto(name=n) for n in names]


@pytest.mark.parametrize("shape", [("n", 2), (5, 2)])
def test_the_extent_of_the_branch_that_ran(shape: Any) -> None:
    """Also where operators follow that need it, and where both are known."""
    nodes = [
        node("If", "c", "y", **twice_or_once()),
        node("ReduceMean", "y", "m", keepdims=0),
        node("Sub", "y m", "d"),
        node("Concat", "d y", "z", axis=0),
        node("Shape", "z", "s"),
    ]
    proto = model(
        nodes, [INPUTS[0], info("x", shape=shape)], opset=16, outputs=outputs("y", "z", "s")
    )
    for c, count in zip(BOTH, (10, 5), strict=True):
        found = check(proto, c, X)
        assert found[0].shape == (count, 2)
        assert found[2].tolist() == [3 * count - count, 2]
    if shape[0] == "n":
        check(proto, BOTH[0], X[:1])
        check(proto, BOTH[1], X[:3])


def test_no_elements() -> None:
    proto = model(node("If", "c", "y", **twice_or_once()), INPUTS, opset=16)
    for c in BOTH:
        assert check(proto, c, X[:0])[0].shape == (0, 2)


def test_a_condition_from_a_shape() -> None:
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n"),
        node("Less", "n four", "c"),
        node("If", "c", "y", **twice_or_once()),
    ]
    numbers = [constant("zero", np.int64(0)), constant("four", np.int64(4))]
    proto = model(nodes, INPUTS[1:], opset=16, initializers=numbers)
    assert check(proto, X)[0].shape == (5, 2)
    assert check(proto, X[:3])[0].shape == (6, 2)


def test_extents_of_other_inputs() -> None:
    """Neither branch has what the other one's extents are made of; two results share them."""
    both = [info(name) for name in "tu"]
    arms = {
        "then_branch": graph([node("Neg", "x", "t"), node("Exp", "x", "u")], (), both),
        "else_branch": graph([node("Neg", "w", "t"), node("Abs", "w", "u")], (), both),
    }
    made = [node("If", "c", "a b", **arms), node("Add", "a b", "z")]
    inputs = [*INPUTS, info("w", shape=("m", "k"))]
    proto = model(made, inputs, opset=16, outputs=outputs("z"))
    for c in BOTH:
        for w in (np.ones((2, 7), np.float32), np.ones((9, 1), np.float32)):
            check(proto, c, X, w)


def test_a_branch_in_a_branch_and_in_a_loop() -> None:
    inner = {
        "then_branch": branch(node("If", "d", "t", **twice_or_once())),
        "else_branch": branch(node("Concat", "x x x", "t", axis=0)),
    }
    inputs = [*INPUTS, info("d", "i1", ())]
    proto = model(node("If", "c", "y", **inner), inputs, opset=16)
    counts = [check(proto, c, X, d)[0].shape[0] for c in BOTH for d in BOTH]
    assert counts == [10, 5, 15, 15]

    body = graph(
        [
            node("If", "c", "r", **twice_or_once()),
            node("ReduceSum", "r", "q", keepdims=0),
            node("Add", "s q", "t"),
            node("Identity", "go", "on"),
        ],
        [info("i", "i64", ()), info("go", "i1", ()), info("s", shape=())],
        [info("on", "i1", ()), info("t", shape=())],
    )
    numbers = [constant("zero", np.float32(0)), constant("three", np.int64(3))]
    loop = model(node("Loop", "three _ zero", body=body), INPUTS, opset=16, initializers=numbers)
    assert [float(check(loop, c, X)[0]) for c in BOTH] == [270, 135]


def test_an_extent_that_a_branch_computes() -> None:
    """How many elements are not zero is no more than all, and is known before in the other one."""
    arms = {
        "then_branch": branch(node("NonZero", "x", "t"), type="i64"),
        "else_branch": branch(
            node("Cast", "x", "v", to=7), node("Transpose", "v", "t"), type="i64"
        ),
    }
    proto = model(node("If", "c", "y", **arms), INPUTS, opset=16)
    assert [check(proto, c, X)[0].shape for c in BOTH] == [(2, 9), (2, 5)]


def test_an_extent_that_was_computed_before() -> None:
    arms = {
        "then_branch": branch(node("Concat", "z z", "t", axis=1), type="i64"),
        "else_branch": branch(node("Identity", "z", "t"), type="i64"),
    }
    proto = model([node("NonZero", "x", "z"), node("If", "c", "y", **arms)], INPUTS, opset=16)
    assert [check(proto, c, X)[0].shape for c in BOTH] == [(2, 18), (2, 9)]


def test_an_extent_that_a_branch_reads() -> None:
    arms = {
        "then_branch": branch(node("Expand", "x e", "t")),
        "else_branch": branch(node("Identity", "x", "t")),
    }
    proto = model(
        node("If", "c", "y", **arms),
        [INPUTS[0], info("x", shape=(1, 2)), info("e", "i64", (2,))],
        opset=16,
    )
    for c in BOTH:
        for shape in ([3, 2], [1, 1], [400, 1]):
            check(proto, c, X[:1, :2], np.array(shape, np.int64))
    with pytest.raises(ArgumentError, match="negative"):
        function(proto)(BOTH[0], X[:1, :2], np.array([3, 3], np.int64))


def test_a_condition_of_unknown_length() -> None:
    """It must be one element when the function runs."""
    inputs = [info("c", "i1", ("u",)), INPUTS[1]]
    proto = model(node("If", "c", "y", **twice_or_once()), inputs, opset=16)
    for c in BOTH:
        check(proto, c.reshape(1), X)
    with pytest.raises(ArgumentError, match="If: expected one element"):
        function(proto)(np.array([True, False]), X)
    fixed = model(
        node("If", "c", "y", **twice_or_once()), [info("c", "i1", (2,)), INPUTS[1]], opset=16
    )
    with pytest.raises(InputError, match="expected one element"):
        function(fixed)
