"""Losses of ONNX against what their text says, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import InputError, OpcError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402


def likelihood(
    x: np.ndarray, labels: np.ndarray, w: np.ndarray | None, reduction: str, ignored: int | None
) -> np.ndarray:
    """Over each label in turn; ignored ones have loss and weight 0."""
    losses = np.zeros(labels.shape, x.dtype)
    weights = np.zeros(labels.shape, x.dtype)
    for place in np.ndindex(labels.shape):
        label = labels[place]
        if label == ignored:
            continue
        weights[place] = 1 if w is None else w[label]
        losses[place] = -x[(place[0], label, *place[1:])] * weights[place]
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.sum() / weights.sum()


def log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def drawn(seed: int) -> tuple[Any, list[np.ndarray], dict[str, Any], np.ndarray]:
    """A model, its inputs, its attributes and the log-probabilities."""
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 6, int(rng.integers(0, 4))).tolist()
    n, classes = rng.integers(1, 6, 2).tolist()
    type = ("f32", "f64")[seed % 2]
    dtype = np.float32 if type == "f32" else np.float64
    index, places = (("i32", np.int32), ("i64", np.int64))[seed // 2 % 2]
    attributes: dict[str, Any] = {"reduction": ("none", "sum", "mean")[seed % 3]}
    labels = rng.integers(0, classes, (n, *shape)).astype(places)
    if seed % 4 < 2:
        attributes["ignore_index"] = ignored = (-1, 0, classes + 3)[seed % 3]
        labels[rng.random(labels.shape) < 0.3] = ignored
    batch = "N" if seed % 5 < 2 else n
    named: Any = "C" if seed % 5 == 1 else classes
    arrays = [rng.standard_normal((n, classes, *shape)).astype(dtype), labels]
    infos = [info("x", type, (batch, named, *shape)), info("l", index, (batch, *shape))]
    names = "x l"
    if seed % 7 < 4:
        names += " w"
        arrays.append(rng.random(classes).astype(dtype) + dtype(0.1))
        infos.append(info("w", type, (named,)))
    scores = seed % 2 == 0 or seed % 3 == 0
    made = (
        node("SoftmaxCrossEntropyLoss", names, "y p", **attributes)
        if scores
        else node("NegativeLogLikelihoodLoss", names, **attributes)
    )
    logs = log_softmax(arrays[0]) if scores else arrays[0]
    return model(made, infos, 13), arrays, attributes, logs


@pytest.mark.parametrize("seed", range(48))
def test_losses(seed: int) -> None:
    proto, arrays, attributes, logs = drawn(seed)
    found = interpreted(proto, *arrays)
    with np.errstate(all="ignore"):
        wanted = likelihood(
            logs,
            arrays[1],
            arrays[2] if len(arrays) > 2 else None,
            attributes["reduction"],
            attributes.get("ignore_index"),
        )
    tolerance = 1e-5 if logs.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found[0], wanted, tolerance, tolerance)
    assert found[0].dtype == logs.dtype
    if len(found) > 1:
        np.testing.assert_allclose(found[1], logs, tolerance, tolerance)


@pytest.mark.parametrize("seed", [0, 3, 7, 13])
def test_losses_in_c(seed: int) -> None:
    proto, arrays, _, _ = drawn(seed)
    found = run(proto, *arrays)
    found = found if isinstance(found, tuple) else (found,)
    for a, b in zip(found, interpreted(proto, *arrays), strict=True):
        np.testing.assert_allclose(a, b, 1e-5, 1e-6)


def test_what_is_ignored_may_be_anything() -> None:
    proto = model(
        node("NegativeLogLikelihoodLoss", "x l", ignore_index=-7, reduction="sum"),
        [info("x", shape=(2, 2)), info("l", "i64", (2,))],
    )
    x = np.float32([[np.nan, np.inf], [-3, np.nan]])
    assert interpreted(proto, x, np.int64([-7, 0]))[0] == 3


@pytest.mark.parametrize(
    "x, labels, error, message",
    [
        ((2, 3), (2, 1), InputError, "target has rank 2, expected 1"),
        ((2, 3, 4), (2, 1), InputError, "an extent of target does not fit"),
    ],
)
def test_what_does_not_fit(x: Any, labels: Any, error: type[OpcError], message: str) -> None:
    made = node("NegativeLogLikelihoodLoss", "x l")
    with pytest.raises(error, match=message):
        interpreted(model(made, [info("x", shape=x), info("l", "i64", labels)]))
