"""Sequences and optional values of ONNX, of which nothing is left after legalization."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

from opc.errors import InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, graph_text, info, interpreted, model, node, run  # noqa: E402

X, Y, Z = (np.arange(6, dtype=np.float32).reshape(2, 3) + 10 * k for k in range(3))
INFOS = [info(n, shape=(2, 3)) for n in "xvw"]


def constants(**lists: Any) -> list[Any]:
    return [onnx.numpy_helper.from_array(np.array(v, np.int64), n) for n, v in lists.items()]


def construct() -> Any:
    return node("SequenceConstruct", "x v w", "s")


@pytest.mark.parametrize("place, expected", [(0, X), (2, Z), (-1, Z), (-3, X)])
def test_at(place: int, expected: np.ndarray) -> None:
    proto = model([construct(), node("SequenceAt", "s p")], INFOS, initializers=constants(p=place))
    assert "Sequence" not in graph_text(proto)
    assert np.array_equal(interpreted(proto, X, Y, Z)[0], expected)


@pytest.mark.parametrize("place", [None, 0, 1, 2, -1])
def test_insert_and_erase(place: int | None) -> None:
    inserted, erased = [Y, Z], [X, Y, Z]
    inserted.insert(len(inserted) if place is None else place, X)
    del erased[-1 if place is None else place]
    p = "" if place is None else " p"
    nodes = [node("SequenceConstruct", "v w", "a"), node("SequenceInsert", f"a x{p}", "b")]
    nodes += [construct(), node("SequenceErase", f"s{p}", "c")]
    nodes += [node("ConcatFromSequence", name, f"{name}_", axis=1) for name in "bc"]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("b_", "c_")]
    proto = model(
        nodes, INFOS, outputs=outputs, initializers=constants(p=0 if place is None else place)
    )
    found = interpreted(proto, X, Y, Z)
    assert np.array_equal(found[0], np.concatenate(inserted, 1))
    assert np.array_equal(found[1], np.concatenate(erased, 1))


@pytest.mark.parametrize("place", [0, 1, 2, -1, -2, -3])
def test_a_place_that_only_a_run_knows(place: int) -> None:
    inserted, erased = [Y, Z], [X, Y, Z]
    nodes = [construct(), node("SequenceConstruct", "v w", "a")]
    nodes += [node("SequenceAt", "s p", "y"), node("SequenceErase", "s p", "c")]
    nodes += [node("SequenceInsert", "a x q", "b")]
    nodes += [node("ConcatFromSequence", name, f"{name}_", axis=1) for name in "bc"]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("y", "b_", "c_")]
    places = [info(n, "i64", ()) for n in "pq"]
    proto = model(nodes, [*INFOS, *places], outputs=outputs)
    other = max(place, -2)
    found = interpreted(proto, X, Y, Z, np.array(place), np.array(other))
    inserted.insert(other, X)
    assert np.array_equal(found[0], erased[place])
    del erased[place]
    assert np.array_equal(found[1], np.concatenate(inserted, 1))
    assert np.array_equal(found[2], np.concatenate(erased, 1))
    compiled = function(proto)
    for p, q in ((3, 0), (-4, 0), (0, 3), (0, -3)):
        with pytest.raises(OpcError, match="index is outside"):
            compiled(X, Y, Z, np.array(p), np.array(q))


@pytest.mark.parametrize("axis, new", [(0, 0), (-1, 0), (0, 1), (-1, 1), (1, 1)])
def test_concat(axis: int, new: int) -> None:
    nodes = [construct(), node("ConcatFromSequence", "s", axis=axis, new_axis=new)]
    expected = (np.stack if new else np.concatenate)([X, Y, Z], axis)
    assert np.array_equal(run(model(nodes, INFOS), X, Y, Z), expected)


@pytest.mark.parametrize(
    "split, keeps, place, expected",
    [
        (None, 1, 1, X[:, 1:2]),
        (None, 0, -1, X[:, 2]),
        (2, 0, 1, X[:, 2:]),
        ([1, 2], 0, 1, X[:, 1:]),
    ],
)
def test_split(split: Any, keeps: int, place: int, expected: np.ndarray) -> None:
    made = node("SplitToSequence", "x" + " l" * (split is not None), "s", axis=1, keepdims=keeps)
    listed = constants(p=place, **({} if split is None else {"l": split}))
    proto = model([made, node("SequenceAt", "s p")], INFOS[:1], initializers=listed)
    assert np.array_equal(interpreted(proto, X)[0], expected)


def test_lengths_that_a_run_knows() -> None:
    made = node("SplitToSequence", "x l", "s", axis=1)
    infos = [INFOS[0], info("l", "i64", (4,))]
    proto = model([made, node("SequenceLength", "s")], infos)
    assert interpreted(proto, X, np.int64([1, 1, 1, 0]))[0] == 4
    nodes = [made, node("ConcatFromSequence", "s", axis=0)]
    with pytest.raises(UnsupportedError, match="not known when compiling"):
        interpreted(model(nodes, infos), X, np.int64([1, 1, 1, 0]))


def test_lengths_that_are_expanded() -> None:
    """As torch exports a chunk: the length of a part, as often as there are parts, and the rest."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape axis", "extent"),
        node("Div", "extent two", "each"),
        node("Expand", "each two", "equal"),
        node("Mul", "each two", "all"),
        node("Sub", "extent all", "rest"),
        node("Concat", "equal rest", "lengths", axis=0),
        node("SplitToSequence", "x lengths", "s", axis=1),
        node("SequenceAt", "s one", "y"),
    ]
    proto = model(
        nodes, [info("x", shape=("N", 3))], initializers=constants(axis=[1], two=[2], one=1)
    )
    assert "Sequence" not in graph_text(proto)
    np.testing.assert_array_equal(run(proto, X), X[:, 1:2], strict=True)


