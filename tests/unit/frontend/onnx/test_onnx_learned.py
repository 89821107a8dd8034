"""Numeric operators of ai.onnx.ml against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper  # noqa: E402

from opc.errors import ArgumentError, InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, info, interpreted, model, node, run  # noqa: E402

RNG = np.random.default_rng(0)
X = (RNG.standard_normal((5, 4)) * 3).astype(np.float32)


def made(operator: str, infos: Any, outputs: Any, version: int = 1, **attributes: Any) -> Any:
    names = " ".join(i.name for i in infos)
    one = node(operator, names, " ".join(i.name for i in outputs), **attributes)
    one.domain = "ai.onnx.ml"
    proto = model(one, infos, 16, outputs)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", version))
    return proto


def check(proto: Any, *arrays: np.ndarray, tolerance: float = 1e-5) -> list[np.ndarray]:
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [i.name for i in proto.graph.input]
    expected = session.run(None, dict(zip(names, arrays, strict=True)))
    found = interpreted(proto, *arrays)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a, b, tolerance, tolerance)
    return found


def matrix(type: str = "f32", rows: Any = "N") -> list[Any]:
    return [info("x", type, (rows, 4))]


OUT = [info("y", "f32", ("N", "M"))]


@pytest.mark.parametrize("type", ["f32", "i64"])
def test_binarizer(type: str) -> None:
    x = X if type == "f32" else X.astype(np.int64)
    proto = made("Binarizer", matrix(type), [info("y", type, ("N", 4))], threshold=0.5)
    if type == "f32":
        check(proto, x)
    assert np.array_equal(run(proto, x), (x > 0.5).astype(x.dtype))


@pytest.mark.parametrize(
    "type, dtype", [("f32", "f4"), ("f64", "f8"), ("i64", "i8"), ("i32", "i4")]
)
@pytest.mark.parametrize("count", [1, 4])
def test_scaler(count: int, type: str, dtype: str) -> None:
    how = {"scale": [0.5, 2.0, 3.0, 0.1][:count], "offset": [1.0, 2.0, -1.0, 0.5][:count]}
    check(made("Scaler", matrix(type), OUT, **how), X.astype(dtype))
    unknown = made("Scaler", [info("x", type, ("N", "M"))], OUT, **how)
    check(unknown, X.astype(dtype))
    if count > 1:
        with pytest.raises(ArgumentError, match=r"the last axis of .* differ in number"):
            interpreted(unknown, X[:, :2].astype(dtype))


@pytest.mark.parametrize("norm", ["MAX", "L1", "L2"])
def test_normalizer(norm: str) -> None:
    x = np.abs(X)
    x[2] = 0
    check(made("Normalizer", matrix(), OUT, norm=norm), x)


def test_imputer() -> None:
    x = X.copy()
    x[1, 2] = x[3, 0] = np.nan
    how = {"imputed_value_floats": [1.0, 2.0, 3.0, 4.0], "replaced_value_float": float("nan")}
    found = check(made("Imputer", matrix(), OUT, **how), x)
    assert found[0][1, 2] == 3
    whole = X.astype(np.int64)
    proto = made(
        "Imputer", matrix("i64"), [info("y", "i64", ("N", 4))], imputed_value_int64s=[9],
        replaced_value_int64=int(whole[0, 0]),
    )  # fmt: skip
    assert check(proto, whole)[0][0, 0] == 9


def test_feature_vectorizer() -> None:
    infos = [info("x", "f32", ("N", 4)), info("z", "f32", ("N", 2))]
    proto = made("FeatureVectorizer", infos, OUT, inputdimensions=[3, 4])
    (found,) = interpreted(proto, X, X[:, :2])
    expected = np.concatenate([X[:, :3], X[:, :2], np.zeros((5, 2))], 1)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("places", [[0], [3, 1, 1]])
def test_array_feature_extractor(places: list[int]) -> None:
    infos = [*matrix(), info("i", "i64", (1, len(places)))]
    proto = made("ArrayFeatureExtractor", infos, OUT)
    check(proto, X, np.int64([places]))
    assert np.array_equal(run(proto, X, np.int64([places])), X[:, places])


@pytest.mark.parametrize("targets", [1, 3])
@pytest.mark.parametrize("biased", [False, True])
def test_linear_regressor(biased: bool, targets: int) -> None:
    how: dict[str, Any] = {"coefficients": RNG.standard_normal(4 * targets).tolist()}
    how |= {"intercepts": RNG.standard_normal(targets).tolist()} if biased else {}
    check(made("LinearRegressor", matrix(), OUT, targets=targets, **how), X)


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("classes", [3, 4])
def test_linear_classifier(classes: int, transform: str) -> None:
    outputs = [info("y", "i64", ("N",)), info("z", "f32", ("N", classes))]
    proto = made(
        "LinearClassifier", matrix(), outputs, post_transform=transform, multi_class=1,
        classlabels_ints=[7, 3, 9, 1][:classes],
        coefficients=RNG.standard_normal(4 * classes).tolist(),
        intercepts=RNG.standard_normal(classes).tolist(),
    )  # fmt: skip
    check(proto, X)


@pytest.mark.parametrize("kernel", ["LINEAR", "POLY", "RBF", "SIGMOID"])
def test_support_vectors(kernel: str) -> None:
    how: dict[str, Any] = {
        "support_vectors": RNG.standard_normal(12).tolist(),
        "coefficients": RNG.standard_normal(3).tolist(),
        "kernel_params": [0.3, 0.7, 3.0],
    }
    check(
        made("SVMRegressor", matrix(), OUT, kernel_type=kernel, n_supports=3, rho=[0.4], **how), X
    )


@pytest.mark.parametrize("keys, values", [("int64s", "floats"), ("floats", "int64s")])
def test_label_encoder(keys: str, values: str) -> None:
    types = {"int64s": ("i64", np.int64), "floats": ("f32", np.float32)}
    (in_type, in_dtype), (out_type, _) = types[keys], types[values]
    numbers: list[Any] = [3, 1, 8] if keys == "int64s" else [3.0, 1.5, 8.0]
    listed = np.array([7, 5, 6], types[values][1]).tolist()
    how: dict[str, Any] = {f"keys_{keys}": numbers, f"values_{values}": listed}
    how |= {"default_float": -2.0, "default_int64": -2}
    infos, outputs = [info("x", in_type, ("N",))], [info("y", out_type, ("N",))]
    proto = made("LabelEncoder", infos, outputs, 2, **how)
    check(proto, np.array([*numbers, 2, numbers[1]], in_dtype))


def test_tensors_of_labels() -> None:
    tensors = {
        "keys_tensor": helper.make_tensor("k", TYPES["f64"], [3], [np.nan, 1.0, 2.0]),
        "values_tensor": helper.make_tensor("v", TYPES["i32"], [3], [10, 11, 12]),
        "default_tensor": helper.make_tensor("d", TYPES["i32"], [1], [-1]),
    }
    infos, outputs = [info("x", "f64", (4,))], [info("y", "i32", (4,))]
    (found,) = interpreted(made("LabelEncoder", infos, outputs, 4, **tensors), [1, np.nan, 5, 2.0])
    assert found.tolist() == [11, 10, -1, 12]


def forest(trees: int, targets: int, seed: int, levels: int = 4) -> dict[str, Any]:
    """Random trees of so many levels at most, by their lists of nodes and of targets."""
    rng = np.random.default_rng(seed)
    nodes: list[list[Any]] = []
    leaves: list[list[Any]] = []

    def grow(tree: int, number: int, level: int) -> int:
        """Add a node and what is below; the next number."""
        row = [tree, number, "LEAF", 0, 0.0, 0, 0]
        nodes.append(row)
        if level == levels or (level and rng.random() < 0.3):
            leaves.append([tree, number, int(rng.integers(targets)), float(rng.standard_normal())])
            return number + 1
        row[2:5] = ["BRANCH_LEQ", int(rng.integers(4)), float(rng.standard_normal())]
        row[5] = number + 1
        row[6] = middle = grow(tree, number + 1, level + 1)
        return grow(tree, middle, level + 1)

    for tree in range(trees):
        grow(tree, 0, 0)
    names = ["treeids", "nodeids", "modes", "featureids", "values", "truenodeids", "falsenodeids"]
    lists = dict(
        zip((f"nodes_{n}" for n in names), map(list, zip(*nodes, strict=True)), strict=True)
    )
    ends = dict(
        zip(
            ("target_treeids", "target_nodeids", "target_ids", "target_weights"),
            map(list, zip(*leaves, strict=True)),
            strict=True,
        )
    )
    return {**lists, **ends, "n_targets": targets}


@pytest.mark.parametrize("aggregate", ["SUM", "AVERAGE", "MIN", "MAX"])
@pytest.mark.parametrize("trees, targets", [(1, 1), (7, 1), (5, 3)])
def test_trees(trees: int, targets: int, aggregate: str) -> None:
    if aggregate in ("MIN", "MAX") and targets > 1:
        pytest.skip("a target that no leaf gives anything has no least value")
    how = forest(trees, targets, trees)
    # onnxruntime leaves base values out for a target that no leaf gives anything.
    based = aggregate == "SUM" and targets == 1
    how |= {"base_values": RNG.standard_normal(targets).tolist()} if based else {}
    proto = made("TreeEnsembleRegressor", matrix(), OUT, aggregate_function=aggregate, **how)
    x = (RNG.standard_normal((40, 4))).astype(np.float32)
    check(proto, x)


def test_trees_in_c() -> None:
    how = forest(6, 2, 1)
    proto = made("TreeEnsembleRegressor", matrix(), OUT, **how)
    x = RNG.standard_normal((33, 4)).astype(np.float32)
    np.testing.assert_allclose(run(proto, x), interpreted(proto, x)[0], 1e-6)


def test_deep_trees() -> None:
    # What was looked at for constants grew by 4 with each level: 12 levels took minutes.
    proto = made("TreeEnsembleRegressor", matrix(), OUT, **forest(2, 1, 0, levels=14))
    check(proto, RNG.standard_normal((100, 4)).astype(np.float32))


def test_nan_goes_where_it_is_sent() -> None:
    how: dict[str, Any] = {
        "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
        "nodes_modes": ["BRANCH_LT", "LEAF", "LEAF"], "nodes_values": [0.5, 0.0, 0.0],
        "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0], "target_treeids": [0, 0],
        "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights": [1.0, 2.0],
    }  # fmt: skip
    x = np.float32([[0, np.nan, 0, 0], [0, 0.5, 0, 0], [0, 0.4, 0, 0]])
    for tracks in (0, 1):
        how["nodes_missing_value_tracks_true"] = [tracks, 0, 0]
        proto = made("TreeEnsembleRegressor", matrix(), OUT, n_targets=1, **how)
        assert check(proto, x)[0].tolist() == [[2 - tracks], [2], [1]]
    how["nodes_truenodeids"] = [0, 0, 0]
    with pytest.raises(InputError, match="a circle"):
        interpreted(made("TreeEnsembleRegressor", matrix(), OUT, n_targets=1, **how), x)
    how["nodes_truenodeids"] = [5, 0, 0]
    with pytest.raises(InputError, match="a node does not exist"):
        interpreted(made("TreeEnsembleRegressor", matrix(), OUT, n_targets=1, **how), x)


@pytest.mark.parametrize(
    "operator, attributes, error, message",
    [
        ("Normalizer", {"norm": "L3"}, InputError, "L3"),
        ("Scaler", {"scale": [1.0, 2.0]}, InputError, "the elements of attribute scale"),
        ("LinearRegressor", {"coefficients": [1.0]}, InputError, "coefficients do not fit"),
        (
            "LinearRegressor",
            {"coefficients": [1.0] * 4, "post_transform": "PROBIT"},
            UnsupportedError,
            "PROBIT",
        ),
        ("TreeEnsembleRegressor", {"nodes_nodeids": [1]}, InputError, "differ in length"),
        ("SVMRegressor", {"n_supports": 2}, InputError, "numbers are not 2 vectors of 4"),
    ],
)
def test_what_is_wrong(
    operator: str, attributes: dict[str, Any], error: type[OpcError], message: str
) -> None:
    with pytest.raises(error, match=message):
        interpreted(made(operator, matrix(), OUT, **attributes), X)
