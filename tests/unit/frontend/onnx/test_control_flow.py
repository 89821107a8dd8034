"""If, Loop and Scan of ONNX against onnxruntime, and control flow through every stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper  # noqa: E402

import opc  # noqa: E402
from opc.api.driver import load  # noqa: E402
from opc.dialects.registry import context  # noqa: E402
from opc.errors import InputError, OpcError, UnsupportedError  # noqa: E402
from opc.interpret.function import run as interpret  # noqa: E402
from opc.passes import pipeline  # noqa: E402
from tests.unit.common.onnx_models import function, graph_of, info, model, node, run  # noqa: E402

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(4)]


def graph(nodes: Any, inputs: Any = (), outputs: Any = (), initializers: Any = ()) -> Any:
    return helper.make_graph(nodes, "body", list(inputs), list(outputs), list(initializers))


def constant(name: str, value: Any) -> Any:
    return onnx.numpy_helper.from_array(np.asarray(value), name)


def check(proto: Any, *arrays: Any) -> list[Any]:
    """The results, which are those of onnxruntime, and those of the interpreter at each stage."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    names = [i.name for i in session.get_inputs()]
    wanted = session.run(None, dict(zip(names, arrays, strict=True)))
    found = run(proto, *arrays)
    found = found if isinstance(found, tuple | list) else [found]
    module = load(proto)
    known = [i.name for i in proto.graph.input]
    stages = [list(found)]
    for stage in ("graph", "normal", "kernels", "schedule", "loops"):
        work = module.clone()
        pipeline.run(work, context(), pipeline.passes(stage), verify_each=True)
        first = work.body.block.first_op
        assert len(known) == len(arrays)
        stages.append(interpret(first, [np.asarray(a) for a in arrays]))
    for results in stages:
        for a, b in zip(results, wanted, strict=True):
            assert np.asarray(a).dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
    return list(found)


def branches(**outputs: Any) -> dict[str, Any]:
    """Two branches that use values from outside."""
    y = [info("t", shape=None)]
    return {
        "then_branch": graph([node("Add", "x w", "t")], (), y),
        "else_branch": graph([node("Exp", "x", "e"), node("Sub", "e w", "t")], (), y),
    }


@pytest.mark.parametrize("is_true", [True, False])
@pytest.mark.parametrize("shape", [(3, 4), ("N", 4)])
def test_if(shape: Any, is_true: bool) -> None:
    proto = model(
        [node("Neg", "x0", "x"), node("If", "c", "r", **branches()), node("Relu", "r")],
        [info("c", "i1", ()), info("x0", shape=shape), info("w", shape=(4,))],
        opset=16,
        outputs=[info("y", shape=None)],
    )
    draw = np.random.default_rng(0)
    x, w = (draw.normal(size=s).astype("f") for s in ((3, 4), (4,)))
    check(proto, np.array(is_true), x, w)
    check(proto, np.array(is_true), x[:0] if shape[0] == "N" else x, w)


def test_known_condition() -> None:
    proto = model(
        [node("If", "c", "y", **branches())],
        [info("x", shape=(2,)), info("w", shape=(2,))],
        opset=16,
        outputs=[info("y", shape=None)],
        initializers=[constant("c", True)],
    )
    assert "opc.if" not in function(proto).ir("graph")
    check(proto, np.float32([1, 2]), np.float32([3, 4]))


def test_branches_of_different_ranks() -> None:
    y = [info("t", shape=None)]
    arms = {
        "then_branch": graph([node("Identity", "x", "t")], (), y),
        "else_branch": graph([node("ReduceSum", "x", "t", keepdims=0)], (), y),
    }
    proto = model(
        [node("If", "c", "y", **arms)], [info("c", "i1", ()), info("x", shape=(2,))], opset=16
    )
    with pytest.raises(UnsupportedError, match="nothing decides the rank"):
        function(proto)


def loop_body(nodes: Any, outputs: Any, states: Any) -> Any:
    ins = [info("i", "i64", ()), info("go", "i1", ()), *states]
    return graph(nodes, ins, outputs)