def test_a_loop_that_collects() -> None:
    body = helper.make_graph(
        [
            node("Identity", "c", "d"),
            node("Mul", "x k", "t"),
            node("Cast", "i", "k_", to=1),
            node("Add", "t k_", "u"),
            node("SequenceInsert", "s u", "r"),
        ],
        "body",
        [
            info("i", "i64", ()),
            info("c", "i1", ()),
            helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None),
        ],
        [info("d", "i1", ()), helper.make_tensor_sequence_value_info("r", TensorProto.FLOAT, None)],
    )
    nodes = [
        node("SequenceEmpty", "", "e"),
        node("Constant", "", "k", value_float=2.0),
        node("Loop", "n _ e", "s", body=body),
        node("ConcatFromSequence", "s", axis=0, new_axis=1),
    ]
    proto = model(nodes, INFOS[:1], 16, initializers=constants(n=3))
    expected = np.stack([2 * X + k for k in range(3)])
    assert np.array_equal(interpreted(proto, X)[0], expected)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_loop_that_appends_to_a_tensor(axis: int) -> None:
    """As the loops of detectors do, as often as there are boxes."""
    onnxruntime = pytest.importorskip("onnxruntime")
    body = helper.make_graph(
        [
            node("Identity", "c", "d"),
            node("Cast", "i", "k", to=1),
            node("Mul", "x k", "t"),
            node("Add", "a k", "b"),
            node("Cast", "s", "s_", to=1),
            node("Concat", "s_ t", "r_", axis=axis),
            node("Identity", "r_", "r"),
            node("ReduceSum", "t", "sum", keepdims=0),
        ],
        "body",
        [info("i", "i64", ()), info("c", "i1", ()), info("s", shape=None), info("a", shape=None)],
        [info("d", "i1", ()), *(info(n, shape=None) for n in ("r", "b", "sum"))],
    )
    nodes = [node("Loop", "m _ x x", "grown last sums", body=body)]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("grown", "last", "sums")]
    proto = model(nodes, [info("x", shape=("N", 2)), info("m", "i64", ())], 16, outputs)
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    compiled = function(proto)
    for count, rows in ((0, 3), (1, 1), (4, 3)):
        x = np.random.default_rng(0).integers(0, 9, (rows, 2)).astype(np.float32)
        given = {"x": x, "m": np.array(count)}
        for a, b in zip(compiled(*given.values()), session.run(None, given), strict=True):
            np.testing.assert_array_equal(a, b, strict=True)


@pytest.mark.parametrize("bags", [[0, 2, 2, 6], [0, 6]])
def test_bags_of_rows(bags: list[int]) -> None:
    """A loop without a number of iterations, whose condition is known in each.

    So is EmbeddingBag, as torch exports it: which rows a bag has is known, how many differs.
    """
    body = helper.make_graph(
        [
            node("Gather", "bags k", "start"),
            node("Add", "k one", "n"),
            node("Gather", "bags n", "end"),
            node("Slice", "x start end", "rows"),
            node("ReduceSum", "rows zero", "sum", keepdims=0),
            node("SequenceInsert", "s sum", "r"),
            node("Squeeze", "n", "n0"),
            node("Less", "n0 last", "d"),
        ],
        "body",
        [
            info("i", "i64", ()),
            info("c", "i1", ()),
            helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None),
            info("k", "i64", (1,)),
        ],
        [
            info("d", "i1", ()),
            helper.make_tensor_sequence_value_info("r", TensorProto.FLOAT, None),
            info("n", "i64", (1,)),
        ],
    )
    nodes = [
        node("SequenceEmpty", "", "e"),
        node("Loop", "_ yes e zero", "all n", body=body),
        node("ConcatFromSequence", "all", axis=0, new_axis=1),
    ]
    known = constants(bags=bags, one=[1], zero=[0], last=len(bags) - 1)
    known.append(onnx.numpy_helper.from_array(np.array(True), "yes"))
    x = np.random.default_rng(0).integers(0, 9, (6, 3)).astype(np.float32)
    expected = np.stack([x[a:b].sum(0) for a, b in pairwise(bags)])
    proto = model(nodes, [info("x", shape=(6, 3))], 16, initializers=known)
    assert np.array_equal(run(proto, x), expected)


