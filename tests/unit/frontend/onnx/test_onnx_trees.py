"""Ensembles of trees in generated variants: a walk in plain Python says what is right."""

from __future__ import annotations

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest

import opc
from opc.errors import ArgumentError, InputError, UnsupportedError
from opc.frontend.models.forest import before, floor
from tests.unit.common.onnx_models import interpreted

MODES = {
    "BRANCH_LEQ": lambda a, b: a <= b,
    "BRANCH_LT": lambda a, b: a < b,
    "BRANCH_GTE": lambda a, b: a >= b,
    "BRANCH_GT": lambda a, b: a > b,
    "BRANCH_EQ": lambda a, b: a == b,
    "BRANCH_NEQ": lambda a, b: a != b,
}
SPLITS = (-1.0, -0.0, 0.0, 0.5, 1.0, 2.0, math.inf, -math.inf, math.nan)
TYPES = {
    "f32": (1, np.float32),
    "f64": (11, np.float64),
    "i64": (7, np.int64),
    "i32": (6, np.int32),
}


def grown(
    rng: Any, modes: tuple[str, ...], targets: int, features: int = 5, most: int = 5
) -> list[Any]:
    """The nodes of a tree, ``most`` deep: leaves are lists of a target and a weight."""
    nodes: list[Any] = []

    def grow(depth: int) -> int:
        nodes.append(None)
        at = len(nodes) - 1
        if depth == 0 or rng.random() < 0.2:
            nodes[at] = [(int(rng.integers(targets)), float(np.float32(rng.normal())))]
            return at
        mode, missing = str(rng.choice(modes)), int(rng.integers(2))
        split, feature = float(rng.choice(SPLITS)), int(rng.integers(features))
        nodes[at] = (mode, feature, split, missing, grow(depth - 1), grow(depth - 1))
        return at

    grow(most)
    return nodes


def leaf(nodes: list[Any], row: Any) -> Any:
    at = nodes[0]
    while isinstance(at, tuple):
        mode, feature, split, missing, yes, no = at
        x = row[feature]
        holds = (math.isnan(x) and missing) or MODES[mode](x, split)
        at = nodes[yes if holds else no]
    return at


def attributes(trees: list[list[Any]], what: str, order: Any = None) -> dict[str, Any]:
    """The lists of attributes; ``order`` shuffles the nodes of each tree behind its root."""
    names = ("treeids", "nodeids", "modes", "featureids", "values", "missing_value_tracks_true",
             "truenodeids", "falsenodeids")  # fmt: skip
    lists: dict[str, list[Any]] = {f"nodes_{n}": [] for n in names}
    given: dict[str, list[Any]] = {
        f"{what}_{n}": [] for n in ("treeids", "nodeids", "ids", "weights")
    }
    for tree, nodes in enumerate(trees):
        places = [*range(len(nodes))]
        if order is not None:
            places[1:] = order.permutation(places[1:]).tolist()
        for k in places:
            node = nodes[k]
            row = ("LEAF", 0, 0.0, 0, 0, 0) if isinstance(node, list) else node
            for name, number in zip(names, (tree, k, *row), strict=True):
                lists[f"nodes_{name}"].append(number)
            for target, weight in node if isinstance(node, list) else ():
                for name, number in zip(given, (tree, k, target, weight), strict=True):
                    given[name].append(number)
    return lists | given


def model(operator: str, type: str, outputs: list[Any], version: int = 3, **how: Any) -> Any:
    node = oh.make_node(operator, ["x"], [o.name for o in outputs], domain="ai.onnx.ml", **how)
    x = oh.make_tensor_value_info("x", TYPES[type][0], ["N", 5])
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", version)]
    return oh.make_model(
        oh.make_graph([node], "g", [x], outputs), opset_imports=imports, ir_version=8
    )