def counting(trip: Any, condition: str = "_") -> Any:
    """A loop that adds i * w to a state and stacks it."""
    body = loop_body(
        [
            node("Cast", "i", "f", to=1),
            node("Mul", "f w", "p"),
            node("Add", "s p", "t"),
            node("Identity", "go", "on"),
            node("Identity", "t", "out"),
        ],
        [info("on", "i1", ()), info("t", shape=None), info("out", shape=None)],
        [info("s", shape=None)],
    )
    return [node("Loop", f"{trip} {condition} x", "y ys", body=body)]


@pytest.mark.parametrize("trips", [1, 4, 5])
def test_loop_of_known_length(trips: int) -> None:
    proto = model(
        counting("m"),
        [info("x", shape=("N", 3)), info("w", shape=(3,))],
        opset=16,
        outputs=[info("y", shape=None), info("ys", shape=None)],
        initializers=[constant("m", np.int64(trips))],
    )
    draw = np.random.default_rng(trips)
    check(proto, draw.normal(size=(2, 3)).astype("f"), draw.normal(size=3).astype("f"))


def test_no_iterations() -> None:
    """What is stacked has the extents that it would have; onnxruntime forgets them."""
    inputs = [info("x", shape=(2, 3)), info("w", shape=(3,))]
    proto = model(counting("m"), inputs, 16, initializers=[constant("m", np.int64(-2))])
    x = np.ones((2, 3), np.float32)
    y, ys = run(proto, x, x[0])
    assert y.tolist() == x.tolist() and ys.shape == (0, 2, 3)


def test_loop_over_an_extent() -> None:
    """As many iterations as the input has rows."""
    nodes = [
        node("Shape", "z", "shape"),
        node("Gather", "shape zero", "m", axis=0),
        *counting("m"),
    ]
    proto = model(
        nodes,
        [info("z", shape=("M", 2)), info("x", shape=("N", 3)), info("w", shape=(3,))],
        opset=16,
        outputs=[info("y", shape=None), info("ys", shape=None)],
        initializers=[constant("zero", np.int64(0))],
    )
    draw = np.random.default_rng(3)
    arrays = [draw.normal(size=s).astype("f") for s in ((5, 2), (2, 3), (3,))]
    _, ys = check(proto, *arrays)
    assert ys.shape == (5, 2, 3)


def halving(limit: float) -> Any:
    """A loop that halves a state until its sum is below a limit, with an If inside."""
    y = [info("t", shape=None)]
    arms = {
        "then_branch": graph([node("Mul", "s half", "t")], (), y),
        "else_branch": graph([node("Mul", "s w", "t")], (), y),
    }
    body = loop_body(
        [
            node("Mod", "i two", "odd"),
            node("Cast", "odd", "is_odd", to=9),
            node("If", "is_odd", "t", **arms),
            node("ReduceSum", "t", "sum", keepdims=0),
            node("Greater", "sum limit", "on"),
        ],
        [info("on", "i1", ()), info("t", shape=None)],
        [info("s", shape=None)],
    )
    known = {"half": np.float32(0.5), "limit": np.float32(limit), "two": np.int64(2)}
    return body, [constant(n, v) for n, v in known.items()]


@pytest.mark.parametrize("trips", [0, 1, 2, 3, 100, None])
@pytest.mark.parametrize("start", [True, False])
def test_loop_of_unknown_length(trips: int | None, start: bool) -> None:
    """A run-time trip count and condition, a branch inside, and values from two levels outside."""
    body, initializers = halving(0.2)
    names = "m" if trips is not None else "_"
    inputs = [info("m", "i64", ())] if trips is not None else []
    proto = model(
        [node("Loop", f"{names} c x", "y", body=body)],
        [*inputs, info("c", "i1", ()), info("x", shape=("N", 3)), info("w", shape=(3,))],
        opset=16,
        outputs=[info("y", shape=None)],
        initializers=initializers,
    )
    x, w = np.full((2, 3), 2, np.float32), np.float32([0.5, 0.25, 0.75])
    given = [np.array(trips)] if trips is not None else []
    check(proto, *given, np.array(start), x, w)


def test_run_time_trips_without_condition() -> None:
    body = loop_body(
        [node("Add", "s w", "t"), node("Identity", "go", "on")],
        [info("on", "i1", ()), info("t", shape=None)],
        [info("s", shape=None)],
    )
    proto = model(
        [node("Loop", "m _ x", "y", body=body)],
        [info("m", "i64", ()), info("x", shape=(3,)), info("w", shape=(3,))],
        opset=13,
        outputs=[info("y", shape=None)],
    )
    for trips in (0, 1, 7):
        check(proto, np.array(trips), np.float32([1, 2, 3]), np.float32([1, 0.5, 0.25]))


