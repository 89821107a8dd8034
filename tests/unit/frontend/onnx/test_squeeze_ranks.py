"""Squeeze without axes over extents that only a run knows: a choice of rank.

Values are those of NumPy and onnxruntime; graphs run in the interpreter, but for a few.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from opc.interpret.function import run as interpret  # noqa: E402
from tests.unit.common.onnx_models import (  # noqa: E402
    function,
    graph_of,
    graph_text,
    info,
    interpreted,
    model,
    node,
)
from tests.unit.frontend.onnx.test_control_flow import constant  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_ranks import agree, expected, numbers  # noqa: E402

OPSETS = (1, 11, 13, 21)
FOLLOWING = ("", "Reshape", "Gemm", "MatMul")
REFUSED = r"cannot be taken|is not 1|declared with rank|extents differ|found extent \d, expected \d"


def calls(extents: list[Any]) -> Iterator[tuple[int, ...]]:
    """Shapes of each combination of the symbols."""
    names = sorted({e for e in extents if isinstance(e, str)})
    for values in product((1, 2, 3), repeat=len(names)):
        known = dict(zip(names, values, strict=True))
        yield tuple(known.get(e, e) for e in extents)


def drawn(seed: int, rank: int, opset: int, following: str) -> tuple[Any, Any, Any]:
    """A model, shapes for it, and what it computes of an array; None where it fails."""
    rng = np.random.default_rng([seed, rank, opset, FOLLOWING.index(following)])
    extents = [[1, 2, "a", "b", "c"][int(k)] for k in rng.integers(5, size=rank)]
    extents[int(rng.integers(rank))] = "a"
    shapes = list(calls(extents))
    kept = [[e for e in shape if e != 1] for shape in shapes]
    target = kept[int(rng.integers(len(kept)))]
    nodes, outputs, given = [node("Squeeze", "x", "z")], [], []
    if not following:
        nodes.append(node("Abs", "z", "y"))
        outputs = [info("y", shape=[f"d{k}" for k in range(len(target))])]
    elif following == "Reshape":
        if opset < 5:
            nodes.append(node("Reshape", "z", "y", shape=[-1]))
        else:
            given = [constant("all", np.array([-1]))]
            nodes.append(node("Reshape", "z all", "y"))
    else:
        places = [k for k in kept if len(k) == 2 or (k and following == "MatMul")]
        length = places[int(rng.integers(len(places)))][-1] if places else 4
        w = rng.normal(size=(length, 2)).astype(np.float32)
        given = [constant("w", w), constant("b", np.zeros((1, 2), np.float32))]
        inputs = "z w b" if following == "Gemm" else "z w"
        old = {"broadcast": 1} if following == "Gemm" and opset < 7 else {}
        nodes += [node(following, inputs, "p", **old), node("ReduceMax", "p", "y", keepdims=0)]

    def wanted(x: Any) -> Any:
        s = x.squeeze()
        if not following:
            return np.abs(s) if s.ndim == len(target) else None
        if following == "Reshape":
            return s.reshape(-1)
        if not s.ndim or s.shape[-1] != len(w) or (following == "Gemm" and s.ndim != 2):
            return None
        return (s @ w).max()

    return model(nodes, [info("x", shape=extents)], opset, outputs, given), shapes, wanted


def compare(proto: Any, shapes: Any, wanted: Any) -> tuple[int, int]:
    """How many calls are computed and refused, as they must be."""
    counts = [0, 0]
    values = [wanted(np.zeros(shape, np.float32)) for shape in shapes]
    if all(value is None for value in values):
        with pytest.raises(InputError):
            graph_of(proto)
        return 0, 0
    main: Any = graph_of(proto).body.block.first_op
    for shape in shapes:
        x = numbers(*shape)
        value = wanted(x)
        counts[value is None] += 1
        if value is None:
            with pytest.raises(ArgumentError, match=REFUSED):
                interpret(main, [x])
            continue
        (found,) = interpret(main, [x])
        np.testing.assert_allclose(found, value, 1e-5, 1e-6)
        assert found.shape == np.shape(value)
    return counts[0], counts[1]


@pytest.mark.sample(4)
@pytest.mark.parametrize("following", FOLLOWING)
@pytest.mark.parametrize("opset", OPSETS)
def test_drawn_shapes(opset: int, following: str) -> None:
    counts = [compare(*drawn(0, rank, opset, following)) for rank in range(1, 6)]
    computed, refused = map(sum, zip(*counts, strict=True))
    assert computed and (refused or following == "Reshape")


@pytest.mark.long
@pytest.mark.parametrize("following", FOLLOWING)
@pytest.mark.parametrize("opset", OPSETS)
def test_many_drawn_shapes(opset: int, following: str) -> None:
    for seed, rank in product(range(1, 12), range(1, 6)):
        compare(*drawn(seed, rank, opset, following))


def gru(x: str, out: str, inputs: str = "_ _ _") -> tuple[Any, list[Any]]:
    """A GRU over rows of 4, and its weights."""
    weights = [constant("w", numbers(1, 9, 4)), constant("r", numbers(1, 9, 3))]
    made = node("GRU", f"{x} w r {inputs}", f"_ {out}", hidden_size=3)
    return made, weights


@pytest.mark.parametrize("opset", [7, 14, 22])
def test_gru_takes_one_rank(opset: int) -> None:
    """Steps and batch that are 1 would go, too."""
    following, weights = gru("z", "h")
    nodes = [node("Squeeze", "x", "z"), following]
    proto = model(nodes, [info("x", shape=("t", "n", 1, 4))], opset, initializers=weights)
    proto.graph.output[0].CopyFrom(onnx.ValueInfoProto(name="h"))
    main: Any = graph_of(proto).body.block.first_op
    for t, n in product((1, 2, 5), repeat=2):
        x = numbers(t, n, 1, 4)
        if t == 1 or n == 1:
            with pytest.raises(ArgumentError, match="cannot be taken"):
                interpret(main, [x])
            continue
        np.testing.assert_allclose(interpret(main, [x])[0], expected(proto, x)[0], 1e-5, 1e-5)


@pytest.mark.parametrize("opset", [7, 14])
@pytest.mark.parametrize("is_first", [False, True])
def test_what_something_else_requires(opset: int, is_first: bool) -> None:
    """A state of one batch leaves one rank, wherever it stands; no other error is said of it."""
    other, weights = gru("s", "h", "_ _ h0")
    weights.append(constant("h0", numbers(1, 1, 3)))
    nodes = [node("Transpose", "x", "s", perm=[1, 0, 2]), other]
    nodes.insert(0 if is_first else 2, node("Squeeze", "x", "z"))
    outputs = [info("z", shape=None), info("h", shape=None)]
    proto = model(nodes, [info("x", shape=("n", 1, 4))], opset, outputs, weights)
    agree(proto, numbers(1, 1, 4))
    assert "opc.if" not in graph_text(proto)
    with pytest.raises(ArgumentError) as error:
        interpreted(proto, numbers(2, 1, 4))
    assert "cannot be taken" not in str(error.value)


def test_what_a_branch_knows_of_its_extents() -> None:
    """What follows requires an extent to be 1: where it is not, that cannot be right."""
    nodes = [node("Squeeze", "x", "z"), node("Squeeze", "z", "y", axes=[0])]
    with pytest.raises(InputError, match=r"axis 0 is not 1|axis 0 given"):
        graph_of(model(nodes, [info("x", shape=("n", "m"))], 11))


@pytest.mark.parametrize(
    "extents, rank",
    [(("n", 1, 4), None), (("n", "m"), None), (("a", "b", "c"), 7)],
)
def test_a_rank_that_nothing_decides(extents: Any, rank: int | None) -> None:
    declared = None if rank is None else range(2, 2 + rank)
    proto = model(node("Squeeze", "x", "y"), [info("x", shape=extents)], 16)
    if declared is not None:
        proto.graph.output[0].CopyFrom(info("y", shape=list(declared)))
    with pytest.raises(
        (InputError, UnsupportedError), match=r"depends on the extents|declared with rank 7"
    ):
        interpreted(proto, numbers(*(2,) * len(extents)))


def test_extents_that_cannot_be_one() -> None:
    """Twice an extent, or one more than two: nothing is said of them."""
    nodes = [
        node("Concat", "x x", "twice", axis=0),
        node("Squeeze", "twice", "z"),
        node("Neg", "z", "y"),
    ]
    proto = model(nodes, [info("x", shape=("n", 1, 3))], 16)
    assert "opc.if" not in graph_text(proto)
    agree(proto, numbers(2, 1, 3))
    pads = constant("pads", np.array([1, 0, 1, 0]))
    nodes = [node("Pad", "x pads", "p"), node("Squeeze", "p", "y")]
    proto = model(nodes, [info("x", shape=("n", 1))], 16, initializers=[pads])
    assert "opc.if" not in graph_text(proto)
    agree(proto, numbers(1, 1))


@pytest.mark.parametrize("declared", [("p",), ("p", 3), (2, "p", 3), None])
def test_in_c(declared: Any) -> None:
    nodes = [node("Exp", "x", "e"), node("Squeeze", "e", "z")]
    nodes.append(
        node("Neg" if declared else "Flatten", "z", "y", **({} if declared else {"axis": 0}))
    )
    proto = model(nodes, [info("x", shape=("a", "b", 3))], 16)
    if declared:
        proto.graph.output[0].CopyFrom(info("y", shape=declared))
    found = function(proto)
    for a, b in product((1, 2, 4), repeat=2):
        x = numbers(a, b, 3)
        wanted = np.exp(x).squeeze()
        if declared and wanted.ndim != len(declared):
            with pytest.raises(ArgumentError, match=REFUSED):
                found(x)
            continue
        wanted = -wanted if declared else wanted.reshape(1, -1)
        np.testing.assert_allclose(found(x), wanted, 1e-5, 1e-6)


def test_two_of_them_meet() -> None:
    """Each may be of any rank; only together they decide that of the result."""
    nodes = [node("Squeeze", "x", "p"), node("Squeeze", "y", "q"), node("Add", "p q", "r")]
    shapes = [info("x", shape=("a", "b", 3)), info("y", shape=("c", "d", 3))]
    proto = model(nodes, shapes, 16, [info("r", shape=("e", 3))])
    main: Any = graph_of(proto).body.block.first_op
    for a, b, c, d in product((1, 2), repeat=4):
        x, y = numbers(a, b, 3), numbers(c, d, 3)
        wanted = x.squeeze() + y.squeeze()
        if wanted.ndim != 2:
            with pytest.raises(ArgumentError, match=REFUSED):
                interpret(main, [x, y])
            continue
        np.testing.assert_array_equal(interpret(main, [x, y])[0], wanted)


def test_extents_that_a_run_reads() -> None:
    """Numbers among those that are read are known, whatever reads them."""
    one, two = constant("one", np.array([1])), constant("two", np.array([2, 3]))
    for operator, source in (("Expand", (1,)), ("Reshape", (12,))):
        nodes = [
            node("Concat", "n one two", "s", axis=0),
            node(operator, "x s", "e"),
            node("Squeeze", "e", "y"),
        ]
        inputs = [info("x", shape=source), info("n", "i64", (1,))]
        proto = model(nodes, inputs, 16, [info("y", shape=("a", 2, 3))], [one, two])
        agree(proto, numbers(*source), np.array([2]))
        with pytest.raises(ArgumentError):
            interpreted(proto, numbers(*source), np.array([1]))


def test_openvino(tmp_path: Path) -> None:
    """Its models say no rank of what follows: that must take any, or one."""
    ov = pytest.importorskip("openvino")
    from openvino import opset15 as ops

    from tests.unit.common.openvino_models import by_opc, by_openvino, save

    row = ops.constant([1, -1])
    followings = {
        "any": lambda z: ops.reshape(z, row, False),
        "one": lambda z: ops.reshape(ops.transpose(ops.tanh(z), ops.constant([1, 0])), row, False),
        "none": ops.negative,
    }
    for name, following in followings.items():
        x = ops.parameter(ov.PartialShape([-1, 1, -1, 3]), ov.Type.f32)
        made = ov.Model([following(ops.squeeze(ops.relu(x)))], [x], "model")
        path = save(made, tmp_path, name)
        if name == "none":
            with pytest.raises(UnsupportedError, match="depends on the extents"):
                by_opc(path, [numbers(1, 1, 2, 3)])
            continue
        for shape in ((1, 1, 1, 3), (1, 1, 2, 3), (2, 1, 1, 3), (2, 1, 2, 3)):
            data = [numbers(*shape)]
            if name != "any" and shape.count(1) != 2:
                with pytest.raises(ArgumentError, match=REFUSED):
                    by_opc(path, data)
                continue
            fixed = made.clone()
            fixed.reshape(shape)
            wanted = by_openvino(fixed, data)[0]
            np.testing.assert_allclose(by_opc(path, data)[0], wanted, 1e-5, 1e-6)