def inputs(rng: Any, type: str, rows: int = 37) -> Any:
    if type in ("f32", "f64"):
        choice = [-1, -0.0, 0, 0.5, 1, 2, math.nan, math.inf, -math.inf]
        return rng.choice(choice, (rows, 5)).astype(TYPES[type][1])
    return rng.integers(-2, 4, (rows, 5)).astype(TYPES[type][1])


def sums(trees: list[list[Any]], x: Any, targets: int) -> Any:
    found = [[[] for _ in range(targets)] for _ in x]
    for row, into in zip(x.tolist(), found, strict=True):
        for nodes in trees:
            for target, weight in leaf(nodes, row):
                into[target].append(weight)
    return found


FOLDS = {"SUM": sum, "MIN": min, "MAX": max}


@pytest.mark.parametrize("modes", [("BRANCH_LEQ",), ("BRANCH_GT", "BRANCH_LT"), tuple(MODES)])
@pytest.mark.parametrize("type, version", [("f32", 1), ("f64", 3), ("i64", 5), ("i32", 3)])
def test_regressor(type: str, version: int, modes: tuple[str, ...]) -> None:
    rng = np.random.default_rng(len(modes) + version)
    # More trees than go side by side, and some are left over.
    trees, x = [grown(rng, modes, 3) for _ in range(21)], inputs(rng, type)
    found = sums(trees, x, 3)
    out = [oh.make_tensor_value_info("y", 1, ["N", 3])]
    for kind in ("SUM", "AVERAGE"):
        how = attributes(trees, "target", rng if kind == "SUM" else None)
        proto = model(
            "TreeEnsembleRegressor", type, out, version, n_targets=3, aggregate_function=kind, **how
        )
        wanted = np.array([[sum(v) for v in row] for row in found])
        wanted /= len(trees) if kind == "AVERAGE" else 1
        np.testing.assert_allclose(opc.compile(proto)(x), wanted, 1e-5, 1e-5)


@pytest.mark.parametrize("kind", ["MIN", "MAX"])
@pytest.mark.parametrize("depth", [70, 200])
def test_deep_trees(depth: int, kind: str) -> None:
    """A tree of one side is no circle, however deep it is."""
    nodes: list[Any] = []
    for k in range(depth):
        nodes += [("BRANCH_LEQ", 0, float(k), 0, 2 * k + 1, 2 * k + 2), [(0, float(k))]]
    nodes.append([(0, -1.0)])
    x = np.zeros((depth + 2, 5), np.float32)
    x[:, 0] = np.arange(depth + 2) - 0.5
    out = [oh.make_tensor_value_info("y", 1, ["N", 1])]
    how = attributes([nodes, nodes], "target")
    proto = model("TreeEnsembleRegressor", "f32", out, n_targets=1, aggregate_function=kind, **how)
    wanted = [leaf(nodes, row)[0][1] for row in x.tolist()]
    np.testing.assert_array_equal(opc.compile(proto)(x)[:, 0], wanted)


@pytest.mark.parametrize("at", [0, 3])
def test_circles(at: int) -> None:
    nodes: list[Any] = [("BRANCH_LEQ", 0, 0.0, 0, 1, 2), [(0, 1.0)],
                        ("BRANCH_LEQ", 0, 0.0, 0, 3, 4), ("BRANCH_GT", 0, 1.0, 0, at, 1),
                        [(0, 2.0)]]  # fmt: skip
    out = [oh.make_tensor_value_info("y", 1, ["N", 1])]
    proto = model("TreeEnsembleRegressor", "f32", out, n_targets=1, **attributes([nodes], "target"))
    with pytest.raises(InputError, match="a circle"):
        opc.lower(proto)