def test_a_loop_that_carries_nothing() -> None:
    """Both of its inputs may be absent, and must be written nevertheless."""
    body = loop_body(
        [node("Cast", "i", "f", to=1), node("Add", "f x", "t"), node("Identity", "go", "on")],
        [info("on", "i1", ()), info("t", shape=None)],
        [],
    )
    proto = model(
        [node("Loop", "m _", "y", body=body)],
        [info("m", "i64", ()), info("x", shape=(3,))],
        opset=16,
        outputs=[info("y", shape=None)],
    )
    for trips in (0, 4):
        check(proto, np.array(trips), np.float32([1, 2, 3]))
    with pytest.raises(InputError, match="input B is missing"):
        graph_of(model([node("Add", "x _")], [info("x", shape=(3,))]))


def test_what_a_loop_cannot_have() -> None:
    inputs = [info("x", shape=(3,)), info("w", shape=(3,))]
    with pytest.raises(UnsupportedError, match="the loop has no end"):
        function(model(counting("_"), inputs, opset=16))


def test_loop_that_grows() -> None:
    """A carried value that changes its shape: every iteration is written out."""
    body = loop_body(
        [node("Concat", "s x", "t", axis=0), node("Identity", "go", "on")],
        [info("on", "i1", ()), info("t", shape=None)],
        [info("s", shape=None)],
    )
    proto = model(
        [node("Loop", "m _ x", "y", body=body)],
        [info("x", shape=(2, 3))],
        opset=13,
        outputs=[info("y", shape=None)],
        initializers=[constant("m", np.int64(3))],
    )
    assert check(proto, np.ones((2, 3), "f"))[0].shape == (8, 3)


def scan_body() -> Any:
    return graph(
        [node("Add", "s a", "u"), node("Mul", "u b", "t"), node("Sub", "t w", "out")],
        [info("s", shape=None), info("a", shape=None), info("b", shape=None)],
        [info("t", shape=None), info("out", shape=None)],
    )


@pytest.mark.parametrize("opset", [9, 11, 16, 21])
@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"scan_input_axes": [1, 0], "scan_output_axes": [1]},
        {"scan_input_directions": [1, 0], "scan_output_directions": [1]},
    ],
)
def test_scan(attributes: Any, opset: int) -> None:
    turned = "scan_input_axes" in attributes
    proto = model(
        [node("Scan", "s0 a0 b0", "y ys", body=scan_body(), num_scan_inputs=2, **attributes)],
        [
            info("s0", shape=("N",)),
            info("a0", shape=("N", "T") if turned else ("T", "N")),
            info("b0", shape=("T", "N")),
            info("w", shape=("N",)),
        ],
        opset=opset,
        outputs=[info("y", shape=None), info("ys", shape=None)],
    )
    draw = np.random.default_rng(opset)
    s, a, b, w = (draw.normal(size=k).astype("f") for k in ((4,), (5, 4), (5, 4), (4,)))
    check(proto, s, np.ascontiguousarray(a.T) if turned else a, b, w)


def test_scan_of_a_batch() -> None:
    proto = model(
        [node("Scan", "_ s0 a0 b0", "y ys", body=scan_body(), num_scan_inputs=2)],
        [
            info("s0", shape=("B", 4)),
            info("a0", shape=("B", "T", 4)),
            info("b0", shape=("B", "T", 4)),
            info("w", shape=(4,)),
        ],
        opset=8,
        outputs=[info("y", shape=None), info("ys", shape=None)],
    )
    draw = np.random.default_rng(8)
    shapes = ((2, 4), (2, 5, 4), (2, 5, 4), (4,))
    check(proto, *(draw.normal(size=k).astype("f") for k in shapes))