def growing(*after: Any, trips: str = "m", condition: str = "_", **more: Any) -> Any:
    """A loop that appends to a sequence what it adds up, as often as an input says."""
    body = helper.make_graph(
        [
            node("Identity", "c", "d") if condition == "_" else node("Less", "i limit", "d"),
            node("Add", "a x", "b"),
            node("Mul", "b b", "t"),
            node("SequenceInsert", "s t", "r0"),
            node("Identity", "r0", "r"),
        ],
        "body",
        [
            info("i", "i64", ()),
            info("c", "i1", ()),
            helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, None),
            info("a", shape=None),
        ],
        [
            info("d", "i1", ()),
            helper.make_tensor_sequence_value_info("r", TensorProto.FLOAT, None),
            info("b", shape=None),
            info("t", shape=None),
        ],
    )
    nodes = [
        node("SequenceEmpty", "", "e"),
        node("Loop", f"{trips} {condition} e x", "all last squares", body=body),
        *after,
    ]
    infos = [info("x", shape=("N", 3)), info("m", "i64", ()), info("limit", "i64", ())]
    outputs = [onnx.ValueInfoProto(name=n) for n in more["outputs"]]
    return model(nodes, infos, 16, outputs, [onnx.numpy_helper.from_array(np.array(True), "yes")])


@pytest.mark.parametrize("trips, condition", [("m", "_"), ("m", "yes")])
def test_a_loop_that_collects_as_often_as_a_run_says(trips: str, condition: str) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    proto = growing(
        node("ConcatFromSequence", "all", "stacked", axis=1, new_axis=1),
        node("ConcatFromSequence", "all", "beside", axis=-1),
        node("ConcatFromSequence", "all", "below", axis=0),
        node("SequenceLength", "all", "count"),
        node("SequenceAt", "all p", "second"),
        node("Constant", "", "p", value_int=-2),
        trips=trips,
        condition=condition,
        outputs=["stacked", "beside", "below", "count", "second", "last", "squares"],
    )
    proto.graph.node.insert(0, proto.graph.node.pop())
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    x = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    compiled = function(proto)
    for count in (2, 5):
        given = (x, np.array(count), np.array(3))
        expected = session.run(None, dict(zip(("x", "m", "limit"), given, strict=True)))
        for found in (interpreted(proto, *given), compiled(*given)):
            for a, b in zip(found, expected, strict=True):
                assert np.asarray(a).dtype == b.dtype and np.asarray(a).shape == b.shape
                np.testing.assert_allclose(a, b, 1e-6)


def test_sequences_that_loops_cannot_collect() -> None:
    again = node("SequenceErase", "all", "left"), node("SequenceLength", "left", "y")
    with pytest.raises(UnsupportedError, match="sequence is known only at run time"):
        interpreted(growing(*again, outputs=["y"]), X, np.array(2), np.array(3))


def test_map() -> None:
    body = helper.make_graph([node("Add", "a b", "t")], "body", [info("a"), info("b")], [info("t")])
    nodes = [
        construct(),
        node("SequenceMap", "s x", "m", body=body),
        node("ConcatFromSequence", "m", axis=0),
    ]
    found = interpreted(model(nodes, INFOS, 18), X, Y, Z)[0]
    assert np.array_equal(found, np.concatenate([X + X, Y + X, Z + X]))


def test_optional_values() -> None:
    nodes = [
        node("Optional", "x", "o"),
        node("OptionalHasElement", "o", "h"),
        node("OptionalHasElement", "", "g"),
        node("OptionalGetElement", "o", "y"),
    ]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("h", "g", "y")]
    found = interpreted(model(nodes, INFOS[:1], 18, outputs), X)
    assert found[0].tolist() is True and found[1].tolist() is False
    assert np.array_equal(found[2], X)


@pytest.mark.parametrize(
    "nodes, error, message",
    [
        ([construct()], UnsupportedError, "cannot leave the graph"),
        ([construct(), node("Neg", "s")], InputError, "input X is a sequence"),
        ([node("SequenceAt", "x p")], InputError, "is a tensor, expected a sequence"),
        ([construct(), node("SequenceAt", "s q")], InputError, r"position 3 is outside \[-3, 2\]"),
        (
            [
                node("Transpose", "x", "t"),
                node("SequenceConstruct", "x t", "s"),
                node("SequenceAt", "s r"),
            ],
            UnsupportedError,
            "not known when compiling, and its shapes differ",
        ),
        (
            [construct(), node("SequenceInsert", "s r")],
            InputError,
            "i64 cannot be in a sequence of f32",
        ),
    ],
)
def test_refused(nodes: Any, error: type[OpcError], message: str) -> None:
    infos = [*INFOS, info("r", "i64", ())]
    with pytest.raises(error, match=message):
        interpreted(model(nodes, infos, initializers=constants(p=0, q=3)))