def softmax(votes: Any) -> Any:
    """A row of probabilities for each row of votes."""
    powers = np.exp(votes - votes.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


POSTS = {
    "NONE": lambda votes: votes,
    "SOFTMAX": softmax,
    "LOGISTIC": lambda votes: 1 / (1 + np.exp(-votes)),
    # No vote here is 0, which alone would stay as it is.
    "SOFTMAX_ZERO": softmax,
}


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("is_text", [False, True])
def test_classifier(is_text: bool, post: str) -> None:
    rng = np.random.default_rng(5)
    trees, x = [grown(rng, ("BRANCH_LEQ",), 3) for _ in range(9)], inputs(rng, "f32")
    labels: Any = ["ant", "bee", "cow"] if is_text else [7, -3, 9]
    out = [
        oh.make_tensor_value_info("label", 8 if is_text else 7, ["N"]),
        oh.make_tensor_value_info("p", 1, ["N", 3]),
    ]
    how = {f"classlabels_{'strings' if is_text else 'int64s'}": labels}
    proto = model(
        "TreeEnsembleClassifier",
        "f32",
        out,
        post_transform=post,
        **how,
        **attributes(trees, "class"),
    )
    label, scores = opc.compile(proto)(x)
    votes = np.array([[sum(v) for v in row] for row in sums(trees, x, 3)])
    np.testing.assert_array_equal(label, np.array(labels)[votes.argmax(axis=1)])
    assert isinstance(label[0], str if is_text else np.int64)
    np.testing.assert_allclose(scores, POSTS[post](votes), 1e-5, 1e-5)


def ensemble(targets: int, leaves: int = 2, **how: Any) -> Any:
    """TreeEnsemble of trees of one node and two leaves; by default it asks for x[1] <= 0."""
    trees = leaves // 2
    how = {
        "nodes_featureids": [1] * trees,
        "nodes_modes": nh.from_array(np.zeros(trees, np.uint8)),
        **how,
    }
    node = oh.make_node(
        "TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=targets,
        tree_roots=list(range(trees)), nodes_splits=nh.from_array(np.zeros(trees, np.float32)),
        nodes_truenodeids=list(range(0, leaves, 2)), nodes_falsenodeids=list(range(1, leaves, 2)),
        nodes_trueleafs=[1] * trees, nodes_falseleafs=[1] * trees, **how,
    )  # fmt: skip
    infos = [[oh.make_tensor_value_info(n, 1, ["N", w])] for n, w in (("x", 2), ("y", targets))]
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", 5)]
    return oh.make_model(oh.make_graph([node], "g", *infos), opset_imports=imports, ir_version=8)


_LEAVES = {
    "leaf_targetids": [0, 0, 1, 1, 2, 2],
    "leaf_weights": nh.from_array(np.array([1, 2, 0, -1, 0.5, 0], np.float32)),
}


@pytest.mark.parametrize(
    "number, name", list(enumerate(["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"]))
)
def test_transforms_of_version_5(number: int, name: str) -> None:
    """The numbers of what older versions have the names of."""
    proto = ensemble(3, 6, post_transform=number, **_LEAVES)
    x = np.float32([[0, -1], [0, 1]])
    scores = np.float32([[1, 0, 0.5], [2, -1, 0]])
    powers, there = np.exp(scores), scores != 0
    expected = {
        "NONE": scores,
        "SOFTMAX": powers / powers.sum(axis=1, keepdims=True),
        "LOGISTIC": 1 / (1 + np.exp(-scores)),
        "SOFTMAX_ZERO": np.where(there, powers, 0)
        / np.where(there, powers, 0).sum(axis=1, keepdims=True),
    }
    np.testing.assert_allclose(interpreted(proto, x)[0], expected[name], 1e-6)


@pytest.mark.parametrize(
    "how, error, message",
    [
        ({"post_transform": 4}, UnsupportedError, "post_transform PROBIT is not supported here"),
        ({"post_transform": 5}, InputError, "post_transform is 5, expected 0, 1, 2, 3 or 4"),
        ({"aggregate_function": 7}, InputError, r"aggregate_function is 7, .* 0 \(AVERAGE\)"),
    ],
)
def test_refused_of_version_5(how: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        interpreted(ensemble(3, 6, **how, **_LEAVES), np.zeros((1, 2), np.float32))
    assert ("post_transform" in str(raised.value)) != ("aggregate" in str(raised.value))


@pytest.mark.parametrize("size", [0, 1, 2, 64, 200])
@pytest.mark.parametrize("missing", [0, 1])
def test_members(missing: int, size: int) -> None:
    """A set of any size is searched by halves."""
    rng = np.random.default_rng(size)
    members = rng.permutation(np.arange(size) * 3.0).tolist()
    proto = ensemble(
        1, nodes_featureids=[1], nodes_modes=nh.from_array(np.array([6], np.uint8)),
        leaf_targetids=[0, 0], leaf_weights=nh.from_array(np.array([1, 2], np.float32)),
        nodes_missing_value_tracks_true=[missing],
        membership_values=nh.from_array(np.array([*members, math.nan], np.float32)),
    )  # fmt: skip
    x = np.zeros((3 * size + 9, 2), np.float32)
    x[:, 1] = np.arange(len(x)) - 4
    x[-1, 1] = math.nan
    wanted = [1 if v in members or (v != v and missing) else 2 for v in x[:, 1].tolist()]
    np.testing.assert_array_equal(opc.compile(proto)(x)[:, 0], wanted)


def test_splits_between_floats() -> None:
    """The splits of f64 that x of f32 is compared with."""
    numbers = np.array([0.1, 1.0, -0.0, 1e300, -1e300, math.inf, -math.inf, math.nan, 5e-324])
    f32 = np.dtype(np.float32)
    x = np.array([0.1, 1, 0, -0.0, 1e-45, -1e-45, math.inf, -math.inf, 3.4e38, -3.4e38], f32)
    x = np.concatenate([x, np.nextafter(x, f32.type(9)), np.nextafter(x, f32.type(-9))])
    for s, low, less in zip(numbers, floor(numbers, f32), before(numbers, f32), strict=True):
        np.testing.assert_array_equal(x <= low, x.astype(np.float64) <= s)
        np.testing.assert_array_equal(x <= less, x.astype(np.float64) < s)


def test_long_lists_of_a_file(tmp_path: Any) -> None:
    """The scan for large tensors leaves lists as they are, without a look at each element."""
    rng = np.random.default_rng(0)
    trees = [grown(rng, tuple(MODES), 2) for _ in range(900)]
    how = attributes(trees, "target")
    how["nodes_hitrates"] = rng.normal(size=len(how["nodes_modes"])).tolist()
    how["nodes_treeids"] = [t * 10**12 - 7 for t in how["nodes_treeids"]]
    how["target_treeids"] = [t * 10**12 - 7 for t in how["target_treeids"]]
    out = [oh.make_tensor_value_info("y", 1, ["N", 2])]
    proto = model("TreeEnsembleRegressor", "f32", out, n_targets=2, **how)
    path = tmp_path / "trees.onnx"
    onnx.save(proto, path)
    from opc.frontend.onnx.embedded import InMemory, Scanner, without_weights
    from opc.frontend.onnx.file import Model
    from opc.frontend.onnx.reader import convert, from_content

    content = InMemory(path.read_bytes())
    assert without_weights(content)[0] == path.read_bytes()
    with patch.object(Scanner, "varint", autospec=True, side_effect=Scanner.varint) as varint:
        without_weights(content)
    assert varint.call_count < 500
    assert str(from_content(path.read_bytes())) == str(convert(Model(proto, None, "model")))


@pytest.mark.parametrize("post", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("which", [0, 1])
def test_labels_of_one_score(which: int, sign: int, post: str) -> None:
    """A label contradicts the scores only where a note says so, and no weight is negative."""
    rng = np.random.default_rng(8)
    trees, x = [grown(rng, ("BRANCH_LEQ",), 1) for _ in range(3)], inputs(rng, "f32")
    for given in (node for nodes in trees for node in nodes if isinstance(node, list)):
        given[0] = (which, sign * float(np.float32(rng.uniform(0.01, 0.4))))
    infos = [("label", 7, ["N"]), ("p", 1, ["N", 2])]
    out = [oh.make_tensor_value_info(*info) for info in infos]
    how = {"classlabels_int64s": [0, 1], "post_transform": post, **attributes(trees, "class")}
    proto = model("TreeEnsembleClassifier", "f32", out, **how)
    label, scores = interpreted(proto, x)
    total = np.array([sum(row[which]) for row in sums(trees, x, 2)])
    np.testing.assert_array_equal(label, total > (0.5 if sign > 0 else 0))
    noted = [n for n in opc.lower(proto).interface.notes if "contradict the scores" in n]
    assert len(noted) == (sign > 0 and (which == 1 or post == "LOGISTIC"))
    assert (label != scores.argmax(axis=1)).any() == bool(noted)


@pytest.mark.parametrize("dims", [["N", "F"], ["?", "?"], [None, None]])
@pytest.mark.parametrize("type", ["f32", "i64"])
def test_an_unknown_number_of_features(type: str, dims: list[Any]) -> None:
    """Conversions of sklearn may state no width; more columns than are used are legal."""
    rng = np.random.default_rng(11)
    trees, x = [grown(rng, ("BRANCH_LEQ",), 1) for _ in range(3)], inputs(rng, type)
    out = [oh.make_tensor_value_info("y", 1, [None, 1])]
    proto = model("TreeEnsembleRegressor", type, out, n_targets=1, **attributes(trees, "target"))
    proto.graph.input[0].CopyFrom(oh.make_tensor_value_info("x", TYPES[type][0], dims))
    f = opc.compile(proto)
    wanted = np.array([[sum(v) for v in row] for row in sums(trees, x, 1)])
    np.testing.assert_allclose(f(x), wanted, 1e-5, 1e-5)
    np.testing.assert_array_equal(f(np.hstack([x, x])), f(x))
    with pytest.raises(ArgumentError, match="x has fewer columns than features: 2 and 5"):
        f(x[:, :2])


@pytest.mark.parametrize("columns", [5, "F"])
def test_trees_of_a_leaf_each(columns: int | str) -> None:
    trees, x = [[[(0, 0.5)]], [[(0, 0.25)]]], inputs(np.random.default_rng(0), "f32")
    out = [oh.make_tensor_value_info("y", 1, ["N", 1])]
    proto = model("TreeEnsembleRegressor", "f32", out, n_targets=1, **attributes(trees, "target"))
    proto.graph.input[0].CopyFrom(oh.make_tensor_value_info("x", 1, ["N", columns]))
    np.testing.assert_array_equal(opc.compile(proto)(x), np.full((37, 1), 0.75, np.float32))


@pytest.mark.parametrize(
    "feature, name, message",
    [
        (77, "target_weights", r"feature 77 is not a column of x, tensor<\?x5xf32"),
        (-1, "target_weights", "feature -1 is not a column of x"),
        (0, "target_weights", r"target_ids: 2, target_weights: 1$"),
    ],
)
def test_messages_of_broken_lists(feature: int, name: str, message: str) -> None:
    """They say which feature, and lists by the names of attributes."""
    nodes: list[Any] = [("BRANCH_LEQ", feature, 0.0, 0, 1, 2), [(0, 1.0)], [(0, 2.0)]]
    lists = attributes([nodes], "target")
    if feature == 0:
        lists[name] = lists[name][:-1]
    out = [oh.make_tensor_value_info("y", 1, ["N", 1])]
    proto = model("TreeEnsembleRegressor", "f32", out, n_targets=1, **lists)
    with pytest.raises(InputError, match=message):
        opc.lower(proto)