def test_nested_scans() -> None:
    """A scan in a scan; the inner one uses a value of the outer body."""
    inner = graph(
        [node("Add", "s2 v", "u"), node("Mul", "u r", "t2"), node("Identity", "t2", "o2")],
        [info("s2", shape=None), info("v", shape=None)],
        [info("t2", shape=None), info("o2", shape=None)],
    )
    outer = graph(
        [
            node("ReduceSum", "row", "r", keepdims=0),
            node("Scan", "s row", "t o", body=inner, num_scan_inputs=1),
        ],
        [info("s", shape=None), info("row", shape=None)],
        [info("t", shape=None), info("o", shape=None)],
    )
    proto = model(
        [node("Scan", "s0 x", "y ys", body=outer, num_scan_inputs=1)],
        [info("s0", shape=()), info("x", shape=("T", "N"))],
        opset=16,
        outputs=[info("y", shape=None), info("ys", shape=None)],
    )
    x = np.random.default_rng(0).normal(size=(3, 4)).astype("f")
    check(proto, np.array(0.5, "f"), x)


def test_wrong_models() -> None:
    proto = model(
        [node("Scan", "x", "y", body=scan_body(), num_scan_inputs=1)],
        [info("x", shape=(3, 4)), info("w", shape=(4,))],
    )
    with pytest.raises(OpcError, match="body has 3 inputs, expected 1"):
        function(proto)
    proto = model([node("If", "c", "y")], [info("c", "i1", ())], opset=16)
    with pytest.raises(OpcError, match="attribute else_branch is missing"):
        function(proto)


def test_loop_with_known_indices() -> None:
    """A body that must know the number of the iteration is written out, and leaves nothing."""
    body = loop_body(
        [
            node("Add", "i one", "next"),
            node("Reshape", "i list", "from"),
            node("Reshape", "next list", "to"),
            node("Slice", "w from to", "part"),
            node("Add", "s part", "t"),
            node("Identity", "go", "on"),
        ],
        [info("on", "i1", ()), info("t", shape=None)],
        [info("s", shape=None)],
    )
    known = {"m": np.int64(3), "one": np.int64(1), "list": np.array([1], np.int64)}
    proto = model(
        [node("Loop", "m _ x", "y", body=body)],
        [info("x", shape=(2,)), info("w", shape=(3, 2))],
        opset=13,
        outputs=[info("y", shape=None)],
        initializers=[constant(n, v) for n, v in known.items()],
    )
    check(proto, np.float32([1, 2]), np.float32([[1, 2], [3, 4], [5, 6]]))
    assert "private" not in function(proto).ir("graph")


def test_too_much_is_refused() -> None:
    """Loops in loops that would be written out: their product counts."""

    def deep(level: int) -> Any:
        states = [info(f"s{level}", shape=None)]
        if level == 2:
            inner = [node("Concat", "s2 x", "t2", axis=0)]
        else:
            names = f"m _ s{level}"
            inner = [node("Loop", names, f"t{level}", body=deep(level + 1))]
        ins = [info(f"i{level}", "i64", ()), info(f"go{level}", "i1", ())]
        outs = [info(f"on{level}", "i1", ()), info(f"t{level}", shape=None)]
        return graph([*inner, node("Identity", f"go{level}", f"on{level}")], [*ins, *states], outs)

    proto = model(
        [node("Loop", "m _ x", "y", body=deep(0))],
        [info("x", shape=(1, 2))],
        opset=13,
        outputs=[info("y", shape=None)],
        initializers=[constant("m", np.int64(40))],
    )
    with pytest.raises(UnsupportedError, match="nodes"):
        opc.compile(proto, budgets={"nodes": 500})


def test_extents_in_bodies() -> None:
    """A body computes with an extent of a value that it takes no element of, and requires one."""
    y = [info("t", shape=None)]
    sized = [
        node("Shape", "z", "shape"),
        node("ReduceProd", "shape", "size", keepdims=0),
        node("Cast", "size", "number", to=1),
        node("Mul", "x number", "t"),
    ]
    arms = {
        "then_branch": graph(sized, (), y),
        "else_branch": graph([node("Add", "x w", "t")], (), y),
    }
    proto = model(
        [node("If", "c", "y", **arms)],
        [
            info("c", "i1", ()),
            info("x", shape=("N",)),
            info("w", shape=("K",)),
            info("z", shape=("M", "L")),
        ],
        opset=16,
        outputs=[info("y", shape=None)],
    )
    x, w, z = np.float32([1, 2, 3]), np.float32([4, 5, 6]), np.zeros((3, 5), np.float32)
    for is_true in (True, False):
        check(proto, np.array(is_true), x, w, z)
    with pytest.raises(OpcError, match=r"do not broadcast|differ"):
        run(proto, np.array(False), x, w[:2], z)
