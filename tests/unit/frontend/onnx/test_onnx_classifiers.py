"""Classifiers of ai.onnx.ml against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
from opc.errors import ArgumentError, InputError, UnsupportedError
from tests.unit.common.onnx_models import info, interpreted, run
from tests.unit.frontend.onnx.test_onnx_learned import X, check, made, matrix

RNG = np.random.default_rng(5)


def outputs(classes: Any = "M") -> list[Any]:
    return [info("y", "i64", ("N",)), info("z", "f32", ("N", classes))]


def trees(weights: list[list[tuple[int, float]]], **more: Any) -> dict[str, Any]:
    """Two trees of three leaves; ``weights`` has what each of the six leaves gives to classes."""
    found: dict[str, list[Any]] = {
        "nodes_treeids": [0] * 5 + [1] * 5,
        "nodes_nodeids": [0, 1, 2, 3, 4] * 2,
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF"] * 2,
        "nodes_featureids": [0, 0, 1, 0, 0, 2, 0, 3, 0, 0],
        "nodes_values": [0.5, 0.0, -0.5, 0.0, 0.0, -0.2, 0.0, 0.7, 0.0, 0.0],
        "nodes_truenodeids": [1, 0, 3, 0, 0] * 2,
        "nodes_falsenodeids": [2, 0, 4, 0, 0] * 2,
        "class_treeids": [],
        "class_nodeids": [],
        "class_ids": [],
        "class_weights": [],
    }
    for k, leaf in enumerate(weights):
        for label, weight in leaf:
            found["class_treeids"].append(k // 3)
            found["class_nodeids"].append((1, 3, 4)[k % 3])
            found["class_ids"].append(label)
            found["class_weights"].append(weight)
    return found | more


def whole(classes: int) -> list[list[tuple[int, float]]]:
    """Weights for all classes, of which each leaf prefers another one."""
    return [
        [(c, float(RNG.standard_normal()) + 3 * (c == k % classes)) for c in range(classes)]
        for k in range(6)
    ]


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"])
@pytest.mark.parametrize("base", [[], [0.5, -0.5, 0.25]])
def test_trees_of_several_classes(base: list[float], transform: str) -> None:
    how = trees(whole(3), classlabels_int64s=[7, 3, 9], post_transform=transform)
    how |= {"base_values": base} if base else {}
    proto = made("TreeEnsembleClassifier", matrix(), outputs(3), **how)
    x = (RNG.standard_normal((40, 4))).astype(np.float32)
    labels, _ = check(proto, x)
    assert len(set(labels.tolist())) > 1
    for a, b in zip(run(proto, x), interpreted(proto, x), strict=True):
        np.testing.assert_allclose(a, b, 1e-6, 1e-6)


def test_a_class_that_no_leaf_gives_anything_to() -> None:
    weights = [[(0, -1.0)], [(1, -2.0)], [(0, -3.0), (2, -1.0)], [(0, -0.5)], [(2, -2.5)], []]
    how = trees(weights, classlabels_int64s=[7, 3, 9])
    labels, scores = check(made("TreeEnsembleClassifier", matrix(), outputs(3), **how), X * 0.3)
    assert (scores.max(axis=1) == 0).any() and set(labels.tolist()) <= {7, 3, 9}


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("is_positive", [False, True])
@pytest.mark.parametrize("base", [[], [0.1]])
def test_two_classes_of_which_one_has_scores(
    base: list[float], is_positive: bool, which: int, transform: str
) -> None:
    numbers = [0.05, 0.3, 0.45, 0.1, 0.25, 0.5]
    weights = [[(which, v if is_positive else v - 0.3)] for v in numbers]
    how = trees(weights, classlabels_int64s=[5, 9], post_transform=transform)
    how |= {"base_values": base} if base else {}
    proto = made("TreeEnsembleClassifier", matrix(), outputs(2), **how)
    x = RNG.standard_normal((40, 4)).astype(np.float32)
    if base and which:
        with pytest.raises(
            UnsupportedError, match=r"base_values has 1 numbers where .* takes none: add them"
        ):
            interpreted(proto, x)
        return
    labels, _ = check(proto, x)
    assert set(labels.tolist()) == {5, 9}


def test_two_classes_that_both_have_scores() -> None:
    """onnxruntime gives 0 and 1 here, whatever the labels are."""
    how = trees(whole(2), classlabels_int64s=[5, 9])
    x = RNG.standard_normal((40, 4)).astype(np.float32)
    labels, scores = interpreted(made("TreeEnsembleClassifier", matrix(), outputs(2), **how), x)
    assert np.array_equal(labels, np.int64([5, 9])[scores.argmax(axis=1)])


def machine(classes: int, **more: Any) -> dict[str, Any]:
    sizes = [3, 2, 4, 2][:classes]
    pairs = classes * (classes - 1) // 2
    return {
        "classlabels_ints": [7, 3, 9, 1][:classes],
        "vectors_per_class": sizes,
        "support_vectors": RNG.standard_normal(4 * sum(sizes)).tolist(),
        "coefficients": RNG.standard_normal((classes - 1) * sum(sizes)).tolist(),
        "rho": (RNG.standard_normal(pairs) * 0.1).tolist(),
        "kernel_params": [0.3, 0.7, 3.0],
        **more,
    }


@pytest.mark.sample(4)
@pytest.mark.parametrize("kernel", ["LINEAR", "POLY", "RBF", "SIGMOID"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("has_probabilities", [False, True])
def test_support_vectors(has_probabilities: bool, classes: int, kernel: str) -> None:
    how = machine(classes, kernel_type=kernel)
    pairs = classes * (classes - 1) // 2
    if has_probabilities:
        how |= {name: (RNG.random(pairs) - 1.2).tolist() for name in ("prob_a", "prob_b")}
    proto = made("SVMClassifier", matrix(), outputs(), **how)
    x = RNG.standard_normal((40, 4)).astype(np.float32)
    # onnxruntime ends the iteration in the same round, but rounds otherwise on the way.
    labels, scores = check(proto, x, tolerance=1e-4)
    assert len(set(labels.tolist())) > (classes == 4)
    if has_probabilities:
        assert scores.shape == (40, classes)
        np.testing.assert_allclose(scores.sum(axis=1), 1, 1e-5)
    for a, b in zip(run(proto, x), interpreted(proto, x), strict=True):
        np.testing.assert_allclose(a, b, 1e-5, 1e-5)


@pytest.mark.parametrize("classes", [2, 3])
def test_linear_machine(classes: int) -> None:
    numbers = RNG.standard_normal(4 * classes).tolist()
    proto = made(
        "SVMClassifier", matrix(), outputs(classes), classlabels_ints=[7, 3, 9][:classes],
        coefficients=numbers, rho=[0.2], kernel_params=[0.0, 0.0, 0.0],
    )  # fmt: skip
    check(proto, RNG.standard_normal((40, 4)).astype(np.float32), tolerance=1e-5)


@pytest.mark.parametrize("type, dtype", [("i64", np.int64), ("f32", np.float32)])
def test_one_hot_encoder(type: str, dtype: Any) -> None:
    x = np.array([[3, 8], [5, 4], [8, 9]], dtype)
    infos = [info("x", type, ("N", 2))]
    out = [info("y", "f32", ("N", 2, 3))]
    how = {"cats_int64s": [8, 3, 5]}
    (found,) = check(made("OneHotEncoder", infos, out, zeros=1, **how), x)
    assert found.sum() == 4
    strict = made("OneHotEncoder", infos, out, zeros=0, **how)
    assert np.array_equal(run(strict, x[:1]), [[[0, 1, 0], [1, 0, 0]]])
    with pytest.raises(ArgumentError):
        run(strict, x)


@pytest.mark.parametrize(
    "operator, how, error, message",
    [
        ("TreeEnsembleClassifier", trees(whole(1), classlabels_int64s=[1]),
         UnsupportedError, "classifier of 1 class .* classlabels_int64s"),
        ("TreeEnsembleClassifier", trees(whole(3), classlabels_int64s=[1, 2]),
         InputError, "target 2 of 2"),
        ("TreeEnsembleClassifier", trees(whole(3), classlabels_int64s=[1, 2, 3], base_values=[1.0]),
         InputError, "1 base values for 3 classes"),
        ("SVMClassifier", machine(3) | {"rho": [0.1]}, InputError, "1 of rho"),
        ("SVMClassifier", machine(3) | {"kernel_type": "COSINE"}, InputError, "COSINE"),
        ("SVMClassifier", machine(3, prob_a=[0.1], prob_b=[0.1]), InputError, "for 3 pairs"),
        ("SVMClassifier", machine(2, post_transform="LOGISTIC"), UnsupportedError,
         "post_transform LOGISTIC .* only NONE;"),
        ("TreeEnsembleClassifier", trees(whole(3), classlabels_int64s=[1, 2, 3],
         post_transform="PROBIT"), UnsupportedError, "post_transform PROBIT .* only NONE, SOFTMAX"),
        ("TreeEnsembleClassifier", trees(whole(3), classlabels_int64s=[1, 2, 3],
         post_transform="ELSE"), InputError, 'post_transform is "ELSE", expected one of NONE'),
        ("OneHotEncoder", {"cats_strings": ["a"]}, UnsupportedError, "strings"),
        ("OneHotEncoder", {"cats_int64s": [1, 1]}, InputError, "1 of them different"),
    ],
)  # fmt: skip
def test_refusals(operator: str, how: Any, error: type[Exception], message: str) -> None:
    out = outputs() if "Classifier" in operator else [info("y", "f32", ("N", 4, "M"))]
    with pytest.raises(error, match=message):
        interpreted(made(operator, matrix(), out, **how), X)
